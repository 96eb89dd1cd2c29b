"""Words by which the readers know what is told: relatives, pets, illnesses, occupations, verbs.

They are closed or nearly closed classes of English (kinship, common occupations, household animals,
the stems of the International Nonproprietary Names of medicines), and say nothing of how something
is meant: `mindpipe.language.guards` does.
"""

from collections.abc import Set as AbstractSet


def listed(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


def any_of(choices: AbstractSet[str]) -> str:
    """Return a pattern of some words, the longest first, in the same order in every process."""
    return "|".join(sorted(choices, key=lambda word: (-len(word), word)))


RELATIVES = listed(
    """
    wife husband partner girlfriend boyfriend fiance fiancee spouse ex mother mom mum mam father
    mama mamma mummy mommy papa daddy
    dad sister brother sibling twin son daughter child kid baby uncle aunt cousin grandmother
    grandfather grandma grandpa gran nan granny niece nephew stepmother stepfather stepson
    stepdaughter stepsister stepbrother godmother godfather mother-in-law father-in-law
    sister-in-law brother-in-law friend boss manager supervisor colleague coworker neighbour
    neighbor flatmate roommate housemate landlord landlady mentor coach teacher therapist doctor
    dentist physio lawyer tutor apprentice assistant mate pal hubby missus fella bloke
    fiancé fiancée gf bf bro sis grandad granddad nana grandson granddaughter grandchild
    stepmum stepmom stepdad eldest youngest half-brother half-sister godson goddaughter
    """
) | {"other half", "better half"}
OF_A_TIME = listed(
    """
    boss manager supervisor colleague coworker neighbour neighbor flatmate roommate housemate
    landlord landlady coach teacher therapist doctor dentist
    """
)
"""Relatives of whom an old one is a former one."""
PARTNERS = listed(
    """
    wife husband partner girlfriend boyfriend fiance fiancee spouse hubby missus fella bloke
    fiancé fiancée gf bf
    """
) | {"other half", "better half"}
WOMEN = listed(
    "wife girlfriend mother mom mum sister daughter aunt grandmother grandma gran niece gf"
)
MEN = listed("husband boyfriend father dad brother son uncle grandfather grandpa nephew bf hubby")
SAME_RELATIVE = {
    "mama": "mother", "mamma": "mother", "mummy": "mother", "mommy": "mother", "papa": "father",
    "daddy": "father", "mom": "mother",
    "mum": "mother", "mam": "mother", "dad": "father", "kid": "child",
    "baby": "child", "grandma": "grandmother", "gran": "grandmother", "nan": "grandmother",
    "granny": "grandmother", "grandpa": "grandfather", "neighbor": "neighbour",
    "coworker": "colleague", "roommate": "flatmate", "housemate": "flatmate",
    "grandad": "grandfather", "granddad": "grandfather", "nana": "grandmother",
    "bro": "brother", "sis": "sister", "stepmum": "stepmother", "stepmom": "stepmother",
    "stepdad": "stepfather",
    "mate": "friend", "pal": "friend", "eldest": "child", "youngest": "child",
    "girl": "daughter", "boy": "son",
    "supervisor": "boss", "manager": "boss", "physio": "physiotherapist",
}  # fmt: skip
PETS = listed(
    """
    dog puppy pup cat kitten rabbit bunny hamster gerbil parrot budgie canary horse pony
    tortoise turtle snake lizard gecko ferret goldfish chicken hen duck goat donkey rat mouse
    pet labrador spaniel terrier poodle collie greyhound whippet dachshund
    """
)
DIETS = listed(
    """
    vegetarian vegan pescatarian teetotal kosher halal gluten-free veggie plant-based dairy-free
    lactose-free
    """
)
ILL = listed(
    """
    pregnant diabetic asthmatic epileptic deaf blind coeliac celiac dyslexic autistic anaemic
    anemic bipolar lactose-intolerant short-sighted long-sighted colour-blind
    colorblind hypertensive
    """
)
ILLNESSES = listed(
    """
    asthma diabetes migraine migraines arthritis eczema epilepsy anaemia anemia adhd tinnitus
    insomnia depression hypertension psoriasis endometriosis gout lupus cancer leukaemia
    leukemia glaucoma vertigo sciatica scoliosis celiac coeliac crohn parkinson dementia
    hayfever ibs pcos ocd ptsd anxiety rosacea dermatitis sinusitis narcolepsy hypothyroidism
    hyperthyroidism copd angina osteoporosis rheumatism fibromyalgia osteoarthritis hepatitis
    """
)
LONG_ILLNESSES = frozenset(
    {
        "hay fever", "high blood pressure", "low blood pressure", "back pain", "sleep apnoea",
        "sleep apnea", "heart disease", "chronic fatigue", "long covid", "panic attacks",
        "hearing loss", "kidney stones", "heart failure", "chronic pain",
    }
)  # fmt: skip
BODY_PARTS = listed(
    """
    arm leg wrist ankle foot toe finger thumb hand elbow shoulder knee hip rib collarbone nose jaw
    """
)
INJURED = {"broke": "broken", "break": "broken", "twist": "twisted", "dislocate": "dislocated"}
"""What a part of the body is that somebody broke, twisted or dislocated."""
WORKPLACES = listed(
    """
    bakery school hospital library bank shop café cafe restaurant pub hotel factory warehouse
    nursery kindergarten garage workshop clinic museum laboratory lab pharmacy supermarket bookshop
    theatre theater university college brewery farm hospice harbour harbor shipyard surgery salon
    dairy butcher's hairdresser's dentist's quarry mine airport station refinery winery vineyard
    law-firm start-up startup
    """
)
"""What somebody who works "in" or "at" one does there."""
MEDICINE_STEMS = tuple(
    listed(
        """
        pril sartan olol dipine statin prazole cillin mycin oxetine triptan azepam profen formin
        gliptin parin thyroxine floxacin conazole azole mab idone apine setron lukast terol
        purinol dronate tidine ciclovir asteride
        tiazem pamil glutide gliflozin fibrate ptyline cycline zolam barbital peridone
        gabalin gabapentin citalopram traline venlafaxine faxine xaban oprazole semide thiazide
        """
    )
)
MEDICINES = listed(
    """
    insulin aspirin ibuprofen paracetamol lithium ritalin prozac warfarin prednisone antibiotics
    antidepressants antihistamines statins metformin methotrexate tamoxifen
    """
)
OCCUPATIONS = listed(
    """
    accountant actor actress analyst apprentice archaeologist architect artist baker banker
    barber barista bartender beekeeper biologist blacksmith bookbinder bookkeeper bookseller
    botanist bricklayer builder butcher captain cardiologist caretaker carpenter cashier chef
    chemist cleaner clerk coach composer conductor consultant cook counsellor courier curator
    dancer decorator dentist designer developer dietitian director diver doctor driver economist
    editor electrician engineer farmer firefighter fisherman florist forester freelancer
    gardener geologist geographer glazier goldsmith grocer guard guide hairdresser historian
    housekeeper illustrator inspector instructor interpreter janitor jeweller journalist judge
    lawyer lecturer librarian lifeguard linguist locksmith logistician machinist magician
    manager mason mathematician mechanic meteorologist midwife miner model musician nanny notary
    novelist nurse nutritionist officer optician optometrist orderly painter paralegal paramedic
    pastor pathologist pharmacist photographer physician physicist physiotherapist pianist pilot
    plasterer plumber poet policeman policewoman porter postman potter priest principal producer
    professor programmer proofreader psychiatrist psychologist publisher radiographer ranger
    receptionist recruiter referee reporter researcher roofer sailor saleswoman salesman
    scientist sculptor seamstress secretary shepherd singer soldier solicitor statistician
    steward stewardess student surgeon surveyor tailor teacher technician therapist tiler
    trainer translator tutor typist undertaker upholsterer vet veterinarian waiter waitress
    watchmaker weaver welder writer zookeeper
    """
)
FOODS = listed("meat dairy gluten fish alcohol caffeine sugar coffee chocolate wheat")
"""What people give up, and do no more."""
OF_ANIMALS = listed(
    "meat fish dairy cheese beef pork chicken bacon ham sausage steak lamb veal duck turkey "
    "seafood shellfish"
)
"""What nobody eats who lives on plants: who eats it again does so no longer."""
DURABLES = listed(
    """
    car van truck pickup lorry bike bicycle motorbike motorcycle scooter moped boat kayak canoe
    caravan campervan camper trailer tractor tent laptop computer pc macbook tablet phone
    smartphone camera telescope console television tv printer desk sofa couch bed wardrobe fridge
    freezer oven dishwasher iphone ipad kindle chromebook guitar piano violin cello drums keyboard
    accordion saxophone trumpet
    """
)
"""Things that somebody who got one has for years."""
STUDIES = listed("uni university college school course degree studies")
"""What somebody leaves who is a student no longer."""
STANDINGS = frozenset({"retired", "self-employed", "freelance", "student"})
"""What somebody is by way of work, and no trade."""
UNTRUE = listed(
    "former ex retired future aspiring would-be once unemployed late imaginary fictional"
)
"""What makes of somebody one that he is not, or not yet, or no more."""
LANGUAGES = listed(
    """
    english german french spanish italian portuguese dutch polish czech russian ukrainian
    turkish greek arabic hebrew hindi urdu bengali punjabi tamil japanese chinese mandarin
    cantonese korean vietnamese thai swedish norwegian danish finnish icelandic irish welsh
    gaelic catalan basque romanian hungarian bulgarian serbian croatian slovak slovenian latvian
    lithuanian estonian swahili esperanto latin farsi persian
    """
)
DEMONYMS = listed(
    """
    american canadian australian austrian belgian brazilian egyptian indian iranian italian
    norwegian russian ukrainian romanian bulgarian hungarian croatian serbian bosnian slovenian
    slovakian albanian estonian latvian lithuanian armenian georgian nigerian kenyan ghanaian
    ethiopian moroccan tunisian algerian libyan african mexican cuban colombian peruvian chilean
    argentinian venezuelan bolivian chinese japanese korean vietnamese indonesian malaysian filipino
    pakistani bangladeshi israeli palestinian iraqi saudi syrian lebanese jordanian turkish polish
    swiss danish greek dutch irish scottish welsh english british european asian icelandic maltese
    cypriot taiwanese thai spanish french german swedish finnish czech slovak portuguese kurdish
    persian arab jamaican nepalese tibetan mongolian sicilian bavarian catalan basque cornish
    """
)
"""What peoples are called: no first names."""
OF_FAITHS_AND_SIGNS = listed(
    """
    catholic protestant jewish muslim hindu sikh buddhist christian mormon quaker orthodox lutheran
    methodist baptist anglican atheist agnostic aries taurus gemini cancer virgo libra scorpio
    sagittarius capricorn aquarius pisces greek dutch thai czech swiss gay straight sorry fine okay
    good back here home done sure ready busy late happy sad tired hungry not just also so very still
    """
)
INSTRUMENTS = listed(
    """
    piano guitar violin viola cello drums flute clarinet saxophone sax trumpet trombone harp organ
    accordion banjo ukulele bass keyboard oboe fiddle mandolin harmonica tuba bassoon
    """
)
PRACTISED = {
    "swim": "swimming", "ski": "skiing", "skate": "skating", "knit": "knitting", "sew": "sewing",
    "whistle": "whistling", "ride a bike": "cycling", "ride a bicycle": "cycling",
    "drive a car": "driving", "read music": "reading music", "touch-type": "touch-typing",
}  # fmt: skip
"""What somebody can do or not, by the verb."""
LIKES = listed("like love adore enjoy")
DOCTORS = listed(
    """
    doctor doc dr gp physician specialist consultant surgeon psychiatrist cardiologist nurse
    pharmacist physio physiotherapist dentist dietitian optician midwife dermatologist neurologist
    """
)
"""Whose findings about somebody are told as they are: `the doctor says I'm anaemic`."""
DRINKS = listed(
    """
    alcohol caffeine coffee tea beer wine milk juice soda pop cola cider spirits gin whisky whiskey
    vodka rum lemonade booze
    """
)
"""What is drunk, and not eaten."""
ABSENCES = frozenset({"holiday", "vacation", "annual leave", "leave"})
"""What somebody is on who is away for some days."""
ENDURED = listed(
    """
    monday mondays queue queues queueing queuing paperwork meeting meetings traffic tax taxes bill
    bills deadline deadlines delay delays invoice invoices admin laundry ironing mould damp
    hangover hangovers roadworks commuting commute waiting paying spam wasps mosquitoes nits
    homework overtime spreadsheets
    """
)
"""What people who say that they love it mostly do not."""
UNDERGOING = listed(
    "being getting having paying waiting queueing queuing losing winning failing missing sitting"
)
"""How a thing begins that befalls somebody, and pleases him or not for once."""
PROGRAMS = listed(
    """
    postgres postgresql mysql sqlite mariadb mongodb mongo redis firebase supabase dynamodb django
    rails laravel flask react vue svelte angular next.js kubernetes docker terraform aws azure gcp
    heroku vercel hetzner github gitlab bitbucket slack discord teams zoom notion jira trello asana
    linux ubuntu debian windows macos android ios gmail outlook signal whatsapp telegram
    typescript javascript kotlin python rust spotify shopify wordpress figma
    excel powerpoint netflix google alexa siri chatgpt tinder facebook instagram
    """
)
"""Where people move to, and live nowhere: `we moved to Postgres`."""
CIRCLES = listed(
    "choir band orchestra club class society league gym troupe squad quartet ensemble allotment"
)
"""What somebody joins for pleasure."""
DWELLINGS = listed(
    """
    flat apartment house room place studio cottage condo bungalow bedsit houseshare terrace
    townhouse maisonette houseboat
    """
)
ONLY_ONE = listed(
    """
    sea ocean sun moon rain snow wind cold heat dark beach mountain countryside outdoors city
    theatre theater opera cinema gym pub internet news radio
    """
)
"""Of which "the" means the kind and no single one: `I love the sea`."""
DATABASES = listed(
    """
    postgres postgresql mysql sqlite mariadb mongodb mongo cassandra dynamodb cockroachdb clickhouse
    duckdb oracle couchdb neo4j supabase firestore bigquery snowflake db2 influxdb timescaledb
    """
) | {"sql server", "ms sql"}
"""What a project that uses it has as its database; no cache or index, which it has beside one."""
FRAMEWORKS = listed(
    """
    django flask fastapi rails laravel symfony react vue svelte angular next.js nextjs nuxt ember
    express nestjs phoenix actix axum starlette tornado quarkus electron flutter
    """
) | {"ruby on rails", "spring boot"}
"""What a project that uses it is built with."""
PROGRAMMING_LANGUAGES = listed(
    """
    python rust golang java kotlin scala ruby php javascript typescript haskell elixir erlang ocaml
    clojure perl fortran cobol zig lua
    """
) | {"c++", "c#", "f#"}
"""What a project that uses it is written in."""
PROGRAMS_AND_WORDS = listed(
    """
    oracle snowflake flask rails react express ember phoenix nuxt tornado electron flutter angular
    rust java ruby perl lua scala elixir
    """
)
"""Programs that are words besides, so that only a capital tells which is meant."""
PARTS_OF_PROJECTS = listed(
    """
    project service system app application api backend frontend site website platform pipeline
    module component library package repo repository bot dashboard prototype product server release
    migration codebase cluster gateway worker microservice
    """
)
"""What is a project, or a part of one, and nobody's own."""
MADE_UP_TEXTS = listed(
    """
    essay novel poem lyrics verse haiku limerick screenplay script dialogue monologue plot chapter
    fanfic fiction joke riddle quote quotation excerpt extract transcript sample example sentence
    template homework translation backstory role-play roleplay fable parable myth
    """
)
"""Kinds of texts in which "I" is nobody, or somebody else than whoever shows them."""
SENT_TEXTS = listed(
    """
    letter mail email e-mail message text post tweet comment reply answer review chat dm voicemail
    postcard statement draft memo sms ad advert reference profile bio diary
    """
)
"""Kinds of texts that somebody writes of himself, and another may show."""
NO_FIRST_NAMES = LANGUAGES | DEMONYMS | OF_FAITHS_AND_SIGNS | DIETS | ILL | UNTRUE
"""What a capital makes no name of behind `I'm` and `my wife is`."""

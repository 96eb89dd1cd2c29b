"""The strict reader: few forms, each the whole of a clause, and nothing that is meant otherwise."""

from mindpipe.language.clauses import clauses, sentences
from mindpipe.language.numerals import number_of
from mindpipe.language.records import MENTIONED, Statement, Utterance
from mindpipe.language.strict import STRICT
from support.tables import each_row


def read(text: str) -> tuple[Statement, ...]:
    """Return what Mara says in a text, but for figures."""
    (found,) = STRICT.read([Utterance(text, "Mara", "2026-05-01T10:00:00Z")])
    return tuple(one for one in found if one.unit is None)


STATED = (
    ("I'm off beer and crisps", ("food", "not beer", "asserted")),
    ("i live on Ferry pier now", ("residence", "Ferry pier", "asserted")),
    ("On Monday I moved to Bremen.", ("residence", "Bremen", "asserted")),
    ("Our goldfish, Elvis, is dead", ("ending", "Elvis", "ended")),
    ("I don't have a sister named Eva", ("relation", "Eva", "denied")),
    ("I don't hate coffee", ("taste", "not coffee", "denied")),
    ("I live in Leipzig with Anna and Tom.", ("residence", "Leipzig", "asserted")),
    ("I live with Anna.", ("housemate", "Anna", "asserted")),
    (
        "My address is Lindauer Str. 5, Leipzig.",
        ("residence", "Lindauer Str. 5, Leipzig", "asserted"),
    ),
    ("In 2019 I moved to Kiel.", ("residence", "Kiel", "asserted")),
    ("I work for Siemens in Munich.", ("workplace", "Siemens", "asserted")),
    ("Rex is our dog.", ("pet", "Rex (dog)", "asserted")),
    ("My car is a Golf.", ("owns", "Golf", "asserted")),
    ("I drive a red Toyota.", ("owns", "Toyota", "asserted")),
    ("I come from a small town called Melk.", ("hometown", "Melk", "asserted")),
    ("My hobby is chess.", ("hobby", "chess", "asserted")),
    ("I'm severely allergic to bee stings.", ("allergy", "bee stings", "asserted")),
    ("I'm no longer friends with Ben.", ("relation", "Ben", "ended")),
    ("They let me go.", ("workplace", None, "ended")),
    ("I live in Oslo, my sister lives in Rome.", ("residence", "Oslo", "asserted")),
    ("I moved to Oslo, my wife stayed in Rome.", ("residence", "Oslo", "asserted")),
    ("I live in Oslo, my boss retired in May.", ("residence", "Oslo", "asserted")),
    ("I live in Oslo, my cousins rented a flat near me.", ("residence", "Oslo", "asserted")),
    ("York has been our home for a week now.", ("residence", "York", "asserted")),
    ("Mia dropped out of law school.", ("ending", "student", "ended")),
    ("Mia and Jens are history.", ("partner", "Jens", "ended")),
    ("I don't live in Bremen. That's not true.", ("residence", "Bremen", "denied")),
    ("I was wrong about sour beer. I love it.", ("taste", "sour beer", "asserted")),
    ("ok i was wrong bout ferries, i hate them", ("taste", "not ferries", "asserted")),
    ("I'm a nurse and a liar.", ("job", "nurse", "asserted")),
    ("I live in Kiel and hate it.", ("residence", "Kiel", "asserted")),
    ("quit the bakery. I was falling asleep in the dough", ("ending", "bakery", "ended")),
    ("the vegan thing is over", ("ending", "vegan", "ended")),
    ("not vegan any more, told you", ("ending", "vegan", "ended")),
    ("sold the old Volvo for nothing to a boy with no beard", ("ending", "Volvo", "ended")),
    ("no no i dont work there anymore", ("workplace", None, "ended")),
    ("I go to the sauna four times a month", ("routine", "sauna", "asserted")),
    ("We have band practice on Tuesdays", ("routine", "band practice", "asserted")),
    ("I go swimming every Wednesday with Lore", ("routine", "swimming", "asserted")),
    ("We play poker with the lads every Friday", ("routine", "poker", "asserted")),
    ("I do yoga on Mondays", ("routine", "yoga", "asserted")),
    ("My Sunday routine will be walks along the canal!", ("routine", "walks", "asserted")),
    ("First week in Bergen and it rains", ("residence", MENTIONED, "asserted")),
    ("We're in!", ("residence", MENTIONED, "asserted")),
    ("my ex Max rang", ("partner", "Max", "ended")),
    ("first night in our new flat in Leeds, so loud", ("residence", "Leeds", "asserted")),
    ("We've moved! Same city, other side", ("residence", MENTIONED, "asserted")),
    ("First day at Heimdal. Nice people", ("workplace", "Heimdal", "asserted")),
    ("they made me team lead at the shipping company", ("job", "team lead", "asserted")),
    ("got the job at the library!!", ("workplace", "library", "asserted")),
    ("I was dizzy so I'm off it. now it's candesartan", ("medication", "candesartan", "asserted")),
    ("Lena and I broke up last night...", ("partner", "Lena", "ended")),
    ("We broke up two days ago", ("partner", None, "ended")),
    ("the car died on the motorway", ("ending", "car", "ended")),
    ("had a steak, vegetarian no more", ("ending", "vegetarian", "ended")),
    ("I eat meat again, sorry", ("food", "meat", "asserted")),
    ("I play the cello, sorry for the noise", ("skill", "cello", "asserted")),
    ("I've become fond of cheese", ("taste", "cheese", "asserted")),
    ("hate climbing now, shoes are on ebay", ("taste", "not climbing", "asserted")),
    ("My boss is a tiny woman named Loveday", ("relation", "Loveday", "asserted")),
    ("I joined Bosch last week", ("workplace", "Bosch", "asserted")),
    ("my old friend Tom rang", ("relation", "Tom", "asserted")),
    ("I'm engaged to Rosa", ("partner", "Rosa", "asserted")),
    ("I moved to Graz. My brother did too.", ("residence", "Graz", "asserted")),
    ("I sold the car. I swear.", ("owns", "car", "ended")),
    ("I hate Mondays", ("taste", "not Mondays", "asserted")),
    ("I live in Porto, near the river.", ("residence", "Porto", "asserted")),
    ("ok so I'm based in New Haven these days", ("residence", "New Haven", "asserted")),
    ("i live in Porto now", ("residence", "Porto", "asserted")),
    ("We've moved to Ribeira, Porto.", ("residence", "Ribeira, Porto", "asserted")),
    ("No, I don't live in Bremen!", ("residence", "Bremen", "denied")),
    ("I don't live in Bremen any more.", ("residence", "Bremen", "ended")),
    ("I work at Nordlicht.", ("workplace", "Nordlicht", "asserted")),
    ("I got fired from Siemens", ("workplace", "Siemens", "ended")),
    ("I quit my job.", ("workplace", None, "ended")),
    ("I'm a nurse", ("job", "nurse", "asserted")),
    ("I'm a game designer", ("job", "game designer", "asserted")),
    ("I work as a tree surgeon in the park", ("job", "tree surgeon", "asserted")),
    ("I'm thirty-four, honestly", ("age", "34", "asserted")),
    ("I'm 35 now", ("age", "35", "asserted")),
    ("I adore ice skating", ("taste", "ice skating", "asserted")),
    ("I really can't stand cold soup.", ("taste", "not cold soup", "asserted")),
    ("I've gone right off fondue", ("taste", "not fondue", "asserted")),
    ("I don't eat shellfish tbh", ("food", "not shellfish", "asserted")),
    ("I don't do dairy, not since my teens", ("food", "not dairy", "asserted")),
    ("I'm not vegetarian!!", ("diet", "vegetarian", "denied")),
    ("I've gone vegetarian", ("diet", "vegetarian", "asserted")),
    ("I'm allergic to bee stings.", ("allergy", "bee stings", "asserted")),
    ("I have asthma.", ("health", "asthma", "asserted")),
    ("I speak Polish", ("skill", "Polish", "asserted")),
    ("My sister's name is Eva.", ("relation", "Eva", "asserted")),
    (
        "my supervisor, Prof Lindqvist, wants the preface",
        ("relation", "Prof Lindqvist", "asserted"),
    ),
    ("My husband is Jonas.", ("partner", "Jonas", "asserted")),
    ("Torsten and me are finished.", ("partner", "Torsten", "ended")),
    ("We split up.", ("partner", None, "ended")),
    ("we split last month", ("partner", None, "ended")),
    ("we've split, nearly three weeks ago", ("partner", None, "ended")),
    ("my wife left me", ("partner", None, "ended")),
    ("I'm sick of ramen", ("taste", "not ramen", "asserted")),
    ("I retired in May", ("job", "retired", "asserted")),
    ("we adopted a cat called Pretzel", ("pet", "Pretzel (cat)", "asserted")),
    ("I moved to Porto in March", ("residence", "Porto", "asserted")),
    ("I used to live in Durham", ("residence", "Durham", "ended")),
    ("I'm off sertraline now", ("medication", "sertraline", "ended")),
    ("the doctor put me on ramipril", ("medication", "ramipril", "asserted")),
    ("I love the sea", ("taste", "sea", "asserted")),
    ("that was my daughter Sara's birthday", ("relation", "Sara", "asserted")),
    ("Petra speaks Polish", ("skill", "Polish", "asserted")),
    ("That settles it for me: I hate ferries", ("taste", "not ferries", "asserted")),
    ("How did I ever like vinyl", ("taste", "vinyl", "ended")),
    ("why did I ever live in Hull?", ("residence", "Hull", "ended")),
    ("I'm done with running", ("taste", "running", "ended")),
    ("I've lost my taste for gin", ("taste", "gin", "ended")),
    ("can't face sushi since the poisoning", ("taste", "sushi", "ended")),
    ("Knitting isn't my thing any more", ("taste", "Knitting", "ended")),
    ("I'm not big on seafood", ("taste", "not seafood", "asserted")),
    ("No more warfarin, the nurse was firm", ("medication", "warfarin", "ended")),
    ("The clinic stopped my warfarin.", ("medication", "warfarin", "ended")),
    ("I've been on metformin for years", ("medication", "metformin", "asserted")),
    ("Piotr moved out on Sunday", ("housemate", "Piotr", "ended")),
    ("Lou is my ex now", ("partner", "Lou", "ended")),
    ("Bea called off the engagement.", ("partner", "Bea", "ended")),
    ("Hana and I called it quits", ("partner", "Hana", "ended")),
    ("me and Linda have been married twenty years", ("partner", "Linda", "asserted")),
    ("Bramble is no longer with us", ("ending", "Bramble", "ended")),
    ("We had to say goodbye to Bramble", ("ending", "Bramble", "ended")),
    ("My motorbike got nicked last night", ("owns", "motorbike", "ended")),
    ("I traded the van in", ("owns", "van", "ended")),
    ("The van's gone to the scrapyard", ("owns", "van", "ended")),
    ("gave up being vegan, it was too much", ("diet", "vegan", "ended")),
    ("I drink coffee again", ("food", "coffee", "asserted")),
    ("I'm back on meat", ("food", "meat", "asserted")),
    ("I don't touch alcohol", ("food", "not alcohol", "asserted")),
    ("My days as a baker are over", ("job", "baker", "ended")),
    ("I retrained as a gardener", ("job", "gardener", "asserted")),
    ("I've left Ghent for good", ("residence", "Ghent", "ended")),
    ("We gave up the flat in Ghent", ("residence", "Ghent", "ended")),
    ("I got made redundant by Lidl", ("workplace", "Lidl", "ended")),
    ("Lidl let me go", ("workplace", "Lidl", "ended")),
    ("I dropped the Greek classes", ("ending", "Greek", "ended")),
    ("I speak a bit of Welsh", ("skill", "Welsh", "asserted")),
    ("I was born on 9 October 1996", ("birthday", "9 October", "asserted")),
    ("Just had my 42nd birthday", ("age", "42", "asserted")),
    ("my best mate Kel is late", ("relation", "Kel", "asserted")),
    ("I get migraines", ("health", "migraines", "asserted")),
    ("I love gin and I hate queues of any kind of people at all", ("taste", "gin", "asserted")),
    ("I went vegan today", ("diet", "vegan", "asserted")),
    ("I live in the US", ("residence", "US", "asserted")),
    ("my friend Will is late", ("relation", "Will", "asserted")),
    ("I'm 10 years old", ("age", "10", "asserted")),
    ("The move was a nightmare. I live in Leeds now", ("residence", "Leeds", "asserted")),
    ("Heron is in debug mode", ("mode", "debug", "asserted")),
    ("moved to Leeds last week!", ("residence", "Leeds", "asserted")),
    ("I've lived in Rome for ten years", ("residence", "Rome", "asserted")),
    ("I live on Larch Street", ("residence", "Larch Street", "asserted")),
    ("I've moved in with my parents in Leeds", ("residence", "Leeds", "asserted")),
    ("I live in Leeds with my wife and two kids", ("residence", "Leeds", "asserted")),
    ("handed back the cottage. now I'm nowhere", ("residence", None, "ended")),
    ("I've moved out of the flat", ("residence", None, "ended")),
    ("I moved in with Ana", ("housemate", "Ana", "asserted")),
    ("got a new job at Bosch", ("workplace", "Bosch", "asserted")),
    ("Harbour Hotel hired me as a cashier", ("workplace", "Harbour Hotel", "asserted")),
    ("the BBC took me on", ("workplace", "BBC", "asserted")),
    ("I've got a job with the NHS", ("workplace", "NHS", "asserted")),
    ("handed back the keys to the landlord", ("residence", None, "ended")),
    ("I'm on leave.", ("away", "on leave", "asserted")),
    ("back from leave", ("away", None, "ended")),
    ("I lived in Rome but now I live in Kiel", ("residence", "Kiel", "asserted")),
    ("can't eat gluten", ("food", "not gluten", "asserted")),
    ("We have got three small children", ("children", "3", "asserted")),
    ("I quit", ("workplace", None, "ended")),
    ("I work in my wife's bakery", ("workplace", "bakery", "asserted")),
    ("I'm moving to Rome for a new job", ("residence", "Rome", "planned")),
    ("I live in Lindauer Str. 5 no longer.", ("residence", "Lindauer Str. 5", "ended")),
    ("I don't speak German, but English.", ("skill", "English", "asserted")),
    ("I don't speak French at all", ("skill", "French", "denied")),
    ("I hate olives with a passion", ("taste", "not olives", "asserted")),
    ("I live in Leeds :)", ("residence", "Leeds", "asserted")),
    ("I'm vegan now ❤️", ("diet", "vegan", "asserted")),
    ("We gave the rabbits away", ("ending", "rabbits", "ended")),
    ("I've moved out of Leeds", ("residence", "Leeds", "ended")),
    ("no longer in Leeds", ("ending", "Leeds", "ended")),
    ("last day at Lidl today", ("workplace", "Lidl", "ended")),
    ("I no longer teach", ("ending", "teacher", "ended")),
    ("my leg's healed", ("ending", "leg", "ended")),
    ("we had to have Rex put down", ("ending", "Rex", "ended")),
    ("olives have grown on me", ("taste", "olives", "asserted")),
    ("I've gone back to meat", ("food", "meat", "asserted")),
    ("we had a baby girl, Ida", ("relation", "Ida", "asserted")),
    ("Eva is studying medicine in Leeds", ("job", "medicine student", "asserted")),
    ("the doctor changed my ramipril to losartan", ("medication", "losartan", "asserted")),
    ("I've learnt to swim", ("skill", "swimming", "asserted")),
    ("I'm a Leeds fan", ("taste", "Leeds", "asserted")),
    ("I've been in Leeds since 2010", ("residence", "Leeds", "asserted")),
    ("been in Leeds ten years now", ("residence", "Leeds", "asserted")),
    ("our place is in Ghent", ("residence", "Ghent", "asserted")),
    ("I do days at Tesco", ("workplace", "Tesco", "asserted")),
    ("I'm on the tills at Lidl", ("workplace", "Lidl", "asserted")),
    ("new job at Siemens!", ("workplace", "Siemens", "asserted")),
    ("I've been a nurse for ten years", ("job", "nurse", "asserted")),
    ("I work in marketing", ("job", "marketing", "asserted")),
    ("I'm self-employed", ("job", "self-employed", "asserted")),
    ("I'm doing a degree in law", ("job", "law student", "asserted")),
    ("I'm in my second year of physics", ("job", "physics student", "asserted")),
    ("I'm seeing a guy called Ben", ("partner", "Ben", "asserted")),
    ("me and Ben are engaged", ("partner", "Ben", "asserted")),
    ("I've got a brother, Ben", ("relation", "Ben", "asserted")),
    ("allergic to nuts", ("allergy", "nuts", "asserted")),
    ("nuts make me swell up", ("allergy", "nuts", "asserted")),
    ("I haven't eaten meat in years", ("food", "not meat", "asserted")),
    ("hiking is my thing", ("taste", "hiking", "asserted")),
    ("big fan of hiking", ("taste", "hiking", "asserted")),
    ("not keen on olives", ("taste", "not olives", "asserted")),
    ("olives are disgusting", ("taste", "not olives", "asserted")),
    ("tea over coffee any day", ("prefers", "tea over coffee", "asserted")),
    ("I do yoga", ("hobby", "yoga", "asserted")),
    ("I'm learning the piano", ("hobby", "piano", "asserted")),
    ("I paint in my spare time", ("hobby", "paint", "asserted")),
    ("I run every morning", ("routine", "run", "asserted")),
    ("no meat since 2019", ("food", "not meat", "asserted")),
    ("I've packed in coffee", ("food", "not coffee", "asserted")),
    ("gone right off sushi", ("taste", "not sushi", "asserted")),
    ("Two metformin a day and no more cake", ("medication", "metformin", "asserted")),
    ("first day at the boatyard in Brighouse", ("workplace", "boatyard", "asserted")),
    ("I'm expecting again!", ("health", "pregnant", "asserted")),
    ("We're moving to Rome instead.", ("residence", "Rome", "planned")),
    ("My birthday is on the third of May", ("birthday", "the third of May", "asserted")),
    ("my birthday's May 3rd", ("birthday", "May 3rd", "asserted")),
    ("I dread flying", ("taste", "not flying", "asserted")),
    ("I got into climbing", ("taste", "climbing", "asserted")),
    ("I work in a small bakery", ("workplace", "small bakery", "asserted")),
    ("I work at Bosch as an engineer", ("workplace", "Bosch", "asserted")),
    ("friday was my last day at Bosch", ("workplace", "Bosch", "ended")),
    ("handed in my notice", ("workplace", None, "ended")),
    ("so I am without work, hurra", ("workplace", None, "ended")),
    ("I'm retired", ("job", "retired", "asserted")),
    ("I became a nurse", ("job", "nurse", "asserted")),
    ("they promoted me to manager", ("job", "manager", "asserted")),
    ("Devan and I have called it off", ("partner", "Devan", "ended")),
    ("Tom and I are together", ("partner", "Tom", "asserted")),
    ("I got engaged to Tom!", ("partner", "Tom", "asserted")),
    ("My wife (Hettie) is out", ("partner", "Hettie", "asserted")),
    ("my other half Torsten is late", ("partner", "Torsten", "asserted")),
    ("Tom's my brother", ("relation", "Tom", "asserted")),
    ("The doctor has taken me off the tablets.", ("medication", None, "ended")),
    ("no more pills for me", ("medication", None, "ended")),
    ("I have high blood pressure", ("health", "high blood pressure", "asserted")),
    ("I broke my left wrist", ("health", "broken left wrist", "asserted")),
    ("I don't drink", ("food", "not alcohol", "asserted")),
    ("I'm not allergic to nuts after all", ("allergy", "nuts", "denied")),
    ("I don't have a car", ("owns", "car", "denied")),
    ("I've bought a new laptop", ("owns", "laptop", "asserted")),
    ("I drive a Tesla", ("owns", "Tesla", "asserted")),
    ("the Ford is gone", ("owns", "Ford", "ended")),
    ("we have a dog", ("pet", "dog", "asserted")),
    ("our cat Pretzel is ill", ("pet", "Pretzel (cat)", "asserted")),
    ("I do not care for dogs", ("taste", "not dogs", "asserted")),
    ("I'm really into chess these days", ("taste", "chess", "asserted")),
    ("I'm a big jazz fan", ("taste", "jazz", "asserted")),
    ("not a fan of olives", ("taste", "not olives", "asserted")),
    ("can't stand olives", ("taste", "not olives", "asserted")),
    ("I LOVE gin", ("taste", "gin", "asserted")),
    ("One must be honest: I like dogs now", ("taste", "dogs", "asserted")),
    ("Truth be told: I hate opera", ("taste", "not opera", "asserted")),
    ("I'm on holiday in Crete", ("away", "on holiday", "asserted")),
    ("back from holiday", ("away", None, "ended")),
    ("my birthday was yesterday", ("birthday", "30 April", "asserted")),
    ("I owe podcasts an apology. I like them now", ("taste", "mentioned", "asserted")),
    ("User prefers PostgreSQL over MongoDB.", ("prefers", "PostgreSQL over MongoDB", "asserted")),
    ("The Rocket came out in May 2025.", ("event", "May 2025", "asserted")),
    ("Next.js 15 came out in October 2024.", ("event", "October 2024", "asserted")),
    ("Anthropic released Claude Opus 4 in May 2025", ("event", "May 2025", "asserted")),
    ("The site runs on Next.js 14.", ("platform", "Next.js 14", "asserted")),
    ("holace runs on Next.js 14", ("platform", "Next.js 14", "asserted")),
    ("Our shop runs on Shopify.", ("platform", "Shopify", "asserted")),
    ("Atlas also uses webhook mode", ("mode", "webhook", "asserted")),
    ("callscrub.io is still being built", ("status", "active development", "asserted")),
    ("We're aiming to launch callscrub.io in Q2", ("launch", "Q2", "asserted")),
    ("The bot listens on 443.", ("port", "443", "asserted")),
    ("Short summaries work best for me, not long ones", ("prefers", "Short summaries", "asserted")),
    (
        "I go for open source whenever it is comparable",
        ("prefers", "open source whenever it is comparable", "asserted"),
    ),
    ("I pick tea over coffee", ("prefers", "tea over coffee", "asserted")),
    ("Richard, Jason's business partner, called", ("relation", "Richard", "asserted")),
    ("me n lani got a place in Onekawa, 2 beds", ("residence", "Onekawa", "asserted")),
    ("Tom and I moved to Leeds", ("residence", "Leeds", "asserted")),
    ("im vegan now", ("diet", "vegan", "asserted")),
    ("ive moved to Leeds", ("residence", "Leeds", "asserted")),
    ("I live w Tom", ("housemate", "Tom", "asserted")),
    ("By day I teach maths in a girls' school", ("job", "maths teacher", "asserted")),
    ("I've been driving the school bus for years", ("job", "school bus driver", "asserted")),
    ("Fiifi has broken his left arm", ("health", "broken left arm", "asserted")),
    ("Eva is expecting again", ("health", "pregnant", "asserted")),
    ("I cannot swim, and have never hidden it", ("skill", "swimming", "denied")),
    ("Ibuprofen brings me out in hives", ("allergy", "Ibuprofen", "asserted")),
    ("Metformin with my tea, cruel", ("medication", "Metformin", "asserted")),
    ("Good news in bad English: I'm a nurse", ("job", "nurse", "asserted")),
    ("so no more pills and again one cup per day", ("medication", None, "ended")),
    ("I have handed in my notice. The cake was good", ("workplace", None, "ended")),
    ("I'm originally from Poland", ("hometown", "Poland", "asserted")),
    ("I was born in Leeds", ("hometown", "Leeds", "asserted")),
    ("Jakub turned 5 yesterday", ("age", "5", "asserted")),
    (
        "oh by the way, correction: my birthday is the 15th of May, not the 14th, typo",
        ("birthday", "the 15th of May", "asserted"),
    ),
    ("Ada Lovelace was born in London", ("event", "in London", "asserted")),
    ("I study law at Leeds", ("job", "law student", "asserted")),
    ("so it's allopurinol every morning", ("medication", "allopurinol", "asserted")),
    ("thats me finished with Colossus", ("workplace", "Colossus", "ended")),
    (
        "I owe podcasts an apology. There's one on ships, did all of it. I like them now",
        ("taste", "mentioned", "asserted"),
    ),
)


@each_row(("text", "expected"), STATED)
def test_the_forms_are_read(text: str, expected: tuple[str, str, str]) -> None:
    assert [(one.attribute, one.value, one.meant) for one in read(text)] == [expected]


MEANT_OTHERWISE = (
    ("Does anybody know if Eva lives in Turin?", None),
    ("My parents think I live in Paris.", None),
    ("Imagine I live in Bonn.", None),
    ("She says, I live in Rome.", "reported"),
    ('He said "I live in Berlin"', None),
    ("I moved to Berlin in my dream.", None),
    ("In my dream, I live in Berlin.", "imagined"),
    ("In the game, I live in Berlin.", "imagined"),
    ("We are moving to Paris in June.", "planned"),
    ("Maybe I like jazz.", None),
    ("Well, maybe, I like jazz.", "hedged"),
    ("Oh great, I love queues.", "ironic"),
    ("If I win, I live in Rome.", "imagined"),
    ("looking for a flat in Leipzig", None),
    ("I like when it rains.", None),
    ("I hate it.", None),
    ("I love the gesture, Ida!", None),
    ("I love your paintings a lot!", None),
    ("Nobody lives in Porto.", None),
)


@each_row(("text", "meant"), MEANT_OTHERWISE)
def test_what_is_meant_otherwise_is_no_claim(text: str, meant: str | None) -> None:
    assert [one.meant for one in read(text)] == ([] if meant is None else [meant])
    assert not any(one.holds for one in read(text))


def test_a_statement_stands_on_its_sentence() -> None:
    text = "What a day. I live in Porto, with a cat. Bye!"
    (found,) = read(text)
    assert text[found.start : found.end] == "I live in Porto, with a cat."
    assert (found.reader, found.speaker, found.subject) == ("strict/1", "Mara", "Mara")


TIMES = (
    ("I start at Nordlicht on 1 June", "planned", "2026-06-01", ""),
    ("We're moving to Paris next month", "planned", "2026-06-01", ""),
    ("I'll be 35 on 14 May", "planned", "2026-05-14", ""),
    ("I'll be 42, and it's friday the 22nd of May", "planned", "2026-05-22", ""),
    ("I live in Rome until June", "asserted", "", "2026-07-01"),
    ("I moved to Porto on 3 March", "asserted", "2026-03-03", ""),
    ("I'll be 35", "planned", "", ""),
)


@each_row(("text", "meant", "since", "until"), TIMES)
def test_a_statement_says_when_it_holds(text: str, meant: str, since: str, until: str) -> None:
    (found,) = read(text)
    assert (found.meant, found.since[:10], found.until[:10]) == (meant, since, until)


def test_what_takes_the_place_of_another_names_it_or_not() -> None:
    (named,) = read("They switched me from ramipril to losartan")
    (other,) = read("the tablets were bad so she swapped me to losartan")
    assert (named.instead_of, other.instead_of) == ("ramipril", "")


def test_what_two_sentences_say_together_stands_on_both() -> None:
    text = "seeing someone btw. her name's Shona, she's a paramedic"
    (met,) = (one for one in read(text) if one.meant == "asserted")
    assert (met.attribute, met.value, met.start) == ("partner", "Shona", 0)
    (job,) = read("they offered me the supervisor post at the vets. said yes before she'd done")
    assert (job.attribute, job.value) == ("job", "supervisor")
    assert not [one for one in read("they offered me the tea, I said yes") if one.holds]


def test_chats_are_spelt_out_and_stand_on_their_own_characters() -> None:
    text = "hi n hello. im vegan n i dont drink. u r late"
    vegan, dry = read(text)
    assert (vegan.attribute, vegan.value) == ("diet", "vegan")
    assert (dry.attribute, dry.value) == ("food", "not alcohol")
    assert text[vegan.start : vegan.end] == "im vegan n i dont drink."


def test_code_is_not_read_and_places_stay() -> None:
    text = "```\nI live in Rome.\n``` I live in Porto."
    assert [one.value for one in read(text)] == ["Porto"]
    (sentence,) = sentences("a, b and I c")
    assert [one.text for one in clauses(sentence)] == ["a", "b", "I c"]
    assert [text[one.start : one.end] for one in sentences(text)] == ["I live in Porto."]


def test_numbers_are_read_in_words_too() -> None:
    assert [number_of(one) for one in ("7", "twelve", "thirty-four", "forty two", "umpteen")] == [
        *(7, 12, 34, 42),
        None,
    ]


DENIALS = (
    ("Big news: I moved to Lisbon!", ("residence", "Lisbon", "asserted")),
    ("I do NOT live in Bremen", ("residence", "Bremen", "denied")),
    ("I've never lived in Bremen.", ("residence", "Bremen", "denied")),
    ("I haven't moved to Bremen", ("residence", "Bremen", "denied")),
    ("It's not true that I live in Bremen", ("residence", "Bremen", "denied")),
    ("I'm not a nurse", ("job", "nurse", "denied")),
    ("I'm no nurse", ("job", "nurse", "denied")),
    ("I'm no longer a nurse", ("job", "nurse", "ended")),
    ("Tom isn't a nurse", ("job", "nurse", "denied")),
    ("I'm not working for Bosch", ("workplace", "Bosch", "denied")),
    ("Sarah isn't my wife", ("partner", "Sarah", "denied")),
    ("My sister isn't Eva", ("relation", "Eva", "denied")),
    ("I'm not married to Sarah", ("partner", "Sarah", "denied")),
    ("we're not together anymore", ("partner", None, "ended")),
    ("That's wrong, I don't have a dog", ("pet", "dog", "denied")),
    ("I have no cats", ("pet", "cat", "denied")),
    ("I don't own a car", ("owns", "car", "denied")),
    ("I don't speak French", ("skill", "French", "denied")),
    ("I'm not 40", ("age", "40", "denied")),
    ("my name isn't Mia", ("name", "Mia", "denied")),
    ("Brandt swapped me to candesartan", ("medication", "candesartan", "asserted")),
    ("she called so Brandt put me on ramipril", ("medication", "ramipril", "asserted")),
    ("Brandt took me off ramipril", ("medication", "ramipril", "ended")),
    ("I live in Berlin, not Munich", ("residence", "Berlin", "asserted")),
)


@each_row(("text", "expected"), DENIALS)
def test_denials_and_changes_of_many_forms_are_read(
    text: str, expected: tuple[str, str | None, str]
) -> None:
    assert expected in [(one.attribute, one.value, one.meant) for one in read(text)]


INTRODUCED = (
    (
        "Mara. Fifty-eight. Avos outside Tzaneen, one wife (Hettie), two collies",
        {("age", "58"), ("partner", "Hettie")},
    ),
    ("Mara, vet, cats and dogs mostly. vegetarian", {("job", "vet"), ("diet", "vegetarian")}),
    (
        "Mara, sound engineer at Radio Sonke. flat in Melville with Zin who plays the tuba",
        {("job", "sound engineer"), ("workplace", "Radio Sonke"), ("residence", "Melville")},
    ),
    (
        "I am Mara, ground floor, forty-one years. One son, Kuba, he is ten.",
        {("relation", "Kuba")},
    ),
    (
        "hello! I'm Mara, 34, teacher, living in Leeds with my wife Ana, 39, baker",
        {("age", "34"), ("job", "teacher"), ("residence", "Leeds"), ("partner", "Ana")},
    ),
    ("Hi all, Mara here, 29, new", {("age", "29")}),
    (
        "Hi, Mara here. I'm in Taradale with Graeme (husband, harmless) and Kahu the dog, who",
        {("residence", "Taradale"), ("partner", "Graeme"), ("pet", "Kahu (dog)")},
    ),
    ("Moin! Mara, 34, baker by trade", {("age", "34"), ("job", "baker")}),
    (
        "I'm Mara and I work. Two boys: Kwaku is 12, Fiifi is 8",
        {("relation", "Kwaku"), ("age", "12"), ("relation", "Fiifi"), ("age", "8")},
    ),
    ("Mara. Two cats, Milonga y Tinta", {("pet", "Milonga (cat)"), ("pet", "Tinta (cat)")}),
    ("Mara, baker. Daughter, Mali, fifteen", {("job", "baker"), ("relation", "Mali")}),
    ("about me: 42, nurse, two cats", {("age", "42"), ("job", "nurse")}),
    (
        "Quick intro: Mara, 42, nurse in Ghent, allergic to nuts, vegetarian",
        {("age", "42"), ("job", "nurse"), ("allergy", "nuts"), ("diet", "vegetarian")},
    ),
    ("Hi, this is Mara, Ben's wife", {("partner", "Ben")}),
    ("I'm Mara, Lea's mum", {("relation", "Lea")}),
    ("Mara, Lea's mum said so", set()),
    ("ok so here goes, I'm Mara, baker, cakes mostly", {("job", "baker")}),
    (
        "Hello. Mara here 63. Bungalow on Mill Lane in York.",
        {("age", "63"), ("residence", "Mill Lane, York")},
    ),
    ("Mara, celiac", {("health", "celiac")}),
    ("Mara, from Izmir. 34", {("hometown", "Izmir")}),
    ("Mara here, I'm in Paris.", set()),
    ("Mara here, I'm in Sales with Tom (husband)", {("partner", "Tom")}),
    ("Mara, I met Tom (husband of Eva)", set()),
    ("Mara here, Rex the dog bit me", set()),
    ("Mara. Two boys ran off, Tom and Bo", set()),
    ("Mara, no kids: Tom and Bo are my cousin's", set()),
    ("Mara, retired teacher, 70", {("age", "70")}),
    ("Mara, not a nurse, 30", set()),
    ("Mara, nurse?", set()),
    ("Mara, you nurse!", set()),
    ("Mara, vet bills are mad", set()),
    ("Mara, 40 minutes late", set()),
    ("Mara: maybe a nurse", set()),
    ("Mara: 20", set()),
    ("I'm Mara, the nurse at Lidl", {("job", "nurse"), ("workplace", "Lidl")}),
    ("Tom, 30, nurse", set()),
    ("Mara, 30, married to Tom.", {("age", "30"), ("partner", "Tom")}),
    (
        "Mara, one wife (Hettie), one son, Kuba, 12, nurse",
        {("partner", "Hettie"), ("relation", "Kuba")},
    ),
    ("Mara, nurse, 20 years", {("job", "nurse")}),
    ("Mara, 52, district nurse, I ran", {("age", "52"), ("job", "district nurse")}),
    ("Mara, 22, study physio 7th semester", {("age", "22"), ("job", "physio student")}),
    ("New here, the basics: I'm Mara, I'm thirty", {("age", "30")}),
    (
        "Mara here. I'm the secretary in the boys' primary nearly thirty years",
        {("job", "secretary"), ("workplace", "boys' primary")},
    ),
    (
        "I'm Mara, I'm the quiet cousin, I'm at the parts counter at Hull Motors for ten years",
        {("workplace", "Hull Motors")},
    ),
    ("Mara, baker in the making", set()),
    ("it's my birthday, 40!", {("birthday", "1 May"), ("age", "40")}),
    ("It's my 40th birthday on Monday.", {("birthday", "4 May")}),  # not yet
    ("It's my birthday, 20 years ago we met.", {("birthday", "1 May")}),
    ("friday was my birthday, forty-two", set()),  # said on a Friday
    ("yesterday was my 30th birthday", {("birthday", "30 April"), ("age", "30")}),
    ("monday was my birthday, forty-two", {("birthday", "27 April"), ("age", "42")}),
    ("It's Tom's birthday today", set()),
    ("it was my birthday present", set()),
    ("Is it my birthday?", set()),
)


@each_row(("text", "expected"), INTRODUCED)
def test_pieces_behind_the_own_name_and_birthdays_are_read(
    text: str, expected: set[tuple[str, str]]
) -> None:
    assert {(one.attribute, one.value) for one in read(text) if one.holds} == expected


def test_what_is_joined_to_what_somebody_used_to_do_is_past_too() -> None:
    found = read("I used to live in Hamburg and work at Airbus.")
    assert [(one.value, one.meant) for one in found] == [("Hamburg", "ended"), ("Airbus", "ended")]
    assert not any(one.holds for one in read("I used to love cheese and hate wine.")[1:])
    found = read("I used to live in Hamburg and now work at Airbus.")
    assert [one.meant for one in found] == ["ended", "asserted"]

"""English words for places: where one can be, what is done where, and where whom one finds.

Words are the beginnings of words unless they end in `$`; longer names stand before shorter ones.
"""

from mindpipe.person.records.episode import Posture

NOUNS = """
intensive care unit|emergency room|emergency department|emergency ward|operating theatre
|waiting room|delivery room|consulting room|common room|staff room|meeting room|conference room
|lecture hall|assembly hall|town hall|village hall|concert hall|sports hall|market hall
|swimming pool|football pitch|playing field|playground|sports ground|tennis court|ice rink
|bus stop|bus station|train station|railway station|tram stop|petrol station|police station
|fire station|car park|parking lot|shopping centre|shopping mall|department store|supermarket
|corner shop|coffee shop|bookshop|chop bar|tea house|beer garden|night club|nightclub
|nursing home|care home|old people's home|funeral parlour|funeral home|health centre
|post office|job centre|employment office|registry office|tax office|youth club|chess club|go club
|hospital|hospice|clinic|surgery|ward|maternity|ambulance|infirmary|sanatorium|pharmacy|chemist's
|dentist's|doctor's|bedside|graveside|graveyard|churchyard|cemetery|crematorium|chapel|church
|cathedral|mosque|synagogue|temple|shrine|monastery|parish
|university|college|faculty|campus|school|kindergarten|nursery|classroom|class|lecture|library
|laboratory|lab|seminar|dormitory|canteen|cafeteria|hostel|gym|gymnasium|studio|stadium|pool|pitch
|office|desk|depot|warehouse|factory|mill|plant|workshop|garage|shipyard|yard|quarry|mine|quay
|harbour|harbor|port|dock|docks|pier|jetty|marina|ferry|boat|ship|deck|barn|stable|stables|farm
|field|fields|orchard|vineyard|greenhouse|allotment|forest|wood|woods|park|garden|lake|river|shore
|beach|sea|mountain|hill|summit|trail|path|square|street|road|corner|bridge|station|platform|stop
|airport|terminal|gate|border|train|tram|bus|metro|underground|taxi|car|truck|lorry|van|cab|plane
|market|stall|shop|store|bakery|butcher's|grocer's|merchant's|hairdresser's|barber's|salon|bank
|restaurant|café|cafe|bar|pub|tavern|inn|bistro|diner|hotel|cinema|theatre|theater|museum|gallery
|opera|zoo|circus|fair|court|courtroom|courthouse|prison|jail|embassy|barracks|club|choir|laundry
|launderette|sauna|spa|corridor|hall|lobby|lift|stairs|stairwell|door|entrance|site|building
"""
"""What a place is called; of two that fit the one that stands first in a text counts."""
ROOMS = """
living room|bathroom|bedroom|kitchen|balcony|terrace|attic|cellar|basement|hallway|sofa|bathtub
|nursery|shower|veranda|porch|courtyard
"""
"""What belongs to a home."""
CARE = "intensive care|hospital|hospice|clinic|ward|nursing home|care home|prison|jail|sanatorium"
"""Where somebody is kept and may be visited."""
VISITED = r"bed|bedside|side|room|ward|hand"
"""What of somebody one is at who visits."""

ACTIVITIES: tuple[tuple[str, str, str], ...] = (
    (
        "at a burial",
        "at the graveside in the churchyard",
        "coffin|grave$|graveside|buri|pallbearer",
    ),
    ("at a funeral", "in the church", "funeral service|requiem|memorial service|the hearse|urn$"),
    ("at a wedding", "at the wedding", "bride|bridegroom|wedding march|vows$"),
    (
        "giving birth",
        "in the delivery room of the hospital",
        "contraction|midwife|give birth|labour",
    ),
    ("with a doctor", "at the doctor's", "surgeon|the doctor|x-ray|your blood pressure|stitches"),
    ("with a dentist", "at the dentist's", "the dentist drills|dentist pulls|root canal"),
    ("in an ambulance", "in the ambulance", "paramedic|stretcher"),
    ("in an exam", "in the exam room", "exam$|examination|examiner|invigilat|oral exam|the viva"),
    ("in a lesson", "in the classroom", "your pupils|the pupils|your class|lesson|homeroom"),
    ("in a lecture", "in the lecture hall", "lecture|seminar"),
    ("in court", "in court", "the judge|the verdict|cross-examin"),
    ("at a job interview", "at the interview", "interview"),
    ("at a match", "at the pitch", "referee|penalty kick|half-time|the match$|goalkeeper|kick-off"),
    ("on stage", "on stage", "audience|encore|curtain call|applau|on stage"),
    ("at a rehearsal", "at the rehearsal", "rehears|choir practice"),
    ("shopping", "in the shop", "shopping|checkout|the till$|cashier|groceries|trolley"),
    ("swimming", "at the pool", "swim|lengths$|laps$"),
    ("at a party", "at the party", "birthday party|dance floor|farewell party"),
    (
        "at prayer",
        "in church",
        "mass$|the priest|the vicar|sermon|the imam|friday prayer|congregation",
    ),
    (
        "travelling",
        "on the way",
        "drives you|drive you|the train$|the bus$|the plane$|the ferry$|the motorway|ticket insp",
    ),
)
"""What is done, where that is, and the words that tell of it."""
_DRIVES = (
    r"\b(?:drive[sn]?|driving|drove) (?:an? |the )?(?:(?:long-distance|school|city|night|tour|local"
    r"|express|public|heavy|big|double-decker) |(?-i:[A-Z]\w+ ))?"
)
PLACES_OF_WORK: tuple[tuple[str, str], ...] = (
    ("in the office", "bookkeep|accountant|clerk|secretar|programmer|developer|lawyer|solicitor"),
    ("in the office", "architect|editor|journalist|translator|engineer|insurance|manager|analyst"),
    ("in the office", "civil servant|consultant|designer|planner|administrator|software"),
    ("on the ward", "nurse|midwife|ward sister|doctor|surgeon|carer|care assistant|physician"),
    ("in the classroom", "teacher|teach$|schoolmaster|lecturer"),
    ("in the kitchen of the restaurant", "chef|line cook|sous|pastry cook|cook$"),
    ("in the restaurant", "waiter|waitress|barista|bartender|barman|server"),
    ("in the bakery", "baker|bake$"),
    ("in the shop", "shop assistant|sales|shopkeeper|cashier|butcher|florist|grocer|bookseller"),
    ("in the pharmacy", "pharmacist"),
    ("in the workshop", "carpenter|joiner|smith|mechanic|luthier|tailor|cobbler|potter|upholster"),
    ("in the workshop", "watchmaker|seamstress|dressmaker|electrician|repair|mend"),
    ("on the building site", "bricklayer|builder|roofer|plumber|mason|scaffold|crane|construction"),
    ("in the hall of the depot", "parcel|warehouse|packer|picker|forklift|logistics"),
    ("on the factory floor", "factory|assembly|machinist|welder|foundry|mill hand|line worker"),
    ("at the wheel", "coach driver|bus driver|tram driver|chauffeur"),
    ("at the wheel", rf"{_DRIVES}(?:coach(?:es)?|(?:mini)?bus(?:es)?|trams?)\b"),
    ("in the cab", rf"{_DRIVES}(?:lorry|lorries|trucks?|vans?)\b"),
    ("in the cab", "driver|drive$|trucker|courier|taxi|haul"),
    ("in the fields of the farm", "farmer|farm$|shepherd|dairy|vintner|grower|herd"),
    ("in the garden", "gardener|landscap|nursery"),
    ("on the boat", "fisherm|sailor|fisher|deckhand|skipper|ferry|trawler"),
    ("in the salon", "hairdress|barber|beautician|stylist"),
    ("in the studio", "painter|sculptor|photographer|potter|illustrator|pianist|dancer"),
    ("in the laboratory", "scientist|chemist|biolog|physicist|researcher|lab technician"),
    ("at the station", "police|firefight|paramedic|railway|signal"),
    ("in the library", "librarian"),
    ("at the site", "cleaner|cleaning|guard|caretaker|janitor|porter"),
    ("at sea", "merchant navy|ship's"),
)
"""Where those of a trade work, and the words for it, or a pattern that begins with `\\b`."""
AT_WORK = """
shift|colleague|co-worker|customer|client|patient|foreman|forewoman|supervisor|the boss|your boss
|the manager|meeting|the rota|payroll|invoice|inventory|stocktaking|the office|handover|the ward
|the belt|the line$|orders$|the stall|the counter
"""
"""Words of what is done at work."""
WEATHER: tuple[tuple[str, str], ...] = (
    ("it rains", "rain|pour|drizzl|downpour|umbrella|shower of"),
    ("it snows", "snow|blizzard|sleet"),
    ("it hails", "hail$|hails$|hailstone"),
    ("there is a storm", "storm|gale|hurricane|typhoon|thunder|lightning"),
    ("it is foggy", "fog|mist$"),
    ("it freezes", "frost$|freez|ice on|icy"),
    ("it is hot outside", "heat wave|heatwave|scorch|blazing sun"),
    ("the wind blows", "wind$|windy|breeze"),
    ("the sun shines", "sunshine|sun$|sunny"),
)
"""Weather, and the words that tell of it where an event is of the climate."""
OUTSIDE = (
    r"(?<!if )(?<!when )(?<!until )(?<!unless )(?<!whenever )\bit(?:'s|’s| is| has been| has"
    r" started| has begun)?(?: still| really| finally| just| now)?(?: to)? (?:rain(?:s|ing)?"
    r"|snow(?:s|ing)?|drizzl(?:es|ing)|pour(?:s|ing)(?: with rain)?|freez(?:es|ing) outside"
    r"|storm(?:s|ing|y)|foggy|windy|sunny)\b"
    r"|\bthe (?:rain|snow) (?:beats|drums|falls|lashes|lies)\b"
    r"|\bsnow falls\b|\bit hails\b|\b(?:the|a) (?:wind|storm|gale) (?:howls|blows|rages)\b"
    r"|\bthe sun (?:shines|is shining|is out)\b"
)
"""Where words tell of the weather as it is: `it is snowing`, and not `if it rains`."""
POSTURES: tuple[tuple[Posture, str], ...] = (
    (
        "lying",
        r"\byou(?:'re| are)? (?:lie|lying|stretched out|carried)\b"
        r"|\b(?:you|to) (?:stay )?in bed\b",
    ),
    (
        "sitting",
        r"\byou(?:'re| are)?(?: and [\w-]+)? (?:sit|sitting|seated|kneel|crouch|ride|drive|drove"
        r"|sat)\b"
        r"|\bsits? (?:down )?(?:beside|with|next to|by) you\b|\bat the table with you\b",
    ),
    (
        "standing",
        r"\byou(?:'re| are)?(?: and [\w-]+)? (?:stand|standing|queue|stood|lean"
        r"|wait (?:at|in) (?:the|a) "
        r"(?:stop|queue|line|bus stop|door|gate|platform|counter|kerb|corner))\b",
    ),
    (
        "moving",
        r"\byou(?:'re| are)?(?: and [\w-]+)? (?:walk|walking|run|running|climb|carry|cycle|march"
        r"|dance|swim|row|jog|hike|hurry|wander|dig|push|pull|load|unload|sweep|lift|walked|ran)\b"
        r"|\bwalks? with you\b",
    ),
)
"""How somebody holds itself, and the words that tell it of `you`."""
DOING_POSTURES: tuple[tuple[Posture, str], ...] = (
    ("lying", "resting|in an ambulance|giving birth"),
    ("sitting", "eating|on the telephone|studying|in an exam|in a lecture|in court|travelling"),
    ("sitting", "at a job interview|with a dentist|at a funeral|at prayer"),
    ("standing", "at a burial|on stage|in a lesson"),
    ("moving", "exercising|swimming|shopping|doing the housework|on an errand"),
)
"""How one mostly holds oneself at some activities."""
PLACE_POSTURES: tuple[tuple[Posture, str], ...] = (
    (
        "sitting",
        "office|desk|cab$|car$|taxi|train|bus$|tram|class|lecture|university|school|library",
    ),
    (
        "standing",
        "kitchen|ward$|shop|bakery|salon|counter|pharmacy|factory|workshop|studio|laboratory",
    ),
    ("standing", "restaurant|classroom|market|stall"),
    ("moving", "site$|field|garden|depot|warehouse|boat|deck|shops|yard|farm"),
)
"""How one mostly holds oneself in some places where one is by habit."""

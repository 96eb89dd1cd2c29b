"""The reader that walks a parse, with a small pipeline of English and with a blank one."""

import functools
import re
from pathlib import Path

import pytest
import spacy

from mindpipe.core.errors import UnavailableError, UsageError
from mindpipe.io.folders import digest_of
from mindpipe.language.parsed.reader import ParsedReader
from mindpipe.language.readers import reader_of
from mindpipe.language.records import Statement, StatementReader, Utterance
from mindpipe.language.strict import STRICT
from support.tables import each_row

pytestmark = pytest.mark.heavy

AT = "2026-05-01T10:00:00Z"


@functools.cache
def pipeline() -> StatementReader:
    """Return the reader with the pipeline that is installed for tests."""
    return reader_of("parsed", digest_of)


def read(text: str) -> tuple[Statement, ...]:
    """Return what Mara says in a text, but for figures."""
    (found,) = pipeline().read([Utterance(text, "Mara", AT)])
    return tuple(one for one in found if one.unit is None)


STATED = (
    ("I'm a 42 year old nurse", ("age", "42", "asserted")),
    ("I'm a 42 year old nurse", ("job", "nurse", "asserted")),
    ("I've got a new phone, a Pixel 9", ("owns", "phone (Pixel 9)", "asserted")),
    ("I start at Aldi on the fourteenth, nights only", ("workplace", "Aldi", "planned")),
    ("I'm starting at Aldi", ("workplace", "Aldi", "planned")),
    ("I started at Aldi", ("workplace", "Aldi", "asserted")),
    ("live in Leeds with my mum", ("residence", "Leeds", "asserted")),
    ("work at a bakery in Hull these days", ("workplace", "bakery", "asserted")),
    ("on sertraline since March", ("medication", "sertraline", "asserted")),
    ("vegan since March", ("diet", "vegan", "asserted")),
    ("I live in Graz no more.", ("residence", "Graz", "ended")),
    ("I speak French, German and also Dutch.", ("skill", "Dutch", "asserted")),
    ("I live in Rome tho.", ("residence", "Rome", "asserted")),
    ("I LIVE IN ROME!!!", ("residence", "Rome", "asserted")),
    ("Aunt Dilys has been here all week", ("relation", "Dilys", "asserted")),
    ("Eva came and brought her boy Toby", ("relation", "Toby", "asserted")),
    ("Al (Eva's husband) says hi", ("partner", "Al", "asserted")),
    ("4am again. hate these night shifts now", ("taste", "not night shifts", "asserted")),
    (
        "Came home from bingo. Used to love it. Cant stand it now",
        ("taste", "not bingo", "asserted"),
    ),
    ("Long day. Moved to Leeds last week", ("residence", "Leeds", "asserted")),
    ("not allergic to bees", ("allergy", "bees", "denied")),
    ("I saw Eva today. Lives in Porto now", ("residence", "Porto", "asserted")),
    ("FOUND ONE. narrow house in Whitby, walled garden", ("residence", "Whitby", "planned")),
    ("the offer's gone in on the house in Long Eaton", ("residence", "Long Eaton", "planned")),
    ("we got the house in Porto!", ("residence", "Porto", "asserted")),
    ("my mum Ruth has dementia", ("health", "dementia", "asserted")),
    ("Tom's allergic to bees", ("allergy", "bees", "asserted")),
    ("Ana's pregnant", ("health", "pregnant", "asserted")),
    ("Tom and Eva got married", ("partner", "Eva", "asserted")),
    ("my dog ate my shoes", ("pet", "dog", "asserted")),
    ("my cat's called Bella", ("pet", "Bella (cat)", "asserted")),
    ("my asthma is playing up", ("health", "asthma", "asserted")),
    ("We're in a rented flat in Leeds", ("residence", "Leeds", "asserted")),
    ("they've made me foreman", ("job", "foreman", "asserted")),
    ("I won't touch fish, not since the farm", ("food", "not fish", "asserted")),
    ("there's Ana that's my eldest", ("relation", "Ana", "asserted")),
    ("my youngest, Toby, is ill", ("relation", "Toby", "asserted")),
    ("can't stick opera now", ("taste", "not opera", "asserted")),
    (
        "Max had asthma tests at the doctors, he's allergic to peanuts",
        ("allergy", "peanuts", "asserted"),
    ),
    ("Rex's died", ("ending", "Rex", "ended")),
    ("I'm expecting", ("health", "pregnant", "asserted")),
    ("I have a cat, Tiger", ("pet", "Tiger (cat)", "asserted")),
    ("I've been diagnosed with ADHD", ("health", "ADHD", "asserted")),
    ("I work at Bosch not Siemens", ("workplace", "Bosch", "asserted")),
    ("I'm done, I've quit Bosch", ("workplace", "Bosch", "ended")),
    ("I love crime and spy novels", ("taste", "crime and spy novels", "asserted")),
    ("I love cheese and ham", ("taste", "cheese", "asserted")),
    ("I moved from Leeds to Hull", ("residence", "Hull", "asserted")),
    ("Sam and I moved to Leeds", ("residence", "Leeds", "asserted")),
    ("My sister Eva called. She works at Lidl now.", ("workplace", "Lidl", "asserted")),
    (
        "I find I can't stand bell-ringing, it's a dreadful racket",
        ("taste", "not bell-ringing", "asserted"),
    ),
    ("I like cats but not dogs", ("taste", "cats", "asserted")),
    ("I'm forty-one, not fifty", ("age", "41", "asserted")),
    ("I work at the bakery", ("workplace", "bakery", "asserted")),
    ("I'm a manager of a shop", ("job", "manager of a shop", "asserted")),
    ("We have been vegetarian in our house since the wedding", ("diet", "vegetarian", "asserted")),
    ("My sister Jana's husband is called Paul", ("partner", "Paul", "asserted")),
    ("Since Tuesday I have been living in Porto.", ("residence", "Porto", "asserted")),
    (
        "signed for a studio in Cardiff, behind the fire station",
        ("residence", "Cardiff", "asserted"),
    ),
    ("No, I don't live in Bremen.", ("residence", "Bremen", "denied")),
    ("it's settled, I start at the brewery on 8 June", ("workplace", "brewery", "planned")),
    ("we broke up last week", ("partner", None, "ended")),
    ("I'm fed up with queues", ("taste", "not queues", "asserted")),
    ("I became a nurse", ("job", "nurse", "asserted")),
    ("I have a brother called Tom", ("relation", "Tom", "asserted")),
    ("she swapped me to candesartan", ("medication", "candesartan", "asserted")),
    ("I came off sertraline", ("medication", "sertraline", "ended")),
    ("I gave up meat", ("food", "not meat", "asserted")),
    ("Bramble died this morning", ("ending", "Bramble", "ended")),
    ("I love baking bread!", ("taste", "baking bread", "asserted")),
    ("I love the sea.", ("taste", "sea", "asserted")),
    ("I got fired from Siemens", ("workplace", "Siemens", "ended")),
    ("self-employed from friday, hedges and lawns only", ("job", "self-employed", "planned")),
    ("I'm 35 now", ("age", "35", "asserted")),
    ("eleven pots in a month. I went right off fondue", ("taste", "not fondue", "asserted")),
    ("how did I ever like tango, I can't bear it now", ("taste", "not tango", "asserted")),
    ("I don't eat shellfish by the way, so keep the paella", ("food", "not shellfish", "asserted")),
    ("the doc put me on metformin as of Monday", ("medication", "metformin", "asserted")),
    ("puppy acquired. he's called Pretzel", ("pet", "Pretzel (puppy)", "asserted")),
    ("the boss, Wendelin, fries herring on fridays", ("relation", "Wendelin", "asserted")),
    ("I'm married to Jonas.", ("partner", "Jonas", "asserted")),
    ("Ines and I broke up", ("partner", "Ines", "ended")),
    ("I used to live in Durham.", ("residence", "Durham", "ended")),
    ("It's not true that I live in Bremen", ("residence", "Bremen", "denied")),
    ("My dog Rex died", ("pet", "Rex (dog)", "ended")),
    ("my cat died", ("pet", "cat", "ended")),
    ("we had to put Rex down", ("ending", "Rex", "ended")),
    ("my partner Jo left me", ("partner", "Jo", "ended")),
    ("we got divorced", ("partner", None, "ended")),
    ("finally left Hull for good", ("residence", "Hull", "ended")),
    ("Bosch fired me", ("workplace", "Bosch", "ended")),
    ("today was my last day at Bosch", ("workplace", "Bosch", "ended")),
    ("I eat meat again", ("food", "meat", "asserted")),
    ("I stopped being vegan", ("diet", "vegan", "ended")),
    ("I gave up the piano", ("ending", "piano", "ended")),
    ("I live alone now", ("housemate", None, "ended")),
    ("my car got stolen", ("owns", "car", "ended")),
    ("got the tractor finally!!", ("owns", "tractor", "asserted")),
    ("the firm gave me a tablet", ("owns", "tablet", "asserted")),
    ("home is now Bergen", ("residence", "Bergen", "asserted")),
    ("been living in Graz since March", ("residence", "Graz", "asserted")),
    ("just got the keys to our new flat in York!!", ("residence", "York", "asserted")),
    ("I work nights at the Infirmary", ("workplace", "Infirmary", "asserted")),
    ("went vegan in January", ("diet", "vegan", "asserted")),
    ("vegan now, by the way", ("diet", "vegan", "asserted")),
    ("can't stand coriander", ("taste", "not coriander", "asserted")),
    ("Anna and I got married in April", ("partner", "Anna", "asserted")),
    ("My sister Lisa works at Lidl", ("workplace", "Lidl", "asserted")),
    ("we got a puppy! her name is Bella", ("pet", "Bella (puppy)", "asserted")),
    ("my friend Ottilie's getting engaged", ("relation", "Ottilie", "asserted")),
    ("Jazz was never mine, but I like it now", ("taste", "Jazz", "asserted")),
    ("broke my ankle at the skating rink", ("health", "broken ankle", "asserted")),
    ("I left my job at Bosch, finally", ("workplace", "Bosch", "ended")),
    ("jenkins stays, it's old, I like it, it's our workhorse", ("taste", "jenkins", "asserted")),
    ("I owe podcasts an apology. I like them now", ("taste", "mentioned", "asserted")),
    ("I like jazz now. don't laugh", ("taste", "jazz", "asserted")),
    ("I'd rather use Postgres than MongoDB.", ("prefers", "Postgres over MongoDB", "asserted")),
    ("callscrub.io is still being developed", ("status", "active development", "asserted")),
    ("Jason and Richard are business partners.", ("relation", "Richard", "asserted")),
    ("Tom is my dance partner.", ("relation", "Tom", "asserted")),
    ("My sparring partner is called Jo.", ("relation", "Jo", "asserted")),
    ("My tennis partner's name is Kim.", ("relation", "Kim", "asserted")),
    ("My running partner Nia just had a baby.", ("relation", "Nia", "asserted")),
    ("Nora is my partner in crime.", ("relation", "Nora", "asserted")),
    ("My partner Eva lives in Hull.", ("partner", "Eva", "asserted")),
    ("My life partner is Eva.", ("partner", "Eva", "asserted")),
    ("My civil partner Jo and I live in Leeds.", ("partner", "Jo", "asserted")),
    ("My baby sister Ana teaches", ("relation", "Ana", "asserted")),
    ("My Mama, Gisela, is 71 and swims", ("age", "71", "asserted")),
    ("We adopted a cat called Mog", ("pet", "Mog (cat)", "asserted")),
    ("it is swede I can't abide", ("taste", "not swede", "asserted")),
    ("the doctor says i'm lactose intolerant", ("health", "lactose intolerant", "asserted")),
    ("I live on the outskirts of Antwerp", ("residence", "Antwerp", "asserted")),
    ("I'm renting over a shop in Porto", ("residence", "Porto", "asserted")),
    ("found a studio in Hackney, it has a window", ("residence", "Hackney", "asserted")),
    ("got the keys to the place in Hull, it stinks", ("residence", "Hull", "asserted")),
    ("moved in with Mum in Dubuque", ("residence", "Dubuque", "asserted")),
    ("i live in kondapur w my sister swati", ("residence", "kondapur", "asserted")),
    ("my gf lena works at boots", ("partner", "lena", "asserted")),
    ("dan n me broke up", ("partner", "dan", "ended")),
    ("me n tash are done", ("partner", "tash", "ended")),
    ("Ana and I have parted.", ("partner", "Ana", "ended")),
    ("I have retired!!! 38 years of it", ("job", "retired", "asserted")),
    ("I've joined a choir, alto, Tuesdays at 7", ("hobby", "choir", "asserted")),
    ("I have taken up pottery", ("hobby", "pottery", "asserted")),
    ("I have left the church choir", ("ending", "choir", "ended")),
    ("got myself a road bike, a Trek, 150 quid", ("owns", "road bike (Trek)", "asserted")),
    ("mum gave me her old Corsa", ("owns", "Corsa", "asserted")),
    ("The school gave me a chromebook", ("owns", "chromebook", "asserted")),
    ("Got hired on at Menards", ("workplace", "Menards", "asserted")),
    ("got the job at greggs!!", ("workplace", "greggs", "asserted")),
    ("I study law at Leeds", ("job", "law student", "asserted")),
    ("They have taken me off the bisoprolol", ("medication", "bisoprolol", "ended")),
    ("I've got a nut allergy", ("allergy", "nut", "asserted")),
    ("I have had to give up gluten", ("food", "not gluten", "asserted")),
    ("Say isn't this dumb, I can't stand whist any more", ("taste", "not whist", "asserted")),
    ("Better news: I start at the auctioneers' in June", ("workplace", "auctioneers", "planned")),
    ("My birthday is on the fourth of June.", ("birthday", "the fourth of June", "asserted")),
    ("Rex stays with her", ("pet", "Rex", "ended")),
    ("I'm really passionate about ceramics", ("taste", "ceramics", "asserted")),
    ("I'm not keen on olives", ("taste", "olives", "denied")),
    ("I love going on bike tours with cousins", ("taste", "going on bike tours", "asserted")),
    ("I don't like going to museums or old sites", ("taste", "not going to museums", "asserted")),
    ("I have a Dell XPS laptop, it's old", ("owns", "Dell XPS laptop", "asserted")),
    ("I don't have a car", ("owns", "car", "denied")),
    ("Sadly I can't have wheat", ("food", "not wheat", "asserted")),
    ("I was 30 on Monday", ("age", "30", "asserted")),
    ("I do night shifts at Tesco", ("workplace", "Tesco", "asserted")),
    ("I'm on the late shift at Costa now", ("workplace", "Costa", "asserted")),
    ("I said I live in Oslo", ("residence", "Oslo", "asserted")),
    ("My birthday is on the 14th of February.", ("birthday", "the 14th of February", "asserted")),
    ("I teach maths at Eton", ("workplace", "Eton", "asserted")),
    ("Done it! Qualified dental nurse.", ("job", "dental nurse", "asserted")),
    ("since Monday we're in the flat over the bakery", ("residence", None, "ended")),
    ("Flat in Ulm with Ben and a cat called Mog", ("pet", "Mog (cat)", "asserted")),
    ("We named the baby Alma", ("relation", "Alma", "asserted")),
    ("got a cat!!! shes called Beans", ("pet", "Beans (cat)", "asserted")),
    ("I've a nut allergy, read the labels", ("allergy", "nut", "asserted")),
    ("I'm seeing someone, his name is Owen", ("partner", "Owen", "asserted")),
    ("I'm a civil engineer at Skanska", ("workplace", "Skanska", "asserted")),
    ("our cats are called Pip and Squeak", ("pet", "Squeak (cat)", "asserted")),
    ("I'm 8 months pregnant", ("health", "pregnant", "asserted")),
    ("I have celiac disease", ("health", "celiac disease", "asserted")),
    ("I've got type 1 diabetes", ("health", "diabetes", "asserted")),
    ("I run a small bakery in Porto", ("workplace", "small bakery", "asserted")),
    ("I'm doing a PhD in law at Leeds", ("job", "PhD student", "asserted")),
    ("I volunteer at the zoo on Saturdays", ("hobby", "volunteering at zoo", "asserted")),
    ("I share a flat with Ben and Lucy", ("housemate", "Lucy", "asserted")),
    ("I collect stamps", ("hobby", "collecting stamps", "asserted")),
    ("I play chess with my dad", ("hobby", "chess", "asserted")),
    ("Got a new phone, a Pixel 8", ("owns", "phone (Pixel 8)", "asserted")),
    ("I'm not with Bosch anymore", ("ending", "Bosch", "ended")),
    ("I've stepped down as treasurer", ("ending", "treasurer", "ended")),
    ("Started the new job Monday, desk by the window", ("workplace", None, "ended")),
    ("Had to say goodbye to Bella today", ("ending", "Bella", "ended")),
    ("we buried Pepper under the tree", ("ending", "Pepper", "ended")),
    ("Rehomed the parrot, he was too loud", ("pet", "parrot", "ended")),
    ("gave the rabbit to my niece", ("pet", "rabbit", "ended")),
    ("I broke it off with Lars last night", ("partner", "Lars", "ended")),
    ("My sister's name is Lena, not Lea.", ("relation", "Lea", "denied")),
    ("rowing can go hang. i hate it now", ("taste", "not rowing", "asserted")),
    ("I'm type 1 diabetic.", ("health", "diabetic", "asserted")),
    ("I live by myself now", ("housemate", None, "ended")),
    ("I traded in the Golf for a Yaris", ("ending", "Golf", "ended")),
    ("Not at the bakery any more, got a desk", ("ending", "bakery", "ended")),
    ("my contract wasn't renewed", ("workplace", None, "ended")),
    ("handed in my badge today, eleven years", ("workplace", None, "ended")),
    ("handed the keys back yesterday, goodbye mould", ("residence", None, "ended")),
    ("the move's done", ("residence", None, "ended")),
)


@each_row(("text", "expected"), STATED)
def test_everyday_words_are_read(text: str, expected: tuple[str, str, str]) -> None:
    assert expected in [(one.attribute, one.value, one.meant) for one in read(text)]


OTHERWISE = (
    "Does anybody know if Eva lives in Turin?",
    "Tom claims Eva lives in Turin, which is nonsense.",
    "My parents think I live in Paris.",
    "Imagine I live in Bonn.",
    "I moved to Berlin in my dream.",
    'He said "I live in Berlin"',
    "We are moving to Paris in June.",
    "looking for a flat in Leipzig",
    "I'm thinking of moving to Leipzig",
    "I keep talking about moving to Leipzig",
    "I think Miriam lives in Dresden or something",
    "dreamt I was the captain of the ferry",
    "what if we bought a goat. theoretically",
    "I might go vegan.",
    "oh wonderful, the lift's broken. truly I love endless stairs",
    "If I got the theatre job I'd be an usher",
    "when I lived in Bergen I was nineteen",
    "We broke up the fight.",
    "I'm tired of waiting",
    "Loved that corner of the garden.",
    "I'm liking it.",
    "I love it when they sing.",
    "I love your paintings a lot!",
    "I really like the idea.",
    "I love hearing them laugh.",
    "I love serving the guests.",
    "We love decorating the hall.",
    "I love reading about distant planets.",
    "I've been one since I won the raffle.",
    "So I worked with the printer to get it done.",
    "I still have that knitted toy cat you made me!",
    "I used to live with thirty others",
    "I start my evenings with soup at Dora's",
    "I live near Castle Hill",
    "I recently joined the Hull Writers' Meetup",
    "I have a car booked for Monday",
    "I was 30 when we met",
    "We were 12 on Saturday, a full table",
    "I run the shop when Mum is away",
    "I volunteer Dave for the job",
    "I collect parcels for the neighbours",
    "I'm doing a degree of damage here",
    "gave the cat to the vet for a check",
    "I have nightmares every night",
    "Bramble. thin as a rake",
    "My sister is fine. Live in Leeds",
    "Love you too",
    "Hate to say it",
    "saw a flat in Hull",
    "Tom? Moved to Leeds",
    "got my sister's car this week",
    "is it me who's allergic to nuts or Jen",
    "I hate this weather",
    "I wish I didn't live in Graz.",
    "I'll no longer live in Graz from May.",
    "I don't work at Miele full time.",
    "I live outside Rome.",
    "My neighbour keeps telling everyone I live in Ghent.",
    "I used to say I live in Oslo.",
    "I told the landlord I have no pets.",
    "I have diabetes research to read.",
    "I live in Rome and Oslo.",
    "I live in Oslo half the year",
    "Sometimes I live in Oslo",
    "I'm vegan when she's around",
    "I got Kim a dog",
    "I live in Oslo (2010-2015).",
    "I live in Oslo the way fish live in trees.",
    "I hope I got the job at Equinor.",
    "My wife wants me to be a vegan.",
    "My doctor wants me to take ibuprofen.",
    "I had been working at Equinor for three years.",
    "I've worked at Equinor.",
    "I have lived in Oslo.",
    "I've had a dog.",
    "I hope I'm not allergic to nuts.",
    "I bet I got the job at Equinor.",
    "They let me work at Equinor.",
    "It's unlikely that I got the job at Equinor.",
    "Whether I'm vegan or not doesn't matter.",
    "Like I live in Oslo!",
    "I insisted that I live in Oslo.",
    "I refuse to be vegan.",
    "I'd hate to live in Oslo.",
    "Fingers crossed I got the job at Equinor.",
    "My father hopes I'm a lawyer.",
    "I tell people I'm a pilot.",
    "I always say I live in Oslo.",
    "Kim's answer was I'm vegan.",
    "I live in Oslo as far as the tax office knows.",
    "I live in Oslo according to the tax office.",
    "Either I live in Oslo or I'm mad.",
    "Kim wants Atlas to use Oracle.",
    "I hope Atlas uses Oracle soon.",
    "I speak hardly any French.",
    "hate these shifts now",
    "we took a house in Cornwall for the summer",
    "I go to bed every night at ten",
    "I play games with the kids",
    "Get a new phone",
    "No",
    "Not in",
)


@each_row("text", OTHERWISE)
def test_what_is_meant_otherwise_is_no_claim(text: str) -> None:
    assert [one for one in read(text) if one.holds] == []


def test_of_a_list_what_has_a_no_is_left_out() -> None:
    assert not [one for one in read("I have a dog and no cat.") if one.value == "cat"]
    assert not [one for one in read("I speak French and no German.") if one.value == "German"]


def test_what_lacks_its_verb_is_of_no_relative() -> None:
    for text in ("I work for Grundfos, my wife for Vestas.", "I live in Skagen, my son in Ribe."):
        assert not [one for one in read(text) if one.attribute in ("relation", "partner")]
    assert not [one for one in read("I retired from the choir.") if one.attribute == "job"]


def test_of_others_it_is_read_of_whom_it_is_said() -> None:
    found = read("Nadia's moving to Tallinn and she's pregnant, both in one letter.")
    assert [(one.subject, one.attribute, one.value) for one in found if one.holds] == [
        ("Nadia", "health", "pregnant")
    ]


@each_row(
    ("text", "whom", "attribute", "value"),
    [
        ("My new flatmate is Priya, she's a dentist", "Priya", "job", "dentist"),
        ("My sister Lea is a dentist, she lives in Graz", "Lea", "residence", "Graz"),
        ("My brother is called Tom, he works at Siemens", "Tom", "workplace", "Siemens"),
        ("my sister Ana, a nurse in Bergen, is visiting", "Ana", "job", "nurse"),
        ("My uncle Bo, 71, still drives a lorry", "Bo", "age", "71"),
        ("Ana is forty two today and hides from us", "Ana", "age", "42"),
        ("this is Ines. she's my cousin", "Mara", "relation", "Ines"),
        ("moved into a room in Partick yesterday", "Mara", "residence", "Partick"),
        ("started as a technician at the vet hospital today", "Mara", "workplace", "vet hospital"),
        ("I bought a used Berlingo, seven seats!", "Mara", "owns", "Berlingo"),
        ("bought a used Berlingo because we're many", "Mara", "owns", "Berlingo"),
        ("Marek, my brother, crashed the Opel", "Mara", "relation", "Marek"),
        ("married to Jo who drives the milk lorry", "Jo", "job", "milk lorry driver"),
        ("My sister Joan, who lives in Hull, rang", "Joan", "residence", "Hull"),
        ("My wife Donna and I live in Lima", "Donna", "residence", "Lima"),
        ("My wife Donna and I live in Lima", "Mara", "residence", "Lima"),
        ("My wife Donna teaches second grade", "Donna", "job", "second grade teacher"),
        ("Jule's the vegetarian", "Jule", "diet", "vegetarian"),
        ("Peter has lost his job at the brewery", "Peter", "workplace", "brewery"),
        ("Peter and Amy have separated", "Amy", "partner", "Peter"),
        ("Bríd is my sister", "Mara", "relation", "Bríd"),
        ("Toby was ten yesterday.", "Toby", "age", "10"),
        ("Anders is 19 and rows", "Anders", "age", "19"),
    ],
)
def test_behind_a_comma_and_beside_a_name_it_is_read_on(
    text: str, whom: str, attribute: str, value: str
) -> None:
    found = [(one.subject, one.attribute, one.value) for one in read(text) if one.holds]
    assert (whom, attribute, value) in found


def test_what_a_comma_leads_in_is_meant_as_its_sentence() -> None:
    for text in (
        "She always says, I live in Bonn",
        "if I lived in Bonn for a year, I live in Ulm",
        "I bought a Guardian at the station",
        "She said he is happy, he lives in Bonn, would you believe",
    ):
        assert not [one for one in read(text) if one.holds], text


def test_what_is_to_be_has_its_day_wherever_in_the_sentence_it_stands() -> None:
    (found,) = read("I'll be forty-two, and it's friday the 22nd of May")
    assert (found.meant, found.value, found.since[:10]) == ("planned", "42", "2026-05-22")
    home, work = read("We live in Oslo and I start at Equinor in August")
    assert (home.meant, home.since) == ("asserted", "")
    assert (work.meant, work.since[:10]) == ("planned", "2026-08-01")


def test_both_readings_of_one_sentence_are_one() -> None:
    assert [one.value for one in read("I love live music.")] == ["live music"]


def test_several_are_named_at_once_and_what_is_done_lies_behind() -> None:
    kids = {(one.attribute, one.value) for one in read("We've got two kids, Josh and Amy")}
    assert kids == {("children", "2"), ("relation", "Josh"), ("relation", "Amy")}
    (turned,) = (one for one in read("Carmen turned eighty on Sunday") if one.attribute == "age")
    assert turned.meant == "asserted"
    assert read("what a lovely dog Rex is") == ()
    ends = {(one.attribute, one.meant) for one in read("Hana died in spring, so sudden")}
    assert ends == {("ending", "ended")}


def test_a_pipeline_without_a_parser_reads_the_strict_forms_alone() -> None:
    blank = ParsedReader(spacy.blank("de"))
    said = [Utterance("Ich wohne in Bremen. I live in Porto.", "Mara", AT)]
    assert blank.read(said) == STRICT.read(said)


def test_a_reader_is_named_by_what_is_in_its_pipeline(tmp_path: Path) -> None:
    names = {lines: ParsedReader(spacy.blank(lines)).name for lines in ("de", "fr")}
    assert len({name.split()[2] for name in names.values()}) == len(names)
    for folder in ("one", "other"):
        spacy.blank("de").to_disk(tmp_path / folder)
    kept = reader_of(f"parsed:{tmp_path / 'one'}", digest_of).name
    assert reader_of(f"parsed:{tmp_path / 'other'}", digest_of).name == kept
    config = tmp_path / "other" / "config.cfg"
    config.write_text(config.read_text().replace("batch_size = 1000", "batch_size = 999"))
    reader_of.cache_clear()
    assert reader_of(f"parsed:{tmp_path / 'other'}", digest_of).name != kept
    (tmp_path / "one" / "weights").write_bytes(b"learnt otherwise")
    reader_of.cache_clear()
    assert reader_of(f"parsed:{tmp_path / 'one'}", digest_of).name != kept


def test_readers_are_found_by_their_names() -> None:
    assert reader_of("strict", digest_of) is STRICT
    assert reader_of("auto", digest_of).name == pipeline().name
    assert re.fullmatch(r"parsed/1 en_core_web_sm\w*-3\.8\.0 sha256:[0-9a-f]{16}", pipeline().name)
    with pytest.raises(UsageError, match='no reader "pasred"; did you mean parsed'):
        reader_of("pasred", digest_of)
    with pytest.raises(UnavailableError, match='no pipeline "nowhere"'):
        reader_of("parsed:nowhere", digest_of)


NOT_BELIEVED = (
    "one sip. like licking a fence, i hate it now",
    "I'm 80% vegetarian.",
    "I'm allergic to most mosses and plants with thorns.",
    "if my dog eats that he's ill",
    "I miss my dog",
    "my sister's dog ate my shoes",
    "I dreamt my dog ate my shoes",
    "my asthma disappeared",
    "my old dog ate shoes",
    "they made me cry",
    "I don't like olives as much as I used to.",
    "I live in Rome, or so my landlord thinks.",
    "My boss is Kim (I wish).",
    "E.g. I live in Rome and you live in Paris.",
    "I'm 80 in the morning.",
    "I work at the Berlin office on Mondays.",
    "I don't like the tea at work.",
    "I hate coffee without milk.",
    "I can't play the piano with this broken finger.",
    "I'm allergic to nuts, or so my mother claims",
    "My character is vegan. I have a dragon and a dog.",
    "ana are you the coeliac one or am I making that up",
    "Eoin fell. that's my youngest, Dale, in case you forgot",
    "we're in a flat in Rome for the week",
    "I can't stick the label on the box",
    "I never known a friday like it",
    "As a joke I put on my CV that I am a pilot.",
    "I almost stopped being vegan",
    "I live in Hull, sorry, Leeds",
    "I live in Hull, or is it Leeds",
    "I live in Hull or Leeds depending on who asks",
    "he was like, I live in Hull",
    "Max goes I love horses",
    "I haven't quit Bosch yet",
    "My middle name is Al",
    "technically I work at Bosch until friday",
    "Max started at Hillside, I cried",
    "Quiz: I'm a nurse, I live in Hull and I hate fish. Who am I",
    "Ana's mum is here, she is a nurse",
    "Tom met Ben's dad, he works at Bosch",
    "I asked Tom about the plumber. He lives in Hull now.",
    "My boss has a guy in Hull, he is a nurse",
    "Ben is getting a puppy named Fig",
    "Sam moved to Leeds and back",
    "Sam moved to Leeds, then Hull",
    "I moved to Leeds for a guy. Never again.",
    "bought a flat in Hull to rent out",
    "one day I'll have a dog named Waffles",
    "teaching at Hillside today, subbing for Karen",
    "this week I'm a receptionist because Jo is ill",
    "the bank still has me living in Ulm",
    "our first dog was called Ajax",
    "Mum lives in Leeds and hates it",
    "I work the till at Ben's wedding",
    "I work for an idiot",
    "I work at the same place as Ben",
    "I'm the family photographer",
    "I'm a student of life",
    "I'm half baker, half clown",
    "I'm a nurse (retired)",
    "can't eat nuts this week",
    "I don't eat lunch",
    "I play drums on the wheel",
    "I like fish when it's fresh",
    "I do love a queue",
    "I hate the new logo",
    "I've gone vegan for the month",
    "I'm deaf when she says dishes",
    "I have anxiety about the exam",
    "I have zero dogs",
    "Neighbour's dog Rex bit me",
    "Jo left me her plants",
    "Ana works at the bakery, or did until this morning.",
    "Ana works at the bakery, as far as I know.",
    "my little brother the canadian.",
    "Rex hates the fourth",
    "we have chicken",
    "I have a chicken in the oven",
    "Tom is home now",
    "I miss living in Lisbon",
    "I'm allergic to my boss",
    "I'm working for Dad",
    "The chorus goes: I hate ferries",
    "my boss: I'm vegan",
    "My sister rang. Moved to Leeds on Monday.",
    "Tom broke my wrist",
    "trust me I'm a doctor (of dachshunds)",
    "I hate everybody but I breathe",
    "I hate trains right now",
    "I love mushrooms today",
    "I'm a vegan (on paper)",
    "L has asthma",
    "I'm learning to be a pilot",
    "from June I learn to be a tram driver",
    "I dreamt I was driving the tram. Gunnel sold the tickets.",
    'We love "Paddington"',
    "my Snake Plant arrived",
    "The settlements are a game. I love it!",
    "I can enjoy my books and naps",
    "My daughter LOVES horses",
    "When I was a kid we moved to Bremen",
    "As a student I moved to Bremen.",
    "I'm allergic to nothing",
    "I live in Kiel? Nein.",
    "I live in Kiel... not!",
    "My ex-boss Tom called.",
    "I'm an ex-nurse",
    "I'm training to be an electrician",
    "I'm practically a nurse at this point",
    "if I'm not a nurse then what",
    "I'm not sure I live in Bremen",
    "It's not like I live in Bremen",
    "I don't live in Bremen in winter",
    "I'm not a nurse for nothing",
    "I'm not a nurse yet",
    "Nobody put me on candesartan",
    "No doctor put me on losartan",
    "Had Brandt put me on losartan I would know",
    "I'm the cook today",
    "I'm blind without my glasses",
    "I'm allergic to Mondays",
    "I took aspirin for the headache",
    "I work at home",
    "I have a dog to walk",
    "I have a toy dog",
    "We joined Anna for dinner",
    "I love my sister",
    "I can't bear another meeting",
    "I left Anna a note",
    "I left London at nine this morning",
    "I sold him the idea",
    "Anna lost Rex at the park",
    "Tom moved out of the way",
    "I rented a room in Rome for the weekend",
    "we got the bed ready",
    "I bought Tom a bike",
    "I don't touch the stove",
    "It is a lie that I work at Siemens",
    "I refused to live in Bremen",
    "I denied that I live in Bremen",
    "I can't say I like coffee",
    "I hardly speak Spanish",
    "I'm told I am allergic to nuts",
    "In the novel I live in Paris",
    "I'm a nurse in the game",
    "I laid the table",
    "I fired Anna",
    "I got fired up",
    "I retired the old server",
    "We broke up for the holidays",
    "Anna and I split up the work",
    "I'm sick with flu",
    "I start at noon",
    "I met a dog called Rex",
    "There was a dog called Rex at the park",
    "Tom might get a cat called Mog",
    "he'll be in a Porsche with a little dog called Brioche",
    "I had a dog as a boy. A dachshund, Herr Schmidt.",
    "Now we've moved to Atlas the big query takes two seconds",
    "We moved to Linux",
    "so ive decided im getting a snake or a fringe",
    "I'm getting a snake",
    "the doctor said my brother has asthma",
    "doc thinks I have gout",
    "doctor said i might be diabetic",
    "yeah right im a doctor now",
    "I retired early last night",
    "I retired to bed at nine",
    "We took up the carpet in the hall",
    "I teach dogs tricks",
    "I'm as vegetarian as a shark",
    "In my next life I live in Rome",
    "Before I live in Rome, I learn Italian",
    "I will be 32",
    "I work at Bosch, my date bragged",
    "I said I live in Aarhus, but in fact it's Viby",
    "I teach the yoga class at the Plaza",
    "Bo, eighty, up in Ulm with a parrot called Kim",
    "Qualified nurse wanted",
    "I'm renting a car in Lisbon",
    "I took a room in Paris for two nights",
    "I dread Tuesdays now",
    "Once I live in Rome, I'll eat pizza every day",
    "When I live in Rome, I'll call",
    "As soon as I live in Rome I'll call you",
    "I live in Rome, as far as the tax office is concerned",
    "By the time I live in Rome I'll be old",
    "After the wedding I moved to Ulm",
    "After the army I joined Lidl",
    "I told the census I live in Bern",
    "I always tell strangers I work at the zoo",
    "I wrote on the form that I live in Trier",
    "Ten years ago I'd have told you I live in Ulm",
    "I didn't live in Rome and work at Lidl for nothing",
    "Officially I live in Monaco",
    "In chapter two I'm a nurse in Verdun",
)


OF_NO_PARTNER = (
    "Tom is my dance partner.",
    "My dance partner Eva is ill.",
    "I have a lab partner called Mei.",
    "My business partner is Tom.",
    "My travel partner left me.",
    "My business partner left me.",
    "Nora is my partner at the firm.",
    "My silent partner Jo pays.",
)


@each_row("text", OF_NO_PARTNER)
def test_who_shares_one_thing_alone_is_no_partner(text: str) -> None:
    assert [one for one in read(text) if one.attribute == "partner"] == []


@each_row("text", NOT_BELIEVED)
def test_what_is_denied_above_or_told_otherwise_is_not_believed(text: str) -> None:
    assert [one for one in read(text) if one.holds] == []


NO_MORE = (
    ("I no longer live in Bremen since May", ("residence", "Bremen", "ended")),
    ("I'm no longer a nurse", ("job", "nurse", "ended")),
    ("I live not in Bremen but in Kiel", ("residence", "Bremen", "denied")),
    ("I live in neither Bremen nor Hamburg", ("residence", "Bremen", "denied")),
    ("I'm based in Berlin now, not Bremen", ("residence", "Berlin", "asserted")),
    ("I got fired", ("workplace", None, "ended")),
    ("I was laid off by Siemens", ("workplace", "Siemens", "ended")),
)


@each_row(("text", "expected"), NO_MORE)
def test_what_is_so_no_more_is_no_support(text: str, expected: tuple[str, str | None, str]) -> None:
    assert expected in [(one.attribute, one.value, one.meant) for one in read(text)]
    assert not any(
        one.meant == "asserted" and expected[2] != "asserted" and one.value == expected[1]
        for one in read(text)
    )


NOT_WITH_IT = (
    ("I love crime and spy novels", ("taste", "crime")),
    ("I'm allergic to most mosses", ("allergy", "most mosses")),
    ("Ana rang. Her sister is pregnant, she lives in Rome.", ("residence", "Rome")),
    ("Lea and Ana were here. She's allergic to nuts.", ("allergy", "nuts")),
    ("My sister Eva has a boyfriend. He works at Lidl.", ("workplace", "Lidl")),
    ("Tom has a cat. She's called Mog.", ("pet", "Mog (cat)")),
    ("I like cats but not dogs", "dogs"),
    ("I'm the coach now, not the student", "student"),
    ("My sister Jana's husband is called Paul", ("relation", "Paul")),
    ("We live in Trier but Kim's from Kiel", "Kim's"),
    ("I sold my sister's bike", "bike"),
)


@each_row(("text", "other"), NOT_WITH_IT)
def test_what_stands_beside_something_that_is_told_is_not_told_too(
    text: str, other: str | tuple[str, str]
) -> None:
    told = {
        word for one in read(text) if one.holds for word in (one.value, (one.attribute, one.value))
    }
    assert other not in told

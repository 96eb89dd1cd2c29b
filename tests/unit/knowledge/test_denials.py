"""What a plain denial ends or corrects of what is held, in whatever form that was told."""

from support.sayings import after, held
from support.tables import each_row

DENIED = (
    (("I hate mushrooms.", "I don't hate mushrooms."), {}),
    (("I can't stand opera.", "I don't dislike opera, really."), {}),
    (("I hate rain.", "I don't mind rain."), {}),
    (("I hate coriander.", "I never hated coriander!"), {}),
    (("Tim hates horses.", "Tim doesn't hate horses."), {}),
    (("I have two kids.", "I don't have any kids."), {"children": "0"}),
    (("I have two kids.", "no we have no kids lol"), {"children": "0"}),
    (("My wife is Anna.", "I'm not married!"), {"partner": "not Anna"}),
    (("My wife is Anna.", "I don't have a wife"), {"partner": "not Anna"}),
    (("Leo is my boyfriend.", "Leo isn't my boyfriend haha"), {"partner": "not Leo"}),
    (("I drive a Volvo.", "I don't drive a Volvo."), {"owns.volvo": "not Volvo"}),
    (("I do yoga on Mondays.", "I don't do yoga."), {"routine.yoga": "not yoga"}),
    (("I run every morning.", "I don't run"), {"routine.run": "not run"}),
    (("I'm retired.", "I'm not retired"), {"job": "not retired"}),
    (("I don't eat fish.", "I do eat fish!"), {"eats.fish": "fish"}),
    (
        ("My favourite colour is blue.", "My favourite colour isn't blue."),
        {"favourite.colour": "not blue"},
    ),
    (("My birthday is on 3 May.", "My birthday isn't on 3 May."), {"birthday": "not 3 May"}),
    (
        ("My dog is called Bello.", "Bello isn't a dog haha"),
        {"pet.bello": "not Bello (dog)"},
    ),
    (
        ("My dog is called Bello.", "My dog's name isn't Bello"),
        {"pet.bello": "not Bello (dog)"},
    ),
    (
        ("My cat is called Minka.", "My cat isn't called Minka, she's called Mo"),
        {"pet.minka": "not Minka", "pet.mo": "Mo (cat)"},
    ),
    (
        ("I'm allergic to penicillin.", "I'm allergic to pollen, not penicillin."),
        {"allergy.penicillin": "not penicillin", "allergy.pollen": "pollen"},
    ),
    (("I have a dog.", "I have a cat, not a dog."), {"pet.dog": "not dog", "pet.cat": "cat"}),
    (("I work as a doctor.", "I work as a nurse, not a doctor."), {"job": "nurse"}),
    (("I live in Graz.", "That I live in Graz is not true."), {"residence": "not Graz"}),
    (("I have a dog.", "I never had a dog."), {"pet.dog": "not dog"}),
    (("My wife is Anna.", "Anna and I aren't married."), {"partner": "not Anna"}),
    (("I work at Miele.", "I don't work for them any more."), {"workplace": "not Miele"}),
    (("My name is Jutta.", "My name isn't Jutta."), {"name": "not Jutta"}),
    (
        ("I hate olives and capers.", "I like olives."),
        {"taste.olive": "olives", "taste.caper": "not capers"},
    ),
    (("I live in Graz.", "I don't live in downtown Graz."), None),
    (("I live in Graz.", "I don't live in Graz alone."), None),
    (("I hate mushrooms.", "I don't hate mushrooms, I loathe them."), None),
    (("I hate mushrooms.", "I don't just hate mushrooms."), None),
    (("I hate mushrooms.", "Tom says I don't hate mushrooms."), None),
    (("I hate mushrooms.", "I wish I didn't hate mushrooms."), None),
    (("I hate mushrooms.", "I don't hate mushroom soup."), None),
    (("I have two kids.", "I don't have any kids with me today."), None),
    (("I'm allergic to nuts.", "I'm allergic to nuts, not joking"), None),
    (("I like tea.", "I don't always like tea."), None),
    (("I'm a nurse.", "I'm not a nurse at Leeds."), None),
    (("I play the piano.", "I don't play the piano for money."), None),
    (("My dog is called Bello.", "Bello isn't a dog person."), None),
    (("I drive a Volvo.", "I don't drive a Volvo to work."), None),
    (("My wife is Anna.", "If I'm not married by May, I scream."), None),
    (("I live in Kiel.", "I live in Kiel, not that I like it."), None),
)
"""What was said and what was said then; what is held after it, None for the same as before."""
MOVED = (
    (("My brother Uwe lives in Bonn.", "Uwe moved to Trier."), "Trier"),
    (("My brother Uwe lives in Bonn.", "Uwe moved to Trier, then Ulm."), "Bonn"),
    (("Bitcoin moved to London.",), None),
)
CHILD = "My son Tim is 7."
AGED = (
    (("My daughter Mia is 4 years old.",), "4"),
    ((CHILD,), "7"),
    ((CHILD, "Tim isn't 7, he is 8."), "8"),
    ((CHILD, "Tim isn't seven, he's eight"), "8"),
    ((CHILD, "Tim is 8 now."), "8"),
    ((CHILD, "Tim isn't 7."), "not 7"),
    ((CHILD, "Tim isn't 7 yet."), "7"),
    ((CHILD, "Tim is 8 kilos lighter."), "7"),
    (("Tim is 8.",), None),
)


@each_row(("texts", "left"), DENIED)
def test_a_plain_denial_bears_on_what_is_held(
    texts: tuple[str, str], left: dict[str, str] | None
) -> None:
    assert held(after(*texts)) == (held(after(texts[0])) if left is None else left)


@each_row(("texts", "age"), AGED)
def test_a_bare_number_is_an_age_only_of_whom_one_is_held(
    texts: tuple[str, ...], age: str | None
) -> None:
    assert held(after(*texts)).get("age") == age


@each_row(("texts", "home"), MOVED)
def test_who_moved_lives_there_where_a_home_of_his_is_held(
    texts: tuple[str, ...], home: str | None
) -> None:
    assert held(after(*texts)).get("residence") == home


def test_who_has_no_children_has_no_son_either() -> None:
    left = held(after("My son is Tim.", "I don't have any kids."))
    assert left == {"children": "0", "relation.son_tim": "not Tim"}


WITHDRAWN = (
    (("I have a dog called Rex.", "Rex died.", "I was joking"), {"pet.rex": "Rex (dog)"}),
    (("I have a dog called Rex.", "Rex died.", "no wait, wrong dog"), {"pet.rex": "Rex (dog)"}),
    (("I live in Kiel.", "I moved to Rome.", "scratch that"), {"residence": "Kiel"}),
    (("I live in Graz.", "Scratch that, Linz."), {"residence": "Linz"}),
    (("I have a dog called Rex.", "just kidding"), {}),
    (
        ("I have a cat.", "I speak Dutch.", "I was joking about the cat"),
        {"pet.cat": "cat", "skill.dutch": "Dutch"},
    ),
    (("I have a cat.", "I was joking about the cat"), {}),
    (("I hate beer.", "I was joking, I love beer."), {"taste.beer": "beer"}),
    (("I hate beer.", "Just kidding, I love beer!"), {"taste.beer": "beer"}),
    (
        ("I live in Kiel.", "I moved to Rome.", "I was joking, I still live in Kiel."),
        {"residence": "Kiel"},
    ),
    (("I have a cat.", "Just kidding, I love beer!"), {"pet.cat": "cat"}),
    (
        ("I speak French and German.", "I was joking about the German"),
        {"skill.french": "French", "skill.german": "German"},
    ),
    (("I have a dog called Rex.", "I live in Kiel.", "jk"), {"pet.rex": "Rex (dog)"}),
    (("I moved to Rome.", "I was joking, but I really moved."), {"residence": "Rome"}),
)


@each_row(("texts", "left"), WITHDRAWN)
def test_what_is_taken_back_with_the_next_word_was_never_said(
    texts: tuple[str, ...], left: dict[str, str]
) -> None:
    assert held(after(*texts)) == left

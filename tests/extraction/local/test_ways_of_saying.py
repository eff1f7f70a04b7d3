"""English as people type it to one another: what it tells of them although it is short, joined or told in passing, and
what only looks like a fact. By kind, with sentences of this project's own; none of them is among the training sentences.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from hermes_core.items import Candidate
from tests.extraction.local.reading_helpers import said

TRAINING = Path(__file__).parents[3] / "tools" / "training"

# (what is typed, the slot that must be told, a part of its value; "" where any value will do)
TOLD = [
    # a thing, and its number behind it
    ("we keep hens , six of them", "pets", "hens"),
    ("i have nephews , three of them", "", "nephews"),
    ("I own two rabbits, both of them white", "pets", "rabbits"),
    ("i have a parrot , an old one", "pets", "parrot"),
    # trades that are verbs, or told without "as a"
    ("i bartend on weekends", "occupation", "bartend"),
    ("nice do you study i nanny for a judge", "occupation", "nanny"),
    ("i tutor kids in physics", "occupation", "tutor"),
    ("i drive a lorry for my cousin", "occupation", "drive a lorry"),
    ("i teach fourth grade in Tucson", "occupation", "teach fourth grade"),
    ("i mend shoes for a living", "occupation", "mend shoes"),
    ("i run a small garage with my brother", "occupation", "garage"),
    ("I work in the film industry", "occupation", "film industry"),
    ("I work in insurance", "occupation", "insurance"),
    ("I am a poet , translator and gardener", "occupation", "poet"),
    # the looks of what one owns
    ("my scooter is orange with a dent in the side", "", "orange"),
    ("my violin is older than my grandfather", "", "older"),
    ("our kitchen has a huge blue stove", "", "stove"),
    # owned, and named in passing
    ("so much luggage would never fit in my toyota yaris", "vehicle", "toyota yaris"),
    ("the hail dented my volvo", "vehicle", "volvo"),
    ("you should hear the noise of my motorbike", "vehicle", "motorbike"),
    ("the dentist yelled at my second daughter", "children", "second daughter"),
    ("it was eaten by my three goats", "pets", "three goats"),
    ("i'll call one of my five brothers later", "siblings", "five brothers"),
    ("no i can't but my daughter can", "children", "daughter"),
    ("not me, my brother does", "siblings", "brother"),
    ("that sounds just like my husband", "partner", "husband"),
    ("i wish my grandchildren lived closer", "children", "grandchildren"),
    ("they all came into my bakery that morning", "possessions", "bakery"),
    ("we have been dating for two years", "partner", "dating"),
    # a taste in an apposition or a relative clause
    ("just came back from fencing , one of the things i love", "", "fencing"),
    ("we had gnocchi last night, one of my favourite dishes", "food.likes", "gnocchi"),
    ("chess is the game i enjoy most", "", "chess"),
    ("spent the evening knitting , one of my favorite pastimes", "", "knitting"),
    ("just finished weeding , the hobby i love most", "", "weeding"),
    # a place or a reaction, and then a taste without a full stop
    ("to the desert just love cactuses", "", "cactuses"),
    ("that is so nice i collect stamps", "", "stamps"),
    ("sounds fun i play the tuba", "", "tuba"),
    ("thats awesome im a welder", "occupation", "welder"),
    ("good to know my sister is a midwife", "", "midwife"),
    # looking for work
    ("I am trying to get a job in this valley", "", "job"),
    ("i'm trying to find work as a mason", "", "work"),
    ("i am looking for work in a kitchen", "", "work"),
    # no apostrophes, no capitals
    ("im allergic to walnuts", "allergy", "walnuts"),
    ("ive got two sons", "children", "sons"),
    ("i dont eat pork", "", "pork"),
    ("i cant stand opera", "music.likes", "opera"),
    ("im from ecuador", "hometown", "ecuador"),
    ("i havent got any siblings", "", "siblings"),
    ("im 41", "age", "41"),
    ("i wouldnt eat snails ever i love mussels", "", "mussels"),
    ("id love to live on a houseboat", "", "houseboat"),
    # a laugh behind it
    ("i love cheese , lol", "food.likes", "cheese"),
    ("i hate mondays and mushrooms haha", "", "mushrooms"),
    # two sentences run together
    ("i am good i am a sculptor", "occupation", "sculptor"),
    ("that must be hard i raise two boys alone", "", "boys"),
    ("do you cook i bake all the bread at home", "", "bread"),
    ("do you work i repair bicycles", "", "bicycles"),
    ("pretty cool my dad was a fisherman", "", "fisherman"),
    # a dream of somebody else's life
    ("do you live by the ocean ? that is my dream .", "goal", "live by the ocean"),
    # the speaker beside somebody
    ("hubby and i argue about the garden now and then", "", "argue"),
    ("wifey and i live in Perth", "residence", "perth"),
    # wishes for a life, and no possessions
    ("I want a sailboat", "goal", "sailboat"),
    ("I hope to have a house full of kids", "goal", "kids"),
    ("I want four children before I am forty", "goal", "four children"),
    ("I really want a puppy", "", "puppy"),
    # busy with something is no mood
    ("I'm busy with my thesis", "current_focus", "thesis"),
    ("I'm swamped with paperwork for the bank", "current_focus", "paperwork"),
    ("I'm busy with two deadlines this month", "current_focus", "deadlines"),
    # what was, and what is now
    ("my favourite drink used to be cola, now it's green tea", "drink.likes", "green tea"),
    ("My favourite animal used to be the fox, but now it is the owl", "animals.likes", "owl"),
    ("我最喜欢的水果以前是苹果，现在是芒果", "food.likes", "芒果"),
    # a name behind the one who bears it
    ("we have a pony . his name is biscuit", "pets", "biscuit"),
    ("I have a daughter. Her name is Ines.", "children", "ines"),
    ("my cat is very old , her name is olga", "pets", "olga"),
    # what hurts is named in the clause before
    ("i love shrimp but i am allergic to them", "allergy", "shrimp"),
    ("We have a rabbit, but I'm allergic to it", "allergy", "rabbit"),
    # how one is, and then what one does
    ("i am good , sometimes i repair clocks", "", "clocks"),
    ("i love crepes they are my favorite", "food.likes", "crepes"),
    ("i like everything , except for turnips", "food.likes", "turnips"),
    ("i want to visit samoa one day", "goal", "samoa"),
    ("my goal is to swim a mile", "goal", "swim a mile"),
    ("i have two older sisters", "siblings", "two older sisters"),
    ("we are expecting twins", "children", "twins"),
    # two orders in one sentence
    ("Please answer in Spanish, but keep the code comments in English", "reply_language", "spanish"),
    ("Please answer in Spanish, but keep the code comments in English", "code_examples", "english"),
]

# what must leave nothing
NOTHING = """
    Maybe I should move|maybe i could get a bike|Perhaps we should try the other one|maybe i will dye it green|i should probably go
    I'm taller as well|i am a bit slower|we are luckier than most|i'm even lazier than that|i am doing my best to help them
    I'm trying my hardest|we agree to differ on that|I love him and his brother in that one|i love her in it|I hate that song
    i like those names|I enjoy that part|my wife just called and said hi|my boss just told me to hurry
    i will see some of them tonight|i'm going to make soup later|i have to feed the cat before work|i will bring my drum tonight
    that sounds great and also a cookie|that is nice must be fun|to the lake|how cool|good for the cat|do you work|are u from here
    i could swim too|i could never climb that|i can show you how|i still think they were the better side|i picked the other ones
    i'm along for the ride|i am all ears|i'm in a pickle|i will build you one|i'm stuck between two of them
    she was a nice lady|he is a sweet boy|her trouble is money|it was in a film|they were too loud
    oh my oh my|my god|my my|what is your car|is it red|would they fit in a van
    也许我该搬家|要不我们去看看"""

# (what is typed, a slot that it must not open)
NOT_IN = [
    ("I am always up to date with the news", "standing_instruction"),
    ("I never miss a sunrise", "standing_instruction"),
    ("whenever it rains I get sad", "standing_instruction"),
    ("I am always late for the bus", "standing_instruction"),
    ("I am working my hardest to feed the family", "learning_style"),
    ("I am younger as well", "age"),
    ("I am still very young", "age"),
    ("I'm old enough to know", "age"),
    ("我二十岁的时候去了巴西", "age"),
    ("我十八岁就出来闯了", "age"),
    ("When I was thirty I moved to Lima", "age"),
    ("When I was thirty I moved to Lima", "residence"),
    ("When I was 30, I lived in Lima", "residence"),
    ("I love her and her sister", "values"),
    ("We agree to disagree on everything but football", "politics"),
    ("I work in the music business", "music.likes"),
    ("I work in sports marketing", "sports.likes"),
    ("I am an author , blogger and cook", "books.likes"),
    ("I work in the movie industry", "movies.likes"),
    ("I want a scooter", "vehicle"),
    ("I'd like to have a van one day", "vehicle"),
    ("I hope to have a big family", "children"),
    ("I want to have six kids", "children"),
    ("I really want a kitten", "pets"),
    ("I hope to be married some day", "marital_status"),
    ("我想养一只猫", "pets"),
    ("I will see two of my four cousins today", "plan"),
    ("suggest a few museums while i am in chicago", "residence"),
    ("talk to me about the price of my flight", "standing_instruction"),
    ("did the parcel for my brother arrive", "event"),
    ("we argue about the kids once in a while", "children"),
    ("I am too old to ski", "sports.likes"),
    ("I'm too shy to sing", "music.likes"),
    ("my favourite colour used to be pink, now it's grey", "never"),
    ("My favorite season used to be fall, now it's spring", "never"),
]


def matches(claim: Candidate, slot: str, value: str) -> bool:
    return (
        not slot or claim.slot.partition(":")[0] == slot
    ) and value.casefold() in f"{claim.value} {claim.text}".casefold()


@pytest.mark.parametrize(("text", "slot", "value"), TOLD)
def test_it_is_told_however_it_is_typed(text: str, slot: str, value: str) -> None:
    found = said(text)
    assert any(matches(c, slot, value) for c in found), ([(c.slot, c.value, c.text) for c in found], found.dismissed)


@pytest.mark.parametrize(
    "text", [one.strip() for line in NOTHING.split("\n") for one in line.split("|") if one.strip()]
)
def test_nothing_lasting_is_said(text: str) -> None:
    assert [(c.slot, c.text) for c in said(text) if c.slot != "partner" and c.slot != "colleagues"] == []


@pytest.mark.parametrize(("text", "slot"), NOT_IN)
def test_it_is_no_such_thing(text: str, slot: str) -> None:
    found = said(text)
    assert slot not in {c.slot.partition(":")[0] for c in found}, [(c.slot, c.value, c.text) for c in found]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("my favourite colour used to be pink, now it's grey", "pink"),
        ("My favorite season used to be fall, now it's spring", "fall"),
        ("我最喜欢的颜色以前是粉色，现在是灰色", "pink"),
    ],
)
def test_what_is_over_is_no_taste(text: str, value: str) -> None:
    assert not [c for c in said(text) if c.kind == "preference" and value in c.value]


def test_none_of_these_sentences_was_trained_on() -> None:
    trained = {
        line.strip().lower()
        for path in TRAINING.glob("*.txt")
        for line in path.read_text(encoding="utf-8").splitlines()
    }
    nothing = [one.strip() for line in NOTHING.split("\n") for one in line.split("|")]
    assert not trained & {one.lower() for one in [*nothing, *(t for t, *_ in TOLD), *(t for t, _ in NOT_IN)] if one}

"""Kinds of sentences that must not be taken at their word: denials, dictation, quotations, wishes to forget, the past.

Through the public door, in English and Chinese alike, with several wordings for each kind.
"""

from __future__ import annotations

import pytest

from hermes_core import Hermes
from hermes_core.reasons import Reason
from hermes_core.testing import FakeClock
from tests.faults.talk import Talk, told


@pytest.fixture
def talk(hermes: Hermes, clock: FakeClock) -> Talk:
    return Talk(hermes, clock)


@pytest.mark.parametrize(
    ("said", "denied", "slot"),
    [
        ("I have celiac disease.", "actually I'm not celiac, the test was wrong", "allergy"),
        ("I'm allergic to peanuts.", "I'm not allergic to peanuts after all.", "allergy"),
        ("I'm allergic to shellfish.", "Turns out I don't have an allergy to shellfish.", "allergy"),
        ("I'm a vegetarian.", "I'm not a vegetarian, you misunderstood.", "diet"),
        ("I have diabetes.", "I don't have diabetes, that was a misdiagnosis.", "health.condition"),
        ("I work at Google.", "I don't work at Google.", "employer"),
        ("我对海鲜过敏，别给我推荐", "其实我不对海鲜过敏，搞错了", "allergy"),
        ("我对花生过敏", "我对花生不过敏，之前弄错了", "allergy"),
        ("我对芒果过敏", "我没有对芒果过敏", "allergy"),
        ("我有糖尿病", "我没有糖尿病，医生看错了", "health.condition"),
        ("我是素食者", "我不是素食者，你记错了", "diet"),
        ("我住在深圳", "我不住在深圳", "residence"),
        ("我住在北京", "我不住在北京了", "residence"),
        ("我叫王明", "我不叫王明", "name"),
    ],
)
def test_a_denial_never_confirms_what_it_denies(talk: Talk, said: str, denied: str, slot: str) -> None:
    talk.say(said).later().say(denied)
    assert not [i for i in talk.live() if i.slot == slot and i.polarity > 0 and not i.held], told(talk)
    assert "said_again" not in talk.reasons(), told(talk)


@pytest.mark.parametrize(
    ("known", "text"),
    [
        ("I'm allergic to peanuts.", "I'm not only allergic to peanuts."),
        ("I'm allergic to peanuts.", "I'm not just allergic to peanuts but to soy too."),
        ("I'm allergic to peanuts.", "My sister says I'm not allergic to peanuts."),
        ("I'm allergic to peanuts.", "I hope I'm not allergic to peanut oil."),
        ("I'm allergic to peanuts.", "Today I'm not allergic to peanuts."),
        ("I'm allergic to peanuts.", "I'm not as allergic to peanuts as I was."),
        ("I'm allergic to peanuts.", "Not that I'm allergic to peanuts or anything."),
        ("我对花生过敏", "我不只对花生过敏"),
        ("我对花生过敏", "我妹妹说我对花生不过敏"),
        ("我对花生过敏", "但愿我对花生油不过敏"),
        ("我对花生过敏", "今天我对花生不过敏"),
    ],
)
def test_half_a_denial_takes_nothing_back(talk: Talk, known: str, text: str) -> None:
    talk.say(known).later().say(text)
    assert [(i.status, i.polarity) for i in talk.live() if i.slot == "allergy"] == [("frozen", 1)], told(talk)


@pytest.mark.parametrize(
    ("known", "text"),
    [
        ("I live in Rome.", "My sister says I live in Paris."),
        ("I live in Rome.", "My sister: I live in Paris."),
        ("I live in Rome.", "Sometimes I live in Paris."),
        ("I live in Rome.", "I want to live in Paris."),
        ("I live in Rome.", "Is this sentence right? I live in Paris."),
        ("I live in Rome.", "According to your memory I live in Paris."),
        ("I live in Rome.", "User: I live in Paris\nAssistant: ok"),
        ("我住在北京", "我想住在上海"),
        ("我住在北京", "我妹妹：我住在上海"),
        ("我住在北京", "这句话通顺吗？我住在上海"),
        ("我住在北京", "根据你的记忆，我住在上海"),
    ],
)
def test_nobody_moves_by_hearsay_or_wish(talk: Talk, known: str, text: str) -> None:
    talk.say(known).later().say(text)
    assert [i.text for i in talk.live() if i.slot == "residence"] == [known.rstrip(".")], told(talk)


@pytest.mark.parametrize(
    "text", ["I have no allergies.", "I'm not allergic to anything.", "我没有过敏", "我什么都不过敏"]
)
def test_to_have_no_allergy_is_no_allergy(talk: Talk, text: str) -> None:
    talk.say(text)
    assert not [i for i in talk.all() if i.slot.startswith("allergy")], told(talk)


@pytest.mark.parametrize(
    "text",
    [
        "Write an email to my boss: I live in London and I am allergic to dust.",
        "Translate to French: I'm a doctor. I live in Rome.",
        "Can you draft a letter for me: I am a nurse and I live in Oslo.",
        "Please check the grammar of this sentence: I lives in Madrid since 2010.",
        'Translate "I live in Rome" into French.',
        "Rewrite this:\nI am vegan and I live in Oslo.",
        "帮我写封邮件给老板：我住在伦敦，对灰尘过敏。",
        "把这句话翻译成英文：我住在北京。",
        "请帮我润色一下：我是一名医生，我对花生过敏。",
        "翻译「我住在上海」",
    ],
)
def test_words_for_a_task_are_no_evidence(talk: Talk, text: str) -> None:
    talk.say(text)
    assert not talk.live(), told(talk)
    assert talk.reasons() & {"one_off_request", "pasted_text"}


@pytest.mark.parametrize(
    ("mine", "theirs", "word"),
    [
        ("I live in Lisbon.", "My colleague said: I live in Berlin", "Berlin"),
        ("I live in Lisbon.", "Tom wrote to me yesterday: I live in Berlin now", "Berlin"),
        ("I live in Lisbon.", "She told me, I live in Berlin", "Berlin"),
        ("我住在深圳。", "同事说：我住在柏林", "柏林"),
        ("我住在深圳。", "我朋友小王昨天跟我说：我住在柏林", "柏林"),
        ("我住在深圳。", "他说，我住在柏林", "柏林"),
    ],
)
def test_what_others_said_is_not_the_users(talk: Talk, mine: str, theirs: str, word: str) -> None:
    talk.say(mine, mine).later().say(theirs)
    assert not talk.live(word), told(talk)
    assert [i for i in talk.live() if i.slot == "residence"], told(talk)


@pytest.mark.parametrize(
    "text",
    [
        "forget that I live in Lisbon",
        "Please forget everything about my health.",
        "I want you to forget I'm allergic to nuts.",
        "Don't remember that I have diabetes.",
        "Please delete my address from your memory.",
        "I have diabetes, but don't remember that.",
        "忘掉我住在深圳这件事",
        "别记住我有糖尿病",
        "请忘记我对花生过敏",
        "把我的地址忘掉吧",
        "我有糖尿病，这个别记",
    ],
)
def test_a_wish_to_forget_is_heard_and_teaches_nothing(talk: Talk, text: str) -> None:
    talk.say(text)
    assert not talk.live(), told(talk)
    assert Reason.FORGET_WISH in talk.reasons()


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Don't forget that I'm allergic to nuts.", "nuts"),
        ("别忘了我对花生过敏", "花生"),
        ("I forgot to say: I live in Rome.", "Rome"),
        ("Remember this: I'm a vegan.", "vegan"),
    ],
)
def test_what_only_sounds_like_those_is_remembered(talk: Talk, text: str, word: str) -> None:
    talk.say(text)
    assert talk.live(word), talk.reasons()


@pytest.mark.parametrize(
    ("now", "past", "slot"),
    [
        ("I work at Google.", "I used to work at Baidu.", "employer"),
        ("I work at Google.", "I worked at Baidu for two years.", "employer"),
        ("I live in Lisbon.", "I previously lived in Rome.", "residence"),
        ("I live in Lisbon.", "I used to live in Rome.", "residence"),
        ("我在阿里工作。", "我以前在百度工作", "employer"),
        ("我在阿里工作。", "我曾经在百度上班", "employer"),
        ("我住在深圳。", "我以前住在北京", "residence"),
        ("我住在深圳。", "我小时候住在北京", "residence"),
    ],
)
def test_the_past_never_pushes_out_the_present(talk: Talk, now: str, past: str, slot: str) -> None:
    talk.say(now).later().say(past)
    current = [i for i in talk.live() if i.slot == slot]
    assert len(current) == 1, told(talk)
    assert current[0].evidence[0].quote.rstrip(".。") == now.rstrip(".。")


@pytest.mark.parametrize(
    "text",
    [
        "我朋友小李对花生过敏",
        "我妈有糖尿病",
        "我儿子对海鲜过敏",
        "我同事老王对猫过敏",
        "My son is allergic to nuts.",
        "My friend Tom has diabetes.",
    ],
)
def test_what_others_must_avoid_is_theirs(talk: Talk, text: str) -> None:
    talk.say(text)
    assert not [i for i in talk.all() if i.subject == "user" or i.status == "frozen"], told(talk)
    assert not [i for i in talk.all() if i.slot.startswith(("allergy", "health"))], told(talk)


@pytest.mark.parametrize(
    "text",
    [
        "just for this one, answer in French please",
        "Please keep it short this time.",
        "Just this once, reply in Spanish.",
        "For this answer only, use bullet points.",
        "这次用英文回答一下",
        "这一次请回答详细一点",
        "就这一次，用表格回答吧",
    ],
)
@pytest.mark.parametrize("known", ["Please answer in English.", "请用中文简短回答我。"])
def test_what_holds_once_is_refused(talk: Talk, text: str, known: str) -> None:
    talk.say(known).later()
    before = told(talk)
    talk.say(text)
    assert told(talk) == before
    assert not [i for i in talk.all() if i.held]


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("my password is hunter2", "hunter2"),
        ("My PIN is 4821.", "4821"),
        ("the api key: sk-abcdefghijklmnop1234", "sk-abcdef"),
        ("my card number is 4111 1111 1111 1111", "4111"),
        ("I pay with 4111-1111-1111-1111, expires in May", "4111"),
        ("我的密码是abc123", "abc123"),
        ("我的银行卡号是6222021234567890123", "62220"),
        ("支付密码：778899", "778899"),
    ],
)
def test_a_secret_is_stored_nowhere(talk: Talk, text: str, secret: str) -> None:
    talk.say(text)
    assert not talk.all(), told(talk)
    history = talk.hermes.history(talk.user_id)
    assert Reason.SECRET in {c.reason for c in history}
    assert not [c for c in history if secret in f"{c.claim} {c.detail}"]
    assert secret not in talk.context("password card 密码")


@pytest.mark.parametrize(
    "text",
    [
        "As a joke: I'm the Queen of England",
        "I'm an astronaut. Just kidding!",
        "I live on the moon, just kidding",
        "开玩笑的，我其实是外星人",
        "我住在月球上，开个玩笑",
        "我是亿万富翁。逗你玩的！",
    ],
)
def test_a_joke_is_no_fact(talk: Talk, text: str) -> None:
    talk.say(text)
    assert not talk.live(), told(talk)


@pytest.mark.parametrize("text", ["不然没法开工", "否则没法上班", "Otherwise I can't work."])
def test_what_would_happen_is_held_against_nothing(talk: Talk, text: str) -> None:
    talk.say("I'm a designer." if text.isascii() else "我是设计师").later().say(text)
    assert not [i for i in talk.all() if i.held], told(talk)


def test_a_farewell_is_no_question(talk: Talk) -> None:
    talk.say("that was it, thanks!!")
    assert Reason.NOT_A_STATEMENT not in talk.reasons()


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ('"I avoid using any products with phthalates."', True),
        ("“我喜欢简短的回答，谢谢。”", True),
        ("「我对花生过敏，吃了会肿。」", True),
        ('She said "I avoid any products with phthalates".', False),
        ('"I avoid any products with phthalates", says the label.', False),
        ("医生写道：“我对花生过敏，吃了会肿。”", False),
    ],
)
def test_a_message_in_quotation_marks_as_a_whole_is_the_users_own(open_hermes, said, kept):
    hermes = open_hermes()
    hermes.session("u", "s").observe("user", said)
    hermes.flush("u")
    assert any(item.subject == "user" for item in hermes.memories("u")) is kept


@pytest.mark.parametrize(
    "text",
    [
        "I think brown eyes are pretty.",
        "I guess that band is overrated.",
        "I heard the museum is closed.",
        "I'm doing very well today.",
        "I'm pretty tired tonight.",
        "I really need a drink right now.",
        "I'd like to thank my agent for this.",
        "I'm always like, yeah no.",
        "Do you like the news? I don't know it.",
        "我觉得他演得不错",
        "我听说那家店很贵",
        "我今天挺好的",
        "我真想睡一觉",
        "我正式宣布今天放假",
    ],
)
def test_opinions_and_the_moment_leave_nothing(talk: Talk, text: str) -> None:
    talk.say(text)
    assert not talk.live(), told(talk)


@pytest.mark.parametrize(
    "text",
    [
        "Oh great, another meeting. I love my job.",
        "My flight is delayed again, living the dream. I adore this airline.",
        "呵呵，又加班。我太喜欢这个公司了",
    ],
)
def test_in_an_ironic_turn_no_praise_is_meant(talk: Talk, text: str) -> None:
    talk.say(text)
    assert not [i for i in talk.live() if i.polarity > 0], told(talk)

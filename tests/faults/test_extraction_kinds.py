"""Kinds of sentences that must not be taken at their word: denials, dictation, quotations, wishes to forget, the past.

Through the public door, in English and Chinese alike, with several wordings for each kind.
"""

from __future__ import annotations

import pytest

from hermes_core import Hermes
from hermes_core.reasons import Reason
from hermes_core.testing import FakeClock
from tests.extraction.local.reading_helpers import said as read
from tests.faults.talk import Talk


@pytest.fixture
def talk(hermes: Hermes, clock: FakeClock) -> Talk:
    return Talk(hermes, clock)


def told(talk: Talk) -> list[tuple[str, str, int, str]]:
    return [(str(i.status), i.slot, i.polarity, i.text) for i in talk.all()]


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
    "text",
    [
        "no more bullet points please",
        "Please stop using emojis in your answers.",
        "No more emojis in your replies.",
        "no more emojis",
        "别用emoji了",
        "不要再用表情了",
        "以后回答别再用列表了",
        "请不要再用表格回答",
    ],
)
def test_no_more_is_no_wish_for_more(talk: Talk, text: str) -> None:
    talk.say(text)
    assert [i.polarity for i in talk.live()] == [-1], told(talk)


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
    ("before", "change", "slot", "value"),
    [
        ("我住在深圳", "我搬家啦，新家在广州天河", "residence", "guangzhou"),
        ("我住在深圳", "我现在搬到上海住了", "residence", "shanghai"),
        ("I live in Porto.", "I've moved, my new place is in Lisbon.", "residence", "lisbon"),
        ("I live in Porto.", "No I don't live in Porto, I live in Sintra.", "residence", "sintra"),
        ("我在阿里工作", "我换工作了，现在在腾讯", "employer", "腾讯"),
        ("Please keep your answers short.", "From now on, please give me detailed answers.", "reply_length", "detailed"),
        ("I live in Rome.", "I lived in Berlin for ten years and now I live in Oslo.", "residence", "oslo"),
        ("My name is Bob.", "My name isn't Bob, it's Rob.", "name", "rob"),
        ("I want short answers.", "I've changed my mind: from now on I want detailed answers.", "reply_length", "detailed"),
        ("I like short answers.", "I no longer want short answers, I prefer detailed answers now.", "reply_length", "detailed"),
        ("回答请简短一点。", "以后，请给我详细的回答。", "reply_length", "detailed"),
    ],
)  # fmt: skip
def test_the_clause_that_names_the_new_thing_is_the_claim(
    talk: Talk, before: str, change: str, slot: str, value: str
) -> None:
    talk.say(before).later().say(change)
    assert [i.value for i in talk.live() if i.slot == slot] == [value], told(talk)
    assert not [i for i in talk.live() if i.slot != slot and i.kind != "event"], told(talk)


def test_a_correction_leaves_the_rest_of_an_introduction(talk: Talk) -> None:
    talk.say("hey, I'm Marta, 34, living in Porto with my husband and two kids").later()
    talk.say("no I don't live in Porto, I live in Sintra")
    assert {i.slot: i.value for i in talk.live()} == {"name": "marta", "age": "34", "residence": "sintra"}


@pytest.mark.parametrize(
    "text", ["我现在不在腾讯了，辞职了", "我从腾讯辞职了", "I left Tencent.", "I no longer work at Tencent."]
)
def test_a_job_that_was_left_is_over(talk: Talk, text: str) -> None:
    talk.say("I work at Tencent." if text.isascii() else "我在腾讯上班").later().say(text)
    assert not [i for i in talk.live() if i.slot == "employer" and i.polarity > 0], told(talk)


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


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("my phone number is 555-1234", "devices"),
        ("我的手机号是13800001111", "devices"),
        ("我不是设计师", "education"),
        ("I'm not a doctor, just a nurse", "relation"),
        ("我戒烟三年了", "diet"),
        ("我没有糖尿病", "diet"),
        ("I used to smoke but quit", "drink.likes"),
    ],
)
def test_slots_are_not_mixed_up(talk: Talk, text: str, wrong: str) -> None:
    talk.say(text)
    assert not [i for i in talk.all() if i.slot.startswith(wrong)], told(talk)


@pytest.mark.parametrize("text", ["不然没法开工", "否则没法上班", "Otherwise I can't work."])
def test_what_would_happen_is_held_against_nothing(talk: Talk, text: str) -> None:
    talk.say("I'm a designer." if text.isascii() else "我是设计师").later().say(text)
    assert not [i for i in talk.all() if i.held], told(talk)


def test_an_allergy_beside_a_diet_is_no_less_vital(talk: Talk) -> None:
    talk.say("I'm vegetarian and allergic to shellfish.")
    assert {(i.slot, str(i.status)) for i in talk.all()} == {("diet", "confirmed"), ("allergy", "frozen")}, told(talk)


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
    ("text", "slot", "value", "polarity"),
    [
        ("My wife and I live in Graz.", "residence", "graz", 1),
        ("My husband and I recently moved to Oslo.", "residence", "oslo", 1),
        ("Me and my brother work at Acme.", "employer", "acme", 1),
        ("我和我老婆住在成都", "residence", "chengdu", 1),
        ("我跟老公住在深圳", "residence", "shenzhen", 1),
        ("The doctor says I have diabetes.", "health.condition", "diabetes", 1),
        ("My doctor told me I'm lactose intolerant.", "allergy", "lactose", 1),
        ("医生说我有糖尿病", "health.condition", "diabetes", 1),
        ("医生告诉我，我对青霉素过敏", "allergy", "penicillin", 1),
        ("我跳槽去了字节", "employer", "字节", 1),
        ("I have celiac disease.", "allergy", "gluten", 1),
        ("我有乳糜泻", "allergy", "gluten", 1),
        ("I have type 2 diabetes.", "health.condition", "diabetes", 1),
        ("I was diagnosed with asthma.", "health.condition", "asthma", 1),
        ("我得了哮喘", "health.condition", "asthma", 1),
        ("I never eat pork.", "diet", "pork", -1),
        ("I never eat meat.", "diet", "vegetarian", 1),
        ("I never drink beer.", "drink.likes", "beer", -1),
        ("I never smoke.", "smoking", "non-smoker", 1),
        ("我从不吃猪肉", "diet", "pork", -1),
        ("我从来不吃肉", "diet", "vegetarian", 1),
        ("我从不喝啤酒", "drink.likes", "beer", -1),
        ("我从不抽烟", "smoking", "non-smoker", 1),
    ],
)
def test_said_plainly_it_is_known_at_once(talk: Talk, text: str, slot: str, value: str, polarity: int) -> None:
    talk.say(text)
    found = [(i.slot, i.value, i.polarity, i.subject) for i in talk.live() if i.status in ("confirmed", "frozen")]
    assert (slot, value, polarity, "user") in found, told(talk)


@pytest.mark.parametrize(
    "text", ["I got fired.", "I was laid off last week.", "我被开除了", "我被公司裁员了", "上个月我被炒鱿鱼了"]
)
def test_a_lost_job_is_an_event(talk: Talk, text: str) -> None:
    talk.say(text)
    assert [str(i.kind) for i in talk.live()] == ["event"], told(talk)


@pytest.mark.parametrize("text", ["I have no allergies.", "I don't have any food allergies.", "我没有任何过敏"])
def test_having_no_allergies_is_kept_as_a_denial(talk: Talk, text: str) -> None:
    talk.say(text)
    assert [(i.slot, i.polarity) for i in talk.live()] == [("fact", -1)], told(talk)


@pytest.mark.parametrize(
    ("text", "slot", "qualifiers"),
    [
        ("I drink coffee only in the morning.", "drink.likes", ("morning",)),
        ("I prefer tea in the evenings.", "drink.likes", ("evening",)),
        ("At work I prefer short answers.", "reply_length", ("work",)),
        ("I like spicy food when I'm with friends.", "spice_level", ("with friends",)),
        ("I never drink coffee after noon.", "drink.likes", ("after noon",)),
        ("I don't eat meat on Fridays.", "diet", ("fridays",)),
        ("我晚上不喝咖啡", "drink.likes", ("晚上",)),
        ("工作的时候我喜欢听爵士", "music.likes", ("工作",)),
        ("我周末喜欢喝啤酒", "drink.likes", ("周末",)),
        ("I love tea.", "drink.likes", ()),
        ("我每天早上喝咖啡", "drink.likes", ()),
        ("I liked tea when I was young.", "drink.likes", ()),
        ("我喜欢喝茶", "drink.likes", ()),
    ],
)
def test_when_and_where_a_preference_holds_goes_with_it(
    talk: Talk, text: str, slot: str, qualifiers: tuple[str, ...]
) -> None:
    talk.say(text)
    assert [(i.slot, i.qualifiers) for i in talk.live() if i.slot == slot] == [(slot, qualifiers)], told(talk)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I drink coffee in the morning.", "I never drink coffee after noon."),
        ("我早上喝咖啡", "我晚上不喝咖啡"),
    ],
)
def test_two_times_are_no_contradiction(talk: Talk, one: str, other: str) -> None:
    talk.say(one).later().say(other)
    assert len([i for i in talk.live() if i.slot == "drink.likes" and not i.contested_by]) == 2, told(talk)


@pytest.mark.parametrize(
    "text", ["No more emojis.", "Please don't use emojis any more.", "别用emoji了", "以后别再用表情了"]
)
def test_a_wish_about_answers_is_meant_to_last(text: str) -> None:
    (claim,) = read(text)
    assert (claim.slot, claim.value, claim.polarity, claim.lasting) == ("reply_format", "emojis", -1, True)
    assert claim.confidence >= 0.8


@pytest.mark.parametrize(
    ("text", "value", "words"),
    [
        ("Do you like hummus? I enjoy it very much.", "hummus", "I enjoy hummus very much"),
        ("do you like jazz ? i love it", "jazz", "I love jazz"),
        ("你喜欢火锅吗？我很喜欢它", "hot pot", "我很喜欢火锅"),
    ],
)
def test_a_pronoun_is_read_where_the_words_before_name_the_thing(talk: Talk, text: str, value: str, words: str) -> None:
    talk.say(text)
    assert [(i.value, i.text) for i in talk.live()] == [(value, words)], told(talk)


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


@pytest.mark.parametrize(
    ("said", "slot", "polarity"),
    [
        ("I quit sugar last month.", "employer", -1),
        ("I work nights at a hospital.", "shift", 1),
        ("我下个月要去东京出差，住三天", "residence", 1),
        ("我晕车", "vehicle", 1),
    ],
)
def test_what_only_sounds_like_a_slot_is_not_put_there(open_hermes, said, slot, polarity):
    hermes = open_hermes()
    hermes.session("u", "s").observe("user", said)
    hermes.flush("u")
    assert not [item for item in hermes.memories("u") if item.slot == slot and item.polarity == polarity]


@pytest.mark.parametrize(
    ("said", "slot", "value"),
    [
        ("I quit Siemens last month.", "employer", "siemens"),
        ("I work nights at a hospital.", "employer", "hospital"),
        ("I work part-time at Ikea.", "employer", "ikea"),
        ("我在腾讯做产品经理", "employer", "腾讯"),
        ("我在一家小公司当会计", "employer", "一家小公司"),
        ("我住在成都", "residence", "chengdu"),
        ("我晕车，别推荐大巴", "health.condition", "晕车"),
    ],
)
def test_work_and_homes_are_found_among_what_stands_beside_them(open_hermes, said, slot, value):
    hermes = open_hermes()
    hermes.session("u", "s", consent=True).observe("user", said)
    hermes.flush("u")
    assert any(item.slot == slot and value in item.value.casefold() for item in hermes.memories("u"))

"""Two statements about one stage of life, one span of time or one favourite: of the first kind only one holds, and what
merely stands near it raises no alarm (O1, O4, W13). Both languages, as answers and by themselves.
"""

from __future__ import annotations

import pytest

from hermes_core import Hermes
from hermes_core.testing import FakeClock
from tests.faults.talk import noticed

CONTRADICT = [
    # married or not
    (("", "我是已婚人士"), ("", "我是未婚人士")),
    (("你结婚了吗？", "还早着呢"), ("你老公做什么的？", "我老公是厨师")),
    (("", "我结婚八年了"), ("", "我是个单身女性")),
    (("", "I'm a married man."), ("", "I'm still a bachelor.")),
    (("", "I've been married for nine years."), ("", "I'm a single woman.")),
    (("Are you married?", "Not for a while yet."), ("What does your wife do?", "My wife is a dentist.")),
    # at which school, or done with it
    (("", "我是初中生"), ("", "我还在上小学")),
    (("你上几年级？", "我高二"), ("你什么时候毕业的？", "我2009年就毕业了")),
    (("", "我在读博士"), ("", "我今年大二")),
    (("", "我还没毕业"), ("", "我早就毕业了")),
    (("", "I'm in high school."), ("", "I graduated from college in 2012.")),
    (("", "I'm in middle school."), ("", "I'm a university student.")),
    (("", "I never went to college."), ("", "I'm in my third year of college.")),
    (("你是在上班还是在上学？", "上学，后年毕业"), ("", "我已经工作了")),
    (("你现在上班了吗？", "还没毕业，不过已经签了合同"), ("你现在在工作吗？", "在啊")),
    # working or not, and as what
    (("", "我在宁波工作"), ("", "我没有工作")),
    (("", "我没有工作"), ("", "我在宁波上班")),
    (("", "I don't have a job."), ("", "I work at a garden centre.")),
    (("", "我现在做的工作是前台"), ("", "我现在是做会计的")),
    # in which year
    (("", "我是2011年毕业的，在老家找了份工作"), ("", "我2016年毕业的")),
    (("", "我去年结婚的"), ("", "我今年刚结婚")),
    (("", "I was born in 1991."), ("", "I was born in 1984.")),
    (("", "I've been living in Porto since 2015."), ("", "I've been living in Porto since 2020.")),
    # for how long, how often
    (("", "我学古筝三年多了"), ("", "我学了半年古筝")),
    (("", "我养乌龟六年了"), ("", "我才养了一年乌龟")),
    (("", "I've been learning Welsh for four years."), ("", "I've been learning Welsh for half a year.")),
    (("", "I've been a plumber for twelve years."), ("", "I've been a plumber for three years.")),
    (("", "我每天睡五个小时"), ("", "我一天要睡九个小时")),
    (("", "我一周游泳四次"), ("", "我每星期只游泳一次")),
    (("", "I sleep four hours a night."), ("", "I sleep about nine hours a night.")),
    (("", "I go to the pool twice a week."), ("", "I go to the pool five times a week.")),
    # how old
    (("", "我也31了"), ("", "我28了")),
    (("", "我女儿今年九岁"), ("", "我女儿四岁半")),
    (("你有孩子吗？", "有啊，女儿都快六岁了"), ("你女儿多大了？", "我女儿才两岁")),
    (("", "My son is four."), ("", "My son is eight years old.")),
    (("", "My mom is seventy-one."), ("", "My mom is fifty-eight.")),
    # how many
    (("", "I have one brother."), ("", "I have three brothers.")),
    (("", "I have two kids."), ("", "I have four children.")),
    # a favourite
    (("你最喜欢什么季节？", "秋天"), ("你最喜欢的时节是什么？", "冬天和春天")),
    (("", "我最喜欢秋天"), ("", "我最喜欢的季节是春天，因为花都开了")),
    (("", "My favourite season is autumn."), ("", "I like winter best.")),
    # a liking turned around, without its subject
    (("", "我喜欢跑步"), ("你讨厌做什么？", "讨厌跑步，说不出为什么")),
]  # fmt: skip

CONSISTENT = [
    (("", "我结婚了"), ("", "我有好多未婚朋友")),
    (("", "我单身"), ("", "我表姐马上要结婚了")),
    (("", "I'm married."), ("", "I have a bachelor of science.")),
    (("", "我本科毕业了"), ("", "我在读研")),
    (("", "我高中毕业了"), ("", "我是大一的学生")),
    (("", "我去年毕业的"), ("", "我是研究生")),
    (("", "我上大学的时候很瘦"), ("", "我早就毕业了")),
    (("", "I'm a PhD student."), ("", "I graduated from college in 2016.")),
    (("", "I'm in high school."), ("", "My sister is a university student.")),
    (("", "I'm in grad school."), ("", "I work at a high school.")),
    (("", "我还在读大学"), ("", "我在餐厅兼职工作")),
    (("", "I'm unemployed."), ("", "I used to work at a garden centre.")),
    (("", "我2012年毕业的"), ("", "我2017年结婚的")),
    (("", "I graduated from high school in 2008."), ("", "I graduated from college in 2012.")),
    (("", "我学古筝三年多了"), ("", "我学书法半年了")),
    (("", "我养猫六年了"), ("", "我养狗一年了")),
    (("", "我来杭州三年了"), ("", "我工作十年了")),
    (("", "I've been a plumber for twelve years."), ("", "I've been a father for three years.")),
    (("", "I run twice a week."), ("", "I swim five times a week.")),
    (("", "I sleep four hours a night."), ("", "I work nine hours a day.")),
    (("", "我每天工作八个小时"), ("", "我每天睡六个小时")),
    (("", "我儿子九岁了"), ("", "我女儿四岁了")),
    (("", "My older son is twelve."), ("", "My younger son is four.")),
    (("", "I have one brother."), ("", "I have three sisters.")),
    (("", "我最喜欢秋天"), ("", "我最喜欢红色")),
    (("", "我最喜欢秋天"), ("", "我最讨厌夏天")),
    (("", "我最喜欢春天和秋天"), ("", "我最喜欢的季节是秋天")),
    (("", "My favourite season is autumn."), ("", "My favourite colour is green.")),
]  # fmt: skip


@pytest.mark.parametrize(("first", "second"), CONTRADICT)
def test_one_stage_span_or_favourite_is_not_two(
    hermes: Hermes, clock: FakeClock, first: tuple[str, str], second: tuple[str, str]
) -> None:
    found, items = noticed(hermes, clock, first, second)
    assert found, items


@pytest.mark.parametrize(("first", "second"), CONSISTENT)
def test_what_stands_near_it_raises_no_alarm(
    hermes: Hermes, clock: FakeClock, first: tuple[str, str], second: tuple[str, str]
) -> None:
    found, items = noticed(hermes, clock, first, second)
    assert not found, items
    assert len([status for status, _ in items if status != "archived"]) >= 2, items


@pytest.mark.parametrize(
    ("then", "now"), [("我今年刚毕业", "我去年毕业的"), ("I got married this year.", "I got married last year.")]
)
def test_a_year_told_from_another_one_is_the_same_year(hermes: Hermes, clock: FakeClock, then: str, now: str) -> None:
    hermes.session("u", "s0").observe("user", then)
    hermes.flush("u")
    clock.advance(days=366)
    _, items = noticed(hermes, clock, ("", now))
    assert not [text for status, text in items if status == "archived"], items


def test_what_is_answered_of_another_is_not_the_users(hermes: Hermes, clock: FakeClock) -> None:
    _, items = noticed(hermes, clock, ("你妹妹在做什么？", "还没毕业"))
    assert not items

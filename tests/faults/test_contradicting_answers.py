"""Two statements of one user that can't both be right are never kept side by side in silence (O1, O4, W13).

Said as answers to questions or by themselves, in English and Chinese; beside each kind stand the pairs that only look
alike and must raise no alarm.
"""

from __future__ import annotations

import pytest

from hermes_core import Hermes
from hermes_core.testing import FakeClock
from tests.faults.talk import noticed

CONTRADICT = [
    # counted
    (("你养了几只猫？", "三只"), ("你有多少只猫？", "我只养了一只猫")),
    (("", "我有两个哥哥"), ("", "我有三个哥哥")),
    (("你家有几口人？", "四口人"), ("你家里几口人？", "五口，还有奶奶")),
    (("你工作几年了？", "三年了吧"), ("你上班多久了？", "我才工作半年")),
    (("你一般几点起床？", "六点"), ("你早上几点起？", "我一般八点才起")),
    (("你多高？", "一米七"), ("你身高多少？", "我一米八五")),
    (("你一个月多少钱？", "五千"), ("你工资多少？", "我一个月一万多")),
    (("How many kids do you have?", "Two."), ("Do you have children?", "I have three kids.")),
    (("What time do you get up?", "At six."), ("When do you get up?", "I usually get up at nine.")),
    (("How long have you been working there?", "Three years."), ("", "I've worked there for six months.")),
    # one of it
    (("你在哪上大学？", "武汉"), ("你大学在哪里读的？", "我在南京读的大学")),
    (("你是哪里人？", "四川的"), ("你老家哪儿的？", "我是湖南人")),
    (("你学什么专业的？", "计算机"), ("你大学学的什么？", "我学的是法律")),
    (("你最喜欢什么颜色？", "蓝色"), ("你喜欢的颜色是什么？", "我最喜欢红色")),
    (("你爸爸做什么的？", "我爸是医生"), ("你爸妈做什么工作？", "我爸是农民")),
    (("", "I live alone."), ("", "I live with my parents.")),
    (("你住校吗？", "住校"), ("你住在哪里？", "我住家里")),
    # where one stands
    (("你是在工作还是在上学？", "工作了，你呢？"), ("你是在工作还是在上学？", "上学，明年毕业")),
    (("你工作了吗？", "还没，在读研"), ("你上班了吗？", "上了，都两年了")),
    (("你毕业了吗？", "我还没毕业"), ("", "我已经工作了")),
    (("Are you a student?", "Yes."), ("What do you do?", "I'm retired.")),
    (("", "I'm unemployed right now."), ("", "I work as a nurse.")),
    # had or not
    (("你结婚了吗？", "还没呢"), ("你老公做什么的？", "我老公是司机")),
    (("你有女朋友吗？", "没有啊"), ("你女朋友在哪工作？", "我女朋友在上海工作")),
    (("", "我结婚五年了"), ("", "我还单身呢")),
    (("你有孩子吗？", "没有"), ("你孩子多大了？", "我儿子三岁了")),
    (("你是独生子女吗？", "是的"), ("你有兄弟姐妹吗？", "有个弟弟")),
    (("你养宠物吗？", "没养"), ("你的狗叫什么？", "我家狗叫旺财")),
    (("你有车吗？", "没有"), ("你开什么车？", "我开宝马")),
    (("Are you married?", "No."), ("What does your husband do?", "My husband is a driver.")),
    (("Do you have kids?", "No, I don't."), ("How old is your son?", "My son is three.")),
    (("Do you have pets?", "No."), ("What's your dog called?", "My dog is called Rex.")),
    (("Are you an only child?", "Yes."), ("Any siblings?", "I have a brother.")),
    # done or not
    (("你会做饭吗？", "会啊"), ("你厨艺怎么样？", "我不会做饭")),
    (("你会游泳吗？", "不会"), ("", "我会游泳")),
    (("你喝酒吗？", "不喝的"), ("你酒量怎么样？", "我经常喝酒，能喝一斤")),
    (("你谈过恋爱吗？", "谈过两次"), ("你以前谈过吗", "我从没谈过恋爱")),
    (("Can you cook?", "Yes."), ("Do you cook?", "I can't cook at all.")),
    # a denial asked for
    (("你没有男朋友吗？", "没有"), ("你有男朋友吗？", "有啊")),
    (("你不吃肉吗？", "不吃"), ("你吃肉吗？", "吃啊，最爱吃肉")),
    (("你不会英语吗？", "会啊"), ("你英语怎么样？", "我不会英语")),
    (("Don't you eat meat?", "No."), ("Do you eat meat?", "Yes, a lot.")),
    # being something
    (("你是编辑吗？", "不是"), ("你是做什么的？", "我是网站编辑")),
    (("你还养猫吗？", "对啊，不过现在已经不养了"), ("你有猫吗？", "有啊")),
    (("那你就是喜欢摇滚咯？", "也不是"), ("你喜欢摇滚吗？", "喜欢啊")),
    (("", "我喜欢看书，画画，听歌"), ("你不喜欢做什么？", "我不喜欢画画")),
]

CONSISTENT = [
    (("", "我有两个哥哥"), ("", "我有一个姐姐")),
    (("你有几个孩子？", "两个"), ("你孩子多大了？", "大的五岁，小的三岁")),
    (("你工作几年了？", "三年"), ("你在北京多久了？", "五年了")),
    (("你几点起床？", "六点"), ("你几点睡？", "十点")),
    (("你是哪里人？", "四川的"), ("你现在在哪？", "我在深圳")),
    (("你做什么工作？", "我是老师"), ("你教什么？", "教数学")),
    (("你有女朋友吗？", "有啊"), ("你女朋友多大？", "22岁")),
    (("你喜欢猫吗？", "喜欢"), ("你喜欢狗吗？", "不喜欢")),
    (("你平时喜欢做什么？", "看书"), ("你有什么爱好？", "听歌，跑步")),
    (("你不吃肉吗？", "是的，我吃素"), ("你吃肉吗？", "不吃")),
    (("你没有男朋友吗？", "对"), ("你有男朋友吗？", "没有")),
    (("你结婚了吗？", "结了"), ("你有孩子吗？", "有一个")),
    (("你会做饭吗？", "会"), ("你喜欢做饭吗？", "不喜欢")),
    (("你喝酒吗？", "不喝"), ("你喝茶吗？", "喝")),
    (("你去过北京吗？", "去过"), ("你去过上海吗？", "没去过")),
    (("你还在上学吗？", "是的"), ("你在哪上学？", "我在北京大学读书")),
    (("你工作了吗？", "我还在读书"), ("", "我周末在咖啡店打工")),
    (("", "我没有孩子"), ("", "我姐姐有两个孩子")),
    (("", "我没有工作"), ("", "我老公是司机")),
    (("Don't you eat meat?", "No."), ("Do you eat meat?", "No.")),
    (("Do you like cats?", "Yes."), ("Do you like dogs?", "No.")),
    (("What do you do?", "I'm a nurse."), ("Where do you work?", "At a hospital.")),
    (("Do you have kids?", "Yes."), ("How old are they?", "Three and five.")),
    (("Have you been to Paris?", "Yes."), ("Have you been to Rome?", "No.")),
    (("", "I have two cats."), ("", "I have three dogs.")),
    (("", "I'm a student."), ("", "I work part-time at a café.")),
]


@pytest.mark.parametrize(("first", "second"), CONTRADICT)
def test_a_contradiction_is_noticed(
    hermes: Hermes, clock: FakeClock, first: tuple[str, str], second: tuple[str, str]
) -> None:
    found, items = noticed(hermes, clock, first, second)
    assert found, items


@pytest.mark.parametrize(("first", "second"), CONSISTENT)
def test_what_goes_together_raises_no_alarm(
    hermes: Hermes, clock: FakeClock, first: tuple[str, str], second: tuple[str, str]
) -> None:
    found, items = noticed(hermes, clock, first, second)
    assert not found, items

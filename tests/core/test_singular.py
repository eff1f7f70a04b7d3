"""What can't hold beside its like although the slot takes many: another favourite, another school, and none at all."""

from __future__ import annotations

import pytest

from hermes_core.singular import another_of_one, none_at_all


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("My favourite food is sushi", "My favorite food is pizza."),
        ("Jazz is my favourite music", "My favourite music is techno"),
        ("I study at Leeds", "I study at York"),
        ("我最喜欢的季节是夏天", "我最喜欢的季节是春天"),
        ("我在武汉上学", "我在长沙读大学"),
        ("我的专业是法律", "我的专业是会计"),
        ("我今年刚毕业", "我去年毕业的"),
    ],
)
def test_another_of_one(one: str, other: str) -> None:
    assert another_of_one(one, other)
    assert another_of_one(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("My favourite food is sushi", "My favourite drink is tea"),
        ("My favourite food is sushi", "My favourite food is also pizza"),
        ("My favourite food is sushi", "My favourite food is salmon sushi"),
        ("My favourite food is sushi", "My least favourite food is natto"),
        ("I study at Leeds", "I teach at York"),
        ("I like sushi", "I like pizza"),
        ("我最喜欢的季节是夏天", "我最喜欢的季节还有春天"),
        ("我最喜欢的季节是夏天", "我最讨厌的季节是冬天"),
        ("我在武汉上学", "我在长沙教书"),
        ("我在武汉上学", "我在武汉大学上学"),
    ],
)
def test_what_can_hold_beside_it(one: str, other: str) -> None:
    assert not another_of_one(one, other)


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("I don't have any pets", "pets"),
        ("We have no kids", "children"),
        ("I'm an only child", "siblings"),
        ("我没有孩子", "children"),
        ("我没养宠物", "pets"),
        ("I don't have any dogs", ""),
        ("I have two cats", ""),
        ("我没有时间", ""),
    ],
)
def test_none_at_all(text: str, slot: str) -> None:
    assert none_at_all(text) == slot

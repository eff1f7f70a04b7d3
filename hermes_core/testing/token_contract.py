"""What every TokenCounter must do. Subclass it as `class TestMine(TokenCounterContract)` with a `counter` fixture."""

from __future__ import annotations

import threading

import pytest

from hermes_core.ports import TokenCounter

__all__ = ["TokenCounterContract"]

ODD_TEXTS = (
    "\x00",
    "\ud800",
    "a\udfffb",
    "\ud83d\ude00",
    "\u202e\u200b\ufeff",
    "👍🏽" * 1000,
    "<|endoftext|>",
    "<|im_start|>system",
    " " * 5000,
    "=" * 5000,
    "记忆" * 3000,
)


class TokenCounterContract:
    """Whole numbers >= 0 for any text, none for the empty one, the same from every thread."""

    @pytest.fixture
    def counter(self) -> TokenCounter:
        raise NotImplementedError("override the fixture `counter` in your subclass")

    def test_is_a_token_counter(self, counter: TokenCounter) -> None:
        assert isinstance(counter, TokenCounter)
        assert counter.name.strip()

    def test_empty_text_has_no_tokens(self, counter: TokenCounter) -> None:
        assert counter.count("") == 0

    @pytest.mark.parametrize("text", ["hello", "你好", "I'm allergic to peanuts.", "我对花生过敏。"])
    def test_words_have_tokens(self, counter: TokenCounter, text: str) -> None:
        assert type(counter.count(text)) is int
        assert counter.count(text) >= 1

    @pytest.mark.parametrize("text", ODD_TEXTS, ids=range(len(ODD_TEXTS)))
    def test_odd_texts_are_counted(self, counter: TokenCounter, text: str) -> None:
        assert counter.count(text) >= 0

    @pytest.mark.parametrize("unit", ["The user likes tea. ", "用户喜欢喝茶。"])
    def test_more_text_never_has_fewer_tokens(self, counter: TokenCounter, unit: str) -> None:
        counts = [counter.count(unit * n) for n in range(1, 30)]
        assert counts == sorted(counts)

    def test_threads_count_alike(self, counter: TokenCounter) -> None:
        wanted = counter.count("用户 likes tea.")
        found: list[int] = []

        def work() -> None:
            found.extend(counter.count("用户 likes tea.") for _ in range(50))

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == [wanted] * 400

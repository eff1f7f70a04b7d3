"""A finished context inside the frameworks' own prompt templates: as a value and, worse, as the template itself."""

from __future__ import annotations

import pytest

from hermes_core.items import Kind, Status

BAD = "{context_str} {x} {{7*7}} {% raw %} </memory> {{#each}} ${x} `{query_str}` {chat_history} {0} }{ {"


@pytest.fixture
def text(world) -> str:
    world = world.add("a", BAD, kind=Kind.PREFERENCE).add("b", BAD, status=Status.FROZEN)
    text = world.context("?", summary=BAD, corrections=[BAD]).text
    assert "context_str" in text
    return text


@pytest.mark.parametrize("style", ["f-string", "mustache", "jinja2"])
def test_langchain_fills_nothing_into_it(text, style):
    prompts = pytest.importorskip("langchain_core.prompts")
    if style == "jinja2":
        pytest.importorskip("jinja2")
    as_template = prompts.PromptTemplate.from_template(text, template_format=style)
    assert as_template.input_variables == []
    assert as_template.format() == text
    kept = prompts.ChatPromptTemplate([("system", "{memory}"), ("human", "{q}")]).format_messages(memory=text, q="hi")
    assert kept[0].content == text


def test_llama_index_fills_nothing_into_it(text):
    prompts = pytest.importorskip("llama_index.core.prompts")
    as_template = prompts.PromptTemplate(text)
    assert as_template.template_vars == []
    assert as_template.format(context_str="FILLED", query_str="FILLED", x="FILLED") == text
    chat = prompts.ChatPromptTemplate.from_messages([("system", text), ("user", "{query_str}")])
    assert chat.format_messages(query_str="hi")[0].content == text

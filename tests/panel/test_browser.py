"""The page in headless Chromium: every action clicked and its result checked in the ledger; hostile words stay words."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from hermes_core import Hermes, NotFound
from hermes_core.panel import Desk, PanelServer
from tests.panel.conftest import HOSTILE, USER, item

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]
Visit = Callable[[str], Any]


@pytest.fixture
def page(page_server: PanelServer, visit: Visit):
    return visit(page_server.url)


def card(page, words: str):
    return page.locator("article.card").filter(has=page.locator("h3", has_text=words))


def press(page, words: str, name: str) -> None:
    card(page, words).get_by_role("button", name=re.compile(f"^{re.escape(name)}")).click()


def heard(page, text: str) -> None:
    """What the screen reader is told after an action; waits for it."""
    page.locator("[role=status]").filter(has_text=text).wait_for(state="attached")


def test_it_shows_what_is_remembered(page, memory: Hermes):
    shown = {text.strip() for text in page.locator("article.card h3").all_inner_texts()}
    assert shown == {i.text for i in memory.memories(USER) if i.status != "archived"}
    assert page.locator("article.frozen").count() == 2
    assert page.get_by_role("meter", name="Frozen").get_attribute("aria-valuenow") == "2"
    assert page.locator(".changes li").count() > 5


def test_right(page, memory: Hermes):
    before = item(memory, "jazz").confidence
    press(page, "jazz", "Right")
    heard(page, "Marked as right.")
    assert item(memory, "jazz").confidence > before
    assert [c.cause.command for c in memory.history(USER)][-1] == "confirm"


def test_not_right(page, memory: Hermes):
    press(page, "jazz", "Not right")
    heard(page, "Set aside.")
    assert item(memory, "jazz").status == "stale"
    assert page.locator(".waiting").get_by_text("I love jazz").count() == 1


def test_pin_and_unpin(page, memory: Hermes):
    press(page, "jazz", "Pin")
    heard(page, "Pinned.")
    assert item(memory, "jazz").pinned
    press(page, "jazz", "Unpin")
    heard(page, "Unpinned.")
    assert not item(memory, "jazz").pinned


def test_correct_by_keyboard(page, memory: Hermes):
    old = item(memory, "jazz")
    press(page, "jazz", "Correct")
    field = page.locator("textarea")
    assert field.evaluate("node => node === document.activeElement")
    field.fill("I love bebop")
    page.keyboard.press("Enter")
    heard(page, "Corrected.")
    assert memory.get(USER, old.id).status == "archived"
    assert item(memory, "bebop").supersedes == (old.id,)
    assert card(page, "I love bebop").count() == 1


def test_escape_leaves_the_correction(page, memory: Hermes):
    press(page, "jazz", "Correct")
    page.locator("textarea").fill("no")
    page.keyboard.press("Escape")
    assert page.locator("textarea").count() == 0
    assert page.evaluate("document.activeElement.dataset.key") == f"correct:{item(memory, 'jazz').id}"


def test_a_correction_that_is_too_long_is_said_and_kept(page):
    press(page, "jazz", "Correct")
    page.locator("textarea").fill("very " * 80)
    page.get_by_role("button", name="Save").click()
    page.locator("article.card").get_by_role("alert").filter(has_text="at most 50").wait_for()
    assert page.locator("textarea").input_value().startswith("very very")


def test_forget_asks_first(page, memory: Hermes):
    jazz = item(memory, "jazz")
    press(page, "jazz", "Forget")
    dialog = page.get_by_role("alertdialog")
    assert "There is no way back" in dialog.inner_text()
    assert page.evaluate("document.activeElement.textContent") == "Keep it"
    page.keyboard.press("Enter")
    assert memory.get(USER, jazz.id)
    press(page, "jazz", "Forget")
    dialog.get_by_role("button", name="Forget for good").click()
    heard(page, "Forgotten.")
    with pytest.raises(NotFound):
        memory.get(USER, jazz.id)
    assert "jazz" not in page.locator(".hermes-panel").inner_text()
    assert all("jazz" not in turn.text for turn in memory.session(USER, "s2").turns())


def test_approve_a_held_override(page, memory: Hermes):
    page.get_by_role("button", name="Use the new one: I'd rather have longer answers").click()
    heard(page, "The new statement holds now.")
    assert item(memory, "longer answers").status == "frozen"
    assert item(memory, "answers short").status == "archived"


def test_decline_a_held_override(page, memory: Hermes):
    page.get_by_role("button", name="Keep the old one: Please keep your answers short").click()
    heard(page, "The old statement stays.")
    kept = item(memory, "answers short")
    assert (kept.status, kept.held) == ("frozen", ())


def test_reconfirm_what_was_set_aside(page, memory: Hermes):
    page.get_by_role("button", name="Still right: I like green tea").click()
    heard(page, "Marked as right.")
    assert item(memory, "green tea").status == "confirmed"


def test_why_shows_words_and_decisions(page):
    press(page, "answers short", "Why?")
    reasons = card(page, "answers short").locator(".why")
    reasons.wait_for()
    told = reasons.inner_text()
    assert told.count("Please keep your answers short") >= 3
    assert "session s1" in told
    assert "confirmed often enough, in separate sessions" in told
    assert card(page, "answers short").get_by_role("button", name="Close").get_attribute("aria-expanded") == "true"


def test_search_and_pools(page):
    page.get_by_role("searchbox").fill("jazz")
    heard(page, "1 memory")
    assert page.locator("article.card").count() == 1
    assert page.evaluate("document.activeElement.type") == "search"
    page.get_by_role("searchbox").fill("zebra")
    heard(page, "no memory")
    page.get_by_text("Nothing remembered holds “zebra”.").wait_for()
    page.get_by_role("searchbox").fill("")
    page.locator("article.card").nth(2).wait_for()
    page.get_by_role("button", name="Archive").click()
    assert [t.strip() for t in page.locator("article.card h3").all_inner_texts()] == ["我住在上海"]
    page.get_by_role("button", name="Frozen").click()
    assert page.locator("article.card").count() == page.locator("article.frozen").count() == 2


def test_the_trail_tells_what_was_not_kept_when_asked(page, page_server: PanelServer, memory: Hermes):
    memory.session(USER, "s9").observe("user", "Something nobody would remember.")
    memory.flush(USER)
    page.reload()
    lines = page.locator(".changes li")
    lines.nth(3).wait_for()
    assert page.locator(".changes li.on-refused").count() == 0
    before = lines.count()
    page.get_by_label("also what was not kept").check()
    assert page.locator(".changes li.on-refused").count() > 0
    assert lines.count() >= before


def test_another_person(page, memory: Hermes):
    page.get_by_label("Person").select_option("mo")
    page.get_by_role("heading", name="What is remembered of mo").wait_for()
    press(page, "eggs", "Pin")
    heard(page, "Pinned.")
    assert item(memory, "eggs", "mo").pinned


def test_chinese(page, page_server: PanelServer, visit: Visit):
    page.get_by_role("button", name="中文").click()
    page.get_by_role("heading", name="关于 lin 的记忆").wait_for()
    assert page.locator(".hermes-panel").get_attribute("lang") == "zh-Hans"
    assert "冻结了「Please keep your answers short」" in page.locator(".changes").inner_text()
    press(page, "jazz", "置顶")
    heard(page, "已置顶。")
    other = visit(page_server.url.replace("language=en", "language=zh"))
    assert other.get_by_role("heading", name="关于 lin 的记忆").count() == 1


def test_hostile_words_stay_words(page):
    press(page, "<img", "Why?")
    card(page, "<img").locator(".why").wait_for()
    press(page, "<img", "Forget")
    assert card(page, "<img").locator("h3").inner_text() == HOSTILE
    assert page.locator("img, script:not([src])").count() == 0
    assert page.title() == "Hermes Memory"


def test_a_wrong_token_is_refused(page_server: PanelServer, visit: Visit):
    page = visit(page_server.address + "#wrong")
    assert "wrong token" in page.get_by_role("alert").inner_text()
    assert page.locator(".hermes-panel").count() == 0


def test_the_token_leaves_the_address_bar_and_a_reload_still_works(page, page_server: PanelServer):
    assert page_server.token not in page.url
    page.reload()
    page.get_by_role("heading", name="What is remembered of lin").wait_for()


@pytest.mark.parametrize("mode", ["cors", "no-cors"])
def test_a_foreign_page_can_neither_read_nor_act(browser: Any, page_server: PanelServer, memory: Hermes, mode: str):
    """A page of another site in the same browser: even with the token, its requests are refused."""
    page = browser.new_page()
    page.route("http://other.test/", lambda route: route.fulfill(body="<p>hello</p>", content_type="text/html"))
    page.goto("http://other.test/")
    asked = {"action": "forget", "user_id": USER, "item_id": item(memory, "jazz").id}
    tried = page.evaluate(
        """async ([mode, url, token, body]) => {
            const headers = mode === "cors" ? {"Content-Type": "application/json", "X-Hermes-Token": token} : {};
            try {
                const answer = await fetch(url, {method: "POST", mode, body: JSON.stringify(body), headers});
                return answer.type === "opaque" ? "opaque" : "answered";
            } catch { return "refused"; }
        }""",
        [mode, page_server.address + "api", page_server.token, asked],
    )
    page.close()
    assert tried in ("refused", "opaque")
    assert item(memory, "jazz")


@pytest.mark.parametrize("width", [360, 768, 1180])
def test_it_fits_narrow_screens(page, width: int):
    page.set_viewport_size({"width": width, "height": 800})
    press(page, "answers short", "Why?")
    card(page, "answers short").locator(".why").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_light_and_dark_differ_and_text_can_be_read(page):
    """WCAG AA: every text has a contrast of at least 4.5 to what lies behind it, in both schemes."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        assert page.evaluate(CONTRAST) == []


def test_every_control_has_a_name_and_the_keyboard_reaches_it(page):
    nameless = page.evaluate(
        """() => [...document.querySelectorAll("button, select, input, textarea")].filter((node) =>
            !(node.getAttribute("aria-label") || node.textContent.trim() || node.labels?.length))
            .map((node) => node.outerHTML)"""
    )
    assert nameless == []
    controls = page.locator("button, select, input").count()
    reached = set()
    for _ in range(controls + 5):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.dataset.key ?? ''"))
    assert len(reached - {""}) == controls


CONTRAST = """() => {
  const parse = (text) => { const c = document.createElement("canvas").getContext("2d"); c.fillStyle = text; c.fillRect(0, 0, 1, 1); return [...c.getImageData(0, 0, 1, 1).data]; };
  const light = ([r, g, b]) => { const f = (v) => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }; return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b); };
  const behind = (node) => { for (; node; node = node.parentElement) { const c = parse(getComputedStyle(node).backgroundColor); if (c[3] === 255) return c; } return [255, 255, 255, 255]; };
  const bad = [];
  for (const node of document.querySelectorAll(".hermes-panel *")) {
    if (node.closest(".unseen, svg") || ![...node.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim())) continue;
    const [a, b] = [light(parse(getComputedStyle(node).color)), light(behind(node))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) bad.push(`${node.className || node.tagName} ${node.textContent.slice(0, 30)} ${ratio.toFixed(2)}`);
  }
  return bad;
}"""


def test_the_same_script_serves_a_notebook(page, memory: Hermes):
    """With a notebook's model in place of the page's: messages out, replies and changed views in, cleaned up at the end."""
    desk = Desk(memory, USER)
    jazz = item(memory, "jazz")
    before = desk.view()
    done = desk.answer({"action": "pin", "item_id": jazz.id, "pinned": True})
    memory.forget(USER, item(memory, "green tea").id)
    result = page.evaluate(
        """async ([before, done, after, id]) => {
            const {default: panel} = await import("/panel.js");
            const listeners = {}, sent = [];
            let view = before;
            const model = {
                get: () => view,
                on: (name, callback) => { (listeners[name] ??= new Set()).add(callback); },
                off: (name, callback) => listeners[name].delete(callback),
                send: (message) => sent.push(message),
            };
            const el = document.body.appendChild(document.createElement("div"));
            const cleanup = panel.render({model, el});
            const cards = () => el.querySelectorAll("article.card").length;
            const told = {first: cards()};
            el.querySelector(`[data-key="pin:${id}"]`).click();
            told.sent = sent[0];
            listeners["msg:custom"].forEach((callback) => callback({...done, id: sent[0].id}));
            await new Promise((resolve) => setTimeout(resolve, 50));
            told.pinned = el.querySelector(`[data-item="${id}"] .pinned`) !== null;
            told.heard = el.querySelector("[role=status]").textContent;
            view = after;
            listeners["change:view"].forEach((callback) => callback());
            told.then = cards();
            cleanup();
            told.left = el.childElementCount + listeners["msg:custom"].size + listeners["change:view"].size;
            el.remove();
            return told;
        }""",
        [before, done, desk.view(), jazz.id],
    )
    sent = result.pop("sent")
    assert (sent["action"], sent["item_id"], sent["pinned"], sent["user_id"]) == ("pin", jazz.id, True, USER)
    assert result == {"first": 7, "pinned": True, "heard": "Pinned.", "then": 6, "left": 0}

// The panel, once for notebook and page: draws the view, asks for what the person wants done, draws the reply.
// Everything that was said is set as text, never as HTML. No rule of memory lives here; `model` is all it knows of the world:
// get("view"), send(message), on/off("msg:custom", callback).

const WORDS = {
  en: {
    title: "What is remembered of {0}", sub: "version {0} · {1}", user: "Person", language: "Language",
    capacity: "How full the memory is", of: "{0} of {1}",
    hot: "Active", frozen: "Frozen", archive: "Archive", short_term: "Short-term",
    all: "All", pools: "Which memories", search: "Search", placeholder: "Search words, topics, quotes",
    static: "Who you are", dynamic: "What you prefer", short_term_layer: "What is going on now", archived: "Archive",
    layer_static: "identity, constraints, facts, relations", layer_dynamic: "preferences", layer_short_term: "states and events",
    layer_archived: "out of use, kept for the record",
    waiting: "Waiting for your word", asked: "“{0}” stands. Later, something different was said:",
    stale: "Set aside until you say whether it still holds:",
    approve: "Use the new one", decline: "Keep the old one", still: "Still right",
    right: "Right", correct: "Correct", wrong: "Not right", pin: "Pin", unpin: "Unpin", forget: "Forget", why: "Why?", less: "Close",
    save: "Save", cancel: "Cancel", edit: "What should it say?", hint: "At most {0} tokens, about {0} short words. The old words stay in the history.",
    sure: "Forget this for good?", gone: "“{0}” is erased from memory, from the messages it came from and from the files. There is no way back.",
    forget_yes: "Forget for good", forget_no: "Keep it",
    confidence: "confidence", said: "counted {0}×, in {1} sessions", said_here: "counted {0}×, in one session", said_one: "said once", noted: "by your command",
    curve: "Strength {0} now, {1} in 30 days, {2} in 90 days if it never comes up again.",
    steady: "doesn't fade", sleeps: "asleep in {0} days", sleeps_one: "asleep in a day", asleep: "asleep", halves: "halves in {0} days",
    pinned: "pinned", sensitive: "sensitive", suspicious: "suspicious", inferred: "concluded", observed: "under observation", held: "{0} held",
    words: "Your words", whole: "the whole message", answers: "in answer to", session: "session {0}", emotional: "in an emotional moment",
    decisions: "What was decided", no_words: "No words of yours are cited.",
    trail: "Recent changes", trail_empty: "Nothing has changed yet.", refused: "also what was not kept ({0})", more: "Show more",
    none: "Nothing is remembered here yet.", none_found: "Nothing remembered holds “{0}”.", hidden: "and {0} more in the archive; search to find them",
    done_confirm: "Marked as right.", done_reject: "Set aside.", done_forget: "Forgotten.", done_correct: "Corrected.",
    done_pin: "Pinned.", done_unpin: "Unpinned.", done_approve: "The new statement holds now.", done_decline: "The old statement stays.",
    counted: "{0} memories", counted_one: "1 memory", counted_none: "no memory", silent: "No answer. Is the program behind the panel still running?", subject: "about {0}",
    close_error: "Dismiss",
  },
  zh: {
    title: "关于 {0} 的记忆", sub: "版本 {0} · {1}", user: "用户", language: "语言",
    capacity: "记忆的占用情况", of: "{0} / {1}",
    hot: "活跃", frozen: "冻结", archive: "归档", short_term: "短期",
    all: "全部", pools: "查看哪些记忆", search: "搜索", placeholder: "搜索词语、话题、原话",
    static: "你是谁", dynamic: "你的偏好", short_term_layer: "近况", archived: "归档",
    layer_static: "身份、约束、事实、关系", layer_dynamic: "偏好", layer_short_term: "状态与事件",
    layer_archived: "已不使用，留作记录",
    waiting: "等你决定", asked: "现在记着「{0}」，后来又有不同的说法：",
    stale: "已暂停使用，等你确认是否仍然成立：",
    approve: "采用新的", decline: "保留原来的", still: "仍然成立",
    right: "正确", correct: "更正", wrong: "不对", pin: "置顶", unpin: "取消置顶", forget: "忘掉", why: "为什么？", less: "收起",
    save: "保存", cancel: "取消", edit: "应该怎么说？", hint: "最多 {0} 个 token，约 {0} 个字。原来的话会留在历史里。",
    sure: "永久忘掉这条记忆？", gone: "「{0}」将从记忆、原始消息和文件中抹去，无法恢复。",
    forget_yes: "永久忘掉", forget_no: "保留",
    confidence: "置信度", said: "计 {0} 次，来自 {1} 个会话", said_here: "计 {0} 次，来自一个会话", said_one: "说过一次", noted: "来自你的指令",
    curve: "强度：现在 {0}，30 天后 {1}，90 天后 {2}（若不再提起）。",
    steady: "不会淡忘", sleeps: "{0} 天后休眠", sleeps_one: "一天后休眠", asleep: "休眠中", halves: "每 {0} 天减半",
    pinned: "置顶", sensitive: "敏感", suspicious: "可疑", inferred: "归纳得出", observed: "观察中", held: "{0} 条待定",
    words: "你的原话", whole: "整条消息", answers: "回答", session: "会话 {0}", emotional: "情绪激动时",
    decisions: "做过的决定", no_words: "没有引用你的原话。",
    trail: "最近的变化", trail_empty: "还没有任何变化。", refused: "包括没有记住的（{0}）", more: "显示更多",
    none: "这里还没有记忆。", none_found: "没有记忆包含「{0}」。", hidden: "归档里还有 {0} 条，可用搜索查找",
    done_confirm: "已标为正确。", done_reject: "已暂停使用。", done_forget: "已忘掉。", done_correct: "已更正。",
    done_pin: "已置顶。", done_unpin: "已取消置顶。", done_approve: "已采用新的说法。", done_decline: "已保留原来的说法。",
    counted: "{0} 条记忆", counted_one: "1 条记忆", counted_none: "没有记忆", silent: "没有回应。面板背后的程序还在运行吗？", subject: "关于 {0}",
    close_error: "知道了",
  },
};
const LAYERS = ["static", "dynamic", "short_term"];
const PATIENCE = 30_000; // milliseconds until a request counts as unanswered
const TRAIL_STEP = 12; // lines of the trail shown at first, and added by each "more"
let panels = 0; // on one page; ids of elements must differ

// A DOM element: properties, aria-* and data-* attributes, listeners (on…), children. Strings become text nodes.
function el(tag, given = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "class") node.className = value;
    else if (name in node && !name.startsWith("aria") && name !== "role") node[name] = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

function svg(tag, given, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(given)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

function render({ model, el: root }) {
  const prefix = `hermes-${++panels}`;
  const state = {
    view: model.get("view"), language: model.get("view").language, query: "", pool: "all", trail: TRAIL_STEP, refused: false,
    open: new Map(), editing: null, draft: "", forgetting: null, problem: "", problemAt: null,
  };
  const waitingFor = new Map(); // request id -> resolve
  let asked = 0;

  const say = (key, ...values) => (WORDS[state.language][key] ?? key).replace(/\{(\d)\}/g, (_, n) => values[n]);
  const share = (number) => `${Math.round(number * 100)}%`;
  const when = (iso) => new Intl.DateTimeFormat(state.language === "zh" ? "zh-CN" : "en-GB", { dateStyle: "medium", timeStyle: "short" }).format(new Date(iso));
  const day = (iso) => new Intl.DateTimeFormat(state.language === "zh" ? "zh-CN" : "en-GB", { dateStyle: "medium" }).format(new Date(iso));

  // ---- asking
  function receive(reply) {
    const resolve = waitingFor.get(reply?.id);
    if (resolve === undefined) return;
    waitingFor.delete(reply.id);
    resolve(reply);
  }

  function ask(action, more = {}) {
    const id = `${prefix}.${++asked}`;
    const request = { id, action, user_id: state.view.user_id, language: state.language, query: state.query, ...more };
    return new Promise((resolve) => {
      waitingFor.set(id, resolve);
      setTimeout(() => receive({ id, ok: false, error: { kind: "Silent", message: say("silent") } }), PATIENCE);
      model.send(request);
    });
  }

  async function act(action, more, done, focus) {
    content.setAttribute("aria-busy", "true");
    const reply = await ask(action, more);
    content.removeAttribute("aria-busy");
    if (!reply.ok) {
      state.problem = reply.error.message;
      state.problemAt = more?.item_id ?? null;
      draw();
      return false;
    }
    state.problem = "";
    if (reply.view) state.view = reply.view;
    if (more?.item_id) state.open.delete(more.item_id);
    state.editing = state.forgetting = null;
    draw(focus);
    if (done) live.textContent = done;
    return true;
  }

  let latest = 0; // the newest look: an older reply must not overwrite a newer one
  async function look(focus) {
    const mine = ++latest;
    const reply = await ask("view");
    if (mine !== latest) return;
    state.problem = reply.ok ? "" : reply.error.message;
    state.problemAt = null;
    if (reply.ok) state.view = reply.view;
    draw(focus);
    const count = shown().length;
    live.textContent = count === 0 ? say("counted_none") : count === 1 ? say("counted_one") : say("counted", count);
  }

  async function toggleWhy(item) {
    if (state.open.has(item.id)) {
      state.open.delete(item.id);
      return draw();
    }
    const reply = await ask("explain", { item_id: item.id });
    if (reply.ok) state.open.set(item.id, reply.why);
    else [state.problem, state.problemAt] = [reply.error.message, item.id];
    draw();
  }

  // ---- parts
  function header() {
    const { view } = state;
    const users = view.users.length > 1 && el("label", { class: "field" }, el("span", { class: "quiet" }, say("user")),
      el("select", { "data-key": "user", onchange: (event) => { state.view = { ...view, user_id: event.target.value }; state.open.clear(); state.pool = "all"; look("user"); } },
        view.users.map((name) => el("option", { value: name, selected: name === view.user_id }, name))));
    const languages = el("div", { class: "segments", role: "group", "aria-label": say("language") },
      [["en", "English"], ["zh", "中文"]].map(([code, name]) => el("button", {
        type: "button", lang: code, "aria-pressed": String(state.language === code), "data-key": `language:${code}`,
        onclick: () => { state.language = code; state.open.clear(); look(`language:${code}`); },
      }, name)));
    return el("header", {}, el("div", {}, el("h1", { tabIndex: -1, "data-key": "title" }, say("title", view.user_id)),
      el("p", { class: "quiet" }, say("sub", view.version, when(view.taken_at)))), el("div", { class: "controls" }, users, languages));
  }

  function capacity() {
    return el("section", { class: "pools", "aria-label": say("capacity") }, state.view.pools.map((pool) => {
      const part = Math.min(1, pool.size / pool.cap);
      const fill = el("span", { class: "fill" });
      fill.style.inlineSize = `${Math.max(part * 100, pool.size ? 1.5 : 0)}%`;
      return el("div", { class: `pool pool-${pool.name}${pool.warn ? " warn" : ""}` },
        el("div", { class: "pool-line" }, el("span", {}, say(pool.name)), el("span", { class: "quiet" }, say("of", pool.size, pool.cap.toLocaleString("en")))),
        el("div", { class: "bar", role: "meter", "aria-label": say(pool.name), "aria-valuemin": "0", "aria-valuemax": String(pool.cap), "aria-valuenow": String(pool.size), "aria-valuetext": say("of", pool.size, pool.cap) }, fill));
    }));
  }

  function waiting() {
    const held = state.view.items.flatMap((item) => item.status === "archived" ? [] : item.held.map((override, index) => ({ item, override, index })));
    const stale = state.view.items.filter((item) => item.status === "stale" && item.held.length === 0);
    if (held.length + stale.length === 0) return null;
    return el("section", { class: "waiting", "aria-labelledby": `${prefix}-waiting` },
      el("h2", { id: `${prefix}-waiting` }, say("waiting")),
      held.map(({ item, override, index }) => el("div", { class: "ask", "data-item": item.id },
        el("p", { class: "quiet" }, say("asked", item.text)), el("p", { class: "said" }, override.text),
        override.why && el("p", { class: "quiet small" }, override.why),
        quotes(override.evidence, {}),
        el("div", { class: "actions" },
          button("approve", item, () => act("approve", { item_id: item.id, override: index }, say("done_approve"), "title"), { class: "primary", about: override.text, key: `approve:${item.id}:${index}` }),
          button("decline", item, () => act("decline", { item_id: item.id, override: index }, say("done_decline"), "title"), { about: item.text, key: `decline:${item.id}:${index}` })))),
      stale.map((item) => el("div", { class: "ask", "data-item": item.id },
        el("p", { class: "quiet" }, say("stale")), el("p", { class: "said" }, item.text),
        el("div", { class: "actions" },
          button("still", item, () => act("confirm", { item_id: item.id }, say("done_confirm"), `card:${item.id}`), { class: "primary" }),
          button("correct", item, () => edit(item), { key: `correct-waiting:${item.id}` })))));
  }

  function button(word, item, onclick, { class: extra = "", about = item.text, key = `${word}:${item.id}`, ...more } = {}) {
    return el("button", { type: "button", class: extra, "data-key": key, "aria-label": `${say(word)}: ${about}`, onclick, ...more }, say(word));
  }

  function edit(item) {
    state.editing = item.id;
    state.draft = item.text;
    state.forgetting = null;
    if (!shown().some((other) => other.id === item.id)) state.pool = "all";
    draw(`edit:${item.id}`);
  }

  function shown() {
    const { pool } = state;
    return state.view.items.filter((item) => pool === "all" ? item.status !== "archived" : pool === "archive" ? item.status === "archived" : item.pool === pool);
  }

  function tabs() {
    const counts = Object.fromEntries(state.view.pools.map((pool) => [pool.name, pool.size]));
    const sizes = { all: counts.hot + counts.frozen, frozen: counts.frozen, hot: counts.hot, archive: counts.archive };
    return el("div", { class: "segments", role: "group", "aria-label": say("pools") }, Object.entries(sizes).map(([name, size]) => el("button", {
      type: "button", "aria-pressed": String(state.pool === name), "data-key": `pool:${name}`, onclick: () => { state.pool = name; draw(); },
    }, say(name), el("span", { class: "count" }, String(size)))));
  }

  function list() {
    const items = shown();
    if (items.length === 0) return el("p", { class: "empty" }, state.query.trim() ? say("none_found", state.query.trim()) : say("none"));
    const groups = state.pool === "archive" ? [["archived", items]] : LAYERS.map((layer) => [layer, items.filter((item) => item.layer === layer)]);
    return groups.filter(([, members]) => members.length).map(([name, members]) => el("section", { class: "layer", "aria-labelledby": `${prefix}-${name}` },
      el("h2", { id: `${prefix}-${name}` }, say(name === "short_term" ? "short_term_layer" : name), el("span", { class: "quiet small" }, say(`layer_${name}`))),
      el("div", { class: "cards" }, members.map(card)),
      name === "archived" && state.view.hidden > 0 && el("p", { class: "quiet" }, say("hidden", state.view.hidden))));
  }

  function card(item) {
    const title = `${prefix}-item-${item.id}`;
    const words = state.view.words;
    const marks = ["pinned", "sensitive", "suspicious", "inferred", "observed"].filter((mark) => item[mark]).map((mark) => el("span", { class: `mark ${mark}` }, say(mark)));
    return el("article", { class: `card ${item.status}${item.asleep ? " asleep" : ""}`, "aria-labelledby": title, "data-item": item.id },
      el("div", { class: "top" }, el("span", { class: "status" }, words.status[item.status]), el("span", { class: "quiet" }, words.kind[item.kind]),
        item.subject !== "user" && el("span", { class: "quiet" }, say("subject", item.subject)), marks,
        item.held.length > 0 && el("span", { class: "mark held" }, say("held", item.held.length))),
      state.editing === item.id ? editor(item, title) : el("h3", { id: title, lang: item.language, tabIndex: -1, "data-key": `card:${item.id}` }, item.text),
      problem(item.id),
      facts(item),
      state.forgetting === item.id ? farewell(item) : actions(item),
      state.open.has(item.id) && reasons(item));
  }

  function facts(item) {
    const bar = el("span", { class: "fill" });
    bar.style.inlineSize = share(item.confidence);
    const commanded = item.evidence.length > 0 && item.evidence.every((words) => words.session_id === "commands");
    const times = Number.isInteger(item.confirmations) ? String(item.confirmations) : item.confirmations.toFixed(1);
    return el("div", { class: "facts" },
      el("div", { class: "fact" }, el("span", { class: "quiet small" }, say("confidence")),
        el("div", { class: "bar small-bar", role: "meter", "aria-label": say("confidence"), "aria-valuemin": "0", "aria-valuemax": "100", "aria-valuenow": String(Math.round(item.confidence * 100)), "aria-valuetext": share(item.confidence) }, bar),
        el("span", { class: "small" }, share(item.confidence))),
      el("div", { class: "fact" }, curve(item), el("span", { class: "quiet small" }, fading(item))),
      el("span", { class: "quiet small" }, commanded ? say("noted") : item.confirmations <= 1 ? say("said_one") : say(item.sessions > 1 ? "said" : "said_here", times, item.sessions)),
      el("span", { class: "quiet small" }, day(item.confirmed_at)));
  }

  function fading(item) {
    if (item.status === "archived") return item.archived_because;
    if (item.half_life_days === null) return say("steady");
    if (item.asleep) return say("asleep");
    if (item.days_to_sleep !== null) return item.days_to_sleep === 1 ? say("sleeps_one") : say("sleeps", item.days_to_sleep);
    return say("halves", Math.round(item.half_life_days));
  }

  // The strength of the coming days, under the law of fading; the dashed line is where a memory falls asleep.
  function curve(item) {
    const [width, height] = [96, 26];
    const at = (value) => 2 + (1 - value) * (height - 4);
    const step = width / (item.curve.length - 1);
    const points = item.curve.map((value, n) => `${(n * step).toFixed(1)},${at(value).toFixed(1)}`);
    const month = item.curve[Math.round((30 / state.view.horizon_days) * (item.curve.length - 1))];
    const label = say("curve", item.strength.toFixed(2), month.toFixed(2), item.curve.at(-1).toFixed(2));
    const sleep = at(state.view.asleep_under).toFixed(1);
    const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label, class: "curve" });
    const title = svg("title", {});
    title.textContent = label;
    picture.append(title,
      svg("line", { x1: 0, x2: width, y1: sleep, y2: sleep, class: "sleep" }),
      svg("polygon", { points: `0,${height} ${points.join(" ")} ${width},${height}`, class: "under" }),
      svg("polyline", { points: points.join(" "), class: "line" }));
    return picture;
  }

  function actions(item) {
    if (state.editing === item.id) return null;
    const open = state.open.has(item.id);
    const standing = item.status !== "archived";
    return el("div", { class: "actions" },
      button(open ? "less" : "why", item, () => toggleWhy(item), { key: `why:${item.id}`, "aria-expanded": String(open), "aria-controls": open ? `${prefix}-why-${item.id}` : null, class: "lead" }),
      button("right", item, () => act("confirm", { item_id: item.id }, say("done_confirm"))),
      button("correct", item, () => edit(item)),
      standing && item.status !== "stale" && button("wrong", item, () => act("reject", { item_id: item.id }, say("done_reject"), `card:${item.id}`)),
      standing && button(item.pinned ? "unpin" : "pin", item, () => act("pin", { item_id: item.id, pinned: !item.pinned }, say(item.pinned ? "done_unpin" : "done_pin")), { key: `pin:${item.id}` }),
      button("forget", item, () => { state.forgetting = item.id; state.editing = null; draw(`forget_no:${item.id}`); }, { class: "danger" }));
  }

  function editor(item, title) {
    const leave = () => { state.editing = null; state.problem = ""; draw(`correct:${item.id}`); };
    const save = () => act("correct", { item_id: item.id, text: state.draft }, say("done_correct"), "title");
    return el("form", { class: "editor", onsubmit: (event) => { event.preventDefault(); save(); }, onkeydown: (event) => {
      if (event.key === "Escape" && !event.isComposing) leave();
      if (event.key === "Enter" && !event.shiftKey && !event.isComposing) { event.preventDefault(); save(); }
    } },
      el("label", { id: title, htmlFor: `${title}-edit` }, say("edit")),
      el("textarea", { id: `${title}-edit`, rows: 2, value: state.draft, "data-key": `edit:${item.id}`, "aria-describedby": `${title}-hint`, oninput: (event) => { state.draft = event.target.value; } }),
      el("p", { class: "quiet small", id: `${title}-hint` }, say("hint", state.view.item_tokens)),
      el("div", { class: "actions" }, el("button", { type: "submit", class: "primary", "data-key": `save:${item.id}` }, say("save")),
        el("button", { type: "button", "data-key": `cancel:${item.id}`, onclick: leave }, say("cancel"))));
  }

  function farewell(item) {
    const stay = () => { state.forgetting = null; draw(`forget:${item.id}`); };
    const text = `${prefix}-gone-${item.id}`;
    return el("div", { class: "farewell", role: "alertdialog", "aria-label": say("sure"), "aria-describedby": text, onkeydown: (event) => { if (event.key === "Escape") stay(); } },
      el("p", {}, el("strong", {}, say("sure"))), el("p", { class: "quiet", id: text }, say("gone", item.text)),
      el("div", { class: "actions" },
        el("button", { type: "button", "data-key": `forget_no:${item.id}`, onclick: stay }, say("forget_no")),
        el("button", { type: "button", class: "danger strong", "data-key": `forget_yes:${item.id}`, onclick: () => act("forget", { item_id: item.id }, say("done_forget"), "title") }, say("forget_yes"))));
  }

  function quotes(evidence, turns) {
    return el("ul", { class: "quotes" }, evidence.map((words) => el("li", {},
      el("blockquote", {}, words.quote),
      words.asked && el("p", { class: "quiet small" }, `${say("answers")}: ${words.asked}`),
      turns[words.turn_id] && el("p", { class: "quiet small" }, `${say("whole")}: ${turns[words.turn_id]}`),
      el("p", { class: "quiet small" }, [say("session", words.session_id), when(words.said_at), words.emotional ? say("emotional") : ""].filter(Boolean).join(" · ")))));
  }

  function reasons(item) {
    const found = state.open.get(item.id);
    return el("div", { class: "why", id: `${prefix}-why-${item.id}` }, el("h4", {}, say("words")),
      item.evidence.length ? quotes(item.evidence, found.turns) : el("p", { class: "quiet" }, say("no_words")),
      el("h4", {}, say("decisions")), lines(found.trail));
  }

  function lines(trail) {
    return el("ol", { class: "trail" }, trail.map((line) => el("li", { class: `on-${line.event}` }, el("time", { dateTime: line.at, class: "quiet small" }, when(line.at)), el("span", {}, line.line))));
  }

  function changes() {
    const refused = state.view.trail.filter((line) => line.event === "refused").length;
    const trail = state.view.trail.filter((line) => state.refused || line.event !== "refused");
    const toggle = refused > 0 && el("label", { class: "quiet small toggle" },
      el("input", { type: "checkbox", checked: state.refused, "data-key": "refused", onchange: (event) => { state.refused = event.target.checked; draw("refused"); } }), say("refused", refused));
    return el("section", { class: "changes", "aria-labelledby": `${prefix}-trail` }, el("h2", { id: `${prefix}-trail`, tabIndex: -1, "data-key": "trail" }, say("trail")), toggle,
      trail.length ? lines(trail.slice(0, state.trail)) : el("p", { class: "quiet" }, say("trail_empty")),
      trail.length > state.trail && el("button", { type: "button", "data-key": "more", onclick: () => { state.trail += TRAIL_STEP; draw("more", "trail"); } }, say("more")));
  }

  // What went wrong, said where it was tried: in the card, or on top where its card is not on view.
  function problem(place) {
    const at = shown().some((item) => item.id === state.problemAt) ? state.problemAt : null;
    return state.problem && at === place && el("div", { class: "problem", role: "alert" }, el("p", {}, state.problem),
      el("button", { type: "button", onclick: () => { state.problem = ""; draw(at === null ? "title" : `edit:${at}`, `card:${at}`); } }, say("close_error")));
  }

  // ---- the frame: what must survive a redraw (the search field while someone types in it, the voice of the screen reader)
  let typing;
  const search = el("input", { type: "search", "data-key": "search", autocomplete: "off", spellcheck: false, oninput: () => {
    clearTimeout(typing);
    typing = setTimeout(() => { state.query = search.value; look("search"); }, 180);
  } });
  const parts = { top: el("div"), tools: el("div", { class: "tabs" }), main: el("div", { class: "main" }), side: el("div", { class: "side" }) };
  const live = el("div", { class: "unseen", role: "status", "aria-live": "polite" });
  const content = el("div", { class: "frame" }, parts.top,
    el("div", { class: "tools", role: "search" }, search, parts.tools), el("div", { class: "columns" }, parts.main, parts.side));
  const panel = el("div", { class: "hermes-panel" }, live, content);

  // Draw everything anew; the keyboard stays where it was, or goes to the first of `wanted` that is there.
  function draw(...wanted) {
    const active = panel.contains(document.activeElement) ? document.activeElement : null;
    const key = active?.dataset?.key;
    panel.lang = state.language === "zh" ? "zh-Hans" : "en";
    search.placeholder = say("placeholder");
    search.setAttribute("aria-label", say("search"));
    const fill = (node, ...children) => node.replaceChildren(...children.flat().filter(Boolean));
    fill(parts.top, header(), capacity(), problem(null), waiting());
    fill(parts.tools, tabs());
    fill(parts.main, list());
    fill(parts.side, changes());
    const keys = wanted.filter(Boolean).length ? wanted : key ? [key, "title"] : [];
    const target = keys.map((name) => name && panel.querySelector(`[data-key="${CSS.escape(name)}"]`)).find(Boolean);
    if (target && target !== document.activeElement) target.focus({ preventScroll: target.dataset.key === "title" && window.scrollY < 400 });
  }

  // Another display of the same panel, or the program itself, changed something.
  const changed = () => {
    const view = model.get("view");
    if (view.version <= state.view.version) return;
    if (view.language !== state.language || state.query) return void look();
    state.view = view;
    draw();
  };
  model.on("msg:custom", receive);
  model.on("change:view", changed);
  root.append(panel);
  draw();
  return () => {
    model.off("msg:custom", receive);
    model.off("change:view", changed);
    panel.remove();
  };
}

export default { render };

// The stand-alone page's side of the panel: the token, and requests over HTTP in place of a notebook's messages.
import panel from "./panel.js";

const root = document.getElementById("panel");
const zh = (new URLSearchParams(location.search).get("language") ?? navigator.language).toLowerCase().startsWith("zh");

// The token comes behind # and leaves the address bar at once; a reload of this tab still knows it.
const token = location.hash.slice(1) || sessionStorage.getItem("token") || "";
sessionStorage.setItem("token", token);
history.replaceState(null, "", location.pathname + location.search);

async function ask(request) {
  try {
    const answer = await fetch("api", { method: "POST", headers: { "Content-Type": "application/json", "X-Hermes-Token": token }, body: JSON.stringify(request) });
    return await answer.json();
  } catch {
    const message = zh ? "没有回应。`hermes panel` 还在运行吗？" : "No answer. Is `hermes panel` still running?";
    return { ok: false, error: { kind: "Silent", message } };
  }
}

const first = await ask({ action: "view", language: zh ? "zh" : "en" });
document.documentElement.lang = zh ? "zh-Hans" : "en";
if (first.ok) {
  const listeners = { "msg:custom": new Set(), "change:view": new Set() };
  const model = {
    get: (name) => (name === "view" ? first.view : undefined),
    on: (name, callback) => listeners[name]?.add(callback),
    off: (name, callback) => listeners[name]?.delete(callback),
    send: async (request) => {
      const reply = { ...(await ask(request)), id: request.id };
      listeners["msg:custom"].forEach((callback) => callback(reply));
    },
  };
  panel.render({ model, el: root });
} else {
  const told = document.createElement("p");
  told.className = "no-entry";
  told.setAttribute("role", "alert");
  told.textContent = first.error.message;
  root.append(told);
}
root.dataset.ready = "true";

"""Makes remembered text harmless inside a prompt (FAULTS P1; braces, markup, roles). Pure text in, text out.

Nothing is judged here by what it means for memory; `looks_like_instruction` only says what must not be quoted.
Every replacement is a look-alike that people and models still read, and none is touched again: idempotent.
"""

from __future__ import annotations

import re

# Braces break format strings and templates, angle brackets close fences and imitate tags, backticks open code.
_LOOKALIKES = str.maketrans({"{": "｛", "}": "｝", "<": "‹", ">": "›", "`": "'", "\\": "＼"})
_INVISIBLE = re.compile(  # controls, zero-width characters and direction overrides (not the emoji joiner)
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u061c\u180e\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
_SURROGATE = re.compile("[\ud800-\udfff]")
_SPACE = re.compile(r"[\s\x85\u2028\u2029]+")
_MARKUP = re.compile(r"#{2,}|^\s*#|-{3,}|={3,}|~{3,}|\*{3,}|_{3,}|\]\(|!\[")
_ROLE = re.compile(
    r"(?i)(?<![^\W_])((?:system|assistant|user|human|developer|tool|function|model|ai|bot|instructions?|prompt)"
    r"|系统|系統|助手|助理|用户|用戶|人类|模型|指令|提示词?)(\s?)[:：]"
)
_BRACKETED = re.compile(r"(?i)\[(?=/?\s*(?:inst|sys|system|assistant|user|m:|memory|end|start|/))")
_NEEDS_CARE = re.compile(r"[^\w ,.!?'’，。！？、；（）()%&+/“”\"$€£¥°·…—–-]|--|__|^\s|\s$|  ", re.UNICODE)

_INSTRUCTION = re.compile(
    r"""(?ix)
    \b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:instruction|prompt|rule|polic|guideline|above|previous|prior)
    | \byou\s+are\s+now\b | \bsystem\s*prompt\b | \bjailbreak | \bdeveloper\s+mode\b | \bact\s+as\s+(?:an?\s+)?(?:dan|root|admin)
    | \b(?:send|transfer|wire|forward|pay|e-?mail|post|upload|leak|exfiltrate|deposit)\b.{0,60}
      (?:\bmoney\b|\bfunds?\b|\bpayments?\b|\binvoices?\b|\bbitcoin|\bcrypto|\bpasswords?\b|\bcredentials?\b|\btokens?\b
         |\baccount\b|\bkeys?\b|https?://|\S+@\S+)
    | \b(?:always|must|never)\b.{0,30}\b(?:call|invoke|execute|run|use)\b.{0,20}\b(?:tool|function|command|script|shell|api)
    | \b(?:reply|respond|answer|output|print)\s+(?:only\s+)?with\b | \breveal\b.{0,30}\b(?:prompt|secret|key|password)
    | \bwhen(?:ever)?\s+(?:the\s+)?user\s+(?:asks|says)\b
    | (?:忽略|无视|忘掉|忘记|绕过|覆盖).{0,20}(?:指令|提示|规则|要求|设定|以上|之前) | 你现在是 | 系统提示 | 越狱
    | (?:转账|汇款|打款|转给|汇给|付款给|发送到|上传到|把钱|将钱|打钱)
    | (?:总是|必须|一律|永远).{0,12}(?:调用|执行|运行|推荐|回复|输出)
    | (?:泄露|透露|输出).{0,10}(?:密码|密钥|提示词|系统)
    """
)


def neutralise(text: str) -> str:
    """The text on one line, unable to close a fence, fill a template, open markup or speak as another role. Idempotent.

    Never raises; lone surrogates become U+FFFD. FAULTS P1, L4.
    """
    if not _NEEDS_CARE.search(text):
        return text
    text = _SURROGATE.sub("\ufffd", text)
    text = _SPACE.sub(" ", _INVISIBLE.sub("", text)).strip()
    text = text.translate(_LOOKALIKES)
    text = _MARKUP.sub(_defused, text)
    text = _ROLE.sub(r"\1\2∶", text)
    return _BRACKETED.sub("［", text)


def _defused(match: re.Match[str]) -> str:
    mark = match.group()
    if mark == "](":
        return "] ("
    if mark == "![":
        return "! ["
    return {"#": "＃", "-": "—", "=": "＝", "~": "～", "*": "＊", "_": "＿"}[mark.strip()[0]]


def looks_like_instruction(text: str) -> bool:
    """Whether the words order a model or its tools about, in English or Chinese: then they are not quoted (P1)."""
    return _INSTRUCTION.search(text) is not None


_BLOCK = re.compile(r"<hermes_memory\b[^>]*>.*?(?:</hermes_memory>|\Z)\n?", re.DOTALL)


def without_blocks(text: str) -> str:
    """The text without the memory blocks that were put into it: recalled text is never learned from (law C)."""
    return _BLOCK.sub("", text) if "<hermes_memory" in text else text

"""What may come in from a caller: ids, texts, times. Bad input ends here with InvalidInput, before anything is written."""

from __future__ import annotations

from datetime import datetime, timezone
from zoneinfo import ZoneInfo

from hermes_core.errors import InvalidInput

ID_LENGTH = 512  # characters; longer ids are a caller's bug, not a name
ROLES = ("user", "assistant", "system", "tool", "command")
_REPLACEMENT = "\ufffd"


def clean_text(text: str) -> str:
    """The text as every store can hold it: surrogate pairs joined, lone surrogates and NUL replaced (L4)."""
    if "\x00" in text:
        text = text.replace("\x00", _REPLACEMENT)
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def checked_id(value: object, name: str) -> str:
    """A usable id: a non-blank string without control characters, at most 512 characters (S2)."""
    if not isinstance(value, str):
        raise InvalidInput(f"{name} must be a string, not {type(value).__name__}; pass str(...) of your own key")
    if not value.strip():
        raise InvalidInput(f"{name} must not be empty or blank; pass the key by which your application knows it")
    if len(value) > ID_LENGTH:
        raise InvalidInput(
            f"{name} has {len(value)} characters; at most {ID_LENGTH} are allowed, so pass a key, not content"
        )
    if clean_text(value) != value or any(ord(c) < 32 for c in value):
        raise InvalidInput(f"{name} {value!r} holds control characters or broken unicode; pass a plain key")
    return value


def checked_text(value: object, name: str = "text") -> str:
    """Clean, non-blank text (X2)."""
    if not isinstance(value, str):
        raise InvalidInput(f"{name} must be a string, not {type(value).__name__}")
    if not value.strip():
        raise InvalidInput(f"{name} is empty; there is nothing to remember in it, so don't pass it on")
    return clean_text(value)


def checked_words(value: object, name: str) -> str:
    """Any string, an empty one included."""
    if not isinstance(value, str):
        raise InvalidInput(f"{name} must be a string, not {type(value).__name__}")
    return clean_text(value)


def checked_count(value: object, name: str) -> int:
    """A whole number; true and false are none."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidInput(f"{name} must be a whole number, not {type(value).__name__}")
    return value


def checked_role(value: object) -> str:
    role = str(value)
    if role not in ROLES:
        raise InvalidInput(f"role {value!r} is unknown; use one of {', '.join(ROLES[:4])}")
    return role


def aware(moment: datetime, zone: str, name: str = "at") -> datetime:
    """The moment in UTC; a naive one is read in `zone` (L2)."""
    if not isinstance(moment, datetime):
        raise InvalidInput(f"{name} must be a datetime, not {type(moment).__name__}")
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=ZoneInfo(zone))
    try:
        return moment.astimezone(timezone.utc)
    except OverflowError as error:
        raise InvalidInput(f"{name} {moment!r} lies outside the calendar") from error


def checked_flag(value: object, name: str) -> bool:
    """A real True or False: "no" would be true."""
    if not isinstance(value, bool):
        raise InvalidInput(f"{name} must be True or False, not {value!r}")
    return value

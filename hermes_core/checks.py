"""What a value may be that comes in from outside: ids, texts, numbers, times, zones. Each check gives the value back in its
canonical form, or raises InvalidInput that says what to pass instead. Which argument is what is written in shell/guard.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from datetime import datetime, timezone, tzinfo
from enum import Enum
from pathlib import Path
from zoneinfo import ZoneInfo

from hermes_core.errors import InvalidInput

ID_LENGTH = 512  # characters; longer ids are a caller's bug, not a name
LARGEST = 2**63 - 1  # what a database holds as a whole number
ROLES = ("user", "assistant", "system", "tool", "command")
_REPLACEMENT = "\ufffd"
_SHOWN = 80  # characters of a bad value in a message


def shown(value: object) -> str:
    """A bad value as a message may quote it: short, and printable everywhere."""
    text = ascii(value) if isinstance(value, str) and clean_text(value) != value else repr(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def kind_of(value: object) -> str:
    """What a value is, for messages."""
    if isinstance(value, type):
        return f"the class {value.__name__} itself"
    return "None" if value is None else type(value).__name__


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
        raise InvalidInput(f"{name} must be a string, not {kind_of(value)}; pass str(...) of your own key")
    if not value.strip():
        raise InvalidInput(f"{name} must not be empty or blank; pass the key by which your application knows it")
    if len(value) > ID_LENGTH:
        raise InvalidInput(
            f"{name} has {len(value)} characters; at most {ID_LENGTH} are allowed, so pass a key, not content"
        )
    if clean_text(value) != value or any(ord(c) < 32 for c in value):
        raise InvalidInput(f"{name} {shown(value)} holds control characters or broken unicode; pass a plain key")
    return value


def checked_text(value: object, name: str = "text") -> str:
    """Clean, non-blank text (X2)."""
    if not isinstance(value, str):
        raise InvalidInput(f"{name} must be a string, not {kind_of(value)}; pass the words themselves")
    if not value.strip():
        raise InvalidInput(f"{name} is empty; there is nothing to remember in it, so don't pass it on")
    return clean_text(value)


def checked_question(value: object, name: str) -> str:
    """Clean text that asks for something; a blank one is refused, since it fits everything and nothing."""
    text = checked_words(value, name)
    if not text.strip():
        raise InvalidInput(f"{name} is empty; say in words what you look for")
    return text


def checked_words(value: object, name: str) -> str:
    """Any string, an empty one included."""
    if not isinstance(value, str):
        raise InvalidInput(f"{name} must be a string, not {kind_of(value)}")
    return clean_text(value)


def checked_count(value: object, name: str) -> int:
    """A whole number from 0; true and false are none."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidInput(f"{name} must be a whole number, not {shown(value)}")
    if not 0 <= value <= LARGEST:
        raise InvalidInput(f"{name} must be at least 0 and at most {LARGEST}, not {shown(value)}")
    return value


def checked_most(value: object, name: str) -> int:
    """A whole number from 1."""
    if checked_count(value, name) == 0:
        raise InvalidInput(f"{name} must be at least 1, not 0")
    return checked_count(value, name)


def checked_seconds(value: object, name: str) -> float:
    """Seconds to wait, from 0; infinity waits for ever."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise InvalidInput(f"{name} must be a number of seconds, not {shown(value)}")
    try:
        seconds = float(value)
    except OverflowError:
        seconds = float("inf") if value > 0 else -1.0
    if not seconds >= 0.0:
        raise InvalidInput(f"{name} must be at least 0 seconds, not {shown(value)}")
    return seconds


def checked_flag(value: object, name: str) -> bool:
    """A real True or False: "no" would be true."""
    if not isinstance(value, bool):
        raise InvalidInput(f"{name} must be True or False, not {shown(value)}")
    return value


def checked_function(value: object, name: str) -> object:
    """Something that can be called; not a class, whose instances nobody asked for."""
    if not callable(value) or isinstance(value, type):
        raise InvalidInput(f"{name} must be a function, not {kind_of(value)}")
    return value


def checked_path(value: object, name: str) -> object:
    """A path (or URL) that the system can be asked for."""
    if not isinstance(value, (str, Path)):
        raise InvalidInput(f"{name} must be a path, not {kind_of(value)}")
    if not str(value).strip():
        raise InvalidInput(f"{name} is empty; name a place, such as ./memory")
    try:
        usable = b"\0" not in os.fsencode(value)
    except UnicodeEncodeError:
        usable = False
    if not usable:
        raise InvalidInput(f"{name} {shown(str(value))} can't be the name of a file or folder")
    return value


def checked_lines(value: object, name: str) -> object:
    """Lines of text, one by one; a whole text is not a list of its letters."""
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        raise InvalidInput(
            f"{name} must be lines of text, such as an open file or text.splitlines(), not {kind_of(value)}"
        )
    return value


def checked_names(value: object) -> Mapping[str, object]:
    """A table from names to what they mean."""
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise InvalidInput(f"names must be a table from names to roles, not {shown(value)}")
    return value


def checked_role(value: object, name: str = "role") -> str:
    role = str(value) if isinstance(value, str) else ""
    if role not in ROLES:
        raise InvalidInput(f"{name} {shown(value)} is unknown; use one of {', '.join(ROLES[:4])}")
    return role


def checked_member(kind: type[Enum], value: object, name: str) -> Enum:
    """A member of a string enumeration, or its value."""
    try:
        return kind(value)
    except (ValueError, TypeError):
        known = ", ".join(str(member) for member in kind)
        raise InvalidInput(f"{name} {shown(value)} is unknown; use one of {known}") from None


def checked_moment(value: object, name: str) -> datetime:
    """A time; `aware` puts it into UTC."""
    if not isinstance(value, datetime):
        raise InvalidInput(f"{name} must be a datetime, not {kind_of(value)}")
    return value


def checked_point(value: object, name: str) -> int | datetime:
    """A version, or a time."""
    if isinstance(value, datetime):
        return value
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidInput(f"{name} must be a version (a whole number) or a datetime, not {shown(value)}")
    return value


def aware(moment: datetime, zone: str, name: str = "at") -> datetime:
    """The moment in UTC; a naive one is read in `zone` (L2)."""
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=zone_of(zone))
    try:
        return moment.astimezone(timezone.utc)
    except OverflowError as error:
        raise InvalidInput(f"{name} {moment!r} lies outside the calendar") from error


def zone_of(name: object) -> tzinfo:
    """The IANA zone of that name; InvalidInput when there is none."""
    try:
        if not isinstance(name, str):
            raise ValueError(name)
        return timezone.utc if name.upper() == "UTC" else ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:  # ZoneInfoNotFoundError is a KeyError; odd names read as odd paths
        raise InvalidInput(
            f"no time zone {shown(name)}; use an IANA name such as 'Europe/Berlin' or 'Asia/Shanghai'"
        ) from error

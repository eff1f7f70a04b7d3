"""Times as chats write them, as aware UTC (L2). Only reading: no clock."""

from __future__ import annotations

import re
from datetime import datetime, timezone, tzinfo
from typing import Any, NamedTuple

from hermes_core.errors import InvalidInput

__all__ = ["TIME", "Calendar", "read_time"]

# 2024-05-01, 2024/5/1, 2024.5.1 or 2024年5月1日, then optionally T or space, 10:00[:30[.5]], am/pm or 上午/下午, Z or +08:00
TIME = (
    r"\d{4}(?:-|/|\.|年)\d{1,2}(?:-|/|\.|月)\d{1,2}日?"
    r"(?:[T,，\s]*(?:上午|下午|晚上|凌晨|中午)?\s?\d{1,2}[:：]\d{2}(?:[:：]\d{2}(?:[.,]\d{1,9})?)?(?:\s?[AaPp][Mm]\b)?"
    r"(?:\s?(?:Z|UTC|[+-]\d{2}:?\d{2}))?)?"
)
_PARTS = re.compile(
    r"(?P<year>\d{4})(?:-|/|\.|年)(?P<month>\d{1,2})(?:-|/|\.|月)(?P<day>\d{1,2})日?"
    r"(?:[T,，\s]*(?P<half>上午|下午|晚上|凌晨|中午)?\s?(?P<hour>\d{1,2})[:：](?P<minute>\d{2})"
    r"(?:[:：](?P<second>\d{2})(?:[.,](?P<fraction>\d{1,9}))?)?(?:\s?(?P<ampm>[AaPp][Mm])\b)?"
    r"(?:\s?(?P<zone>Z|UTC|[+-]\d{2}:?\d{2}))?)?"
)
_NUMBER = re.compile(r"\d{9,16}(\.\d+)?")
_MILLISECONDS_FROM = 1e11  # as seconds that would be the year 5138
_AFTERNOON = ("下午", "晚上", "pm")


class Calendar(NamedTuple):
    """How a chat's times are read: naive ones in `zone`; one after `latest` can't be a time of saying."""

    zone: tzinfo
    latest: datetime

    def read(self, value: Any) -> datetime | None:
        """As `read_time`; InvalidInput also for a time that has not come yet."""
        moment = read_time(value, self.zone)
        if moment is not None and moment > self.latest:
            raise InvalidInput(f"{value!r} has not come yet, so nothing was said then; write when it was said")
        return moment


def read_time(value: Any, zone: tzinfo) -> datetime | None:
    """Aware UTC from seconds or milliseconds since 1970, or from text; naive text is in `zone`. None for None and "".

    InvalidInput when it is something else.
    """
    if value is None or value == "":
        return None
    try:
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return _from_number(float(value))
        if isinstance(value, str):
            text = value.strip()
            return _from_number(float(text)) if _NUMBER.fullmatch(text) else _from_text(text, zone)
    except (ValueError, OverflowError, OSError) as error:
        raise InvalidInput(f"{value!r} is no possible time: {error}") from error
    raise InvalidInput(f"{value!r} is no time; write it as 2024-05-01T10:00:00+02:00 or as seconds since 1970")


def _from_number(number: float) -> datetime:
    seconds = number / 1000.0 if abs(number) >= _MILLISECONDS_FROM else number
    return datetime.fromtimestamp(seconds, timezone.utc)


def _from_text(text: str, zone: tzinfo) -> datetime:
    found = _PARTS.fullmatch(text)
    if found is None:
        raise ValueError("write it as 2024-05-01T10:00:00+02:00 or as seconds since 1970")
    part = found.groupdict()
    moment = datetime(
        int(part["year"]),
        int(part["month"]),
        int(part["day"]),
        _hour(part),
        int(part["minute"] or 0),
        int(part["second"] or 0),
        int((part["fraction"] or "0")[:6].ljust(6, "0")),
    )
    return moment.replace(tzinfo=_zone(part["zone"], zone)).astimezone(timezone.utc)


def _hour(part: dict[str, str | None]) -> int:
    hour = int(part["hour"] or 0)
    half = part["half"] or (part["ampm"] or "").lower()
    if half in _AFTERNOON and hour < 12:
        return hour + 12
    return 0 if half == "am" and hour == 12 else hour


def _zone(written: str | None, zone: tzinfo) -> tzinfo:
    if written is None:
        return zone
    if written in ("Z", "UTC"):
        return timezone.utc
    parsed = datetime.strptime(written.replace(":", ""), "%z").tzinfo
    return parsed if parsed is not None else zone

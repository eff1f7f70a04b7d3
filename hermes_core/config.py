"""Every number of Hermes, with its unit, legal range and source. Validated when built; no rule may live here.

Sources: A, B, C, D are the four published designs whose parameter tables the presets carry (docs/presets.md),
H is ours. Shares, confidences, similarities and strengths are on 0..1; similarities are calibrated (W14).
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from hermes_core.checks import checked_path, clean_text, shown, zone_of
from hermes_core.errors import InvalidInput
from hermes_core.items import Kind

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Share = Annotated[float, Field(ge=0.0, le=1.0)]
Days = Annotated[float, Field(gt=0.0, le=36_500.0)]
Count = Annotated[int, Field(ge=1, le=1_000_000)]
S = TypeVar("S", bound="_Section")
Tokens = Annotated[int, Field(ge=1, le=2_000_000)]

PRESETS = ("assistant", "support", "recommender", "companion")


if TYPE_CHECKING:
    from pydantic._internal._model_construction import ModelMetaclass
else:
    ModelMetaclass = type(BaseModel)  # it has no public name


class _Ours(ModelMetaclass):
    """Building a section raises InvalidInput that lists each bad field; sections within sections are told with their path."""

    def __call__(cls, *given: Any, **named: Any) -> Any:
        try:
            return super().__call__(*given, **named)
        except ValidationError as error:
            raise InvalidInput(_told(error)) from error


class _Section(BaseModel, metaclass=_Ours):
    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)

    @classmethod
    def model_validate(cls: type[S], obj: Any, **how: Any) -> S:
        """The section that a table says; InvalidInput as when it is built."""
        try:
            return super().model_validate(obj, **how)
        except ValidationError as error:
            raise InvalidInput(_told(error)) from error


class ValueWeights(_Section):
    """W8: weights of an item's value; they sum to 1."""

    recency: Share = Field(
        0.25, description="fade without confidence; A (lowered from 0.4 after it pushed old users' core out)"
    )
    importance: Share = Field(0.45, description="as the extractor rates it; A 0.5")
    confidence: Share = Field(0.2, description="A")
    usage: Share = Field(0.05, description="how often it reached a context; D")
    distinctness: Share = Field(0.05, description="1 - similarity to its nearest neighbour; D")

    @model_validator(mode="after")
    def _sums_to_one(self) -> ValueWeights:
        total = self.recency + self.importance + self.confidence + self.usage + self.distinctness
        if abs(total - 1.0) > 1e-9:
            raise ValueError(f"the weights of an item's value must sum to 1, not {total:g}")
        return self


class BoundedConfig(_Section):
    """The bounded gate: who enters, who leaves, what fits (W8-W11, W15)."""

    hot_cap: Count = Field(200, description="items; A")
    frozen_cap: Count = Field(30, description="items; A")
    frozen_share: Share = Field(0.2, description="of hot_cap + frozen_cap, if lower than frozen_cap; D")
    archive_cap: Count = Field(2000, description="items; H")
    short_term_cap: Count = Field(10, description="items; C")
    dynamic_cap: int = Field(0, ge=0, description="live preference items, 0 for no cap of their own; C 30")
    item_tokens: Tokens = Field(50, description="tokens of an item's text; C")
    evidence_cap: int = Field(12, ge=4, le=1000, description="cited turns kept per item: the first and the latest; H")
    held_cap: int = Field(4, ge=1, le=100, description="held overrides per item; H")
    links_cap: int = Field(12, ge=1, le=1000, description="links of each sort per item; H")
    protected_cap: int = Field(50, ge=0, description="confirmed identity and constraint items exempt from eviction; A")
    weights: ValueWeights = ValueWeights()
    value_half_life_days: Days = Field(30.0, description="recency's half-life for kinds that do not fade; B")
    usage_full_hits: Count = Field(20, description="hits at which usage counts in full; H")
    admission_floor: Share = Field(0.3, description="value that an empty pool asks for; H")
    admission: Literal["fill", "strict_median"] = Field(
        "fill", description="fill: floor + (median - floor) x fill; strict_median: A"
    )
    warn_at: Share = Field(0.7, description="share of a cap at which to warn; D")
    compact_at: Share = Field(0.9, description="share of the archive's cap at which it is compacted; B")

    @property
    def frozen_limit(self) -> int:
        return max(1, min(self.frozen_cap, int(self.frozen_share * (self.hot_cap + self.frozen_cap))))


class ScreenConfig(_Section):
    """What may become a candidate at all (W4-W7, W16)."""

    salience_floor: Share = Field(0.35, description="B")
    explicit_start: Share = Field(0.85, description="confidence of an explicit statement; C")
    behaviour_start: Share = Field(0.6, description="confidence of behaviour seen in several sessions; C")
    behaviour_sessions: Count = Field(2, description="sessions that make behaviour a candidate shown to the model; C")
    implied_start: Share = Field(0.4, description="confidence of an implied claim; B")
    implied_observation_days: Days = Field(3.0, description="C")
    implied_weight: Share = Field(0.5, description="weight of an implied confirmation; H")
    behaviour_observation_days: Days = Field(
        30.0, description="days that behaviour seen in too few sessions waits to be seen again; H"
    )
    emotional_discount: Share = Field(0.5, description="weight of an emotional confirmation; A")
    emotional_confidence: Share = Field(0.5, description="ceiling for a claim that was only ever said emotionally; H")
    rate_limit_changes: Count = Field(
        1, description="changes a day of a short-term slot before it goes to observation; C"
    )
    rate_limit_days: Days = Field(1.0, description="the day of rate_limit_changes, and how long observation lasts; C")
    extract_tokens: Tokens = Field(
        2000, description="tokens of one turn that are looked at; the rest of a flood is pasted text; H"
    )


class FreezeConfig(_Section):
    """The freeze gate: what settles, and what may still move it (F1-F9, F16-F19)."""

    min_confidence: Share = Field(0.8, description="B, DESIGN")
    min_confirmations: Annotated[float, Field(ge=1.0, le=100.0)] = Field(3.0, description="distinct sessions; A")
    whitelist: tuple[Kind, ...] = Field(
        (Kind.IDENTITY, Kind.CONSTRAINT, Kind.PREFERENCE, Kind.FACT, Kind.RELATION), description="A, D, F18"
    )
    at_once_high_impact: bool = Field(True, description="F3: explicit, calm, high-impact, timeless; D")
    at_once_lasting: bool = Field(False, description="F3: an explicit 'from now on' freezes; B")
    ignore_under: Share = Field(0.6, description="claims against a frozen item under this confidence are only noted; A")
    apply_from: Share = Field(0.8, description="an explicit calm correction applies from this confidence; A")
    vital_denial_sessions: Count = Field(
        2, description="distinct sessions that take something vital back by words; the user's command does at once; H"
    )
    held_sessions: Count = Field(3, description="distinct sessions of held evidence that make the item stale; A, B")
    rejections_to_stale: Count = Field(3, description="consecutive rejections; B")
    review: Literal["auto", "manual"] = Field(
        "auto", description="manual: corrections of frozen items wait for approve(); B"
    )
    cooldown_confidence: Share = Field(0.7, description="an opposite explicit preference starts here; C")
    cooldown_days: Days = Field(7.0, description="observation of a contested item; B")
    confirmed_from: Annotated[float, Field(ge=1.0, le=100.0)] = Field(
        2.0, description="confirmations that make a candidate confirmed; B, C"
    )
    confirmed_at_once: Share = Field(
        0.8, description="an explicit calm statement from this confidence is confirmed at its first saying; H"
    )
    confirmation_gain: Share = Field(0.3, description="confidence += gain x (1 - confidence) per confirmation; H")
    weather_all_kinds: bool = Field(False, description="60 days hold for every frozen item; A")


class DecayConfig(_Section):
    """One law of fading: fade = 0.5 ** (idle / half-life) (F10-F13, F16)."""

    half_life_days: dict[Kind, float | None] = Field(
        {
            Kind.IDENTITY: None,
            Kind.CONSTRAINT: None,
            Kind.RELATION: None,
            Kind.FACT: 180.0,
            Kind.PREFERENCE: 30.0,
            Kind.EVENT: 30.0,
            Kind.STATE: 3.0,
        },
        description="days; None does not fade; C",
    )
    asleep_under: Share = Field(0.25, description="strength; C")
    weather_at: Share = Field(0.25, description="fade at which a frozen item weathers: two half-lives; A's 60 days")
    weather_days: Days = Field(60.0, description="idle days, for weather_all_kinds; A")
    seal_after_half_lives: Annotated[float, Field(gt=0.0, le=1000.0)] = Field(3.0, description="C")
    stale_after_days: Days = Field(180.0, description="facts unconfirmed for this long wait for re-confirmation; B")
    keep_alive_gain: Share = Field(0.25, description="half-life gained per confirmation beyond the freeze's; C")
    keep_alive_times: int = Field(3, ge=0, le=100, description="how often; C")
    keep_alive_from: Annotated[float, Field(ge=1.0)] = Field(3.0, description="confirmations; C")


class SimilarityConfig(_Section):
    """W14: calibrated similarities."""

    same: Share = Field(0.85, description="A, C")
    wake: Share = Field(0.78, description="C")
    relevant: Share = Field(0.55, description="B")
    near: Share = Field(0.6, description="known items shown to the extractor, neighbours looked at by relate; H")
    shortlist: Count = Field(8, description="items; H")


class RecallConfig(_Section):
    """R3, R4: ranking and routes."""

    recency_exponent: Annotated[float, Field(ge=0.0, le=5.0)] = Field(0.3, description="B")
    importance_exponent: Annotated[float, Field(ge=0.0, le=5.0)] = Field(0.5, description="B")
    frozen_boost: Annotated[float, Field(ge=1.0, le=1.5)] = Field(1.3, description="D")
    per_topic: Count = Field(2, description="items of one slot; B")
    max_items: Count = Field(10, description="B")
    half_life_days: Days = Field(30.0, description="recency of a recalled item; B")
    bm25_k1: Annotated[float, Field(ge=0.0, le=10.0)] = Field(1.2, description="Robertson's BM25")
    bm25_b: Share = Field(0.75, description="Robertson's BM25")
    bm25_unknown: Share = Field(
        0.25, description="weight of the query's words that no memory holds, in the share of its words found; H"
    )
    lexical_weight: Share = Field(0.5, description="BM25 beside vectors in the merged relevance; H")
    neighbour_turns: int = Field(1, ge=0, le=10, description="turns before and after a hit whose items come along; H")
    neighbour_share: Share = Field(0.5, description="of the hit's score; H")
    excerpt_words: Annotated[float, Field(ge=0.0, le=10.0)] = Field(
        2.0, description="BM25 share beside similarity when the user's own turns are ranked; measured; H"
    )
    excerpt_reach: int = Field(5, ge=0, le=100, description="turns within which the user's own turns are neighbours; H")
    excerpt_share: Share = Field(
        0.3, description="of a turn's score that its nearest own neighbour gets beside its own; the next one half; H"
    )


class ContextConfig(_Section):
    """R1, R2, R7: what the model gets to see, in tokens."""

    total_tokens: Tokens = Field(1600, description="A")
    frozen_tokens: Tokens = Field(400, description="level 1; A")
    active_tokens: Tokens = Field(800, description="level 2; A")
    retrieved_tokens: Tokens = Field(400, description="level 3; A")
    active_items: Count = Field(20, description="level 2; A")
    retrieved_items: Count = Field(5, description="level 3; A")
    window_tokens: int = Field(0, ge=0, description="the model's context window; 0: use total_tokens as it is; R2, B")
    window_share: Share = Field(0.4, description="of the window that memory may take at most; B")
    reserve_tokens: int = Field(0, ge=0, description="kept for the current conversation; B")
    overhead_tokens: int = Field(0, ge=0, description="kept for system instructions; B")
    summary: bool = Field(
        False, description="show the overall summary where tokens are left; its facts are mostly shown as memories; H"
    )
    task_items: dict[str, int] = Field(
        {"recommendation": 5, "question_answering": 3}, description="most remembered lines by task; C"
    )
    excerpt_tasks: tuple[str, ...] = Field(
        ("question_answering",), description="tasks that may quote the user's own turns in what the levels leave; H"
    )
    templates: tuple[str, ...] = Field((), description="TOML files laid over the built-in wording, in order; R7, C")
    excerpt_turns: int = Field(
        2000, ge=0, le=1_000_000, description="latest turns of a user that can be quoted, 0 for none; H"
    )

    @property
    def budget(self) -> int:
        """R2: min(limit, window - reserve - overhead), in tokens; never under 0."""
        if not self.window_tokens:
            return self.total_tokens
        share = int(self.window_tokens * self.window_share)
        return max(0, min(self.total_tokens, share, self.window_tokens - self.reserve_tokens - self.overhead_tokens))


class SessionConfig(_Section):
    """R5, R10, R11: working memory, summaries, snapshots."""

    working_turns: Count = Field(12, description="last turns kept at hand; B")
    working_hours: Annotated[float, Field(gt=0.0, le=8760.0)] = Field(12.0, description="B: by the hour")
    summary_turns: Count = Field(12, description="turns between summaries; B")
    summary_tokens: Tokens = Field(200, description="tokens of one summary; H")
    snapshot_refresh_turns: int = Field(
        0, ge=0, description="turns after which a long session reads anew, 0 for never; H"
    )
    idle_hours: Annotated[float, Field(gt=0.0, le=8760.0)] = Field(
        12.0, description="idle hours that end a session: for summaries, and for its snapshot; H"
    )


class IngestConfig(_Section):
    """W1: the worker."""

    batch_turns: Count = Field(16, description="turns of one session given to the extractor at once; H")
    lease_seconds: Annotated[float, Field(gt=0.0, le=86_400.0)] = Field(60.0, description="H")
    attempts: Count = Field(3, description="tries with the configured extractor before the local one; H")
    backoff_seconds: Annotated[float, Field(ge=0.0, le=3600.0)] = Field(1.0, description="doubles per try; H")
    poll_seconds: Annotated[float, Field(gt=0.0, le=3600.0)] = Field(
        0.2, description="idle worker's look at the ledger; H"
    )
    cached_users: Count = Field(256, description="users held decoded per process, open conversations included; H")
    cached_mib: Count = Field(
        1024, description="MiB that these users may take in all (by estimate), whichever bound is reached first; H"
    )
    hit_minutes: Annotated[float, Field(ge=0.0, le=100_000.0)] = Field(
        60.0, description="uses of an item within this time count once; H"
    )
    ahead_hours: Annotated[float, Field(ge=0.0, le=87_600.0)] = Field(
        24.0,
        description="how far ahead of the clock a turn may be dated, which then counts as said now; later ones are refused; H",
    )
    maintain_hours: Annotated[float, Field(gt=0.0, le=8760.0)] = Field(
        24.0, description="between two maintenance passes of a user; H"
    )


class IndexConfig(_Section):
    """S2: the published index."""

    shards: int = Field(
        1, ge=1, le=256, description="parts of the index, a user's records in one of them: about 10⁵ records each; H"
    )


class Config(_Section):
    """All settings of a store. `Config()` is the bilingual personal assistant; presets carry the seeds' own tables."""

    based_on: str = Field("default", description="the preset that this started from")
    language: Literal["auto", "en", "zh"] = Field(
        "auto", description="language of the context's frame; auto follows the query"
    )
    timezone: str = Field("UTC", description="IANA zone in which naive times are read (L2)")
    bounded: BoundedConfig = BoundedConfig()
    screen: ScreenConfig = ScreenConfig()
    freeze: FreezeConfig = FreezeConfig()
    decay: DecayConfig = DecayConfig()
    similarity: SimilarityConfig = SimilarityConfig()
    recall: RecallConfig = RecallConfig()
    context: ContextConfig = ContextConfig()
    session: SessionConfig = SessionConfig()
    ingest: IngestConfig = IngestConfig()
    index: IndexConfig = IndexConfig()

    @field_validator("timezone")
    @classmethod
    def _is_a_zone(cls, name: str) -> str:
        zone_of(name)
        return name

    @classmethod
    def preset(cls, name: str, **changes: Any) -> Config:
        """One of PRESETS with `changes` (nested dicts) merged in. InvalidInput on an unknown name or a bad value."""
        if name not in PRESETS:
            raise InvalidInput(f"no preset {shown(name)}; choose one of {', '.join(PRESETS)}")
        return build({"based_on": name, **_merge(_PRESET_TABLES[name], changes)})

    @classmethod
    def from_file(cls, path: str | Path) -> Config:
        """C11: a TOML file: optional `preset = "…"` and any section. InvalidInput names the file and the field."""
        checked_path(path, "the configuration's path")
        try:
            with open(path, "rb") as file:
                table = tomllib.load(file)
        except OSError as error:
            raise InvalidInput(f"can't read the configuration {path}: {error.strerror}") from error
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise InvalidInput(f"{path} is not valid TOML: {error}") from error
        name = table.get("preset", "default")
        if name == "default":
            return build(table)
        return cls.preset(str(name), **{k: v for k, v in table.items() if k != "preset"})


def build(table: dict[str, Any]) -> Config:
    """A Config from nested dicts; InvalidInput lists each bad field with its legal range."""
    return Config.model_validate(table)


def _told(error: ValidationError) -> str:
    lines = [
        f"{'.'.join(map(str, e['loc']))}: {e['msg'].removeprefix('Value error, ')} (got {shown(e.get('input'))})"
        for e in error.errors()
    ]
    return clean_text("the configuration is not valid:\n  " + "\n  ".join(lines))


def _merge(base: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    out = dict(base)
    for key, value in over.items():
        out[key] = _merge(out[key], value) if isinstance(value, dict) and isinstance(out.get(key), dict) else value
    return out


_PRESET_TABLES: dict[str, dict[str, Any]] = {
    # A: a personal assistant; three sessions freeze, sixty idle days weather, a bare median admits.
    "assistant": {
        "bounded": {
            "hot_cap": 200,
            "frozen_cap": 30,
            "protected_cap": 50,
            "admission": "strict_median",
            "weights": {"recency": 0.25, "importance": 0.5, "confidence": 0.2, "usage": 0.05, "distinctness": 0.0},
        },
        "freeze": {
            "min_confirmations": 3,
            "whitelist": ["preference", "constraint", "identity"],
            "weather_all_kinds": True,
        },
        "decay": {"weather_days": 60.0},
        "similarity": {"same": 0.85},
        "context": {
            "total_tokens": 1600,
            "frozen_tokens": 400,
            "active_tokens": 800,
            "retrieved_tokens": 400,
            "active_items": 20,
            "retrieved_items": 5,
        },
    },
    # B: a support desk; bigger quota, two sessions or "from now on" freeze, a week of observation.
    "support": {
        "screen": {"salience_floor": 0.35, "implied_start": 0.4},
        "freeze": {
            "min_confirmations": 2,
            "min_confidence": 0.8,
            "confirmed_from": 2,
            "at_once_lasting": True,
            "cooldown_days": 7.0,
            "rejections_to_stale": 3,
            "review": "manual",
        },
        "decay": {"stale_after_days": 180.0},
        "similarity": {"relevant": 0.55},
        "recall": {
            "recency_exponent": 0.3,
            "importance_exponent": 0.5,
            "per_topic": 2,
            "max_items": 10,
            "half_life_days": 30.0,
        },
        "context": {
            "total_tokens": 3200,
            "frozen_tokens": 800,
            "active_tokens": 1200,
            "retrieved_tokens": 1200,
            "retrieved_items": 10,
            "window_tokens": 8192,
            "window_share": 0.4,
        },
        "session": {"summary_turns": 12, "summary_tokens": 2000},
    },
    # C: a recommender; small slotted profile, thirty-day tastes, cool-down after an opposite statement.
    "recommender": {
        "bounded": {"hot_cap": 60, "frozen_cap": 12, "short_term_cap": 10, "dynamic_cap": 30, "item_tokens": 50},
        "screen": {
            "explicit_start": 0.85,
            "behaviour_start": 0.6,
            "behaviour_sessions": 2,
            "implied_observation_days": 3.0,
            "rate_limit_changes": 1,
        },
        "freeze": {"cooldown_confidence": 0.7},
        "decay": {
            "half_life_days": {
                "identity": None,
                "constraint": None,
                "relation": None,
                "fact": None,
                "preference": 30.0,
                "event": 30.0,
                "state": 3.0,
            },
            "asleep_under": 0.25,
            "seal_after_half_lives": 3.0,
        },
        "similarity": {"same": 0.85, "wake": 0.78},
        "context": {"task_items": {"recommendation": 5, "question_answering": 3}},
    },
    # D: a companion; value-based eviction, at most a fifth frozen, vital facts frozen at once.
    "companion": {
        "bounded": {
            "frozen_share": 0.2,
            "warn_at": 0.7,
            "weights": {"recency": 0.15, "importance": 0.2, "confidence": 0.25, "usage": 0.25, "distinctness": 0.15},
        },
        "freeze": {
            "at_once_high_impact": True,
            "whitelist": ["identity", "constraint", "preference", "fact", "relation"],
        },
        "recall": {"frozen_boost": 1.3},
    },
}

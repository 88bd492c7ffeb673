"""What a pipeline tells of itself: what ran, what waits, and why a flush failed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from .call_site import describe_site
from .pipeline_entry import Entry, Pending
from .registry import registry

__all__ = ["FlushError", "Journal", "Operands", "flush_error"]


class Operands(NamedTuple):
    """What a recorder knows of an entry and the queue does not need."""

    #: The type of the device that computes it.
    backend: str
    #: What it reads.
    reads: tuple[Pending, ...] = ()


class FlushError(NamedTuple):
    """Why a flush failed, as data: the op, its place in the program, what it depends on."""

    #: The same for the same op, line and error, in every run.
    error_id: str
    #: The place of the op among those recorded since the last flush; the first is 0.
    op_seq: int
    #: Without the namespace where that is ``aten``.
    op_name: str
    #: None for what is no registered op.
    schema: str | None
    #: Always ``"submit"``: shapes are checked while an op is recorded, and raise there.
    phase: str
    #: Type of the device, ``"cpu"``.
    backend: str
    #: File and line that recorded the op.
    callsite: str
    #: Names of the tensor arguments that are only read, and of those that are written.
    read_set: list[str]
    write_set: list[str]
    #: The alias sets of what is written, joined by commas.
    alias_set: str
    #: Alias set → how many arguments are written in it.
    version_plan: dict[str, int]
    #: Earlier ops that the op had to wait for: ``{"from": 0, "to": 1, "reason": "write->read"}``.
    #: Known where the pipeline keeps a journal.
    dependency_edges: list[dict[str, Any]]
    #: The code that the device's runtime gave, None without one.
    runtime_code: int | None
    #: Type and text of the error.
    error: str
    #: The same of the errors that led to it.
    suppressed_errors: list[str]

    def to_dict(self) -> dict[str, Any]:
        """The fields by name, for a log."""
        return self._asdict()

    def format(self, style: str = "short") -> str:
        """One line, or with ``"full"`` a line for each field.

        Raises ValueError for other styles.
        """
        if style == "short":
            return f"{self.op_name}, recorded at {self.callsite}: {self.error}"
        if style != "full":
            raise ValueError(f'style is "short" or "full", not {style!r}')
        return "\n".join(f"{name}: {value}" for name, value in self.to_dict().items())


class Journal:
    """What a pipeline recorded and ran."""

    __slots__ = ("_ran", "_window")

    def __init__(self) -> None:
        # number, op, line, error
        self._ran: list[tuple[int, str, Any, str]] = []
        # Recorded since the last flush: the entry, and what it reads and writes.
        self._window: list[tuple[Entry, Operands, tuple[Pending, ...]]] = []

    def recorded(self, entry: Entry, operands: Operands | None) -> None:
        """An entry came into the queue."""
        known = operands or Operands("cpu", tuple(entry.inputs))
        self._window.append((entry, known, tuple(entry.outputs)))

    def ran(self, entries: Iterable[Entry], error: BaseException | None = None) -> None:
        """Entries ran; with *error*, that is what came of it."""
        text = "" if error is None else _text(error)
        self._ran += [(e.number, str(e.op), e.site, text) for e in entries]

    def flushed(self) -> None:
        """Everything that was recorded has run, or never will."""
        self._window.clear()

    def place(self, entry: Entry) -> int:
        """How many were recorded before *entry* since the last flush."""
        return next((i for i, (e, _, _) in enumerate(self._window) if e is entry), 0)

    def backend(self, entry: Entry) -> str:
        """The type of the device that computes *entry*."""
        return next((known.backend for e, known, _ in self._window if e is entry), "cpu")

    def edges(self, entry: Entry, alias_set: str) -> list[dict[str, Any]]:
        """Which earlier entries *entry* depends on, and through what."""
        at = self.place(entry)
        if at >= len(self._window):
            return []
        _, known, writes = self._window[at]
        found = []
        for i, (_, before, wrote) in enumerate(self._window[:at]):
            reasons = []
            if _share(wrote, writes):
                reasons.append("write->write" + (f" alias_set:{alias_set}" if alias_set else ""))
            if _share(wrote, known.reads):
                reasons.append("write->read")
            if _share(before.reads, writes):
                reasons.append("read->write")
            if reasons:
                found.append({"from": i, "to": at, "reason": ", ".join(reasons)})
        return found

    def entries(self, waiting: Iterable[Entry], *, failed_only: bool) -> list[dict[str, Any]]:
        """What ran and what waits, in program order."""
        states = [
            (number, op, site, "failed" if error else "done", error)
            for number, op, site, error in self._ran
        ]
        states += [(e.number, str(e.op), e.site, "pending", "") for e in waiting]
        return [
            {"number": n, "op": op, "line": describe_site(site), "state": state, "error": error}
            for n, op, site, state, error in states
            if state == "failed" or not failed_only
        ]


def _share(some: Iterable[Pending], others: Iterable[Pending]) -> bool:
    return bool({id(each) for each in some} & {id(each) for each in others})


def _text(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


def flush_error(entry: Entry, error: BaseException, journal: Journal | None) -> FlushError:
    """What is to be said of *error*, which *entry* raised at a flush."""
    from hashlib import sha256  # not at import: for a failure only

    name = str(entry.op)
    op = registry.find_exact(name)
    schema = None if op is None else op.schema
    read_set: list[str] = []
    write_set: list[str] = []
    plan: dict[str, int] = {}
    for argument in () if schema is None else schema.arguments:
        info = argument.alias_info
        if info is not None and info.is_write:
            write_set.append(argument.name)
            for each in sorted((info.contained or info).before_set):
                plan[each] = plan.get(each, 0) + 1
        elif "Tensor" in str(argument.type):
            read_set.append(argument.name)
    alias_set = ",".join(plan)
    callsite = describe_site(entry.site)
    led: list[str] = []
    cause = error.__cause__ or error.__context__
    while cause is not None:
        led.append(_text(cause))
        cause = cause.__cause__ or cause.__context__
    op_name = name.removeprefix("aten::")
    return FlushError(
        error_id=sha256(f"{name}\n{callsite}\n{_text(error)}".encode()).hexdigest()[:16],
        op_seq=0 if journal is None else journal.place(entry),
        op_name=op_name,
        schema=None if schema is None else str(schema),
        phase="submit",
        backend="cpu" if journal is None else journal.backend(entry),
        callsite=callsite,
        read_set=read_set,
        write_set=write_set,
        alias_set=alias_set,
        version_plan=plan,
        dependency_edges=[] if journal is None else journal.edges(entry, alias_set),
        runtime_code=getattr(error, "error_code", None),
        error=_text(error),
        suppressed_errors=led,
    )

"""What a program sees of every public class, function, method and module without calling it.

Names, kinds, signatures, bases, fields, members and pickles are compared between torch and
mindtorch under torch's name, each in a process of its own that writes down what it sees, and
torch's once more to read what mindtorch pickled: see ``definitions.py``. Not compared are what only
a C function has or lacks (its signature, the class it is a method of), the parameters of special
methods that Python calls, type hints, which say nothing at run time, and documentation; of classes
that refuse to be made, what is in them.

What is known to differ is listed in ``definitions.txt``, in groups with their reason and the number
of differences: a new difference fails, and so does a number that is too high, until it is lowered
(``python -m tests.contract.test_definitions``).
"""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.workspace import run_python

from .definitions import Facts

pytestmark = pytest.mark.oracle

GENERATOR = Path(__file__).with_name("definitions.py")
LIST = Path(__file__).with_name("definitions.txt")
#: Special methods whose parameters a program may name; Python gives the others theirs by position.
_CALLED_BY_PROGRAMS = ("__init__", "__new__", "__call__")
#: What stands for a base of C++ bindings, and bases that say nothing.
_ROOTS = {"pybind11_builtins.pybind11_object", "builtins.object", "typing.Generic", "abc.ABC"}


class Difference(NamedTuple):
    """Something that is said otherwise: *aspect* of the definition at *place*."""

    place: str
    aspect: str
    want: Any
    got: Any

    def __str__(self) -> str:
        return f"{self.place} {self.aspect}: {self.got!r}, torch {self.want!r}"


class Group(NamedTuple):
    """A line of the list: *count* differences in *aspect*, or any, of places like *pattern*."""

    count: int
    aspect: str
    pattern: str

    def explains(self, difference: Difference) -> bool:
        """Whether *difference* is one of the group."""
        fits = self.aspect in ("any", difference.aspect)
        return fits and fnmatchcase(difference.place, self.pattern)


def wanted(
    aspect: str, theirs: dict[str, Any], ours: dict[str, Any], public: set[str], place: str
) -> Any:
    """What ours is to say of *aspect*, where that is not just what torch says."""
    want, got = theirs[aspect], ours.get(aspect)
    member, name = "." in place.partition(":")[2], place.rpartition(".")[2]
    special = member and name.startswith("__")
    match aspect:
        case "builtin" | "documented" | "hints" | "refuses":
            return got
        case "bases" | "fields" | "metaclass" | "signature" if (
            ours.get("refuses") and "bases" in theirs
        ):
            return got
        case "qualname" if theirs.get("builtin"):
            return got
        case "qualname" | "module" if inherited(ours, public):
            return got
        case "all" if want is None:
            return got
        case "module" if want is None or (theirs.get("builtin") and member):
            return "torch" if str(got).startswith("mindtorch") else got
        case "signature" if want is None or (special and name not in _CALLED_BY_PROGRAMS):
            return got
        case "pickle":  # torch's own is read by ours, and the other way round
            return got if want is None or got is not None else want
        case "metaclass":
            return want if want in ("ABCMeta", "EnumType") else got
        case "bases":
            own = [b for b in got or () if b in want or b in public]
            return got if own == [b for b in want if b not in _ROOTS or b in own] else want
    return want


def inherited(said: dict[str, Any], public: set[str]) -> bool:
    """Whether a method is a public class's, which torch's overrides once more."""
    owner = str(said.get("qualname")).rpartition(".")[0]
    return f"{said.get('module')}.{owner}" in public


def differences(theirs: Facts, ours: Facts, back: Facts) -> Iterator[Difference]:
    """All that ours says otherwise; *back* is what torch says of the places of ours."""
    public = {f"{said['module']}.{said['qualname']}" for said in theirs.values() if "bases" in said}
    for place, want in theirs.items():
        got = ours[place]
        if got.get("refuses") and "." in place.partition(":")[2]:
            continue
        if got.get("kind") == "absent" != want.get("kind"):
            if "." in place.partition(":")[2]:  # missing names are another test's
                yield Difference(place, "absent", want.get("kind"), None)
            continue
        for aspect in want:
            value = wanted(aspect, want, got, public, place) if aspect != "same" else want[aspect]
            if got.get(aspect) != value:
                yield Difference(place, aspect, value, got.get(aspect))
        if got.get("reads") is False:
            yield Difference(place, "reads", True, False)
        if want.get("pickle") and back[place].get("reads") is False:
            yield Difference(place, "readable", place, got["pickle"])


def compared(folder: Path) -> list[Difference]:
    """Every difference there is, by the facts that both sides write into *folder*."""
    files = theirs, ours, back = [folder / f"{name}.json" for name in ("theirs", "ours", "back")]
    asked_of_ours = ("-m", "mindtorch", GENERATOR, ours, theirs)
    for command in ((GENERATOR, theirs), asked_of_ours, (GENERATOR, back, ours)):
        done = run_python(*map(str, command))
        assert done.returncode == 0, done.stderr[-2000:]
    return list(differences(*(json.loads(path.read_text("utf-8")) for path in files)))


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> list[Difference]:
    """Every difference there is."""
    return compared(tmp_path_factory.mktemp("definitions"))


def listed() -> list[Group]:
    """The groups of the list."""
    lines = [line.split() for line in LIST.read_text("utf-8").splitlines() if line[:1] != "#"]
    return [Group(int(count), aspect, pattern) for count, aspect, pattern in filter(None, lines)]


def counted(found: list[Difference], groups: list[Group]) -> Counter[Group | None]:
    """How many differences each group explains; the first that explains one has it."""
    return Counter(next((g for g in groups if g.explains(d)), None) for d in found)


def test_nothing_differs_that_is_not_listed(found: list[Difference]) -> None:
    """Every difference is one of a group."""
    groups = listed()
    assert [str(d) for d in found if not any(g.explains(d) for g in groups)] == []


def test_groups_only_shrink(found: list[Difference]) -> None:
    """Each group has as many differences as the list says, which may not grow."""
    groups = listed()
    counts = counted(found, groups)
    assert [f"{counts[g]} {g.aspect} {g.pattern}" for g in groups if counts[g] != g.count] == []


def main() -> None:
    """Lower the numbers of the list that are too high."""
    groups = listed()
    with tempfile.TemporaryDirectory() as folder:
        counts = counted(compared(Path(folder)), groups)
    now = {f"{g.count} {g.aspect} {g.pattern}": min(counts[g], g.count) for g in groups}
    lines = []
    for line in LIST.read_text("utf-8").splitlines():
        number = now.get(line)
        if number != 0:
            lines.append(line if number is None else f"{number} {line.partition(' ')[2]}")
    LIST.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()

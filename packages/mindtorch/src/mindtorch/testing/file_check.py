"""``FileCheck``: checks that texts come in a text in a given order, as LLVM's tool of the name."""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["FileCheck"]


class _Check(NamedTuple):
    kind: str
    text: str
    count: int = 1
    exactly: bool = False

    @property
    def label(self) -> str:
        """How messages call it."""
        return f"CHECK-COUNT-{self.count}" if self.kind == "CHECK-COUNT" else self.kind


class FileCheck:
    """Checks of a text, in the order in which they are added; :meth:`run` does them.

    Raises RuntimeError for the first that does not hold.
    """

    __module__ = "torch"

    def __init__(self) -> None:
        self._checks: list[_Check] = []
        self._has_run = False

    def check(self, string: str) -> FileCheck:
        """*string* comes after what was checked before."""
        return self._add("CHECK", string)

    def check_not(self, string: str) -> FileCheck:
        """*string* does not come before what is checked next."""
        return self._add("CHECK-NOT", string)

    def check_same(self, string: str) -> FileCheck:
        """*string* comes in the same line."""
        return self._add("CHECK-SAME", string)

    def check_next(self, string: str) -> FileCheck:
        """*string* comes in the next line."""
        return self._add("CHECK-NEXT", string)

    def check_count(self, string: str, count: int, exactly: bool = False) -> FileCheck:
        """*string* comes *count* times; with *exactly*, not once more."""
        self._checks.append(_Check("CHECK-COUNT", string, count, exactly))
        return self

    def check_dag(self, string: str) -> FileCheck:
        """*string* comes in any order with the others that are checked so, next to it."""
        return self._add("CHECK-DAG", string)

    def check_source_highlighted(self, string: str) -> FileCheck:
        """*string* comes, and the next line underlines it with tildes."""
        return self._add("CHECK-SOURCE-HIGHLIGHTED", string)

    def check_regex(self, string: str) -> FileCheck:
        """A match of the regular expression *string* comes after what was checked before."""
        return self._add("CHECK-REGEX", string)

    def _add(self, kind: str, text: str) -> FileCheck:
        self._checks.append(_Check(kind, text))
        return self

    def run(self, checks: str, text: str | None = None) -> None:
        """Check a text; with two arguments, *checks* names checks in ``# CHECK: …`` lines."""
        if text is None:
            checks, text = "", checks
        self._has_run = True
        todo = self._checks + _written(checks)
        if not todo:
            raise RuntimeError(
                "No checks have been added to this instance ofFilecheck! Check for bad input."
            )
        _Run(text).all(todo)

    def __repr__(self) -> str:
        if not self._has_run:
            print("You have not run this instance of FileCheck!")
            print("FileCheck checks:")
            for check in self._checks:
                print(f"\t{check.label}: {check.text}")
        return f"<torch.FileCheck object at {id(self):#x}>"


_WRITTEN = re.compile(
    r"^\s*#\s*(CHECK(?:-NOT|-SAME|-NEXT|-DAG|-SOURCE-HIGHLIGHTED|-REGEX)?"
    r"|CHECK-COUNT(?:-EXACTLY)?-(\d+)):\s*(.*?)\s*$",
    re.MULTILINE,
)


def _written(source: str) -> list[_Check]:
    """The checks that comments of *source* name."""
    found = []
    for kind, count, text in _WRITTEN.findall(source):
        if count:
            found.append(_Check("CHECK-COUNT", text, int(count), "EXACTLY" in kind))
        else:
            found.append(_Check(kind, text))
    return found


class _Run:
    """One run of checks over a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def all(self, checks: list[_Check]) -> None:
        """Do all *checks*."""
        absent: list[_Check] = []  # what must not come before the next check's text
        i = 0
        while i < len(checks):
            check = checks[i]
            i += 1
            if check.kind == "CHECK-NOT":
                absent.append(check)
                continue
            before = self.at
            if check.kind == "CHECK-DAG":
                group = [check]
                while i < len(checks) and checks[i].kind == "CHECK-DAG":
                    group.append(checks[i])
                    i += 1
                spans = [self.find(each, before) for each in group]
                start, self.at = min(s[0] for s in spans), max(s[1] for s in spans)
            else:
                start = self.one(check)
            for each in absent:
                self.lacks(each.text, each, before, start)
            absent = []
        for each in absent:
            self.lacks(each.text, each, self.at, len(self.text))

    def one(self, check: _Check) -> int:
        """Do one check that is no CHECK-NOT and no CHECK-DAG; where what it found begins."""
        before = self.at
        if check.kind == "CHECK-NEXT":
            _, before = self.find(check._replace(text="\n"), before)
        start, self.at = self.find(check, before)
        if check.kind in ("CHECK-SAME", "CHECK-NEXT"):
            self.lacks("\n", check, before, start)
        elif check.kind == "CHECK-COUNT":
            for _ in range(check.count - 1):
                _, self.at = self.find(check, self.at)
            if check.exactly:
                self.lacks(check.text, _Check("CHECK-NOT", check.text), self.at, len(self.text))
        elif check.kind == "CHECK-SOURCE-HIGHLIGHTED":
            self.underlined(check, start)
        return start

    def find(self, check: _Check, start: int) -> tuple[int, int]:
        """Where the text of *check* comes at or after *start*."""
        if check.kind == "CHECK-REGEX":
            match = re.compile(check.text).search(self.text, start)
            if match:
                return match.span()
            what = f'regex "{check.text}"'
        else:
            place = self.text.find(check.text, start)
            if place >= 0:
                return place, place + len(check.text)
            shown = check.text.replace("\n", "\\n")
            what = f'"{shown}"'
        raise RuntimeError(
            f"Expected to find {what} but did not find it\nSearched string:\n"
            f"{self._marked(start, start)}From {check.label}: {check.text}\n"
        )

    def lacks(self, text: str, check: _Check, start: int, end: int) -> None:
        """*text* does not come between *start* and *end*."""
        place = self.text.find(text, start, end)
        if place >= 0:
            shown = text.replace("\n", "\\n")
            raise RuntimeError(
                f'Expected to not find "{shown}" but found it\n'
                f"{self._marked(place, place + len(text))}From {check.label}: {check.text}\n"
            )

    def underlined(self, check: _Check, start: int) -> None:
        """The line below *start* has tildes under the text."""
        line_start = self.text.rfind("\n", 0, start) + 1
        below = self.text.find("\n", start)
        column = start - line_start
        under = self.text[below + 1 :].partition("\n")[0] if below >= 0 else ""
        if under[column : column + len(check.text)] != "~" * len(check.text):
            raise RuntimeError(
                f'Expected to find "{check.text}"highlighted but it is not.\n'
                f"{self._marked(start, start + len(check.text))}"
            )

    def _marked(self, start: int, end: int) -> str:
        """The lines around *start*, with tildes under what lies from there to *end*."""
        lines = self.text.split("\n")
        number = self.text.count("\n", 0, start)
        column = start - (self.text.rfind("\n", 0, start) + 1)
        shown = lines[max(number - 2, 0) : number + 1]
        length = min(end - start, len(lines[number]) - column)
        if length > 0:
            shown.append(" " * column + "~" * length + " <--- HERE")
        return "\n".join([*shown, *lines[number + 1 : number + 3]]).rstrip("\n") + "\n"

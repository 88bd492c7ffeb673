"""Patterns of ``rearrange``: names of dimensions before and after an arrow."""

from __future__ import annotations

import keyword
import warnings
from collections.abc import Collection, Iterator, Mapping

__all__ = [
    "AnonymousAxis",
    "ParsedExpression",
    "comma_separate",
    "ellipsis",
    "parse_pattern",
    "validate_rearrange_expressions",
]

#: Stands in a parsed pattern for ``...``, any number of dimensions.
ellipsis = "…"


class AnonymousAxis:
    """A dimension that has a size in place of a name; none equals another.

    Raises ValueError for a size below one.
    """

    def __init__(self, value: str) -> None:
        self.value = int(value)
        if self.value < 1:
            raise ValueError(f"Anonymous axis should have positive length, not {self.value}")

    def __repr__(self) -> str:
        return f"{self.value}-axis"


Name = str | AnonymousAxis


class ParsedExpression:
    """One side of a pattern, taken apart.

    :ivar composition: for each dimension the names that are joined in it, none for one of size
        one; :data:`ellipsis` for any number of dimensions.
    :ivar identifiers: all names.
    :ivar has_ellipsis: whether ``...`` is one of them.
    :ivar has_ellipsis_parenthesized: whether that is in parentheses; None where it is not there.
    :ivar has_non_unitary_anonymous_axes: whether a size stands in the place of a name.

    Raises ValueError for an expression that makes no sense.
    """

    def __init__(
        self, expression: str, *, allow_underscore: bool = False, allow_duplicates: bool = False
    ) -> None:
        self.has_ellipsis = False
        self.has_ellipsis_parenthesized: bool | None = None
        self.identifiers: set[Name] = set()
        self.has_non_unitary_anonymous_axes = False
        self.composition: list[list[Name] | str] = []
        self._allowed = allow_underscore, allow_duplicates
        if "." in expression:
            expression = _with_ellipsis(expression)
            self.has_ellipsis = True
        self._take_apart(expression)

    def _take_apart(self, expression: str) -> None:
        group: list[Name] | None = None
        for token in _tokens(expression):
            if token == "(":
                if group is not None:
                    raise ValueError(
                        "Axis composition is one-level (brackets inside brackets not allowed)"
                    )
                group = []
            elif token == ")":
                if group is None:
                    raise ValueError("Brackets are not balanced")
                self.composition.append(group)
                group = None
            else:
                self._add(token, group)
        if group is not None:
            raise ValueError(f"Imbalanced parentheses in expression: '{expression}'")

    def _add(self, token: str, group: list[Name] | None) -> None:
        """Take *token* for a dimension, or for a part of the one that *group* tells of."""
        allow_underscore, allow_duplicates = self._allowed
        if token in self.identifiers and not allow_duplicates:
            raise ValueError(f"Indexing expression contains duplicate dimension '{token}'")
        if token == ellipsis:
            self.identifiers.add(ellipsis)
            self.has_ellipsis_parenthesized = group is not None
            if group is None:
                self.composition.append(ellipsis)
            else:
                group.append(ellipsis)
            return
        names: list[Name] = []
        if not token.isdecimal():
            fits, reason = self.check_axis_name_return_reason(token, allow_underscore)
            if not fits:
                raise ValueError(f"Invalid axis identifier: {token}\n{reason}")
            names = [token]
        elif int(token) != 1:
            names = [AnonymousAxis(token)]
            self.has_non_unitary_anonymous_axes = True
        self.identifiers.update(names)
        if group is None:
            self.composition.append(names)
        else:
            group += names

    @staticmethod
    def check_axis_name_return_reason(
        name: str, allow_underscore: bool = False
    ) -> tuple[bool, str]:
        """Whether *name* may name a dimension, and why not."""
        if not name.isidentifier():
            return False, "not a valid python identifier"
        if name[0] == "_" or name[-1] == "_":
            if name == "_" and allow_underscore:
                return True, ""
            return False, "axis name should should not start or end with underscore"
        if keyword.iskeyword(name):
            warnings.warn(
                f"It is discouraged to use axes names that are keywords: {name}",
                RuntimeWarning,
                stacklevel=2,
            )
        if name == "axis":
            warnings.warn(
                "It is discouraged to use 'axis' as an axis name and will raise an error in future",
                FutureWarning,
                stacklevel=2,
            )
        return True, ""

    @staticmethod
    def check_axis_name(name: str) -> bool:
        """Whether *name* may name a dimension."""
        return ParsedExpression.check_axis_name_return_reason(name)[0]


def _with_ellipsis(expression: str) -> str:
    """*expression* with one sign for its three dots."""
    if "..." not in expression:
        raise ValueError("Expression may contain dots only inside ellipsis (...)")
    if expression.count("...") != 1 or expression.count(".") != 3:
        raise ValueError(
            "Expression may contain dots only inside ellipsis (...); only one ellipsis for tensor "
        )
    return expression.replace("...", ellipsis)


def _tokens(expression: str) -> Iterator[str]:
    """Brackets, and the words between them and spaces."""
    word = ""
    for char in expression:
        if char in "() ":
            if word:
                yield word
            word = ""
            if char != " ":
                yield char
        elif char.isalnum() or char in ("_", ellipsis):
            word += char
        else:
            raise ValueError(f"Unknown character '{char}'")
    if word:
        yield word


def parse_pattern(
    pattern: str, axes_lengths: Mapping[str, int]
) -> tuple[ParsedExpression, ParsedExpression]:
    """Both sides of *pattern*.

    Raises ValueError where there are not two, and for ``...`` where it may not stand.
    """
    sides = pattern.split("->")
    if len(sides) != 2:
        raise ValueError("Pattern must contain a single '->' separator")
    if ellipsis in axes_lengths:
        raise ValueError(f"'{ellipsis}' is not an allowed axis identifier")
    left, right = ParsedExpression(sides[0]), ParsedExpression(sides[1])
    if not left.has_ellipsis and right.has_ellipsis:
        raise ValueError(f"Ellipsis found in right side, but not left side of a pattern {pattern}")
    if left.has_ellipsis and left.has_ellipsis_parenthesized:
        raise ValueError(f"Ellipsis is parenthesis in the left side is not allowed: {pattern}")
    return left, right


def validate_rearrange_expressions(
    left: ParsedExpression, right: ParsedExpression, axes_lengths: Mapping[str, int]
) -> None:
    """Refuse names on one side only, sizes in place of names, and lengths of names not there.

    Raises TypeError for a length that is no int, else ValueError.
    """
    for length in axes_lengths.values():
        if type(length) is not int:
            raise TypeError(f"rearrange axis lengths must be integers, got: {type(length)}")
    if left.has_non_unitary_anonymous_axes or right.has_non_unitary_anonymous_axes:
        raise ValueError("rearrange only supports unnamed axes of size 1")
    alone = left.identifiers ^ right.identifiers
    if alone:
        raise ValueError(
            f"Identifiers only on one side of rearrange expression (should be on both): {alone}"
        )
    strange = axes_lengths.keys() - left.identifiers
    if strange:
        raise ValueError(f"Identifiers not found in rearrange expression: {strange}")


def comma_separate(collection: Collection[str | Collection[str]]) -> str:
    """The names, those of groups in parentheses: ``"a, (b, c), d"``."""
    shown = []
    for item in collection:
        if isinstance(item, str):
            shown.append(item)
        else:
            inner = comma_separate(item)
            shown.append(f"({inner},)" if len(item) == 1 else f"({inner})")
    return ", ".join(shown)

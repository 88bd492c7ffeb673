"""ArgumentParser: reads the arguments of a Python call the way torch's own parser does.

One parser serves one function or method. It chooses among the overloads, fills in defaults,
converts values, and raises torch's errors to the letter. It knows no tensors: see
:class:`~mindtorch_dispatch.argument_kind.ValueTypes`.

A parser costs nothing before its first call. Then the signatures are derived from the schemas and
laid out in tuples; a call of two or three arguments takes 1–2 µs. Whatever does not fit on that
fast path is parsed again by ``_exact``, which follows torch step by step and has the errors.

Source: torch/csrc/utils/python_arg_parser.cpp.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

from . import argument_errors as errors
from .argument_kind import FAIL, NO, OK, BadElement, KindMaker, NotATensor, kind_maker
from .invalid_arguments import invalid_arguments
from .parameter import Overload, Parameter, Signature
from .schema import FunctionSchema
from .signature import OutForm, python_signatures, written_signature
from .value_types import ValueTypes

__all__ = ["ArgumentParser"]

_MISSING: Any = type("MISSING", (), {})()
_NO_KEYWORDS: dict[str, Any] = {}


class Place(NamedTuple):
    """Where an argument of an overload comes from.

    ``kind`` says what ``at`` is: the number of a ``positional`` argument, the name of a
    ``keyword``, the value of a ``default``, the number of a ``part`` of ``out=``. ``all`` are the
    positional arguments together, ``self`` is the object of a method.
    """

    kind: str
    at: Any


class _Plan:
    """A signature laid out for parsing."""

    __slots__ = (
        "_out",
        "defaults",
        "functional",
        "kinds",
        "max_positional",
        "needed",
        "out_at",
        "parameters",
        "signature",
        "takers",
        "unusual",
        "varargs",
    )

    def __init__(self, signature: Signature, kinds: KindMaker) -> None:
        self.signature = signature
        parameters = self.parameters = signature.parameters
        self.kinds = [kinds.of(p) for p in parameters]
        self.takers = [k.taker for k in self.kinds]
        self.defaults = [kinds.default(p) if p.default is int else p.default for p in parameters]
        #: how many positional arguments a call without keywords has at least.
        self.needed = 0
        positional = len(parameters)
        for i, p in enumerate(parameters, 1):
            if not p.optional:
                self.needed = i
            if p.keyword_only and i <= positional:
                positional = i - 1
        self.max_positional = positional
        # a lone positional list of ints may be given element by element: permute(1, 0); not so
        # one that takes a lone int for the whole list: std(0)
        self.varargs = (
            positional == 1
            and parameters[0].kind in ("int[]", "SymInt[]")
            and not parameters[0].size
        )
        self.out_at = signature.out_at
        self.functional = _Binder(signature, signature.functional)
        self._out: _Binder | None = None
        # needs more than to put its values in order
        self.unusual = signature.deprecated or self.functional.index < 0

    @property
    def out(self) -> _Binder:
        """What puts the values of a call with ``out=`` in order."""
        if self._out is None:
            self._out = _Binder(self.signature, self.signature.out)
        return self._out


class _Binder:
    """Puts a row of values in the order of a schema's arguments."""

    __slots__ = ("constants", "index", "method_self", "pick")

    def __init__(self, signature: Signature, overload: Overload | None) -> None:
        self.index = -1 if overload is None else overload.index
        self.constants = signature.constants
        sources = [] if overload is None else overload.sources
        count = len(signature.parameters)
        self.pick: Callable[[Any], tuple[Any, ...]] | None
        self.method_self = not self.constants and sources == [count, *range(count)]
        if sources == list(range(count)):
            self.pick = None
        elif len(sources) == 1:
            only = sources[0]
            self.pick = lambda row: (row[only],)
        elif sources:
            self.pick = itemgetter(*sources)
        else:
            self.pick = lambda row: ()


class ArgumentParser:
    """Parses the calls of one function (``torch.add``) or method (``Tensor.add``)."""

    __slots__ = ("_given", "_method", "_plans", "_types", "_written", "name")

    def __init__(
        self,
        name: str,
        given: Sequence[str | FunctionSchema | OutForm],
        types: ValueTypes,
        *,
        method: bool = False,
        written: bool = False,
    ) -> None:
        self.name = name
        self._given, self._types = given, types
        self._method, self._written = method, written
        self._plans: list[_Plan] | None = None

    @classmethod
    def from_schemas(
        cls,
        name: str,
        schemas: Sequence[str | FunctionSchema | OutForm],
        *,
        types: ValueTypes,
        method: bool = False,
    ) -> ArgumentParser:
        """The parser of the overloads *schemas* of one op.

        ``parse`` answers with a place in *schemas* and the arguments of that schema.
        """
        return cls(name, schemas, types, method=method)

    @classmethod
    def from_signatures(
        cls, name: str, signatures: Sequence[str], *, types: ValueTypes, method: bool = False
    ) -> ArgumentParser:
        """The parser of signatures written by hand, for functions that are no op.

        They are tried in the order given: ``"to(Device? device=None, bool copy=False)"``.
        ``parse`` answers with a place in *signatures* and the values in the order of the text,
        after ``self`` for a method.
        """
        return cls(name, signatures, types, method=method, written=True)

    def __repr__(self) -> str:
        return f"<ArgumentParser {self.name}{' (method)' if self._method else ''}>"

    @property
    def signatures(self) -> list[Signature]:
        """The signatures in the order in which they are tried."""
        return [plan.signature for plan in self._plans or self._compile()]

    def extras(self, index: int) -> tuple[str, ...]:
        """Names of the values that follow the arguments of schema *index* in what parse returns.

        ``("requires_grad",)`` for a factory; with ``out=`` the options that the ``out=`` schema
        does not have come too.
        """
        for signature in self.signatures:
            overload = signature.functional
            if overload is not None and overload.index == index:
                return overload.extras
        for signature in self.signatures:
            overload = signature.out
            if overload is not None and overload.index == index:
                return overload.extras
        return ()

    def parse(
        self, args: tuple[Any, ...], kwargs: dict[str, Any] | None = None, self_: Any = None
    ) -> tuple[int, tuple[Any, ...]]:
        """The place of the overload that the call means, and its arguments in schema order.

        :param self_: the object of a method; *args* do not contain it.

        Raises TypeError with torch's text where the call fits no signature.
        """
        count = len(args)
        try:
            for plan in self._plans or self._compile():
                row: list[Any] = []
                given = count
                if plan.varargs and count and type(args[0]) is int:
                    value = plan.takers[0][1](args)
                    if value is NO:
                        continue
                    row.append(value)
                    given = 1
                elif count > plan.max_positional:
                    continue
                else:
                    append = row.append
                    for value, (exact, take) in zip(args, plan.takers):
                        if type(value) in exact:
                            append(value)
                        else:
                            value = take(value)
                            if value is NO:
                                break
                            append(value)
                    if len(row) != count:
                        continue
                if not kwargs:
                    if given < plan.needed:
                        continue
                    row += plan.defaults[given:]
                elif not _keywords(plan, row, given, kwargs):
                    continue
                at = plan.out_at
                if plan.unusual or (at >= 0 and row[at] is not None):
                    return self._bind(plan, row, self_)
                binder = plan.functional  # bound in line: a call of its own costs 60 ns
                if self._method:
                    if binder.method_self:
                        return binder.index, (self_, *row)
                    row.append(self_)
                pick = binder.pick
                return binder.index, tuple(row) if pick is None else pick(row)
        except Exception:  # _exact raises what torch raises
            pass
        return self._exact(args, kwargs or _NO_KEYWORDS, self_)

    def places(
        self, args: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> tuple[int, list[Place], Signature] | None:
        """The overload that a call means, and where each of its arguments comes from.

        For a call that :meth:`parse` takes: whoever remembers its answer asks this once for all
        calls with arguments of these types. None where a value is not handed on as it is.
        """
        for plan in self._plans or self._compile():
            values = self._match(plan, args, kwargs, False)
            if values is None:
                continue
            signature = plan.signature
            at = signature.out_at
            out = at >= 0 and values[at] is not _MISSING and values[at] is not None
            overload = signature.out if out else signature.functional
            if overload is None:
                return None
            row: list[Place] = []
            for i, parameter in enumerate(plan.parameters):
                if values[i] is _MISSING:
                    row.append(Place("default", plan.defaults[i]))
                elif i < len(args):
                    row.append(Place("all" if values[i] is args else "positional", i))
                else:
                    given = next(name for name in parameter.names if name in kwargs)
                    row.append(Place("keyword", given))
            if self._method:
                row.append(Place("self", None))
            row += [Place("default", constant) for constant in signature.constants]
            if out and signature.out_count > 1:
                row += [Place("part", i) for i in range(signature.out_count)]
            return overload.index, [row[source] for source in overload.sources], signature
        return None

    # -- the rest runs once per parser, or on unusual calls --------------------------------------

    def _compile(self) -> list[_Plan]:
        if self._written:
            signatures = [
                written_signature(str(text), i, method=self._method)
                for i, text in enumerate(self._given)
            ]
        else:
            signatures = python_signatures(self.name, self._given, method=self._method)
        kinds = kind_maker(self._types)
        plans = [_Plan(signature, kinds) for signature in signatures]
        self._plans = plans
        return plans

    def _bind(self, plan: _Plan, row: list[Any], self_: Any) -> tuple[int, tuple[Any, ...]]:
        binder = plan.functional
        at = plan.out_at
        if at >= 0 and row[at] is not None:
            binder = plan.out
        elif binder.index < 0:  # only an out= overload is offered
            raise errors.missing_arguments(self.name, ["out"])
        if plan.signature.deprecated:
            self._warn_deprecated(plan.signature)
        if self._method:
            row.append(self_)
        if binder.constants:
            row.extend(binder.constants)
        if binder is plan.out and plan.signature.out_count > 1:
            row.extend(row[at])
        return binder.index, tuple(row) if binder.pick is None else binder.pick(row)

    def _exact(
        self, args: tuple[Any, ...], kwargs: Mapping[str, Any], self_: Any
    ) -> tuple[int, tuple[Any, ...]]:
        """Parse as torch does, step by step: choose by checks alone, then convert."""
        plans = self._plans or self._compile()
        if len(plans) == 1:
            plan = plans[0]
            if self._method and not plan.parameters:
                raise errors.takes_no_arguments(self.name, len(args), bool(kwargs))
            values = self._match(plan, args, kwargs, True)
            assert values is not None
            return self._bind(plan, self._convert(plan, values), self_)
        for plan in plans:
            values = self._match(plan, args, kwargs, False)
            if values is not None:
                return self._bind(plan, self._convert(plan, values), self_)
        count = len(args) + len(kwargs)
        plausible = [
            plan
            for plan in plans
            if plan.signature.min_args <= count <= plan.signature.max_args
            and not plan.signature.deprecated
        ]
        if len(plausible) == 1:
            self._match(plausible[0], args, kwargs, True)
        listed = [plan.signature.text for plan in plans if not plan.signature.deprecated]
        raise TypeError(invalid_arguments(self.name, args, kwargs, listed, self._types.type_name))

    def _match(
        self, plan: _Plan, args: tuple[Any, ...], kwargs: Mapping[str, Any], explain: bool
    ) -> list[Any] | None:
        """The raw values of a signature's parameters; None, or an error, if they do not fit."""
        name, count = self.name, len(args)
        varargs = plan.varargs and count > 0 and plan.kinds[0].check(args) == OK
        if count > plan.max_positional and not varargs:
            return _refuse(explain and errors.too_many_arguments(plan.signature, count))
        values: list[Any] = []
        position = used = 0
        for i, parameter in enumerate(plan.parameters):
            value, keyword = _MISSING, False
            if position < count:
                if parameter.keyword_only:
                    return _refuse(explain and errors.too_many_arguments(plan.signature, count))
                value = args[position]
            else:
                keyword = True
                for given in parameter.names:
                    if given in kwargs:
                        value = kwargs[given]
                        used += 1
                        break
            if value is _MISSING:
                if not parameter.optional:
                    missing = [p.name for p in plan.parameters[i:] if not p.optional]
                    return _refuse(explain and errors.missing_arguments(name, missing))
                values.append(_MISSING)
                position += not keyword
                continue
            if value is None and parameter.allow_none:
                verdict = OK
            else:
                try:
                    verdict = plan.kinds[i].check(value)
                except NotATensor as bad:
                    raise errors.element_is_no_tensor(
                        bad.place, i, self._types.type_name(bad.element)
                    ) from None
            if verdict == OK:
                values.append(value)
            elif varargs and position == 0 and not keyword:
                values.append(args)
                position = count
                continue
            else:
                return _refuse(
                    explain and self._wrong(parameter, position, keyword, value, verdict)
                )
            position += not keyword
        if used < len(kwargs):
            return _refuse(explain and errors.unknown_keyword(plan.signature, kwargs, count))
        return values

    def _wrong(
        self, parameter: Parameter, position: int, keyword: bool, value: Any, verdict: int
    ) -> TypeError:
        type_name = self._types.type_name
        if keyword:
            return errors.wrong_keyword_type(self.name, parameter, type_name(value))
        if verdict == FAIL or parameter.kind == "float[]":  # of which torch looks at no place
            return errors.wrong_type(self.name, parameter, position, type_name(value))
        return errors.wrong_element_type(
            self.name, parameter, position, type_name(value[verdict]), verdict
        )

    def _convert(self, plan: _Plan, values: list[Any]) -> list[Any]:
        row = plan.defaults.copy()
        # from the last to the first: so do the compilers of torch, and the first error counts
        for i in range(len(values) - 1, -1, -1):
            value = values[i]
            if value is _MISSING:
                continue
            try:
                row[i] = plan.kinds[i].convert(value)
            except BadElement as bad:
                raise self._bad_element(plan.parameters[i], bad) from None
        return row

    def _bad_element(self, parameter: Parameter, bad: BadElement) -> Exception:
        found = self._types.type_name(bad.element)
        if parameter.kind == "float[]":
            return errors.wrong_keyword_element(self.name, parameter, found, bad.place + 1)
        overflow = isinstance(bad.cause, ValueError)
        reason = (
            str(bad.cause) if overflow else f"type must be {parameter.type_name},but got {found}"
        )
        return errors.unpack_failed(self.name, parameter, bad.place + 1, reason)

    def _warn_deprecated(self, signature: Signature) -> None:
        if "deprecated overload" in errors.said:  # once in a process, whatever the function
            return
        errors.said.add("deprecated overload")

        listed = [s.text for s in self.signatures if not s.deprecated]
        warnings.warn(
            errors.deprecated_overload(self.name, signature.text, listed), UserWarning, stacklevel=4
        )


def _refuse(error: Any) -> list[Any] | None:
    """Raise *error* if there is one; a signature that does not fit gives None."""
    if error:
        try:
            raise error
        finally:
            del error  # a frame that holds its own error keeps the arguments alive
    return None


def _keywords(plan: _Plan, row: list[Any], count: int, kwargs: dict[str, Any]) -> bool:
    """Append the parameters after the positional ones; False if the keywords do not fit."""
    used = 0
    parameters, takers = plan.parameters, plan.takers
    for i in range(count, len(parameters)):
        parameter = parameters[i]
        for name in parameter.names:
            value = kwargs.get(name, _MISSING)
            if value is not _MISSING:
                used += 1
                exact, take = takers[i]
                if type(value) not in exact:
                    value = take(value)
                    if value is NO:
                        return False
                row.append(value)
                break
        else:
            if not parameter.optional:
                return False
            row.append(plan.defaults[i])
    return used == len(kwargs)

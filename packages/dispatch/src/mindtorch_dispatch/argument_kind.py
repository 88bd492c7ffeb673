"""ArgumentKind: which values a parameter takes, and what they become.

A kind answers for one parameter type. ``exact`` holds the classes whose values are taken as they
are; ``take`` checks and converts in one step, for the fast path; ``check`` and ``convert`` are the
same in two steps, since torch chooses the overload by the checks alone and converts afterwards.

What a tensor, a dtype or a device is, the kinds ask of a :class:`ValueTypes`.
Source of the rules: torch/csrc/utils/python_arg_parser.{h,cpp} and python_numbers.h, and the
answers of torch 2.13.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import index as as_index
from typing import Any

from . import argument_errors as errors
from .parameter import Parameter
from .value_types import ValueTypes

#: ``check`` answers OK, FAIL, or the place of the element that is wrong.
OK, FAIL = -1, -2

#: ``take`` answers this where the value does not fit.
NO: Any = type("NO", (), {"__repr__": lambda self: "NO"})()

_NONE = type(None)
_NUMBERS = frozenset((int, float, complex, bool))
_LOW, _HIGH, _UNSIGNED = -(1 << 63), (1 << 63) - 1, (1 << 64) - 1


class ArgumentKind:
    """How one parameter takes its values."""

    __slots__ = ("check", "convert", "exact", "take", "taker")

    def __init__(
        self,
        exact: frozenset[type],
        take: Callable[[Any], Any] | None,
        check: Callable[[Any], int],
        convert: Callable[[Any], Any],
    ) -> None:
        self.exact, self.check, self.convert = exact, check, convert
        self.take = take or _two_steps(check, convert)
        self.taker = (exact, self.take)


def _two_steps(check: Callable[[Any], int], convert: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def take(value: Any) -> Any:
        return convert(value) if check(value) == OK else NO

    return take


def _same(value: Any) -> Any:
    return value


def symbol_type(value: Any) -> type | None:
    """The type of a number that is a symbol, which calls take as it is; None of all else."""
    found: type | None = getattr(getattr(value, "node", None), "pytype", None)
    return found


_EMPTY: frozenset[type] = frozenset()


class KindMaker:
    """The kinds over one :class:`ValueTypes`; one maker serves all parsers of a framework."""

    def __init__(self, types: ValueTypes) -> None:
        self.types = types
        self._made: dict[tuple[Any, ...], ArgumentKind] = {}
        self._of: dict[Parameter, ArgumentKind] = {}

    def of(self, parameter: Parameter) -> ArgumentKind:
        """The kind of one parameter, which signatures share."""
        made = self._of.get(parameter)
        if made is None:
            made = self._of[parameter] = self.kind(parameter)
        return made

    def kind(self, parameter: Parameter) -> ArgumentKind:
        """The kind of one parameter; parameters that are alike share it."""
        none = parameter.allow_none
        key = (
            parameter.kind,
            parameter.size,
            parameter.numbers_as_tensors,
            none,
            self.default(parameter) if none else None,
        )
        made = self._made.get(key)
        if made is None:
            made = self._make(parameter)
            if none:
                made = _nullable(made, self.default(parameter))
            self._made[key] = made
        return made

    def default(self, parameter: Parameter) -> Any:
        """What stands for a parameter that is not given; a dtype may be that of a Python type."""
        default = parameter.default
        return self.types.to_dtype(int) if default is int else default

    def _make(self, parameter: Parameter) -> ArgumentKind:
        types, kind = self.types, parameter.kind
        if kind == "Tensor":
            return self._tensor(parameter.numbers_as_tensors)
        if kind in ("Tensor[]", "Tensor?[]"):
            return self._tensor_list(parameter.size)
        if kind in ("int[]", "SymInt[]"):
            return self._int_list(parameter.size or 0, symbolic=kind == "SymInt[]")
        if kind in ("int", "DeviceIndex"):
            return ArgumentKind(_EMPTY, self._take_int(self.check_int), self.check_int, self.to_int)
        if kind == "SymInt":
            check = self.check_index
            return ArgumentKind(_EMPTY, self._take_int(check), check, self.to_symint)
        if kind == "Scalar":
            return ArgumentKind(
                frozenset((float, bool, complex)), None, self.check_scalar, self.to_number
            )
        if kind == "float":
            return ArgumentKind(frozenset((float,)), None, self.check_float, self.to_float)
        if kind == "complex":
            return ArgumentKind(
                frozenset((complex,)),
                None,
                self.check_complex,
                lambda x: complex(self.to_number(x)),
            )
        if kind in ("bool", "SymBool"):
            return _simple(frozenset((bool,)), lambda x: x is True or x is False)
        if kind == "str":
            return ArgumentKind(
                frozenset((str,)),
                None,
                lambda x: OK if isinstance(x, (str, bytes)) else FAIL,
                lambda x: x.decode() if isinstance(x, bytes) else x,
            )
        if kind == "ScalarType":
            return ArgumentKind(types.dtype_types, None, self.check_dtype, self.to_dtype)
        if kind == "Device":
            return ArgumentKind(types.device_types, None, self.check_device, self.to_device)
        if kind == "Layout":  # none is taken without a look: the framework may lack some
            layouts = tuple(types.layout_types)
            return ArgumentKind(
                _EMPTY, None, lambda x: OK if isinstance(x, layouts) else FAIL, types.to_layout
            )
        classes = {
            "MemoryFormat": types.memory_format_types,
            "Generator": types.generator_types,
            "Storage": types.storage_types,
            "Stream": types.stream_types,
        }.get(kind)
        if classes is not None:
            wanted = tuple(classes)
            return _simple(classes, lambda x: isinstance(x, wanted))
        if kind == "object":
            return _simple(_EMPTY, lambda x: True)
        if kind == "float[]":
            return ArgumentKind(_EMPTY, None, self._check_float_list, self._to_float_list)
        if kind == "bool[]":
            return ArgumentKind(_EMPTY, None, self._check_bool_list, tuple)
        if kind == "Scalar[]":
            return ArgumentKind(
                _EMPTY,
                None,
                self._check_scalar_list,
                lambda x: tuple([self.to_number(e) for e in x]),
            )
        raise errors.unknown_parameter_type(str(parameter))

    # -- numbers ---------------------------------------------------------------------------------

    def _scalar_tensor(self, value: Any) -> bool:
        """A 0-d tensor of no gradient stands for its number."""
        types = self.types
        return types.is_tensor(value) and types.dim(value) == 0 and not types.requires_grad(value)

    def check_scalar(self, value: Any) -> int:
        if isinstance(value, (int, float, complex)) or self.types.number(value) is not None:
            return OK
        return OK if self._scalar_tensor(value) or symbol_type(value) else FAIL

    def check_complex(self, value: Any) -> int:
        return OK if isinstance(value, complex) else self.check_float(value)

    def check_float(self, value: Any) -> int:
        if isinstance(value, (int, float)):
            return OK
        number = self.types.number(value)
        if number is not None:
            return OK if not isinstance(number, complex) else FAIL
        return OK if self._scalar_tensor(value) or symbol_type(value) in (int, float) else FAIL

    def check_int(self, value: Any) -> int:
        if isinstance(value, int):
            return FAIL if isinstance(value, bool) else OK
        number = self.types.number(value)
        if number is not None:
            return OK if isinstance(number, int) and not isinstance(number, bool) else FAIL
        if symbol_type(value) is int:
            return OK
        return OK if self._scalar_tensor(value) and self.types.is_integral(value) else FAIL

    def check_index(self, value: Any) -> int:
        """Sizes are taken from anything that gives an index, and from any one-element tensor."""
        if isinstance(value, int):
            return FAIL if isinstance(value, bool) else OK
        types = self.types
        if types.is_tensor(value):
            if types.numel(value) == 1 and (types.is_integral(value) or types.is_bool(value)):
                return OK
            return FAIL
        number = types.number(value)
        if number is not None:
            return OK if isinstance(number, int) and not isinstance(number, bool) else FAIL
        if symbol_type(value) is not None:
            return OK if symbol_type(value) is int else FAIL
        try:
            as_index(getattr(value, "stands_for", value))
        except TypeError:
            return FAIL
        return OK

    def to_number(self, value: Any) -> Any:
        """The Python number of a number, foreign scalar or one-element tensor."""
        if isinstance(value, int):
            if not _LOW <= value <= _UNSIGNED:
                raise errors.scalar_overflow(value)
            return value if type(value) in _NUMBERS else int(value)
        if type(value) in _NUMBERS:
            return value
        if isinstance(value, (float, complex)):  # subclasses, among them numpy.float64
            return float(value) if isinstance(value, float) else complex(value)
        number = self.types.number(value)
        if number is None:
            return value if symbol_type(value) else self.types.item(value)
        # of foreign scalars torch knows the integers; all others it reads as double
        if isinstance(number, int) and not isinstance(number, bool):
            return number
        return float(number.real)

    def to_int(self, value: Any) -> int:
        if not isinstance(value, int):
            number = self.types.number(value)
            if number is None and symbol_type(value):
                number = as_index(value)
            value = number if number is not None else self.types.item(value)
        if not _LOW <= value <= _HIGH:
            raise errors.int_overflow()
        return int(value)

    def to_index(self, value: Any) -> int:
        if not isinstance(value, int):
            types = self.types
            if types.is_tensor(value):
                if self.check_index(value) != OK:
                    raise TypeError  # an element of a list; the parser has the text
                if types.is_bool(value):
                    raise errors.bool_tensor_as_index()
                value = types.item(value)
            elif symbol_type(value) is int:
                return value  # type: ignore[no-any-return]  # for the mode that it comes from
            else:  # of a ragged size the number that stands for it
                value = as_index(getattr(value, "stands_for", value))
        if not _LOW <= value <= _HIGH:
            raise errors.int_overflow()
        return int(value)

    def to_symint(self, value: Any) -> int:
        if not isinstance(value, int) and self.types.is_tensor(value) and self.types.is_bool(value):
            raise errors.bool_tensor_as_symint()
        return self.to_index(value)

    def to_float(self, value: Any) -> float:
        if isinstance(value, int):  # of any size; float() has the error
            return float(value)
        value = self.to_number(value)
        if isinstance(value, complex):  # of a tensor; a Python complex fails the check
            if value.imag:
                raise errors.complex_as_float()
            value = value.real
        return float(value)

    def _take_int(self, check: Callable[[Any], int]) -> Callable[[Any], Any]:
        to_int = self.to_int if check == self.check_int else self.to_symint

        def take(value: Any) -> Any:
            if type(value) is int and _LOW <= value <= _HIGH:
                return value
            if check(value) != OK:
                return NO
            if self.types.is_tensor(value):
                # Its number is read when the signature is chosen: modes see who reads.
                raise LookupError
            return to_int(value)

        return take

    # -- tensors ---------------------------------------------------------------------------------

    def _tensor(self, numbers: bool) -> ArgumentKind:
        types = self.types
        is_tensor = types.is_tensor
        if not numbers:
            return ArgumentKind(
                types.tensor_types, None, lambda x: OK if is_tensor(x) else FAIL, _same
            )

        def check(value: Any) -> int:
            return OK if is_tensor(value) else self.check_number(value)

        def convert(value: Any) -> Any:
            return value if is_tensor(value) else self.to_number(value)

        return ArgumentKind(types.tensor_types | {float, bool, complex}, None, check, convert)

    def check_number(self, value: Any) -> int:
        if isinstance(value, (int, float, complex)) or self.types.number(value) is not None:
            return OK
        return OK if symbol_type(value) else FAIL

    def _tensor_list(self, size: int | None) -> ArgumentKind:
        exact, is_tensor = self.types.tensor_types, self.types.is_tensor

        def check(value: Any) -> int:
            if not isinstance(value, (tuple, list)):
                return FAIL
            for place, element in enumerate(value):
                if type(element) not in exact and not is_tensor(element):
                    # torch raises here, whatever other overloads there are
                    raise NotATensor(place, element)
            return OK

        def convert(value: Any) -> list[Any]:
            if size is not None and len(value) != size:
                raise errors.tuple_length(size, len(value))
            return list(value)

        return ArgumentKind(_EMPTY, None, check, convert)

    # -- lists -----------------------------------------------------------------------------------

    def _int_list(self, size: int, *, symbolic: bool) -> ArgumentKind:
        check_index, to_index, to_element = self.check_index, self.to_index, self._to_element

        def check(value: Any) -> int:
            if isinstance(value, (tuple, list)):
                # the first element decides; the others are looked at when they are converted
                return OK if not value or check_index(value[0]) == OK else 0
            return OK if size and check_index(value) == OK else FAIL

        def convert(value: Any) -> tuple[int, ...]:
            if not isinstance(value, (tuple, list)):
                return (to_element(value),) * size
            done = []
            for place, element in enumerate(value):
                try:
                    done.append(to_index(element) if symbolic else to_element(element))
                except (TypeError, ValueError) as error:
                    raise BadElement(place, element, error) from None
            return tuple(done)

        def take(value: Any) -> Any:
            kind = type(value)
            if kind is tuple or kind is list:
                for element in value:
                    if type(element) is not int or not _LOW <= element <= _HIGH:
                        break
                else:
                    return value if kind is tuple else tuple(value)
            elif kind is int and size and _LOW <= value <= _HIGH:
                return (value,) * size
            return convert(value) if check(value) == OK else NO

        return ArgumentKind(_EMPTY, take, check, convert)

    def _to_element(self, value: Any) -> int:
        """As to_index, but a tensor of bool counts too."""
        types = self.types
        if not isinstance(value, int) and types.is_tensor(value) and types.is_bool(value):
            return int(types.item(value).real) if types.numel(value) == 1 else self.to_index(value)
        return self.to_index(value)

    def _check_float_list(self, value: Any) -> int:
        if not isinstance(value, (tuple, list)):
            return FAIL
        if not value:
            return OK
        first = value[0]
        if isinstance(first, (int, float, complex)) or self.types.number(first) is not None:
            return OK
        return 0

    def _to_float_list(self, value: Any) -> tuple[float, ...]:
        done = []
        for place, element in enumerate(value):
            tensor = self.types.is_tensor(element) and self.types.numel(element) == 1
            if not tensor and self.check_float(element) != OK:
                raise BadElement(place, element, None)
            done.append(self.to_float(element))
        return tuple(done)

    def _check_scalar_list(self, value: Any) -> int:
        if not isinstance(value, (tuple, list)):
            return FAIL
        for place, element in enumerate(value):
            if self.check_number(element) != OK:
                return place
        return OK

    def _check_bool_list(self, value: Any) -> int:
        if not isinstance(value, (tuple, list)):
            return FAIL
        return OK if all(e is True or e is False for e in value) else FAIL

    # -- dtypes and devices ----------------------------------------------------------------------

    def check_dtype(self, value: Any) -> int:
        if isinstance(value, tuple(self.types.dtype_types)):
            return OK
        return OK if isinstance(value, type) and value in _NUMBERS else FAIL

    def to_dtype(self, value: Any) -> Any:
        return self.types.to_dtype(value) if isinstance(value, type) else value

    def check_device(self, value: Any) -> int:
        if isinstance(value, (str, bytes, *self.types.device_types)):
            return OK
        return FAIL if self.types.is_tensor(value) else self.check_int(value)

    def to_device(self, value: Any) -> Any:
        if isinstance(value, tuple(self.types.device_types)):
            return value
        if isinstance(value, bytes):
            value = value.decode()
        return self.types.to_device(value if isinstance(value, str) else self.to_int(value))


class NotATensor(Exception):
    """An element of a sequence of tensors is none; the parser adds which argument it was."""

    def __init__(self, place: int, element: Any) -> None:
        super().__init__()
        self.place, self.element = place, element


class BadElement(Exception):
    """An element of a list cannot be converted; the parser adds which argument it was."""

    def __init__(self, place: int, element: Any, cause: Exception | None) -> None:
        super().__init__()
        self.place, self.element, self.cause = place, element, cause


def _simple(exact: frozenset[type], holds: Callable[[Any], bool]) -> ArgumentKind:
    return ArgumentKind(exact, None, lambda x: OK if holds(x) else FAIL, _same)


def _nullable(kind: ArgumentKind, default: Any) -> ArgumentKind:
    """The kind that takes None for "not given"."""
    check, convert, take = kind.check, kind.convert, kind.take
    return ArgumentKind(
        kind.exact | {_NONE} if default is None else kind.exact,
        take if default is None else lambda x: default if x is None else take(x),
        lambda x: OK if x is None else check(x),
        lambda x: default if x is None else convert(x),
    )


_makers: dict[int, KindMaker] = {}


def kind_maker(types: ValueTypes) -> KindMaker:
    """What makes the kinds over *types*."""
    maker = _makers.get(id(types))
    if maker is None or maker.types is not types:
        maker = _makers[id(types)] = KindMaker(types)
    return maker

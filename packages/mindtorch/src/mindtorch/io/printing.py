"""How tensors print: torch's text, to the character.

Source of the rules: torch/_tensor_str.py (widths, when numbers turn scientific, where lines
break, which facts follow the numbers).
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from mindtorch_dispatch import tls
from mindtorch_storage import complex64, complex128, float64, get_default_dtype

from ..core import signature as S
from ..core.errors import not_implemented_for
from ..core.extended_dtypes import plain_numbers
from ..tensor import Tensor
from ..tensor.construction import share
from ..tensor.quantizer import PerTensor, quantizer_of

tls_state = tls.state.get


class PrintOptions:
    """What :func:`set_printoptions` sets."""

    __slots__ = ("edgeitems", "linewidth", "precision", "sci_mode", "threshold")

    def __init__(self) -> None:
        self.precision = 4
        self.threshold: float = 1000
        self.edgeitems = 3
        self.linewidth = 80
        self.sci_mode: bool | None = None


OPTIONS = PrintOptions()
_ORDER = ("precision", "threshold", "edgeitems", "linewidth", "sci_mode")
_PROFILES = {
    "default": (4, 1000, 3, 80),
    "short": (2, 1000, 2, 80),
    "full": (4, float("inf"), 3, 80),
}


def set_printoptions(
    precision: int | None = None,
    threshold: float | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    profile: str | None = None,
    sci_mode: bool | None = None,
) -> None:
    """Set how tensors print.

    :param precision: digits after the point.
    :param threshold: the number of elements above which a tensor is summarised.
    :param edgeitems: elements shown at each end of a summarised dimension.
    :param linewidth: characters per line.
    :param profile: ``"default"``, ``"short"`` or ``"full"``: a set of the above.
    :param sci_mode: scientific notation always or never; None lets the numbers decide.
    """
    if profile is not None and profile in _PROFILES:
        (
            OPTIONS.precision,
            OPTIONS.threshold,
            OPTIONS.edgeitems,
            OPTIONS.linewidth,
        ) = _PROFILES[profile]
    for name, value in (
        ("precision", precision),
        ("threshold", threshold),
        ("edgeitems", edgeitems),
        ("linewidth", linewidth),
    ):
        if value is not None:
            setattr(OPTIONS, name, value)
    OPTIONS.sci_mode = sci_mode


def get_printoptions() -> dict[str, Any]:
    """What :func:`set_printoptions` set, as its arguments."""
    return {name: getattr(OPTIONS, name) for name in _ORDER}


@contextmanager
def printoptions(**kwargs: Any) -> Iterator[None]:
    """:func:`set_printoptions` for the body of a ``with`` statement."""
    before = get_printoptions()
    set_printoptions(**kwargs)
    try:
        yield
    finally:
        set_printoptions(**before)


class Formatter:
    """Formats the numbers of one tensor to one width."""

    __slots__ = ("floating_dtype", "int_mode", "max_width", "sci_mode")

    def __init__(self, values: np.ndarray[Any, Any]) -> None:
        self.floating_dtype = values.dtype.kind == "f"
        self.int_mode = True
        self.sci_mode = False
        self.max_width = 1
        flat = values.reshape(-1)
        if not self.floating_dtype:
            self.max_width = max([1, *(len(str(v)) for v in flat.tolist())])
            return
        nonzero = flat[np.isfinite(flat) & (flat != 0)]
        if nonzero.size == 0:
            return
        size = np.abs(nonzero.astype(np.float64))
        low, high = float(size.min()), float(size.max())
        self.int_mode = bool((nonzero == np.ceil(nonzero)).all())
        if OPTIONS.sci_mode is not None:
            self.sci_mode = OPTIONS.sci_mode
        else:
            self.sci_mode = high / low > 1000.0 or high > 1.0e8 or low < 1.0e-4
        numbers = nonzero.tolist()
        digits = OPTIONS.precision
        if self.sci_mode:
            longest = max([len(f"{v:.{digits}e}") for v in numbers])
        elif self.int_mode:
            longest = max([len(f"{v:.0f}") for v in numbers]) + 1  # for the point
        else:
            longest = max([len(f"{v:.{digits}f}") for v in numbers])
        self.max_width = max(1, longest)

    def format(self, value: Any) -> str:
        """*value*, padded on the left to the common width."""
        if self.floating_dtype:
            if self.sci_mode:
                text = f"{value:{self.max_width}.{OPTIONS.precision}e}"
            elif self.int_mode:
                text = f"{value:.0f}"
                if value == value and value not in (float("inf"), float("-inf")):
                    text += "."
            else:
                text = f"{value:.{OPTIONS.precision}f}"
        else:
            text = f"{value}"
        return text.rjust(self.max_width)


def _element(value: Any, first: Formatter, second: Formatter | None) -> str:
    if second is None:
        return first.format(value)
    real = first.format(value.real)
    imaginary = f"{second.format(value.imag)}j".lstrip()
    negative = value.imag < 0 or (value.imag == 0 and np.signbit(value.imag))
    return real + imaginary if negative and imaginary.startswith("-") else f"{real}+{imaginary}"


def _vector(
    a: np.ndarray[Any, Any],
    indent: int,
    summarize: bool,
    first: Formatter,
    second: Formatter | None,
) -> str:
    length = first.max_width + 2
    if second is not None:
        length += second.max_width + 1
    per_line = max(1, (OPTIONS.linewidth - indent) // length)
    edge = OPTIONS.edgeitems
    if summarize and not edge:
        words = ["..."]
    elif summarize and len(a) > 2 * edge:
        words = [_element(v, first, second) for v in a[:edge].tolist()]
        words.append(" ...")
        words += [_element(v, first, second) for v in a[-edge:].tolist()]
    else:
        words = [_element(v, first, second) for v in a.tolist()]
    lines = [", ".join(words[i : i + per_line]) for i in range(0, len(words), per_line)]
    return "[" + (",\n" + " " * (indent + 1)).join(lines) + "]"


def _nested(
    a: np.ndarray[Any, Any],
    indent: int,
    summarize: bool,
    first: Formatter,
    second: Formatter | None,
) -> str:
    if a.ndim == 0:
        return _element(a.item() if a.dtype.kind != "f" else float(a), first, second)
    if a.ndim == 1:
        return _vector(a, indent, summarize, first, second)
    edge = OPTIONS.edgeitems
    if summarize and len(a) > 2 * edge:
        parts = [_nested(a[i], indent + 1, summarize, first, second) for i in range(edge)]
        parts.append("...")
        parts += [
            _nested(a[i], indent + 1, summarize, first, second)
            for i in range(len(a) - edge, len(a))
        ]
    else:
        parts = [_nested(x, indent + 1, summarize, first, second) for x in a]
    return "[" + ("," + "\n" * (a.ndim - 1) + " " * (indent + 1)).join(parts) + "]"


def _edges(a: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The elements that a summary shows, which alone decide its format."""
    edge = OPTIONS.edgeitems
    for axis in range(a.ndim):
        n = a.shape[axis]
        if n > 2 * edge:
            a = np.take(a, [*range(edge), *range(n - edge, n)], axis)
    return a


def _numbers(a: np.ndarray[Any, Any], indent: int) -> str:
    if a.size == 0:
        return "[]"
    summarize = a.size > OPTIONS.threshold
    shown = _edges(a) if summarize else a
    if a.dtype.kind == "c":
        return _nested(a, indent, summarize, Formatter(shown.real), Formatter(shown.imag))
    return _nested(a, indent, summarize, Formatter(shown), None)


def contents(t: Any, indent: int) -> str:
    """The numbers of *t* as its text has them, with lines that begin at column *indent*."""
    return _numbers(shown_numbers(t), indent)


def shown_numbers(t: Any) -> np.ndarray[Any, Any]:
    """The elements of *t* as numbers that Python can format."""
    a: np.ndarray[Any, Any] = t._host_()
    if a.size == 0:
        return a
    if t._sig_ & S.QUANTIZED:
        quantized: np.ndarray[Any, Any] = t.dequantize()._a_
        return quantized
    if t._sig_ & S.RARE:
        return _rare_numbers(t, a)
    return a.astype(np.float32) if a.dtype.itemsize == 2 and a.dtype.kind in "fV" else a


def with_facts(text: str, facts: list[str], indent: int, new_line: bool = False) -> str:
    """*text*, the *facts* that follow it (the first on a new line if asked) and a bracket."""
    last = len(text) - text.rfind("\n") + 1
    for fact in facts:
        if new_line or last + len(fact) + 2 > OPTIONS.linewidth:
            text += ",\n" + " " * indent + fact
            last = indent + len(fact)
            new_line = False
        else:
            text += ", " + fact
            last += len(fact) + 2
    return text + ")"


def tensor_str(t: Any, *, tensor_contents: Any = None) -> str:
    """The text of ``repr(t)``. Flushes pipelines and waits for the NPU."""
    if tls.extra(tls_state()) & tls.TRANSFORMED:
        from ..functionality.transform_guards import layers  # not before something is transformed

        lines, inside = layers(t)
        text = _tensor_str(share(inside._a_, inside) if lines else t)
        for line in reversed(lines):
            text = f"{line}\n{textwrap.indent(text, '    ')}\n)"
        return text
    return _tensor_str(t, tensor_contents=tensor_contents)


def _tensor_str(t: Any, *, tensor_contents: Any = None) -> str:
    if t._sig_ & S.BATCHED:
        value, bdim, level = t._batched
        shown = textwrap.indent(tensor_str(value), "    ")
        return f"BatchedTensor(lvl={level}, bdim={bdim}, value=\n{shown}\n)"
    if t._sig_ & S.FUNCTIONAL:
        return _functional_str(t)
    kind = type(t)
    plain = kind is Tensor or kind.__module__ == "torch.nn.parameter"
    prefix = "tensor(" if plain else f"{kind.__name__}("
    indent = len(prefix)
    facts = []
    if not t._sig_ & S.CPU:
        facts.append(f"device='{t.device}'")
    dtype, default = t.dtype, get_default_dtype()
    usual_complex = complex128 if default is float64 else complex64
    usual = dtype.name in ("int64", "bool") or dtype in (default, usual_complex)
    sparse = t._sig_ & S.SPARSE_LAYOUTS
    if sparse:
        facts += [f"size={tuple(t._a_.shape)}", f"nnz={t._content_.nnz}"]
        if not usual:
            facts.append(f"dtype={dtype}")
        text = _parts(t._content_, indent) if tensor_contents is None else tensor_contents
    elif t._sig_ & S.QUANTIZED:
        facts += [f"size={tuple(t._a_.shape)}", f"dtype={dtype}", *_quantizer_facts(t)]
        text = contents(t, indent) if tensor_contents is None else tensor_contents
    elif t._sig_ & S.META:
        facts.append(f"size={tuple(t._a_.shape)}")
        if dtype is not default:
            facts.append(f"dtype={dtype}")
        text = "..." if tensor_contents is None else tensor_contents
    elif t._a_.size == 0:
        if t._a_.ndim != 1:
            facts.append(f"size={tuple(t._a_.shape)}")
        if dtype is not default:
            facts.append(f"dtype={dtype}")
        text = "[]" if tensor_contents is None else tensor_contents
    else:
        if not OPTIONS.edgeitems:
            facts.append(f"size={tuple(t._a_.shape)}")
        if not usual:
            facts.append(f"dtype={dtype}")
        text = contents(t, indent) if tensor_contents is None else tensor_contents
    if sparse:
        facts.append(f"layout={t.layout}")
    history = _history(t)
    if history:
        facts.append(history)
    if t._sig_ & S.DUAL:
        from ..functionality.tangents import shown  # not before there are tangents

        facts += [f"tangent={tangent}" for tangent in shown(t)]  # formatted: 0-d as a number
    shown = with_facts(prefix + text, facts, indent, bool(sparse & S.SPARSE))
    return shown if plain or not _is_parameter(t) else f"Parameter({shown})"


def _quantizer_facts(t: Any) -> list[str]:
    """By what rule the integers of *t* stand for numbers."""
    quantizer = quantizer_of(t)
    facts = [f"quantization_scheme={quantizer.scheme}"]
    if isinstance(quantizer, PerTensor):
        return [*facts, f"scale={quantizer.scale}", f"zero_point={quantizer.zero_point}"]
    scales, places = t.q_per_channel_scales(), t.q_per_channel_zero_points()
    return [*facts, f"scale={scales}", f"zero_point={places}", f"axis={quantizer.axis}"]


def _parts(content: Any, indent: int) -> str:
    """What a sparse tensor consists of, a tensor below the other."""
    shown = []
    for name, part in content.named_parts():
        prefix = f"{name}=tensor("
        text = contents(part, indent + len(prefix))
        if not part._a_.size:
            text += f", size={tuple(part._a_.shape)}"
        shown.append(f"{prefix}{text})")
    return (",\n" + " " * indent).join(shown)


def _rare_numbers(t: Any, a: Any) -> Any:
    """The numbers that are shown for dtypes that numpy lacks: 8-bit floats as half precision."""
    if a.dtype.num > 24:
        a = plain_numbers(a)
        if t.is_complex():
            return a
        with np.errstate(over="ignore"):
            return a.astype(np.float16).astype(np.float32)
    if t.dtype.is_floating_point:  # two numbers in a byte, which torch shows as one
        return np.ascontiguousarray(a).view(np.uint8).astype(np.float32)
    raise not_implemented_for("_local_scalar_dense_cpu", t.dtype)


def _functional_str(t: Any) -> str:
    """A functional tensor is shown as its value: of a level, brought up to date first."""
    from ..functionality.functional_tensor import sync  # not before something is functional

    level = t._content_.level
    if level < 0:
        prefix = "_to_functional_tensor("
        history = _history(t)
        facts = [history] if history else []
        return with_facts(prefix + tensor_str(t._content_.value), facts, len(prefix))
    sync(t)
    return f"FunctionalTensor(lvl={level}, value=\\\n{tensor_str(t._content_.value)})"


def _is_parameter(t: Any) -> bool:
    """Whether *t* is one; torch.nn is not imported to find out."""
    module = sys.modules.get("mindtorch.nn.parameter")
    return module is not None and isinstance(t, module.Parameter)


def _history(t: Any) -> str:
    try:
        node = t.grad_fn
    except RuntimeError:
        # A view made without grad mode whose base changed has no history that could be told.
        return "grad_fn=<Invalid>"
    if node is not None:
        return f"grad_fn=<{node.name().rsplit('::', 1)[-1]}>"
    return "requires_grad=True" if t.requires_grad else ""

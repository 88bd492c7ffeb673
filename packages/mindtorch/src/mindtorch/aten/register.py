"""From rows to the API: overloads, dispatcher registrations, functions and methods.

Everything loops over :data:`mindtorch.call.row.ROWS`. A function or method is a closure over its
overloads; the common calls (one or two tensors, the rest default) go straight to the overload's
call table, all others through the argument parser.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from mindtorch_dispatch import DispatchKey as K
from mindtorch_dispatch import registry
from mindtorch_dispatch.kernel import SharedKernels
from mindtorch_storage import int64

from ..backends.composites import composite_kernel
from ..backends.copies import pinned
from ..call import generation, lazy_registration
from ..call.dispatch_entry import OVERLOADS, signature
from ..call.entrance import Entrance, requiring_grad
from ..call.intercept import ApiTable
from ..call.overload import FUNCTIONAL, IMPLICIT, INPLACE, KINDS, OUT, Overload, inplace_overload
from ..call.overload_entrance import straight
from ..call.row import ROWS, Row
from ..call.specialize import CallTable
from ..core import signature as S
from ..core.key_sets import grad_state, tls_state
from ..core.module_names import as_called
from ..functionality.autocast import autocast, autocast_keys
from ..functionality.autograd import autograd
from ..functionality.backend_select import backend_select
from ..functionality.inplace_or_view import inplace_or_view
from ..functionality.pipeline import pipeline
from .backend_kernels import BACKEND_TAGS, SHARED_KERNELS, backend_kernels, has_kernel
from .docstrings import docstring
from .options import check_target


class ByName(dict[str, Any]):
    """Functions or methods by name; each is made of its overloads when first asked for."""

    __slots__ = ("_make",)

    def __init__(self, make: Callable[[str, list[Overload]], Callable[..., Any]]) -> None:
        self._make = make

    def __getitem__(self, name: str) -> Callable[..., Any]:
        found = dict.__getitem__(self, name)
        if type(found) is list:
            found = self[name] = self._make(name, found)
        return found

    def __missing__(self, name: str) -> Any:
        if lazy_registration.load(name) and dict.__contains__(self, name):
            return self[name]
        raise KeyError(name)

    def __contains__(self, name: object) -> bool:
        return dict.__contains__(self, name) or (
            lazy_registration.load(str(name)) and dict.__contains__(self, name)
        )

    def __iter__(self) -> Iterator[str]:
        lazy_registration.load_all()
        return dict.__iter__(self)

    def get(self, name: str, default: Any = None) -> Any:
        """The function *name*, or *default*."""
        return self[name] if name in self else default


#: ``torch.x`` functions by name.
FUNCTIONS = ByName(lambda base, group: make_function(base, group))
#: ``torch._C._nn.x`` functions by name: those of rows whose ``module`` is ``"nn"``.
NN_FUNCTIONS = ByName(lambda base, group: make_function(base, group, "mindtorch._C._nn"))
#: Likewise ``torch._C._linalg.linalg_x``, ``torch._C._fft.fft_x``, ``torch._C._special.special_x``.
LINALG_FUNCTIONS = ByName(lambda base, group: make_function(base, group, "mindtorch._C._linalg"))
FFT_FUNCTIONS = ByName(lambda base, group: make_function(base, group, "mindtorch._C._fft"))
SPECIAL_FUNCTIONS = ByName(lambda base, group: make_function(base, group, "mindtorch._C._special"))
SPARSE_FUNCTIONS = ByName(lambda base, group: make_function(base, group, "mindtorch._C._sparse"))
#: Where the functions of rows are, by the rows' ``module``.
MODULES = {
    "": FUNCTIONS,
    "nn": NN_FUNCTIONS,
    "linalg": LINALG_FUNCTIONS,
    "fft": FFT_FUNCTIONS,
    "sparse": SPARSE_FUNCTIONS,
    "special": SPECIAL_FUNCTIONS,
}


def is_of_row(function: Any) -> bool:
    """Whether a row is behind *function*: in torch it is no function of Python."""
    name = getattr(function, "__name__", None)
    return any(dict.get(table, name) is function for table in MODULES.values())


#: ``Tensor.x`` methods by name.
METHODS = ByName(lambda base, group: make_method(base, group))
NUMBER_SIG = S.NUMBER_SIG
#: How many rows are registered.
_registered = 0


def register_rows() -> None:
    """Register the rows that came since the last time."""
    global _registered
    rows = list(islice(ROWS.values(), _registered, None))
    _registered += len(rows)
    for row in rows:
        for overload in overloads_of(row):
            if overload.name in OVERLOADS:
                continue
            _register(overload)
            base = overload.base
            if "function" in row.variants and not hidden(overload):
                dict.setdefault(MODULES[row.module], base, []).append(overload)
            if "method" in row.variants and overload.kind != OUT:
                dict.setdefault(METHODS, base, []).append(overload)


def overloads_of(row: Row) -> list[Overload]:
    """The overloads that a row makes."""
    base, name = row.base, row.overload
    _, _, returns = row.schema.rpartition(" -> ")
    if "(a!)" in row.schema and ("(a!)" in returns or returns == "()"):
        into = ", Tensor(a!) out" in row.schema or ", Tensor(a!)[] out" in row.schema
        kind = OUT if into else INPLACE
        return [Overload(row, kind, base, name)]
    found = [Overload(row, FUNCTIONAL, base, name)]
    if row.inplace:
        found.append(Overload(row, INPLACE, base + "_", inplace_overload(row)))
    if row.out:
        found.append(Overload(row, OUT, base, row.out))
    return found


#: In-place forms that are functions too (``torch.abs_``); all others are methods only.
IN_PLACE_FUNCTIONS = frozenset(
    (
        "abs_", "acos_", "acosh_", "addmv_", "alpha_dropout_", "arccos_", "arccosh_", "arcsin_",
        "arcsinh_", "arctan_", "arctanh_", "as_strided_", "asin_", "asinh_", "atan_", "atanh_",
        "ceil_", "celu_", "clamp_", "clamp_max_", "clamp_min_", "clip_", "conj_physical_", "cos_",
        "cosh_", "deg2rad_", "detach_", "dropout_", "embedding_renorm_", "erf_", "erfc_", "exp2_",
        "exp_", "expm1_", "feature_alpha_dropout_", "feature_dropout_", "fill_", "fix_", "floor_",
        "frac_", "gcd_", "i0_", "index_put_", "lcm_", "ldexp_", "log10_", "log1p_", "log2_",
        "log_", "logit_", "nan_to_num_", "neg_", "negative_", "rad2deg_", "reciprocal_", "relu_",
        "resize_as_", "resize_as_sparse_", "round_", "rrelu_", "rsqrt_", "selu_", "sigmoid_",
        "sin_",
        "sinc_", "sinh_", "sqrt_", "square_", "tan_", "tanh_", "threshold_", "trunc_", "xlogy_",
        "zero_",
    )
)  # fmt: skip


def hidden(overload: Overload) -> bool:
    """Whether torch has the overload but no function for it."""
    if overload.kind == OUT:
        return not overload.row.out_form.function
    if overload.kind == INPLACE and not overload.row.module:
        return overload.base not in IN_PLACE_FUNCTIONS and overload.base[0] != "_"
    return False


def _register(overload: Overload) -> None:
    """Give the overload its tables, and tell the dispatcher where its kernels come from."""
    operator = registry.register_source(overload.name, _Source(overload), where=overload.row.where)
    overload.operator = operator
    overload.table = operator.call_table = CallTable(overload)
    overload.api = ApiTable(overload)
    operator.on_change = _ON_CHANGE
    OVERLOADS[overload.name] = overload


class _Source:
    """An overload's schema and kernels as the dispatcher asks for them."""

    __slots__ = ("_overload",)

    def __init__(self, overload: Overload) -> None:
        self._overload = overload

    @property
    def schema_text(self) -> str:
        return "aten::" + self._overload.schema_text

    def kernels(self) -> SharedKernels:
        overload = self._overload
        row = overload.row
        # All that decides which kernels there are; few words serve all rows.
        facts = (
            overload.kind,
            overload.composed,
            overload.is_fused,
            row.autocast if overload.name == "aten::" + row.name else None,
            row.view is None,
            row.apart is None,
            has_kernel(row),
            _makes_tensors(overload),
            *_KERNEL_TAGS.intersection(row.tags),
        )
        shared = SHARED_KERNELS.get(facts)
        if shared is None:
            shared = SHARED_KERNELS[facts] = SharedKernels(_kernels_of(overload))
        return shared


#: The tags of a row that decide which kernels it has.
_KERNEL_TAGS = frozenset(("selects_backend", *BACKEND_TAGS)) | {
    f"not_in_place_or_view: {kind}" for kind in KINDS
}


def _kernels_of(overload: Overload) -> list[tuple[K, Callable[..., Any]]]:
    """Keys and kernels of *overload*."""
    row = overload.row
    found = [(key, autocast) for key in autocast_keys(overload)]
    composed = overload.composed
    if composed in IMPLICIT:
        found.append((K.CompositeImplicitAutograd, composite_kernel))
        if composed == "recorded":
            found += [(K.Autograd, autograd), (K.ADInplaceOrView, inplace_or_view)]
        elif overload.is_fused:
            found += [*backend_kernels(overload), (K.Autograd, autograd), (K.Pipeline, pipeline)]
        return found
    if composed == "explicit":
        found.append((K.CompositeExplicitAutograd, composite_kernel))
    found += backend_kernels(overload)
    found += [(K.Autograd, autograd), (K.Pipeline, pipeline)]
    changes = overload.kind != FUNCTIONAL or row.view is not None
    if changes and not overload.tagged("not_in_place_or_view"):
        found.append((K.ADInplaceOrView, inplace_or_view))
    selects = overload.kind == FUNCTIONAL and "selects_backend" in row.tags
    if selects or _makes_tensors(overload):
        found.append((K.BackendSelect, backend_select))
    return found


def _makes_tensors(overload: Overload) -> bool:
    """Whether it makes tensors out of none: it has to find out on which device."""
    arguments, _, returns = overload.schema_text.rpartition(" -> ")
    return "Tensor" in returns and "Tensor" not in arguments


def _forget(operator: Any) -> None:
    """The dispatcher empties an op's call table when its registrations change; so do we ours."""
    overload = OVERLOADS[operator.name]
    overload.api.clear()
    for entrance in overload.entrances:
        entrance.forget()


_ON_CHANGE = [_forget, generation.begin]


# Functions and methods ----------------------------------------------------------------------------


def parser_of(base: str, group: list[Overload], *, method: bool) -> Any:
    """The parser of a function or method; ``parse`` answers with a place in *group*."""
    from ..call.argument_parser import parser_of as make  # not before a function is first used

    return make(base, group, method=method)


def make_function(
    base: str, group: list[Overload], module: str = "mindtorch"
) -> Callable[..., Any]:
    """``torch.base``, or the *base* of another *module*."""
    parser = parser_of(base, group, method=False)
    entrance = Entrance(parser, group, name=base, after=run_bound)
    function: Callable[..., Any] = entrance.function
    if base.startswith("_foreach_") and base.endswith("_"):
        function = entrance.public = _giving_back(function)
    function.__name__ = function.__qualname__ = base
    function.__doc__ = docstring(base, group)
    function.__module__ = as_called(module)  # where pickle finds it
    return function


def _giving_back(change: Callable[..., Any]) -> Callable[..., Any]:
    """*change*, an op that writes into a list of tensors, with that list as its result."""

    def function(*args: Any, **kwargs: Any) -> Any:
        result = change(*args, **kwargs)
        return (args[0] if args else kwargs["self"]) if result is None else result

    return function


def internal(name: str) -> Callable[..., Any] | None:
    """A helper of gradient formulas, called without the parser; None for any other name."""
    if not (name.endswith(("_backward", "_forward")) or name.startswith("_")):
        return None
    group = [o for o in OVERLOADS.named(name) if o.kind != OUT]
    if len(group) != 1:
        return None
    return straight(group[0])


def aten_function(name: str) -> Callable[..., Any] | None:
    """The op *name* with its parser, also where torch offers neither function nor method."""
    group = OVERLOADS.named(name)
    return make_function(name, group) if group else None


def make_method(base: str, group: list[Overload]) -> Callable[..., Any]:
    """``Tensor.base``."""
    parser = parser_of(base, group, method=True)
    method = Entrance(parser, group, name=base, method=True, after=run_bound).function
    method.__name__ = base
    method.__qualname__ = f"Tensor.{base}"
    method.__doc__ = docstring(base, group, method=True)
    return method


def run_bound(parser: Any, which: int, overload: Overload, bound: tuple[Any, ...]) -> Any:
    """Call *overload* with what the parser made; ``requires_grad`` of factories comes last."""
    if overload._schema is None:
        overload._analyse()
    n = overload.arity
    pack = overload.pack
    key = signature(overload, bound) | grad_state() | tls_state()
    if len(bound) == n:
        result = overload.api[key](*bound)
        return result if pack is None else pack(result)
    if overload.kind == OUT:
        extras = dict(zip(parser.extras(which), bound[n:], strict=True))
        dtype = extras.get("dtype")
        if "dtype=4" in overload.row.schema and dtype is int64:  # which may be the default
            dtype = None
        check_target(bound[overload.out_positions[0]], dtype, extras.get("device"))
    result = overload.api[key](*bound[:n])
    if overload.pin_position >= 0 and bound[overload.pin_position]:
        result = pinned(result)
    extras = dict(zip(parser.extras(which), bound[n:], strict=True))
    return requiring_grad(result) if extras.get("requires_grad") else result

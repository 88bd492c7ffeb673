"""Which functions can be overridden, and by what names they go. Made when first asked for."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from keyword import iskeyword
from typing import Any

from .calls import OVERLOADS
from .functions import __all__ as python
from .ops.register import FUNCTIONS, METHODS
from .tensor import Tensor

#: Functions of ``torch`` that nobody can override: they make tensors, or ask about no tensor.
_IGNORED = (
    "arange are_deterministic_algorithms_enabled as_strided as_tensor asarray bartlett_window "
    "blackman_window broadcast_shapes can_cast compile default_generator device dtype empty "
    "empty_permuted empty_strided enable_grad eye fill finfo from_file from_numpy frombuffer full "
    "get_default_device get_default_dtype get_num_threads get_rng_state hamming_window "
    "hann_window iinfo inference_mode initial_seed is_grad_enabled is_inference_mode_enabled "
    "is_storage is_tensor kaiser_window layout linspace load logspace manual_seed memory_format "
    "no_grad normal ones promote_types rand rand_like randint randint_like randn randn_like "
    "randperm range result_type save scalar_tensor seed set_default_device set_grad_enabled "
    "set_num_threads set_printoptions set_rng_state sparse_coo_tensor tensor tril_indices "
    "triu_indices typename vander vmap zeros"
).split()
_IGNORED_METHODS = (
    "__delitem__ __dir__ __hash__ __init__ __iter__ __new__ __subclasshook__ __torch_dispatch__ "
    "__torch_function__ _make_subclass _make_wrapper_subclass _typed_storage as_subclass new "
    "new_empty new_empty_strided new_full new_ones new_tensor new_zeros stride unflatten"
).split()
#: Our modules of what is Python in torch, in torch.functional.
_FUNCTIONAL = ("mindtorch.functions", "mindtorch.norms", "mindtorch.uniques")
#: Functions of ``torch`` that ``torch.nn.functional`` has too; that is their name then.
_ALSO_NN = ("channel_shuffle", "native_channel_shuffle", "pixel_shuffle", "pixel_unshuffle")
#: Dunder methods of Tensor that can be overridden.
_DUNDERS = (
    "add and array array_wrap bool complex contains deepcopy div dlpack dlpack_device eq float "
    "floordiv format ge getitem gt iadd iand ifloordiv ilshift imod imul index int invert ior "
    "ipow irshift isub itruediv ixor le len long lshift lt matmul mod mul ne nonzero or pow radd "
    "rand reduce_ex repr reversed rfloordiv rlshift rmatmul rmod rmul ror rpow rrshift rshift "
    "rsub rtruediv rxor setitem setstate sub truediv xor"
).split()


@cache
def get_ignored_functions() -> set[Callable[..., Any]]:
    """Functions that cannot be overridden by ``__torch_function__``."""
    import mindtorch

    found = {getattr(mindtorch, n) for n in _IGNORED if hasattr(mindtorch, n)}
    return found | {getattr(Tensor, n) for n in _IGNORED_METHODS if hasattr(Tensor, n)}


@cache
def get_default_nowrap_functions() -> set[Callable[..., Any]]:
    """Functions whose results ``Tensor.__torch_function__`` leaves as they are."""
    return {Tensor._base.__get__, Tensor.grad.__get__}  # type: ignore[attr-defined]


def _namespaces() -> list[tuple[str, Any, list[str]]]:
    """``(name, namespace, names)`` of all places where functions are, torch's order."""
    import mindtorch
    from mindtorch import functions
    from mindtorch.nn import functional

    skipped = set(_IGNORED)
    top = [n for n in FUNCTIONS if not n.startswith("_") or n == "_sym_sqrt"]
    top += [n for n in functions.__all__ if n not in top]
    top = [n for n in top if n not in skipped and n in _of_torch(top)]
    public = [*functional.__all__, *functional._OPS]
    public += [n for n in _ALSO_NN if n not in public and hasattr(functional, n)]
    return [
        ("torch", mindtorch, top),
        ("torch.nn.functional", functional, public),
    ]


def _of_torch(names: list[str]) -> set[str]:
    """Those that are functions of ``torch`` itself and not of one of its modules."""
    from ._C import _VariableFunctions

    return set(dir(_VariableFunctions)) | set(python)


@cache
def _index() -> tuple[dict[Any, list[Callable[..., Any]]], dict[Callable[..., Any], str]]:
    """The overridable functions by namespace, and the name of each."""
    by_place: dict[Any, list[Callable[..., Any]]] = {}
    names: dict[Callable[..., Any], str] = {}
    ignored = get_ignored_functions()
    for place, namespace, listed in _namespaces():
        for name in listed:
            func = getattr(namespace, name, None)
            if not callable(func) or isinstance(func, type) or func in ignored:
                continue
            home = "torch.functional" if func.__module__ in _FUNCTIONAL else place
            names[func] = f"{home}.{name}"
            by_place.setdefault(namespace, []).append(func)
    for name in _tensor_names():
        value = inspect.getattr_static(Tensor, name)
        if isinstance(value, property):
            names.setdefault(value.__get__, f"torch.Tensor.{name}.__get__")
            names.setdefault(value.__set__, f"torch.Tensor.{name}.__set__")
            by_place.setdefault(Tensor, []).append(value.__get__)
        else:
            func = getattr(Tensor, name)
            if callable(func) and func not in ignored:
                if func not in names or func.__name__ == name:  # of two names its own
                    names[func] = f"torch.Tensor.{name}"
                by_place.setdefault(Tensor, []).append(func)
    return by_place, names


def _tensor_names() -> list[str]:
    dunders = [f"__{n}__" for n in _DUNDERS if hasattr(Tensor, f"__{n}__")]
    plain = [n for n in dir(Tensor) if not n.startswith("_")]
    private = ["_base", "_version", "_cdata", "_is_view", *(n for n in METHODS if n[0] == "_")]
    ignored = set(_IGNORED_METHODS)
    return [n for n in (*plain, *dunders, *private) if n not in ignored and hasattr(Tensor, n)]


def get_overridable_functions() -> dict[Any, list[Callable[..., Any]]]:
    """The functions that can be overridden, by the namespace they are in.

    Of a property its ``__get__`` is listed.
    """
    return _index()[0]


def resolve_name(f: Any) -> str | None:
    """The name of a function that was handed to ``__torch_function__``, with its namespace.

    None for what cannot be overridden; an operator of ``torch.ops`` gives its own name.
    """
    from ._ops import OpOverload, OpOverloadPacket

    if isinstance(f, (OpOverload, OpOverloadPacket)):
        return str(f)
    try:
        found = _index()[1].get(f)
    except TypeError:  # not hashable, so no function
        return None
    if found is None and f in get_ignored_functions():
        return _ignored_names().get(f)
    return found


@cache
def _ignored_names() -> dict[Any, str]:
    import mindtorch

    names = {getattr(mindtorch, n): f"torch.{n}" for n in _IGNORED if hasattr(mindtorch, n)}
    for n in _IGNORED_METHODS:
        if hasattr(Tensor, n):
            names.setdefault(getattr(Tensor, n), f"torch.Tensor.{n}")
    return names


@cache
def _tensor_functions() -> frozenset[Any]:
    properties = (inspect.getattr_static(Tensor, n) for n in _tensor_names())
    setters = {p.__set__ for p in properties if isinstance(p, property)}
    return frozenset(get_overridable_functions()[Tensor]) | setters


def is_tensor_method_or_property(func: Callable[..., Any]) -> bool:
    """Whether *func* is a method of Tensor, or the ``__get__`` of one of its properties."""
    return func in _tensor_functions() or getattr(func, "__name__", "") == "__get__"


@cache
def get_testing_overrides() -> dict[Callable[..., Any], Callable[..., Any]]:
    """A dummy for every overridable function: it takes the same arguments and returns -1."""
    return {
        func: _dummy(func)
        for functions in get_overridable_functions().values()
        for func in functions
    }


def _dummy(func: Callable[..., Any]) -> Callable[..., Any]:
    def dummy(*args: Any, **kwargs: Any) -> int:
        return -1

    signature = _signature(func)
    if signature is not None:
        dummy.__signature__ = signature  # type: ignore[attr-defined]
    return dummy


def _legal(name: str) -> str:
    """An argument's name as Python allows it (``random_`` has a ``from``)."""
    return f"{name}_" if iskeyword(name) else name


def _signature(func: Callable[..., Any]) -> inspect.Signature | None:
    """What *func* takes: of an op the arguments of its first schema."""
    name = getattr(func, "__name__", "")
    if FUNCTIONS.get(name) is not func and METHODS.get(name) is not func:
        try:
            return inspect.signature(func)
        except (TypeError, ValueError):
            return None
    overload = next((o for o in OVERLOADS.values() if o.base == name), None)
    if overload is None:
        return None
    kinds = inspect.Parameter
    return inspect.Signature(
        [
            kinds(
                "input" if a.name == "self" and FUNCTIONS.get(name) is func else _legal(a.name),
                kinds.KEYWORD_ONLY if a.kwarg_only else kinds.POSITIONAL_OR_KEYWORD,
                default=a.default_value if a.has_default_value() else kinds.empty,
            )
            for a in overload.schema.arguments
        ]
    )

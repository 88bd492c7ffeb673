"""Which functions can be overridden, and by what names they go. Made when first asked for.

``overridable_functions.txt`` says what torch lets be overridden, and what arguments it takes;
what of it is here can be overridden here.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from .._ops import OpOverload, OpOverloadPacket
from ..aten import torch
from ..tensor import Tensor

#: Functions of ``torch`` that nobody can override: they make tensors, or ask about no tensor.
_IGNORED = (
    "arange are_deterministic_algorithms_enabled as_strided as_tensor asarray "
    "autocast_decrement_nesting autocast_increment_nesting bartlett_window blackman_window "
    "broadcast_shapes can_cast clear_autocast_cache compile cond default_generator device dtype "
    "empty empty_permuted empty_strided enable_grad eye fill finfo fork from_file from_numpy "
    "frombuffer full get_autocast_cpu_dtype get_autocast_dtype get_autocast_gpu_dtype "
    "get_autocast_ipu_dtype get_autocast_xla_dtype get_default_device get_default_dtype "
    "get_deterministic_debug_mode get_device_module get_float32_matmul_precision "
    "get_num_interop_threads get_num_threads get_rng_state hamming_window hann_window iinfo "
    "import_ir_module import_ir_module_from_buffer inference_mode init_num_threads initial_seed "
    "is_anomaly_check_nan_enabled is_anomaly_enabled is_autocast_cache_enabled "
    "is_autocast_cpu_enabled is_autocast_enabled is_autocast_ipu_enabled is_autocast_xla_enabled "
    "is_deterministic_algorithms_warn_only_enabled is_grad_enabled is_inference_mode_enabled "
    "is_storage is_tensor is_vulkan_available is_warn_always_enabled kaiser_window layout "
    "linspace load logspace manual_seed memory_format merge_type_from_type_comment no_grad normal "
    "ones parse_ir parse_schema parse_type_comment promote_types qscheme rand rand_like randint "
    "randint_like randn randn_like randperm range result_type save scalar_tensor seed "
    "set_anomaly_enabled set_autocast_cache_enabled set_autocast_cpu_dtype "
    "set_autocast_cpu_enabled set_autocast_dtype set_autocast_enabled set_autocast_gpu_dtype "
    "set_autocast_ipu_dtype set_autocast_ipu_enabled set_autocast_xla_dtype "
    "set_autocast_xla_enabled set_default_device set_default_tensor_type "
    "set_deterministic_debug_mode set_float32_matmul_precision set_flush_denormal "
    "set_num_interop_threads set_num_threads set_printoptions set_rng_state set_warn_always "
    "sparse_bsc_tensor sparse_bsr_tensor sparse_compressed_tensor sparse_coo_tensor "
    "sparse_csc_tensor sparse_csr_tensor sym_constrain_range sym_constrain_range_for_size "
    "sym_fresh_size tensor tril_indices triu_indices typename unify_type_list "
    "use_deterministic_algorithms vander vmap wait zeros "
    "cudnn_affine_grid_generator cudnn_batch_norm cudnn_convolution cudnn_convolution_add_relu "
    "cudnn_convolution_relu cudnn_convolution_transpose cudnn_grid_sampler cudnn_is_acceptable "
    "empty_quantized miopen_ctc_loss mkldnn_adaptive_avg_pool2d mkldnn_convolution "
    "mkldnn_linear_backward_weights mkldnn_max_pool2d mkldnn_max_pool3d mkldnn_rnn_layer "
    "thread_safe_generator"
).split()
_IGNORED_METHODS = (
    "__class__ __delattr__ __delitem__ __dir__ __getattribute__ __hash__ __init__ "
    "__init_subclass__ __iter__ __new__ __setattr__ __subclasshook__ __torch_dispatch__ "
    "__torch_function__ _conj _conj_physical _is_all_true _is_any_true _is_zerotensor "
    "_lazy_clone _make_subclass _make_wrapper_subclass _neg_view _reduce_ex_internal "
    "_typed_storage _use_count _view_func as_subclass new new_empty new_empty_strided new_full "
    "new_ones new_tensor new_zeros solve stride to_sparse_coo to_sparse_csr unflatten"
).split()
#: Where functions are that can be overridden; of two names of one function the later counts.
_PLACES = ("", "functional", "nn.functional", "nn.init", "Tensor", "linalg", "fft", "special")

#: torch lists it as ``_segment_reduce``, and what is private has no name for handlers.
_PRIVATE = "segment_reduce"


@cache
def get_ignored_functions() -> set[Callable[..., Any]]:
    """Functions that cannot be overridden by ``__torch_function__``."""
    torch = _space("")
    found = {getattr(torch, n) for n in _IGNORED if hasattr(torch, n)}
    return found | {getattr(Tensor, n) for n in _IGNORED_METHODS if hasattr(Tensor, n)}


#: Functions that a default device reaches.
_CONSTRUCTORS = (
    "arange as_tensor asarray bartlett_window blackman_window empty empty_permuted empty_strided "
    "eye full hamming_window hann_window kaiser_window linspace logspace ones rand randint randn "
    "randperm range scalar_tensor sparse_coo_tensor tensor tril_indices triu_indices zeros"
).split()


@cache
def device_constructors() -> set[Callable[..., Any]]:
    """The functions that make tensors on the default device."""
    return {getattr(torch, n) for n in _CONSTRUCTORS if hasattr(torch, n)}


@cache
def get_default_nowrap_functions() -> set[Callable[..., Any]]:
    """Functions whose results ``Tensor.__torch_function__`` leaves as they are."""
    return {Tensor._base.__get__, Tensor.grad.__get__}


# What there is ------------------------------------------------------------------------------------


@cache
def _signatures() -> dict[str, str]:
    """torch's overridable functions, by name below ``torch``: what they take, as text."""
    found: dict[str, str] = {}
    text = Path(__file__).with_name("overridable_functions.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line.startswith("("):
            signature = line
        elif line.startswith(" "):
            found |= dict.fromkeys(line.split(), signature)
    # The backend's own: torch has them under the name that the backend is given.
    return found | {"Tensor.npu": found["Tensor.cuda"], "Tensor.is_npu.__get__": "(self)"}


def _space(place: str) -> Any:
    """The module or class of functions that *place* is the name of, or None."""
    if place == "Tensor":
        return Tensor
    try:
        return import_module(f"mindtorch.{place}" if place else "mindtorch")
    except ModuleNotFoundError:
        return None


def _names(place: str, space: Any) -> list[str]:
    if space is Tensor:
        return dir(space)
    if place:
        return [*space.__all__, *getattr(space, "_OPS", ())]
    # Modules have no name here, and those that nobody has asked for yet are not loaded for it.
    return [n for n in dir(space) if n[0] != "_" and n != _PRIVATE and space._LAZY.get(n) != ""]


def _callables(
    places: Sequence[str] = _PLACES,
) -> Iterator[tuple[Any, Any, str, Callable[..., Any]]]:
    """``(space, what is in it, full name, function)`` of all; of a property both functions."""
    for place in places:
        space = _space(place)
        if space is None:
            continue
        for name in _names(place, space):
            full = f"{place}.{name}" if place else name
            value: Any = getattr(space, name, None)
            if space is Tensor:
                value = inspect.getattr_static(Tensor, name)
                if getattr(object, name, None) is value:
                    continue
                if isinstance(value, property):
                    yield space, value, f"{full}.__get__", value.__get__
                    yield space, value, f"{full}.__set__", value.__set__
                    continue
                value = getattr(Tensor, name)
            if callable(value) and not isinstance(value, ModuleType):
                yield space, value, full, value


@cache
def _index() -> tuple[dict[Any, list[Callable[..., Any]]], dict[Any, str]]:
    """The overridable functions by namespace, and the name of each function there is."""
    by_place: dict[Any, list[Callable[..., Any]]] = {}
    names: dict[Any, str] = {}
    known = _signatures()
    for space, value, full, func in _callables():
        try:
            names[func] = f"torch.{full}"
        except TypeError:  # not hashable, so no function
            continue
        if full in known and not full.endswith("_") or space is Tensor and full in known:
            key = value if full.endswith("__get__") else space
            by_place.setdefault(key, []).append(func)
    return by_place, names


def get_overridable_functions() -> dict[Any, list[Callable[..., Any]]]:
    """The functions that can be overridden, by the namespace they are in.

    Of a property its ``__get__`` is listed, under the property.
    """
    return _index()[0]


def resolve_name(f: Any) -> str | None:
    """The name of a function that was handed to ``__torch_function__``, with its namespace.

    None for what nobody knows; an operator of ``torch.ops`` gives its own name.
    """
    if isinstance(f, (OpOverload, OpOverloadPacket)):
        return str(f)
    try:
        return _index()[1].get(f)
    except TypeError:  # not hashable, so no function
        return None


@cache
def _tensor_functions() -> frozenset[Any]:
    """Methods of tensors and both functions of their properties: tracers ask of each call."""
    known = _signatures()
    return frozenset(
        func
        for _, _, full, func in _callables(["Tensor"])
        if full in known or full.replace("__set__", "__get__") in known
    )


def is_tensor_method_or_property(func: Callable[..., Any]) -> bool:
    """Whether *func* is a method of Tensor, or the ``__get__`` of one of its properties."""
    return func in _tensor_functions() or getattr(func, "__name__", "") == "__get__"


@cache
def get_testing_overrides() -> dict[Callable[..., Any], Callable[..., Any]]:
    """A dummy for every overridable function: it takes the same arguments and returns -1."""
    made: dict[str, Callable[..., Any]] = {}
    found: dict[Callable[..., Any], Callable[..., Any]] = {}
    for name, signature in _signatures().items():
        func = _find(name)
        if func is None:
            continue
        if signature not in made:
            made[signature] = eval(f"lambda {signature[1:-1]}: -1", {"torch": torch})
        found[func] = made[signature]
    return found


def _find(name: str) -> Any:
    """What *name*, one below ``torch``, is of; None if it is not there."""
    if name.startswith("Tensor."):
        name, _, getter = name.removeprefix("Tensor.").partition(".")
        found = inspect.getattr_static(Tensor, name, None)
        if getter:
            return found.__get__ if isinstance(found, property) else None
        found = getattr(Tensor, name, None)  # methods of ops are made when they are first asked for
        return found if callable(found) else None
    place, _, name = name.rpartition(".")
    return getattr(_space(place), name, None)

"""Dispatch keys: one bit each, and a higher bit is dispatched first.

The bit is the order; every other list here is derived from it. Names and relative order are
PyTorch 2.4's (c10/core/DispatchKey.h, functionality by functionality and within it backend by
backend, as highestPriorityTypeId reads its packed sets). What differs:

* ``BackendSelect`` sits just above the autograd block, with ``Pipeline`` directly below it;
* ``NPU``, ``AutogradNPU``, … are other names of the ``PrivateUse1`` family;
* alias keys have bits too, below every runtime key.
"""

from __future__ import annotations

from enum import IntEnum

from .errors import unknown_key

__all__ = [
    "ALIAS_KEYS",
    "BACKEND_COMPONENTS",
    "DISPATCH_KEY_PRIORITY",
    "DispatchKey",
    "backend_keys_of_autograd",
    "is_alias_key",
    "is_included_in_alias",
    "key_name",
    "keys_in",
    "parse_key",
    "runtime_keys_of",
]


class DispatchKey(IntEnum):
    """A dispatch key; its value is its bit in a :class:`DispatchKeySet`."""

    Undefined = 0
    # Alias keys: resolved when the table is computed; in a key set they fall through.
    Autograd = 1 << 0
    CompositeImplicitAutograd = 1 << 1
    FuncTorchBatchedDecomposition = 1 << 2
    CompositeImplicitAutogradNestedTensor = 1 << 3
    CompositeExplicitAutograd = 1 << 4
    CompositeExplicitAutogradNonFunctional = 1 << 5
    # Per-backend functionalities as such, torch's building blocks: good for remove().
    Dense = 1 << 6
    Quantized = 1 << 7
    Sparse = 1 << 8
    SparseCsr = 1 << 9
    NestedTensor = 1 << 10
    AutogradFunctionality = 1 << 11
    # Dense backends.
    CPU = 1 << 12
    CUDA = 1 << 13
    HIP = 1 << 14
    XLA = 1 << 15
    MPS = 1 << 16
    IPU = 1 << 17
    XPU = 1 << 18
    HPU = 1 << 19
    VE = 1 << 20
    Lazy = 1 << 21
    MTIA = 1 << 22
    PrivateUse1 = 1 << 23
    PrivateUse2 = 1 << 24
    PrivateUse3 = 1 << 25
    Meta = 1 << 26
    # Backends that have no autograd key of their own: they share AutogradOther.
    FPGA = 1 << 27
    MAIA = 1 << 28
    Vulkan = 1 << 29
    Metal = 1 << 30
    QuantizedCPU = 1 << 31
    QuantizedCUDA = 1 << 32
    QuantizedHIP = 1 << 33
    QuantizedXLA = 1 << 34
    QuantizedMPS = 1 << 35
    QuantizedIPU = 1 << 36
    QuantizedXPU = 1 << 37
    QuantizedHPU = 1 << 38
    QuantizedVE = 1 << 39
    QuantizedLazy = 1 << 40
    QuantizedMTIA = 1 << 41
    QuantizedPrivateUse1 = 1 << 42
    QuantizedPrivateUse2 = 1 << 43
    QuantizedPrivateUse3 = 1 << 44
    QuantizedMeta = 1 << 45
    CustomRNGKeyId = 1 << 46
    MkldnnCPU = 1 << 47
    SparseCPU = 1 << 48
    SparseCUDA = 1 << 49
    SparseHIP = 1 << 50
    SparseXLA = 1 << 51
    SparseMPS = 1 << 52
    SparseIPU = 1 << 53
    SparseXPU = 1 << 54
    SparseHPU = 1 << 55
    SparseVE = 1 << 56
    SparseLazy = 1 << 57
    SparseMTIA = 1 << 58
    SparsePrivateUse1 = 1 << 59
    SparsePrivateUse2 = 1 << 60
    SparsePrivateUse3 = 1 << 61
    SparseMeta = 1 << 62
    SparseCsrCPU = 1 << 63
    SparseCsrCUDA = 1 << 64
    SparseCsrHIP = 1 << 65
    SparseCsrXLA = 1 << 66
    SparseCsrMPS = 1 << 67
    SparseCsrIPU = 1 << 68
    SparseCsrXPU = 1 << 69
    SparseCsrHPU = 1 << 70
    SparseCsrVE = 1 << 71
    SparseCsrLazy = 1 << 72
    SparseCsrMTIA = 1 << 73
    SparseCsrPrivateUse1 = 1 << 74
    SparseCsrPrivateUse2 = 1 << 75
    SparseCsrPrivateUse3 = 1 << 76
    SparseCsrMeta = 1 << 77
    NestedTensorCPU = 1 << 78
    NestedTensorCUDA = 1 << 79
    NestedTensorHIP = 1 << 80
    NestedTensorXLA = 1 << 81
    NestedTensorMPS = 1 << 82
    NestedTensorIPU = 1 << 83
    NestedTensorXPU = 1 << 84
    NestedTensorHPU = 1 << 85
    NestedTensorVE = 1 << 86
    NestedTensorLazy = 1 << 87
    NestedTensorMTIA = 1 << 88
    NestedTensorPrivateUse1 = 1 << 89
    NestedTensorPrivateUse2 = 1 << 90
    NestedTensorPrivateUse3 = 1 << 91
    NestedTensorMeta = 1 << 92
    # Wrappers and views. (torch has BackendSelect here, below Python.)
    Python = 1 << 93
    Fake = 1 << 94
    FuncTorchDynamicLayerBackMode = 1 << 95
    Functionalize = 1 << 96
    Named = 1 << 97
    Conjugate = 1 << 98
    Negative = 1 << 99
    ZeroTensor = 1 << 100
    ADInplaceOrView = 1 << 101
    # The autograd block.
    AutogradOther = 1 << 102
    AutogradCPU = 1 << 103
    AutogradCUDA = 1 << 104
    AutogradHIP = 1 << 105
    AutogradXLA = 1 << 106
    AutogradMPS = 1 << 107
    AutogradIPU = 1 << 108
    AutogradXPU = 1 << 109
    AutogradHPU = 1 << 110
    AutogradVE = 1 << 111
    AutogradLazy = 1 << 112
    AutogradMTIA = 1 << 113
    AutogradPrivateUse1 = 1 << 114
    AutogradPrivateUse2 = 1 << 115
    AutogradPrivateUse3 = 1 << 116
    AutogradMeta = 1 << 117
    AutogradNestedTensor = 1 << 118
    # Ours: deferred execution, and BackendSelect lifted above the autograd block.
    Pipeline = 1 << 119
    BackendSelect = 1 << 120
    # Functionality above autograd.
    Tracer = 1 << 121
    AutocastCPU = 1 << 122
    AutocastXPU = 1 << 123
    AutocastIPU = 1 << 124
    AutocastHPU = 1 << 125
    AutocastXLA = 1 << 126
    AutocastCUDA = 1 << 127
    AutocastPrivateUse1 = 1 << 128
    FuncTorchBatched = 1 << 129
    BatchedNestedTensor = 1 << 130
    FuncTorchVmapMode = 1 << 131
    Batched = 1 << 132
    VmapMode = 1 << 133
    FuncTorchGradWrapper = 1 << 134
    DeferredInit = 1 << 135
    PythonTLSSnapshot = 1 << 136
    FuncTorchDynamicLayerFrontMode = 1 << 137
    TESTING_ONLY_GenericWrapper = 1 << 138
    TESTING_ONLY_GenericMode = 1 << 139
    PreDispatch = 1 << 140
    PythonDispatcher = 1 << 141
    # torch_npu's names for the PrivateUse1 family.
    NPU = PrivateUse1
    QuantizedNPU = QuantizedPrivateUse1
    SparseNPU = SparsePrivateUse1
    SparseCsrNPU = SparseCsrPrivateUse1
    NestedTensorNPU = NestedTensorPrivateUse1
    AutogradNPU = AutogradPrivateUse1
    AutocastNPU = AutocastPrivateUse1

    def __repr__(self) -> str:
        return f"<DispatchKey.{_NAMES[self]}: {self.bit_length() - 1}>"

    def __str__(self) -> str:
        return f"DispatchKey.{_NAMES[self]}"


#: Every key by its bit (``BY_BIT[1 << n]``); far quicker than ``DispatchKey(value)``.
BY_BIT: dict[int, DispatchKey] = {int(k): k for k in DispatchKey}
_NAMES: dict[int, str] = {b: k.name.replace("PrivateUse1", "NPU") for b, k in BY_BIT.items()}

_ALL: tuple[DispatchKey, ...] = tuple(BY_BIT.values())  # Undefined, then lowest bit first
_FIRST_RUNTIME = DispatchKey.CPU

#: The alias keys, as a tuple and as a mask.
ALIAS_KEYS: tuple[DispatchKey, ...] = tuple(k for k in _ALL if 0 < k < DispatchKey.Dense)
ALIAS_MASK: int = DispatchKey.Dense - 1
#: Bits that never name a kernel to call: aliases and bare functionalities.
NOT_RUNTIME_MASK: int = _FIRST_RUNTIME - 1

#: Keys that can be dispatched to, highest first.
DISPATCH_KEY_PRIORITY: tuple[DispatchKey, ...] = tuple(
    k for k in reversed(_ALL) if k >= _FIRST_RUNTIME
)

#: The backend components, lowest first.
BACKEND_COMPONENTS: tuple[DispatchKey, ...] = tuple(
    k for k in _ALL if DispatchKey.CPU <= k <= DispatchKey.Meta
)
_WIDTH = len(BACKEND_COMPONENTS)
DENSE_MASK: int = sum(BACKEND_COMPONENTS)


def _per_backend(first: DispatchKey) -> int:
    """The mask of a functionality's keys, whose lowest is *first*."""
    return first * ((1 << _WIDTH) - 1)


QUANTIZED_MASK: int = _per_backend(DispatchKey.QuantizedCPU)
SPARSE_MASK: int = _per_backend(DispatchKey.SparseCPU)
SPARSE_CSR_MASK: int = _per_backend(DispatchKey.SparseCsrCPU)
NESTED_MASK: int = _per_backend(DispatchKey.NestedTensorCPU)
AUTOGRAD_BACKENDS_MASK: int = _per_backend(DispatchKey.AutogradCPU)
AUTOGRAD_MASK: int = (
    AUTOGRAD_BACKENDS_MASK | DispatchKey.AutogradOther | DispatchKey.AutogradNestedTensor
)
AUTOCAST_MASK: int = sum(k for k in _ALL if k.name.startswith("Autocast"))

#: How far a dense backend's bit is from its autograd key's.
AUTOGRAD_SHIFT: int = DispatchKey.AutogradCPU.bit_length() - DispatchKey.CPU.bit_length()

# How far those functionalities' bits are from the dense ones.
_SHIFTS: tuple[int, ...] = tuple(
    k.bit_length() - DispatchKey.CPU.bit_length()
    for k in (DispatchKey.QuantizedCPU, DispatchKey.SparseCPU, DispatchKey.SparseCsrCPU)
)

_SHARED_AUTOGRAD: int = (
    DispatchKey.FPGA
    | DispatchKey.MAIA
    | DispatchKey.Vulkan
    | DispatchKey.Metal
    | DispatchKey.CustomRNGKeyId
    | DispatchKey.MkldnnCPU
)
#: Backends whose kernels AutogradOther answers for when the table is computed.
AUTOGRAD_OTHER_BACKENDS: int = _SHARED_AUTOGRAD | QUANTIZED_MASK | SPARSE_MASK | SPARSE_CSR_MASK

#: What a functionality key stands for when it is removed from a set or masked off.
FUNCTIONALITY_KEYS: dict[int, int] = {
    DispatchKey.Dense: DENSE_MASK,
    DispatchKey.Quantized: QUANTIZED_MASK,
    DispatchKey.Sparse: SPARSE_MASK,
    DispatchKey.SparseCsr: SPARSE_CSR_MASK,
    DispatchKey.NestedTensor: NESTED_MASK,
    DispatchKey.AutogradFunctionality: AUTOGRAD_BACKENDS_MASK,
    DispatchKey.Autograd: AUTOGRAD_MASK,
}

_EXPLICIT = DENSE_MASK | AUTOGRAD_OTHER_BACKENDS
# XLA and Lazy functionalise by themselves, so composites that alias or mutate would not serve
# them; the same bits recur in every functionality.
_FUNCTIONAL_ONLY = sum(
    (DispatchKey.XLA | DispatchKey.Lazy) * (first // DispatchKey.CPU)
    for first in (
        DispatchKey.CPU,
        DispatchKey.QuantizedCPU,
        DispatchKey.SparseCPU,
        DispatchKey.SparseCsrCPU,
    )
)

#: alias key → the runtime keys that it fills.
ALIAS_RUNTIME: dict[int, int] = {
    DispatchKey.Autograd: AUTOGRAD_MASK,
    # torch 2.4 lists Functionalize here as well; the 2.13 oracle does not, and the table is
    # checked against it.
    DispatchKey.CompositeImplicitAutograd: _EXPLICIT | AUTOGRAD_MASK | NESTED_MASK,
    DispatchKey.FuncTorchBatchedDecomposition: int(DispatchKey.FuncTorchBatched),
    DispatchKey.CompositeImplicitAutogradNestedTensor: (
        NESTED_MASK | DispatchKey.AutogradNestedTensor
    ),
    DispatchKey.CompositeExplicitAutograd: _EXPLICIT,
    DispatchKey.CompositeExplicitAutogradNonFunctional: (
        _EXPLICIT & ~SPARSE_MASK & ~_FUNCTIONAL_ONLY
    ),
}

#: TLS masks of a fresh thread.
DEFAULT_INCLUDED: int = DispatchKey.BackendSelect | DispatchKey.ADInplaceOrView
DEFAULT_EXCLUDED: int = AUTOCAST_MASK

# torch's getBackendKeySetFromAutograd knows no HIP, VE or MTIA.
_AUTOGRAD_WITHOUT_BACKEND = (
    DispatchKey.AutogradHIP | DispatchKey.AutogradVE | DispatchKey.AutogradMTIA
)

# Spellings that torch's own enum accepts as other names of a key.
_OTHER_NAMES: dict[str, DispatchKey] = {
    "CatchAll": DispatchKey.Undefined,
    "DefaultBackend": DispatchKey.CompositeExplicitAutograd,
    "Autocast": DispatchKey.AutocastCUDA,
    "PrivateUse1_PreAutograd": DispatchKey.AutogradPrivateUse1,
    "PrivateUse2_PreAutograd": DispatchKey.AutogradPrivateUse2,
    "PrivateUse3_PreAutograd": DispatchKey.AutogradPrivateUse3,
}


def key_name(key: int) -> str:
    """The name people see: torch's, with NPU for PrivateUse1."""
    return _NAMES[key]


#: What errors call a backend, where that is not the name of its key.
_BACKEND_NAMES: dict[int, str] = {}


def name_private_use(name: str) -> None:
    """Show PrivateUse1 under torch's names from now on: *name* has it, and no longer the NPU."""
    _NAMES.update({bit: key.name for bit, key in BY_BIT.items()})
    name_backend(DispatchKey.PrivateUse1, name)


def name_backend(key: int, name: str | None) -> None:
    """Let errors call the backend of *key* by *name*, its type of device; None: as the key."""
    if name is None:
        _BACKEND_NAMES.pop(key, None)
    else:
        _BACKEND_NAMES[key] = name


def backend_name(key: int) -> str:
    """What an error calls the backend whose key this is."""
    return _BACKEND_NAMES.get(key) or _NAMES[key]


def parse_key(key: str | int) -> DispatchKey:
    """The key of a name (torch's, ours or an old spelling) or of a bit.

    Raises RuntimeError with torch's text for a name that is no key, TypeError for what is neither.
    """
    if isinstance(key, DispatchKey):
        return key
    if isinstance(key, str):
        found = DispatchKey.__members__.get(key) or _OTHER_NAMES.get(key)
        if found is None:
            if key == "Undefined":
                return DispatchKey.Undefined
            raise unknown_key(key)
        return found
    if not isinstance(key, int):
        raise TypeError(f"a dispatch key is a DispatchKey or its name, not {type(key).__name__}")
    return DispatchKey(key)


def keys_in(mask: int) -> list[DispatchKey]:
    """The keys of *mask*, highest first."""
    out = []
    while mask:
        bit = 1 << (mask.bit_length() - 1)
        out.append(BY_BIT[bit])
        mask ^= bit
    return out


def is_alias_key(key: int) -> bool:
    """Whether *key* stands for several runtime keys (Undefined does not)."""
    return 0 < key <= ALIAS_MASK


def is_included_in_alias(key: int, alias: int) -> bool:
    """Whether a kernel registered at *alias* may fill the slot of *key*."""
    return bool(ALIAS_RUNTIME.get(alias, 0) & key)


def runtime_keys_of(key: int) -> int:
    """The mask of runtime keys that *key* stands for: itself, or an alias key's members."""
    return ALIAS_RUNTIME.get(key, key)


def backend_keys_of_autograd(key: int) -> int:
    """The mask of backends whose kernels *key*, an autograd key, would differentiate."""
    if key & AUTOGRAD_BACKENDS_MASK:
        return 0 if key & _AUTOGRAD_WITHOUT_BACKEND else key >> AUTOGRAD_SHIFT
    if key == DispatchKey.AutogradOther:
        return AUTOGRAD_OTHER_BACKENDS
    if key == DispatchKey.AutogradNestedTensor:
        return NESTED_MASK
    return 0


def autograd_keys_of_backends(mask: int) -> int:
    """The autograd keys that belong to the backends in *mask*.

    SparseCPU, QuantizedCPU and SparseCsrCPU go with AutogradCPU, as in torch's packed sets.
    """
    low = DENSE_MASK
    out = (
        (mask & low)
        | (mask >> _SHIFTS[0] & low)
        | (mask >> _SHIFTS[1] & low)
        | (mask >> _SHIFTS[2] & low)
    ) << AUTOGRAD_SHIFT
    if mask & _SHARED_AUTOGRAD:
        out |= DispatchKey.AutogradOther
    if mask & NESTED_MASK:
        out |= DispatchKey.AutogradNestedTensor
    return out


#: Runtime keys in torch's own order, lowest first (for messages and table dumps, which list
#: keys as torch does).
TORCH_ORDER: tuple[DispatchKey, ...] = tuple(
    sorted(
        (k for k in _ALL if k >= _FIRST_RUNTIME),
        key=lambda k: (
            2 * DispatchKey.Python.bit_length() - 1
            if k is DispatchKey.BackendSelect
            else 2 * k.bit_length()
        ),
    )
)

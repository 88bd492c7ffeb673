"""The call signature of a tensor: one integer that says all a call must know to pick its kernel.

``table[a._sig_ | b._sig_ | grad_state | tls_state]`` gives the fully resolved function in one dict
lookup. So every feature that could change what a call does is a bit here (or of the thread's
state words), and the common path pays nothing for the rare ones.

===========  =====================================================================
bits         meaning
===========  =====================================================================
0–3          the thread's grad state (``mindtorch_autograd.grad_mode.state``)
4–18         dtype of a tensor with dimensions, one bit per dtype
19–33        dtype of a 0-d tensor (a weaker party in type promotion)
34–36        backend: CPU, NPU, Meta
37–41        requires grad, strided, pending, differentiable view, conjugate
42–45        a Python number stands for a tensor: int, float, complex, bool
46           never in a table: tells a backend's builder to defer (see functionality.pipeline)
47           the type overrides functions (``__torch_function__``)
48           the type overrides operators (``__torch_dispatch__``)
49           a tensor without memory of its own (``_make_wrapper_subclass``)
50           negative: the memory holds the elements with the other sign
51           batched: a sample of a batch, under ``vmap``
52           functional: a tensor whose changes are kept apart, under ``functionalize``
53–56        its class answers for strides, sizes, device, layout (``_tensor.policies``)
57           dual: it has tangents (see functionality.tangents)
58           made in inference mode (see functionality.inference)
59           a lazy copy has the same memory (see functionality.copy_on_write)
60           a view made while grad mode was off (has the bit of views, too)
61           its data was exchanged after its node was made (see former)
62           freed: its storage is too small for it (see functionality.freed)
63           backend: the first of those that came later (see core.backend_registry)
64–94        dtype of a tensor with dimensions, those that few programs use
95–125       the same of a 0-d tensor
126–127      backend: two more of those that came later
128–131      functionality of its own: sparse, sparse compressed (two are free)
132–         the thread's dispatch state (``mindtorch_dispatch.tls.state``)
===========  =====================================================================
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from mindtorch_storage import dtype as _dtype
from mindtorch_storage.extended_dtypes import RARE_DTYPES, RareDType, opaque_dtype

DTYPES: tuple[Any, ...] = tuple(_dtype.ALL_DTYPES)
_N = len(DTYPES)

GRAD_STATE = 0xF
DIM_SHIFT = 4
ZERO_SHIFT = DIM_SHIFT + _N
_RARE_DIM_SHIFT = 64
_RARE_ZERO_SHIFT = _RARE_DIM_SHIFT + len(RARE_DTYPES)
_RARE_DIMS = ((1 << len(RARE_DTYPES)) - 1) << _RARE_DIM_SHIFT
_RARE_ZEROS = ((1 << len(RARE_DTYPES)) - 1) << _RARE_ZERO_SHIFT
#: Any dtype that numpy lacks but bfloat16.
RARE = _RARE_DIMS | _RARE_ZEROS
DIM_MASK = ((1 << _N) - 1) << DIM_SHIFT | _RARE_DIMS
ZERO_MASK = ((1 << _N) - 1) << ZERO_SHIFT | _RARE_ZEROS
CPU = 1 << 34
NPU = 1 << 35
META = 1 << 36
#: For backends that come later, one bit each.
PRIVATE_BITS = (1 << 63, 1 << 126, 1 << 127)
PRIVATE = sum(PRIVATE_BITS)
#: Tensors whose memory is not the host's: its devices have numbers.
ACCELERATORS = NPU | PRIVATE
BACKENDS = CPU | META | ACCELERATORS
#: Backends that order what they are given by streams.
STREAMED = NPU
REQUIRES_GRAD = 1 << 37
#: Not laid out as a fresh tensor is (also where only sizes of 1 tell): output strides follow the
#: inputs' and fast kernels step aside.
STRIDED = 1 << 38
#: Made or changed inside a pipeline and perhaps not computed yet.
PENDING = 1 << 39
#: A view: its edge may have to be rebuilt after an in-place op on its base.
VIEW = 1 << 40
#: The memory holds the conjugates of the elements (see functionality.conj_neg).
CONJ = 1 << 41
NUMBER_INT, NUMBER_FLOAT, NUMBER_COMPLEX, NUMBER_BOOL = (1 << (42 + i) for i in range(4))
NUMBERS = NUMBER_INT | NUMBER_FLOAT | NUMBER_COMPLEX | NUMBER_BOOL
NUMBER_SIG = {
    int: NUMBER_INT,
    float: NUMBER_FLOAT,
    complex: NUMBER_COMPLEX,
    bool: NUMBER_BOOL,
}
#: Type of device -> backend bit; filled by ``core.backend_registry``.
DEVICE_BITS: dict[str, int] = {}
DEFER = 1 << 46
FUNCTION = 1 << 47
PYTHON = 1 << 48
NO_MEMORY = 1 << 49
#: The memory holds the elements with the other sign.
NEG = 1 << 50
LAZY = CONJ | NEG
#: One sample of a batch (see functionality.batching).
BATCHED = 1 << 51
#: Its changes make new values (see functionality.functional_tensor).
FUNCTIONAL = 1 << 52
#: Questions that its class answers by ``__torch_dispatch__`` (see _tensor.policies).
ASKS_STRIDES, ASKS_SIZES, ASKS_DEVICE, ASKS_LAYOUT = (1 << (53 + i) for i in range(4))
ASKS = ASKS_STRIDES | ASKS_SIZES | ASKS_DEVICE | ASKS_LAYOUT
#: What a tensor has from its class, whatever its memory is.
OF_CLASS = FUNCTION | PYTHON | NO_MEMORY | ASKS
#: It has tangents (see functionality.tangents).
DUAL = 1 << 57
#: It was made in inference mode (see functionality.inference).
INFERENCE = 1 << 58
#: Its memory is a lazy copy's too (see functionality.copy_on_write).
COW = 1 << 59
#: A view made in no_grad (or in inference mode).
NO_GRAD_VIEW = 1 << 60
#: Its node knows it as it was before its data was exchanged (see former).
FORMER = 1 << 61
#: Its storage was made too small for it (see functionality.freed).
FREED = 1 << 62
#: All that a signature says of views.
VIEWS = VIEW | NO_GRAD_VIEW
#: What a tensor is in place of dense: its key set has the functionality's key of its backend (see
#: core.key_sets, backends.functionality_kernels). Of a sparse one its slot ``_content_`` has what
#: it consists of; a quantized one is known by its dtype, and its array has the quantizer.
SPARSE, SPARSE_CSR = (1 << (128 + i) for i in range(2))
QUANTIZED = sum(
    1 << (shift + i)
    for i, d in enumerate(RARE_DTYPES)
    if d.quantized
    for shift in (_RARE_DIM_SHIFT, _RARE_ZERO_SHIFT)
)
FUNCTIONALITIES = SPARSE | SPARSE_CSR | QUANTIZED
#: Indices and values make it up.
SPARSE_LAYOUTS = SPARSE | SPARSE_CSR
#: Its slot ``_content_`` says what it consists of, or what it stands for.
CONTENT = SPARSE_LAYOUTS | FUNCTIONAL
#: No memory of its own has its numbers.
MEMORYLESS = NO_MEMORY | SPARSE_LAYOUTS
TLS_SHIFT = 132
OWN = (1 << TLS_SHIFT) - 1
#: In the slot of a tensor whose interned meta is to be looked up anew (see tensor.interning). It
#: equals nothing that stands in a key, as None or ``...`` would, which are arguments.
STALE: Final[Any] = object()
#: What type promotion depends on.
PROMOTION = DIM_MASK | ZERO_MASK | NUMBERS

#: Any complex dtype, with dimensions or without.
COMPLEX = sum(
    1 << (shift + d.index) for d in DTYPES if d.is_complex for shift in (DIM_SHIFT, ZERO_SHIFT)
) | sum(
    1 << (shift + i)
    for i, d in enumerate(RARE_DTYPES)
    if d.is_complex
    for shift in (_RARE_DIM_SHIFT, _RARE_ZERO_SHIFT)
)
#: The dtypes for which torch has few kernels (see backends.rare_kernels).
SCARCE = RARE | sum(
    1 << (shift + d.index)
    for d in (_dtype.uint16, _dtype.uint32, _dtype.uint64)
    for shift in (DIM_SHIFT, ZERO_SHIFT)
)


class _ByNumber(dict[int, Any]):
    """Something per numpy dtype number; those of ml_dtypes are entered when first met: they cost.

    Raises LookupError for structured dtypes, which have one number: their names tell them apart.
    """

    def __missing__(self, number: int) -> Any:
        if number == _STRUCTURED:
            raise LookupError(number)
        _enter(_dtype.bfloat16)
        for d in RARE_DTYPES:
            if d.numbered:
                _enter(d)
        got = self.get(number)
        if got is None:
            raise TypeError(f"no torch dtype has numpy's type number {number}")
        return got


_STRUCTURED = np.dtype([("f", "u1")]).num


DIM_SIG = _ByNumber()
ZERO_SIG = _ByNumber()
DTYPE_OF_NUM = _ByNumber()


def _enter(d: Any) -> None:
    num = d.np.num
    DIM_SIG[num], ZERO_SIG[num] = dtype_bits(d)
    DTYPE_OF_NUM[num] = d


def dtype_bits(d: Any) -> tuple[int, int]:
    """The bits of a dtype: of a tensor with dimensions, and of one without."""
    if type(d) is RareDType:
        i = d.index - _N
        return 1 << (_RARE_DIM_SHIFT + i), 1 << (_RARE_ZERO_SHIFT + i)
    return 1 << (DIM_SHIFT + d.index), 1 << (ZERO_SHIFT + d.index)


def dtype_of(np_dtype: Any) -> Any:
    """The dtype of a tensor over an array of *np_dtype*."""
    try:
        return DTYPE_OF_NUM[np_dtype.num]
    except LookupError:
        return opaque_dtype(np_dtype)


def _fill() -> None:
    for d in DTYPES:
        if d is not _dtype.bfloat16:
            _enter(d)
    # numpy has two names for the same 64-bit (or 32-bit) integers, with numbers of their own.
    for char in "lqiLQI":
        other = np.dtype(char)
        if other.num not in DTYPE_OF_NUM:
            d = _dtype.from_numpy(other)
            DIM_SIG[other.num] = DIM_SIG[d.np.num]
            ZERO_SIG[other.num] = ZERO_SIG[d.np.num]
            DTYPE_OF_NUM[other.num] = d


_fill()


def of_array(array: np.ndarray[Any, Any], backend: int = CPU) -> int:
    """The signature of a fresh tensor over *array*."""
    try:
        if array.ndim:
            sig = DIM_SIG[array.dtype.num] | backend
            if array.flags.c_contiguous and (array.base is None or not odd(array)):
                return sig
            return sig | STRIDED
        return ZERO_SIG[array.dtype.num] | backend
    except LookupError:
        dim, zero = dtype_bits(opaque_dtype(array.dtype))
        if not array.ndim:
            return zero | backend
        return dim | backend | (0 if array.flags.c_contiguous and not odd(array) else STRIDED)


def odd(array: np.ndarray[Any, Any]) -> bool:
    """Whether sizes of 1 or 0 of a contiguous *array* have strides that a fresh one has not.

    Nothing is there to step to, yet torch lays results out by such strides, too.
    """
    shape = array.shape
    if 1 not in shape and array.size:
        return False
    strides, step = array.strides, array.itemsize
    for i in range(len(shape) - 1, -1, -1):
        if strides[i] != step:
            return any(strides) or array.size != 0  # numpy's empty arrays have strides of 0
        step *= shape[i] or 1
    return False


def dtypes_in(bits: int, shift: int) -> list[Any]:
    """The dtypes whose bits are set in the bank that starts at *shift*."""
    bank = (bits >> shift) & ((1 << _N) - 1)
    found: list[Any] = []
    while bank:  # of 15 bits few are set
        found.append(DTYPES[(bank & -bank).bit_length() - 1])
        bank &= bank - 1
    if bits & RARE:
        rare = bits >> (_RARE_DIM_SHIFT if shift == DIM_SHIFT else _RARE_ZERO_SHIFT)
        found += [d for i, d in enumerate(RARE_DTYPES) if rare >> i & 1]
    return found


def describe(sig: int) -> str:
    """A signature in words, for messages and traces."""
    words = [d.name for d in dtypes_in(sig, DIM_SHIFT)]
    words += [f"0-d {d.name}" for d in dtypes_in(sig, ZERO_SHIFT)]
    for bit, word in (
        *((bit, kind) for kind, bit in DEVICE_BITS.items()),
        (REQUIRES_GRAD, "requires_grad"),
        (STRIDED, "strided"),
        (PENDING, "pending"),
        (VIEW, "view"),
        (NO_GRAD_VIEW, "made in no_grad"),
        (CONJ, "conjugate"),
        (NEG, "negative"),
        (BATCHED, "batched"),
        (FUNCTIONAL, "functional"),
        (DUAL, "dual"),
        (INFERENCE, "inference"),
        (COW, "copy on write"),
        (FREED, "freed"),
        (SPARSE, "sparse"),
        (SPARSE_CSR, "sparse compressed"),
        (QUANTIZED, "quantized"),
        (FUNCTION, "__torch_function__"),
        (PYTHON, "__torch_dispatch__"),
        (NUMBER_INT, "int"),
        (NUMBER_FLOAT, "float"),
        (NUMBER_COMPLEX, "complex"),
        (NUMBER_BOOL, "bool"),
    ):
        if sig & bit:
            words.append(word)
    return " ".join(words)

"""`DType`, promotion and numeric limits against torch, for all pairs."""

from __future__ import annotations

import copy
import itertools
import pickle
from types import SimpleNamespace
from typing import Any

import mindtorch
import mindtorch_storage as ms
import pytest
import torch

from .helpers import assert_torch_error, both

ALL = ms.ALL_DTYPES
THEIRS = {d: getattr(torch, d.name) for d in ALL}
OURS = SimpleNamespace(dtype=ms.DType, **{n: getattr(ms, n) for n in ms.__all__})


def outcome(T: Any, code: str) -> str:
    try:
        return repr(eval(code, {"T": T}))
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def promoted(fn: Any, *args: Any) -> str:
    try:
        return str(fn(*args))
    except Exception as error:
        return f"{type(error).__name__}: {error}"


@pytest.mark.parametrize("dtype", ALL, ids=str)
def test_attributes_equal_torch(dtype):
    """Everything that torch.dtype tells about itself."""
    theirs = THEIRS[dtype]
    names = ("itemsize", "is_floating_point", "is_complex", "is_signed", "abbr")
    for name in names:
        assert getattr(dtype, name) == getattr(theirs, name)
    assert (repr(dtype), str(dtype), dtype.__reduce__()) == (
        repr(theirs),
        str(theirs),
        theirs.__reduce__(),
    )
    assert str(dtype.to_real()) == str(theirs.to_real())
    assert promoted(dtype.to_complex) == promoted(theirs.to_complex)


def test_aliases_equal_torch():
    """half, long, cdouble and their kin mean the same."""
    for name, dtype in ms.DTYPE_NAMES.items():
        assert THEIRS[dtype] is getattr(torch, name)


def test_order_is_that_of_scalar_type():
    """promote_types(1, 2) of C++ aside, bfloat16 and the unsigned ones follow bool."""
    assert [d.scalar_type for d in ALL][:11] == (
        "Byte Char Short Int Long Half Float Double ComplexFloat ComplexDouble Bool".split()
    )


@pytest.mark.parametrize("a", ALL, ids=str)
def test_promote_types_and_can_cast_equal_torch_for_all_pairs(a):
    """225 pairs: dtype, or the text of the refusal."""
    for b in ALL:
        assert promoted(ms.promote_types, a, b) == promoted(
            torch.promote_types, THEIRS[a], THEIRS[b]
        )
        assert ms.can_cast(a, b) == torch.can_cast(THEIRS[a], THEIRS[b])


NUMBERS = [(True, ms.bool), (1, ms.int64), (1.0, ms.float64), (1j, ms.complex128)]


@pytest.mark.parametrize("default", [ms.float32, ms.float64, ms.bfloat16, ms.float16], ids=str)
def test_result_type_equals_torch_for_all_pairs(default):
    """Tensors, 0-d tensors and Python numbers, in each combination of two."""
    ms.set_default_dtype(default)
    torch.set_default_dtype(THEIRS[default])
    try:
        operands = [
            (torch.empty([] if zero_dim else [1], dtype=THEIRS[d]), (d, zero_dim, False))
            for d in ALL
            for zero_dim in (False, True)
        ] + [(number, (d, True, True)) for number, d in NUMBERS]
        for (x, ours_x), (y, ours_y) in itertools.product(operands, operands):
            want = promoted(torch.result_type, x, y)
            assert promoted(ms.result_type, [ours_x, ours_y]) == want, (ours_x, ours_y)
    finally:
        ms.set_default_dtype(ms.float32)
        torch.set_default_dtype(torch.float32)


def test_result_type_of_three_equals_the_operators():
    """An operator over three operands ranks all of them together (torch.where over addcmul)."""
    chosen = (ms.bool, ms.int8, ms.int64, ms.bfloat16, ms.float16, ms.float64, ms.complex64)
    for triple in itertools.product(chosen, repeat=3):
        for dims in itertools.product((False, True), repeat=3):
            if not any(d.is_floating_point or d.is_complex for d in triple):
                continue
            tensors = [
                torch.ones([] if z else [1], dtype=THEIRS[d])
                for d, z in zip(triple, dims, strict=True)
            ]
            try:
                want = str(torch.addcmul(*tensors).dtype)
            except RuntimeError:
                continue
            got = ms.result_type(list(zip(triple, dims, [False] * 3, strict=True)))
            assert str(got) == want, (triple, dims)


@pytest.mark.parametrize("dtype", ALL, ids=str)
@pytest.mark.parametrize("name", ["finfo", "iinfo"])
def test_limits_equal_torch(name, dtype):
    """Every attribute, repr and str, or the refusal."""
    attributes = "bits dtype eps max min resolution smallest_normal tiny".split()

    def all_of(T: Any, d: Any) -> Any:
        info = getattr(T, name)(d)
        return repr(info), str(info), [getattr(info, a, None) for a in attributes]

    assert promoted(all_of, OURS, dtype) == promoted(all_of, torch, THEIRS[dtype])


@pytest.mark.parametrize(
    "code",
    """T.finfo()
T.finfo(type=T.float64)
T.finfo("x")
T.finfo(None)
T.finfo(1.0)
T.iinfo()
T.iinfo(None)
T.iinfo(1)
T.finfo(T.float32) == T.finfo(T.complex64)
T.finfo(T.float32) == T.finfo(T.float64)
T.iinfo(T.int8) == T.iinfo(T.int8)
hash(T.finfo(T.float32))
setattr(T.finfo(T.float32), 'eps', 1)
T.dtype()
T.dtype("x")
setattr(T.float32, 'x', 1)
setattr(T.float32, 'itemsize', 1)
type(T.float32)
type(T.float32).__name__
type('X', (T.dtype,), {})
T.set_default_dtype(T.int32)
T.set_default_dtype(T.complex64)
T.set_default_dtype("float32")
T.set_default_dtype(None)
T.get_default_dtype()
T.promote_types(1, T.float32)
T.promote_types(T.float32, 1)
T.can_cast(1, T.float32)
T.can_cast(T.float32, "x")""".splitlines(),
)
def test_calls_equal_torch(code):
    """Values and texts of everything around dtypes."""
    assert outcome(OURS, code) == outcome(torch, code)


def test_arrays_that_torch_cannot_hold_are_refused_alike():
    """from_numpy's text."""
    import numpy as np

    array = np.array(["a"])
    with pytest.raises(TypeError) as want:
        torch.from_numpy(array)
    with pytest.raises(TypeError) as got:
        ms.from_numpy(array.dtype)
    assert str(got.value) == str(want.value)


def test_the_helper_compares_texts():
    """One case through the shared helper, as other contract tests use it."""
    assert_torch_error(
        lambda: ms.promote_types(ms.uint16, ms.int8),
        lambda: torch.promote_types(torch.uint16, torch.int8),
    )


EVERY = sorted(n for n in dir(torch) if isinstance(getattr(torch, n), torch.dtype))


def facts(T: Any, name: str) -> list[str]:
    """All that a dtype says of itself, its limits included."""
    d = getattr(T, name)
    asked = "itemsize is_floating_point is_complex is_signed abbr to_real() to_complex()".split()
    seen = [outcome(d, f"T.{what}") for what in (*asked, "__reduce__()", "__repr__()")]
    limits = [] if name == "float4_e2m1fn_x2" else ["finfo", "iinfo"]  # torch's has no repr
    return seen + [promoted(getattr(T, limit), d) for limit in limits]


@pytest.mark.parametrize("name", EVERY)
def test_every_dtype_of_torch_is_there(name):
    """Also those of which mindtorch makes no tensors: facts, limits, promotion, casts, pickling."""
    assert facts(mindtorch, name) == facts(torch, name)
    ours, theirs = getattr(mindtorch, name), getattr(torch, name)
    for other in EVERY:
        pairs = (ours, getattr(mindtorch, other)), (theirs, getattr(torch, other))
        for rule in ("promote_types", "can_cast"):
            got = promoted(getattr(mindtorch, rule), *pairs[0])
            want = promoted(getattr(torch, rule), *pairs[1])
            assert got.partition(" FAILED")[0] == want.partition(" FAILED")[0].splitlines()[0]
    assert pickle.loads(pickle.dumps(ours)) is ours
    assert copy.deepcopy(ours) is ours


def test_rare_dtypes_are_no_defaults():
    """A tensor of a quantized one has memory, of which nobody said what it stands for."""
    for name in set(EVERY) - set(ms.DTYPE_NAMES):
        if name.startswith("q"):
            made = mindtorch.empty(2, dtype=getattr(mindtorch, name))
            assert made.is_quantized
            with pytest.raises(RuntimeError, match="cannot call qscheme on UnknownQuantizer"):
                made.qscheme()
        else:
            dtype = getattr(mindtorch, name)
            assert mindtorch.empty(2, dtype=dtype).dtype is dtype
        if getattr(mindtorch, name).is_floating_point:
            with pytest.raises(TypeError, match="couldn't find storage object"):
                mindtorch.set_default_dtype(getattr(mindtorch, name))


@pytest.mark.parametrize("name", ["e5m2", "e4m3fn", "e5m2fnuz", "e4m3fnuz"])
def test_storages_convert_to_8_bit_floats(name):
    """Typed and untyped; what is too large is cut as in tensors."""

    def elements(t, storage):
        return getattr(storage, f"float8_{name}")().tolist()

    with pytest.warns(UserWarning, match="TypedStorage is deprecated"):
        for t in (mindtorch, torch):
            t.storage._reset_warn_typed_storage_removal()
        ours, theirs = (
            (
                elements(t, t.tensor([1.5, 600.0, -3.0]).untyped_storage()),
                elements(t, t.tensor([1.5, 600.0, -3.0])._typed_storage()),
            )
            for t in (mindtorch, torch)
        )
    assert repr(ours) == repr(theirs)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda t: t.ones(3).numpy(force=1),
        lambda t: t.tensor({}),
        lambda t: t.ones(3)["a"],
        lambda t: float(t.tensor(1 + 1j)),
        lambda t: int(t.tensor(1 + 1j)),
        lambda t: t.zeros(2, dtype=t.bits8) + 1,
        lambda t: t.zeros(2, dtype=t.bits8).tolist(),
        lambda t: t.zeros(2, dtype=t.int4)[0].item(),
        lambda t: t.zeros(2, dtype=t.uint3).__setitem__(0, 1),
        lambda t: t.tensor([1], dtype=t.int7),
        lambda t: t.arange(3, dtype=t.float8_e5m2),
        lambda t: t.ones(2, dtype=t.complex32).numpy(),
        lambda t: t.zeros(2, dtype=t.bits16).__dlpack__(),
        lambda t: t.full((1,), 1e10, dtype=t.complex32),
    ],
)
def test_misuse_has_the_oracles_error(wrong):
    """Numbers that do not fit, and dtypes without them."""
    assert_torch_error(*both(wrong))

"""`DType`, the default dtype, promotion and numeric limits."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys

import mindtorch_storage as ms
import numpy as np
import pytest
from mindtorch_storage import ALL_DTYPES, DTYPE_NAMES, DType
from mindtorch_storage.promotion import PROMOTED


def test_there_are_fifteen_with_dense_indices():
    """Tables are indexed by `index`."""
    assert len(ALL_DTYPES) == 15
    assert [d.index for d in ALL_DTYPES] == list(range(15))


def test_aliases_are_the_same_objects():
    """`long` is `int64` and so on; the package has every name of the table."""
    for name, dtype in DTYPE_NAMES.items():
        assert getattr(ms, name) is dtype
    assert ms.long is ms.int64 and ms.float is ms.float32 and ms.cdouble is ms.complex128


@pytest.mark.parametrize("dtype", ALL_DTYPES, ids=str)
def test_numpy_dtype_has_the_same_bytes(dtype):
    """`np` and `from_numpy` are inverse, and item sizes agree."""
    assert dtype.np.itemsize == dtype.itemsize
    assert ms.from_numpy(dtype.np) is dtype
    assert ms.from_numpy(np.empty(0, dtype.np).dtype) is dtype
    assert dtype.is_complex == (dtype.np.kind == "c")


def test_from_numpy_takes_scalar_types_and_refuses_what_torch_lacks():
    """Byte-swapped arrays and objects have no dtype here."""
    assert ms.from_numpy(np.float32) is ms.float32
    for wrong in (np.dtype(">f4"), np.dtype(object), np.dtype("U3"), np.dtype("M8[s]")):
        with pytest.raises(TypeError, match="can't convert np.ndarray of type"):
            ms.from_numpy(wrong)


def test_importing_does_not_load_ml_dtypes():
    """Only who uses bfloat16 pays for its import."""
    code = (
        "import sys, mindtorch_storage as m; assert 'ml_dtypes' not in sys.modules;"
        "assert m.bfloat16.np.name == 'bfloat16'; assert 'ml_dtypes' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("dtype", ALL_DTYPES, ids=str)
def test_copies_and_pickles_are_the_same_object(dtype):
    """A dtype is pickled as a name."""
    assert copy.copy(dtype) is copy.deepcopy(dtype) is dtype
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(dtype, protocol)) is dtype


def test_dtypes_are_immutable_and_closed():
    """Nobody makes another, changes one or derives from them."""
    with pytest.raises(TypeError, match="cannot create 'torch.dtype' instances"):
        DType()
    with pytest.raises(AttributeError, match="not writable"):
        ms.float32.itemsize = 8
    with pytest.raises(AttributeError, match="'torch.dtype' object has no attribute 'foo'"):
        ms.float32.foo = 8
    with pytest.raises(AttributeError, match="'torch.dtype' object has no attribute 'foo'"):
        ms.float32.foo
    with pytest.raises(TypeError):
        type("Mine", (DType,), {})


def test_rare_dtypes_have_numpy_dtypes():
    """Elements of ml_dtypes, or bytes or integers under a name."""
    assert ms.float16.to_complex() is ms.complex32
    assert ms.complex32.np.itemsize == 4
    assert ms.from_numpy(ms.bits16.np) is ms.bits16
    assert ms.from_numpy(ms.qint8.np) is ms.qint8
    assert ms.qint8.np["qint8"] == ms.int8.np


def test_default_dtype_sets_its_complex_partner():
    """Python complex numbers become the complex dtype of the default's width."""
    assert ms.get_default_dtype() is ms.float32
    ms.set_default_dtype(ms.float64)
    assert ms.get_default_dtype() is ms.float64
    assert ms.get_default_complex_dtype() is ms.complex128


@pytest.mark.parametrize("wrong", [ms.int32, ms.bool, ms.complex64, "float32", None])
def test_default_dtype_must_be_floating(wrong):
    """Refused, and nothing changes."""
    with pytest.raises(TypeError, match="only floating-point types are supported"):
        ms.set_default_dtype(wrong)
    assert ms.get_default_dtype() is ms.float32


def test_promotion_is_symmetric_and_idempotent():
    """The order of operands never matters."""
    for a in ALL_DTYPES:
        assert ms.promote_types(a, a) is a
        for b in ALL_DTYPES:
            assert PROMOTED[a.index][b.index] is PROMOTED[b.index][a.index]


def test_result_type_ranks_tensors_over_scalars_over_numbers():
    """A lower rank counts only where it is of a higher category."""
    tensor, scalar, number = (False, False), (True, False), (True, True)
    assert ms.result_type([(ms.int8, *tensor), (ms.int64, *number)]) is ms.int8
    assert ms.result_type([(ms.int8, *tensor), (ms.float64, *number)]) is ms.float32
    assert ms.result_type([(ms.float16, *tensor), (ms.float64, *scalar)]) is ms.float16
    assert ms.result_type([(ms.bool, *scalar), (ms.int64, *number)]) is ms.int64
    with pytest.raises(RuntimeError):
        ms.result_type([])


def test_limits_of_a_half():
    """finfo and iinfo print as torch's."""
    assert repr(ms.finfo(ms.float16)) == (
        "finfo(resolution=0.001, min=-65504, max=65504, eps=0.000976562, "
        "smallest_normal=6.10352e-05, tiny=6.10352e-05, dtype=float16)"
    )
    assert ms.finfo(ms.complex64) == ms.finfo(ms.float32) == ms.finfo()
    assert ms.iinfo(ms.uint64).max == 2**64 - 1
    with pytest.raises(AttributeError):
        ms.finfo(ms.float32).eps = 0

"""`TypedStorage` and the legacy classes."""

from __future__ import annotations

import copy
import pickle
import warnings

import mindtorch_storage as ms
import pytest
from mindtorch_storage import TypedStorage, UntypedStorage
from mindtorch_storage.legacy_names import STORAGE_NAMES

pytestmark = pytest.mark.filterwarnings("ignore:TypedStorage is deprecated")


def test_the_first_use_warns_and_no_other():
    """Once in a process, as in torch."""
    with pytest.warns(UserWarning, match="^TypedStorage is deprecated. It will be removed"):
        storage = TypedStorage([1.0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        storage.size()


def test_internal_use_does_not_warn():
    """The library's own parts must not speak to users."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        storage = TypedStorage(wrap_storage=UntypedStorage(8), dtype=ms.float32, _internal=True)
        assert (storage._size(), storage._element_size(), storage.dtype) == (2, 4, ms.float32)
        storage._setitem(0, 2.5)
        assert storage._getitem(0) == 2.5


def test_it_is_a_view_of_the_untyped_storage():
    """Both see the same bytes; bytes that fill no element are not among its elements."""
    untyped = UntypedStorage([0, 0, 128, 63, 9])
    typed = TypedStorage(wrap_storage=untyped, dtype=ms.float32)
    assert typed.tolist() == [1.0] and typed.untyped() is untyped
    typed[0] = 2.0
    assert untyped.tolist() == [0, 0, 0, 64, 9]
    assert typed._cdata == untyped._cdata


@pytest.mark.parametrize("dtype", STORAGE_NAMES, ids=str)
def test_a_legacy_class_makes_typed_storages(dtype):
    """Its name, its dtype, and isinstance go together."""
    cls = getattr(ms, STORAGE_NAMES[dtype])
    storage = cls([1, 0])
    assert type(storage) is TypedStorage and storage.dtype is dtype
    assert isinstance(storage, cls) and storage.type() == f"torch.{STORAGE_NAMES[dtype]}"
    assert storage.pickle_storage_type() == STORAGE_NAMES[dtype]
    assert ms.dtype_from_pickle_storage_type(STORAGE_NAMES[dtype]) is dtype
    assert not isinstance(storage.untyped(), cls)


def test_conversions_make_new_storages():
    """Also to the same dtype."""
    storage = ms.FloatStorage([1.5, -2.0])
    assert storage.int().tolist() == [1, -2]
    assert storage.bool().tolist() == [True, True]
    assert storage.bfloat16().dtype is ms.bfloat16
    assert storage.float()._cdata != storage._cdata
    assert UntypedStorage([1, 2]).double().tolist() == [1.0, 2.0]


def test_a_value_that_does_not_fit_is_refused_and_nothing_changes():
    """Negative numbers wrap in unsigned dtypes, as in torch."""
    storage = ms.ByteStorage([1, 2])
    with pytest.raises(RuntimeError, match="type uint8_t without overflow"):
        storage[0] = 300
    with pytest.raises(TypeError, match="can't assign a str to a torch.ByteTensor"):
        storage.fill_("a")
    assert storage.tolist() == [1, 2]
    storage[0] = -1
    assert storage.tolist() == [255, 2]


def test_copies_and_pickles_keep_the_dtype():
    """copy, deepcopy and pickle."""
    storage = ms.IntStorage([1, 2])
    for made in (copy.copy(storage), copy.deepcopy(storage), pickle.loads(pickle.dumps(storage))):
        assert made.dtype is ms.int32 and made.tolist() == [1, 2] and made._cdata != storage._cdata

"""From tensors to what stands for them: one fake tensor for each, views for views."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from weakref import WeakSet, WeakValueDictionary

from ..core import signature as S
from ..tensor import Tensor
from .fake_errors import UnsupportedFakeTensorException
from .meta_utils import MetaConverter

__all__ = ["FakeTensorConverter"]


class FakeTensorConverter:
    """The stand-ins of a mode, by the tensor they stand for."""

    def __init__(self, *, copy_data: bool = False, export: bool = False) -> None:
        self.meta_converter = MetaConverter(copy_data=copy_data)
        self.export = export
        #: The fake tensors of which the numbers are known, by the memory of these.
        self._constants: dict[int, WeakSet[Any]] = {}

    def __deepcopy__(self, memo: dict[int, Any]) -> FakeTensorConverter:
        """Another mode's: it knows of no tensors yet."""
        return type(self)(export=self.export)

    @property
    def tensor_memo(self) -> WeakValueDictionary[int, Any]:
        """What stands for tensors, by their numbers."""
        return self.meta_converter.tensor_memo

    def _get_memo(self, t: Any) -> Any:
        return self.meta_converter.get_tensor_memo(t)

    def set_tensor_memo(self, t: Any, v: Any) -> None:
        """Let the fake tensor *v* stand for *t*."""
        self.meta_converter.set_tensor_memo(t, v)

    def from_real_tensor(self, fake_mode: Any, t: Any, make_constant: bool = False) -> Any:
        """What stands for *t*, the same as long as it lives.

        :param make_constant: the numbers of *t* are those that the program wrote down.

        Raises UnsupportedFakeTensorException for quantized and sparse tensors.
        """
        if not isinstance(t, Tensor):
            raise TypeError(f"cannot create weak reference to '{type(t).__name__}' object")
        known = self._get_memo(t)
        if known is not None:
            return known
        if t.is_quantized:
            raise UnsupportedFakeTensorException("quantized nyi in meta tensors")
        if t._sig_ & S.SPARSE_LAYOUTS:
            raise UnsupportedFakeTensorException(f"no fake tensor has the layout {t.layout}")

        def make_fake(make: Callable[[], Any], device: Any) -> Any:
            return fake_mode.in_memory_of(make(), device, t if make_constant else None)

        if not make_constant:
            return self.meta_converter(t, callback=make_fake)
        made = self.meta_converter.leaf(t, make_fake)
        self._constants.setdefault(t.untyped_storage()._cdata, WeakSet()).add(made)
        return made

    def from_meta_and_device(self, fake_mode: Any, t: Any, device: Any) -> Any:
        """What stands for a tensor of *device* that lies as the meta tensor *t*."""
        if t.device.type != "meta":
            raise AssertionError(f"tensor's device must be `meta`, got {t.device.type} instead")
        known = self._get_memo(t)
        if known is None:
            known = fake_mode.in_memory_of(t, device)
            self.set_tensor_memo(t, known)
        return known

    def forget(self, fake: Any) -> None:
        """*fake* was written to: its number is not known any more, nor is that of its views."""
        constant = fake.constant
        if constant is not None:
            self.invalidate_constant_aliases(constant)
            fake.constant = None

    def invalidate_constant_aliases(self, tensor: Any) -> None:
        """Forget the numbers of all fake tensors that were written down as *tensor* or a view."""
        for one in self._constants.pop(tensor.untyped_storage()._cdata, ()):
            one.constant = None

"""Devices in files: the tag that a storage is saved with, and where it goes when loaded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mindtorch_storage as st
from mindtorch_storage.device import CUDA, VENDORS

from ..core.backend_registry import BACKENDS, complete
from ..core.errors import raise_if
from . import errors

_Tagger = Callable[[Any], str | None]
_Restorer = Callable[[Any, str], Any]
_package_registry: list[tuple[int, _Tagger, _Restorer]] = []


def register_package(priority: int, tagger: _Tagger, deserializer: _Restorer) -> None:
    """Teach ``save`` and ``load`` about another device.

    :param priority: lower numbers are asked first; the host has 10.
    :param tagger: gives the tag of a storage, or None if it is on another device.
    :param deserializer: gives the storage for a storage on the host and a tag, or None.
    """
    _package_registry.append((priority, tagger, deserializer))
    _package_registry.sort(key=lambda entry: entry[0])


def location_tag(storage: Any) -> str:
    """The tag that *storage* is saved with: ``cpu``, ``npu:0`` …"""
    for _, tagger, _ in _package_registry:
        tag = tagger(storage)
        if tag:
            return tag
    raise RuntimeError(f"don't know how to determine data location of {type(storage).__name__}")


def default_restore_location(storage: Any, location: str) -> Any:
    """*storage*, which is on the host, moved to where the tag *location* says."""
    for _, _, deserializer in _package_registry:
        found = deserializer(storage, location)
        if found is not None:
            return found
    raise errors.location_unknown(storage, location)


def restorer(map_location: Any) -> _Restorer:
    """The function that places storages for ``load(map_location=…)``."""
    if map_location is None:
        return default_restore_location
    if isinstance(map_location, dict):
        return lambda storage, tag: default_restore_location(storage, map_location.get(tag, tag))
    if isinstance(map_location, (str, bytes)):
        return lambda storage, tag: default_restore_location(storage, map_location)
    if isinstance(map_location, st.Device):
        return lambda storage, tag: default_restore_location(storage, str(map_location))

    def call(storage: Any, tag: str) -> Any:
        found = map_location(storage, tag)
        return default_restore_location(storage, tag) if found is None else found

    return call


def is_meta(map_location: Any) -> bool:
    """Whether all storages go where no data is needed."""
    return map_location == "meta" or map_location is st.Device("meta")


# the devices that are known from the start ---------------------------------------------------


def _tag_of(kind: str) -> _Tagger:
    return lambda storage: str(storage.device) if storage.device.type == kind else None


def _restore_cpu(storage: Any, location: str) -> Any:
    return storage if location == "cpu" else None


def _restore_meta(storage: Any, location: str) -> Any:
    return st.UntypedStorage(storage.nbytes(), device="meta") if location == "meta" else None


def _means(location: str, kind: str) -> bool:
    """Whether a tag is of the form ``kind``, ``kind:…`` or ``kind0``.

    Raises TypeError for what is no text, as ``re.match`` in torch.
    """
    if not isinstance(location, str):
        text = "cannot use a string pattern on a bytes-like object"
        if not isinstance(location, bytes):
            text = f"expected string or bytes-like object, got '{_class_of(location)}'"
        raise TypeError(text)
    rest = location.removeprefix(kind)
    return location.startswith(kind) and (not rest or rest[0] == ":" or rest[0].isdigit())


def _class_of(value: Any) -> str:
    return "torch.device" if isinstance(value, st.Device) else type(value).__name__


def _tag_of_accelerator(storage: Any) -> str | None:
    return str(storage.device) if storage.device.type in _accelerators() else None


def _restore_accelerator(storage: Any, location: str) -> Any:
    kind = next((kind for kind in _accelerators() if _means(location, kind)), None)
    if kind is None:
        return None
    raise_if(_accelerator_error(location, kind))
    return storage.to(device=complete(st.Device(location)))


def _accelerators() -> list[str]:
    """The types of devices that have numbers."""
    return [kind for kind, backend in BACKENDS.items() if backend.current_device is not None]


def _accelerator_error(location: str, kind: str) -> RuntimeError | None:
    count = BACKENDS[kind].device_count()
    if not count:
        return errors.device_unavailable(kind)
    index = st.Device(location).index or 0
    return errors.device_index_too_large(kind, index, count) if index >= count else None


def _nothing(location: str) -> RuntimeError | None:
    return None


def _unavailable(kind: str) -> Callable[[str], RuntimeError]:
    return lambda location: errors.device_unavailable(kind)


#: By kind of device, what keeps storages from one of them.
_ERRORS: dict[str, Callable[[str], RuntimeError | None]] = {
    "cpu": _nothing,
    "meta": _nothing,
    **{kind: _unavailable(kind) for kind in VENDORS},
}


def device_error(location: str, kind: str) -> RuntimeError | None:
    """What keeps storages from the device *location* of *kind*; None: nothing."""
    if kind in _accelerators():
        return _accelerator_error(location, kind)
    check = _ERRORS.get(kind)
    return errors.device_module_missing(kind) if check is None else check(location)


def _refuse(kind: str) -> _Restorer:
    def restore(storage: Any, location: str) -> Any:
        if _means(location, kind):
            raise device_error(location, kind) or AssertionError(location)

    return restore


def _refuse_mps(storage: Any, location: str) -> Any:
    if location.startswith("mps"):
        raise RuntimeError("torch.UntypedStorage(): Storage device not recognized: mps")


register_package(10, _tag_of("cpu"), _restore_cpu)
if not st.ACCELERATOR_IS_CUDA:
    register_package(20, _tag_of(CUDA), _refuse(CUDA))
register_package(21, _tag_of("mps"), _refuse_mps)
register_package(22, _tag_of("meta"), _restore_meta)
register_package(23, _tag_of_accelerator, _restore_accelerator)
register_package(24, _tag_of("hpu"), _refuse("hpu"))
register_package(25, _tag_of("xpu"), _refuse("xpu"))
register_package(26, _tag_of("mtia"), _refuse("mtia"))

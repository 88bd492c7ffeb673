"""The names that a weights-only load may use: torch's list, and what users add."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

import mindtorch_storage as st
from mindtorch_storage.extended_dtypes import RARE_DTYPES
from mindtorch_storage.legacy_names import STORAGE_NAMES

from .. import _utils
from ..core.qscheme import QSCHEMES
from ..tensor.legacy import TENSOR_TYPES
from . import names

_marked: set[Any] = set()

PARAMETER = "torch.nn.parameter.Parameter"
#: Not in the table of defaults: most files do not need torch.nn to be imported.
OF_PARAMETERS = (
    PARAMETER,
    "torch._utils._rebuild_parameter",
    "torch._utils._rebuild_parameter_with_state",
)

#: Never allowed, not even when asked for.
BLOCKED_MODULES = frozenset({"sys", "os", "posix", "nt"})

_REBUILDERS = (
    "_rebuild_device_tensor_from_cpu_tensor",
    "_rebuild_device_tensor_from_numpy",
    "_rebuild_meta_tensor_no_storage",
    "_rebuild_nested_tensor",
    "_rebuild_qtensor",
    "_rebuild_sparse_tensor",
    "_rebuild_tensor",
    "_rebuild_tensor_v2",
    "_rebuild_tensor_v3",
    "_rebuild_wrapper_subclass",
)

#: For text only, and in no more time than the text has characters.
_ENCODINGS = frozenset(("ascii", "latin1", "latin-1", "iso-8859-1", "utf-8", "utf8"))


def is_absent(path: str) -> bool:
    """Whether torch allows the full name *path* and there is no such thing here.

    To load it is another error than to ask for what is not safe.
    """
    return path.startswith(("torch.sparse.", "torch.cuda.")) and path.endswith("Tensor")


def _check_encoding(encoding: Any) -> None:
    if not isinstance(encoding, str) or encoding.lower() not in _ENCODINGS:
        raise ValueError(f"a file may encode text as one of {sorted(_ENCODINGS)}, not {encoding!r}")


def encode(text: str, encoding: str = "utf-8", errors: str = "strict") -> bytes:
    """``_codecs.encode`` for texts only: how protocol 2 writes bytes."""
    if type(text) is not str:
        raise TypeError(f"only text can be encoded, not {type(text).__name__}")
    _check_encoding(encoding)
    return text.encode(encoding, errors)


def make_bytearray(*args: Any) -> bytearray:
    """``bytearray`` of what is in the file; a bare size would take memory that the file lacks."""
    if args and isinstance(args[0], int):
        raise TypeError("a bytearray in a file must come with its bytes, not with a size")
    for encoding in args[1:]:
        _check_encoding(encoding)
    return bytearray(*args)


@cache
def defaults() -> dict[str, Any]:
    """What is allowed from the start, by torch's full names."""

    table: dict[str, Any] = {
        "collections.OrderedDict": OrderedDict,
        "collections.Counter": Counter,
        "torch._tensor._rebuild_from_type_v2": _utils._rebuild_from_type_v2,
        "torch.storage.TypedStorage": st.TypedStorage,
        "torch.storage.UntypedStorage": st.UntypedStorage,
        "_codecs.encode": encode,
        "builtins.bytearray": make_bytearray,
        "builtins.set": set,
        "builtins.complex": complex,
    }
    for path in (
        "torch.Size",
        "torch.Tensor",
        "torch.device",
        "torch.serialization._get_layout",
    ):
        module, _, name = path.rpartition(".")
        table[path] = names.find(module, name)
    for dtype in (*st.ALL_DTYPES, *RARE_DTYPES):
        table[f"torch.{dtype.name}"] = dtype
    for name, scheme in QSCHEMES.items():
        table[f"torch.{name}"] = scheme
    for name in STORAGE_NAMES.values():
        table[f"torch.{name}"] = names.StorageType(name)
        table[f"torch.cuda.{name}"] = table[f"torch.{name}"]
    for name in TENSOR_TYPES:
        table[f"torch.{name}"] = names.find("torch", name)
    for name in _REBUILDERS:
        table[f"torch._utils.{name}"] = getattr(_utils, name)
    return table


def lookup(path: str) -> Any:
    """What the full name *path* means if it is allowed from the start, else None."""
    if path in OF_PARAMETERS:
        module, _, name = path.rpartition(".")
        return names.find(module, name)
    return defaults().get(path)


@cache
def default_ids() -> frozenset[int]:
    """The identities of what is allowed from the start."""
    return frozenset(map(id, defaults().values()))


@cache
def hashing_ids() -> frozenset[int]:
    """The identities of what hashes what it is called with."""
    table = defaults()
    paths = ("builtins.set", "collections.OrderedDict", "collections.Counter")
    return frozenset(id(table[path]) for path in paths)


@cache
def weighed_ids() -> frozenset[int]:
    """Those, and of what takes memory when it is called with a number."""
    table = defaults()
    paths = [f"torch.{name}" for name in TENSOR_TYPES]
    paths += ["torch.Tensor", "torch.storage.TypedStorage", "torch.storage.UntypedStorage"]
    return hashing_ids() | {id(table[path]) for path in paths}


def of_users() -> dict[str, Any]:
    """What users have added, by full name. Raises ValueError or TypeError for a bad entry."""
    table = {}
    for entry in _marked:
        if isinstance(entry, tuple):
            if len(entry) != 2:
                raise ValueError(
                    "Expected tuple of length 2 (global, str of callable full path), but got "
                    f"tuple of length: {len(entry)}"
                )
            value, path = entry
            if type(path) is not str:
                raise TypeError(
                    "Expected second item in tuple to be str of callable full path, but got: "
                    f"{type(path)}"
                )
            table[path] = value
        else:
            table[_path(entry)] = entry
    return table


def _path(entry: Any) -> str:
    ours = names.torch_name(entry)
    return ".".join(ours) if ours else f"{entry.__module__}.{entry.__qualname__}"


def add_safe_globals(safe_globals: Iterable[Callable[..., Any] | tuple[Any, str]]) -> None:
    """Let weights-only loads use these functions and classes.

    :param safe_globals: each a function or class, or such a one with the full name that files
        have for it.
    """
    _marked.update(safe_globals)


def get_safe_globals() -> list[Any]:
    """What users have added."""
    return list(_marked)


def clear_safe_globals() -> None:
    """Forget all that users have added."""
    _marked.clear()


class safe_globals:
    """:func:`add_safe_globals` for the body of a ``with`` statement."""

    def __init__(self, safe_globals: list[Any]) -> None:
        self.safe_globals = safe_globals

    def __enter__(self) -> None:
        add_safe_globals(self.safe_globals)

    def __exit__(self, *exc_info: Any) -> None:
        _marked.difference_update(self.safe_globals)

"""How float32 products may be rounded: what programs said, by backend and op, in torch's rules.

Products are always computed in float32 here, which every setting allows. What was set is
remembered: an op asks its own setting, then its backend's, then that of all backends.
"""

from __future__ import annotations

from mindtorch_storage.device import CUDA

_NONE, _DEFAULT = "none", "default"
_OPS = ("all", "conv", "matmul", "rnn")
#: What each backend can do; another precision that all backends were told is none there.
_ABLE = {
    CUDA: ("none", "ieee", "tf32"),
    "generic": ("none", "ieee", "tf32", "bf16"),
    "mkldnn": ("none", "ieee", "tf32", "bf16"),
}
_table = {(backend, op): _NONE for backend in _ABLE for op in _OPS}
#: cuDNN rounds to TF32 unless told otherwise.
_table[CUDA, "conv"] = _table[CUDA, "rnn"] = _DEFAULT

_NOTES = (
    "See also: https://pytorch.org/docs/main/notes/cuda.html"
    "#tensorfloat-32-tf32-on-ampere-and-later-devices"
)


class _Legacy:
    """The older switches that say the same, which must agree with the table when asked for."""

    cudnn_tf32 = True
    matmul = "highest"


def get(backend: str, op: str) -> str:
    """The precision of *op* (``"all"``: of whatever says nothing) of *backend*."""
    own = _table[backend, op]
    for place in ((backend, "all"), ("generic", "all")):
        if own not in (_NONE, _DEFAULT):
            break
        if (found := _table[place]) != _NONE:
            own = found
    if own == _DEFAULT:
        return "tf32"
    return own if own in _ABLE[backend] else _NONE


def put(backend: str, op: str, value: str) -> str:
    """Set the precision of *op* of *backend*; returns it.

    Raises TypeError for what is no string, RuntimeError for a precision that does not exist or that
    *backend* cannot do.
    """
    if not isinstance(value, str):
        raise TypeError(
            "_set_fp32_precision_setter(): incompatible function arguments. The following argument "
            "types are supported:\n    1. (arg0: str, arg1: str, arg2: str) -> str\n\n"
            f"Invoked with: {backend!r}, {op!r}, {value!r}"
        )
    if value not in _ABLE["generic"]:
        raise RuntimeError(f"Unknown precision: {value}")
    if value not in _ABLE[backend]:
        raise RuntimeError(f"backend '{backend}' does not support precision '{value}'")
    _table[backend, op] = value
    return value


def get_cudnn_tf32() -> bool:
    """``torch.backends.cudnn.allow_tf32``. Raises RuntimeError where newer settings differ."""
    conv, rnn = (get(CUDA, op) == "tf32" for op in ("conv", "rnn"))
    if conv != rnn or conv != _Legacy.cudnn_tf32:
        raise RuntimeError(
            "PyTorch is checking whether allow_tf32 is enabled for cuDNN without a specific "
            "operator name,but the current flag(s) indicate that cuDNN conv and cuDNN RNN have "
            "different TF32 flags.This combination indicates that you have used a mix of the "
            "legacy and new APIs to set the TF32 flags. We suggest only using the new API to set "
            f"the TF32 flag(s). {_NOTES}"
        )
    return _Legacy.cudnn_tf32


def put_cudnn_tf32(value: bool) -> None:
    """Set whether cuDNN may round to TF32. Raises RuntimeError for what is no bool."""
    if type(value) is not bool:  # torch's text names the other library
        raise RuntimeError(f"set_allow_tf32_cublas expects a bool, but got {type(value).__name__}")
    _table[CUDA, "conv"] = _table[CUDA, "rnn"] = "tf32" if value else _NONE
    _Legacy.cudnn_tf32 = value


def get_matmul_tf32() -> bool:
    """``torch.backends.cuda.matmul.allow_tf32``. Raises RuntimeError where others differ."""
    legacy = _Legacy.matmul != "highest"
    if legacy != (get(CUDA, "matmul") == "tf32"):
        raise RuntimeError(
            "PyTorch is checking whether allow_tf32_new is enabled for cuBlas matmul,Current "
            "status indicate that you have used mix of the legacy and new APIs to set the TF32 "
            "status for cublas matmul. We suggest only using the new API to set the TF32 flag. "
            f"{_NOTES}"
        )
    return legacy


def put_matmul_tf32(value: bool) -> None:
    """Set whether cuBLAS may round to TF32. Raises RuntimeError for what is no bool."""
    if type(value) is not bool:
        raise RuntimeError(f"set_allow_tf32_cublas expects a bool, but got {type(value).__name__}")
    _Legacy.matmul = "high" if value else "highest"
    _table[CUDA, "matmul"] = "tf32" if value else "ieee"


def get_matmul() -> str:
    """``torch.get_float32_matmul_precision``. Raises RuntimeError where newer settings differ."""
    legacy, onednn = _Legacy.matmul, get("mkldnn", "matmul")
    if (
        (legacy == "highest" and get(CUDA, "matmul") == "tf32")
        or (legacy != "medium" and onednn == "bf16")
        or (legacy != "high" and onednn == "tf32")
    ):
        raise RuntimeError(
            "PyTorch is checking the matmul precision without a specific backend name,Current "
            "status indicate that you have used mix of the legacy and new APIs to set the matmul "
            "precision. We suggest only using the new API for matmul precision. "
            f"{_NOTES}"
        )
    return legacy


def put_matmul(value: str) -> None:
    """Set what :func:`get_matmul` tells: ``"highest"``, ``"high"`` or ``"medium"``."""
    _Legacy.matmul = value
    _table[CUDA, "matmul"] = "ieee" if value == "highest" else "tf32"
    by_name = {"highest": "ieee", "high": "tf32", "medium": "bf16"}
    _table["mkldnn", "matmul"] = by_name[value]

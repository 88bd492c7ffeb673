"""What torch's nodes tell of their arguments where our formulas need more or less than theirs.

Data about torch 2.13: the names of ``_saved_…`` follow from derivatives.yaml, which asks of some
tensors only ``self.sym_sizes()`` or ``weight.sym_size(0)``. The rule for a tensor of which our
formulas ask facts alone is ``_sym_sizes``; here stands where it is not so.
"""

from __future__ import annotations

import re
from typing import Any

#: Row: what torch keeps of an argument though our formula has no use for it.
KEPT_AS_WELL: dict[str, frozenset[str]] = {
    "expand": frozenset(("self",)),
    "expand_copy": frozenset(("self",)),
    "gather": frozenset(("sparse_grad",)),
}

#: Node: the facts that are shown of an argument.
FACTS_SHOWN: dict[str, dict[str, tuple[str, ...]]] = {
    "AdaptiveAvgPool3DBackwardBackward0": {
        "grad_output": tuple([f"_sym_argsize_minus_{n}" for n in (1, 2, 3)]),
        "self": (),
    },
    "AdaptiveMaxPool2DBackwardBackward0": {"self": ()},
    "AdaptiveMaxPool3DBackwardBackward0": {"self": ()},
    "AddbmmBackward0": {
        "batch1": ("_sym_argsize_0", "_sym_argsize_1"),
        "batch2": ("_sym_argsize_2",),
    },
    "AddmmBackward0": {
        "mat1": ("_sym_sizes", "_sym_strides"),
        "mat2": ("_sym_sizes", "_sym_strides"),
    },
    "AsStridedBackward0": {"self": ()},
    "AsStridedBackward0_copy": {"self": ()},
    "AvgPool3DBackwardBackward0": {"self": ()},
    "ChannelShuffleBackward0": {"self": ()},
    "ConvolutionBackward0": {"bias": ("_sym_sizes_opt",)},
    "CopyBackwards": {"src": ()},
    "CopysignBackward0": {"other": ()},
    "DiagonalScatterBackward0": {"src": ()},
    "EmbeddingBackward0": {"weight": ("_sym_argsize_0",)},
    "FractionalMaxPool2DBackwardBackward0": {"self": ()},
    "FractionalMaxPool3DBackwardBackward0": {"self": ()},
    "Im2ColBackward0": {"self": ("_sym_argsize_minus_1", "_sym_argsize_minus_2")},
    "IndexAddBackward0": {"source": ("_dim",)},
    "IndexCopyBackward0": {"source": ("_dim",)},
    "IndexPutBackward0": {"values": ()},
    "LinalgEigBackward0": {"self": ()},
    "LinalgQrBackward0": {"A": ()},
    "LinalgSvdBackward0": {"A": ()},
    "LogSoftmaxBackward0": {"self": ()},
    "LuUnpackBackward0": {"LU_data": ("_sym_argsize_minus_1", "_sym_argsize_minus_2")},
    "MaxPool3DWithIndicesBackwardBackward0": {"self": ()},
    "MeanBackward0": {"self": ("_sym_numel", "_sym_sizes")},
    "MeanBackward1": {"self": ("_sym_numel", "_sym_sizes")},
    "MmBackward0": {
        "mat2": ("_sym_sizes", "_sym_strides"),
        "self": ("_sym_sizes", "_sym_strides"),
    },
    "PixelUnshuffleBackward0": {"self": ()},
    "PoissonBackward0": {"self": ()},
    "SafeSoftmaxBackward0": {"self": ()},
    "SelectScatterBackward0": {"src": ()},
    "SliceScatterBackward0": {"src": ()},
    "SoftmaxBackward0": {"self": ()},
}

#: Node: arguments that our formula needs and torch's does not.
HIDDEN: dict[str, frozenset[str]] = {
    "BernoulliBackward1": frozenset(("p",)),
    "LinalgEighBackward0": frozenset(("compute_v",)),
    "LinalgSvdBackward0": frozenset(("compute_uv",)),
    "MaskedScatterBackwardBackward0": frozenset(("grad_output",)),
    "NativeDropoutBackward0": frozenset(("train",)),
    "TrilinearBackward0": frozenset(("unroll_dim",)),
}

_SIZE = re.compile(r"_sym_argsize_(minus_)?(\d+)")


def said_of(tensor: Any, ending: str) -> Any:
    """What an attribute with that *ending* says of a tensor (or its facts)."""
    if ending == "_sym_sizes_opt":
        return (0,) if tensor is None else tuple(tensor.shape)
    if ending == "_sym_sizes":
        return tuple(tensor.shape)
    if ending == "_sym_strides":
        return tuple(tensor.stride())
    if ending == "_sym_numel":
        return tensor.numel()
    if ending == "_dim":
        return tensor.dim()
    found = _SIZE.fullmatch(ending)
    assert found is not None
    number = int(found[2])
    return tensor.shape[-number if found[1] else number]

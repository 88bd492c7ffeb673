"""torch's names of node classes."""

from __future__ import annotations

from ..call.overload import INPLACE, Overload

_SPECIAL_NAMES = {
    "_to_copy": "ToCopyBackward0",
    "copy": "CopyBackwards",
    "copy_": "CopyBackwards",
    "_fw_primal": "Identity",
}
#: Ops whose name ends in ``_copy`` though torch takes them for no copying form of a view.
_NO_VIEWS = ("index_copy", "narrow_copy", "_reshape_copy")
#: Nodes whose class is written by hand in torch, not generated.
BY_HAND = frozenset(("CopyBackwards", "Identity"))


def node_name(overload: Overload) -> str:
    """torch's name of the node class: ``add.Tensor`` → ``AddBackward0``.

    torch numbers the entries of derivatives.yaml that share a name: ``node`` of the row.
    """
    base = overload.row.base
    special = _SPECIAL_NAMES.get(base)
    if special is not None:
        return special
    # An op that copies a view is named by the view.
    copied = "_copy" if base.endswith("_copy") and base not in _NO_VIEWS else ""
    stem = base.removesuffix(copied).rstrip("_").removesuffix("_forward")
    words = "".join(w[:1].upper() + w[1:] for w in stem.split("_") if w)
    camel = ""
    for i, ch in enumerate(words):
        camel += ch.upper() if i and words[i - 1].isdigit() else ch
    number = overload.row.node[overload.kind == INPLACE]
    return f"{camel}Backward{number}{copied}"

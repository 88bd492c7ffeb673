"""``torch.onnx.ops.symbolic``: nodes that a program asks for by name."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from ..._building import Builder, Value
from ..._registration import TRANSLATIONS


def symbolic(g: Builder, inputs: Sequence[Value | None], node: str, *_: Any) -> Any:
    said = json.loads(node)
    if said["version"] is not None:
        g.domains[said["domain"]] = said["version"]
    outs = g.out if isinstance(g.out, (list, tuple)) else [g.out]
    dtypes = [out.dtype for out in outs]
    found = g.custom(said["kind"], said["domain"], inputs, dtypes, **said["attributes"])
    return found if isinstance(g.out, (list, tuple)) else found[0]


TRANSLATIONS["onnx_symbolic::_symbolic"] = symbolic
TRANSLATIONS["onnx_symbolic::_symbolic_multi_out"] = symbolic

"""``torch.onnx.export`` of modules: ONNX's reference implementation gives what they give."""

from __future__ import annotations

import mindtorch
import pytest
from mindtorch.utils._pytree import tree_leaves

from .onnx_models import checked
from .onnx_zoo import ZOO

#: What the reference implementation cannot run: by which name it fails.
NOT_RUN: dict[str, str] = {}


@pytest.mark.parametrize("name", ZOO)
def test_exported_module_gives_the_same(name):
    """A model that ONNX's checker takes gives the module's results."""
    mindtorch.manual_seed(0)
    module, args = ZOO[name]()
    module.eval()
    program = mindtorch.onnx.export(module, args, verbose=False)
    model = checked(program.model_proto)
    assert [i.name for i in model.graph.input] == [v.name for v in program._graph.inputs]
    wanted = [v for v in tree_leaves(module(*args)) if v is not None]
    got = program.call_reference(*args)
    assert len(got) == len(wanted)
    for mine, theirs in zip(got, wanted, strict=True):
        mindtorch.testing.assert_close(mine, theirs.detach(), rtol=1e-4, atol=1e-5)

"""Every row on the simulated NPU: what is captured is, replayed, what a call would give then."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import mindtorch as torch
import pytest
from mindtorch.call.dispatch_entry import OVERLOADS
from mindtorch.call.lazy_registration import load_all
from mindtorch.utils._pytree import tree_leaves, tree_map
from mindtorch_npu import backend

from tests.samples import Maker, find

load_all()  # the families that a program gets when it asks for them
pytestmark = pytest.mark.skipif(backend.HARDWARE, reason="hardware has no graphs here")

npu = torch.npu
#: Rows whose numbers nobody writes, and those that change how their argument lies at each call.
LEFT_OUT = ("empty", "new_empty", "swapaxes_", "swapdims_")
#: What waits for numbers, as on CUDA: it cannot be captured.
WAITING = """
_lazy_clone _linalg_check_errors _pad_packed_sequence _reshape_from_tensor _test_check_tensor
_to_cpu _unique _unique2 _validate_sparse_coo_tensor_args allclose argwhere bincount combinations
corrcoef cov ctc_loss equal gru inverse is_nonzero linspace logspace lstm masked_select narrow
nonzero one_hot repeat_interleave rnn_relu rnn_tanh tensor_split unique_consecutive where
""".split()
#: What waits for numbers here alone: how many there are to draw, whether indices are right, and
#: switches.
WAITING_HERE = """
_choose_qparams_per_tensor _fused_moving_avg_obs_fq_helper _rowwise_prune
fused_moving_avg_obs_fake_quant
_validate_compressed_sparse_indices _validate_sparse_bsc_tensor_args
_validate_sparse_bsr_tensor_args
_validate_sparse_compressed_tensor_args _validate_sparse_csc_tensor_args
_validate_sparse_csr_tensor_args rrelu rrelu_
""".split()
#: What nothing turns: the floating dtypes of one byte.
BYTES = {d: torch.uint8 for d in (torch.float8_e4m3fn, torch.float8_e5m2)}
ROWS = {o.row.base: o.row for o in OVERLOADS.values() if o.row.samples}


def functions() -> Iterator[tuple[str, Any]]:
    """What users call, by the name of its row."""
    for name in sorted(ROWS):
        for home in (torch, torch.nn.functional, torch.Tensor):
            if hasattr(home, name) and not name.startswith(LEFT_OUT):
                yield name, getattr(home, name)
                break


def calls(name: str) -> Iterator[Any]:
    """Some of the row's sample calls: dense tensors of the host."""
    generator = find(ROWS[name].samples)
    for i, call in enumerate(() if generator is None else generator(Maker(torch, "float32"))):
        tensors = [t for t in tree_leaves(tuple(call)) if isinstance(t, torch.Tensor)]
        dense = all(t.device.type == "cpu" and t.layout is torch.strided for t in tensors)
        if i < 4 and tensors and dense:
            yield tuple(call)


def each_tensor(change: Any, tree: Any) -> Any:
    return tree_map(lambda t: change(t) if isinstance(t, torch.Tensor) else t, tree)


def tensors_of(tree: Any) -> list[Any]:
    return [t for t in tree_leaves(tree) if isinstance(t, torch.Tensor)]


def is_replayed(function: Any, call: Any) -> bool | None:
    """Whether a graph of the call gives what the call does; None where the call raises."""
    args, kwargs = given = each_tensor(lambda t: t.detach().to("npu"), call)
    copies = each_tensor(torch.clone, given)
    if numbers(lambda: function(*copies[0], **copies[1])) is None:
        return None
    graph = npu.NPUGraph()
    with npu.graph(graph):
        found_by_graph = function(*args, **kwargs)
    for t in tensors_of(given):  # other numbers, in the same memory
        if t.numel() and not any(stride == 0 for stride in t.stride()):
            turned = t.reshape(-1).view(BYTES.get(t.dtype, t.dtype)).flip(0)
            t.copy_(turned.view(t.dtype).reshape(t.shape))
    args, kwargs = each_tensor(torch.clone, given)
    torch.manual_seed(7)
    graph.replay()
    found = numbers(lambda: found_by_graph)
    torch.manual_seed(7)
    wanted = numbers(lambda: function(*args, **kwargs))
    if wanted is None or found is None:
        return None if wanted is found else False
    return all(same(a, b) for a, b in zip(found, wanted, strict=True))


def numbers(function: Any) -> list[Any] | None:
    """What the tensors of a result hold once it is there; None where that raises."""
    try:
        found = [t.cpu() for t in tensors_of(function())]
        npu.synchronize()  # some tell what is wrong, and have no result
    except Exception:
        return None
    return found


def same(a: Any, b: Any) -> bool:
    equal = (a == b) | ((a != a) & (b != b))
    return a.shape == b.shape and a.dtype == b.dtype and bool(equal.all())


@pytest.mark.filterwarnings("ignore")
def test_rows_are_replayed() -> None:
    """With the numbers that stand there by then, and the next random ones."""
    wrong, right, waiting = [], 0, set()
    for name, function in functions():
        for call in calls(name):
            try:
                result = is_replayed(function, call)
            except torch.AcceleratorError as error:
                npu.set_stream(npu.default_stream())
                assert error.error_code == 901
                waiting.add(name)
                continue
            right += result is True
            if result is False:
                wrong.append(name)
    assert not wrong
    assert right > 1700
    assert waiting <= {*WAITING, *WAITING_HERE}

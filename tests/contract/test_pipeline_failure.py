"""Kernels that fail at a flush: the error of eager code, and never a wrong number."""

from __future__ import annotations

import mindtorch
import pytest
import torch as oracle
from mindtorch_dispatch import current_pipeline, tls

from tests.contract.pipeline_programs import LARGE, SMALL


@pytest.fixture(params=["cpu", "npu"])
def device(request):
    return request.param


@pytest.fixture(params=[SMALL, LARGE], ids=["tiny", "large"])
def n(request):
    return request.param


@pytest.fixture(autouse=True)
def no_state_left():
    """Whatever happens in a test, the thread is as before."""
    yield
    assert current_pipeline() is None and tls.state.get() == 0


BAD_INDEX = 7


def fail(torch, device):
    """Ops of which one fails in its kernel, in the order before, failing, after."""
    x = torch.ones(3, device=device)
    before = x + 1
    index = torch.tensor([BAD_INDEX]).to(device)
    bad = torch.index_select(x, 0, index)  # the failing line
    after = bad + 1
    return before, bad, after


def failing_line():
    code = fail.__code__
    with open(code.co_filename) as source:
        text = source.read().splitlines()
    return next(i for i, line in enumerate(text, 1) if line.endswith("# the failing line"))


def eager_error(device):
    with pytest.raises(Exception) as got:
        fail(mindtorch, device)[1].tolist()
    return got.value


def test_kernel_error_is_that_of_eager_code(device):
    """Same type and text as without the pipeline, and as torch's; a note says op and line."""
    want = eager_error(device)
    with pytest.raises(Exception) as torchs:
        fail(oracle, "cpu")
    assert (type(want), str(want)) == (type(torchs.value), str(torchs.value))
    with pytest.raises(Exception) as got:
        with mindtorch.pipeline() as pipe:
            bad = fail(mindtorch, device)[1]
            pipe.flush()
            bad.tolist()
    assert (type(got.value), str(got.value)) == (type(want), str(want))
    notes = "\n".join(got.value.__notes__)
    assert "aten::index_select" in notes and f"{__file__}:{failing_line()}" in notes


def test_results_of_and_after_a_failure_never_give_numbers(device):
    """Reading them raises the error again, in ops and views too; earlier ones are right."""
    with pytest.raises(IndexError):
        with mindtorch.pipeline() as pipe:
            before, bad, after = fail(mindtorch, device)
            pipe.flush()
            bad.tolist()
    assert before.tolist() == [2.0, 2.0, 2.0]
    for read in (
        lambda: bad.tolist(),
        lambda: after.item(),
        lambda: after.view(1).tolist(),
        lambda: (after * 2).tolist(),
        lambda: (bad + before[:1]).tolist(),
        lambda: after.cpu().numpy(),
    ):
        for _ in range(2):
            with pytest.raises(IndexError, match="index out of range in self"):
                read()


def test_failed_tensor_in_a_later_pipeline():
    """The failure is passed on, not computed with."""
    with pytest.raises(IndexError):
        with mindtorch.pipeline():
            _, bad, _ = fail(mindtorch, "cpu")
    with pytest.raises(IndexError, match="out of range"):
        with mindtorch.pipeline():
            other = mindtorch.ones(LARGE) + 1
            late = bad + 1
    assert other._pending is False and other[0].item() == 2.0
    with pytest.raises(IndexError):
        late.item()
    with pytest.raises(IndexError):
        with mindtorch.pipeline():
            bad.add_(1)


def test_memory_changed_after_a_failure_is_not_trusted():
    """A tensor from before the pipeline, whose in-place change was lost, and its older views."""
    a = mindtorch.zeros(3)
    view = a[1:]
    sibling = view.view(2, 1)
    with pytest.raises(IndexError):
        with mindtorch.pipeline():
            fail(mindtorch, "cpu")
            a.add_(1)
    for t in (a, view, sibling):
        assert t._pending
        with pytest.raises(IndexError):
            t + 1
        with pytest.raises(IndexError):
            t.tolist()


def test_error_of_the_block_wins_over_that_of_the_flush():
    """Leaving by an exception flushes; a failure of the flush becomes a note."""
    with pytest.raises(ValueError, match="mine") as got:
        with mindtorch.pipeline():
            before, bad, _ = fail(mindtorch, "cpu")
            raise ValueError("mine")
    assert any("index out of range" in note for note in got.value.__notes__)
    assert before.tolist() == [2.0, 2.0, 2.0]
    with pytest.raises(IndexError):
        bad.item()


@pytest.mark.parametrize("kind", [ValueError, KeyboardInterrupt, SystemExit])
def test_leaving_by_an_exception_computes_what_was_recorded(kind, n, device):
    """As eager code would have."""
    with pytest.raises(kind):
        with mindtorch.pipeline():
            kept = mindtorch.ones(n, device=device) + 1
            kept.mul_(4)
            raise kind()
    assert not kept._pending and kept[0].item() == 8.0


def test_interrupt_during_a_flush_leaves_no_wrong_numbers():
    """What did not run says so when it is read, with an error of its own."""

    def interrupt():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        with mindtorch.pipeline() as pipe:
            a = mindtorch.ones(LARGE) + 1
            pipe.record("test::interrupt", interrupt)
            b = mindtorch.ones(LARGE) + 1
    assert a[0].item() == 2.0
    with pytest.raises(RuntimeError, match="KeyboardInterrupt"):
        b.tolist()
    with mindtorch.pipeline():
        c = mindtorch.ones(LARGE) + 1
    assert c[0].item() == 2.0


def test_meta_errors_are_raised_where_the_mistake_is():
    """A shape that does not fit needs no numbers; the queue is as before."""
    with mindtorch.pipeline() as pipe:
        a = mindtorch.ones(LARGE) + 1
        waiting = pipe.pending
        with pytest.raises(RuntimeError, match="must match the size of tensor b"):
            a + mindtorch.ones(2)
        assert pipe.pending == waiting + 1  # the ones
    assert a[0].item() == 2.0


def test_backward_shows_a_failure_of_the_forward_pass():
    """It flushes before it begins."""
    x = mindtorch.ones(3, requires_grad=True)
    with mindtorch.pipeline():
        loss = mindtorch.index_select(x, 0, mindtorch.tensor([9])).sum()
        with pytest.raises(IndexError, match="out of range"):
            loss.backward()
    assert x.grad is None


def test_site_is_the_users_line_also_under_autograd(n):
    """The generated recording function is no line of the user's."""
    x = mindtorch.ones(LARGE, requires_grad=True)
    with mindtorch.pipeline() as pipe:
        for _ in range(2):
            y = x * 2 + 1
        sites = {repr(e) for e in pipe.entries() if "aten::" in repr(e)}
    assert sites and all(f"{__file__}:" in s for s in sites)
    assert y.requires_grad

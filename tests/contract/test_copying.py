"""``copy`` and ``pickle`` on tensors: memory is shared in the copy exactly where it was before."""

from __future__ import annotations

import copy
import io
import pickle
import subprocess
import sys
from typing import Any

import mindtorch
import pytest
import torch
from mindtorch.nn.parameter import Parameter

from .helpers import assert_same_value, assert_torch_error, both

PARAMETER = {mindtorch: Parameter, torch: torch.nn.Parameter}


def aliases(t: Any) -> list[Any]:
    """Tensors over one memory, and one apart."""
    x = t.arange(12.0).reshape(3, 4)
    return [x, x[1:], x.t(), x[:, 2], x.detach(), t.ones(2)]


def shares(tensors: list[Any]) -> list[int]:
    """For each tensor the position of the first one that has its storage."""
    cells = [x.untyped_storage()._cdata for x in tensors]
    return [cells.index(c) for c in cells]


@pytest.mark.parametrize(
    "way", [copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))], ids=["deepcopy", "pickle"]
)
def test_views_stay_views_of_one_memory(way: Any) -> None:
    """Values, strides, offsets and sharing are kept; the original's memory is not touched."""
    # torch's own pickles, unlike its files, give every tensor memory of its own.
    for lib in (mindtorch, torch) if way is copy.deepcopy else (mindtorch,):
        before = aliases(lib)
        after = way(before)
        assert shares(after) == shares(before) == [0, 0, 0, 0, 0, 5]
        after[0].fill_(7.0)
        assert after[1].tolist() == [[7.0] * 4] * 2
        assert before[0][0].tolist() == [0.0, 1.0, 2.0, 3.0]
        assert [x.storage_offset() for x in after] == [x.storage_offset() for x in before]
        assert [x.stride() for x in after] == [x.stride() for x in before]


def test_an_object_met_twice_is_copied_once() -> None:
    """The memo holds tensors and storages."""
    for lib in (mindtorch, torch):
        x = lib.ones(2)
        got = copy.deepcopy({"a": x, "b": [x], "s": x.untyped_storage()})
        assert got["a"] is got["b"][0]
        assert got["a"].untyped_storage()._cdata == got["s"]._cdata


def test_a_leaf_keeps_grad_and_attributes() -> None:
    """``grad`` is copied too, and so is what the user hung on the tensor."""

    def made(lib: Any) -> Any:
        x = lib.ones(3).requires_grad_()
        (x * 2).sum().backward()
        x.note = ["kept"]
        return x

    for lib in (mindtorch, torch):
        x = made(lib)
        got = copy.deepcopy(x)
        assert got.requires_grad and got.is_leaf
        assert got.grad.tolist() == [2.0, 2.0, 2.0]
        assert got.grad is not x.grad
        assert got.note == ["kept"] and got.note is not x.note
        again = pickle.loads(pickle.dumps(x))
        assert again.requires_grad and again.grad is None
        assert again.note == ["kept"]


def test_a_non_leaf_is_pickled_but_not_deep_copied() -> None:
    """Pickling gives a leaf."""
    for lib in (mindtorch, torch):
        back = pickle.loads(pickle.dumps(lib.ones(2).requires_grad_() * 2))
        assert back.is_leaf and back.requires_grad and back.tolist() == [2.0, 2.0]
    assert_torch_error(*both(lambda t: copy.deepcopy(t.ones(2).requires_grad_() * 2)))


def test_a_shallow_copy_shares_memory() -> None:
    """``copy.copy`` makes another tensor over the same storage."""
    for lib in (mindtorch, torch):
        x = lib.arange(4.0)
        got = copy.copy(x)
        got[0] = 9.0
        assert got is not x
        assert x[0].item() == 9.0


@pytest.mark.parametrize("requires_grad", [True, False])
def test_parameters_stay_parameters(requires_grad: bool) -> None:
    """Class, ``requires_grad`` and attributes come back."""
    for lib in (mindtorch, torch):
        p = PARAMETER[lib](lib.ones(2), requires_grad)
        p.note = 3
        for got in (copy.deepcopy(p), pickle.loads(pickle.dumps(p))):
            assert type(got) is PARAMETER[lib]
            assert got.requires_grad is requires_grad
            assert got.tolist() == [1.0, 1.0]
        assert pickle.loads(pickle.dumps(p)).note == 3


class Mine(mindtorch.Tensor):
    """A subclass of the user's."""


class Slotted(mindtorch.Tensor):
    """A subclass with a slot."""

    __slots__ = ("extra",)


@pytest.mark.parametrize("kind", [Mine, Slotted])
def test_subclasses_stay_subclasses(kind: Any) -> None:
    """With what they hold."""
    x = mindtorch.ones(2).as_subclass(kind)
    x.extra = "kept"
    got = pickle.loads(pickle.dumps(x))
    assert type(got) is kind
    assert got.extra == "kept"
    assert got.tolist() == [1.0, 1.0]


@pytest.mark.parametrize("makes", [False, True])
@pytest.mark.parametrize("leaf", [False, True])
def test_deep_copies_of_subclasses_need_new_empty(makes: bool, leaf: bool) -> None:
    """It has to give another instance; else the copy is refused, as the oracle does."""

    def work(t: Any) -> Any:
        class Plain(t.Tensor):  # type: ignore[misc, name-defined]
            pass

        class Making(t.Tensor):  # type: ignore[misc, name-defined]
            def new_empty(self, *args: Any, **kwargs: Any) -> Any:
                return t.empty(*args).as_subclass(Making)

        x = t.ones(2).as_subclass(Making if makes else Plain)
        x.requires_grad_(leaf)
        x.extra = "kept"
        try:
            made = copy.deepcopy(x)
        except RuntimeError as error:
            return str(error)
        return type(made).__name__, made.extra, made.requires_grad, made.tolist()

    assert_same_value(*both(work))


@pytest.mark.parametrize("dtype", ["bfloat16", "float16", "uint16", "complex64", "bool", "int64"])
def test_every_dtype_survives(dtype: str) -> None:
    """Those without a legacy storage class as well."""
    assert_same_value(*both(lambda t: copy.deepcopy(t.arange(3).to(getattr(t, dtype)))))
    x = mindtorch.arange(3).to(getattr(mindtorch, dtype))
    assert repr(pickle.loads(pickle.dumps(x))) == repr(x)


def test_empty_and_meta_tensors_survive() -> None:
    """There may be no memory at all."""
    for way in (copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))):
        assert_same_value(*both(lambda t, w=way: w(t.empty(0, 3))))
        assert_same_value(*both(lambda t, w=way: w(t.empty((2, 3), device="meta").t())))


def test_deep_copies_without_elements_are_clones() -> None:
    """Those on ``meta``, with memory of their own, and of subclasses those that are empty."""

    def facts(x: Any) -> Any:
        names = ("shape", "requires_grad", "_version")
        own = x.untyped_storage().nbytes(), x.stride(), x.storage_offset(), x.is_conj()
        return type(x).__name__, own, [getattr(x, name) for name in names]

    def run(t: Any) -> Any:
        m = t.empty(4, 6, device="meta")
        half = t.empty(3, device="meta", dtype=t.complex64).conj()
        given = [m, m[1:3, 2:], m.t(), m[:1].expand(3, 6), PARAMETER[t](m), half, t._neg_view(m)]
        made = copy.deepcopy(given)
        return [facts(x) for x in made], shares(made), shares([m, copy.deepcopy(m)])

    assert run(mindtorch) == run(torch)

    def of_subclass(t: Any, clones: Any, device: str, size: int) -> Any:
        class Sub(t.Tensor):  # type: ignore[misc]  # of either library
            def clone(self) -> Any:
                return clones(t, type(self))

        x = t.Tensor._make_subclass(Sub, t.empty(size, device=device))
        x.of_user = "mine"
        made = copy.deepcopy(x)
        return type(made).__name__, tuple(made.shape), made.of_user

    def another(t: Any, kind: Any) -> Any:
        return t.Tensor._make_subclass(kind, t.empty(2))

    def plain(t: Any, kind: Any) -> Any:
        return t.ones(3)

    for case in [(another, "meta", 3), (another, "cpu", 0)]:
        assert of_subclass(mindtorch, *case) == of_subclass(torch, *case), case
    for clones, device, size in [(plain, "meta", 3), (plain, "cpu", 0), (another, "cpu", 3)]:
        assert_torch_error(
            lambda c=clones, d=device, n=size: of_subclass(mindtorch, c, d, n),
            lambda c=clones, d=device, n=size: of_subclass(torch, c, d, n),
        )


def test_npu_tensors_stay_on_their_device() -> None:
    """The copy has device memory of its own."""
    x = mindtorch.arange(3.0).to("npu")
    got = copy.deepcopy([x, x[1:]])
    assert str(got[0].device) == "npu:0"
    got[0].fill_(5.0)
    assert got[1].cpu().tolist() == [5.0, 5.0]
    assert x.cpu().tolist() == [0.0, 1.0, 2.0]
    assert (pickle.loads(pickle.dumps(x)) + 1).cpu().tolist() == [1.0, 2.0, 3.0]


def test_named_values_are_pickled_by_name() -> None:
    """Devices, dtypes, layouts, memory formats and sizes are the same objects afterwards."""
    t = mindtorch
    for value in (t.float32, t.bfloat16, t.device("npu:1"), t.strided, t.channels_last):
        assert pickle.loads(pickle.dumps(value)) is value
        assert copy.deepcopy(value) is value
    size = pickle.loads(pickle.dumps(t.ones(2, 3).shape))
    assert type(size) is t.Size and size == (2, 3)


def test_pickles_do_not_need_torch() -> None:
    """What is pickled here is unpickled by a process that cannot import torch."""
    data = pickle.dumps([mindtorch.ones(2), Parameter(mindtorch.zeros(1)), mindtorch.strided])
    code = (
        "import sys, pickle; sys.modules['torch'] = None\n"
        "x, p, layout = pickle.loads(sys.stdin.buffer.read())\n"
        "assert x.tolist() == [1.0, 1.0] and p.requires_grad and str(layout) == 'torch.strided'"
    )
    subprocess.run([sys.executable, "-c", code], input=data, check=True)


def test_the_old_state_of_tensors_is_understood() -> None:
    """Pickles of torch before 0.4 set a storage, an offset, a size and strides."""
    x = mindtorch.empty(0)
    x.__setstate__((mindtorch.arange(6.0).untyped_storage(), 2, (2,), (1,)))
    assert x.tolist() == [2.0, 3.0]
    assert_torch_error(
        *both(lambda t: (t.ones(2).requires_grad_() * 2).__setstate__((True, None, {})))
    )


def test_layouts_are_remembered_with_the_dtype_of_each_argument():
    """The same dtypes the other way round are another call, with a result of its own."""

    def dtypes(lib):
        whole, real = lib.ones(2, 3, dtype=lib.int64), lib.ones(2, 3)
        copy = lib.ops.aten.copy
        return [str(copy(a, b).dtype) for a, b in ((real, whole), (whole, real), (real, whole))]

    assert dtypes(mindtorch) == dtypes(torch)


def test_named_results_survive_a_pickle():
    """And so do their classes, beside torch's of the same name."""
    for t in (mindtorch, torch):
        pair = t.tensor([[3.0, 1.0], [0.0, 2.0]]).max(0)
        back = pickle.loads(pickle.dumps(pair))
        assert pickle.loads(pickle.dumps(t.autograd.Function)) is t.autograd.Function
        assert type(back) is type(pair) is pickle.loads(pickle.dumps(type(pair)))
        assert [x.tolist() for x in back] == [[3.0, 2.0], [0, 1]]
        assert [x.tolist() for x in copy.deepcopy(pair)] == [[3.0, 2.0], [0, 1]]


def test_a_tensor_made_from_its_pickle_counts_one_change():
    """It is made empty and looks at its memory by ``set_``, which counts; a Parameter wraps it."""

    def versions(t):
        found = []
        for x in (
            t.ones(3),
            t.ones(3).add_(1),
            t.ones(3, requires_grad=True),
            t.nn.Parameter(t.ones(3)),
            t.ones(3, device="meta"),
            t.ones(3).to_sparse(),
            t.ones(3, dtype=t.complex64).conj(),
        ):
            file = io.BytesIO()
            t.save(x, file)
            copies = [pickle.loads(pickle.dumps(x)), copy.copy(x), copy.deepcopy(x)]
            for place in (None, "meta"):
                file.seek(0)
                copies.append(t.load(file, map_location=place))
            found.append([c._version for c in copies])
        return found

    assert versions(mindtorch) == versions(torch)

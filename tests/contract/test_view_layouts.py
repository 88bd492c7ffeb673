"""How results of views lie in memory, what may be put into them, and how they are made again."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import mindtorch
import pytest
import torch

from .batches import every
from .view_programs import Runner, hearing, program

#: Windows with sizes of 1, whose strides lead nowhere.
SOURCES: dict[str, Callable[[Any], Any]] = {
    "column": lambda x: x.t()[:, :1],
    "number": lambda x: x[:1, :1],
    "row": lambda x: x[:1],
    "row of columns": lambda x: x.t()[:1],
    "middle": lambda x: x.unsqueeze(1).expand(2, 1, 3),
    "far row": lambda x: x.as_strided((1, 3), (100, 1)),
    "far column": lambda x: x.as_strided((3, 1), (1, 100)),
    "far number": lambda x: x.as_strided((1, 1), (7, 9)),
    "line": lambda x: x.as_strided((1,), (4,)),
    "deep": lambda x: x.as_strided((2, 1, 1), (1, 5, 9)),
    "repeated": lambda x: x[:1].expand(2, 3),
    "no row": lambda x: x[:0],
    "no column": lambda x: x[:, :0],
    "no row of columns": lambda x: x.t()[:0],
    "no column of rows": lambda x: x[:, :0].t(),
    "nothing, far": lambda x: x.as_strided((0, 2, 1), (1, 9, 3)),
    "nothing, repeated": lambda x: x[:0].expand(4, 0, 3),
    "of 0": lambda x: x[0, 0].expand(1, 1),
}
#: Ops by what torch's iterators do with their operands' strides.
OPS: dict[str, Callable[[Any, Any], Any]] = {
    "abs": lambda t, x: x.abs(),
    "neg": lambda t, x: -x,
    "abs complex": lambda t, x: (x * 1j).abs(),
    "abs of complex": lambda t, x: x.to(t.complex64).abs(),
    "angle": lambda t, x: x.angle(),
    "conj physical": lambda t, x: x.to(t.complex64).conj_physical(),
    "isinf": lambda t, x: x.isinf(),
    "isinf of ints": lambda t, x: x.int().isinf(),
    "deg2rad": lambda t, x: x.deg2rad(),
    "hardtanh": lambda t, x: t.nn.functional.hardtanh(x),
    "add far number": lambda t, x: x + t.ones(6).as_strided((1, 1), (7, 9)),
    "clone": lambda t, x: x.clone(),
    "to": lambda t, x: x.double(),
    "bfloat16": lambda t, x: x.bfloat16(),
    "empty_like": lambda t, x: t.empty_like(x),
    "add": lambda t, x: x + x,
    "add ones": lambda t, x: x + t.ones(x.shape),
    "add one": lambda t, x: x + t.ones(1),
    "add 0-d": lambda t, x: x + t.tensor(1.0),
    "mul number": lambda t, x: x * 2.0,
    "mul complex": lambda t, x: x * 1j,
    "rsub": lambda t, x: 1 - x,
    "div": lambda t, x: x / 2,
    "fmod": lambda t, x: x.fmod(2.0),
    "gt": lambda t, x: x > 1,
    "pow": lambda t, x: x**2,
    "pow of number": lambda t, x: 2**x,
    "lerp": lambda t, x: x.lerp(x, 0.5),
    "clamp": lambda t, x: x.clamp(0.0, 1.0),
    "where": lambda t, x: t.where(x > 1, x, 0.0),
    "masked_fill": lambda t, x: x.masked_fill(x > 1, 0.0),
    "nan_to_num": lambda t, x: x.nan_to_num(),
    "bits": lambda t, x: x.int() & 1,
    "conj": lambda t, x: x.to(t.complex64).conj().clone(),
    "conj times": lambda t, x: x.to(t.complex64).conj() * 2,
    "cumsum": lambda t, x: x.cumsum(0),
    "sum": lambda t, x: x.sum(0, keepdim=True),
    "chain": lambda t, x: (x * 2.0).exp() + 1,
    "select": lambda t, x: x[0] * 2.0,
    "unbind": lambda t, x: x.unbind()[0] * 2.0,
    "transposed": lambda t, x: x.transpose(0, -1) * 2.0,
}


def test_sizes_of_one_have_their_say_in_layouts():
    """The strides of results, of views of them, and of gradients."""
    for (source, make), (op, run) in itertools.product(SOURCES.items(), OPS.items()):
        answers = []
        for t in (torch, mindtorch):
            x = make(t.arange(6.0).reshape(2, 3))
            if op in ("select", "unbind") and not len(x):
                break
            answers.append((x.stride(), run(t, x).stride()))
        assert not answers or answers[1] == answers[0], (source, op)


def told(run: Callable[[], Any]) -> str:
    """What came of it, and what was warned of."""
    with hearing() as heard:
        try:
            out = run()
            text = repr(out.tolist() if hasattr(out, "tolist") else out)
        except Exception as error:
            text = f"{type(error).__name__}: {str(error).splitlines()[0]}"
    said = [str(w.message).partition(" (Triggered")[0] for w in heard]
    return f"{text} {said}".replace("mindtorch", "torch")


def puts(t: Any) -> Iterator[tuple[Any, str]]:
    """Values of several shapes and dtypes put at indices of several kinds."""
    ways: dict[str, Callable[[Any, Any], Any]] = {
        "list": lambda x, v: x.__setitem__([0], v),
        "mask": lambda x, v: x.__setitem__(t.ones(2, 3, dtype=t.bool), v),
        "row mask": lambda x, v: x.__setitem__(t.tensor([True, False]), v),
        "column": lambda x, v: x.__setitem__((slice(None), [0]), v),
        "row": lambda x, v: x.__setitem__(0, v),
        "index_put": lambda x, v: t.index_put(x, (t.tensor([0]),), v),
        "accumulate": lambda x, v: x.index_put_((t.tensor([0, 0]),), v, accumulate=True),
    }
    shapes = ((), (1,), (3,), (1, 3), (5,), (2, 5), (1, 1))
    dtypes = (t.float32, t.float64, t.int64, t.complex64)
    for way, dtype, shape in itertools.product(ways, dtypes, shapes):
        for target in (t.complex64, t.float32):
            x = t.ones(2, 3, dtype=target)
            v = t.full(shape, 2, dtype=dtype)
            yield (way, str(dtype), shape, str(target)), told(lambda: (ways[way](x, v), x.tolist()))
        whole = t.ones(3).expand(2, 3)
        yield (way, str(dtype), shape), told(lambda: (ways[way](whole, v), whole.tolist()))
    for where in ((..., 1), (0, ..., 1), (slice(None), 1), (None, ..., 1), (..., 1, None), (0, 1)):
        yield str(where), told(lambda: t.ones(2, 1, 1)[where])


def test_values_are_put_at_indices_as_the_oracle_puts_them():
    """Shapes are looked at before dtypes; one number at a mask has any dtype; what is warned of."""
    answers = []
    for t in (torch, mindtorch):
        t.set_warn_always(True)  # or what was said before would be missing
        try:
            answers.append(list(puts(t)))
        finally:
            t.set_warn_always(False)
    for (case, want), (_, got) in zip(*answers, strict=True):
        assert got == want, case


def pieces(t: Any) -> Iterator[tuple[str, str]]:
    """Pieces that lie in the memory of a tensor without being its views."""
    ways: dict[str, Callable[[Any], Any]] = {
        "split": lambda x: t.unsafe_split(x, 2, 1),
        "sizes": lambda x: x.unsafe_split_with_sizes([1, 2], dim=1),
        "chunk": lambda x: t.unsafe_chunk(x, 2),
        "no chunk": lambda x: t.unsafe_chunk(x, 0),
        "too many": lambda x: x.unsafe_split_with_sizes([1, 5], dim=1),
        "negative": lambda x: x.unsafe_split(-1),
    }
    for name, make in ways.items():

        def run(make: Any = make) -> Any:
            leaf = t.arange(6.0).reshape(2, 3).requires_grad_()
            whole = leaf * 1
            found = make(whole)
            facts = [(p.tolist(), p.stride(), p._is_view(), p.output_nr) for p in found]
            names = [p.grad_fn.name() for p in found]
            found[0].mul_(2)
            facts.append((whole.tolist(), whole._version, whole.grad_fn.name(), found[1]._version))
            (found[0] * found[1].sum()).sum().backward()
            return facts, names, leaf.grad.tolist(), found[0].grad_fn.name()

        yield name, told(run)


def test_pieces_may_be_changed_without_a_word_of_their_whole():
    """``unsafe_split`` and its kin: values, versions of their own, nodes, gradients, refusals."""
    for (case, want), (_, got) in zip(pieces(torch), pieces(mindtorch), strict=True):
        assert got == want, case


APART: dict[str, Callable[[Any, Any], Any]] = {
    "split": lambda t, x: t.unsafe_split(x, 2, -1),
    "with sizes": lambda t, x: t.unsafe_split_with_sizes(x, [1, x.shape[-1] - 1], -1),
    "with nothing": lambda t, x: t.unsafe_split_with_sizes(x, [0, x.shape[-1], 0], -1),
    "chunk": lambda t, x: t.unsafe_chunk(x, 3),
    "view": lambda t, x: (t.ops.aten._unsafe_view(x, [4, 3]),),
}
WHOLES: dict[str, Callable[[Any], Any]] = {
    "plain": lambda t: t.arange(12.0).reshape(3, 4),
    "a part": lambda t: t.arange(24.0).reshape(6, 4)[2:5],
    "half": lambda t: t.arange(12.0).reshape(3, 4).half(),
    "bfloat16": lambda t: t.arange(12.0).reshape(3, 4).bfloat16(),
    "int8": lambda t: t.arange(12, dtype=t.int8).reshape(3, 4),
    "meta": lambda t: t.empty(6, 4, device="meta")[2:5],
    "of inference": lambda t: t.inference_mode()(lambda: t.arange(12.0).reshape(3, 4))(),
}


@pytest.mark.parametrize("how", APART)
@pytest.mark.parametrize("whole", WHOLES)
def test_where_pieces_lie(how: str, whole: str) -> None:
    """In the storage of the whole, of an inference tensor as inference tensors."""

    def facts(t: Any) -> Any:
        x = WHOLES[whole](t)
        for _ in range(4):  # until the call is known
            made = APART[how](t, x)
        shared = [p.untyped_storage().data_ptr() == x.untyped_storage().data_ptr() for p in made]
        where = [(p.shape, p.stride(), p.storage_offset()) for p in made]
        sizes = [p.untyped_storage().nbytes() for p in made]
        return where, sizes, shared, [p.is_inference() for p in made], [p.dtype for p in made]

    assert told(lambda: facts(mindtorch)) == told(lambda: facts(torch))


@pytest.mark.parametrize("how", APART)
def test_pieces_made_in_inference_mode_of_what_was_made_before(how: str) -> None:
    """They are no inference tensors, for the whole is none."""

    def facts(t: Any) -> Any:
        x = t.arange(12.0).reshape(3, 4)
        with t.inference_mode():
            made = APART[how](t, x)
        return [(p.is_inference(), p.requires_grad, p._version) for p in made]

    assert told(lambda: facts(mindtorch)) == told(lambda: facts(torch))


def again(t: Any) -> Iterator[tuple[str, str]]:
    """Views made again of other bases; of bases that were changed, with and without replay."""
    bases: dict[str, Callable[[], Any]] = {
        "alike": lambda: t.full((2, 3), 5.0),
        "turned": lambda: t.full((3, 2), 5.0).t(),
        "longer": lambda: t.full((9,), 5.0),
        "short": lambda: t.full((2,), 5.0),
        "no tensor": lambda: 1,
    }
    for base, name in itertools.product(bases, ("_view_func", "_view_func_unsafe")):
        for view in (t.ones(2, 3, requires_grad=True).clone()[1:], t.ones(2, 3)):
            yield f"{base} {name}", told(lambda: getattr(view, name)(bases[base]()))
    yield "back", told(lambda: t.ones(2, 3)[0]._rev_view_func_unsafe(t.ones(3)))
    for made, changed in itertools.product((True, False), repeat=2):

        def run(made: bool = made, changed: bool = changed) -> Any:
            with t.autograd._force_original_view_tracking(made):
                on = t._C._is_view_replay_enabled()
                x = t.ones(2, 3, requires_grad=True).clone()
                views = (x.view(-1)[1:], x.t(), x.split(1)[1], x.unsqueeze(0).expand(2, 2, 3))
            with t.autograd._force_original_view_tracking(changed):
                x.mul_(2)
                names = [told(lambda v=v: v.grad_fn.name()) for v in views]
            return on, names, t._C._is_view_replay_enabled()

        yield f"{made} {changed}", told(run)


def test_views_are_made_again_as_the_oracle_makes_them():
    """What stands for a view of another base; which nodes a view has after a change."""
    for (case, want), (_, got) in zip(again(torch), again(mindtorch), strict=True):
        assert got == want, case


#: Rarer programs by which something was found, by what it was.
FOUND = {
    "data of another shape": (140, 205, 247, 308, 442, 939, 1321, 1383, 1695, 1836),
    "a leaf that ceased to require grad": (287, 718, 1404, 1925),
    "set_": (141, 1179, 1201, 1237, 2125, 2747, 4817, 7807),
    "hooks without a gradient": (515, 699, 1792),
    "layouts": (90, 962, 1262, 1339, 1888, 3141, 3483),
    "values at indices": (78, 411, 1198, 1297),
    "products that were changed": (1758, 5725, 7243),
    "texts": (22, 1280, 1595, 2116, 2691, 10052, 302829),
    "what is refused first": (205075, 205109, 205272, 203716, 302432),
    "detached after it was saved": (200891, 201355),
    "leaves in the interior": (100092, 200233, 201887),
    "strides of one element": (200529, 202079, 203792, 205562),
    "data that overlaps, or is longer": (202460, 204034, 205983),
    "rows of nothing": (202594,),
    "nodes that lead nowhere": (300765,),
    "functions that change what retains": (300978,),
}
#: The same of ordinary programs.
FOUND_ORDINARY = (100225, 200259, 201017, 203388, 204226, 205861, 600368)


@pytest.mark.parametrize("kind", FOUND)
def test_program_that_found_something_leaves_the_oracles_state(kind):
    """The same as in test_view_programs, of the seeds that showed a difference once."""
    for seed in FOUND[kind]:
        steps = program(seed, rare=True)
        want, got = Runner(torch).run(steps), Runner(mindtorch).run(steps)
        for i, (w, g) in enumerate(zip(want, got, strict=True)):
            assert g == w, f"seed {seed}, step {i} of {steps[: i + 1]}"


@every("seed", FOUND_ORDINARY)
def test_ordinary_program_that_found_something_leaves_the_oracles_state(seed):
    """Hooks in order, strides of gradients, and which of two refusals comes first."""
    steps = program(seed)
    want, got = Runner(torch).run(steps), Runner(mindtorch).run(steps)
    for i, (w, g) in enumerate(zip(want, got, strict=True)):
        assert g == w, f"step {i} of {steps[: i + 1]}"


def test_program_replays_its_views_as_the_oracle_does():
    """Programs with views that remember the calls that made them."""
    for seed, rare in itertools.product(range(25), (False, True)):
        steps = program(seed, rare=rare)
        notes = []
        for t in (torch, mindtorch):
            with t.autograd._force_original_view_tracking(True):
                notes.append(Runner(t).run(steps))
        for i, (w, g) in enumerate(zip(*notes, strict=True)):
            assert g == w, f"seed {seed}, step {i} of {steps[: i + 1]}"


def test_view_whose_kernel_gives_memory_of_its_own():
    """It is a view all the same, and changes of it count as changes of its base."""
    answers = []
    for t in (torch, mindtorch):
        library = t.library.Library("aten", "IMPL")
        try:
            with hearing():
                library.impl("view", lambda x, size, t=t: t.ones(6), "CPU")
            for grad in (False, True):
                x = t.zeros(2, 3, requires_grad=grad)
                y = x.view(6)
                facts = [y._is_view(), y._base is x, y._version, y.requires_grad]
                with t.no_grad():
                    y.add_(1)
                answers.append((t, [*facts, x.tolist(), y.tolist(), x._version, y._version]))
        finally:
            library._destroy()
    assert [a for t, a in answers if t is mindtorch] == [a for t, a in answers if t is torch]

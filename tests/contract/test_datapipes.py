"""Pipes of ``torch.utils.data`` against torch's."""

from __future__ import annotations

import importlib
import pickle

import pytest

from .both_frameworks import agree, ours, refuse, same, torch


def space(t):
    """What the programs below name: short, and of framework *t*."""
    home = f"{t.__name__}.utils.data"
    parts = "datapipes.iter datapipes.map graph graph_settings datapipes.utils.common"
    names = dict(zip("it mp graph gs common".split(), parts.split(), strict=True))
    found = {k: importlib.import_module(f"{home}.{v}") for k, v in names.items()}
    more = (
        "datapipes.iter.sharding datapipes.utils.snapshot datapipes.utils.decoder datapipes._typing"
    )
    for name, part in zip("sharding snapshot decoder typing".split(), more.split(), strict=True):
        found[name] = importlib.import_module(f"{home}.{part}")
    wrap, seq = found["it"].IterableWrapper, found["mp"].SequenceWrapper

    class NoLength(t.utils.data.IterDataPipe):
        def __iter__(self):
            yield from range(3)

    class Raises(NoLength):
        def __iter__(self):
            yield 1
            raise ValueError("boo")

    return {"t": t, "d": t.utils.data, "W": wrap, "S": seq, "N": NoLength, "R": Raises, **found}


#: Expressions; what they give is made plain.
PROGRAMS = """
W([[1, [2]], [3]]).unbatch(-1)
W([[1, 2], [3]]).unbatch(0)
W(range(3)).mux(W(range(10, 12)))
W(range(3)).concat(W("ab"))
W(range(3)).zip(W("ab"))
W(range(5)).batch(2)
W(range(5)).batch(2, drop_last=True)
[type(b).__name__ for b in W(range(5)).batch(2)]
W(range(5)).batch(2).map(sum)
W(range(10)).filter(lambda x: x % 3 == 0)
W([(1, 2, 3)]).map(lambda a, b: (a, b), input_col=[0, 2], output_col=[0])
W([(1, 2)]).map(lambda a: a + 5, input_col=0, output_col=-1)
W([{"a": 1}]).map(lambda a: a + 5, input_col="a", output_col="b")
W([[1, 2, 3]]).map(lambda a, b: a + b, input_col=[0, 2])
W([[1, 2]]).collate(collate_fn=sum)
[b.tolist() for b in W([[1, 2], [3]]).collate()]
[W(list(range(10)) + [1, 1]).groupby(lambda x: x % 3, group_size=2)]
W(range(10)).groupby(lambda x: x % 3, buffer_size=5, group_size=3, guaranteed_group_size=2)
W(range(10)).groupby(lambda x: x % 3, keep_key=True)
W(range(10)).groupby(lambda x: x % 3, buffer_size=3, group_size=2, drop_remaining=True)
W(range(10)).shuffle(buffer_size=3)
W(range(10)).shuffle().set_seed(5)
W(range(10)).shuffle().set_shuffle(False)
W([[1, 2], [3]]).shuffle(unbatch_level=1).set_seed(1)
S(range(5)).shuffle().set_seed(3)
S({"a": 1, "b": 2}).shuffle(indices=["a", "b"]).set_seed(3)
[S(range(5)).batch(2)[i] for i in range(3)]
[len(S(range(5)).batch(2)), len(S(range(5)).batch(2, drop_last=True))]
[S(range(3)).concat(S([7, 8]))[i] for i in range(5)]
[S(range(3)).zip(S([7, 8]))[1], len(S(range(3)).zip(S([7, 8])))]
[S(range(3)).map(lambda x: x + 1)[1], len(S(range(3)).map())]
W(range(10)).fork(2)
W(range(4)).fork(2, copy="deep")
[list(zip(*W(range(10)).fork(3)))]
W(range(10)).demux(2, lambda x: x % 2)
W(range(10)).demux(2, lambda x: None if x % 3 else 1, drop_none=True)
[len(p) for p in (W("abc").map(str), W("abc").batch(2), W("abc").concat(W("d")))]
len(W("ab").fork(2)[0])
d.DataChunk([1, [2]]).as_str("  ")
[str(W("a").map(len)), repr(W("a").batch(1)), str(S("a").map(len))]
gs.get_all_graph_pipes(graph.traverse_dps(W("a").shuffle().sharding_filter().map(str)))
gs.apply_sharding(W(range(10)).shuffle().set_shuffle(False).sharding_filter().map(str), 3, 1)
gs.apply_random_seed(W(range(10)).shuffle(), t.Generator().manual_seed(1))
gs.apply_shuffle_settings(W(range(4)).shuffle(), False)
gs.apply_shuffle_settings(W(range(4)), True)
pickle.loads(pickle.dumps(W(range(5)).shuffle().set_seed(2).batch(2)))
list(d.DataLoader(W(range(8)).shuffle(), batch_size=3, shuffle=True))
list(d.DataLoader(W(range(8)).shuffle(), batch_size=3, shuffle=False))
list(d.DataLoader(S(range(5)), batch_size=2, shuffle=True))
len(d.DataLoader(W(range(8)), batch_size=3))
common.match_masks("a.txt", ["*.png", "a*"])
decoder.Decoder(decoder.basichandlers)([("a.txt", b"hi"), ("b.json", b"[1]"), ("_k", b"x")])
[typing.issubtype(list[int], list), typing.issubtype(bool, int)]
[typing.issubinstance([1, "a"], list[int]), typing.issubinstance([1], list[int])]
""".strip().splitlines()

REFUSALS = """
list(W([[1, 2], 3]).unbatch(1))
list(W([[1, 2], [3]]).unbatch(-2))
W([1]).batch(0)
S([1]).batch(0)
S([1]).batch(2)[1]
W([1]).shuffle(buffer_size=0)
W([1]).groupby(len, group_size=0)
W([1]).groupby(len, guaranteed_group_size=1)
list(W(range(10)).groupby(lambda x: x % 3, buffer_size=3, group_size=3))
W([1]).map(lambda x, y: x)
W([1]).map(3)
W([1]).map(len, output_col=1)
W([1]).map(len, input_col=1, output_col=[1, 2])
W([1]).map(lambda x, *, y: x)
list(W([(1, 2)]).filter(lambda a, b: 3, input_col=[0, 1]))
W([1]).concat(3)
W([1]).zip(3)
it.Concater()
S([1]).concat(3)
S([1]).zip(S([1]))[3]
S([1]).concat(S([1]))[3]
W([1]).fork(0)
W([1]).fork(2, copy="x")
list(W(range(9)).fork(2, buffer_size=3)[0])
list(W(range(9)).demux(2, lambda x: x)[0])
list(W(range(9)).demux(2, lambda x: 0, buffer_size=3)[1])
len(W(range(9)).demux(2, lambda x: 0)[0])
len(N().map(str))
len(N().batch(2))
len(N())
len(d.DataLoader(N()))
list(R())
W([1]).nope
it.Sampler(N())
W([1]).sharding_filter().apply_sharding(2, 2)
gs.apply_sharding(W([1]).sharding_filter().sharding_filter(), 2, 0)
graph.traverse_dps(3)
W([1]).open_files("q")
W([1]).open_files("rb", encoding="utf8")
list(W([3]).open_files())
common.validate_pathname_binary_tuple((1,))
snapshot._simple_graph_snapshot_restoration(W(range(2)), 5)
d.DataLoader(W([1]), sampler=[0])
d.non_deterministic(int)
d.functional_datapipe("map")(type("Q", (d.IterDataPipe,), {}))
d.runtime_validation(len)
""".strip().splitlines()


def plain(value, t):
    """Pipes are read; the rest stays."""
    data = t.utils.data
    if isinstance(value, (data.IterDataPipe, data.DataChunk)):
        return [plain(v, t) for v in value]
    if isinstance(value, (list, tuple)):
        return [plain(v, t) for v in value]
    return value


def run(code):
    """The program of one line, for either framework."""

    def program(t):
        t.manual_seed(2)
        return plain(eval(code, {**space(t), "pickle": pickle}), t)

    return program


@pytest.mark.parametrize("code", PROGRAMS)
def test_pipes_give_what_torchs_give(code):
    """Elements, lengths, names, warnings."""
    agree(run(code))


@pytest.mark.parametrize("code", REFUSALS)
def test_pipes_refuse_as_torchs(code):
    """Type and text; with the pipe that raised, where one did."""
    refuse(run(code))


def test_only_the_newest_iterator_of_a_pipe_is_valid():
    """The others say so when they are asked for more."""

    def one_of_two(t):
        pipe = space(t)["W"](range(5))
        first = iter(pipe)
        next(first)
        next(iter(pipe))
        return next(first)

    def of_children(t):
        a, b = space(t)["W"](range(5)).fork(2)
        first = iter(a)
        next(first), next(iter(b))
        next(iter(a))
        return next(first)

    refuse(one_of_two)
    refuse(of_children)


def test_determinism_is_guaranteed_on_demand():
    """Pipes that are not deterministic refuse then, always or by their arguments."""

    def program(t):
        d = t.utils.data

        @d.non_deterministic
        class Always(d.IterDataPipe):
            pass

        @d.non_deterministic(lambda x: x)
        class Sometimes(d.IterDataPipe):
            def __init__(self, x):
                self.x = x

        said = [type(Always()).__name__, Sometimes(True).x]
        for make in (Always, lambda: Sometimes(True), lambda: Sometimes(False)):
            with d.guaranteed_datapipes_determinism():
                try:
                    said.append(type(make()).__name__)
                except TypeError as error:
                    said.append(str(error))
        return said

    agree(program)


def test_files_are_listed_opened_and_read(tmp_path):
    """By masks, in order, decoded by their extensions."""
    (tmp_path / "s").mkdir()
    for name, text in (("a.txt", "hello"), ("b.json", '{"x": 1}'), ("s/c.txt", "sub")):
        (tmp_path / name).write_text(text)
    root = str(tmp_path)

    def program(t):
        s = space(t)
        lister = s["it"].FileLister
        listed = [
            list(lister(root, **kw))
            for kw in (
                {},
                {"recursive": True},
                {"masks": "*.txt"},
                {"masks": ["c*"], "recursive": True},
            )
        ]
        read = list(lister(root, "*.txt", recursive=True).open_files("rb").read_from_stream(2))
        decoded = list(lister(root).open_files("b").routed_decode(s["decoder"].basichandlers))
        return listed, read, decoded, len(lister(root, length=5))

    agree(program)


def test_streams_close_with_the_last_child():
    """And say what they are."""

    def program(t):
        wrap = space(t)["common"].StreamWrapper
        parent = wrap(open(__file__), name="p")
        child = wrap(open(__file__), parent)
        parent.autoclose()
        before = parent.closed
        child.close()
        return before, parent.closed, repr(parent)[:16], parent.file_obj.closed

    agree(program)


def test_frames_write_down_what_is_done_to_them():
    """And do it to others."""

    def program(t):
        frames = importlib.import_module(f"{t.__name__}.utils.data.datapipes.dataframe.dataframes")
        frames.CaptureVariable.names_idx = 0
        frame = frames.CaptureDataFrame()
        total = frame["a"] + frame["b"] * 2 - frame["a"]
        frame["c"] = total
        got = frame.get("c")
        return got._ops_str(), got.apply_ops({"a": 1, "b": 3}), total.apply_ops({"a": 5, "b": 4})

    agree(program)


def test_deprecated_names_are_warned_about():
    """The older function for graphs, the seed of shuffles, the function for workers."""

    def program(t):
        s = space(t)
        pipe = s["W"](range(3)).shuffle()
        s["gs"].apply_shuffle_seed(pipe, t.Generator().manual_seed(0))
        importlib.import_module(f"{t.__name__}.utils.data.backward_compatibility").worker_init_fn(0)
        return len(s["graph"].traverse(pipe, only_datapipe=True))

    _, heard = same(program)
    assert len(heard) == 3


def test_short_forms_are_torchs():
    """All of them, with the classes they make."""
    for kind in ("IterDataPipe", "MapDataPipe"):
        got, want = (
            {k: v.args[0].__name__ for k, v in getattr(t.utils.data, kind).functions.items()}
            for t in (ours, torch)
        )
        assert got == want

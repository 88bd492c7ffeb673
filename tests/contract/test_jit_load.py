"""``torch.jit.load``: archives that torch wrote compute here what they compute there."""

from __future__ import annotations

import copy
import io
import itertools
import zipfile

import pytest
import torch
from torch import nn

from . import script_programs as programs
from .aging import told
from .both_frameworks import ours
from .helpers import differences

pytestmark = [
    pytest.mark.oracle,
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning"),
]


def archive(scripted):
    """The bytes of a scripted module or function."""
    data = io.BytesIO()
    torch.jit.save(scripted, data)
    return data.getvalue()


def loaded(data, t=ours, **options):
    return t.jit.load(io.BytesIO(data), **options)


def here(value):
    """The oracle's *value* as one of ours."""
    if isinstance(value, torch.Tensor):
        return ours.from_numpy(value.detach().numpy().copy())
    return [here(v) for v in value] if isinstance(value, list) else copy.deepcopy(value)


def flat(value):
    if isinstance(value, (list, tuple)):
        return [leaf for item in value for leaf in flat(item)]
    if isinstance(value, dict):
        return flat([*value, *value.values()])
    return [value]


def agrees(mine, theirs):
    """Values of both frameworks, whatever they lie in, are the same but for rounding."""
    assert not differences(flat(mine), flat(theirs), rtol=1e-4, atol=1e-5, strides=False)


# -- values ----------------------------------------------------------------------------------------

CALLS = [
    (programs.numbers, (2.5, -1.5, 7, -2)),
    (programs.numbers, (-2.5, 2.0, -7, 3)),
    (programs.numbers, (0.5, 3.0, 6, 4)),
    (programs.strings, ("xab ac", 1.0, 2, [1.0, 2.5, 1e-8, 1e20])),
    (programs.strings, ("a\n", 0.1, 7, [float("nan")])),
    (programs.containers, ([1, 2, 3], {"a": 1})),
    (programs.control, (torch.arange(6.0).reshape(2, 3), 9)),
]


@pytest.mark.parametrize("function, args", CALLS)
def test_functions_compute_the_same(function, args):
    data = archive(torch.jit.script(function))
    agrees(loaded(data)(*map(here, args)), loaded(data, torch)(*copy.deepcopy(args)))


def test_attributes_of_all_kinds_are_there_and_change():
    data = archive(torch.jit.script(programs.Kinds()))
    mine, theirs = loaded(data), loaded(data, torch)
    x = torch.arange(6.0).reshape(2, 3)
    kinds = type(mine.color)
    for name, of in itertools.product(kinds.__members__, (x,)):
        agrees(mine(here(of), kinds[name]), theirs(of, programs.Color[name]))
    agrees(mine(here(x)), theirs(x))
    agrees(mine.state(n=5), theirs.state(n=5))
    for name in "numbers tensors table nothing step angle both brief".split():
        agrees(getattr(mine, name), getattr(theirs, name))
    assert str(mine) == str(theirs) and mine.original_name == theirs.original_name
    for group in ("state_dict", "named_parameters", "named_buffers"):
        a, b = dict(getattr(mine, group)()), dict(getattr(theirs, group)())
        assert list(a) == list(b)
        agrees(list(a.values()), list(b.values()))
    assert mine.code == theirs.code and mine.norm.code == theirs.norm.code


def test_hooks_run_and_states_are_restored():
    """Also where a part is called by itself."""
    data = archive(torch.jit.script(programs.Hooked()))
    mine, theirs = loaded(data), loaded(data, torch)
    x = torch.arange(2.0)
    agrees(mine(here(x)), theirs(x))
    agrees(mine.inner(here(x)), theirs.inner(x))
    agrees([mine.inner.n, mine.inner.w], [theirs.inner.n, theirs.inner.w])


# -- layers ----------------------------------------------------------------------------------------

MADE = {
    "script": lambda layer, x: torch.jit.script(layer),
    "trace": lambda layer, x: torch.jit.trace(layer, x, check_trace=False),
    "frozen": lambda layer, x: torch.jit.freeze(torch.jit.script(layer)),
}


@pytest.mark.parametrize("made", MADE)
def test_layers_compute_the_same(made):
    """What is scripted, traced, or has its weights as constants in the source."""
    generator = torch.Generator().manual_seed(0)
    for layer, shape in [*programs.layers(nn), (programs.Net(), (2, 3, 4, 4))]:
        x = torch.rand(shape, generator=generator)
        data = archive(MADE[made](layer.eval(), x))
        mine, theirs = loaded(data), loaded(data, torch)
        agrees(mine(here(x)), theirs(x))
        assert str(mine) == str(theirs) and list(mine.state_dict()) == list(theirs.state_dict())


def test_recurrent_layers_choose_by_what_they_get():
    """Their ``forward`` stands twice in the source: for tensors, and for packed sequences."""

    class Reader(nn.Module):
        def __init__(self):
            super().__init__()
            self.rnn = nn.LSTM(3, 4, num_layers=2, bidirectional=True)
            self.gru = nn.GRU(8, 2)

        def forward(self, x):
            return self.gru(self.rnn(x)[0])

    x = torch.rand(5, 2, 3)
    data = archive(torch.jit.script(Reader().eval()))
    agrees(loaded(data)(here(x)), loaded(data, torch)(x))


def test_a_loaded_module_trains_moves_and_is_copied():
    data = archive(torch.jit.script(programs.Net()))
    x = torch.rand(2, 3, 4, 4)

    def program(t, x):
        net = loaded(data, t)
        net.tail.eval()  # dropout
        optimizer = t.optim.SGD(net.parameters(), 0.1)
        for _ in range(2):
            optimizer.zero_grad()
            net(x).square().sum().backward()
            optimizer.step()
        twin = copy.deepcopy(net).double()
        return [p.detach() for p in net.state_dict().values()], twin(x.double()).detach()

    agrees(program(ours, here(x)), program(torch, x))
    moved = loaded(data, map_location="npu").eval()
    assert {p.device.type for p in moved.parameters()} == {"npu"}
    agrees(moved(here(x).npu()).cpu(), loaded(data, torch).eval()(x))


# -- files and errors ------------------------------------------------------------------------------


def test_further_files_and_devices(tmp_path):
    path = tmp_path / "m.pt"
    torch.jit.save(torch.jit.script(nn.Linear(2, 1)), path, _extra_files={"a.txt": "hello"})

    def program(t):
        more = {"a.txt": "", "b": ""}
        module = t.jit.load(path, map_location="meta", _extra_files=more)
        return more, [str(p.device) for p in module.parameters()]

    assert told(program, ours) == told(program, torch)


@pytest.mark.parametrize("options", [{"weights_only": True}, {"weights_only": False}])
def test_load_hands_archives_of_scripts_on(tmp_path, options):
    path = tmp_path / "m.pt"
    torch.jit.save(torch.jit.script(nn.Linear(2, 1)), path)
    results = [told(lambda t: str(t.load(path, **options)), t) for t in (ours, torch)]
    assert results[0] == results[1]


WRONG = [
    lambda m, t: m(),
    lambda m, t: m("x"),
    lambda m, t: m(t.ones(2, 3), 1, 2, 3),
    lambda m, t: m(t.ones(2, 3), q=1),
    lambda m, t: m.state(2.5),
    lambda m, t: m.missing,
]


@pytest.mark.parametrize("call", WRONG)
def test_wrong_calls_are_refused_in_torchs_words(call):
    data = archive(torch.jit.script(programs.Kinds()))
    results = [told(lambda t: call(loaded(data, t), t), t) for t in (ours, torch)]
    assert results[0][0][0] != "value" and results[0] == results[1]


@pytest.mark.parametrize("shape", [(1,) * 6, (2, 2), ()])
def test_errors_say_where_in_the_source_they_came_up(shape):
    """As torch's but for the lines of the program that was scripted, which are not read."""
    data = archive(torch.jit.script(programs.Kinds()))
    color = {ours: lambda m: type(m.color).GREEN, torch: lambda m: programs.Color.GREEN}
    texts = []
    for t in (ours, torch):
        module = loaded(data, t)
        with pytest.raises((RuntimeError, t.jit.Error)) as caught:
            module(t.ones(shape), color[t](module))
        head, _, tail = str(caught.value).partition("\nTraceback of TorchScript, original")
        texts.append((type(caught.value).__name__, head.strip(), (tail or head).split("\n")[-2]))
    mine, theirs = texts
    assert mine[0] == theirs[0] and mine[2] == theirs[2] and mine[1].startswith(theirs[1])


@pytest.mark.parametrize("damage", [b"", b"nonsense", "cut", "no archive of a script"])
def test_what_is_no_archive_is_refused(damage):
    data = archive(torch.jit.script(nn.Linear(2, 1)))
    if damage == "cut":
        damage = data[:300]
    elif isinstance(damage, str):
        other = io.BytesIO()
        torch.save({"a": torch.ones(1)}, other)
        damage = other.getvalue()
    with pytest.raises(RuntimeError, match="PytorchStreamReader failed"):
        loaded(damage)


HOSTILE = [
    "x.__class__",
    "getattr(x, '__class__')",
    "getattr(self, 'forward').__globals__",
    "x.numpy()",
    "self._writer.write(x, self, 'f', x)",
    "self.__dict__",
    "self.state_dict()",
    "self.register_buffer('a', x)",
    "setattr(self, '_writer', x)",
    "__builtins__",
    "open('f')",
    "(lambda: 1)()",
    "[y for y in (1,)]",
    "ops.load_library('x')",
    "ops._dir._cache",
    "torch.__class__",
    "torch.__setattr__('add', x)",
    "torch._operator",
    "__torch__._importer._names['ops']",
    "'{0.__class__}'.format(x)",
    "torch.format.__globals__",
    "f'{x}'",
]


@pytest.mark.parametrize("expression", HOSTILE)
def test_source_reaches_nothing_of_pythons(expression):
    """Source is text that somebody wrote: what no script has is refused before or when it runs."""
    data = replaced(archive(torch.jit.script(nn.ReLU())), "torch.relu(input)", expression)
    with pytest.raises((RuntimeError, AttributeError)):
        loaded(data)(ours.ones(1))


def replaced(data, old, new):
    """An archive in whose source *old* is *new*."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as given, zipfile.ZipFile(made, "w") as written:
        for name in given.namelist():
            content = given.read(name)
            if name.endswith("activation.py"):
                text = content.decode()
                content = (text[: text.index("    _0 =")] + f"    return {new}\n").encode()
            written.writestr(name, content)
    return made.getvalue()


@pytest.mark.parametrize("name", ["os system", "builtins eval", "torch.jit._pickle __import__"])
def test_pickles_name_only_what_tensors_are_made_with(name):
    module, _, function = name.partition(" ")
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as written:
        written.writestr("m/version", "3")
        written.writestr("m/constants.pkl", b"\x80\x02).")
        written.writestr("m/data.pkl", f"c{module}\n{function}\n.".encode())
    with pytest.raises(Exception, match="may not name"):
        loaded(data.getvalue())


def test_objects_of_cpp_are_refused():
    """The packed weights of a quantized layer."""
    layer = torch.ao.quantization.quantize_dynamic(nn.Sequential(nn.Linear(2, 2)), {nn.Linear})
    with pytest.raises(NotImplementedError, match="LinearPackedParamsBase of torch's library"):
        loaded(archive(torch.jit.script(layer)))


def test_numbers_stand_for_dtypes_layouts_and_formats():
    """As C++'s enums: operators take them, and source has nothing else."""

    def program(t):
        x = t.ones(2, 3, 2, 2)
        made = t.ops.aten.zeros([2], dtype=4, layout=0)
        return (
            made,
            t.ops.aten.clone(x, memory_format=2).stride(),
            t.ops.aten.to(x, 7).dtype.itemsize,
        )

    assert told(program, ours) == told(program, torch)
    for bad in ({"dtype": 99}, {"layout": 50}):
        results = [told(lambda t: t.ops.aten.zeros([2], **bad), t) for t in (ours, torch)]
        assert results[0] == results[1]

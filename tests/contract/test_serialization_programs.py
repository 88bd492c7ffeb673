"""Small programs around ``save``, ``load`` and ``pickle``: the same values, errors and warnings."""

from __future__ import annotations

import copy
import functools
import importlib
import io
import mmap
import pickle
import types
import zipfile
from collections import Counter, OrderedDict
from pathlib import Path
from typing import Any

import pytest
import torch

from .checkpoints import saved
from .serialization_programs import Programs, attempts, back, check, collector

PROGRAMS: Programs = {}
program = collector(PROGRAMS)


class Stream:
    """A file of the fewest methods, with some left out."""

    def __init__(self, file: Any, *without: str) -> None:
        for name in {"read", "readline", "readinto", "seek", "tell"} - set(without):
            setattr(self, name, getattr(file, name))


# objects -----------------------------------------------------------------------------------------


def _network(t: Any) -> Any:
    t.manual_seed(0)
    net = t.nn.Sequential(t.nn.Linear(2, 3), t.nn.ReLU(), t.nn.BatchNorm1d(3))
    optimizer = t.optim.Adam(net.parameters())
    net(t.ones(4, 2)).sum().backward()
    optimizer.step()
    return net, optimizer


@program
def modules(t: Any) -> Any:
    net, optimizer = _network(t)
    return attempts(
        lambda: back(t, net),
        lambda: str(back(t, net, weights_only=False)),
        lambda: dict(back(t, net.state_dict())),
        lambda: back(t, optimizer.state_dict()),
        lambda: str(back(t, optimizer, weights_only=False)),
    )


@program
def generators(t: Any) -> Any:
    g = t.Generator().manual_seed(3)
    t.rand(5, generator=g)
    copies = [pickle.loads(pickle.dumps(g)), copy.deepcopy(g), back(t, g, weights_only=False)]
    return [*attempts(lambda: back(t, g)), *(t.randn(3, generator=c) for c in [g, *copies])]


@program
def states_of_generators(t: Any) -> Any:
    t.manual_seed(4)
    t.randn(3)
    return back(t, t.get_rng_state())


_CLASSES = (
    "Size device dtype Generator layout memory_format UntypedStorage TypedStorage iinfo finfo"
)


@program
def classes(t: Any) -> Any:
    listed = [getattr(t, name) for name in (*_CLASSES.split(), "iinfo", "FloatTensor")]
    listed += [t.nn.Parameter, t.nn.Buffer, t.nn.Linear, t.optim.SGD]
    return [
        [pickle.loads(pickle.dumps(kind)) is kind for kind in listed],
        [back(t, kind, weights_only=False) is kind for kind in [*listed, t.Tensor]],
    ]


@program
def functions(t: Any) -> Any:
    f = t.nn.functional
    listed = [t.add, t.relu, f.relu, f.linear, f.gelu, t.save, t.zeros, t.is_tensor, t.no_grad]
    return [
        [pickle.loads(pickle.dumps(x, p)) is x for x in listed for p in (2, 4)],
        [back(t, x, weights_only=False) is x for x in listed],
        back(t, functools.partial(t.sum, dim=1), weights_only=False)(t.ones(2, 3)),
        pickle.loads(pickle.dumps(t.Tensor.backward, 4)) is t.Tensor.backward,
    ]


@program
def plain_values(t: Any) -> Any:
    safe = [t.float32, t.device("cuda:1"), t.Size([1, 2]), {1, 2}, bytearray(b"ab"), 1j]
    safe += [Counter("aab"), OrderedDict(a=1), {(1, 2): 3, 1.5: None}]
    unsafe = [frozenset([1]), range(3), types.SimpleNamespace(a=1)]
    return [repr(back(t, safe)), *attempts(*(lambda x=x: back(t, x) for x in unsafe))]


@program
def values_that_hold_themselves(t: Any) -> Any:
    many: list[Any] = [1]
    many.append(many)
    named: dict[str, Any] = {}
    named["x"] = named
    a, b = back(t, many), back(t, named, weights_only=False)
    return [a[1] is a, b["x"] is b]


@program
def bits_of_conjugation(t: Any) -> Any:
    x = t.tensor([1 + 2j])
    return [
        [y, y.is_conj(), y.is_neg()]
        for legacy in (True, False)
        for y in t.load(saved(t, [x.conj(), x.conj().imag], _use_new_zipfile_serialization=legacy))
    ]


@program
def hooks_stay_behind(t: Any) -> Any:
    x = t.ones(2, requires_grad=True)
    x.register_hook(print)
    return [back(t, x), pickle.loads(pickle.dumps(x))]


@program
def marked_hooks_stay_behind(t: Any) -> Any:
    hooks = importlib.import_module(f"{t.__name__}.utils.hooks")
    x = t.ones(2, requires_grad=True)
    x.register_hook(hooks.unserializable_hook(lambda grad: grad))
    return back(t, x)


def wrapper_of(t: Any) -> Any:
    """A class that keeps its data in an attribute."""
    pytree = importlib.import_module(f"{t.__name__}.utils._pytree")

    class Wrapper(t.Tensor):
        @staticmethod
        def __new__(cls, data: Any) -> Any:
            return t.Tensor._make_wrapper_subclass(
                cls, data.size(), dtype=data.dtype, strides=data.stride(), device=data.device
            )

        def __init__(self, data: Any) -> None:
            self.data_ = data

        @classmethod
        def __torch_dispatch__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None):
            def inner(x: Any) -> Any:
                return x.data_ if isinstance(x, cls) else x

            result = func(*pytree.tree_map(inner, args), **pytree.tree_map(inner, kwargs or {}))
            return pytree.tree_map(lambda x: cls(x) if isinstance(x, t.Tensor) else x, result)

    Wrapper.__qualname__ = f"wrapper_of_{t.__name__}"
    globals()[Wrapper.__qualname__] = Wrapper
    return Wrapper


@program
def tensors_without_memory(t: Any) -> Any:
    kind = wrapper_of(t)
    x = kind(t.arange(4.0).view(2, 2).t())
    x.note = 3
    with t.serialization.safe_globals([kind]):
        made = [back(t, x), back(t, x, weights_only=False), back(t, x, map_location="meta")]
    made += [copy.deepcopy(x), pickle.loads(pickle.dumps(x))]
    return [[y.data_, y.stride(), y.note, str(y.device), type(y) is kind] for y in made]


# files -------------------------------------------------------------------------------------------


@program
def names_in_archives(t: Any, folder: Path) -> Any:
    found = []
    for name in ("a.pt", "b", "c.tar.gz", ".hidden", "d e.pt", "ü.pt"):
        path = folder / name
        found += attempts(
            lambda p=path: (t.save(t.ones(2), p), zipfile.ZipFile(p).namelist(), t.load(str(p)))
        )
    return found


@program
def mapped_files(t: Any, folder: Path) -> Any:
    path = str(folder / "m.pt")
    x = t.arange(6.0)
    t.save([x, x[2:], x.view(2, 3).t()], path)
    private = t.load(path, mmap=True)
    private[0][2] = 9.0
    private = [y.clone() for y in private]
    options = t.serialization.get_default_mmap_options()
    with t.serialization.set_default_mmap_options(mmap.MAP_SHARED):
        t.load(Path(path), mmap=True)[0].fill_(5)
    again = t.load(path)
    t.save(t.ones(2), path, _use_new_zipfile_serialization=False)
    refused = attempts(
        lambda: t.load(path, mmap=True),
        lambda: t.load(saved(t, 1), mmap=True),
        lambda: t.serialization.set_default_mmap_options(77),
    )
    text = [line.replace(path, "PATH") if isinstance(line, str) else line for line in refused]
    return [private, again, options == mmap.MAP_PRIVATE, text]


@program
def byte_orders(t: Any) -> Any:
    s = t.serialization
    order = s.LoadEndianness
    found = [s.get_default_load_endianness(), [(e.name, e.value) for e in order]]
    found += attempts(lambda: s.set_default_load_endianness("big"))
    without = saved(t, t.ones(2), _disable_byteorder_record=True).getvalue()
    pickled = zipfile.ZipFile(io.BytesIO(without)).read("archive/data.pkl")
    bare = io.BytesIO()
    with zipfile.ZipFile(bare, "w") as z:
        for name, data in {
            "data.pkl": pickled,
            "version": "3\n",
            "data/0": b"\0\0\x80?" * 2,
        }.items():
            z.writestr(f"archive/{name}", data)
    for chosen in (order.BIG, order.LITTLE, order.NATIVE, None):
        s.set_default_load_endianness(chosen)
        found += [t.load(io.BytesIO(data)) for data in (without, bare.getvalue())]
    return found


@program
def checksums(t: Any) -> Any:
    s = t.serialization
    before = s.get_crc32_options()
    s.set_crc32_options(False)
    try:
        archive = zipfile.ZipFile(file := saved(t, t.ones(2)))
        sums = [archive.getinfo(f"archive/{name}").CRC for name in ("data/0", "data.pkl")]
        file.seek(0)
        return [before, s.get_crc32_options(), sums, t.load(file)]
    finally:
        s.set_crc32_options(True)


@program
def switches(t: Any, folder: Path) -> Any:
    config = importlib.import_module(f"{t.__name__}.utils.serialization").config
    path = folder / "s.pt"
    with config.patch({"save.storage_alignment": 4096, "load.mmap": True}):
        t.save(t.ones(2), path)
        archive = zipfile.ZipFile(path)
        aligned = archive.getinfo("s/data/0").header_offset, archive.read("s/.storage_alignment")
        read = t.load(path)
    return [
        *(config.save.storage_alignment, config.save.use_pinned_memory_for_d2h, config.load.mmap),
        *(config.load.endianness, config.load.mmap_flags, config.save.compute_crc32),
        *(aligned, read, config.get_config_copy()),
        *attempts(
            lambda: config.foo,
            lambda: setattr(config, "foo", 3),
            lambda: config.save.bar,
            lambda: setattr(config.load, "bar", 3),
            lambda: config.to_dict(),
        ),
    ]


@program
def records_one_by_one(t: Any) -> Any:
    s, file = t.serialization, io.BytesIO()
    with s._open_zipfile_writer(file) as writer:
        writer.write_record("foo", b"abcd", 3)
        writer.write_record("text", "ü", 2)
        writer.write_record_metadata("room", 5)
        kept = sorted(writer.get_all_written_records()), writer.archive_name()
        again = attempts(lambda: writer.write_record("foo", b"", 0))[0].partition("Tried")[2]
    file.seek(0)
    with s._open_zipfile_reader(file) as reader:
        return [
            *(kept, again, reader.get_record("foo"), reader.get_record("text")),
            *(reader.get_record("room"), sorted(reader.get_all_records())),
            *(reader.has_record("bar"), reader.get_record_size("foo")),
            *(reader.get_record_offset("text"), reader.get_record_header_offset("text")),
            *attempts(lambda: reader.get_record("bar")),
        ]


def _reads(legacy: bool, without: str) -> None:
    def reading(t: Any) -> Any:
        file = saved(t, t.ones(3), _use_new_zipfile_serialization=not legacy)
        return t.load(Stream(file, *without.split()))

    reading.__name__ = f"{'old' if legacy else 'new'}_format_without_{without or 'nothing'}"
    program(reading)


for _without in ("", "read", "readline", "seek", "tell", "readinto", "seek tell"):
    _reads(True, _without)
    _reads(False, _without)


@program
def objects_one_after_the_other(t: Any, folder: Path) -> Any:
    path = folder / "o"
    with open(path, "wb") as f:
        pickle.dump([1], f)
        for obj in (t.ones(2), t.zeros(3)):
            t.save(obj, f, _use_new_zipfile_serialization=False)
    with open(path, "rb") as f:
        return [pickle.load(f), t.load(f), t.load(f, weights_only=False), f.read()]


class _Broken:
    def write(self, data: Any) -> int:
        raise ValueError("the disk is full")

    def flush(self) -> None:
        pass


@program
def files_that_fail(t: Any, folder: Path) -> Any:
    closed = open(folder / "x", "wb")
    closed.close()
    with open(folder / "t.txt", "w") as text, open(folder / "x", "rb") as unwritable:
        return attempts(
            lambda: t.save(t.ones(3), _Broken()),
            lambda: t.save(t.ones(3), _Broken(), _use_new_zipfile_serialization=False),
            lambda: t.save(t.ones(2), text),
            lambda: t.save(t.ones(2), unwritable),
            lambda: t.save(1, closed),
            lambda: t.load(closed),
        )


@program
def safetensors_files(t: Any, folder: Path) -> Any:
    safetensors = pytest.importorskip("safetensors.torch")
    path, bad = str(folder / "x.safetensors"), folder / "bad.safetensors"
    x = torch.arange(4)
    made = {str(d): x.to(getattr(torch, d)) for d in "float32 bfloat16 bool int8 uint16".split()}
    safetensors.save_file(made | {"0-d": torch.tensor(3), "empty": torch.empty(0, 2)}, path)
    bad.write_bytes(b"no such file")
    return attempts(
        lambda: t.load(path),
        lambda: t.load(Path(path), map_location=t.device("cpu"), weights_only=False),
        lambda: t.load(path, map_location=lambda storage, tag: storage),
        lambda: t.load(path, map_location={"cpu": "cpu"}),
        lambda: t.load(bad),
        lambda: t.load("none.safetensors"),
    )


@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_a_program_does_what_it_does_with_torch(name: str, tmp_path: Path) -> None:
    """Value or error, and the warnings on the way."""
    check(PROGRAMS[name], tmp_path)

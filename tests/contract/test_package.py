"""torch.package: archives of code and objects, written and read by either framework."""

import io
import sys
import warnings
import zipfile
from importlib import import_module

import pytest

from tests.contract.both_frameworks import BOTH, agree, ours, refuse, same, torch

SOURCES = {
    "packaged_zoo/__init__.py": "from . import animals\n",
    "packaged_zoo/animals.py": """
import math
import json
from .parts import deep
from packaged_zoo.parts.deep import Leg
import numpy as np

def grown(x):
    return x + 1

class Animal:
    def __init__(self, tensor):
        self.leg, self.tensor = Leg(3), tensor
""",
    "packaged_zoo/parts/__init__.py": "",
    "packaged_zoo/parts/deep.py": """
class Leg:
    def __init__(self, length):
        self.length = length
""",
}
READS = """
import torch
from torch.nn import functional as F

def doubled(x):
    return F.relu(torch.add(x, x))
"""


@pytest.fixture(autouse=True, scope="module")
def zoo(tmp_path_factory):
    """A package of the process, to be put into archives."""
    root = tmp_path_factory.mktemp("zoo")
    for name, text in SOURCES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    sys.path.insert(0, str(root))
    yield root
    sys.path.remove(str(root))
    for name in [n for n in sys.modules if n.startswith("packaged_zoo")]:
        del sys.modules[name]


def animal(t):
    from packaged_zoo.animals import Animal

    t.manual_seed(1)
    shared = t.arange(6.0)
    return Animal([shared.view(2, 3), shared[1:3], t.ones(2, dtype=t.bfloat16), t.nn.Linear(2, 1)])


def usual(exporter):
    exporter.intern("packaged_zoo.**")
    exporter.extern(["numpy", "numpy.**"])


def packed(t, fill, **options):
    """What *fill* puts into an archive."""
    buffer = io.BytesIO()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "TypedStorage is deprecated")  # torch uses it itself
        with t.package.PackageExporter(buffer, **options) as exporter:
            fill(exporter)
    buffer.seek(0)
    return buffer


def records(t, fill, **options):
    """The records of such an archive in their order, but for what stands for all of them."""
    with zipfile.ZipFile(packed(t, fill, **options)) as archive:
        names = archive.namelist()
        return [
            (n, None if n.endswith((".pkl", "_id", "_mock.py")) else archive.read(n)) for n in names
        ]


def filled(t):
    def fill(exporter):
        usual(exporter)
        exporter.save_pickle("model", "model.pkl", animal(t))
        exporter.save_pickle("model", "more.pkl", {"plain": [1, None], "tensor": t.eye(2)})
        exporter.save_text("texts", "a.txt", "héllo")
        exporter.save_binary("texts", "b.bin", b"\0\1")
        exporter.save_source_string("made.reader", READS)

    return fill


def test_archives_have_the_oracles_records():
    agree(lambda t: records(t, filled(t)))


@pytest.mark.parametrize("writer", BOTH, ids=["ours writes", "torch writes"])
@pytest.mark.parametrize("reader", BOTH, ids=["ours reads", "torch reads"])
def test_either_reads_what_either_writes(writer, reader):
    importer = reader.package.PackageImporter(packed(writer, filled(writer)))
    found = importer.load_pickle("model", "model.pkl")
    whole, part, half, layer = found.tensor
    assert all(type(x) is reader.Tensor for x in (whole, part, half))
    assert whole.tolist() == [[0, 1, 2], [3, 4, 5]] and half.dtype is reader.bfloat16
    part[0] = 7  # the storage is shared
    assert whole[0, 1].item() == 7
    assert isinstance(layer, reader.nn.Linear)
    assert importer.load_pickle("model", "more.pkl")["tensor"].tolist() == [[1, 0], [0, 1]]
    assert importer.load_text("texts", "a.txt") == "héllo"
    assert importer.load_binary("texts", "b.bin") == b"\0\1"
    doubled = importer.import_module("made.reader").doubled
    assert doubled(reader.tensor([1.0, -1.0])).tolist() == [2, 0]
    kind = type(found)
    assert kind.__module__ == f"{importer.id()}.packaged_zoo.animals"
    assert kind is importer.import_module("packaged_zoo.animals").Animal
    assert kind is not sys.modules["packaged_zoo.animals"].Animal
    assert reader.package.is_from_package(found) and not reader.package.is_from_package(kind)


def test_paths_are_archives_too(tmp_path):
    for t in BOTH:
        path = tmp_path / f"{t.__name__}.pt"
        with t.package.PackageExporter(path) as exporter:
            exporter.save_text("a", "b", "c")
        for reader in BOTH:
            assert reader.package.PackageImporter(path).load_text("a", "b") == "c"
            assert reader.package.PackageImporter(str(path)).load_text("a", "b") == "c"


def _asked(t, fill):
    exporter = t.package.PackageExporter(io.BytesIO())
    fill(exporter)
    return [
        exporter.dependency_graph_string(),
        *(exporter.interned_modules(), exporter.externed_modules()),
        *(exporter.mocked_modules(), exporter.denied_modules()),
        [exporter.get_rdeps(name) for name in ("packaged_zoo.animals", "math", "nothing")],
        [exporter.get_unique_id(), exporter.get_unique_id()],
    ]


PLANS = {
    "all": lambda e: (usual(e), e.save_module("packaged_zoo")),
    "mocked": lambda e: (e.mock("numpy"), usual(e), e.save_module("packaged_zoo")),
    "apart": lambda e: (
        e.intern("packaged_zoo.**", exclude="packaged_zoo.parts.**"),
        e.mock(["packaged_zoo.parts.**", "numpy"]),
        e.save_module("packaged_zoo"),
    ),
    "alone": lambda e: (usual(e), e.save_module("packaged_zoo", dependencies=False)),
    "source": lambda e: e.save_source_string(
        "x", "import os.path\nfrom json import decoder, loads"
    ),
    "nothing there": lambda e: e.save_source_string("x", "import nowhere.at\nfrom . import y"),
    "a package": lambda e: e.save_source_string(
        "x", "from collections import abc", is_package=True
    ),
}


@pytest.mark.parametrize("plan", PLANS)
def test_plans(plan):
    agree(lambda t: _asked(t, PLANS[plan]))
    agree(lambda t: records(t, PLANS[plan]))


WRONG = {
    "no rule": lambda e, t: e.save_pickle("m", "p", animal(t)),
    "mocked and used": lambda e, t: (
        e.mock("packaged_zoo.parts.**"),
        usual(e),
        e.save_pickle("m", "p", animal(t)),
    ),
    "denied": lambda e, t: (e.deny("numpy"), usual(e), e.save_module("packaged_zoo")),
    "matches nothing": lambda e, t: (
        usual(e),
        e.intern("zzz", allow_empty=False),
        e.save_module("packaged_zoo"),
    ),
    "written in C": lambda e, t: e.save_module("math"),
    "not there": lambda e, t: e.save_module("nowhere.at.all"),
    "a module itself": lambda e, t: e.save_module(sys),
    "no Python": lambda e, t: e.save_source_string("a", "import"),
    "powerful": lambda e, t: e.save_source_string("a", "import sys, io, os"),
    "twice": lambda e, t: (e.save_text("r", "t", "x"), e.save_text("r", "t", "y")),
    "half a segment": lambda e, t: e.intern("a**"),
    "no file": lambda e, t: e.save_source_file("a", "nowhere.py"),
    "protocol": lambda e, t: e.save_pickle("m", "p", 1, pickle_protocol=2),
}


@pytest.mark.parametrize("debug", [False, True])
@pytest.mark.parametrize("wrong", WRONG)
def test_what_cannot_be_packaged(wrong, debug):
    refuse(lambda t: packed(t, lambda e: WRONG[wrong](e, t), debug=debug))


def test_what_has_no_name():
    for t in BOTH:
        with pytest.raises(Exception, match="^Can't pickle <function .*: it's not found as ") as e:
            packed(t, lambda e: e.save_pickle("m", "p", lambda: 1))
        assert type(e.value).__name__ == "PicklingError"


def test_a_mocked_module_can_be_imported_and_not_used():
    def tried(t):
        importer = t.package.PackageImporter(packed(t, PLANS["mocked"]))
        module = importer.import_module("packaged_zoo.animals").np
        said = [repr(module.ones).replace(importer.id(), "")]
        for use in (lambda: module.ones(2), lambda: module.ones.x, lambda: len(module.pi)):
            with pytest.raises(NotImplementedError) as error:
                use()
            said.append(str(error.value).replace(importer.id(), ""))
        return said

    agree(tried)


def test_hooks_hear_of_modules():
    def heard(t):
        names = []

        def fill(exporter):
            for kind in ("intern", "extern", "mock"):
                register = getattr(exporter, f"register_{kind}_hook")
                register(lambda e, name, kind=kind: names.append((kind, name)))
                register(lambda e, name: names.append("never")).remove()
            PLANS["apart"](exporter)

        packed(t, fill)
        return names

    agree(heard)


def test_objects_that_say_how_they_are_packaged():
    for t in BOTH:
        buffer = packed(t, lambda e: (e.extern(__name__), e.save_pickle("m", "p", [one, one])))
        for reader in BOTH:
            first, second = reader.package.PackageImporter(buffer).load_pickle("m", "p")
            assert first is second
            assert first == ["PackageImporter", 5]
            buffer.seek(0)


class Saying:
    def __reduce_package__(self, exporter):
        return said, (5,)


one = Saying()


def said(importer, number):
    return [type(importer).__name__, number]


def test_what_was_packaged_is_packaged_again():
    def again(t):
        importer = t.package.PackageImporter(packed(t, filled(t)))
        found = importer.load_pickle("model", "model.pkl")

        def fill(exporter):
            usual(exporter)
            exporter.save_pickle("m", "p", found)

        copies = [
            t.package.PackageImporter(packed(t, fill, importer=how)).load_pickle("m", "p")
            for how in (
                importer,
                [importer, t.package.sys_importer],
                t.package.OrderedImporter(importer, t.package.sys_importer),
            )
        ]
        return [c.leg.length for c in copies], [c.tensor[0] for c in copies]

    agree(again)


def test_importers_of_other_types():
    refuse(lambda t: t.package.PackageExporter(io.BytesIO(), importer=5))


def test_importing():
    def program(t):
        importer = t.package.PackageImporter(packed(t, filled(t)))
        said = []
        for name in ("nowhere", "packaged_zoo.nowhere"):
            with pytest.raises(ImportError) as error:
                importer.import_module(name)
            said.append(str(error.value).partition("[")[0])
        module = importer.import_module("packaged_zoo.animals")
        parent = importer.import_module("packaged_zoo.parts.deep")
        said += [
            module.grown(1),
            module.deep is parent,
            module.__torch_package__,
            module.json.__name__,
        ]
        said += [module.__name__, module.__package__, module.__file__]
        said += [importer.get_source("packaged_zoo.parts.deep"), importer.python_version()]
        said += [sorted(importer.get_resource_reader("texts").contents())]
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "TypedStorage is deprecated")
            importer.load_pickle("model", "model.pkl")
        return [x.replace(importer.id(), "") if isinstance(x, str) else x for x in said]

    agree(program)


def test_modules_of_the_process_may_be_disallowed():
    for t in BOTH:
        with pytest.raises(ImportError, match="needs the external module 'math' but that module"):
            t.package.PackageImporter(packed(t, PLANS["all"]), lambda name: False)


@pytest.mark.parametrize(
    "which", [{}, {"include": "**/*.py"}, {"exclude": ["**/*.py", ".data/**"]}], ids=str
)
def test_the_files_as_a_tree(which):
    def tree(t):
        found = t.package.PackageImporter(packed(t, filled(t))).file_structure(**which)
        return str(found), found.has_file("packaged_zoo/animals.py"), found.has_file("nowhere")

    agree(tree)


NAMES = "torch torch.nn torchvision a a.b a.b.c a.x.y.c a.xb aXb".split()


@pytest.mark.parametrize(
    "include", ["torch.**", "a.*", "a.*b", "**", "a.**.c", "tor*", "*", "a.b", ["a", "a.b.*"], []]
)
def test_groups_of_names(include):
    agree(lambda t: [t.package.GlobGroup(include).matches(n) for n in NAMES])
    agree(lambda t: [t.package.GlobGroup("**", exclude=include).matches(n) for n in NAMES])
    same(lambda t: str(t.package.GlobGroup(include, exclude="a", separator="/")))


SCRIPTS = [
    "import a.b\nfrom c import d, e as f\nfrom . import g\nfrom ..h import i",
    "__import__('q')\nif 1:\n    import z as y\ntry:\n    import w\nexcept E:\n    from v import *",
    "def f():\n    from ...u import t\n    return __import__(name)",
    "",
]


@pytest.mark.parametrize("package", ["p.q.r", "p"])
@pytest.mark.parametrize("script", SCRIPTS)
def test_what_a_source_imports(script, package):
    def found(t):
        from importlib import import_module

        home = import_module(f"{t.__name__}.package.find_file_dependencies")
        return home.find_files_source_depends_on(script, package)

    same(found)


def test_where_packages_break():
    def found(t):
        analyze = import_module(f"{t.__name__}.package.analyze")
        with pytest.raises(t.package.PackagingError) as error:
            packed(t, lambda e: (e.intern("packaged_zoo.**"), e.save_module("packaged_zoo")))
        traced = analyze.trace_dependencies(sys.modules["packaged_zoo.animals"].grown, [(1,)])
        broken = analyze.find_first_use_of_broken_modules(error.value)
        return broken, "packaged_zoo.animals" in traced

    agree(found)


def test_files_that_are_no_archives():
    refuse(lambda t: t.package.PackageImporter("nowhere.pt"))
    refuse(lambda t: t.package.PackageImporter(io.BytesIO(b"xx")))


def test_the_names_of_a_packages_modules():
    def named(t):
        names = import_module(f"{t.__name__}.package._mangling")
        one, other = names.PackageMangler(), names.PackageMangler()
        there = one.mangle("foo.bar")
        with pytest.raises(AssertionError) as error:
            one.mangle("")
        return (
            there != other.mangle("foo.bar"),
            there == f"{one.parent_name()}.foo.bar" == f"{names.get_mangle_prefix(there)}.foo.bar",
            names.is_mangled(there),
            [of(there) for of in (names.demangle, one.demangle)],
            other.demangle(there) == there,
            [names.demangle(one.parent_name()), one.demangle("x"), names.get_mangle_prefix("x.y")],
            str(error.value),
        )

    agree(named)


@pytest.mark.parametrize("protocol", [2, 3, 4])
def test_pickles_that_ask_an_importer(protocol):
    def written(t):
        pickles = import_module(f"{t.__name__}.package._package_pickler")
        reads = import_module(f"{t.__name__}.package._package_unpickler")
        package = t.package
        archive = packed(t, lambda e: e.save_source_string("zoo.own", "class Own:\n    x = 3\n"))
        loaded = package.PackageImporter(archive)
        importer = package.OrderedImporter(loaded, package.sys_importer)
        into = io.BytesIO()
        pickles.create_pickler(into, importer, protocol).dump(
            [loaded.import_module("zoo.own").Own(), len]
        )
        into.seek(0)
        own, function = reads.PackageUnpickler(importer, into).load()
        plain = io.BytesIO()
        pickles.create_pickler(plain, package.sys_importer, protocol).dump({"a": 1})
        return own.x, function is len, into.getvalue(), plain.getvalue()

    agree(written)


def test_what_stands_for_modules_that_were_left_out():
    def refused(t):
        made = import_module(f"{t.__name__}.package._mock").MockedObject("gone", _suppress_err=True)
        texts = [repr(made)]
        for use in (lambda m: m.x, lambda m: m(), lambda m: m + 1, len, lambda m: m == 1, iter):
            with pytest.raises(NotImplementedError) as error:
                use(made)
            texts.append(str(error.value))
        return texts

    agree(refused)


def test_an_archive_that_was_unpacked(tmp_path):
    def read(t):
        folder = tmp_path / t.__name__
        folder.mkdir()
        (folder / "a").write_bytes(b"x")
        reader = import_module(f"{t.__name__}.package._directory_reader").DirectoryReader(
            str(folder)
        )
        with pytest.raises(FileNotFoundError):
            reader.get_record("b")
        return (
            reader.get_record("a"),
            [reader.has_record(name) for name in "ab"],
            reader.get_all_records(),
            reader.serialization_id(),
        )

    agree(read)


def test_modules_of_python():
    for name in ("os.path", "numpy", "torch", "json", "_thread"):
        agree(
            lambda t, name=name: import_module(f"{t.__name__}.package._stdlib").is_stdlib_module(
                name
            )
        )


def test_waits_are_counted():
    def waited(t):
        with t.monitor._WaitCounter("a").guard() as tracker:
            return tracker

    agree(waited)


def test_both_frameworks_are_compared():
    assert ours is not torch

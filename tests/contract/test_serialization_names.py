"""``torch.serialization``'s private names, rare dtypes in files, and sources in the old format."""

from __future__ import annotations

import copy
import importlib.util
import io
import linecache
import os
import pickle
import sys
from pathlib import Path
from typing import Any

import mindtorch
import pytest
import torch

from .both_frameworks import outcome
from .checkpoints import saved
from .serialization_programs import attempts

_MODULES = """
import LIBRARY as torch

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = torch.nn.Linear(2, 3)

    def forward(self, x):
        return self.inner(x)

class Outer:
    class Net(torch.nn.Module):
        def forward(self, x): return x
"""


def _facts(x: Any) -> Any:
    return type(x).__name__, str(x.device), x.nbytes()


def _files(t: Any) -> Any:
    s = t.serialization
    here = io.BytesIO(b"abc")
    found = attempts(
        *(lambda f=f: s._is_path(f) for f in ("a", Path("a"), b"a", here)),
        *(lambda f=f: s._should_read_directly(f) for f in (here, object())),
        *(lambda f=f: s._check_seekable(f) for f in (here, object())),
        *(lambda f=f: s._check_save_filelike(f) for f in ("a", here, object())),
        *(lambda m=m: s._open_file_like(here, m).__enter__() is here for m in ("rb", "wb", "z")),
        lambda: s._open_zipfile_writer_buffer(object()),
        lambda: s._open_zipfile_writer("no/such/file"),
        lambda: s._get_storage_alignment(),
        lambda: [s._default_to_weights_only(m) for m in (None, pickle)],
        lambda: [s._is_meta_location(m) for m in ("meta", t.device("meta"), "cpu", {})],
    )
    with s._open_file_like(__file__, "rb") as f:
        found.append(f.read(3))
    with s.mkdtemp() as folder:
        found.append(os.path.isdir(folder))
    return [*found, os.path.isdir(folder)]


def _formats(t: Any) -> Any:
    s, x = t.serialization, {"a": t.ones(3)}
    file = io.BytesIO()
    with s._open_zipfile_writer(file) as z:
        s._save(x, z, pickle, 2, True)
    file.seek(0)
    with s._open_zipfile_reader(file) as z:
        found = [
            s._is_torchscript_zip(z),
            s._load(z, None, pickle),
            s._load(z, None, t._weights_only_unpickler, encoding="utf-8"),
            s._load(z, "meta", pickle)["a"].device.type,
            [z.get_record_offset_no_read(i, "data/0", n, 64) for i in (0, 7) for n in (0, 1 << 33)],
        ]
    old = io.BytesIO()
    s._legacy_save(x, old, pickle, 2)
    for module in (pickle, t._weights_only_unpickler):
        old.seek(0)
        found.append(s._legacy_load(old, None, module, encoding="utf-8"))
    return found


def _devices(t: Any) -> Any:
    s, tags = t.serialization, ("cpu", "meta", "cuda:0")
    found: list[Any] = []
    for x in (t.ones(2).untyped_storage(), t.empty(2, device="meta").untyped_storage()):
        found += attempts(lambda: s._cpu_tag(x), lambda: s._meta_tag(x))
        for tag in tags:
            for place in (
                s._cpu_deserialize,
                s._meta_deserialize,
                lambda x, tag: s._deserialize("cuda", x, tag),
            ):
                made = attempts(lambda: place(x, tag))[0]
                found.append(made if isinstance(made, str | None) else _facts(made))
    asked = (("cuda:0", "cuda"), ("foo", "foo"), ("cpu", "cuda"), ("xpu:1", "xpu"))
    return found + attempts(
        *(lambda a=a: s._validate_device(*a) for a in asked),
        lambda: s.validate_cuda_device("cuda:0"),
        lambda: s.validate_hpu_device("hpu:0"),
        lambda: s.normalize_storage_type(t.FloatStorage) is t.FloatStorage,
        lambda: s.normalize_storage_type(int) is t.int,
        lambda: s.storage_to_tensor_type(t.ones(1).untyped_storage()),
        lambda: s._import_dotted_name("torch.nn.Linear").__name__,
        lambda: s._import_dotted_name("torch.nope"),
    )


def _state_of_the_thread(t: Any) -> Any:
    here = t.serialization._serialization_tls

    def now() -> Any:
        return here.map_location, here.skip_data, here.materialize_fake_tensors

    found = [now()]
    for how in (False, True):
        with t.serialization.skip_data(how):
            found.append(now())

    def where(storage, tag):
        found.append(here.map_location is where)

    t.load(saved(t, t.ones(1)), map_location=where)
    return [*found, now()]


def _restricted_machine(t: Any) -> Any:
    w, data = t._weights_only_unpickler, pickle.dumps({"a": [1, 2.5, "x", None, (1,)]}, 2)
    file = io.BytesIO(data + b"rest")
    reader = w.Unpickler(file, encoding="utf-8")
    names = ("torch.complex32", "torch.int3", "torch.Size", "torch.nn.parameter.Parameter")
    found = [reader.load(), file.read(), w.load(io.BytesIO(data)), sorted(w._blocklisted_modules)]
    found += [name in w._get_allowed_globals() for name in (*names, "torch.nn.Linear")]
    with w._safe_globals([print]):
        found += [print in w._get_safe_globals(), "builtins.print" in w._get_user_allowed_globals()]
    w._add_safe_globals([print])
    w._remove_safe_globals([print])
    found.append(print in w._get_safe_globals())
    asked = pickle.dumps([print, os.system], 2)
    found.append(sorted(w.get_globals_in_pkl(io.BytesIO(asked))))
    return found + attempts(lambda: w.load(io.BytesIO(asked)))


def _module(t: Any, folder: Path, name: str, text: str) -> Any:
    """A module of *text* under one name, from a file of its own."""
    path = folder / name
    path.write_text(text.replace("LIBRARY", t.__name__))
    linecache.clearcache()
    spec = importlib.util.spec_from_file_location("saved_modules", path)
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    sys.modules["saved_modules"] = made
    spec.loader.exec_module(made)
    return made


@pytest.mark.parametrize("patches", [False, True])
def test_the_old_format_warns_of_changed_sources(
    patches: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Classes of modules come with their sources: a change warns, or is kept as a patch."""

    def run(t: Any) -> Any:
        folder = tmp_path / t.__name__
        folder.mkdir()
        monkeypatch.chdir(folder)
        first = _module(t, folder, "first.py", _MODULES)
        nets = [first.Net(), first.Net(), first.Outer.Net, first.Outer.Net()]
        file = saved(t, nets, _use_new_zipfile_serialization=False)
        text = file.getvalue()
        found = [text.count(s) for s in (b"class Net", b"class Linear", b"first.py")]

        def load(**how: Any) -> Any:
            file.seek(0)
            return [type(x).__qualname__ for x in t.load(file, **how)]

        found.append(load(weights_only=False))
        changed = _module(t, folder, "second.py", _MODULES.replace("(2, 3)", "(3, 4)"))
        changed.Net.dump_patches = patches
        for _ in range(3):
            found.append(load(weights_only=False))
            patch = folder / "Net.patch"
            found.append(patch.read_text() if patch.exists() else None)
            if patches and len(found) > 6:
                patch.write_text("another's")
        allowed = [changed.Net, changed.Outer.Net, t.nn.Linear, set]
        with t.serialization.safe_globals(allowed):
            found += attempts(load)
        return found

    def comparable(t: Any) -> Any:
        text = repr(outcome(run, t))
        return text.replace(str(tmp_path / t.__name__), "FOLDER").replace("mindtorch", "torch")

    assert comparable(mindtorch) == comparable(torch)


@pytest.mark.parametrize(
    "program", [_files, _formats, _devices, _state_of_the_thread, _restricted_machine]
)
def test_private_names_do_what_torchs_do(program: Any) -> None:
    assert outcome(program, mindtorch) == outcome(program, torch)


def test_public_names_are_torchs() -> None:
    ours, oracle = mindtorch.serialization, torch.serialization
    assert ours.__all__ == oracle.__all__
    assert not [name for name in ours.__all__ if not hasattr(ours, name)]


@pytest.mark.filterwarnings("ignore:ComplexHalf")
@pytest.mark.parametrize("how", ["save", "pickle", "deepcopy"])
def test_rare_dtypes_come_back(how: str) -> None:
    """Tensors and the dtypes themselves, restricted or not, also what the other library wrote."""
    names = "complex32 float8_e4m3fn float8_e5m2 float8_e8m0fnu float4_e2m1fn_x2 int1 uint7 bits8"

    def build(t: Any, name: str) -> Any:
        x = t.empty(3, dtype=getattr(t, name))
        x.untyped_storage().fill_(7)
        return [x, x.dtype]

    for name in names.split():
        made = build(mindtorch, name)
        if how == "save" and "int" not in name:  # torch knows no storage of narrow integers
            theirs = saved(torch, build(torch, name))
            assert saved(mindtorch, made).getvalue()[:600] == theirs.getvalue()[:600]
            theirs.seek(0)
            found = [mindtorch.load(theirs), mindtorch.load(theirs, weights_only=False)]
            oracle = torch.load(saved(mindtorch, made))
            assert str(oracle[1]) == f"torch.{name}" and oracle[0].dtype is oracle[1]
        elif how == "save":
            found = [mindtorch.load(saved(mindtorch, made))]
        elif how == "pickle":
            found = [pickle.loads(pickle.dumps(made))]
        else:
            found = [copy.deepcopy(made)]
        for x, dtype in found:
            assert x.dtype is dtype is getattr(mindtorch, name)
            assert x.untyped_storage().tolist() == made[0].untyped_storage().tolist()


def test_what_cannot_be_pickled_is_refused_as_by_pickle_in_c() -> None:
    class Local:
        pass

    for obj in (Local, lambda: 1, test_public_names_are_torchs.__class__):
        for new in (True, False):
            results = [
                attempts(lambda: saved(t, obj, _use_new_zipfile_serialization=new))
                for t in (mindtorch, torch)
            ]
            assert results[0] == results[1]

"""Modules of options: what is set, saved, patched, deprecated and read from the environment."""

from __future__ import annotations

import pickle
import sys
import threading
import types
import unittest
from unittest import mock

import pytest

from .both_frameworks import BOTH, agree, part, same

SOURCE = """
import math
from {torch}.utils._config_module import Config, install_config_module

switch = True
number = 1
ratio: float = 1.5
text = "string"
entries = [1]
names = {{"a"}}
pair = (1,)
table = {{1: 2}}
nothing: bool | None = None
_private = 1
ignored = True
# @compile_ignored: debug
debug: bool = True
wrapped: bool = Config(default=True)
knob: bool = Config(justknob="none", default=False)
env: bool = Config(env_name_default="MT_TRUE", default=False)
env_text: str = Config(env_name_default=["MT_NONE", "MT_TEXT"], default="a")
forced: bool = Config(env_name_force="MT_TRUE", default=False)
other: bool = Config(alias="{name}.switch")
lost: bool = Config(alias="no_such_module.switch")
old: bool = Config(default=True, deprecated=True, deprecation_message="is no longer needed")

class group:
    first = 1

    class inner:
        second = [2]

_save_config_ignore = ["ignored"]
_cache_config_ignore_prefix = ["tab"]

def function():
    pass
"""


def made(t, monkeypatch, tmp_path):
    """A module of options, of framework *t*."""
    name = f"options_of_{t.__name__}"
    for variable, value in {"MT_TRUE": "1", "MT_TEXT": "b"}.items():
        monkeypatch.setenv(variable, value)
    path = tmp_path / f"{name}.py"
    path.write_text(SOURCE.format(torch=t.__name__, name=name))
    module = types.ModuleType(name)
    module.__file__ = str(path)
    monkeypatch.setitem(sys.modules, name, module)
    exec(compile(path.read_text(), str(path), "exec", dont_inherit=True), vars(module))
    part(t, "utils._config_module").install_config_module(module)
    return module


@pytest.fixture
def config(monkeypatch, tmp_path):
    """Makes the module of a framework."""
    return lambda t: made(t, monkeypatch, tmp_path)


def shown(text):
    """*text* without the name of the framework."""
    return (
        str(text).replace("options_of_mindtorch", "options").replace("options_of_torch", "options")
    )


def tried(fn):
    """What *fn* gives, or raises."""
    try:
        return shown(fn())
    except Exception as error:
        return f"{type(error).__name__}: {shown(error)}"


NAMES = (
    "switch number ratio text entries names pair table nothing _private ignored debug wrapped knob "
    "env env_text forced other lost missing group.first group.inner.second group.missing function"
).split()


def read(config):
    """All options, by name."""
    found = {}
    for name in NAMES:

        def get(place=config, path=name.split(".")):
            for each in path:
                place = getattr(place, each)
            return place if not callable(place) else "function"

        found[name] = tried(get)
    return found


PROGRAMS = {
    "values": lambda t, c: read(c),
    "types": lambda t, c: [str(c.get_type(n)) for n in ("switch", "ratio", "nothing", "env_text")],
    "setting": lambda t, c: [
        setattr(c, "number", 2), setattr(c.group.inner, "second", 3), setattr(c, "other", False),
        setattr(c, "forced", False), setattr(c, "env", False), read(c), c.switch,
    ],
    "setting what is not there": lambda t, c: [
        tried(lambda: setattr(c, "missing", 2)), tried(lambda: setattr(c.group, "missing", 2)),
    ],
    "changing in place": lambda t, c: [
        c.entries.append(2), c.entries, c._is_default("entries"), c.entries.pop(),
        c._is_default("entries"), c._is_default("env"), c._is_default("number"),
    ],
    "deleting": lambda t, c: [
        delattr(c, "number"), hasattr(c, "number"), setattr(c, "number", 5), c.number,
    ],
    "copies": lambda t, c: [
        sorted(c.get_config_copy().items(), key=str), len(c.get_serializable_config_copy()),
        c.get_config_copy()["entries"] is c.entries,
    ],
    "saving": lambda t, c: [
        setattr(c, "number", 7), (saved := c.save_config()), setattr(c, "number", 8),
        setattr(c, "ignored", False), c.load_config(saved), c.number, c.ignored,
        sorted(pickle.loads(saved)),
    ][2:],
    "loading a dictionary": lambda t, c: [c.load_config({"number": 3}), c.number],
    "what a cache holds": lambda t, c: [
        sorted(c.save_config_portable()), len(c.save_config_portable(ignore_private_configs=False)),
    ],
    "hashes": lambda t, c: [
        (before := c.get_hash()) is None, setattr(c, "debug", False), c.get_hash() == before,
        setattr(c, "number", 9), c.get_hash() == before, setattr(c, "number", 1),
        c.get_hash() == before, c.get_hash().hex(),
    ],
    "statements": lambda t, c: [
        setattr(c, "number", 2), setattr(c, "ignored", False), setattr(c, "entries", [print]),
        setattr(c, "table", threading.Thread), setattr(c, "names", {print}),
        shown(c.codegen_config()).splitlines(),
    ],
    "patches": lambda t, c: [_patched(c, c.patch(number=2)), _patched(c, c.patch("number", 3)),
        _patched(c, c.patch({"number": 4, "group.first": 5})), c.number],
    "nested patches": lambda t, c: _nested(c),
    "a patched function": lambda t, c: [c.patch(number=6)(lambda: c.number)(), c.number],
    "a patch of what is not there": lambda t, c: [
        tried(lambda: _patched(c, c.patch(missing=2))), c.number,
        tried(lambda: _patched(c, c.patch(number=2, missing=2))), c.number,
    ],
    "wrong patches": lambda t, c: [
        tried(lambda: c.patch("number")), tried(lambda: c.patch(3, 4)),
        tried(lambda: c.patch({"number": 1}, text="a")), tried(lambda: c.patch(None, 3)),
    ],
    "mocks": lambda t, c: _mocked(c),
    "quick patches": lambda t, c: [
        (undo := c._make_closure_patcher(number=3)()) is None, c.number, undo(), c.number,
    ],
    "old names": lambda t, c: [len(c.to_dict()), len(c.shallow_copy_dict())],
    "what is deprecated": lambda t, c: _deprecated(c),
    "other threads": lambda t, c: _in_a_thread(c),
    "a test case": lambda t, c: _tested(c),
    "making one": lambda t, c: tried(lambda: part(t, "utils._config_module").ConfigModule()),
    "an alias with a default": lambda t, c: tried(
        lambda: part(t, "utils._config_module").Config(alias="a.b", default=True)
    ),
    "an unknown kind": lambda t, c: tried(lambda: _install(t, value=lambda: 1j)),
    "a number of the environment": lambda t, c: tried(
        lambda: _install(t, n="Config(default=1, env_name_default='A')")
    ),
    "names in a list": lambda t, c: tried(
        lambda: part(t, "utils._config_module").Config(default=1, env_name_default=3)
    ),
    "three states": lambda t, c: [
        part(t, "utils._config_module").get_tristate_env(n, 3) for n in ("MT_TRUE", "MT_TEXT", "NO")
    ],
    "inherited names": lambda t, c: sorted(_inherited(t)),
}  # fmt: skip


def _patched(c, patch):
    with patch:
        return c.number, c.group.first


def _nested(c):
    patch, seen = c.patch(number=2), []
    with patch:
        c.number = 3
        with patch:
            seen.append(c.number)
        seen.append(c.number)
    return [*seen, c.number]


def _mocked(c):
    with mock.patch.object(c, "number", 5):
        inside = c.number
    with mock.patch(f"{c.__name__}.text", "other"):
        return inside, c.number, c.text


def _deprecated(c):
    return c.old, setattr(c, "old", False), c.old


def _in_a_thread(c):
    c.number, seen = 5, []
    thread = threading.Thread(target=lambda: seen.append(c.number))
    thread.start()
    thread.join()
    return seen, c.number


def _tested(c):
    seen = []

    @c.patch(number=7)
    class Case(unittest.TestCase):
        def test_a(self):
            seen.append(c.number)

    unittest.TextTestRunner(stream=mock.Mock()).run(unittest.makeSuite(Case))
    return seen, c.number, Case.__name__


def _install(t, **values):
    module = types.ModuleType("made")
    for name, value in values.items():
        space = {"Config": part(t, "utils._config_module").Config}
        vars(module)[name] = eval(value, space) if isinstance(value, str) else value()
    utils = part(t, "utils._config_module")
    with mock.patch.object(utils, "get_assignments_with_compile_ignored_comments", lambda m: set()):
        utils.install_config_module(module)


def _inherited(t):
    class Parent:
        a, b, _c = 1, 2, 3

    class Child:
        b = 4

    found = part(t, "utils._config_module").inherit_fields_from(Parent)(Child)
    return [(n, getattr(found, n)) for n in ("a", "b")] + [("c", hasattr(found, "_c"))]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name, config):
    def told(t):
        found = PROGRAMS[name](t, config(t))
        return shown(found).replace("mindtorch", "torch").replace("<class 'builtins.", "<class '")

    (kind, value), warned = same(told)
    assert kind == "value", value
    if name == "what is deprecated":
        assert [category for _, category in warned] == ["FutureWarning"]


def test_kept_results():
    """``cache_method``, ``prefetchable_cache`` and ``Thunk``."""

    def told(t):
        functools, calls = part(t, "utils._functools"), []

        class Model:
            @functools.cache_method
            def twice(self, x):
                calls.append(x)
                return x * 2

        model = Model()
        found = [model.twice(2), model.twice(2), Model().twice(2), calls[:]]
        found.append(tried(lambda: model.twice(x=2)))
        kept = functools.prefetchable_cache(lambda: calls.append("once") or len(calls))
        kept.prefetch()
        found += [kept(), kept(), tried(lambda: kept.set(3))]
        kept.clear()
        found += [kept.set(9), kept()]
        thunk = part(t, "utils._thunk").Thunk(lambda: calls.append("thunk") or 5)
        return [*found, thunk.force(), thunk.force(), thunk.f, calls]

    agree(told)


def test_the_options_of_the_compiler_are_such_modules():
    """A group within a group, a copy, a patch."""

    def told(t):
        config = part(t, "_inductor.config")
        with config.patch({"triton.cudagraphs": True}):
            inside = config.triton.cudagraphs
        return inside, config.triton.cudagraphs, hasattr(config, "no_such_option"), config.__name__

    for t in BOTH:
        assert told(t)[:3] == told(BOTH[1])[:3]


#: What depends on the machine, on torch's compiler, or is a name of typing.
_ELSEWHERE = {
    *("TYPE_CHECKING", "base_dir", "debug_dir_root", "_save_config_ignore"),
    "allowed_functions_module_string_ignorelist",
}


@pytest.mark.parametrize(
    "path",
    ["_dynamo.config", "compiler.config", "_export.config", "fx.experimental._config"]
    + ["distributed.config"],
)
def test_options_and_what_their_other_names_mean(path):
    """The same options with the same defaults; an option of another module is set there."""

    def told(t):
        entries = part(t, path)._config.items()
        return {
            name: repr(entry.default if entry.alias is None else entry.alias.partition(".")[2])
            for name, entry in sorted(entries)
            if name not in _ELSEWHERE
        }

    agree(told)


@pytest.mark.parametrize(
    ("path", "name", "home", "meant"),
    [
        ("_dynamo.config", "cache_size_limit", "_dynamo.config", "recompile_limit"),
        ("compiler.config", "recompile_limit", "_dynamo.config", "recompile_limit"),
        ("_inductor.config", "force_disable_caches", "compiler.config", "force_disable_caches"),
    ],
)
def test_an_option_set_under_another_name(path, name, home, meant):
    def run(t):
        here, there = part(t, path), part(t, home)
        before = getattr(there, meant)
        with here.patch(name, 77):
            inside = getattr(here, name), getattr(there, meant)
        setattr(there, meant, 5)
        outside = getattr(here, name)
        setattr(there, meant, before)
        return inside, outside, getattr(here, name) == before

    agree(run)

"""What a file may name, by whom it is read and where its data goes: programs as torch has them."""

from __future__ import annotations

import datetime
import functools
import io
import os
import pickle
import re
import types
import zoneinfo
from pathlib import Path
from typing import Any

import pytest

from .checkpoints import saved
from .serialization_programs import Programs, attempts, back, check, collector

PROGRAMS: Programs = {}
program = collector(PROGRAMS)


class Point:
    """A class of the user's."""

    def __init__(self, x: int) -> None:
        self.x = x


class Stated:
    """A class that pickles in its own way."""

    def __getstate__(self) -> Any:
        return {"y": 1}

    def __setstate__(self, state: Any) -> None:
        self.state = ("set", state)


@program
def safe_classes(t: Any) -> Any:
    s, file = t.serialization, saved(t, Point(3)).getvalue()
    before = s.get_safe_globals()  # those of distributed tensors, where they are loaded

    def load() -> Any:
        return t.load(io.BytesIO(file)).x

    found = attempts(load)
    s.add_safe_globals([Point])
    found += attempts(load)
    s.clear_safe_globals()
    found += attempts(load)
    name = f"{Point.__module__}.Point"
    for entry in (Point, (Point, name), (Point, "other.Point")):
        with s.safe_globals([entry]):
            found += attempts(load)
    with s.safe_globals([Stated]):
        found.append(back(t, Stated()).state)
    for bad in ([(Point,)], [(Point, 3)], [(Point, "a", "b")], [3], Point, None, ["x"]):
        found += attempts(lambda bad=bad: (s.add_safe_globals(bad), load()))
        s.clear_safe_globals()
    s.add_safe_globals(before)
    return found


@program
def names_that_are_not_safe(t: Any) -> Any:
    ask = t.serialization.get_unsafe_globals_in_checkpoint
    obj = [Point(1), t.nn.Linear(1, 1), t.ones(1), functools.partial(max), os.system]
    return [
        sorted(ask(saved(t, obj))),
        *attempts(lambda: ask(saved(t, obj, _use_new_zipfile_serialization=False))),
    ]


def _forced(name: str, *settings: str) -> None:
    def loading(t: Any) -> Any:
        with pytest.MonkeyPatch.context() as patch:
            for setting in settings:
                patch.setenv(setting, "1")
            return attempts(
                *(
                    lambda how=how: back(t, Point(1), **how).x
                    for how in ({}, {"weights_only": True}, {"weights_only": False})
                )
            )

    loading.__name__ = name
    program(loading)


_forced("forced_to_be_safe", "TORCH_FORCE_WEIGHTS_ONLY_LOAD")
_forced("forced_to_be_unsafe", "TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD")
_forced("forced_to_be_both", "TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD", "TORCH_FORCE_WEIGHTS_ONLY_LOAD")


def _dill(version: str) -> Any:
    module = types.ModuleType("dill")
    module.__dict__.update({k: v for k, v in vars(pickle).items() if not k.startswith("__")})
    module.__version__ = version
    return module


@program
def other_pickle_modules(t: Any) -> Any:
    x = t.ones(2)
    return attempts(
        lambda: back(t, x, pickle_module=pickle),
        lambda: back(t, x, pickle_module=pickle, weights_only=True),
        lambda: saved(t, x, pickle_module=_dill("0.2.9")),
        lambda: back(t, x, pickle_module=_dill("0.3.0")),
        lambda: back(t, 1, pickle_module=_dill("0.3.1")),
        lambda: back(t, 1, pickle_module=_dill("0.4")),
        lambda: back(t, x, encoding="latin1"),
        lambda: back(t, x, weights_only=True, foo=3),
    )


@program
def places(t: Any) -> Any:
    s, x = t.serialization, t.ones(2)
    listed = [None, "cpu", t.device("meta"), {"cpu": "meta"}, {"cpu": t.device("meta")}]
    listed += [("cpu",), b"cpu", 0, lambda storage, tag: 7, lambda storage, tag: None]
    s.register_package(
        1, lambda storage: None, lambda storage, tag: storage if tag == "?" else None
    )
    try:
        return attempts(
            *(lambda m=m: back(t, x, map_location=m) for m in [*listed, "?", "cuda:0"]),
            lambda: s.location_tag(x.untyped_storage()),
            lambda: s.location_tag(3),
        )
    finally:
        del s._package_registry[0]


@program
def skipped_data(t: Any) -> Any:
    with t.serialization.skip_data():
        file = saved(t, t.ones(3))
        refused = attempts(lambda: saved(t, t.ones(3), _use_new_zipfile_serialization=False))
    fakes = t._subclasses.fake_tensor
    mode, converter, made = fakes.FakeTensorMode(), fakes.FakeTensorConverter(), []
    for dtype in (t.float32, t.uint16, t.float8_e5m2):  # with classes of old, without
        with t.serialization.skip_data(materialize_fake_tensors=True):
            fake = converter.from_real_tensor(mode, t.ones(2, 3).to(dtype))
            made.append(t.load(saved(t, fake)).dtype)
    return [t.load(file), refused, made]


@program
def methods_of_classes(t: Any) -> Any:
    zone = zoneinfo.ZoneInfo
    file = saved(t, datetime.datetime(2025, 1, 1, tzinfo=zone("UTC"))).getvalue()
    allowed, found = [datetime.datetime, getattr, zone], []
    for more in ([], [zone._unpickle]):
        with t.serialization.safe_globals(allowed + more):
            got = attempts(lambda: t.load(io.BytesIO(file)))
        found.append([re.sub("0x[0-9a-f]+", "", str(each)) for each in got])
    return found


@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_a_program_does_what_it_does_with_torch(name: str, tmp_path: Path) -> None:
    """Value or error, and the warnings on the way."""
    check(PROGRAMS[name], tmp_path)

"""``torch._logging``: which logs and artifacts there are, what is refused, which levels are set."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import Any

import mindtorch
import pytest
import torch
import torch._logging._internal as registered
from mindtorch._logging import _names

from .helpers import assert_torch_error, both


@pytest.fixture(autouse=True)
def levels_as_they_were() -> Iterator[None]:
    loggers = [logging.getLogger(), *map(logging.getLogger, logging.Logger.manager.loggerDict)]
    levels = [(logger, logger.level, list(logger.handlers)) for logger in loggers]
    yield
    torch._logging.set_logs()
    for logger, level, handlers in levels:
        logger.setLevel(level)
        logger.handlers[:] = handlers


def test_the_logs_and_artifacts_are_torchs() -> None:
    registry = registered.log_registry
    assert list(_names.LOGS) == list(registry.log_alias_to_log_qnames)
    assert _names.ARTIFACTS == registry.artifact_names


WRONG: dict[str, Callable[[Any], Any]] = {
    "no such log": lambda t: t._logging.set_logs(foo=10),
    "not by keyword": lambda t: t._logging.set_logs(pp=10),
    "no level": lambda t: t._logging.set_logs(dynamo=11),
    "no level of all": lambda t: t._logging.set_logs(all="x"),
    "an artifact with a level": lambda t: t._logging.set_logs(graph=10),
    "an artifact of modules": lambda t: t._logging.set_logs(modules={"not_implemented": 1}),
    "no such module": lambda t: t._logging.set_logs(modules={"no_such_module": 10}),
    "no such artifact": lambda t: t._logging.getArtifactLogger("m", "foo"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_refused(case: str) -> None:
    assert_torch_error(*both(WRONG[case]))


SET: dict[str, dict[str, Any]] = {
    "all": {"all": logging.ERROR},
    "one": {"distributed": logging.DEBUG},
    "several": {"aot": logging.INFO, "c10d": logging.ERROR, "graph": True, "bytecode": False},
    "none": {"dynamo": None, "modules": None},
    "of modules": {"modules": {"pp": logging.DEBUG, "torch.nn": logging.ERROR}},
}


@pytest.mark.parametrize("case", SET)
def test_levels(case: str) -> None:
    """The loggers of the names have the levels that torch gives them."""
    names = "torch.distributed torch.distributed.pipelining torch.nn torch._functorch.aot_autograd"
    found = []
    for t in (mindtorch, torch):
        for name in names.split():
            logging.getLogger(name).setLevel(logging.NOTSET)
        logging.getLogger("torch").setLevel(logging.WARNING)
        t._logging.set_logs(**SET[case])
        found.append([logging.getLogger(name).getEffectiveLevel() for name in names.split()])
    assert found[0] == found[1]


def test_the_logger_of_an_artifact() -> None:
    ours, oracle = (t._logging.getArtifactLogger("m", "graph_breaks") for t in (mindtorch, torch))
    assert ours is oracle and ours.name == "m.__graph_breaks"

"""``torch._dynamo.test_case``: test classes that begin with a compiler that knows nothing yet.

The class that they build on is PyTorch's, ``torch.testing._internal.common_utils``, which is no
part of mindtorch: it is found where a program has brought it along.
"""

from __future__ import annotations

import importlib.util
from contextlib import ExitStack
from typing import Any

from ..aten import torch
from ..autograd.grad_mode import set_grad_enabled
from . import config, reset, utils

_theirs: Any = importlib.import_module(
    f"{__name__.partition('.')[0]}.testing._internal.common_utils"
)


def run_tests(needs: str | tuple[str, ...] = ()) -> None:
    """Run the tests of the program, unless it runs under crossref or lacks what it *needs*.

    :param needs: names of modules; that of a device asks whether there is one.
    """
    if _theirs.TEST_WITH_TORCHDYNAMO or _theirs.TEST_WITH_CROSSREF:
        return
    for need in (needs,) if isinstance(needs, str) else needs:
        device = getattr(torch, need, None)
        found = importlib.util.find_spec(need) if device is None else device.is_available()
        if not found:
            return
    _theirs.run_tests()


class TestCase(_theirs.TestCase):  # type: ignore[misc]  # its class is not known here
    """A test whose counters start at zero, and that leaves grad mode as it was."""

    _exit_stack: ExitStack

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls._exit_stack = ExitStack()
        cls._exit_stack.enter_context(
            config.patch(
                raise_on_ctx_manager_usage=True,
                suppress_errors=False,
                log_compilation_metrics=False,
            )
        )

    @classmethod
    def tearDownClass(cls) -> None:
        cls._exit_stack.close()
        super().tearDownClass()

    def setUp(self) -> None:
        self._grad_mode_before = torch.is_grad_enabled()
        self._graph_breaks_before = config.nested_graph_breaks
        config.nested_graph_breaks = True
        super().setUp()
        self.before_cuda_memory_leak_check()

    def tearDown(self) -> None:
        self.before_cuda_memory_leak_check()
        super().tearDown()
        set_grad_enabled(self._grad_mode_before)
        config.nested_graph_breaks = self._graph_breaks_before

    def before_cuda_memory_leak_check(self) -> None:
        """Forget what was compiled and counted."""
        reset()
        utils.counters.clear()

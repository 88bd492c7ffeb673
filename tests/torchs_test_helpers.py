"""A program whose tests are written with PyTorch's helpers, ``torch.testing._internal``.

mindtorch has no such package but what libraries import of it: the files are those of an installed
torch, of which nothing else is loaded. ``torch`` is mindtorch.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from importlib.machinery import ModuleSpec
from itertools import islice
from pathlib import Path
from typing import Any

PACKAGE = "torch.testing._internal"


class Grafted:
    """Finds ``torch.testing._internal`` in the folder of an installed torch."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """The spec of a module below the package."""
        if name != PACKAGE and not name.startswith(PACKAGE + "."):
            return None
        place = self.folder.joinpath(*name.split(".")[1:])
        if (place / "__init__.py").exists():
            return importlib.util.spec_from_file_location(
                name, place / "__init__.py", submodule_search_locations=[str(place)]
            )
        file = place.with_suffix(".py")
        return importlib.util.spec_from_file_location(name, file) if file.exists() else None


def graft(folder: Path) -> None:
    """Let ``torch`` be mindtorch, with PyTorch's helpers of the torch in *folder*."""
    from mindtorch.compat.import_alias import as_torch

    as_torch()
    sys.meta_path.insert(0, Grafted(folder))


def imported(names: list[str]) -> None:
    """Import each of these helpers; print what keeps one from it."""
    for name in names:
        try:
            importlib.import_module(name)
        except Exception as error:
            print(f"{name}: {type(error).__name__}: {error}")


def main(folder: str) -> None:
    """Define tests and run them."""
    graft(Path(folder))
    import numpy as np
    import torch
    from torch import distributed as dist
    from torch._subclasses.fake_utils import CrossRefFakeMode
    from torch.testing._internal.common_device_type import instantiate_device_type_tests, ops
    from torch.testing._internal.common_distributed import (
        MultiThreadedTestCase,
        spawn_threads_and_init_comms,
    )
    from torch.testing._internal.common_methods_invocations import op_db, unary_ufuncs
    from torch.testing._internal.common_modules import module_db, modules
    from torch.testing._internal.common_optimizers import optim_db, optims
    from torch.testing._internal.common_utils import (
        TestCase,
        freeze_rng_state,
        instantiate_parametrized_tests,
        parametrize,
        run_tests,
    )
    from torch.testing._internal.distributed._tensor.common_dtensor import (
        DTensorConverter,
        DTensorOpTestBase,
    )
    from torch.testing._internal.hop_db import hop_db

    class TestComparisons(TestCase):  # type: ignore[misc]  # its class is not known here
        @parametrize("factor", [1, 2])
        def test_sequences_and_numbers(self, factor: int) -> None:
            self.assertEqual(torch.ones(2) * factor, [factor, factor])
            self.assertEqual(torch.tensor(2), 2)
            self.assertEqual({"a": torch.ones(1)}, {"a": np.ones(1, "f")})

        def test_what_differs_is_told(self) -> None:
            with self.assertRaisesRegex(AssertionError, "Tensor-likes are not close!"):
                self.assertEqual(torch.ones(2), torch.zeros(2))
            with self.assertRaisesRegex(AssertionError, "String comparison failed"):
                self.assertEqual("a", "b")
            self.assertNotEqual([torch.ones(2)], [torch.zeros(2)])

        def test_the_state_of_generators_comes_back(self) -> None:
            with freeze_rng_state():
                first = torch.rand(2)
            self.assertEqual(torch.rand(2), first, rtol=0, atol=0)

    class TestTables(TestCase):  # type: ignore[misc]  # likewise
        @ops([op for op in unary_ufuncs if op.name in ("sin", "abs", "sign", "_refs.exp")])
        def test_operators_do_what_numpy_does(self, device: Any, dtype: Any, op: Any) -> None:
            if dtype in (torch.float32, torch.float64, torch.int64):
                for sample in op.sample_inputs(device, dtype):
                    wanted = torch.from_numpy(np.asarray(op.ref(sample.input.detach().numpy())))
                    self.assertEqual(op(sample.input), wanted, exact_dtype=False)

        @ops([op for op in op_db if op.name in ("index_select", "gather", "cat", "__radd__")])
        def test_operators_refuse_what_is_wrong(self, device: Any, dtype: Any, op: Any) -> None:
            for wrong in op.error_inputs(device):
                call = wrong.sample_input
                with self.assertRaisesRegex(wrong.error_type, wrong.error_regex):
                    op(call.input, *call.args, **call.kwargs)

        @ops(op_db[:: len(op_db) // 60], allowed_dtypes=(torch.float32,))
        def test_fake_tensors_tell_what_operators_give(
            self, device: Any, dtype: Any, op: Any
        ) -> None:
            for sample in islice(op.sample_inputs(device, dtype, requires_grad=False), 2):
                with CrossRefFakeMode():
                    op(sample.input, *sample.args, **sample.kwargs)

        @ops(hop_db, allowed_dtypes=(torch.float32,))
        def test_operators_of_functions_run(self, device: Any, dtype: Any, op: Any) -> None:
            for sample in op.sample_inputs(device, dtype, requires_grad=False):
                op(sample.input, *sample.args, **sample.kwargs)

        @modules([m for m in module_db if m.name in ("nn.Linear", "nn.GRU", "nn.LayerNorm")])
        def test_modules_run(
            self, device: Any, dtype: Any, module_info: Any, training: Any
        ) -> None:
            for made in module_info.module_inputs_func(
                module_info, device=device, dtype=dtype, requires_grad=False, training=training
            ):
                how, call = made.constructor_input, made.forward_input
                if dtype is torch.float32 and call is not None:
                    module = module_info.module_cls(*how.args, **how.kwargs)
                    module.train(training)(*call.args, **call.kwargs)

        @optims([o for o in optim_db if o.optim_cls.__name__ in ("SGD", "Adam")])
        def test_optimizers_refuse_and_step(self, device: Any, dtype: Any, optim_info: Any) -> None:
            for wrong in optim_info.optim_error_inputs_func(device=device, dtype=dtype):
                given, warns = wrong.optimizer_error_input, issubclass(wrong.error_type, Warning)
                told = self.assertWarnsRegex if warns else self.assertRaisesRegex
                with told(wrong.error_type, wrong.error_regex):
                    optim_info.optim_cls(given.params, **given.kwargs)
            for given in optim_info.optim_inputs_func(device=device):
                weight = torch.nn.Parameter(torch.ones(2, device=device))
                optimizer = optim_info.optim_cls([weight], **given.kwargs)
                weight.grad = torch.ones(2, device=device)
                optimizer.step()

    class TestThreadsAsRanks(MultiThreadedTestCase):  # type: ignore[misc]  # likewise
        world_size = 4

        def setUp(self) -> None:
            super().setUp()
            self._spawn_threads()

        def test_each_thread_has_its_groups(self) -> None:
            rank = dist.get_rank()
            pairs = [dist.new_group([0, 1]), dist.new_group([2, 3])]
            sums = [torch.tensor(rank), torch.tensor(rank)]
            dist.all_reduce(sums[0])
            dist.all_reduce(sums[1], group=pairs[rank // 2])
            self.assertEqual(sums, [6, 1 if rank < 2 else 5])
            self.assertEqual(pairs[rank // 2].group_name, str(1 + rank // 2))

        def test_distributed_tensors_are_redistributed(self) -> None:
            mesh = dist.init_device_mesh("cpu", (2, 2))
            whole, shard = torch.arange(16.0).view(4, 4), dist.tensor.Shard
            parts = dist.tensor.distribute_tensor(whole, mesh, [shard(0), shard(1)])
            self.assertEqual((parts @ parts.t()).full_tensor(), whole @ whole.t())

    class TestOperatorsOnDistributedTensors(DTensorOpTestBase):  # type: ignore[misc]  # likewise
        def test_parts_are_added(self) -> None:
            mesh = dist.init_device_mesh("cpu", (self.world_size,))
            for pair, _ in DTensorConverter(mesh, (torch.ones(8, 4), torch.ones(8, 4)), {}):
                self.assertEqual(torch.add(*pair).full_tensor(), torch.full((8, 4), 2.0))

    class TestThreadsOfOneTest(TestCase):  # type: ignore[misc]  # likewise
        @spawn_threads_and_init_comms(world_size=2)
        def test_threads_sum(self) -> None:
            total = torch.ones(1)
            dist.all_reduce(total)
            self.assertEqual(total, [2])

    instantiate_parametrized_tests(TestComparisons)
    scope = {"TestTables": TestTables, "__name__": "__main__"}
    instantiate_device_type_tests(TestTables, scope, only_for="cpu")
    module = sys.modules["__main__"]
    classes = (
        TestComparisons,
        TestThreadsAsRanks,
        TestOperatorsOnDistributedTensors,
        TestThreadsOfOneTest,
    )
    vars(module).update(scope, **{each.__name__: each for each in classes})
    run_tests(argv=["helpers", "-v"])


if __name__ == "__main__":
    main(sys.argv[1])

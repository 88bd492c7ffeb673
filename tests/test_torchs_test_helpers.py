"""Test suites that are written with PyTorch's own helpers run on mindtorch."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
import torch

from tests import torchs_test_helpers
from tests.workspace import ROOT


def test_tests_written_with_pytorchs_helpers_run():
    """Comparisons, parametrized tests, and the tables of operators, modules and optimizers."""
    pytest.importorskip("expecttest", reason="PyTorch's helpers import it")
    done = subprocess.run(
        [sys.executable, "-W", "ignore", torchs_test_helpers.__file__, Path(torch.__file__).parent],
        env={name: value for name, value in os.environ.items() if name != "CI"},  # writes no XML
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    count = re.search(r"^Ran (\d+) tests", done.stderr, re.MULTILINE)
    assert count is not None and int(count[1]) > 40, done.stderr[-2000:]


INTERNAL = "torch.testing._internal."
#: What PyTorch's own tests import at their beginning, below ``torch.testing._internal``.
HELPERS = (
    "autocast_test_lists autograd_function_db common_cuda common_device_type common_dtype "
    "common_jit common_methods_invocations common_mkldnn common_modules common_nn "
    "common_optimizers common_pruning common_quantization common_quantized common_subclass "
    "common_utils composite_compliance custom_op_db custom_tensor data "
    "dynamo_pytree_test_utils fake_config_module fake_config_module2 fake_config_module3 "
    "generated.annotated_fn_args hop_db hypothesis_utils "
    "jit_metaprogramming_utils jit_utils common_distributed common_fsdp "
    "distributed.checkpoint_utils distributed.common_state_dict "
    "distributed.distributed_utils distributed.fake_pg distributed.multi_threaded_pg "
    "distributed._tensor.common_dtensor dist_utils "
    "distributed.ddp_under_dist_autograd_test distributed.nn.api.remote_module_test "
    "distributed.rpc.dist_autograd_test distributed.rpc.dist_optimizer_test "
    "distributed.rpc.rpc_test distributed.rpc.tensorpipe_rpc_agent_test_fixture "
    "distributed.rpc.examples.parameter_server_test "
    "distributed.rpc.examples.reinforcement_learning_rpc_test inductor_utils triton_utils "
    "logging_tensor "
    "logging_utils opinfo.core opinfo.definitions opinfo.definitions._masked "
    "opinfo.definitions.fft opinfo.definitions.linalg opinfo.definitions.nested "
    "opinfo.definitions.signal opinfo.definitions.sparse opinfo.definitions.special opinfo.refs "
    "opinfo.utils optests optests.aot_autograd optests.autograd_registration "
    "optests.fake_tensor optests.generate_tests optests.make_fx static_module subclasses "
    "torchbind_impls two_tensor"
).split()


def test_pytorchs_helpers_import():
    """A test suite of PyTorch's fails as a whole where one of these cannot be imported."""
    pytest.importorskip("expecttest", reason="PyTorch's helpers import it")
    program = (
        "import sys; from pathlib import Path; from tests import torchs_test_helpers as t; "
        "t.graft(Path(sys.argv[1])); t.imported([f'{t.PACKAGE}.{n}' for n in sys.argv[2:]])"
    )
    helpers = [n for n in HELPERS if n != "hypothesis_utils" or find_spec("hypothesis")]
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program, Path(torch.__file__).parent, *helpers],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert (done.returncode, done.stdout) == (0, ""), done.stderr[-4000:]


def test_pytorchs_helpers_stay_out_of_the_process_of_the_tests():
    """Their import freezes the switches of ``torch.backends``, for all tests that come after it."""
    modules = [*ROOT.glob("tests/**/test_*.py"), *ROOT.glob("*/*/tests/**/test_*.py")]
    imported = {
        (path.name, statement.module)
        for path in modules
        for statement in ast.walk(ast.parse(path.read_text()))
        if isinstance(statement, ast.ImportFrom) and statement.module is not None
    }
    assert ("test_overrides_functions.py", f"{INTERNAL}generated.annotated_fn_args") in imported
    helpers = (f"{INTERNAL}common", f"{INTERNAL}opinfo")
    assert not [file for file, module in imported if module.startswith(helpers)]

"""torch under the name of mindtorch: one module object, torch's names, child processes."""

from __future__ import annotations

import subprocess
import textwrap
from pathlib import Path

import pytest

from tests.workspace import run_python


def under_torchs_name(code: str, *words: str, **how: object) -> subprocess.CompletedProcess[str]:
    """Run *code* by ``python -m mindtorch``."""
    return run_python("-m", "mindtorch", *words, "-c", textwrap.dedent(code), **how)


def outcome(code: str, *words: str) -> list[str]:
    """The lines that *code* prints."""
    done = under_torchs_name(code, *words)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_every_way_of_importing_gives_the_same_object():
    assert outcome(
        """
        import torch, mindtorch
        import torch.nn as nn
        from torch.nn import functional as F
        import torch.optim.lr_scheduler as schedules
        import torch.utils.checkpoint
        import importlib, sys
        print(torch is mindtorch, nn is mindtorch.nn, F is mindtorch.nn.functional)
        print(schedules is mindtorch.optim.lr_scheduler)
        print(importlib.import_module("torch.autograd") is mindtorch.autograd)
        print(torch.utils.checkpoint is mindtorch.utils.checkpoint)
        print(torch.npu is sys.modules["mindtorch_npu"])
        """
    ) == ["True True True", *["True"] * 4]


def test_definitions_live_in_torch():
    """Where a module was loaded before the alias, and where it is loaded after it."""
    code = """
        import mindtorch
        early = mindtorch.optim.SGD
        mindtorch.as_torch()
        import torch, torch.nn.functional
        print(torch.__name__, torch.nn.__name__, torch.nn.functional.__name__)
        print(early, torch.nn.Linear, torch.Tensor, torch.device, torch.dtype, torch.Size)
        print(torch.nn.functional.relu.__module__, torch.nn.Linear.forward.__module__)
    """
    done = run_python("-c", textwrap.dedent(code))
    assert done.stdout.splitlines() == [
        "torch torch.nn torch.nn.functional",
        "<class 'torch.optim.sgd.SGD'> <class 'torch.nn.modules.linear.Linear'> "
        "<class 'torch.Tensor'> <class 'torch.device'> <class 'torch.dtype'> <class 'torch.Size'>",
        "torch.nn.functional torch.nn.modules.linear",
    ], done.stderr


def test_versions():
    """torch's where torch is meant, our own elsewhere."""
    assert outcome(
        """
        import importlib.metadata, torch
        print(torch.__version__ == importlib.metadata.version("torch") == torch.version.__version__)
        print(torch.__version__.startswith("2.13.0+mindtorch"), torch.__version__ >= (2, 6))
        print(importlib.metadata.packages_distributions()["torch"][0])
        print(torch.version.cuda, torch.cuda.is_available())
        """
    ) == ["True", "True True", "torch", "None False"]
    done = run_python("-c", "import mindtorch; print(mindtorch.__version__)")
    assert done.stdout == "1.0.0\n"


def test_metadata_says_the_version_that_the_package_says():
    from mindtorch.__about__ import __torch_version__
    from mindtorch.compat.import_alias import FOLDER

    (metadata,) = FOLDER.glob("*.dist-info/METADATA")
    assert f"Version: {__torch_version__}\n" in metadata.read_text("utf-8")


def test_a_name_that_is_not_there_is_refused_in_torchs_words():
    assert outcome(
        """
        import torch
        def tell(do):
            try:
                do()
            except Exception as error:
                print(type(error).__name__, str(error).partition(" (")[0])
        tell(lambda: torch.frobnicate)
        tell(lambda: torch.nn.frobnicate)
        tell(lambda: torch.optim.frobnicate)
        tell(lambda: torch.ones(1).frobnicate)
        tell(lambda: __import__("torch.frobnicate"))
        tell(lambda: exec("from torch.nn import frobnicate"))
        """
    ) == [
        "AttributeError module 'torch' has no attribute 'frobnicate'",
        "AttributeError module 'torch.nn' has no attribute 'frobnicate'",
        "AttributeError module 'torch.optim' has no attribute 'frobnicate'",
        "AttributeError 'Tensor' object has no attribute 'frobnicate'",
        "ModuleNotFoundError No module named 'torch.frobnicate'",
        "ImportError cannot import name 'frobnicate' from 'torch.nn'",
    ]


def test_a_traceback_ends_in_the_line_of_the_user():
    """However often such calls came before, which is when their code is written."""
    assert (
        outcome(
            """
        import os, sys, torch
        os.environ.pop("MINDTORCH_TRACEBACK", None)  # as users have it; tests run with all frames
        layer = torch.nn.Linear(8, 16)
        calls = [
            lambda n: layer(torch.ones(4, n)),
            lambda n: torch.ones(1, n) + torch.ones(3, 8),
            lambda n: torch.ones(n).sum(0 if n == 8 else 1),
        ]
        for wrong in calls:
            for n in (8, 8, 8, 9):
                try:
                    wrong(n)
                except Exception:
                    entry = sys.exc_info()[2]
                    while entry is not None:
                        print(entry.tb_frame.f_code.co_name, end=" ")
                        entry = entry.tb_next
            print()
        """
        )
        == ["<module> <lambda> "] * 3
    )


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("import torch.frobnicate", "torch.frobnicate"),
        ("from torch.nn import Frobnicate", "torch.nn.Frobnicate"),
        ("import torch; torch.ones(1).frobnicate()", "torch.Tensor.frobnicate"),
    ],
)
def test_a_traceback_points_to_the_command_that_lists_missing_names(code, name):
    done = under_torchs_name(code)
    assert done.returncode == 1
    assert f"mindtorch has no {name}; 'mindtorch check FILE'" in done.stderr.splitlines()[-1]


def test_pickles_name_torch():
    assert outcome(
        """
        import pickle, torch
        for value in (torch.nn.Linear, torch.float32, torch.device("cpu"), torch.Size([2]),
                      torch.optim.SGD, torch.nn.functional.relu):
            data = pickle.dumps(value)
            assert pickle.loads(data) == value, value
            assert b"torch" in data and b"mindtorch.nn" not in data
        model = torch.nn.Linear(2, 1)
        again = pickle.loads(pickle.dumps(model))
        print(torch.equal(model.weight, again.weight))
        """
    ) == ["True"]


def test_child_processes_find_it_too(tmp_path):
    """Started as programs, and by multiprocessing's spawn."""
    script = tmp_path / "script.py"
    script.write_text(
        textwrap.dedent(
            """
            import multiprocessing, subprocess, sys
            import torch

            def double(x):
                return x * 2, torch.__name__

            if __name__ == "__main__":
                code = "import torch; from torch.nn import Linear; print(torch.__version__)"
                said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
                print(said.stdout.strip() == torch.__version__)
                with multiprocessing.get_context("spawn").Pool(1) as pool:
                    print(*pool.map(double, [torch.ones(1)]))
            """
        )
    )
    done = run_python("-m", "mindtorch", str(script))
    assert done.stdout.splitlines() == ["True", "(tensor([2.]), 'torch')"], done.stderr


def test_a_script_is_run_as_python_runs_it(tmp_path):
    """Arguments, name, traceback, exit code."""
    script = tmp_path / "script.py"
    script.write_text(
        "import sys, torch\nprint(sys.argv[1:], __name__)\n"
        "def fail():\n    raise KeyError('mine')\nfail()\n"
    )
    done = run_python("-m", "mindtorch", str(script), "--epochs", "3")
    plain = run_python(str(script), "--epochs", "3")
    assert done.stdout == "['--epochs', '3'] __main__\n"
    assert (done.returncode, done.stderr) == (plain.returncode, plain.stderr)
    script.write_text("import sys, torch\nsys.exit(7)\n")
    assert run_python("-m", "mindtorch", str(script)).returncode == 7


def test_naming_definitions_warns_of_none_that_is_deprecated():
    done = under_torchs_name("import torch.distributed, torch.jit, torch.quantization")
    assert done.returncode == 0 and done.stderr == ""


def test_a_module_is_run_by_its_name(tmp_path):
    package = tmp_path / "package"
    package.mkdir()
    (package / "__main__.py").write_text("import torch\nprint(torch.ones(2).sum().item())\n")
    done = run_python("-m", "mindtorch", "-m", "package", cwd=tmp_path)
    assert done.stdout == "2.0\n", done.stderr


def test_torch_that_is_loaded_already_stays():
    done = run_python("-c", "import torch, mindtorch; mindtorch.as_torch()")
    assert done.returncode == 1
    assert "RuntimeError: torch is already imported in this process" in done.stderr


def test_another_finder_may_have_more_modules_of_torch(tmp_path):
    """Also packages below one of ours, wherever on the list of finders it stands."""
    for name in ("more", "more/deep"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("")
    (tmp_path / "more/deep/module.py").write_text("from . import other\nvalue = other.value\n")
    (tmp_path / "more/deep/other.py").write_text("value = 3\n")
    lines = outcome(
        f"""
        import sys, torch
        from importlib.machinery import PathFinder

        class Finder:
            def find_spec(self, name, path=None, target=None):
                if name == "torch.testing._internal.more":
                    path = [{str(tmp_path)!r}]
                elif not name.startswith("torch.testing._internal.more."):
                    return None
                return PathFinder.find_spec(name, path)

        sys.meta_path.append(Finder())
        import torch.testing._internal.more.deep.module as module
        print(module.__name__, module.value, torch.testing._internal.more.deep.other.value)
        """
    )
    assert lines == ["torch.testing._internal.more.deep.module 3 3"]


def test_a_package_of_another_finder_stays_when_something_below_it_is_missing(tmp_path):
    """mindtorch's package of the same name does not take its place."""
    (tmp_path / "_internal").mkdir()
    (tmp_path / "_internal" / "__init__.py").write_text("theirs = True\n")
    (tmp_path / "_internal" / "helper.py").write_text("value = 3\n")
    lines = outcome(
        f"""
        import sys, torch
        from importlib.machinery import PathFinder

        class Finder:
            def find_spec(self, name, path=None, target=None):
                if name == "torch.testing._internal":
                    path = [{str(tmp_path)!r}]
                elif not name.startswith("torch.testing._internal."):
                    return None
                return PathFinder.find_spec(name, path)

        sys.meta_path.insert(0, Finder())
        import torch.testing._internal.helper
        try:
            import torch.testing._internal.missing
        except ModuleNotFoundError as error:
            print(error.name)
        print(torch.testing._internal.theirs, torch.testing._internal.helper.value)
        """
    )
    assert lines == ["torch.testing._internal.missing", "True 3"]


def test_torch_is_not_loaded(tmp_path):
    """Though it is installed in the environment of the tests."""
    (where,) = outcome("import torch, sys; print(sys.modules['torch'].__file__)")
    assert Path(where).parent.name == "mindtorch"


def test_cuda_may_mean_the_simulated_npu():
    assert outcome(
        """
        import torch
        x = torch.ones(2, device="cuda", requires_grad=True)
        model = torch.nn.Linear(2, 1).cuda()
        model(x).backward()
        print(x.device, x.is_cuda, x.grad.device.type, torch.cuda.is_available())
        print(torch.cuda.memory_allocated() > 0, torch.version.cuda is not None)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            print(model(x).dtype)
        torch.cuda.synchronize()
        print(torch.cuda.get_device_properties(0).total_memory > 0)
        """,
        "--cuda-as-npu",
    ) == ["cuda:0 True cuda True", "True True", "torch.bfloat16", "True"]


def test_an_accelerator_is_offered_to_whoever_names_it():
    """Else a program that takes any would leave the host, where it has torch's numbers."""
    told = """
        import torch
        a = torch.accelerator
        print(a.is_available(), a.current_accelerator(), a.device_count())
        torch.ones(2, device=MINE)
        print(a.is_available(), a.current_accelerator(), a.device_count() > 0)
    """
    host = outcome(told.replace("MINE", "'npu'"))
    assert host == ["False None 0", "True npu True"]
    cuda = outcome(told.replace("MINE", "'cuda'"), "--cuda-as-npu")
    assert cuda[0].startswith("True cuda ") and cuda[1] == "True cuda True"


def test_a_file_may_name_a_module_that_a_program_puts_below_torch():
    """As PyTorch's own tests do, whose helpers a program may take from an installed torch."""
    assert outcome(
        """
        import io, sys, types, torch
        extra = sys.modules["torch.extra"] = types.ModuleType("torch.extra")
        exec("class Net: size = 3", vars(extra))
        file = io.BytesIO()
        torch.save(extra.Net(), file)
        file.seek(0)
        print(torch.load(file, weights_only=False).size)
        """
    ) == ["3"]

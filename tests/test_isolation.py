"""The islands stay islands: who loads whom, who names whom, and what each package's door shows."""

from __future__ import annotations

import ast
import json
import re
import sys

import pytest

from tests.workspace import MAY_LOAD, PACKAGES, ROOT, run_python, sources

FOLDER_OF = {name: folder for folder, name in PACKAGES.items()}
NAMES = sorted(PACKAGES.values())

#: Third-party modules each package may load; the standard library is free.
THIRD_PARTY = {
    "mindtorch_autograd": set(),
    "mindtorch_dispatch": set(),
    "mindtorch_npu": {"ml_dtypes", "numpy"},  # through mindtorch_storage
    "mindtorch_storage": {"ml_dtypes", "numpy"},
    "mindtorch": {"ml_dtypes", "numpy"},
    "mindtorch_cli": {"ml_dtypes", "numpy", "rich", "typer"},
}

#: What third-party imports may stand anywhere in a package's source. torch_npu is the optional
#: hardware driver.
MAY_NAME = {name: allowed | {"torch_npu"} for name, allowed in THIRD_PARTY.items()}
#: The one module that may load torch: it drives real hardware through it.
HARDWARE_DRIVER = "hardware.py"
# The extra that reads the format of that name.
MAY_NAME["mindtorch"] |= {"safetensors"}
# That of sizes that are symbols: loaded when the first one is made.
MAY_NAME["mindtorch"] |= {"sympy"}
# Loaded by the first process group of more than one process.
MAY_NAME["mindtorch"] |= {"mpi4py"}
# Graph.print_tabular needs it, and says so where it is missing, as torch's does.
MAY_NAME["mindtorch"] |= {"tabulate"}
# Loaded by the ops that need a routine of it, when first called.
MAY_NAME["mindtorch"] |= {"scipy"}
# Finds and sets the number of threads of numpy's BLAS, when somebody asks.
MAY_NAME["mindtorch"] |= {"threadpoolctl"}
# Pipes of torch.utils.data use them where they are installed, and do without else.
MAY_NAME["mindtorch"] |= {"dill", "pandas", "torcharrow"}
# So do torch.backends.opt_einsum and, for the progress of a download, torch.hub.
MAY_NAME["mindtorch"] |= {"opt_einsum", "tqdm"}
# Compression of distributed checkpoints is torch's too: a program asks for it by its class.
MAY_NAME["mindtorch"] |= {"zstandard"}
# A program that makes symbols for sizes has it.
MAY_NAME["mindtorch"] |= {"sympy"}
# Profiles of ops are written as YAML, by a program that asks for a file of them.
MAY_NAME["mindtorch"] |= {"yaml"}
# FxGraphDrawer draws with it, and says so where it is missing, as torch's does.
MAY_NAME["mindtorch"] |= {"pydot"}
# torch.utils.tensorboard writes messages of tensorboard, and what else it may be given to write.
MAY_NAME["mindtorch"] |= {"google", "matplotlib", "moviepy", "onnx", "PIL", "tensorboard"}
# torch.onnx.export writes messages of onnx. Models run on onnxruntime where that is installed, are
# handed out as onnx_ir's, translations may be written in onnxscript, profiles made by pyinstrument.
MAY_NAME["mindtorch"] |= {"onnx_ir", "onnxruntime", "onnxscript", "pyinstrument"}
# torch.utils.cpp_extension extends the builder of extensions.
MAY_NAME["mindtorch"] |= {"setuptools"}
MAY_NAME["mindtorch_cli"] = MAY_NAME["mindtorch_cli"] | {"click"}
MAY_NAME["mindtorch"] = MAY_NAME["mindtorch"] | {"numba"}  # mindtorch[jit]


def loaded_by(statement: str) -> set[str]:
    """The top-level modules that are loaded after *statement* ran in a fresh interpreter."""
    code = (
        "import sys; before = set(sys.modules); " + statement + "; import json; "
        "print(json.dumps(sorted({m.partition('.')[0] for m in set(sys.modules) - before})))"
    )
    done = run_python("-c", code)
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.parametrize("name", NAMES)
def test_importing_a_package_loads_only_what_it_may(name):
    """A package loads no sibling but those of its arrows, and never torch."""
    loaded = loaded_by(f"import {name}")
    siblings = loaded & set(NAMES) - {name}
    assert siblings <= MAY_LOAD[name]
    assert "torch" not in loaded
    foreign = {
        m
        for m in loaded
        if m in {"scipy", "pandas", "pytest", "sklearn", "threadpoolctl", "torch_npu"}
    }
    assert not foreign
    if name in {"mindtorch_autograd", "mindtorch_dispatch"}:
        assert not loaded & {"ml_dtypes", "numpy"}
    if name != "mindtorch_cli":
        assert not loaded & {"rich", "typer"}


def test_importing_mindtorch_leaves_heavy_modules_alone():
    """What only rare features need is loaded by those features, not by the import."""
    heavy = {"asyncio", "multiprocessing", "unittest", "pdb", "doctest", "http", "xml"}
    assert not loaded_by("import numpy, ml_dtypes; before = set(sys.modules); import mindtorch") & (
        heavy
    )


def imported_modules(tree: ast.AST) -> list[tuple[int, str]]:
    """(line, top-level module) of every absolute import, inside functions too.

    Imports under ``if TYPE_CHECKING`` count as well: an island needs no sibling's types either.
    """
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name.partition(".")[0]) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            found.append((node.lineno, node.module.partition(".")[0]))
        elif (
            isinstance(node, ast.Call)
            and getattr(node.func, "attr", getattr(node.func, "id", "")) == "import_module"
            and node.args
            and isinstance(node.args[0], ast.Constant)
            and isinstance(node.args[0].value, str)
            and not node.args[0].value.startswith(".")
        ):
            found.append((node.lineno, node.args[0].value.partition(".")[0]))
    return found


@pytest.mark.parametrize("name", NAMES)
def test_source_names_no_module_that_the_package_may_not_use(name):
    """No import of torch, of a package above, or of an undeclared module, however late."""
    allowed = MAY_LOAD[name] | MAY_NAME[name] | {name} | set(sys.stdlib_module_names)
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {module}"
        for path in sources(FOLDER_OF[name])
        for line, module in imported_modules(ast.parse(path.read_text("utf-8")))
        if module not in allowed and (module, path.name) != ("torch", HARDWARE_DRIVER)
    ]
    assert not wrong, "\n".join(wrong)


#: Where a device's name is data and not a decision: parsing it, and making the backend it names.
DEVICE_NAMES_BELONG_IN = (
    "packages/mindtorch/src/mindtorch/backends/",
    "packages/npu/src/mindtorch_npu/",
    "packages/storage/src/mindtorch_storage/device.py",
)
ACCELERATORS = {"npu", "cuda", "mps", "xpu", "privateuseone"}
#: Only files that have one as a string are parsed: to walk through all takes four seconds.
NAMES_ONE = re.compile(f"""["']({"|".join(sorted(ACCELERATORS))})["']""")


def compared_device_names(tree: ast.AST) -> list[tuple[int, str]]:
    """(line, name) of comparisons, memberships and match cases against an accelerator's name."""
    found = []
    for node in ast.walk(tree):
        values: list[ast.AST] = []
        if isinstance(node, ast.Compare):
            values = [node.left, *node.comparators]
        elif isinstance(node, ast.MatchValue):
            values = [node.value]
        for value in values:
            inner = value.elts if isinstance(value, ast.Tuple | ast.List | ast.Set) else [value]
            for item in inner:
                if isinstance(item, ast.Constant) and item.value in ACCELERATORS:
                    found.append((node.lineno, item.value))
    return found


def test_nothing_outside_the_backends_asks_for_a_devices_name():
    """A backend is a value; code that compares with its name has to change with every backend."""
    wrong = []
    for folder in PACKAGES:
        for path in sources(folder):
            place = path.relative_to(ROOT).as_posix()
            if place.startswith(DEVICE_NAMES_BELONG_IN):
                continue
            text = path.read_text("utf-8")
            if not NAMES_ONE.search(text):
                continue
            for line, device in compared_device_names(ast.parse(text)):
                wrong.append(f"{place}:{line} compares with {device!r}")
    assert not wrong, "\n".join(wrong)


def test_the_search_for_device_names_finds_them():
    """The search itself sees each form of the question."""
    code = "x == 'npu'\ny in ('cpu', 'cuda')\nmatch z:\n    case 'mps': pass"
    assert NAMES_ONE.findall(code) == ["npu", "cuda", "mps"]
    assert [name for _, name in compared_device_names(ast.parse(code))] == ["npu", "cuda", "mps"]


#: mindtorch and the CLI show more than their own names: torch's, and submodules.
@pytest.mark.parametrize("name", sorted(set(NAMES) - {"mindtorch"}))
def test_all_is_sorted_and_complete(name):
    """``__all__`` has every public name of the package's door, in order, and no other."""
    code = (
        f"import {name} as p, json, types; print(json.dumps([list(p.__all__), sorted(n for n in "
        "vars(p) if not n.startswith('_') and not isinstance(vars(p)[n], types.ModuleType) "
        "and n != 'annotations')]))"
    )
    done = run_python("-c", code)
    assert done.returncode == 0, done.stderr
    listed, public = json.loads(done.stdout)
    assert listed == sorted(listed), "sorted"
    assert len(listed) == len(set(listed)), "no name twice"
    code = (
        f"import {name} as p; missing = [n for n in p.__all__ if not hasattr(p, n)]; print(missing)"
    )
    assert run_python("-c", code).stdout.strip() == "[]"
    assert set(public) <= set(listed), sorted(set(public) - set(listed))


@pytest.mark.parametrize("folder", sorted(PACKAGES))
def test_package_is_typed(folder):
    """Every package ships its types."""
    assert (ROOT / folder / "src" / PACKAGES[folder] / "py.typed").exists()

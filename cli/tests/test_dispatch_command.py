"""``mindtorch dispatch …`` as a user runs it."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest
from mindtorch_cli.app import app


def test_explain_shows_schema_and_kernels(run, toy):
    """The schema is on top; each kernel with its place and reason."""
    done = run("dispatch", "explain", toy)
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("toy::pair.Tensor(Tensor self, Tensor other) -> Tensor")
    assert "cpu_kernel" in done.stdout and "registered at" in done.stdout
    assert "keys without a kernel are not shown" in done.stdout


def test_explain_shows_the_path_of_a_call(run, toy):
    """Argument specs stand for the call's arguments; keys and masks come before the path."""
    done = run("dispatch", "explain", toy, "f32[2,3],grad", "f32[3]", "--exclude", "NPU")
    assert done.exit_code == 0, done.output
    text = done.stdout
    places = [
        text.index(word)
        for word in ("self = f32[2,3],grad", "other = f32[3]", "together", "-NPU", "dispatched by")
    ]
    path = text[text.index("kernel, why, defined at") :]
    assert places == sorted(places)
    assert path.index("AutogradCPU") < path.index("ADInplaceOrView") < path.index("cpu_kernel")
    assert "falls through" in path and "conftest.py:" in path


def test_explain_add_on_the_npu_inside_a_pipeline(run_json):
    """The op of the documents: deferred after Autograd has recorded its node."""
    words = ("aten::add", "f32[2,3]@npu,grad", "f32[3]@npu")
    data = run_json("dispatch", "explain", *words, "--pipeline")
    assert data["operator"] == "aten::add.Tensor"
    path = [s for s in data["call"]["path"] if s["kernel"]]
    keys = [s["key"] for s in path]
    assert keys.index("Pipeline") < keys.index("AutogradNPU") < keys.index("NPU")
    assert [s["key"] for s in path if s["deferred"]] == ["NPU"]
    assert {"CPU", "Meta", "NPU"} <= {r["key"] for r in data["registered"]}
    plain = run_json("dispatch", "explain", *words)["call"]
    assert not any(s["deferred"] for s in plain["path"])


def test_explain_a_factory_by_its_device(run_json):
    """Without tensors the device argument decides."""
    call = run_json("dispatch", "explain", "ones", "[2,3]", "device=npu")["call"]
    assert "NPU" in call["keys"] and "CPU" not in call["keys"]


@pytest.mark.parametrize(
    "words, said",
    [
        (("dispatch", "explain", "aten::ad"), "did you mean aten::add"),
        (("dispatch", "explain", "aten::add", "f33[2]", "2"), "did you mean f32"),
        (("dispatch", "explain", "aten::add", "f32[2]"), "needs other"),
        (("dispatch", "explain", "aten::add", "--pipeline"), "give the call's arguments too"),
        (("dispatch", "explain", "aten::add", "--no-grad"), "give the call's arguments too"),
        (("dispatch", "explain", "relu", "f32[2]", "--include", "Pipelin"), "mean Pipeline?"),
        (("dispatch", "ops", "--missing", "np"), "no dispatch key is called np"),
        (("dispatch", "why-not", "relu"), "Missing argument"),
        (("dispatch", "why-not", "relu", "SparseCPUU"), "did you mean SparseCPU"),
        (("dispatch", "why-not", "aten::rel", "CPU"), "did you mean aten::relu"),
        (("dispatch", "diff", "aten::rel"), "did you mean aten::relu"),
        (("dispach",), "No such command 'dispach'"),
        (("dispatch", "explain"), "Missing argument"),
        (("dispatch", "ops", "ad_d"), "no operator matches ad_d"),
        (("dispatch", "explane"), "Did you mean 'explain'?"),
        (("dispatch", "keys", "--jsn"), "No such option"),
    ],
)
def test_bad_use_ends_with_code_2_and_a_reason(run, words, said):
    """The message is on stderr, stdout stays empty."""
    done = run(*words)
    assert done.exit_code == 2
    assert not done.stdout
    words_of = " ".join(done.stderr.replace("│", " ").split())
    assert said in words_of, done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("dispatch", "explain", "aten::add", "f32[2,3]@npu,grad", "f32[3]@npu", "--pipeline"),
        ("dispatch", "explain", "aten::add", "--all"),
        ("dispatch", "explain", "relu", "f32[2],grad", "--all", "--no-grad"),
        ("dispatch", "why-not", "relu", "SparseCPU"),
        ("dispatch", "why-not", "add.Tensor", "CPU"),
        ("dispatch", "ops", "--missing", "cuda"),
        ("dispatch", "keys"),
        ("dispatch", "ops"),
        ("env",),
        ("npu", "memory-summary"),
    ],
    ids=" ".join,
)
def test_output_fits_80_columns_without_colours(run, words):
    """Lines are folded, never cut, and hold no escape codes."""
    done = run(*words)
    assert done.exit_code == 0, done.output
    assert "\x1b" not in done.stdout and "…│" not in done.stdout
    # A line of code is left to the terminal to fold: it is to be copied as one.
    assert max(len(x) for x in done.stdout.splitlines() if not x.startswith("lib = ")) <= 80


def test_keys_and_ops_as_json(run_json):
    """``--json`` prints lists of objects."""
    assert {"bit", "key", "note"} == set(run_json("dispatch", "keys")[0])
    (row,) = run_json("dispatch", "ops", "aten::add.Tensor")
    assert row["schema"].startswith("aten::add.Tensor(Tensor self, Tensor other")


COMMANDS = [
    ("dispatch", "explain"),
    ("dispatch", "trace"),
    ("dispatch", "why-not"),
    ("dispatch", "diff"),
    ("dispatch", "ops"),
    ("dispatch", "keys"),
    ("npu", "memory-summary"),
    ("env",),
]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_help_has_examples(run, words):
    """Every command shows how it is used."""
    done = run(*words, "--help")
    assert done.exit_code == 0
    assert f"mindtorch {' '.join(words)}" in done.stdout.partition("Examples:")[2]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_group_says_what_the_command_says(run, words):
    """The line in a group's help is the first line of the command's own."""
    group = app
    for word in words[:-1]:
        group = import_module(group.info.cls.members[word].module).app
    member = group.info.cls.members[words[-1]]
    (command,) = import_module(member.module).app.registered_commands
    assert command.callback.__doc__.splitlines()[0] == member.help
    assert member.help.split()[0] in run(*words[:-1], "--help").stdout


@pytest.mark.parametrize("words", [("--help",), ("dispatch", "--help"), ("npu", "-h")])
def test_help_of_groups_imports_nothing_heavy(words):
    """Neither numpy nor mindtorch is needed to say which commands there are."""
    code = (
        "import sys; from mindtorch_cli.app import app\n"
        f"try: app({list(words)!r})\n"
        "except SystemExit: pass\n"
        "heavy = {'numpy', 'mindtorch', 'mindtorch_dispatch', 'torch'} & set(sys.modules)\n"
        "sys.exit(repr(heavy) if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "Commands" in done.stdout


def test_version(run):
    """The global option."""
    from mindtorch_cli.__about__ import __version__

    assert run("--version").stdout == f"mindtorch {__version__}\n"

"""``mindtorch dispatch …`` as a user runs it."""

from __future__ import annotations

import pytest


def test_explain_shows_schema_and_kernels(run, toy):
    """The schema is on top; each kernel with its place and reason."""
    done = run("dispatch", "explain", toy)
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("toy::pair.Tensor(Tensor self, Tensor other) -> Tensor")
    assert "cpu_kernel" in done.stdout and "registered at" in done.stdout
    assert "keys without a kernel are not shown" in done.stdout


def test_explain_shows_the_path_of_a_call(run, toy):
    """Argument specs stand for the call's arguments."""
    done = run("dispatch", "explain", toy, "f32[2,3],grad", "f32[3]")
    assert done.exit_code == 0, done.output
    assert "toy::pair.Tensor(f32[2,3],grad, f32[3])" in done.stdout
    tail = done.stdout[done.stdout.index("(f32[2,3]") :]
    assert tail.index("AutogradCPU") < tail.index("cpu_kernel")


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
        (("dispatch", "explain"), "Missing argument"),
        (("dispatch", "ops", "ad_d"), "no operator matches ad_d"),
        (("dispatch", "explane"), "No such command"),
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
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_keys_and_ops_as_json(run_json):
    """``--json`` prints lists of objects."""
    assert {"bit", "key", "note"} == set(run_json("dispatch", "keys")[0])
    (row,) = run_json("dispatch", "ops", "aten::add.Tensor")
    assert row["schema"].startswith("aten::add.Tensor(Tensor self, Tensor other")


@pytest.mark.parametrize(
    "words", [(), ("dispatch",), ("dispatch", "explain"), ("npu", "memory-summary"), ("env",)]
)
def test_help_has_examples(run, words):
    """Every command shows how it is used."""
    done = run(*words, "--help")
    assert done.exit_code == 0
    if words and words[-1] != "dispatch":
        assert "Examples:" in done.stdout


def test_version(run):
    """The global option."""
    from mindtorch_cli.__about__ import __version__

    assert run("--version").stdout == f"mindtorch {__version__}\n"

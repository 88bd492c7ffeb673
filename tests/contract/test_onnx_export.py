"""What ``torch.onnx.export`` is asked for: names, versions, files, errors, own translations."""

from __future__ import annotations

import io
from importlib.util import find_spec
from pathlib import Path

import mindtorch as torch
import onnx
import pytest
from mindtorch import nn
from mindtorch.onnx.errors import OnnxExporterWarning, UnsupportedOperatorError

from .onnx_models import checked

X = torch.ones(2, 3)


class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 4)
        self.register_buffer("offset", torch.arange(4.0))

    def forward(self, x, y=None):
        z = self.linear(x) + self.offset
        z = z if y is None else z + y
        return {"z": z, "sum": z.sum(0), "steps": torch.arange(3)}


class Airy(nn.Module):
    def forward(self, x):
        return torch.special.airy_ai(x).sum()


class Function(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *args):
        return self.function(*args)


def exported(model=None, args=(X,), f=None, **how):
    how.setdefault("verbose", False)
    return torch.onnx.export((model or Small()).eval(), args, f, **how)


def older(model=None, args=(X,), **how):
    """The model that ``dynamo=False`` writes."""
    file = io.BytesIO()
    assert torch.onnx.export((model or Small()).eval(), args, file, dynamo=False, **how) is None
    return onnx.load_from_string(file.getvalue())


def names(values):
    return [v.name for v in values]


# Names --------------------------------------------------------------------------------------------


def test_inputs_outputs_and_weights_are_called_as_in_torch():
    """After parameters of forward, operators, and names in the state dict; facts of torch 2.13."""
    model = exported().model_proto
    graph = model.graph
    assert (graph.name, names(graph.input)) == ("main_graph", ["x"])
    assert names(graph.output) == ["add", "sum_1", "arange"]
    weights = [n for n in names(graph.initializer) if not n.startswith("val_")]
    assert weights == ["linear.weight", "linear.bias", "offset", "arange"]
    assert [n.name for n in graph.node] == ["node_linear", "node_add", "node_sum_1"]
    assert [n.op_type for n in graph.node] == ["Gemm", "Add", "ReduceSum"]
    assert (model.opset_import[0].version, model.ir_version) == (20, 10)
    assert model.producer_name == "pytorch"
    said = {p.key: p.value for p in graph.node[0].metadata_props}
    assert said["namespace"].endswith(
        ".Small/linear: torch.nn.modules.linear.Linear/linear: aten.linear.default"
    ) or said["namespace"].endswith(
        ".Small/linear: mindtorch.nn.modules.linear.Linear/linear: aten.linear.default"
    )


def test_names_are_given_to_the_first():
    graph = exported(input_names=["rows", "more"], output_names=["a", "b"]).model_proto.graph
    assert (names(graph.input), names(graph.output)) == (["rows"], ["a", "b", "arange"])
    with pytest.raises(ValueError, match="Input names cannot be duplicated"):
        exported(input_names=["rows", "rows"])


def test_what_comes_in_and_goes_out_is_copied():
    graph = exported(Function(lambda x: (x, x + 1, x))).model_proto.graph
    assert names(graph.input) == ["args_0_orig"]
    assert names(graph.output) == ["args_0", "add", "args_0_alias_2"]


def test_no_two_values_have_a_name():
    """Whatever a parameter, an output or an operator is called."""

    class Names(nn.Module):
        def __init__(self):
            super().__init__()
            self.add = nn.Parameter(torch.ones(3))

        def forward(self, x):
            return (x + self.add + 1) * 2

    for how in ({}, {"output_names": ["add"]}, {"input_names": ["mul"]}, {"output_names": ["x"]}):
        program = exported(Names(), **how)
        checked(program.model_proto)
        assert program.call_reference(X)[0].tolist() == [[6.0] * 3] * 2
    graph = exported(Function(lambda x: (torch.zeros(2), torch.zeros(2)))).model_proto.graph
    assert names(graph.output) == ["zeros", "zeros_1"]


def test_random_numbers_are_drawn_when_the_model_runs():
    def drawn(x):
        return nn.functional.gumbel_softmax(x), torch.rand(3), torch.randint(0, 5, (3,))

    program = exported(Function(drawn))
    checked(program.model_proto)
    results = program.call_reference(X)
    assert [(t.shape, t.dtype) for t in results] == [
        ((2, 3), torch.float32),
        ((3,), torch.float32),
        ((3,), torch.int64),
    ]
    assert 0 <= int(results[2].min()) and int(results[2].max()) < 5


def test_the_older_exporter_names_weights_by_further_inputs():
    graph = older(input_names=["i", "w", "v"], output_names=["p"]).graph
    assert names(graph.input) == ["i"] and names(graph.output) == ["p", "sum_1", "arange"]
    assert names(graph.initializer)[:2] == ["w", "v"]
    with pytest.raises(RuntimeError, match=r"^number of input names provided \(19\) exceeded"):
        older(input_names=[str(i) for i in range(19)])
    with pytest.raises(RuntimeError, match=r"output names provided \(4\) exceeded number of outp"):
        older(output_names=["a", "b", "c", "d"])


@pytest.mark.skipif(find_spec("onnxscript") is None, reason="torch's exporter needs it")
@pytest.mark.parametrize("model", ["Small", "Airy"])
def test_names_and_errors_are_torchs(model):
    """What torch's own exporter writes for the same modules; errors to the text."""
    import torch as oracle

    source = Path(__file__).read_text("utf-8").replace("mindtorch", "torch")
    body = source[source.index("class Small") : source.index("class Function")]
    space = {"nn": oracle.nn, "torch": oracle}
    exec(body, space)
    theirs, ours = space[model]().eval(), globals()[model]().eval()
    found = []
    for home, module in ((oracle, theirs), (torch, ours)):
        try:
            graph = home.onnx.export(module, (home.ones(2, 3),), verbose=False).model_proto.graph
            found.append((names(graph.input), names(graph.output)))
        except RuntimeError as error:
            found.append(str(error).replace("mindtorch", "torch"))
    assert found[0] == found[1]


# Versions and files -------------------------------------------------------------------------------


@pytest.mark.parametrize("version", [11, 13, 17, 18, 21, 23])
def test_a_version_is_what_is_asked_for(version):
    class Layers(nn.Sequential):
        def __init__(self):
            super().__init__(nn.Linear(3, 4), nn.LayerNorm(4), nn.GELU(), nn.Softmax(0))

    module = Layers().eval()
    for model in (exported(module, opset_version=version).model_proto, None):
        model = checked(model or older(module, opset_version=version))
        assert model.opset_import[0].version == version
    program = exported(module, opset_version=version)
    torch.testing.assert_close(program.call_reference(X)[0], module(X).detach())


def test_a_version_that_torch_does_not_know_is_18_or_refused():
    assert exported(opset_version=99).model_proto.opset_import[0].version == 18
    with pytest.raises(RuntimeError, match="^Unsupported onnx_opset_version: 99$"):
        older(opset_version=99)


def test_files_hold_weights_beside_them_or_in_them(tmp_path):
    wide = nn.Linear(3, 100)
    exported(wide, f=tmp_path / "a.onnx")
    exported(wide, f=str(tmp_path / "b.onnx"), external_data=False)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.onnx", "a.onnx.data", "b.onnx"]
    one, other = (onnx.load(tmp_path / name) for name in ("a.onnx", "b.onnx"))
    assert one.graph.initializer[0].raw_data == other.graph.initializer[0].raw_data
    exported(wide, f=tmp_path / "c.onnx", export_params=False)
    bare = onnx.load(tmp_path / "c.onnx", load_external_data=False)
    assert (
        not bare.graph.initializer
        and names(bare.graph.input) == ["args_0"]
        or names(bare.graph.input) == ["input"]
    )
    exported(wide, f=tmp_path / "d.onnx", keep_initializers_as_inputs=True)
    assert names(onnx.load(tmp_path / "d.onnx").graph.input)[1:] == ["weight", "bias"]


def test_verbose_says_what_is_done(capsys):
    exported(verbose=None)
    said = capsys.readouterr().out.splitlines()
    assert said[0] == (
        "[torch.onnx] Obtain model graph for `Small([...]` with "
        "`torch.export.export(..., strict=False)`..."
    )
    assert said[-1] == "[torch.onnx] Optimize the ONNX graph... \N{WHITE HEAVY CHECK MARK}"


# Programs -----------------------------------------------------------------------------------------


def test_a_program_tells_values_and_takes_other_weights():
    program = exported()
    (linear,) = program.compute_values(["linear"], (X,))
    module = program.exported_program.module()
    torch.testing.assert_close(linear + torch.arange(4.0), module(X)["z"].detach())
    with pytest.raises(ValueError, match="^Value 'nix' not found in the model. Please provide"):
        program.compute_values(["nix"], (X,))
    with pytest.warns(OnnxExporterWarning, match="Weight 'no' not found in the model. Skipped"):
        program.apply_weights({"offset": torch.zeros(4), "no": X})
    torch.testing.assert_close(program.call_reference(X)[0], linear)
    found = torch.onnx.verification.verify_onnx_program(exported(), compare_intermediates=True)
    assert [i.name for i in found][:3] == ["add", "sum_1", "arange"]
    assert all(i.max_abs_diff < 1e-5 for i in found)
    torch.onnx.testing.assert_onnx_program(exported(), backend="reference")


def test_keywords_and_a_program_of_export_are_taken():
    graph = exported(args=(), kwargs={"y": torch.ones(4), "x": X}).model_proto.graph
    assert sorted(names(graph.input)) == ["x", "y"]
    assert names(older(args=(X, {"y": torch.ones(4)})).graph.input) == ["x", "y"]
    drawn = torch.export.export(Small().eval(), (X,))
    assert names(torch.onnx.export(drawn, verbose=False).model_proto.graph.input) == ["x"]


def test_a_traced_module_is_taken_by_the_older_exporter():
    traced = torch.jit.trace(nn.Sequential(nn.Linear(3, 2), nn.ReLU()), X)
    assert [n.op_type for n in older(traced).graph.node] == ["Gemm", "Relu"]
    with pytest.raises(torch.onnx.OnnxExporterError, match="Exporting a ScriptModule is not"):
        exported(traced)


def test_modes_and_who_is_asked():
    """The older exporter puts the model into its mode and back; both say that they export."""
    seen = []

    class Looks(nn.Module):
        def forward(self, x):
            seen.append((self.training, torch.onnx.is_in_onnx_export()))
            return x + 1

    module = Looks()
    torch.onnx.export(module, (X,), io.BytesIO(), dynamo=False)
    with pytest.warns(UserWarning, match="^Exporting a model while it is in training mode"):
        torch.onnx.export(module, (X,), verbose=False)
    assert seen == [(False, True), (True, True)] and module.training
    assert not torch.onnx.is_in_onnx_export()


# Errors -------------------------------------------------------------------------------------------


def test_an_operator_without_translation_is_named():
    with pytest.raises(torch.onnx.OnnxExporterError) as caught:
        exported(Airy())
    text = str(caught.value)
    assert text.startswith("Failed to convert the exported program to an ONNX model. \033[96mThis")
    assert (
        "No ONNX function found for <OpOverload(op='aten.special_airy_ai', overload='default')>. "
        "Failure message: No decompositions registered for the real-valued input" in text
    )
    with pytest.raises(UnsupportedOperatorError) as caught:
        older(Airy())
    assert str(caught.value) == (
        "Exporting the operator 'aten::special_airy_ai' to ONNX opset version 20 is not supported"
    )


def test_a_model_that_cannot_be_drawn_says_which_step_failed():
    with pytest.raises(torch.onnx.OnnxExporterError, match="This is step 1/3") as caught:
        exported(Function(lambda x: x if x.sum() > 0 else -x))
    assert type(caught.value).__name__ == "TorchExportError"
    with pytest.raises(torch.onnx.OnnxExporterError, match="Expected `mod` to be an instance of"):
        torch.onnx.export(torch.relu, (X,), verbose=False)


# Translations by users ----------------------------------------------------------------------------


def test_a_symbolic_function_translates_an_operator_of_ones_own():
    """With every argument of the schema, into a domain of its own."""
    with torch.library._scoped_library("onnxtests", "DEF") as library:
        library.define("twice(Tensor x, int times=2) -> Tensor")
        library.impl("twice", lambda x, times=2: x * times, "CompositeExplicitAutograd")
        torch.library.register_fake("onnxtests::twice", lambda x, times=2: x * times, lib=library)

        @torch.onnx.symbolic_helper.parse_args("v", "i")
        def twice(g, x, times):
            assert torch.onnx.symbolic_helper._get_tensor_sizes(x) == [2, 3]
            return g.op("mine::Twice", x, times_i=times)

        torch.onnx.register_custom_op_symbolic("onnxtests::twice", twice, 9)
        try:
            call = Function(lambda x: torch.ops.onnxtests.twice(x) + 1)
            model = older(call, custom_opsets={"mine": 3})
        finally:
            torch.onnx.unregister_custom_op_symbolic("onnxtests::twice", 9)
        node = model.graph.node[0]
        assert (node.domain, node.op_type, node.attribute[0].i) == ("mine", "Twice", 2)
        assert {o.domain: o.version for o in model.opset_import} == {"": 20, "mine": 3}
        with pytest.raises(UnsupportedOperatorError, match="unrecognized namespace onnxtests::"):
            older(call)
    with pytest.raises(torch.onnx.OnnxExporterError, match="^Failed to register operator twice"):
        torch.onnx.register_custom_op_symbolic("twice", twice, 9)


def test_nodes_are_asked_for_by_name():
    """Outside of an export they give zeros."""

    def call(x):
        y = torch.onnx.ops.symbolic(
            "mine::One", (x, None), {"a": 1, "b": [1.5], "c": "s"}, dtype=1, shape=(2, 4), version=7
        )
        return torch.onnx.ops.symbolic_multi_out(
            "other::Two", (y,), dtypes=[torch.float32, 7], shapes=[(2,), (3, 3)]
        )

    assert [t.dtype for t in call(X)] == [torch.float32, torch.int64]
    model = exported(Function(call)).model_proto
    one, two = model.graph.node
    assert (one.op_type, list(one.input)) == ("One", ["args_0", ""])
    assert [a.name for a in one.attribute] == ["a", "b", "c"]
    assert (two.domain, list(two.output)) == ("other", names(model.graph.output))
    assert {o.domain: o.version for o in model.opset_import} == {"": 20, "mine": 7, "other": 1}


def test_without_the_library_the_call_fails_with_its_absence(monkeypatch):
    """The rest of torch does not need it."""
    import sys

    space = "mindtorch.onnx._internal"
    for name in [n for n in sys.modules if n.startswith(space)]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(ModuleNotFoundError, match="onnx"):
        torch.onnx.export(Small(), (X,), verbose=False)


def test_what_cannot_be_verified_is_refused_in_torchs_words():
    """Source: torch/onnx/_internal/exporter, _testing.py and _verification.py."""
    verify = torch.onnx.verification.verify_onnx_program
    assert_program = torch.onnx.testing.assert_onnx_program
    program = torch.onnx.export(nn.Linear(3, 2), (torch.ones(2, 3),), verbose=False)
    assert_program(program, backend="reference")
    with pytest.raises(ValueError, match=r"^Expected strategy 'Other' is used to capture the ex"):
        assert_program(program, strategy="Other", backend="reference")
    program.exported_program._example_inputs = None
    no_inputs = (
        r"^No example inputs provided and the exported_program does not contain example inputs. "
        r"Please provide arguments to verify the ONNX program.$"
    )
    for check in (verify, assert_program):
        with pytest.raises(ValueError, match=no_inputs):
            check(program)
    program.exported_program = None
    with pytest.raises(ValueError, match=r"^The ONNX program does not contain an exported_program"):
        verify(program)
    with pytest.raises(
        ValueError, match=r"^The ONNXProgram does not contain an ExportedProgram. T"
    ):
        assert_program(program)

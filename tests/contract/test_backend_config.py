"""What backends can quantize: their configurations, and what is set in one's own."""

import importlib
import re

import pytest

from tests.contract.both_frameworks import agree, refuse

BACKENDS = "native fbgemm qnnpack x86 onednn tensorrt executorch".split()
CONFIGURED = "ao.quantization.backend_config"
BY_PATTERN = [
    "get_pattern_to_dtype_configs",
    "get_pattern_to_input_type_to_index",
    "get_root_module_to_quantized_reference_module",
    "get_module_to_qat_module",
]
#: Functions are the same where they are in the same place.
ADDRESS = re.compile(r" of type object at 0x\w+| at 0x\w+| object")


def home(t, name):
    """A module of the configurations; torch needs ``quantize_fx`` to be imported before."""
    importlib.import_module(f"{t.__name__}.ao.quantization.quantize_fx")
    return importlib.import_module(f"{t.__name__}.{CONFIGURED}{name}")


def plain(value):
    """A configuration, with functions and classes by their names alone."""
    if isinstance(value, dict):
        return {str(plain(key)): plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    if callable(value) and not isinstance(value, type) or hasattr(value, "__self__"):
        return "a function" if "fuse" in value.__name__ else value.__name__.replace("_nn.", "")
    if isinstance(value, type):
        return f"{value.__module__}.{value.__name__}".replace("mindtorch", "torch")
    return str(value).replace("mindtorch", "torch")


def _made(t, backend):
    return getattr(home(t, f".{backend}"), f"get_{backend}_backend_config")()


def _shown(t, config):
    """A configuration as a dict; what fuses, and finds nodes, as that there is such."""
    found = config.to_dict()
    for entry in found["configs"]:
        for name in ("fuser_method", "root_node_getter", "extra_inputs_getter"):
            if name in entry:
                entry[name] = True
    return plain(found)


@pytest.mark.parametrize("backend", BACKENDS)
def test_configurations(backend):
    agree(lambda t: _shown(t, _made(t, backend)))


def test_the_configuration_of_half_precision():
    def program(t):
        legacy = home(t, ".native").get_test_only_legacy_native_backend_config()
        return _shown(t, legacy), len(
            home(t, ".native").get_native_backend_config_dict()["configs"]
        )

    agree(program)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", BY_PATTERN)
def test_one_thing_of_all_patterns(backend, name):
    agree(lambda t: plain(getattr(home(t, ".utils"), name)(_made(t, backend))))


@pytest.mark.parametrize("backend", BACKENDS)
def test_classes_and_functions_of_all_patterns(backend):
    def program(t):
        utils, config = home(t, ".utils"), _made(t, backend)
        return (
            sorted(plain(utils.get_qat_module_classes(config))),
            sorted(plain(utils.get_fused_module_classes(config))),
            [str(plain(key)) for key in utils.get_fuser_method_mapping(config)],
            [str(plain(key)) for key in utils.get_fusion_pattern_to_root_node_getter(config)],
            [str(plain(key)) for key in utils.get_fusion_pattern_to_extra_inputs_getter(config)],
        )

    agree(program)


@pytest.mark.parametrize("backend", ["native", "onednn"])
def test_text_of_entries(backend):
    def program(t):
        utils, seen = home(t, ".utils"), []
        for entry in _made(t, backend).to_dict()["configs"]:
            for name in ("fuser_method", "root_node_getter", "extra_inputs_getter"):
                if name in entry:
                    entry[name] = name
            if not any(callable(part) for part in (entry.get("pattern"),)):
                continue
            if isinstance(entry["pattern"], type):
                seen.append(utils.entry_to_pretty_str(entry).replace("mindtorch", "torch"))
        names = utils.remove_boolean_dispatch_from_name, utils.pattern_to_human_readable
        pools = [names[0](t.nn.functional.max_pool1d), names[0](t.nn.functional.max_pool3d)]
        return seen, pools, plain(names[1]((t.nn.functional.max_pool2d, t.nn.ReLU, "mean")))

    agree(program)


SETTINGS = {
    "set_observation_type": lambda t: home(t, "").ObservationType.INPUT_OUTPUT_NOT_OBSERVED,
    "add_dtype_config": lambda t: home(t, "").DTypeConfig(t.quint8, is_dynamic=False),
    "set_dtype_configs": lambda t: [home(t, "").DTypeConfig()],
    "set_root_module": lambda t: t.nn.Linear,
    "set_qat_module": lambda t: t.nn.Conv1d,
    "set_reference_quantized_module": lambda t: t.nn.Conv2d,
    "set_fused_module": lambda t: t.nn.Conv3d,
    "set_fuser_method": lambda t: t.nn.ReLU,
    "_set_root_node_getter": lambda t: t.nn.ELU,
    "_set_extra_inputs_getter": lambda t: t.nn.GELU,
    "_set_num_tensor_args_to_observation_type": lambda t: {1: 2},
    "_set_input_type_to_index": lambda t: {"weight": 1},
}


@pytest.mark.parametrize("setting", SETTINGS)
def test_settings_of_a_pattern(setting):
    def program(t):
        b = home(t, "")
        made = b.BackendPatternConfig((t.nn.Linear, t.nn.ReLU))
        assert getattr(made, setting)(SETTINGS[setting](t)) is made
        whole = b.BackendConfig("mine").set_backend_pattern_config(made).set_name("yours")
        again = b.BackendConfig.from_dict(whole.to_dict())
        return [str(x).replace("mindtorch", "torch") for x in (made, whole, again, whole.to_dict())]

    agree(program)


def test_dtypes():
    def program(t):
        b = home(t, "")
        bounded = b.DTypeWithConstraints(t.quint8, quant_min_lower_bound=0, scale_exact_match=0.5)
        made = b.DTypeConfig(t.quint8, bounded, t.qint8, t.float, True)
        again = b.DTypeConfig.from_dict(made.to_dict())
        found = (made, made.to_dict(), again == made, b.DTypeConfig().to_dict(), bounded)
        dtypes = (made.input_dtype, made.output_dtype, made.weight_dtype)
        return [str(x).replace("mindtorch", "torch") for x in (*found, *dtypes)]

    agree(program)


REFUSED = {
    "a dtype": lambda t, b: b.DTypeConfig.from_dict({"input_dtype": 1}),
    "an output": lambda t, b: b.DTypeConfig.from_dict({"output_dtype": "x"}),
    "dtypes": lambda t, b: b.BackendPatternConfig.from_dict({"dtype_configs": [3]}),
    "a pattern's configuration": lambda t, b: b.BackendConfig.from_dict({"configs": [3]}),
    "no pattern": lambda t, b: b.BackendConfig().set_backend_pattern_config(
        b.BackendPatternConfig()
    ),
    "a long pattern": lambda t, b: b.BackendConfig().set_backend_pattern_config(
        b.BackendPatternConfig(("a", "b", "c", "d"))
    ),
    "two formats": lambda t, b: b.BackendPatternConfig("a")._set_pattern_complex_format("b"),
    "formats twice": lambda t, b: (
        b.BackendPatternConfig()._set_pattern_complex_format(("b", "a")).set_pattern("a")
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case):
    refuse(lambda t: REFUSED[case](t, home(t, "")))


def test_methods_that_fuse_are_found_by_patterns():
    def program(t):
        found = importlib.import_module(
            f"{t.__name__}.ao.quantization.fuser_method_mappings"
        ).get_fuser_method_new
        known = home(t, ".utils").get_fuser_method_mapping(_made(t, "onednn"))
        conv, bn = t.nn.Conv2d(2, 2, 1).eval(), t.nn.BatchNorm2d(2).eval()
        pattern = (t.add, (t.nn.BatchNorm2d, t.nn.Conv2d), t.nn.Linear)
        made = found(pattern, known)(False, t.add, (bn, conv), None)
        one = found((t.nn.BatchNorm2d, t.nn.Conv2d), known)(False, bn, conv)
        return type(made).__name__, type(one).__name__

    agree(program)


def test_patterns_that_nothing_fuses():
    def program(t):
        mapping = importlib.import_module(f"{t.__name__}.ao.quantization.fuser_method_mappings")
        try:
            mapping.get_fuser_method_new(("a", ("b", "c")), {})
        except AssertionError as error:
            return str(error).replace("mindtorch", "torch")

    agree(program)

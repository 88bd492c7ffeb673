"""Names that ``set_logs`` knows: of logs, with levels, and of artifacts, which are on or off."""

from __future__ import annotations

_SYMBOLS = (
    "fx.experimental.symbolic_shapes fx.experimental.sym_node fx.experimental.recording"
).split()

#: The modules of ``torch`` that a log is of.
LOGS: dict[str, list[str]] = {
    "async_compile": "_inductor.async_compile".split(),
    "cache": "_inductor.remote_cache".split(),
    "dynamo": ["_dynamo", *_SYMBOLS],
    "fake_tensor": ["_subclasses.fake_tensor"],
    "aot": "_functorch.aot_autograd _functorch._aot_autograd".split(),
    "autograd": ["autograd"],
    "inductor": "_inductor _inductor.cudagraph_trees".split(),
    "dynamic": _SYMBOLS,
    "torch": [""],
    "distributed": "distributed _dynamo.backends.distributed nn.parallel.distributed".split(),
    "c10d": "distributed.distributed_c10d distributed.rendezvous".split(),
    "ddp": "nn.parallel.distributed _dynamo.backends.distributed".split(),
    "pp": ["distributed.pipelining"],
    "fsdp": "distributed.fsdp distributed._composable.fsdp".split(),
    "dtensor": "distributed._tensor distributed.tensor".split(),
    "onnx": ["onnx"],
    "native_dsl": ["_native"],
    "export": ["_dynamo", "export", *_SYMBOLS, "fx.experimental.proxy_tensor"],
}

#: Those that ``set_logs`` takes by keyword; others may stand in its *modules*.
KEYWORDS = frozenset(LOGS) - {"torch", "async_compile", "cache", "fake_tensor", "pp", "native_dsl"}

SWITCHES = frozenset(
    "aot_graphs aot_joint_graph autotuning benchmarking bytecode caching compiled_autograd "
    "compiled_autograd_verbose compute_dependencies cudagraph_static_inputs cudagraphs ddp_graphs "
    "fusion graph graph_breaks graph_code graph_code_verbose graph_region_expansion graph_sizes "
    "guards hierarchical_compile incremental inductor_metrics ir_post_fusion ir_pre_fusion "
    "kernel_code onnx_diagnostics output_code overlap perf_hints post_grad_graphs pre_grad_graphs "
    "recompiles recompiles_verbose schedule side_effects sym_node trace_bytecode trace_call "
    "trace_source".split()
)
ARTIFACTS = SWITCHES | frozenset(
    "annotation aot_graphs_effects auto_chunker custom_format_test_artifact loop_ordering "
    "loop_tiling node_runtime_estimation not_implemented overlap_scheduling trace_shape_events "
    "verbose_guards".split()
)

"""What depends on the process: environment, initialisation, fork, exit, missing devices."""

import os
import subprocess
import sys
import textwrap

import pytest


def run(code, *, check=True, **environment):
    """Run *code* in a fresh interpreter; return its output."""
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("MINDTORCH", "PYTORCH"))}
    inherited["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        env=inherited | environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    if check:
        assert done.returncode == 0, done.stderr
        assert done.stderr == ""
    return done.stdout if check else done


def test_nothing_initialises_by_looking():
    """Questions and statistics do not start the runtime; using a device does."""
    assert (
        run("""
        import mindtorch_npu as npu
        assert npu.is_available() and npu.device_count() == 2
        assert npu.memory_stats() == {} and npu.memory_allocated() == 0
        assert npu.memory_stats_as_nested_dict() == {}
        npu.empty_cache(); npu.manual_seed(1)
        try: npu.memory_summary(0)
        except KeyError as error: print(error)
        assert not npu.is_initialized()
        npu.set_device(1)
        print(npu.is_initialized(), npu.current_device())
    """)
        == "'allocated_bytes.all.current'\nTrue 1\n"
    )


def test_seeds_wait_for_the_initialisation():
    """Only the last manual_seed and the last manual_seed_all count, the most recent last."""
    assert run("""
        import mindtorch_npu as npu
        from mindtorch_npu import random

        class Generator:
            def __init__(self, index): self.index = index
            def manual_seed(self, seed): print("seed", self.index, seed)
            def initial_seed(self): return 7
            def seed(self): print("random", self.index)
            def get_state(self): return f"state {self.index}"

        random.set_generator_factory(Generator)
        npu.manual_seed_all(1); npu.manual_seed(2); npu.manual_seed(3); npu.manual_seed_all(4)
        npu.manual_seed(5)
        npu.init()
        npu.seed_all()
        print(npu.get_rng_state_all(), npu.get_rng_state("npu:1"), npu.initial_seed())
        print(len(npu.default_generators))
    """).split("\n") == [
        *("seed 0 4", "seed 1 4", "seed 0 5", "random 0", "seed 1 7"),
        "['state 0', 'state 1'] state 1 7",
        *("2", ""),
    ]


def test_deferred_call_that_fails_names_its_origin():
    """DeferredNpuCallError carries the cause and the stack of the call that was queued."""
    assert run("""
        import mindtorch_npu as npu
        def queue():
            npu._lazy_call(lambda: 1 / 0)
        queue()
        try: npu.init()
        except npu.DeferredNpuCallError as error:
            first, _, rest = str(error).partition("\\n\\n")
            print(first)
            print(rest.partition("\\n\\n")[0], "queue" in rest, type(error.__cause__).__name__)
            print(npu.is_initialized())
    """).splitlines() == [
        "NPU call failed lazily at initialization with error: division by zero",
        "NPU call was originally invoked at: True ZeroDivisionError",
        "False",
    ]


def test_environment_sizes_the_devices():
    """MINDTORCH_NPU_DEVICES and MINDTORCH_NPU_MEMORY; read until the initialisation, not then."""
    assert (
        run(
            """
            import os
            import mindtorch_npu as npu
            os.environ["ASCEND_RT_VISIBLE_DEVICES"] = ""
            before = npu.device_count(), npu.is_available()
            del os.environ["ASCEND_RT_VISIBLE_DEVICES"]
            print(before, npu.device_count(), npu.mem_get_info())
            os.environ["ASCEND_RT_VISIBLE_DEVICES"] = ""
            print(npu.device_count())
            npu.memory_stats()
            try: npu.caching_allocator_alloc(2**30)
            except npu.OutOfMemoryError as error: print(str(error)[:118])
            """,
            MINDTORCH_NPU_DEVICES="3",
            MINDTORCH_NPU_MEMORY="1GiB",
        )
        == "(0, False) 3 (939524096, 1073741824)\n3\n"
        "NPU out of memory. Tried to allocate 1024.00 MiB. NPU 0 has a total capacity of "
        "1024.00 MiB of which 896.00 MiB is fre\n"
    )


@pytest.mark.parametrize(
    ("processes", "given", "count"), [("4", None, 4), ("1", None, 2), ("4", "3", 3), ("x", None, 2)]
)
def test_there_is_a_device_for_each_process_of_this_machine(processes, given, count):
    """Unless the environment says how many there are."""
    code = "import mindtorch_npu as npu; print(npu.device_count())"
    variables = {} if given is None else {"MINDTORCH_NPU_DEVICES": given}
    assert run(code, LOCAL_WORLD_SIZE=processes, **variables) == f"{count}\n"


def test_allocator_settings_from_the_environment():
    """MINDTORCH_NPU_ALLOC_CONF wins over PYTORCH_ALLOC_CONF."""
    code = """
        import mindtorch_npu as npu
        npu.init(); print(npu.memory_stats()["max_split_size"] // 2**20)
    """
    assert run(code, PYTORCH_ALLOC_CONF="max_split_size_mb:50") == "50\n"
    both = {"MINDTORCH_NPU_ALLOC_CONF": "max_split_size_mb:60", "PYTORCH_ALLOC_CONF": "nonsense"}
    assert run(code, **both) == "60\n"


@pytest.mark.parametrize(
    ("variable", "value", "text"),
    [
        ("MINDTORCH_NPU_MEMORY", "lots", "not a memory size: 'lots'"),
        ("MINDTORCH_NPU_DEVICES", "two", "MINDTORCH_NPU_DEVICES must be a count of devices"),
        ("MINDTORCH_NPU_DRIVER", "torch_npu", "which is not installed; unset"),
        ("MINDTORCH_NPU_DRIVER", "cuda", "MINDTORCH_NPU_DRIVER must be simulator, torch_npu or"),
    ],
)
def test_bad_environment(variable, value, text):
    """is_available() never raises; init says what is wrong."""
    done = run(
        "import mindtorch_npu as npu; print(npu.is_available(), npu.device_count()); npu.init()",
        check=False,
        **{variable: value},
    )
    assert done.stdout == "False 0\n"
    assert text in done.stderr


def test_no_device():
    """Without a device: what initialises raises AssertionError, questions are answered."""
    code = """
        import mindtorch_npu as npu
        def ask(call):
            try: print(repr(call()))
            except Exception as error: print(f"{type(error).__name__}: {error}")
        for call in (
            npu.is_available, npu.device_count, npu._is_compiled, npu.init, npu.current_device,
            npu.get_device_name, npu.synchronize, npu.current_stream, npu.mem_get_info,
            npu.Stream, npu.Event, npu.empty_cache, npu.memory_stats, npu.memory_allocated,
            npu.reset_peak_memory_stats, npu.memory_summary, npu.is_bf16_supported,
            lambda: npu.set_device(-1), lambda: npu.set_device(0),
            lambda: npu.device(0).__enter__(),
            lambda: npu.device(-1).__enter__(), lambda: npu.stream(None).__enter__(),
            lambda: npu.manual_seed(0), npu.get_rng_state_all, npu.get_rng_state,
            lambda: npu.caching_allocator_delete(0),
            lambda: npu.caching_allocator_alloc(1),
        ):
            ask(call)
    """
    missing = "AssertionError: Torch not compiled with NPU enabled"
    assert run(code, MINDTORCH_NPU_DEVICES="0").splitlines() == [
        *("False", "0", "False", missing, missing, missing, missing, missing, missing),
        "RuntimeError: torch.npu.Stream requires NPU support",
        "RuntimeError: Tried to instantiate dummy base class Event",
        *("None", "OrderedDict()", "0", missing, "KeyError: 'allocated_bytes.all.current'"),
        *("False", "None", missing, "RuntimeError: PyTorch was compiled without NPU support"),
        *("None", "None", "None", "[]", missing, missing, missing),
    ]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_forked_child_is_poisoned():
    """After a fork the child cannot use devices; the parent's blocks and graphs may die there."""
    assert run("""
        import os, sys, warnings
        warnings.simplefilter("ignore")
        import mindtorch_npu as npu
        from mindtorch_npu import backend
        block = backend.allocate(1000, 0)
        graph, pool = npu.NPUGraph(), npu.MemPool()
        with npu.graph(graph):
            backend.launch(0, "add", int)
        npu._sleep(50_000_000)
        if os.fork() == 0:
            del graph, pool
            print(npu._is_in_bad_fork(), npu.is_initialized(), npu.memory_stats())
            npu.empty_cache()
            block.free()
            for call in (npu.init, lambda: backend.allocate(1, 0),
                         lambda: backend.launch(0, "add", int), lambda: npu.set_device(1)):
                try: call()
                except RuntimeError as error: print(error)
            sys.stdout.flush()
            os._exit(0)
        print(os.wait()[1])
        npu.synchronize()
        print(npu.memory_allocated())
    """).splitlines() == [
        "True False OrderedDict()",
        *[
            "Cannot re-initialize NPU in forked subprocess. To use NPU with multiprocessing, you "
            "must use the 'spawn' start method"
        ]
        * 4,
        *("0", "1024"),
    ]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_fork_waits_for_what_another_thread_imports():
    """A child has no thread that could finish it, and would wait for ever."""
    assert (
        run("""
        import os, signal, sys, threading, time, warnings
        warnings.simplefilter("ignore")
        import mindtorch_npu as npu
        npu.init()
        began = threading.Event()
        class Slow:
            def find_spec(self, name, path, target=None):
                if name == "mindtorch_npu.memory":
                    began.set(); time.sleep(0.2)
        sys.meta_path.insert(0, Slow())
        thread = threading.Thread(target=lambda: npu.memory)
        thread.start(); began.wait()
        if os.fork() == 0:
            signal.alarm(20)
            print(npu.memory_stats()); sys.stdout.flush(); os._exit(0)
        assert os.wait()[1] == 0
        thread.join()
    """)
        == "OrderedDict()\n"
    )


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_child_of_an_untouched_parent_may_start():
    """Asking whether devices exist does not poison a fork."""
    assert (
        run("""
        import os, sys, warnings
        warnings.simplefilter("ignore")
        import mindtorch_npu as npu
        assert npu.is_available()
        if os.fork() == 0:
            npu.init(); print(npu.is_initialized()); sys.stdout.flush(); os._exit(0)
        os.wait()
    """)
        == "True\n"
    )


def test_process_ends_while_work_is_queued():
    """Pending kernels are dropped at exit; nothing hangs, nothing is printed."""
    assert (
        run("""
        import time
        import mindtorch_npu as npu
        from mindtorch_npu import backend
        start = time.monotonic()
        import atexit; atexit.register(lambda: print(time.monotonic() - start < 30))
        kept = backend.allocate(1000, 0)
        npu._sleep(60_000_000_000)
        for _ in range(100): backend.launch(0, "add", int)
    """)
        == "True\n"
    )


def test_blocking_launches():
    """MINDTORCH_NPU_LAUNCH_BLOCKING=1: the error comes from the launch."""
    assert (
        run(
            """
        from mindtorch_npu import backend
        try: backend.launch(0, "aten::index", int, ("x",))
        except ValueError as error: print(error.__notes__[0][:38])
        """,
            MINDTORCH_NPU_LAUNCH_BLOCKING="1",
        )
        == "raised by aten::index on npu:0 stream \n"
    )


def test_import_is_light_and_alone():
    """Neither siblings other than storage nor heavy parts of the standard library come along."""
    assert (
        run("""
        import sys
        import mindtorch_storage
        before = set(sys.modules)
        import mindtorch_npu
        new = {name.partition(".")[0] for name in set(sys.modules) - before}
        print(sorted(new & {"mindtorch", "mindtorch_dispatch", "mindtorch_autograd", "torch",
                            "inspect", "multiprocessing", "asyncio", "dataclasses", "traceback",
                            "tempfile", "pickle"}))
    """)
        == "[]\n"
    )


def test_metadata_may_be_set_before_the_initialisation():
    """It is put to the entries of every device, and read as it was set."""
    assert (
        run("""
        import mindtorch_npu as npu
        from mindtorch_npu import memory
        memory._set_memory_metadata("of mine")
        assert not npu.is_initialized() and memory._get_memory_metadata() == "of mine"
        memory._record_memory_history()
        for index in range(2):
            npu.caching_allocator_alloc(10, index)
        traces = memory._snapshot()["device_traces"]
        print(*[entry["user_metadata"] for trace in traces for entry in trace], sep="|")
    """)
        == "of mine|of mine|of mine|of mine\n"
    )

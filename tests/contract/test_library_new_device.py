"""A device of one's own in the place of ``PrivateUse1``: names, methods, modules, refusals.

Renaming is for good, so each side runs in a process of its own.
"""

from __future__ import annotations

import json

from tests.workspace import run_python

PROGRAM = """
import json, sys, importlib, re
torch = importlib.import_module(sys.argv[1])
importlib.import_module(sys.argv[1] + ".nn")
notes = []

def note(fn):
    try:
        text = repr(fn())
    except Exception as error:
        text = f"{type(error).__name__}: {error}"
    text = re.sub(r"0x[0-9a-f]+", "0x", text).split("only available for these backends")[0]
    notes.append(re.sub(r"mtia, \\S+ device", "mtia, … device", text.replace("mindtorch", "torch")))

class Runtime:
    current_device = staticmethod(lambda: 3)
    __repr__ = __str__ = lambda self: "Runtime"

runtime = Runtime()
rename = torch.utils.rename_privateuse1_backend
generate = torch.utils.generate_methods_for_privateuse1_backend
note(lambda: torch.device("foo"))
note(lambda: rename("cuda"))
note(lambda: rename("foo"))
note(lambda: rename("foo"))
note(lambda: rename("bar"))
note(lambda: torch._C._get_privateuse1_backend_name())
note(lambda: torch.device("foo:1"))
note(lambda: torch.device("privateuseone:1"))
note(lambda: torch.device("xyz"))
note(lambda: torch._C._dispatch_key_for_device("foo"))
note(lambda: torch.foo)
note(lambda: torch._register_device_module("xyz", runtime))
note(lambda: torch._register_device_module("foo", runtime))
note(lambda: torch._register_device_module("foo", runtime))
note(lambda: torch.foo)
note(lambda: generate(for_tensor=False))
note(lambda: generate(for_packed_sequence=False))
note(lambda: generate(for_packed_sequence=False))
note(lambda: torch.ones(2).is_foo)
note(lambda: torch.ones(2).foo("cpu"))
note(lambda: torch.ones(2).foo())
note(lambda: torch.nn.Linear(2, 2).foo())
registration = importlib.import_module(sys.argv[1] + ".utils.backend_registration")
note(lambda: registration._get_custom_mod_func("current_device")())
note(lambda: registration._get_custom_mod_func("bar"))
made = torch._C._acc.create_empty_tensor((2, 3), torch.float64)
note(lambda: [made.shape, made.stride(), made.dtype, made.device, made.is_foo])
print(json.dumps(notes))
"""


def notes_of(module: str) -> list[str]:
    done = run_python("-c", PROGRAM, module)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_renaming_is_torchs():
    """The same program leaves the same notes under torch and under mindtorch."""
    ours, torchs = notes_of("mindtorch"), notes_of("torch")
    assert len(ours) == len(torchs) > 20
    for i, (got, want) in enumerate(zip(ours, torchs, strict=True)):
        assert got == want, f"note {i}"


def test_the_npu_keeps_its_keys_once_it_was_used():
    """As with torch_npu: who has PrivateUse1 does not give it away."""
    done = run_python(
        "-c",
        "import mindtorch as torch\n"
        "assert torch._C._get_privateuse1_backend_name() == 'npu'\n"
        "torch.utils.rename_privateuse1_backend('npu')\n"
        "torch.ones(2, device='npu')\n"
        "try:\n"
        "    torch.utils.rename_privateuse1_backend('foo')\n"
        "except RuntimeError as error:\n"
        "    print(error)\n"
        "assert (torch.ones(2, device='npu') + 1).tolist() == [2.0, 2.0]\n",
    )
    assert done.returncode == 0, done.stderr
    want = "torch.register_privateuse1_backend() has already been set! Current backend: npu"
    assert done.stdout.strip() == want


def test_the_npu_is_gone_after_a_renaming():
    """Its kernels at PrivateUse1, and its name."""
    done = run_python(
        "-c",
        "import mindtorch as torch\n"
        "torch.ones(2) + torch.ones(2)  # an op whose kernels are registered already\n"
        "torch.utils.rename_privateuse1_backend('foo')\n"
        "for op in (torch.ops.aten.add.Tensor, torch.ops.aten.mul.Tensor):\n"
        "    assert not op._operator.has_kernel(torch._C.DispatchKey.PrivateUse1), op\n"
        "try:\n"
        "    torch.device('npu')\n"
        "except RuntimeError as error:\n"
        "    print(error)\n",
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Expected one of cpu, cuda,")

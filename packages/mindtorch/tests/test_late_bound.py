"""Functions of higher layers that lower ones call: each is where ``install`` says that it is."""

import subprocess
import sys

_PROGRAM = """
import sys
import mindtorch
from mindtorch.core.late_bound import LateBound

bound = {
    (module.__name__, name): value
    for module in [m for n, m in sys.modules.items() if n.startswith("mindtorch.")]
    for name, value in vars(module).items()
    if type(value) is LateBound
}
for place, function in bound.items():
    assert callable(function.resolve()), place
print(len(bound))
"""


def test_every_function_that_is_bound_late_is_found():
    # In a process of its own: that they are not loaded before they are called is their purpose.
    done = subprocess.run([sys.executable, "-c", _PROGRAM], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 30


def test_one_that_nobody_placed_says_so():
    program = "from mindtorch.core.late_bound import LateBound; LateBound('f')()"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "RuntimeError: nobody said where f is defined" in done.stderr

"""What tests need that run over the simulator and over modules of real hardware."""

import threading

import mindtorch_npu as npu
import pytest
from mindtorch_npu import backend, runtime


def simulator_only(reason):
    """Marks tests that say nothing of hardware; ``pytest -rs`` lists them with the reasons."""
    return pytest.mark.skipif(backend.HARDWARE, reason=reason)


#: Why tests run on the simulator only.
python_work = simulator_only("hardware runs no function of Python on a stream")
own_books = simulator_only("the module's allocator keeps the books, and CUDA's are its rules")
simulated = simulator_only("it is about the simulated device itself")


class Gate:
    """Keeps the current stream of *device* busy until :meth:`set`.

    On hardware that cannot be held it is a sleep, which is over by itself.
    """

    def __init__(self, device=0):
        if not backend.HARDWARE:
            event = threading.Event()
            backend.launch(device, "gate", event.wait)
            self.set = event.set
            return
        hold = getattr(runtime.driver().module, "mindtorch_hold", None)
        if hold is None:
            npu._sleep(200_000_000)
            self.set = int
        else:
            self.set = hold(backend.current_queue(device).stream)

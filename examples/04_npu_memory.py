"""Memory of the simulated NPU: the caching allocator keeps what tensors give back."""

import mindtorch as torch

MIB = 2**20
npu = torch.npu


def show(when: str) -> tuple[int, int]:
    allocated, reserved = npu.memory_allocated(), npu.memory_reserved()
    print(f"{when:28} allocated {allocated / MIB:6.1f} MiB   reserved {reserved / MIB:6.1f} MiB")
    return allocated, reserved


print(npu.get_device_name(), "with", npu.get_device_properties(0).total_memory // MIB, "MiB")
assert show("at the start") == (0, 0)

x = torch.ones(4 * MIB, device="npu")  # 16 MiB of float32
assert show("one tensor")[0] == 16 * MIB

y = x + x
assert show("its sum")[0] == 32 * MIB

del y
allocated, reserved = show("the sum is gone")
assert allocated == 16 * MIB and reserved >= 32 * MIB  # its block is kept for the next one

z = x * 2
assert show("a product takes its block") == (32 * MIB, reserved)

del z
npu.empty_cache()
assert show("the cache is emptied")[1] < reserved
assert npu.max_memory_allocated() == 32 * MIB

try:
    torch.empty(2**50, device="npu")
except npu.OutOfMemoryError as error:
    print("too much:", str(error).splitlines()[0][:60], "...")

print(npu.memory_summary(abbreviated=True))

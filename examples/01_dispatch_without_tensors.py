"""The dispatcher alone: kernels over plain numbers, wrappers that hand on, masks, fallthrough.

Nothing here knows tensors: a key set says which kernels a call goes through.
"""

from mindtorch_dispatch import (
    DispatchKey,
    DispatchKeySet,
    dispatch_with_keyset,
    exclude_keys,
    redispatch,
    registry,
)

OP = "example::scale"
log: list[str] = []


def wrapper(key: DispatchKey):
    """A kernel that says its name, masks itself off and hands on to the keys below."""

    def kernel(keyset: DispatchKeySet, x: float, factor: float) -> float:
        log.append(key.name)
        with exclude_keys(key):
            return redispatch(OP, keyset, x, factor)

    return kernel


def cpu(x: float, factor: float) -> float:
    log.append("CPU")
    return x * factor


registry.register_schema(OP, "(float x, float factor=2.0) -> float")
registry.register_kernel(OP, DispatchKey.CPU, cpu)
for key in (DispatchKey.Tracer, DispatchKey.AutogradCPU):
    registry.register_kernel(OP, key, wrapper(key), with_keyset=True)

keys = DispatchKeySet(DispatchKey.CPU, DispatchKey.AutogradCPU, DispatchKey.Tracer)
assert dispatch_with_keyset(OP, keys, None, 3.0, 2.0) == 6.0
print("order:", " -> ".join(log))
assert log == ["Tracer", "AutogradCPU", "CPU"]

log.clear()
with exclude_keys(DispatchKey.Tracer):
    dispatch_with_keyset(OP, keys, None, 3.0, 2.0)
print("without Tracer:", " -> ".join(log))
assert log == ["AutogradCPU", "CPU"]

for hop in registry.get(OP).path(keys.mask):
    print(f"{hop.key.name:12} {hop.reason:8} {hop.where.rpartition('/')[2]}")

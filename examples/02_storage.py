"""Storages and dtypes alone: bytes that several views share, promotion, and reading as a dtype."""

import warnings

import mindtorch_storage as storage

# TypedStorage warns that it is deprecated, as torch's does.
warnings.filterwarnings("ignore", "TypedStorage is deprecated")

# Six bytes, and the same bytes seen as three 16-bit integers.
data = storage.UntypedStorage([1, 0, 2, 0, 3, 0])
typed = storage.TypedStorage(wrap_storage=data, dtype=storage.int16, _internal=True)
print(data.tolist(), "as int16:", list(typed))
assert list(typed) == [1, 2, 3]

# A write through one is seen through the other: there is one memory.
data[4] = 7
assert list(typed) == [1, 2, 7]
assert typed._untyped_storage.data_ptr() == data.data_ptr()

data.resize_(8)
assert data.nbytes() == 8 and data.tolist()[:6] == [1, 0, 2, 0, 7, 0]

# Promotion as torch has it.
for a, b in ((storage.int64, storage.float16), (storage.uint8, storage.int8)):
    print(a, "and", b, "give", storage.promote_types(a, b))
assert storage.promote_types(storage.int64, storage.float16) is storage.float16
assert storage.promote_types(storage.uint8, storage.int8) is storage.int16
assert not storage.can_cast(storage.float32, storage.int64)

# Meta storages have a size and no memory.
huge = storage.UntypedStorage(10**15, device="meta")
print(huge.nbytes(), "bytes on", huge.device)

device = storage.Device("npu", 1)
print(repr(device), device.type, device.index)

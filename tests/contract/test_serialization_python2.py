"""Checkpoints whose strings Python 2 wrote: bytes, until an encoding is given."""

import io
import pickletools
import zipfile

import pytest

from tests.contract.both_frameworks import ours, torch

#: The latin-1 text in the file, where the pickle that is rewritten has another.
RAW = {"name": b"caf\xe9"}


def rewritten(pickled, start=0):
    """One pickle, its texts written as Python 2's strings; and where it ended."""
    stream = io.BytesIO(pickled)
    stream.seek(start)
    ops = list(pickletools.genops(stream))
    end = stream.tell()
    places = [place for _, _, place in ops]
    out = bytearray()
    for (op, arg, place), after in zip(ops, [*places[1:], end], strict=True):
        if op.name == "BINUNICODE":
            text = RAW.get(arg, arg.encode())
            out += b"U" + bytes([len(text)]) + text
        else:
            out += pickled[place:after]
    return bytes(out), end


def zipped():
    buffer, out = io.BytesIO(), io.BytesIO()
    torch.save({"weight": torch.ones(2), "text": "name"}, buffer)
    with zipfile.ZipFile(buffer) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            new.writestr(name, rewritten(data)[0] if name.endswith("data.pkl") else data)
    return out.getvalue()


def legacy():
    buffer, out, position = io.BytesIO(), b"", 0
    kind = {"_use_new_zipfile_serialization": False}
    torch.save({"weight": torch.ones(2), "text": "name"}, buffer, **kind)
    data = buffer.getvalue()
    for _ in range(5):
        part, position = rewritten(data, position)
        out += part
    return out + data[position:]


@pytest.mark.parametrize("make", [zipped, legacy])
@pytest.mark.parametrize("weights_only", [True, False])
@pytest.mark.parametrize("encoding", [None, "bytes", "latin1", "ascii"])
def test_strings_of_python_2_are_read_as_the_oracle_reads_them(make, weights_only, encoding):
    options = {} if encoding is None else {"encoding": encoding}

    def read(t):
        try:
            found = t.load(io.BytesIO(make()), weights_only=weights_only, **options)
        except Exception as error:
            return type(error), str(error).partition("\n")[0][:80]
        return {k: v.tolist() if isinstance(v, t.Tensor) else v for k, v in found.items()}

    assert read(ours) == read(torch)

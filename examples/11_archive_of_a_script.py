"""A trained module as an archive that PyTorch opens, in C++ as well, and that opens here.

``torch.jit.trace`` notes the example that it is given; ``save`` writes what a call of it does as
TorchScript's source, with the weights beside it; of what ``torch.jit.script`` gives it is the
program itself that is compiled. ``torch.jit.load`` reads archives of either side:
the source runs on the operators of this library, and reaches nothing else.
"""

import os
import tempfile
import zipfile

import mindtorch as torch
from mindtorch import nn

torch.manual_seed(0)
x = torch.randn(64, 2)
y = (x[:, :1] * x[:, 1:] > 0).float()  # are the signs the same?
model = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
for _ in range(150):
    optimizer.zero_grad()
    loss = nn.functional.binary_cross_entropy_with_logits(model(x), y)
    loss.backward()
    optimizer.step()
print(f"loss {loss.item():.3f}")

with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "signs.pt")
    torch.jit.trace(model.eval(), x[:1]).save(path)
    with zipfile.ZipFile(path) as archive:
        source = next(name for name in archive.namelist() if name.endswith("container.py"))
        print(archive.read(source).decode())
    loaded = torch.jit.load(path)

    torch.jit.script(model).save(path)
    scripted = torch.jit.load(path)
print(torch.jit.script(model).code)

assert torch.equal(loaded(x), model(x)) and torch.equal(scripted(x), model(x))
print(f"{((loaded(x) > 0) == (y > 0)).float().mean().item():.0%} of the points are right")

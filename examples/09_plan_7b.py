"""Does one training step of a transformer with seven billion parameters fit?

Run it in dry mode, where kernels only infer and memory is only booked:

    mindtorch npu plan examples/09_plan_7b.py --device 910B-64GB
    mindtorch npu plan examples/09_plan_7b.py --device 910B-64GB -- --layers 24

Without it the model is a tiny one, which really runs.
"""

import argparse

import mindtorch as torch
from mindtorch import nn
from mindtorch_npu.backend import DRY

parser = argparse.ArgumentParser()
parser.add_argument("--layers", type=int, default=32 if DRY else 2)
parser.add_argument("--width", type=int, default=4096 if DRY else 64)
parser.add_argument("--tokens", type=int, default=2048 if DRY else 16)
options = parser.parse_args()
vocabulary, hidden = 8 * options.width, int(2.6875 * options.width)


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.first, self.second = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width, bias=False), nn.Linear(width, width)
        self.gate, self.up = nn.Linear(width, hidden), nn.Linear(width, hidden)
        self.down = nn.Linear(hidden, width)

    def forward(self, x):
        n, t, c = x.shape
        split = self.qkv(self.first(x)).view(n, t, 3, self.heads, c // self.heads)
        q, k, v = split.permute(2, 0, 3, 1, 4).unbind(0)
        weights = torch.softmax(q @ k.transpose(-2, -1) * (c // self.heads) ** -0.5, -1)
        x = x + self.out((weights @ v).transpose(1, 2).reshape(n, t, c))
        y = self.second(x)
        return x + self.down(nn.functional.silu(self.gate(y)) * self.up(y))


torch.set_default_device("npu")
torch.set_default_dtype(torch.bfloat16)
blocks = [Block(options.width, 32) for _ in range(options.layers)]
embedding = nn.Embedding(vocabulary, options.width)
model = nn.Sequential(embedding, *blocks, nn.Linear(options.width, vocabulary, bias=False))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
tokens = torch.zeros((1, options.tokens), dtype=torch.int64)

logits = model(tokens)
loss = nn.functional.cross_entropy(logits.view(-1, vocabulary), tokens.view(-1))
loss.backward()
optimizer.step()

parameters = sum(p.numel() for p in model.parameters())
peak = torch.npu.max_memory_allocated() / 2**30
print(f"{parameters / 1e9:.2f} billion parameters, peak {peak:.2f} GiB")

"""Sparse, nested, masked and quantized tensors as PyTorch's own tutorials use them."""

import io

import torch
from torch import nn
from torch.masked import as_masked_tensor, masked_tensor


def _matrix():
    return torch.sparse_coo_tensor([[0, 1, 1, 3], [2, 0, 2, 1]], [3.0, 4.0, 5.0, 6.0], (4, 3))


def step_build():
    s = _matrix()
    csr = s.to_sparse_csr()
    return [
        str(s),
        str(csr),
        s._nnz(),
        s.is_coalesced(),
        s.coalesce().indices(),
        csr.crow_indices(),
        csr.col_indices(),
        csr.values(),
        s.to_dense(),
    ]


def step_compute():
    s, d = _matrix(), torch.arange(12.0).reshape(3, 4) / 7
    return [
        s @ d,
        torch.sparse.mm(s, d),
        (s * 2 + s).to_dense(),
        torch.sparse.softmax(s, 1).to_dense(),
        torch.sparse.sum(s, 0).to_dense(),
        s.t().to_dense(),
        torch.cat((s, s)).to_dense(),
        (s * torch.ones(4, 3)).to_dense(),
        s.to_sparse_csr() @ d,
    ]


def step_gradients():
    values = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    d = torch.arange(6.0).reshape(2, 3).requires_grad_()
    s = torch.sparse_coo_tensor([[0, 1, 1], [1, 0, 1]], values, (2, 2))
    torch.sparse.mm(s, d).square().sum().backward()
    return [values.grad, d.grad]


def step_embedding():
    torch.manual_seed(0)
    table = nn.Embedding(10, 4, sparse=True)
    optimizer = torch.optim.SparseAdam(table.parameters(), lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        table(torch.tensor([1, 3, 3])).square().sum().backward()
        optimizer.step()
    return [table.weight, table.weight.grad.coalesce().indices(), table.weight.grad.is_sparse]


def step_files():
    file = io.BytesIO()
    torch.save({"s": _matrix().coalesce(), "c": _matrix().to_sparse_csr()}, file)
    file.seek(0)
    read = torch.load(file)
    return [read["s"].to_dense(), read["c"].to_dense(), str(read["c"].layout)]


def step_nested():
    rows = [torch.arange(6.0).reshape(3, 2), torch.arange(2.0).reshape(1, 2)]
    n = torch.nested.nested_tensor(rows, layout=torch.jagged)
    linear = nn.Linear(2, 2)
    with torch.no_grad():
        linear.weight.copy_(torch.eye(2))
        linear.bias.fill_(1)
    return [
        [t for t in n.unbind()],
        n.offsets(),
        n.size(0),
        torch.nested.to_padded_tensor(n, -1.0),
        [t for t in linear(n).unbind()],
        [t for t in (n * n).unbind()],
        torch.nested.to_padded_tensor(n.softmax(-1), 0.0),
    ]


def step_masked():
    data, mask = torch.arange(6.0).reshape(2, 3), torch.tensor([[True, False, True], [True] * 3])
    m = masked_tensor(data, mask)
    other = as_masked_tensor(data, mask)
    return [
        str(m),
        m.sum().get_data(),
        m.mean(1).get_data(),
        m.to_tensor(-1.0),
        (m + m).get_data(),
        torch.masked.amax(data, 1, mask=mask),
        torch.masked.softmax(data, 1, mask=mask),
        other.get_mask(),
    ]


class _Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(4, 6)
        self.fc = nn.Linear(6, 3)

    def forward(self, x):
        return self.fc(self.lstm(x)[0])


def step_dynamic_quantization():
    torch.manual_seed(0)
    net = _Net().eval()
    small = torch.ao.quantization.quantize_dynamic(net, {nn.LSTM, nn.Linear}, dtype=torch.qint8)
    x = torch.arange(40.0).reshape(5, 2, 4) / 40
    return [str(small), small(x), (small(x) - net(x)).abs().max() < 0.05]


def step_quantized_tensors():
    x = torch.linspace(-1, 1, 9)
    q = torch.quantize_per_tensor(x, 0.1, 10, torch.quint8)
    c = torch.quantize_per_channel(
        x.reshape(3, 3), torch.tensor([0.1, 0.2, 0.3]), torch.tensor([0, 0, 0]), 0, torch.qint8
    )
    return [str(q), q.int_repr(), q.dequantize(), q.q_scale(), q.q_zero_point(), c.dequantize()]


def step_static_quantization():
    torch.manual_seed(0)
    net = nn.Sequential(
        torch.ao.quantization.QuantStub(),
        nn.Linear(4, 8),
        nn.ReLU(),
        nn.Linear(8, 2),
        torch.ao.quantization.DeQuantStub(),
    ).eval()
    net.qconfig = torch.ao.quantization.get_default_qconfig("fbgemm")
    ready = torch.ao.quantization.prepare(net)
    x = torch.arange(32.0).reshape(8, 4) / 32
    ready(x)
    made = torch.ao.quantization.convert(ready)
    return [type(made[1]).__name__, made(x)]

"""torch_geometric with sparse tensors in place of lists of edges."""

import torch
import torch_geometric.nn as gnn
import torch_geometric.transforms as T
from torch_geometric import utils
from torch_geometric.data import Data

EDGES = torch.tensor([[0, 1, 1, 2, 2, 3, 3, 4, 4, 0], [1, 0, 2, 1, 3, 2, 4, 3, 0, 4]])
X = torch.arange(15.0).reshape(5, 3) / 10
WEIGHTS = torch.arange(1.0, 11.0) / 10


def _dense(t):
    return t.to_dense()


def step_conversions():
    coo = utils.to_torch_coo_tensor(EDGES, WEIGHTS, size=5)
    csr = utils.to_torch_csr_tensor(EDGES, WEIGHTS, size=5)
    csc = utils.to_torch_csc_tensor(EDGES, WEIGHTS, size=5)
    index, value = utils.to_edge_index(csr)
    return [
        *map(_dense, (coo, csr, csc)),
        index,
        value,
        utils.is_torch_sparse_tensor(coo),
        utils.is_sparse(csr),
        str(csr.layout),
    ]


def step_products():
    found = {}
    for name, make in (("coo", utils.to_torch_coo_tensor), ("csr", utils.to_torch_csr_tensor)):
        adjacent = make(EDGES, WEIGHTS, size=5)
        found[name] = [utils.spmm(adjacent, X, reduce=r) for r in ("sum", "mean")]
        found[name].append(adjacent @ X)
    return found


def step_convolutions():
    adjacent = utils.to_torch_csr_tensor(EDGES, size=5)
    found = {}
    for name, make in {
        "gcn": lambda: gnn.GCNConv(3, 4),
        "sage": lambda: gnn.SAGEConv(3, 4),
        "gin": lambda: gnn.GINConv(torch.nn.Linear(3, 4)),
        "graph": lambda: gnn.GraphConv(3, 4),
        "cluster": lambda: gnn.ClusterGCNConv(3, 4),
    }.items():
        torch.manual_seed(0)
        layer = make()
        out = layer(X, adjacent)
        out.square().sum().backward()
        found[name] = [out, [p.grad for p in layer.parameters()]]
    return found


def step_transforms():
    data = Data(x=X, edge_index=EDGES, edge_attr=WEIGHTS, num_nodes=5)
    made = T.ToSparseTensor(layout=torch.sparse_csr, attr="edge_attr")(data)
    return [made.adj_t.to_dense(), made.adj_t.crow_indices(), sorted(made.keys())]


def step_laplacian():
    index, value = utils.get_laplacian(EDGES, WEIGHTS, normalization="sym", num_nodes=5)
    laplacian = torch.sparse_coo_tensor(index, value, (5, 5)).coalesce()
    return [laplacian.to_dense(), torch.sparse.sum(laplacian, 1).to_dense(), laplacian.indices()]


def step_training():
    torch.manual_seed(0)
    adjacent = utils.to_torch_csr_tensor(EDGES, size=5)
    model = gnn.models.GCN(3, 8, num_layers=2, out_channels=2)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
    losses = []
    for _ in range(5):
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(X, adjacent), torch.tensor([0, 1, 0, 1, 1]))
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    return losses

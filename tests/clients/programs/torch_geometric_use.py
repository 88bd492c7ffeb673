"""torch_geometric: data, batches, layers, training."""

import torch
from torch_geometric.data import Batch, Data, HeteroData
from torch_geometric.loader import DataLoader
from torch_geometric.nn import (
    GATConv,
    GCNConv,
    GINConv,
    MessagePassing,
    SAGEConv,
    TransformerConv,
    global_add_pool,
    global_mean_pool,
)
from torch_geometric.transforms import AddSelfLoops, NormalizeFeatures
from torch_geometric.utils import add_self_loops, degree, scatter, softmax, subgraph, to_dense_adj

EDGES = torch.tensor([[0, 1, 1, 2, 2, 3], [1, 0, 2, 1, 3, 2]])


def _data():
    return Data(x=torch.arange(8.0).reshape(4, 2), edge_index=EDGES, y=torch.tensor([0, 1, 0, 1]))


def step_data():
    d = _data()
    return [d.num_nodes, d.num_edges, d.is_undirected(), str(d)]


def step_batch():
    b = Batch.from_data_list([_data(), _data()])
    return [b.batch, b.edge_index, b[1].x]


def step_loader():
    return [batch.x.shape for batch in DataLoader([_data()] * 5, batch_size=2)]


def _layer(make):
    torch.manual_seed(0)
    d, layer = _data(), make()
    out = layer(d.x, d.edge_index)
    out.square().sum().backward()
    return [out, sum(p.grad.abs().sum().item() for p in layer.parameters() if p.grad is not None)]


def step_gcn():
    return _layer(lambda: GCNConv(2, 3))


def step_gat():
    return _layer(lambda: GATConv(2, 3, heads=2))


def step_sage():
    return _layer(lambda: SAGEConv(2, 3))


def step_gin():
    return _layer(lambda: GINConv(torch.nn.Linear(2, 3)))


def step_transformer():
    return _layer(lambda: TransformerConv(2, 3))


def step_own_layer():
    class Mean(MessagePassing):
        def __init__(self):
            super().__init__(aggr="mean")
            self.lin = torch.nn.Linear(2, 2)

        def forward(self, x, edge_index):
            return self.propagate(edge_index, x=self.lin(x))

        def message(self, x_j):
            return x_j

    return _layer(Mean)


def step_train():
    torch.manual_seed(0)

    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b = GCNConv(2, 8), GCNConv(8, 2)

        def forward(self, d):
            return self.b(self.a(d.x, d.edge_index).relu(), d.edge_index)

    net, d = Net(), NormalizeFeatures()(_data())
    optimizer = torch.optim.Adam(net.parameters(), lr=0.05)
    losses = []
    for _ in range(4):
        loss = torch.nn.functional.cross_entropy(net(d), d.y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def step_utilities():
    d = _data()
    return [
        degree(EDGES[0], 4),
        add_self_loops(EDGES)[0],
        to_dense_adj(EDGES),
        softmax(d.x[:, 0], torch.tensor([0, 0, 1, 1])),
        scatter(d.x, torch.tensor([0, 0, 1, 1]), reduce="max"),
        subgraph([1, 2], EDGES, relabel_nodes=True)[0],
        AddSelfLoops()(d).edge_index,
    ]


def step_pool():
    b = Batch.from_data_list([_data(), _data()])
    return [global_mean_pool(b.x, b.batch), global_add_pool(b.x, b.batch)]


def step_hetero():
    d = HeteroData()
    d["a"].x = torch.ones(2, 3)
    d["b"].x = torch.zeros(3, 3)
    d["a", "to", "b"].edge_index = torch.tensor([[0, 1], [2, 0]])
    return [d.num_nodes, [list(t) for t in d.edge_types]]

"""torch_geometric: convolutions, pooling, heterogeneous graphs, transforms, explanations, links."""

import torch
import torch.nn.functional as F
import torch_geometric.nn as gnn
import torch_geometric.transforms as T
from torch_geometric import seed_everything, utils
from torch_geometric.data import Batch, Data, HeteroData, InMemoryDataset
from torch_geometric.explain import Explainer, GNNExplainer
from torch_geometric.loader import DataLoader
from torch_geometric.nn import aggr

EDGES = torch.tensor([[0, 1, 1, 2, 2, 3, 3, 4, 4, 0], [1, 0, 2, 1, 3, 2, 4, 3, 0, 4]])
X = torch.arange(15.0).reshape(5, 3) / 10


def _data():
    return Data(
        x=X,
        edge_index=EDGES,
        edge_attr=torch.arange(20.0).reshape(10, 2) / 20,
        y=torch.tensor([0, 1, 0, 1, 1]),
        pos=torch.arange(10.0).reshape(5, 2).sin(),
    )


def _of(make, *more, **named):
    torch.manual_seed(0)
    layer = make()
    out = layer(X, EDGES, *more, **named)
    out.square().sum().backward()
    return [out, [p.grad for p in layer.parameters() if p.grad is not None][:2]]


def step_convolutions():
    weights = torch.arange(10.0) / 10
    return {
        "cheb": _of(lambda: gnn.ChebConv(3, 4, K=2)),
        "graph": _of(lambda: gnn.GraphConv(3, 4)),
        "gatv2": _of(lambda: gnn.GATv2Conv(3, 4, heads=2)),
        "tag": _of(lambda: gnn.TAGConv(3, 4)),
        "arma": _of(lambda: gnn.ARMAConv(3, 4)),
        "sg": _of(lambda: gnn.SGConv(3, 4, K=2)),
        "appnp": _of(
            lambda: gnn.Sequential(
                "x, e", [(gnn.APPNP(2, 0.1), "x, e -> x"), torch.nn.Linear(3, 4)]
            )
        ),
        "mf": _of(lambda: gnn.MFConv(3, 4)),
        "leconv": _of(lambda: gnn.LEConv(3, 4)),
        "cluster": _of(lambda: gnn.ClusterGCNConv(3, 4)),
        "gen": _of(lambda: gnn.GENConv(3, 4)),
        "edge": _of(lambda: gnn.EdgeConv(torch.nn.Linear(6, 4))),
        "gin": _of(
            lambda: gnn.GINConv(
                torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU()), train_eps=True
            )
        ),
        "resgated": _of(lambda: gnn.ResGatedGraphConv(3, 4)),
        "supergat": _of(lambda: gnn.SuperGATConv(3, 4)).__len__(),
        "feast": _of(lambda: gnn.FeaStConv(3, 4)),
        "film": _of(lambda: gnn.FiLMConv(3, 4)),
        "eg": _of(lambda: gnn.EGConv(3, 4, num_heads=2)),
        "general": _of(lambda: gnn.GeneralConv(3, 4)),
        "anti": _of(lambda: gnn.Sequential("x, e", [(gnn.AntiSymmetricConv(3), "x, e -> x")])),
        "sage_lstm": _of(lambda: gnn.SAGEConv(3, 4, aggr="max")),
        "gcn_weighted": _of(lambda: gnn.GCNConv(3, 4, cached=True), weights),
        "lg": gnn.LGConv()(X, EDGES),
        "ssg": _of(lambda: gnn.SSGConv(3, 4, alpha=0.1)),
        "fa": gnn.FAConv(3)(X, X, EDGES).shape,
    }


def step_edge_features():
    e = _data().edge_attr
    return {
        "gine": _of(lambda: gnn.GINEConv(torch.nn.Linear(3, 4), edge_dim=2), e),
        "nn": _of(lambda: gnn.NNConv(3, 4, torch.nn.Linear(2, 12)), e),
        "gat": _of(lambda: gnn.GATConv(3, 4, edge_dim=2), e),
        "transformer": _of(lambda: gnn.TransformerConv(3, 4, edge_dim=2), e),
        "cg": _of(lambda: gnn.CGConv(3, dim=2), e),
        "gmm": _of(lambda: gnn.GMMConv(3, 4, dim=2, kernel_size=2), e),
        "pna": _of(
            lambda: gnn.PNAConv(
                3,
                4,
                ["mean", "max", "std"],
                ["identity", "amplification"],
                utils.degree(EDGES[1]).long().bincount(),
                edge_dim=2,
            ),
            e,
        ),
    }


def step_relations():
    kinds = torch.tensor([0, 1] * 5)
    return [_of(lambda: gnn.RGCNConv(3, 4, 2), kinds), _of(lambda: gnn.RGATConv(3, 4, 2), kinds)]


def step_points():
    torch.manual_seed(0)
    pos = _data().pos
    return [
        gnn.PointNetConv(torch.nn.Linear(5, 4))(X, pos, EDGES),
        gnn.PointTransformerConv(3, 4, torch.nn.Linear(2, 4))(X, pos, EDGES).shape,
    ]


def step_basic_models():
    found = []
    for make in (gnn.GCN, gnn.GraphSAGE, gnn.GAT, gnn.GIN):
        torch.manual_seed(0)
        found.append(make(3, 8, 2, 4, dropout=0.1).eval()(X, EDGES))
    return [*found, str(gnn.GCN(3, 8, 2, 4))]


def step_norms():
    batch = torch.tensor([0, 0, 0, 1, 1])
    return [
        gnn.BatchNorm(3)(X),
        gnn.GraphNorm(3)(X, batch),
        gnn.LayerNorm(3)(X, batch),
        gnn.InstanceNorm(3)(X, batch),
        gnn.PairNorm()(X, batch),
        gnn.DiffGroupNorm(3, 2)(X).shape,
        gnn.MessageNorm()(X, X),
        gnn.GraphSizeNorm()(X, batch),
    ]


def step_aggregations():
    index = torch.tensor([0, 0, 1, 1, 1])
    return [
        make(X, index)
        for make in (
            aggr.SumAggregation(),
            aggr.MeanAggregation(),
            aggr.MaxAggregation(),
            aggr.MinAggregation(),
            aggr.MulAggregation(),
            aggr.VarAggregation(),
            aggr.StdAggregation(),
            aggr.SoftmaxAggregation(),
            aggr.PowerMeanAggregation(),
            aggr.MedianAggregation(),
            aggr.SortAggregation(2),
            aggr.MultiAggregation(["mean", "max"]),
            aggr.DegreeScalerAggregation("mean", "identity", torch.tensor([0, 1, 2])),
        )
    ]


def step_attention_pooling():
    torch.manual_seed(0)
    index = torch.tensor([0, 0, 1, 1, 1])
    return [
        aggr.AttentionalAggregation(torch.nn.Linear(3, 1))(X, index),
        aggr.Set2Set(3, 2)(X, index),
        aggr.GRUAggregation(3, 4)(X, index),
        aggr.DeepSetsAggregation(torch.nn.Linear(3, 2))(X, index),
    ]


def step_pooling():
    torch.manual_seed(0)
    batch = torch.zeros(5, dtype=torch.long)
    top = gnn.TopKPooling(3, ratio=0.6)(X, EDGES, None, batch)
    sag = gnn.SAGPooling(3, ratio=0.6)(X, EDGES, None, batch)
    asap = gnn.ASAPooling(3, ratio=0.6)
    return [top[0], top[1], sag[0], sag[4], type(asap).__name__, gnn.global_max_pool(X, batch)]


def step_dense():
    torch.manual_seed(0)
    adj = utils.to_dense_adj(EDGES)
    s = torch.randn(1, 5, 2)
    return [
        gnn.DenseGCNConv(3, 4)(X, adj),
        gnn.DenseSAGEConv(3, 4)(X, adj),
        [o for o in gnn.dense_diff_pool(X, adj, s)],
        [o for o in gnn.dense_mincut_pool(X, adj, s)],
    ]


def step_transforms():
    d = _data()
    return [
        T.ToUndirected()(d).num_edges,
        T.Distance()(d).edge_attr.shape,
        T.Cartesian()(d).edge_attr,
        T.OneHotDegree(3)(d).x.shape,
        T.Constant()(d).x.shape,
        T.LocalDegreeProfile()(d).x,
        T.AddRemainingSelfLoops()(d).num_edges,
        T.LargestConnectedComponents()(d).num_nodes,
        T.Center()(d).pos,
        T.NormalizeScale()(d).pos,
        T.Compose([T.TargetIndegree(), T.LineGraph()])(_data()).num_nodes,
        T.LineGraph()(_data()).edge_index.shape,
        str(T.Compose([T.ToUndirected()])),
        T.GCNNorm()(_data()).edge_weight,
        T.FaceToEdge()(Data(face=torch.tensor([[0], [1], [2]]), num_nodes=3)).edge_index,
    ]


def step_split():
    seed_everything(0)
    d = T.RandomNodeSplit(num_val=1, num_test=1)(_data())
    train, val, test = T.RandomLinkSplit(is_undirected=True, num_val=0.2, num_test=0.2)(_data())
    return [d.train_mask, train.edge_label.sum(), val.edge_label_index.shape, test.num_edges]


def step_utilities():
    d = _data()
    u = utils
    torch.manual_seed(0)
    return [
        u.remove_self_loops(EDGES)[0],
        u.coalesce(EDGES),
        u.to_undirected(EDGES[:, ::2]),
        u.contains_self_loops(EDGES),
        u.k_hop_subgraph(0, 1, EDGES)[0],
        u.one_hot(d.y),
        u.to_dense_batch(X, torch.tensor([0, 0, 1, 1, 1]))[1],
        u.dense_to_sparse(torch.eye(3))[0],
        u.negative_sampling(EDGES, 5, 3).shape,
        u.get_laplacian(EDGES, normalization="sym")[1],
        u.dropout_edge(EDGES, 0.5)[0].shape,
        u.homophily(EDGES, d.y),
        u.sort_edge_index(EDGES),
        u.is_undirected(EDGES),
        u.unbatch(X, torch.tensor([0, 0, 1, 1, 1])),
        u.cumsum(torch.tensor([1, 2])),
        u.index_to_mask(torch.tensor([1]), 3),
        u.scatter(X, torch.tensor([0, 0, 1, 1, 1]), reduce="mean"),
        u.segment(X, torch.tensor([0, 2, 5]), "sum"),
        u.normalized_cut(EDGES, torch.ones(10)),
        u.erdos_renyi_graph(4, 0.5).shape,
        u.barabasi_albert_graph(6, 2).shape,
    ]


def step_networkx():
    g = utils.to_networkx(_data(), to_undirected=True, node_attrs=["y"])
    back = utils.from_networkx(g)
    return [g.number_of_edges(), back.edge_index.shape, back.y]


def step_hetero_conv():
    torch.manual_seed(0)
    d = HeteroData()
    d["a"].x, d["b"].x = torch.ones(2, 3), torch.ones(3, 4)
    d["a", "to", "b"].edge_index = torch.tensor([[0, 1, 1], [2, 0, 1]])
    d["b", "rev", "a"].edge_index = torch.tensor([[2, 0], [0, 1]])
    conv = gnn.HeteroConv(
        {("a", "to", "b"): gnn.SAGEConv((3, 4), 5), ("b", "rev", "a"): gnn.SAGEConv((4, 3), 5)}
    )
    out = conv(d.x_dict, d.edge_index_dict)
    hgt = gnn.HGTConv({"a": 3, "b": 4}, 6, d.metadata(), heads=2)(d.x_dict, d.edge_index_dict)
    lin = gnn.HeteroLinear(3, 4, 2)(torch.ones(2, 3), torch.tensor([0, 1]))
    homo = HeteroData({"a": {"x": torch.ones(2, 3)}, "b": {"x": torch.ones(1, 3)}}).to_homogeneous()
    return [out, hgt["a"].shape, lin, homo.x.shape, str(d)]


def step_to_hetero():
    torch.manual_seed(0)

    class GNN(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.conv1 = gnn.SAGEConv((-1, -1), 4)
            self.conv2 = gnn.SAGEConv((-1, -1), 2)

        def forward(self, x, edge_index):
            return self.conv2(self.conv1(x, edge_index).relu(), edge_index)

    d = HeteroData()
    d["a"].x, d["b"].x = torch.ones(2, 3), torch.ones(3, 3)
    d["a", "to", "b"].edge_index = torch.tensor([[0, 1, 1], [2, 0, 1]])
    d["b", "rev", "a"].edge_index = torch.tensor([[2, 0], [0, 1]])
    model = gnn.to_hetero(GNN(), d.metadata(), aggr="sum")
    return {k: v for k, v in model(d.x_dict, d.edge_index_dict).items()}


def step_lazy_layers():
    torch.manual_seed(0)
    conv = gnn.GCNConv(-1, 4)
    return [conv(X, EDGES), str(conv), gnn.Linear(-1, 2)(X)]


def step_graph_classification():
    seed_everything(0)
    graphs = [
        Data(x=torch.rand(4, 3), edge_index=EDGES[:, :6], y=torch.tensor([i % 2])) for i in range(8)
    ]

    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.conv1, self.conv2 = gnn.GraphConv(3, 8), gnn.GraphConv(8, 8)
            self.lin = torch.nn.Linear(8, 2)

        def forward(self, x, edge_index, batch):
            x = self.conv2(self.conv1(x, edge_index).relu(), edge_index)
            x = F.dropout(gnn.global_mean_pool(x, batch), p=0.5, training=self.training)
            return self.lin(x)

    model, losses = Net(), []
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(2):
        for data in DataLoader(graphs, batch_size=4, shuffle=True):
            loss = F.cross_entropy(model(data.x, data.edge_index, data.batch), data.y)
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            losses.append(loss.item())
    return losses


def step_link_prediction():
    seed_everything(0)
    model = gnn.GAE(gnn.GCNConv(3, 4))
    vgae = gnn.VGAE(
        gnn.Sequential("x, e", [(gnn.GCNConv(3, 4), "x, e -> h"), (lambda h: (h, h), "h -> h")])
    )
    z = model.encode(X, EDGES)
    loss = model.recon_loss(z, EDGES, torch.tensor([[0, 1], [2, 3]]))
    return [loss, model.decode(z, EDGES), type(vgae).__name__, gnn.InnerProductDecoder()(z, EDGES)]


def step_embeddings():
    torch.manual_seed(0)
    transe = gnn.TransE(4, 2, 3)
    head, rel, tail = torch.tensor([0, 1]), torch.tensor([0, 1]), torch.tensor([2, 3])
    return [
        transe(head, rel, tail),
        gnn.DistMult(4, 2, 3)(head, rel, tail),
        gnn.JumpingKnowledge("cat")([X, X]).shape,
    ]


def step_explainer():
    seed_everything(0)
    model = gnn.GCN(3, 4, 1, 2)
    explainer = Explainer(
        model,
        GNNExplainer(epochs=3),
        "model",
        node_mask_type="attributes",
        edge_mask_type="object",
        model_config={
            "mode": "multiclass_classification",
            "task_level": "node",
            "return_type": "raw",
        },
    )
    found = explainer(X, EDGES, index=1)
    return [sorted(found.available_explanations), found.node_mask.shape, found.edge_mask.shape]


def step_in_memory():
    import tempfile

    class Mine(InMemoryDataset):
        def __init__(self, root):
            super().__init__(root)
            self.load(self.processed_paths[0])

        @property
        def processed_file_names(self):
            return ["data.pt"]

        def process(self):
            self.save([_data(), _data()], self.processed_paths[0])

    data = Mine(tempfile.mkdtemp())
    return [len(data), data[0].x, data.num_node_features, data.num_classes, str(data[1:])]


def step_batches():
    b = Batch.from_data_list([_data(), _data()], follow_batch=["y"])
    return [
        b.ptr,
        b.y_batch,
        b.num_graphs,
        b.to_data_list()[1].edge_index,
        str(b),
        b.get_example(1).x,
    ]


def step_data_methods():
    d = _data()
    d.train_mask = torch.tensor([True, False, True, False, False])
    return [
        sorted(d.keys()),
        d.is_coalesced(),
        d.has_isolated_nodes(),
        d.subgraph(torch.tensor([0, 1, 2])).num_edges,
        d.clone().to("cpu").num_features,
        d.validate(),
        sorted(d.to_dict()),
        d.size(),
        d.generate_ids() is None,
        d.edge_subgraph(torch.arange(4)).num_edges,
        d.concat(d).num_nodes,
        d["x"].shape,
        "pos" in d,
    ]


def step_edge_index():
    from torch_geometric import EdgeIndex

    e = EdgeIndex(EDGES)
    return [str(e), e.sort_by("col").values.as_tensor()]


def step_message_passing():
    class Edge(gnn.MessagePassing):
        def __init__(self):
            super().__init__(aggr="max", flow="target_to_source", node_dim=0)
            self.mlp = torch.nn.Linear(6, 3)

        def forward(self, x, edge_index, edge_weight=None):
            return self.propagate(edge_index, x=x, edge_weight=edge_weight)

        def message(self, x_i, x_j, index):
            return self.mlp(torch.cat([x_i, x_j - x_i], -1)) * index.unsqueeze(-1).float()

        def update(self, out, x):
            return out + x

    torch.manual_seed(0)
    layer = Edge()
    seen = []
    layer.register_message_forward_hook(lambda m, i, o: seen.append(list(o.shape)))
    return [layer(X, EDGES), str(layer), seen]


def step_correct_and_smooth():
    d = _data()
    return gnn.LabelPropagation(2, 0.9)(
        d.y, d.edge_index, torch.tensor([True, True, False, False, False])
    )


def step_positional():
    return [
        gnn.PositionalEncoding(4)(torch.arange(3.0)),
        gnn.TemporalEncoding(4)(torch.arange(3.0)),
    ]

"""pytorch-metric-learning: losses, miners, distances, reducers, samplers, accuracy, training."""

import torch
from pytorch_metric_learning import distances, losses, miners, reducers, regularizers, samplers
from pytorch_metric_learning.utils.accuracy_calculator import AccuracyCalculator
from pytorch_metric_learning.utils.inference import CustomKNN


def _data(n=16, d=6, classes=4):
    return torch.randn(n, d, requires_grad=True), torch.arange(n) % classes


def _run(loss, **arguments):
    x, y = _data()
    value = loss(x, y, **arguments)
    value.backward()
    return [value, x.grad]


def step_pair_losses():
    return {
        kind.__name__: _run(kind())
        for kind in (
            losses.ContrastiveLoss,
            losses.TripletMarginLoss,
            losses.NTXentLoss,
            losses.SupConLoss,
            losses.MultiSimilarityLoss,
            losses.CircleLoss,
            losses.LiftedStructureLoss,
            losses.GeneralizedLiftedStructureLoss,
            losses.SignalToNoiseRatioContrastiveLoss,
            losses.FastAPLoss,
            losses.MarginLoss,
            losses.TupletMarginLoss,
            losses.NCALoss,
            losses.IntraPairVarianceLoss,
            losses.DynamicSoftMarginLoss,
            losses.NPairsLoss,
            losses.AngularLoss,
        )
    }


def step_class_losses():
    found = {}
    for kind in (
        losses.ArcFaceLoss,
        losses.CosFaceLoss,
        losses.NormalizedSoftmaxLoss,
        losses.ProxyAnchorLoss,
        losses.ProxyNCALoss,
        losses.SoftTripleLoss,
        losses.SphereFaceLoss,
        losses.LargeMarginSoftmaxLoss,
        losses.SubCenterArcFaceLoss,
    ):
        found[kind.__name__] = _run(kind(num_classes=4, embedding_size=6))
    return found


def step_memory():
    loss = losses.CrossBatchMemory(losses.ContrastiveLoss(), 6, memory_size=32)
    found = []
    for _ in range(3):
        x, y = _data()
        found.append(loss(x, y))
    return found


def step_miners():
    x, y = _data()
    found = {}
    for kind in (
        miners.MultiSimilarityMiner,
        miners.TripletMarginMiner,
        miners.BatchHardMiner,
        miners.BatchEasyHardMiner,
        miners.PairMarginMiner,
        miners.AngularMiner,
        miners.UniformHistogramMiner,
        miners.HDCMiner,
    ):
        miner = (
            kind()
            if kind is not miners.UniformHistogramMiner
            else kind(distance=distances.SNRDistance())
        )
        found[kind.__name__] = [[len(t), t.sum()] for t in miner(x, y)]
    return found


def step_distance_weighted():
    x, y = _data()
    pairs = miners.DistanceWeightedMiner()(x, y)
    return [len(pairs), pairs[0].shape[0] > 0]


def step_mined_loss():
    x, y = _data()
    miner = miners.TripletMarginMiner(margin=0.3, type_of_triplets="semihard")
    loss = losses.TripletMarginLoss(margin=0.3, swap=True, smooth_loss=True)
    value = loss(x, y, miner(x, y))
    value.backward()
    return [value, x.grad]


def step_distances():
    x = torch.randn(5, 4)
    kinds = (
        distances.LpDistance,
        distances.CosineSimilarity,
        distances.DotProductSimilarity,
        distances.SNRDistance,
    )
    return {k.__name__: [k()(x), k().pairwise_distance(x, x.flip(0))] for k in kinds}


def step_reducers():
    kinds = [
        reducers.MeanReducer(),
        reducers.AvgNonZeroReducer(),
        reducers.ThresholdReducer(low=0.1),
        reducers.ClassWeightedReducer(torch.tensor([1.0, 2.0, 3.0, 4.0])),
    ]
    return [_run(losses.ContrastiveLoss(reducer=r)) for r in kinds]


def step_regularizers():
    kinds = [
        regularizers.LpRegularizer(),
        regularizers.CenterInvariantRegularizer(),
        regularizers.RegularFaceRegularizer(),
        regularizers.ZeroMeanRegularizer(),
    ]
    found = []
    for r in kinds[:1] + kinds[3:]:
        found.append(_run(losses.ContrastiveLoss(embedding_regularizer=r)))
    for r in kinds[1:3]:
        found.append(_run(losses.NormalizedSoftmaxLoss(4, 6, weight_regularizer=r)))
    return found


def step_sampler():
    sampler = samplers.MPerClassSampler(torch.arange(20) % 5, m=2, batch_size=10)
    found = list(sampler)
    return [len(found), len(set(found)) > 4]


def step_self_supervised():
    loss = losses.SelfSupervisedLoss(losses.NTXentLoss(temperature=0.2))
    a, b = torch.randn(6, 4, requires_grad=True), torch.randn(6, 4)
    value = loss(a, b)
    value.backward()
    return [value, a.grad, losses.VICRegLoss()(a, ref_emb=b)]


def step_accuracy():
    x, y = _data(40)
    knn = CustomKNN(distances.LpDistance(), batch_size=8)
    calculator = AccuracyCalculator(
        k=5,
        knn_func=knn,
        include=(
            "precision_at_1",
            "r_precision",
            "mean_average_precision_at_r",
            "mean_reciprocal_rank",
        ),
    )
    return calculator.get_accuracy(x.detach(), y)


def step_training():
    net = torch.nn.Sequential(torch.nn.Linear(6, 16), torch.nn.ReLU(), torch.nn.Linear(16, 4))
    loss_of, miner = losses.TripletMarginLoss(), miners.MultiSimilarityMiner()
    optimizer = torch.optim.Adam(net.parameters(), 0.01)
    x, y = _data(32)
    found = []
    for _ in range(5):
        out = net(x.detach())
        loss = loss_of(out, y, miner(out, y))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        found.append(loss)
    return found

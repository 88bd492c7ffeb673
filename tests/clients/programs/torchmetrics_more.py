"""torchmetrics: every family of metrics, functional and modular."""

import torch
from torchmetrics import (
    MetricCollection,
    aggregation,
    audio,
    classification,
    clustering,
    functional,
    image,
    nominal,
    regression,
    retrieval,
    segmentation,
    shape,
    text,
    wrappers,
)


def _found(modules, names, calls, **options):
    """What each metric of *names* says after *calls*."""
    found = {}
    for name in names:
        metric = getattr(modules, name)(**options)
        for call in calls:
            metric.update(*call)
        found[name] = metric.compute()
    return found


def _scores(count, classes):
    return [
        (torch.randn(count, classes).softmax(-1), torch.randint(0, classes, (count,)))
        for _ in range(2)
    ]


def step_multiclass():
    names = (
        "Accuracy AUROC AveragePrecision CalibrationError CohenKappa ConfusionMatrix F1Score "
        "HammingDistance HingeLoss JaccardIndex MatthewsCorrCoef Precision Recall ROC Specificity "
        "StatScores PrecisionRecallCurve NegativePredictiveValue"
    ).split()
    return _found(classification, ["Multiclass" + n for n in names], _scores(20, 4), num_classes=4)


def step_binary():
    names = (
        "Accuracy AUROC AveragePrecision CalibrationError CohenKappa ConfusionMatrix F1Score "
        "HammingDistance HingeLoss JaccardIndex MatthewsCorrCoef Precision Recall ROC Specificity "
        "StatScores PrecisionRecallCurve NegativePredictiveValue LogAUC EER"
    ).split()
    calls = [(torch.rand(20), torch.randint(0, 2, (20,))) for _ in range(2)]
    return _found(classification, ["Binary" + n for n in names], calls)


def step_multilabel():
    names = (
        "Accuracy AUROC AveragePrecision ConfusionMatrix ExactMatch F1Score HammingDistance "
        "JaccardIndex MatthewsCorrCoef Precision Recall ROC Specificity StatScores CoverageError "
        "RankingLoss RankingAveragePrecision"
    ).split()
    calls = [(torch.rand(15, 3), torch.randint(0, 2, (15, 3))) for _ in range(2)]
    return _found(classification, ["Multilabel" + n for n in names], calls, num_labels=3)


def step_averages():
    p, t = _scores(30, 5)[0]
    return {
        f"{average} {k}": functional.f1_score(
            p, t, "multiclass", num_classes=5, average=average, top_k=k
        )
        for average in ("micro", "macro", "weighted", "none")
        for k in (1, 2)
    }


def step_thresholds():
    p, t = torch.rand(40), torch.randint(0, 2, (40,))
    F = functional.classification
    return [
        F.binary_precision_at_fixed_recall(p, t, 0.5),
        F.binary_recall_at_fixed_precision(p, t, 0.5),
        F.binary_sensitivity_at_specificity(p, t, 0.5),
        F.binary_roc(p, t, thresholds=5),
        F.binary_precision_recall_curve(p, t, thresholds=[0.2, 0.5, 0.8]),
        F.binary_auroc(p, t, max_fpr=0.5),
        F.binary_fairness(p, t, torch.randint(0, 2, (40,)), task="all"),
    ]


def step_regression():
    names = (
        "ConcordanceCorrCoef CosineSimilarity ExplainedVariance KendallRankCorrCoef LogCoshError "
        "MeanAbsoluteError MeanAbsolutePercentageError MeanSquaredError MinkowskiDistance "
        "PearsonCorrCoef R2Score RelativeSquaredError SpearmanCorrCoef "
        "SymmetricMeanAbsolutePercentageError WeightedMeanAbsolutePercentageError "
        "NormalizedRootMeanSquaredError CriticalSuccessIndex MeanSquaredLogError "
        "TweedieDevianceScore"
    ).split()
    calls = [(torch.rand(12), torch.rand(12)) for _ in range(2)]
    found = {}
    for name in names:
        options = {"MinkowskiDistance": {"p": 3}, "CriticalSuccessIndex": {"threshold": 0.5}}.get(
            name, {}
        )
        shaped = (
            [(a.view(6, 2), b.view(6, 2)) for a, b in calls]
            if name == "CosineSimilarity"
            else calls
        )
        found.update(_found(regression, [name], shaped, **options))
    found.update(
        _found(
            regression,
            ["KLDivergence", "JensenShannonDivergence"],
            [(torch.rand(4, 3).softmax(-1), torch.rand(4, 3).softmax(-1))],
        )
    )
    return found


def step_images():
    a, b = torch.rand(2, 3, 32, 32), torch.rand(2, 3, 32, 32)
    names = (
        "ErrorRelativeGlobalDimensionlessSynthesis PeakSignalNoiseRatio "
        "PeakSignalNoiseRatioWithBlockedEffect RelativeAverageSpectralError "
        "RootMeanSquaredErrorUsingSlidingWindow SpectralAngleMapper SpectralDistortionIndex "
        "StructuralSimilarityIndexMeasure UniversalImageQualityIndex VisualInformationFidelity "
        "SpatialCorrelationCoefficient"
    ).split()
    found = {}
    for name in names:
        if name == "PeakSignalNoiseRatioWithBlockedEffect":
            options, call = {"data_range": 1.0}, (a[:, :1], b[:, :1])
        elif name == "VisualInformationFidelity":
            big = [torch.rand(1, 1, 48, 48) for _ in range(2)]
            options, call = {}, tuple(big)
        else:
            options = {"data_range": 1.0} if "Ratio" in name or "Structural" in name else {}
            call = (a, b)
        found.update(_found(image, [name], [call], **options))
    found["tv"] = _found(image, ["TotalVariation"], [(a,)])
    found["ms"] = functional.image.multiscale_structural_similarity_index_measure(
        torch.rand(1, 1, 180, 180), torch.rand(1, 1, 180, 180), data_range=1.0
    )
    found["gradients"] = functional.image.image_gradients(a[:1])[0].mean()
    return found


def step_text():
    said, meant = (
        ["the cat is on the mat", "hello there"],
        ["the cat was on a mat", "hello you there"],
    )
    names = (
        "CharErrorRate MatchErrorRate WordErrorRate WordInfoLost WordInfoPreserved "
        "TranslationEditRate CHRFScore BLEUScore SacreBLEUScore ExtendedEditDistance EditDistance"
    ).split()
    found = {}
    for name in names:
        nested = name in (
            "BLEUScore",
            "SacreBLEUScore",
            "CHRFScore",
            "TranslationEditRate",
            "ExtendedEditDistance",
        )
        found.update(_found(text, [name], [(said, [[m] for m in meant] if nested else meant)]))
    found["perplexity"] = _found(
        text, ["Perplexity"], [(torch.randn(2, 5, 4), torch.randint(0, 4, (2, 5)))]
    )
    found["squad"] = functional.text.squad(
        [{"prediction_text": "1976", "id": "a"}],
        [{"answers": {"answer_start": [97], "text": ["1976"]}, "id": "a"}],
    )
    return found


def step_retrieval():
    names = (
        "RetrievalMAP RetrievalMRR RetrievalPrecision RetrievalRecall RetrievalFallOut "
        "RetrievalHitRate RetrievalNormalizedDCG RetrievalRPrecision RetrievalAUROC "
        "RetrievalPrecisionRecallCurve"
    ).split()
    calls = [(torch.rand(12), torch.randint(0, 2, (12,)), torch.arange(12) // 4)]
    return _found(retrieval, names, calls)


def step_clustering():
    names = (
        "AdjustedMutualInfoScore AdjustedRandScore CompletenessScore FowlkesMallowsIndex "
        "HomogeneityScore MutualInfoScore NormalizedMutualInfoScore RandScore VMeasureScore"
    ).split()
    return _found(clustering, names, [(torch.randint(0, 3, (20,)), torch.randint(0, 3, (20,)))])


def step_clusters_of_points():
    names = ["CalinskiHarabaszScore", "DaviesBouldinScore", "DunnIndex"]
    return _found(clustering, names, [(torch.randn(20, 2), torch.randint(0, 3, (20,)))])


def step_nominal():
    a, b = torch.randint(0, 3, (30,)), torch.randint(0, 3, (30,))
    found = _found(
        nominal,
        ["CramersV", "PearsonsContingencyCoefficient", "TheilsU", "TschuprowsT"],
        [(a, b)],
        num_classes=3,
    )
    found["fleiss"] = functional.nominal.fleiss_kappa(torch.randint(0, 5, (6, 3)))
    return found


def step_audio():
    a, b = torch.randn(2, 60), torch.randn(2, 60)
    names = "ScaleInvariantSignalDistortionRatio ScaleInvariantSignalNoiseRatio SignalNoiseRatio"
    found = _found(audio, names.split(), [(a, b)])
    found["sdr"] = functional.audio.signal_distortion_ratio(a.double(), b.double(), filter_length=8)
    found["pit"] = functional.audio.permutation_invariant_training(
        torch.randn(1, 2, 30),
        torch.randn(1, 2, 30),
        functional.audio.scale_invariant_signal_distortion_ratio,
    )
    found["sa"] = functional.audio.source_aggregated_signal_distortion_ratio(
        torch.randn(1, 2, 30), torch.randn(1, 2, 30)
    )
    return found


def step_segmentation():
    a, b = torch.randint(0, 2, (3, 4, 8, 8)), torch.randint(0, 2, (3, 4, 8, 8))
    return [
        _found(
            segmentation, ["GeneralizedDiceScore", "MeanIoU", "DiceScore"], [(a, b)], num_classes=4
        ),
        functional.segmentation.hausdorff_distance(a, b, num_classes=4),
        shape.ProcrustesDisparity()(torch.randn(2, 5, 3), torch.randn(2, 5, 3)),
    ]


def step_aggregation():
    found = {}
    for name in (
        "MeanMetric",
        "SumMetric",
        "MaxMetric",
        "MinMetric",
        "CatMetric",
        "RunningMean",
        "RunningSum",
    ):
        metric = getattr(aggregation, name, None)
        if metric is not None:
            found.update(_found(aggregation, [name], [(1.0,), (torch.tensor([2.0, 3.0]),), (4.0,)]))
    return found


def step_wrappers():
    a, b = torch.randn(3, 10), torch.randn(3, 10)
    from torchmetrics import MeanSquaredError

    tracker = wrappers.MetricTracker(MetricCollection([MeanSquaredError()]), maximize=[False])
    outputs = wrappers.MultioutputWrapper(MeanSquaredError(), 2)
    classes = wrappers.ClasswiseWrapper(
        classification.MulticlassAccuracy(num_classes=3, average=None)
    )
    least, running = (
        wrappers.MinMaxMetric(MeanSquaredError()),
        wrappers.Running(MeanSquaredError(), window=2),
    )
    bootstrap = wrappers.BootStrapper(MeanSquaredError(), num_bootstraps=3)
    tasks = wrappers.MultitaskWrapper({"x": MeanSquaredError(), "y": MeanSquaredError()})
    for i in range(3):
        tracker.increment()
        tracker.update(a[i], b[i])
        outputs.update(a[i].view(5, 2), b[i].view(5, 2))
        least.update(a[i], b[i])
        least.compute()
        running.update(a[i], b[i])
        bootstrap.update(a[i], b[i])
        tasks.update({"x": a[i], "y": b[i]}, {"x": b[i], "y": a[i]})
    classes.update(torch.randn(9, 3), torch.randint(0, 3, (9,)))
    return [
        tracker.best_metric(return_step=True),
        outputs.compute(),
        least.compute(),
        running.compute(),
        sorted(bootstrap.compute()),
        tasks.compute(),
        classes.compute(),
    ]


def step_detection():
    from torchmetrics.functional import detection as D

    a = torch.tensor([[0.0, 0.0, 10.0, 10.0], [5.0, 5.0, 9.0, 12.0]])
    b = torch.tensor([[1.0, 1.0, 10.0, 11.0]])
    return [
        D.panoptic_quality(
            torch.tensor([[[[6, 0], [0, 0], [6, 0], [6, 0]]]]),
            torch.tensor([[[[6, 0], [0, 1], [6, 0], [0, 1]]]]),
            things={0, 1},
            stuffs={6, 7},
        ),
        a.shape,
        b.shape,
    ]


def step_curves_and_state():
    metric = classification.MulticlassAccuracy(num_classes=4, average=None)
    with_log = MetricCollection(
        {"a": metric, "f": classification.MulticlassF1Score(num_classes=4)}, prefix="val/"
    )
    for p, t in _scores(15, 4):
        with_log.update(p, t)
    forward = [with_log(*pair) for pair in _scores(5, 4)]
    metric.persistent(True)
    return [
        with_log.compute(),
        forward,
        list(metric.state_dict()),
        with_log.clone(postfix="/x").compute(),
        repr(metric),
    ]

"""captum: every method of attribution, over inputs, layers and neurons; metrics and influence."""

import torch
from captum import attr as A
from captum import metrics
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3, padding=1)
        self.relu1, self.pool = nn.ReLU(), nn.MaxPool2d(2)
        self.fc1, self.relu2, self.fc2 = nn.Linear(64, 8), nn.ReLU(), nn.Linear(8, 3)

    def forward(self, x):
        x = self.pool(self.relu1(self.conv(x))).flatten(1)
        return self.fc2(self.relu2(self.fc1(x)))


def _model():
    torch.manual_seed(0)
    return Net().eval()


def _x(count=2):
    return torch.rand(count, 1, 8, 8, generator=torch.Generator().manual_seed(4))


def step_inputs():
    model, x, found = _model(), _x(), {}
    for name in (
        "Saliency",
        "InputXGradient",
        "Deconvolution",
        "GuidedBackprop",
        "DeepLift",
        "IntegratedGradients",
        "LRP",
    ):
        found[name] = getattr(A, name)(model).attribute(x.clone(), target=1)
    return found


def step_baselines():
    model, x = _model(), _x()
    found = []
    for base in (0.5, torch.ones(1, 1, 8, 8) * 0.2, torch.zeros(2, 1, 8, 8)):
        ig, delta = A.IntegratedGradients(model).attribute(
            x,
            base,
            target=torch.tensor([0, 2]),
            n_steps=6,
            method="riemann_trapezoid",
            return_convergence_delta=True,
            internal_batch_size=4,
        )
        found.append([ig, delta, A.DeepLift(model).attribute(x, base, target=0)])
    return found


def step_shap():
    import numpy

    numpy.random.seed(0)
    model, x = _model(), _x()
    base = torch.rand(4, 1, 8, 8)
    mask = torch.arange(64).view(1, 1, 8, 8) // 16
    return [
        A.DeepLiftShap(model).attribute(x, base, target=1),
        A.GradientShap(model).attribute(x, base, n_samples=3, stdevs=0.01, target=1),
        A.KernelShap(model).attribute(x[:1], target=1, feature_mask=mask, n_samples=12),
        A.ShapleyValueSampling(model).attribute(x, target=0, feature_mask=mask, n_samples=3),
        A.ShapleyValues(model).attribute(x, target=0, feature_mask=mask),
    ]


def step_lime():
    model, x = _model(), _x(1)
    mask = torch.arange(64).view(1, 1, 8, 8) // 16
    return A.Lime(model).attribute(x, target=1, feature_mask=mask, n_samples=10).shape


def step_perturbations():
    model, x = _model(), _x()
    mask = torch.arange(64).view(1, 1, 8, 8) // 8
    return [
        A.FeatureAblation(model).attribute(
            x, target=1, feature_mask=mask, perturbations_per_eval=2
        ),
        A.Occlusion(model).attribute(x, (1, 4, 4), strides=(1, 2, 2), target=1, baselines=0.1),
        A.FeaturePermutation(model).attribute(x, target=1, feature_mask=mask),
    ]


def step_layers():
    model, x, found = _model(), _x(), {}
    for name in (
        "LayerActivation",
        "LayerConductance",
        "LayerGradCam",
        "LayerGradientXActivation",
        "LayerDeepLift",
        "LayerIntegratedGradients",
        "InternalInfluence",
        "LayerFeatureAblation",
        "LayerLRP",
    ):
        options = {} if name == "LayerActivation" else {"target": 1}
        found[name] = getattr(A, name)(model, model.conv).attribute(x.clone(), **options)
    cam = A.LayerGradCam(model, model.conv).attribute(x, target=0, relu_attributions=True)
    found["up"] = A.LayerAttribution.interpolate(cam, (16, 16), "bilinear")
    found["guided"] = A.GuidedGradCam(model, model.conv).attribute(x, target=1)
    return found


def step_neurons():
    model, x, found = _model(), _x(), {}
    for name in (
        "NeuronConductance",
        "NeuronDeepLift",
        "NeuronDeconvolution",
        "NeuronGradient",
        "NeuronGuidedBackprop",
        "NeuronIntegratedGradients",
        "NeuronFeatureAblation",
    ):
        options = {"target": 1} if name == "NeuronConductance" else {}
        found[name] = (
            getattr(A, name)(model, model.fc1).attribute(x.clone(), 2, **options).sum((1, 2, 3))
        )
    return found


def step_several_inputs():
    def forward(a, b, scale):
        return (a * b).sum(1, keepdim=True) * scale + (a**2).sum(1, keepdim=True)

    a, b = torch.randn(3, 4), torch.randn(3, 4)
    return [
        A.IntegratedGradients(forward).attribute((a, b), additional_forward_args=2.0, n_steps=5),
        A.Saliency(forward).attribute((a, b), additional_forward_args=2.0, abs=False),
        A.FeatureAblation(forward).attribute((a, b), additional_forward_args=2.0),
        A.NoiseTunnel(A.Saliency(forward)).attribute(
            (a, b), additional_forward_args=2.0, nt_type="smoothgrad_sq", nt_samples=3, stdevs=0.1
        ),
    ]


def step_embeddings():
    torch.manual_seed(1)
    model = nn.Sequential(nn.Embedding(10, 4), nn.Flatten(), nn.Linear(12, 2))
    ids = torch.tensor([[1, 2, 3], [4, 5, 6]])
    layer = A.LayerIntegratedGradients(model, model[0])
    found = [layer.attribute(ids, torch.zeros_like(ids), target=1, n_steps=5)]
    wrapped = A.configure_interpretable_embedding_layer(model, "0")
    inside = wrapped.indices_to_embeddings(ids)
    found.append(A.IntegratedGradients(model).attribute(inside, target=0, n_steps=4))
    A.remove_interpretable_embedding_layer(model, wrapped)
    return [found, type(model[0]).__name__]


def step_quality():
    model, x = _model(), _x()
    saliency = A.Saliency(model)
    scores = saliency.attribute(x, target=1)

    def noisy(inputs):
        noise = torch.full_like(inputs, 0.01)
        return noise, inputs - noise

    return [
        metrics.infidelity(model, noisy, x, scores, target=1, n_perturb_samples=3),
        metrics.sensitivity_max(
            saliency.attribute, x, lambda t: t + 0.01, target=1, n_perturb_samples=2
        ),
    ]


def step_robustness():
    from captum.robust import FGSM, PGD

    model, x = _model(), _x()
    fgsm, pgd = (
        FGSM(model, lower_bound=0.0, upper_bound=1.0),
        PGD(model, lower_bound=0.0, upper_bound=1.0),
    )
    return [
        fgsm.perturb(x, 0.1, target=1),
        pgd.perturb(x, 0.1, 0.05, 3, target=1),
    ]


def step_concepts():
    from captum.concept import TCAV, Concept

    model = _model()
    data = [torch.rand(6, 1, 8, 8) + shift for shift in (0.0, 0.5)]
    concepts = [
        Concept(i, f"c{i}", torch.utils.data.DataLoader(d, batch_size=3))
        for i, d in enumerate(data)
    ]
    tcav = TCAV(
        model,
        ["fc1"],
        layer_attr_method=A.LayerIntegratedGradients(model, None, multiply_by_inputs=False),
        save_path="cav",
    )
    return sorted(tcav.interpret(_x(), [concepts], target=0, n_steps=3))


def step_influence():
    from captum.influence import TracInCP

    torch.manual_seed(2)
    model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
    data = torch.utils.data.TensorDataset(torch.randn(6, 3), torch.randint(0, 2, (6,)))
    torch.save(model.state_dict(), "checkpoint.pt")

    def load(net, path):
        net.load_state_dict(torch.load(path))
        return 1.0

    tracin = TracInCP(
        model,
        data,
        ["checkpoint.pt"],
        load,
        loss_fn=nn.CrossEntropyLoss(reduction="none"),
        batch_size=3,
        sample_wise_grads_per_batch=False,
    )
    return [tracin.influence((data[0][0][None], data[0][1][None])), tracin.self_influence()]


def step_llm_like():
    torch.manual_seed(3)
    model = nn.Sequential(nn.Embedding(8, 4), nn.Flatten(), nn.Linear(16, 5))
    ids = torch.tensor([[1, 2, 3, 4]])
    mask = torch.tensor([[0, 0, 1, 2]])
    ablation = A.FeatureAblation(model)
    return ablation.attribute(ids, target=2, feature_mask=mask)

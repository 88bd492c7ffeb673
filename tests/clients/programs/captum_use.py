"""captum: attribution of a small network."""

import torch
from captum.attr import (
    LRP,
    DeepLift,
    FeatureAblation,
    GradientShap,
    GuidedBackprop,
    InputXGradient,
    IntegratedGradients,
    KernelShap,
    LayerConductance,
    LayerGradCam,
    NeuronConductance,
    NoiseTunnel,
    Occlusion,
    Saliency,
    ShapleyValueSampling,
)


def _model():
    torch.manual_seed(0)
    return torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 3)).eval()


def _x():
    return torch.arange(8.0).reshape(2, 4) / 8


def step_integrated_gradients():
    found, delta = IntegratedGradients(_model()).attribute(
        _x(), target=1, return_convergence_delta=True, n_steps=10
    )
    return [found, delta]


def step_saliency():
    return Saliency(_model()).attribute(_x(), target=0)


def step_input_x_gradient():
    return InputXGradient(_model()).attribute(_x(), target=0)


def step_deep_lift():
    return DeepLift(_model()).attribute(_x(), target=0)


def step_guided():
    return GuidedBackprop(_model()).attribute(_x(), target=2)


def step_ablation():
    return FeatureAblation(_model()).attribute(_x(), target=0)


def step_occlusion():
    return Occlusion(_model()).attribute(_x(), target=0, sliding_window_shapes=(2,))


def step_shapley():
    return ShapleyValueSampling(_model()).attribute(_x(), target=0, n_samples=2).shape


def step_gradient_shap():
    torch.manual_seed(1)
    import numpy

    numpy.random.seed(0)
    return GradientShap(_model()).attribute(_x(), baselines=torch.zeros(2, 4), target=0)


def step_noise_tunnel():
    torch.manual_seed(1)
    return NoiseTunnel(Saliency(_model())).attribute(_x(), target=0, nt_samples=3)


def step_layers():
    model = _model()
    return [
        LayerConductance(model, model[0]).attribute(_x(), target=0, n_steps=5),
        NeuronConductance(model, model[0]).attribute(_x(), 1, target=0, n_steps=5),
    ]


def step_grad_cam():
    torch.manual_seed(0)
    model = torch.nn.Sequential(
        torch.nn.Conv2d(1, 3, 3), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.Linear(3 * 36, 2)
    )
    return LayerGradCam(model, model[0]).attribute(torch.randn(1, 1, 8, 8), target=1)


def step_lrp():
    return LRP(_model()).attribute(_x(), target=0)


def step_kernel_shap():
    torch.manual_seed(2)
    return KernelShap(_model()).attribute(_x()[:1], target=0, n_samples=20).shape

"""snntorch: spiking neurons, surrogate gradients, generated spikes, losses, training."""

import snntorch as snn
import torch
from snntorch import functional as SF
from snntorch import spikegen, surrogate, utils
from torch import nn

STEPS = 8


def _run(neuron, x):
    """Spikes, membranes and the gradient of *x* after STEPS."""
    x = x.requires_grad_()
    found = []
    states = neuron.reset_mem() if hasattr(neuron, "reset_mem") else neuron.init_leaky()
    states = states if isinstance(states, tuple) else (states,)
    for step in range(STEPS):
        out = neuron(x * (step % 3), *states)
        found.append(out[0])
        states = out[1:]
    total = torch.stack(found)
    (total.sum() + sum(s.sum() for s in states)).backward()
    return [total, *states, x.grad]


def step_leaky():
    return [
        _run(snn.Leaky(beta=0.9, reset_mechanism=how), torch.rand(2, 5))
        for how in ("subtract", "zero", "none")
    ]


def step_leaky_learned():
    neuron = snn.Leaky(beta=torch.rand(5), learn_beta=True, learn_threshold=True)
    found = _run(neuron, torch.rand(2, 5))
    return [*found, neuron.beta.grad, neuron.threshold.grad]


def step_lapicque():
    return _run(snn.Lapicque(R=2.0, C=1.0, time_step=0.5), torch.rand(2, 5))


def step_synaptic():
    return _run(snn.Synaptic(alpha=0.9, beta=0.8), torch.rand(2, 5))


def step_alpha():
    return _run(snn.Alpha(alpha=0.9, beta=0.8), torch.rand(2, 5) * 3)


def step_r_leaky():
    neuron = snn.RLeaky(beta=0.9, linear_features=5)
    spike, mem = neuron.init_rleaky()
    found = []
    for _ in range(STEPS):
        spike, mem = neuron(torch.rand(2, 5), spike, mem)
        found.append(spike)
    torch.stack(found).sum().backward()
    return [torch.stack(found), neuron.recurrent.weight.grad]


def step_slstm():
    cell = snn.SLSTM(5, 4)
    syn, mem = cell.init_slstm()
    for _ in range(STEPS):
        spike, syn, mem = cell(torch.rand(2, 5), syn, mem)
    (spike.sum() + mem.sum()).backward()
    return [spike, mem, cell.lstm_cell.weight_ih.grad]


def step_sconv2d_lstm():
    cell = snn.SConv2dLSTM(1, 3, 3, max_pool=2)
    syn, mem = cell.init_sconv2dlstm()
    for _ in range(3):
        spike, syn, mem = cell(torch.rand(2, 1, 8, 8), syn, mem)
    mem.sum().backward()
    return [spike, mem.sum(), cell.conv.weight.grad.sum()]


def step_surrogates():
    found = {}
    for name, grad in {
        "atan": surrogate.atan(alpha=2.0),
        "fast": surrogate.fast_sigmoid(slope=25),
        "sigmoid": surrogate.sigmoid(slope=5),
        "triangular": surrogate.triangular(threshold=1),
        "straight": surrogate.straight_through_estimator(),
        "sparse": surrogate.SFS(slope=25, B=1),
    }.items():
        found[name] = _run(snn.Leaky(beta=0.9, spike_grad=grad), torch.rand(2, 3) * 1.5)
    return found


def step_rate():
    return [spikegen.rate(torch.rand(3, 4), num_steps=5), spikegen.rate_conv(torch.rand(3, 4))]


def step_latency():
    x = torch.rand(3, 4)
    return [
        spikegen.latency(x, num_steps=6, normalize=True, linear=True),
        spikegen.latency(x, num_steps=6, tau=2, threshold=0.1, clip=True, bypass=True),
    ]


def step_delta():
    x = torch.tensor([1.0, 2.0, 8.0, -3.0, -1.0])
    return [spikegen.delta(x, threshold=4), spikegen.delta(x, threshold=1, off_spike=True)]


def step_targets():
    targets = torch.tensor([0, 2, 1])
    return [
        spikegen.targets_convert(targets, num_classes=3, code="rate"),
        spikegen.target_rate_code(num_steps=5, rate=0.5)[0].shape[0],
        spikegen.from_one_hot(torch.eye(3)),
    ]


def step_losses():
    spikes = (torch.rand(STEPS, 4, 6) > 0.5).float().requires_grad_()
    mem = torch.randn(STEPS, 4, 6)
    targets = torch.tensor([0, 1, 2, 1])
    population = dict(population_code=True, num_classes=3)
    return [
        SF.ce_rate_loss()(spikes, targets),
        SF.ce_count_loss(**population)(spikes, targets),
        SF.ce_max_membrane_loss()(mem, targets),
        SF.mse_count_loss(correct_rate=0.8, incorrect_rate=0.2)(spikes, targets),
        SF.mse_membrane_loss()(mem, targets),
        SF.accuracy_rate(spikes, targets, **population),
        SF.l1_rate_sparsity()(spikes),
        SF.reg.l1_rate_sparsity(Lambda=1e-3)(spikes),
    ]


def step_temporal_losses():
    x = torch.rand(STEPS, 4, 6).requires_grad_()
    neuron = snn.Leaky(beta=0.9, threshold=0.8)
    mem = neuron.init_leaky()
    spikes = []
    for step in range(STEPS):
        spike, mem = neuron(x[step], mem)
        spikes.append(spike)
    targets = torch.tensor([0, 1, 2, 1])
    spikes = torch.stack(spikes)
    loss = SF.mse_temporal_loss()(spikes, targets) + SF.ce_temporal_loss()(spikes, targets)
    loss.backward()
    return [loss, x.grad.sum(), SF.accuracy_temporal(spikes, targets)]


def step_network():
    grad = surrogate.fast_sigmoid(slope=25)
    net = nn.Sequential(
        nn.Conv2d(1, 4, 3),
        nn.MaxPool2d(2),
        snn.Leaky(beta=0.9, spike_grad=grad, init_hidden=True),
        nn.Flatten(),
        nn.Linear(36, 3),
        snn.Leaky(beta=0.9, spike_grad=grad, init_hidden=True, output=True),
    )
    x, targets = torch.rand(6, 1, 8, 8) * 2, torch.randint(0, 3, (6,))
    optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
    losses = []
    for _ in range(5):
        utils.reset(net)
        spikes, mems = zip(*(net(x) for _ in range(STEPS)))
        loss = SF.ce_rate_loss()(torch.stack(spikes), targets) + SF.mse_membrane_loss()(
            torch.stack(mems), targets
        )
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss)
    return losses


def step_leaky_parallel():
    layer = snn.LeakyParallel(5, 4, beta=0.8)
    spikes = layer(torch.rand(STEPS, 2, 5))
    spikes.sum().backward()
    return [spikes, layer.rnn.weight_ih_l0.grad]


def step_state():
    neuron = snn.Synaptic(alpha=0.9, beta=0.8, learn_alpha=True, init_hidden=True)
    neuron(torch.rand(2, 3))
    other = snn.Synaptic(alpha=0.1, beta=0.1, learn_alpha=True, init_hidden=True)
    other.load_state_dict(neuron.state_dict())
    return [{k: list(v.shape) for k, v in neuron.state_dict().items()}, other.alpha, other.beta]

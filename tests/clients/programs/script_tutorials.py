"""Programs as tutorials show them: what they print is what is compared."""

import copy
import io
import math
import os
import random
import tempfile
import time
from functools import partial

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.nn.utils.parametrize as parametrize
import torch.nn.utils.prune as prune
from torch import optim
from torch.func import (
    functional_call,
    grad,
    hessian,
    jacfwd,
    jacrev,
    jvp,
    stack_module_state,
    vjp,
    vmap,
)
from torch.utils.data import DataLoader, Dataset, TensorDataset, random_split


def step_tensors():
    data = [[1, 2], [3, 4]]
    x = torch.tensor(data)
    array = np.array(data)
    tensor = torch.ones(4, 4)
    tensor[:, 1] = 0
    n = torch.from_numpy(array)
    np.add(array, 1, out=array)
    return [
        f"Ones Tensor: \n {torch.ones_like(x)} \n",
        f"Random Tensor: \n {torch.rand_like(x, dtype=torch.float)} \n",
        f"Shape of tensor: {tensor.shape}, {tensor.dtype}, {tensor.device}",
        f"First row: {tensor[0]}, first column: {tensor[:, 0]}, last: {tensor[..., -1]}",
        f"{torch.cat([tensor, tensor], dim=1)}",
        f"tensor.mul(tensor) \n {tensor.mul(tensor)} \n {tensor @ tensor.T}",
        f"{tensor.sum().item()} {type(tensor.sum().item())}",
        f"{n} {tensor.numpy()}",
    ]


def step_autograd():
    a = torch.tensor([2.0, 3.0], requires_grad=True)
    b = torch.tensor([6.0, 4.0], requires_grad=True)
    Q = 3 * a**3 - b**2
    text = str(Q)
    Q.backward(gradient=torch.tensor([1.0, 1.0]))
    z = torch.matmul(torch.ones(5), torch.randn(5, 3, requires_grad=True)) + 1
    with torch.no_grad():
        quiet = (z * 2).requires_grad
    return [
        text,
        str(9 * a**2 == a.grad),
        str(-2 * b == b.grad),
        str(z.grad_fn).split(" at ")[0],
        [str(f[0]).split(" at ")[0] for f in z.grad_fn.next_functions],
        quiet,
    ]


def step_jacobian_product():
    inp = torch.eye(4, 5, requires_grad=True)
    out = (inp + 1).pow(2).t()
    lines = []
    out.backward(torch.ones_like(out), retain_graph=True)
    lines.append(f"First call\n{inp.grad}")
    out.backward(torch.ones_like(out), retain_graph=True)
    lines.append(f"\nSecond call\n{inp.grad}")
    inp.grad.zero_()
    out.backward(torch.ones_like(out), retain_graph=True)
    return [*lines, f"\nCall after zeroing gradients\n{inp.grad}"]


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.flatten = nn.Flatten()
        self.linear_relu_stack = nn.Sequential(
            nn.Linear(6 * 6, 12), nn.ReLU(), nn.Linear(12, 12), nn.ReLU(), nn.Linear(12, 4)
        )

    def forward(self, x):
        return self.linear_relu_stack(self.flatten(x))


def step_quickstart():
    torch.manual_seed(0)
    data = TensorDataset(torch.rand(40, 1, 6, 6), torch.randint(0, 4, (40,)))
    train_dataloader, test_dataloader = DataLoader(data, 8), DataLoader(data, 8)
    model, lines = Network().to("cpu"), []
    lines.append(str(model))
    loss_fn = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-1)
    for t in range(2):
        model.train()
        for batch, (X, y) in enumerate(train_dataloader):
            loss = loss_fn(model(X), y)
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            if batch % 2 == 0:
                lines.append(f"loss: {loss.item():>7f}  [{batch * len(X):>5d}/{40:>5d}]")
        model.eval()
        test_loss, correct = 0, 0
        with torch.no_grad():
            for X, y in test_dataloader:
                pred = model(X)
                test_loss += loss_fn(pred, y).item()
                correct += (pred.argmax(1) == y).type(torch.float).sum().item()
        lines.append(f"Accuracy: {100 * correct / 40:>0.1f}%, Avg loss: {test_loss / 5:>8f} {t}")
    path = os.path.join(tempfile.mkdtemp(), "model.pth")
    torch.save(model.state_dict(), path)
    again = Network()
    lines.append(str(again.load_state_dict(torch.load(path, weights_only=True))))
    with torch.no_grad():
        lines.append(str(again(data[0][0])[0].argmax(0)))
    return lines


def step_model_prints():
    model = Network()
    return [
        f"Layer: {name} | Size: {param.size()} | Values : {param[:2]} \n"
        for name, param in model.named_parameters()
    ][:2]


def step_polynomial():
    class LegendrePolynomial3(torch.autograd.Function):
        @staticmethod
        def forward(ctx, input):
            ctx.save_for_backward(input)
            return 0.5 * (5 * input**3 - 3 * input)

        @staticmethod
        def backward(ctx, grad_output):
            (input,) = ctx.saved_tensors
            return grad_output * 1.5 * (5 * input**2 - 1)

    x = torch.linspace(-math.pi, math.pi, 200)
    y = torch.sin(x)
    a, b, c, d = (torch.full((), v, requires_grad=True) for v in (0.0, -1.0, 0.0, 0.3))
    lines = []
    for t in range(60):
        y_pred = a + b * LegendrePolynomial3.apply(c + d * x)
        loss = (y_pred - y).pow(2).sum()
        if t % 20 == 19:
            lines.append(f"{t} {loss.item():.3f}")
        loss.backward()
        with torch.no_grad():
            for p in (a, b, c, d):
                p -= 5e-6 * p.grad
                p.grad = None
    return [*lines, f"Result: y = {b.item():.4f} * P3({d.item():.4f} x)"]


def step_dynamic_net():
    class DynamicNet(nn.Module):
        def __init__(self):
            super().__init__()
            self.a = nn.Parameter(torch.randn(()))
            self.e = nn.Parameter(torch.randn(()))

        def forward(self, x):
            y = self.a * x
            for exp in range(4, random.randint(4, 6)):
                y = y + self.e * x**exp
            return y

        def string(self):
            return f"y = {self.a.item():.4f} x + {self.e.item():.4f} x^4 ?"

    random.seed(0)
    torch.manual_seed(0)
    x = torch.linspace(-1, 1, 50)
    model = DynamicNet()
    optimizer = optim.SGD(model.parameters(), lr=1e-3, momentum=0.9)
    for _ in range(30):
        loss = nn.MSELoss(reduction="sum")(model(x), x.sin())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return [loss.item(), model.string()]


ALL_LETTERS = "abcdefghijklmnopqrstuvwxyz .,;'"


class CharRNN(nn.Module):
    def __init__(self, input_size, hidden_size, output_size):
        super().__init__()
        self.hidden_size = hidden_size
        self.i2h = nn.Linear(input_size + hidden_size, hidden_size)
        self.h2o = nn.Linear(hidden_size, output_size)
        self.softmax = nn.LogSoftmax(dim=1)

    def forward(self, input, hidden):
        hidden = torch.tanh(self.i2h(torch.cat((input, hidden), 1)))
        return self.softmax(self.h2o(hidden)), hidden

    def initHidden(self):
        return torch.zeros(1, self.hidden_size)


def _line(line):
    tensor = torch.zeros(len(line), 1, len(ALL_LETTERS))
    for i, letter in enumerate(line):
        tensor[i][0][ALL_LETTERS.find(letter)] = 1
    return tensor


def step_char_rnn():
    random.seed(1)
    torch.manual_seed(1)
    names = {"English": ["smith", "jones"], "Greek": ["adamidis", "kosmas"]}
    categories, rnn, criterion = list(names), CharRNN(len(ALL_LETTERS), 16, 2), nn.NLLLoss()
    lines = []
    for it in range(12):
        category = random.choice(categories)
        line = random.choice(names[category])
        target = torch.tensor([categories.index(category)], dtype=torch.long)
        hidden = rnn.initHidden()
        rnn.zero_grad()
        x = _line(line)
        for i in range(x.size()[0]):
            output, hidden = rnn(x[i], hidden)
        loss = criterion(output, target)
        loss.backward()
        for p in rnn.parameters():
            p.data.add_(p.grad.data, alpha=-0.05)
        top_n, top_i = output.topk(1)
        guess = categories[top_i[0].item()]
        lines.append(f"{it} {loss:.4f} {line} / {guess} {top_n.item():.4f}")
    return lines


def step_char_generation():
    torch.manual_seed(0)

    class Gen(nn.Module):
        def __init__(self):
            super().__init__()
            n = len(ALL_LETTERS) + 1
            self.i2h, self.i2o = nn.Linear(2 + n + 8, 8), nn.Linear(2 + n + 8, n)
            self.o2o, self.dropout = nn.Linear(8 + n, n), nn.Dropout(0.1)

        def forward(self, category, input, hidden):
            combined = torch.cat((category, input, hidden), 1)
            hidden, output = self.i2h(combined), self.i2o(combined)
            output = self.dropout(self.o2o(torch.cat((hidden, output), 1)))
            return F.log_softmax(output, 1), hidden

    rnn, n, losses = Gen(), len(ALL_LETTERS) + 1, []
    word = [ALL_LETTERS.find(c) for c in "kasimir"]
    for _ in range(5):
        hidden, loss = torch.zeros(1, 8), torch.Tensor([0])
        rnn.zero_grad()
        for i, letter in enumerate(word):
            x = F.one_hot(torch.tensor([letter]), n).float()
            out, hidden = rnn(torch.tensor([[1.0, 0.0]]), x, hidden)
            target = torch.LongTensor([word[i + 1] if i + 1 < len(word) else n - 1])
            loss += nn.NLLLoss()(out, target)
        loss.backward()
        for p in rnn.parameters():
            p.data.add_(p.grad.data, alpha=-0.01)
        losses.append(loss.item() / len(word))
    return losses


class Encoder(nn.Module):
    def __init__(self, size, hidden):
        super().__init__()
        self.embedding, self.gru = (
            nn.Embedding(size, hidden),
            nn.GRU(hidden, hidden, batch_first=True),
        )
        self.dropout = nn.Dropout(0.1)

    def forward(self, input):
        return self.gru(self.dropout(self.embedding(input)))


class BahdanauAttention(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.Wa, self.Ua, self.Va = nn.Linear(size, size), nn.Linear(size, size), nn.Linear(size, 1)

    def forward(self, query, keys):
        scores = self.Va(torch.tanh(self.Wa(query) + self.Ua(keys)))
        weights = F.softmax(scores.squeeze(2).unsqueeze(1), dim=-1)
        return torch.bmm(weights, keys), weights


class AttnDecoder(nn.Module):
    def __init__(self, hidden, size):
        super().__init__()
        self.embedding, self.attention = nn.Embedding(size, hidden), BahdanauAttention(hidden)
        self.gru, self.out = nn.GRU(2 * hidden, hidden, batch_first=True), nn.Linear(hidden, size)

    def forward(self, encoder_outputs, encoder_hidden, target=None):
        x = torch.empty(encoder_outputs.size(0), 1, dtype=torch.long).fill_(0)
        hidden, outputs, attentions = encoder_hidden, [], []
        for i in range(4):
            context, weights = self.attention(hidden.permute(1, 0, 2), encoder_outputs)
            out, hidden = self.gru(torch.cat((self.embedding(x), context), dim=2), hidden)
            out = self.out(out)
            outputs.append(out)
            attentions.append(weights)
            if target is not None:
                x = target[:, i].unsqueeze(1)
            else:
                x = out.topk(1)[1].squeeze(-1).detach()
        outputs = F.log_softmax(torch.cat(outputs, dim=1), dim=-1)
        return outputs, hidden, torch.cat(attentions, dim=1)


def step_seq2seq():
    torch.manual_seed(0)
    encoder, decoder = Encoder(10, 8), AttnDecoder(8, 12)
    eo, do = optim.Adam(encoder.parameters(), lr=0.01), optim.Adam(decoder.parameters(), lr=0.01)
    x, y, losses = torch.randint(0, 10, (3, 5)), torch.randint(0, 12, (3, 4)), []
    for _ in range(4):
        eo.zero_grad()
        do.zero_grad()
        outputs, hidden = encoder(x)
        found, _, _ = decoder(outputs, hidden, y)
        loss = nn.NLLLoss()(found.view(-1, found.size(-1)), y.view(-1))
        loss.backward()
        eo.step()
        do.step()
        losses.append(loss.item())
    encoder.eval()
    with torch.no_grad():
        found, _, attention = decoder(*encoder(x))
    return [losses, found.topk(1)[1].squeeze(), attention[0]]


class STN(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.drop = nn.Conv2d(1, 4, 5), nn.Dropout2d()
        self.fc = nn.Linear(4 * 6 * 6, 10)
        self.localization = nn.Sequential(
            nn.Conv2d(1, 4, kernel_size=5), nn.MaxPool2d(2, stride=2), nn.ReLU(True)
        )
        self.fc_loc = nn.Sequential(nn.Linear(4 * 6 * 6, 8), nn.ReLU(True), nn.Linear(8, 6))
        self.fc_loc[2].weight.data.zero_()
        self.fc_loc[2].bias.data.copy_(torch.tensor([1, 0, 0, 0, 1, 0], dtype=torch.float))

    def stn(self, x):
        theta = self.fc_loc(self.localization(x).view(-1, 4 * 6 * 6)).view(-1, 2, 3)
        grid = F.affine_grid(theta, x.size())
        return F.grid_sample(x, grid)

    def forward(self, x):
        x = F.relu(F.max_pool2d(self.drop(self.conv(self.stn(x))), 2))
        return F.log_softmax(self.fc(x.view(-1, 4 * 6 * 6)), dim=1)


def step_spatial_transformer():
    torch.manual_seed(0)
    model, losses = STN(), []
    optimizer = optim.SGD(model.parameters(), lr=0.01)
    x, y = torch.rand(4, 1, 16, 16), torch.tensor([0, 1, 2, 3])
    for _ in range(3):
        optimizer.zero_grad()
        loss = F.nll_loss(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return [losses, model.stn(x)[0, 0, :2]]


def step_transfer_learning():
    torch.manual_seed(0)
    backbone = nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Flatten())
    for param in backbone.parameters():
        param.requires_grad = False
    model = nn.Sequential(backbone, nn.Linear(4 * 36, 2))
    optimizer = optim.SGD(model[1].parameters(), lr=0.001, momentum=0.9)
    scheduler = optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.1)
    data = TensorDataset(torch.rand(12, 3, 8, 8), torch.randint(0, 2, (12,)))
    loaders = {"train": DataLoader(data, 4, shuffle=True), "val": DataLoader(data, 4)}
    best, best_acc, lines = copy.deepcopy(model.state_dict()), 0.0, []
    since = time.time()
    for epoch in range(3):
        for phase in ["train", "val"]:
            model.train() if phase == "train" else model.eval()
            running_loss, running_corrects = 0.0, 0
            for inputs, labels in loaders[phase]:
                optimizer.zero_grad()
                with torch.set_grad_enabled(phase == "train"):
                    outputs = model(inputs)
                    _, preds = torch.max(outputs, 1)
                    loss = F.cross_entropy(outputs, labels)
                    if phase == "train":
                        loss.backward()
                        optimizer.step()
                running_loss += loss.item() * inputs.size(0)
                running_corrects += torch.sum(preds == labels.data)
            if phase == "train":
                scheduler.step()
            acc = running_corrects.double() / 12
            lines.append(f"{phase} Loss: {running_loss / 12:.4f} Acc: {acc:.4f} {epoch}")
            if phase == "val" and acc > best_acc:
                best_acc, best = acc, copy.deepcopy(model.state_dict())
    model.load_state_dict(best)
    return [*lines, f"Best val Acc: {best_acc:4f}", time.time() - since < 60]


def step_dqn():
    from collections import deque, namedtuple

    Transition = namedtuple("Transition", ("state", "action", "next_state", "reward"))
    random.seed(0)
    torch.manual_seed(0)
    policy_net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
    target_net = copy.deepcopy(policy_net)
    target_net.load_state_dict(policy_net.state_dict())
    optimizer = optim.AdamW(policy_net.parameters(), lr=1e-3, amsgrad=True)
    memory, state, losses = deque([], maxlen=50), torch.zeros(1, 4), []
    for t in range(25):
        if random.random() > 0.5:
            with torch.no_grad():
                action = policy_net(state).max(1).indices.view(1, 1)
        else:
            action = torch.tensor([[random.randrange(2)]], dtype=torch.long)
        nxt = None if t % 7 == 6 else state * 0.9 + action.float() - 0.5
        memory.append(Transition(state, action, nxt, torch.tensor([float(action.item())])))
        state = torch.zeros(1, 4) if nxt is None else nxt
        if len(memory) < 8:
            continue
        batch = Transition(*zip(*random.sample(memory, 8)))
        mask = torch.tensor(tuple(map(lambda s: s is not None, batch.next_state)), dtype=torch.bool)
        rest = torch.cat([s for s in batch.next_state if s is not None])
        values = policy_net(torch.cat(batch.state)).gather(1, torch.cat(batch.action))
        following = torch.zeros(8)
        with torch.no_grad():
            following[mask] = target_net(rest).max(1).values
        expected = (following * 0.99) + torch.cat(batch.reward)
        loss = nn.SmoothL1Loss()(values, expected.unsqueeze(1))
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_value_(policy_net.parameters(), 100)
        optimizer.step()
        own, other = policy_net.state_dict(), target_net.state_dict()
        for key in own:
            other[key] = own[key] * 0.005 + other[key] * 0.995
        target_net.load_state_dict(other)
        losses.append(loss.item())
    return losses


def step_pruning():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Conv2d(1, 4, 3), nn.Flatten(), nn.Linear(16, 3))
    module = model[0]
    prune.random_unstructured(module, name="weight", amount=0.3)
    lines = [
        sorted(n for n, _ in module.named_parameters()),
        sorted(n for n, _ in module.named_buffers()),
    ]
    lines.append([type(h).__name__ for h in module._forward_pre_hooks.values()])
    prune.l1_unstructured(module, name="bias", amount=3)
    prune.ln_structured(module, name="weight", amount=0.5, n=2, dim=0)
    lines.append([type(h).__name__ for h in module._forward_pre_hooks.values()])
    lines.append(sorted(model.state_dict()))
    prune.remove(module, "weight")
    lines.append(sorted(model.state_dict()))
    other = copy.deepcopy(model[2])
    prune.global_unstructured([(other, "weight")], pruning_method=prune.L1Unstructured, amount=0.2)
    lines.append(100.0 * float(torch.sum(other.weight == 0)) / other.weight.nelement())

    class FooBar(prune.BasePruningMethod):
        PRUNING_TYPE = "unstructured"

        def compute_mask(self, t, default_mask):
            mask = default_mask.clone()
            mask.view(-1)[::2] = 0
            return mask

    FooBar.apply(other, "bias")
    return [*lines, other.bias_mask, prune.is_pruned(other), module.weight]


def step_parametrizations():
    class Symmetric(nn.Module):
        def forward(self, X):
            return X.triu() + X.triu(1).transpose(-1, -2)

        def right_inverse(self, A):
            return A.triu()

    class MatrixExponential(nn.Module):
        def forward(self, X):
            return torch.matrix_exp(X)

    class Skew(nn.Module):
        def forward(self, X):
            A = X.triu(1)
            return A - A.transpose(-1, -2)

    layer = nn.Linear(3, 3)
    parametrize.register_parametrization(layer, "weight", Symmetric())
    lines = [str(layer), torch.allclose(layer.weight, layer.weight.T)]
    layer.weight = torch.eye(3)
    lines.append(layer.parametrizations.weight.original)
    other = nn.Linear(3, 3)
    parametrize.register_parametrization(other, "weight", Skew())
    parametrize.register_parametrization(other, "weight", MatrixExponential())
    lines.append(torch.allclose(other.weight @ other.weight.T, torch.eye(3), atol=1e-5))
    with parametrize.cached():
        other(torch.ones(1, 3)).sum().backward()
    lines.append(other.parametrizations.weight.original.grad)
    parametrize.remove_parametrizations(layer, "weight", leave_parametrized=False)
    orthogonal = nn.utils.parametrizations.orthogonal(nn.Linear(3, 3))
    spectral = nn.utils.parametrizations.spectral_norm(nn.Linear(3, 3))
    normed = nn.utils.parametrizations.weight_norm(nn.Linear(3, 2))
    q = orthogonal.weight
    return [
        *lines,
        str(layer),
        torch.dist(q.T @ q, torch.eye(3)) < 1e-5,
        spectral.weight.shape,
        normed(torch.ones(1, 3)),
        str(normed),
    ]


def step_hooks():
    found = []
    model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
    handles = [
        model[0].register_forward_hook(lambda m, i, o: found.append(("f", list(o.shape)))),
        model[0].register_forward_pre_hook(lambda m, i: found.append(("p", list(i[0].shape)))),
        model[2].register_full_backward_hook(lambda m, gi, go: found.append(("b", go[0].sum()))),
        model[2].register_full_backward_pre_hook(lambda m, go: (go[0] * 2,)),
        model.register_state_dict_pre_hook(lambda m, prefix, keep: found.append(prefix)),
    ]
    x = torch.ones(2, 3, requires_grad=True)
    h = x.register_hook(lambda g: g * 3)
    y = model(x)
    y.register_hook(lambda g: found.append(("t", g.sum())))
    y.sum().backward()
    model.state_dict()
    grads = x.grad.clone()
    for each in [*handles, h]:
        each.remove()
    model(x).sum().backward()
    return [[list(f) if isinstance(f, tuple) else f for f in found], grads, x.grad - grads]


def step_saved_tensor_hooks():
    class SelfDeletingTempFile:
        def __init__(self):
            self.name = os.path.join(tempfile.gettempdir(), f"{random.random()}.pt")

        def __del__(self):
            os.remove(self.name)

    seen = []

    def pack(tensor):
        file = SelfDeletingTempFile()
        torch.save(tensor, file.name)
        seen.append(list(tensor.shape))
        return file

    x = torch.rand(5, requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda f: torch.load(f.name)):
        y = x.pow(2).sin()
    raw = torch.rand(3, requires_grad=True).exp()
    saved = [raw.grad_fn._saved_result, y.grad_fn._saved_self.shape]
    y.sum().backward()
    return [seen, x.grad, saved]


def _predict(w, b, x):
    return F.linear(x, w, b).tanh()


def step_jacobians():
    w, b, x = torch.randn(4, 3), torch.randn(4), torch.randn(3)
    unit = torch.eye(4)
    xp = x.clone().requires_grad_()
    rows = [torch.autograd.grad(_predict(w, b, xp), xp, v)[0] for v in unit]
    _, vjp_fn = vjp(partial(_predict, w, b), x)
    (ft,) = vmap(vjp_fn)(unit)
    return [
        torch.stack(rows),
        ft,
        jacrev(_predict, argnums=2)(w, b, x),
        jacfwd(_predict, argnums=2)(w, b, x),
        hessian(lambda z: _predict(w, b, z).sum())(x),
        jvp(lambda z: _predict(w, b, z), (x,), (torch.ones(3),)),
        vmap(jacrev(_predict, argnums=2), in_dims=(None, None, 0))(w, b, torch.randn(2, 3)),
        torch.autograd.functional.jacobian(lambda z: _predict(w, b, z), x),
        torch.autograd.functional.hessian(lambda z: _predict(w, b, z).sum(), x),
        torch.autograd.functional.vhp(lambda z: _predict(w, b, z).sum(), x, torch.ones(3)),
    ]


def step_per_sample_gradients():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Conv2d(1, 2, 3), nn.ReLU(), nn.Flatten(), nn.Linear(32, 3))
    data, targets = torch.randn(4, 1, 6, 6), torch.randint(3, (4,))
    params = {k: v.detach() for k, v in model.named_parameters()}
    buffers = {k: v.detach() for k, v in model.named_buffers()}

    def compute_loss(params, buffers, sample, target):
        out = functional_call(model, (params, buffers), (sample.unsqueeze(0),))
        return F.cross_entropy(out, target.unsqueeze(0))

    ft = vmap(grad(compute_loss), in_dims=(None, None, 0, 0))(params, buffers, data, targets)
    one = torch.autograd.grad(F.cross_entropy(model(data[:1]), targets[:1]), model.parameters())
    return [ft, all(torch.allclose(a[0], b, atol=1e-5) for a, b in zip(ft.values(), one))]


def step_ensembling():
    torch.manual_seed(0)
    models = [Network() for _ in range(3)]
    params, buffers = stack_module_state(models)
    base = copy.deepcopy(models[0]).to("meta")

    def fmodel(params, buffers, x):
        return functional_call(base, (params, buffers), (x,))

    x = torch.randn(3, 2, 1, 6, 6)
    first = vmap(fmodel)(params, buffers, x)
    same = vmap(fmodel, in_dims=(0, 0, None))(params, buffers, x[0])
    noisy = vmap(lambda v: v + torch.rand(2), randomness="different")(torch.zeros(3, 2))
    return [first, same, noisy]


def step_neural_tangent_kernel():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(3, 5), nn.Tanh(), nn.Linear(5, 2))
    params = {k: v.detach() for k, v in net.named_parameters()}

    def fnet_single(params, x):
        return functional_call(net, params, (x.unsqueeze(0),)).squeeze(0)

    x1, x2 = torch.randn(3, 3), torch.randn(2, 3)
    jac1 = vmap(jacrev(fnet_single), (None, 0))(params, x1).values()
    jac2 = vmap(jacrev(fnet_single), (None, 0))(params, x2).values()
    flat1, flat2 = [j.flatten(2) for j in jac1], [j.flatten(2) for j in jac2]
    return torch.stack([torch.einsum("Naf,Mbf->NMab", a, b) for a, b in zip(flat1, flat2)]).sum(0)


def step_forward_mode():
    import torch.autograd.forward_ad as fwAD

    with fwAD.dual_level():
        dual = fwAD.make_dual(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 0.5]))
        out = fwAD.unpack_dual((dual**2).sin())
    model = nn.Linear(2, 2)
    return [out.primal, out.tangent, type(out).__name__, model.weight.shape]


def step_double_backward():
    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(x):
            return x**3, 3 * x**2

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(inputs[0], output[1])

        @staticmethod
        def backward(ctx, grad_output, grad_dx):
            x, dx = ctx.saved_tensors
            return grad_output * dx + grad_dx * 6 * x

    x = torch.randn(3, requires_grad=True, dtype=torch.double)
    y = Cube.apply(x)[0].sum()
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    (gg,) = torch.autograd.grad(g.sum(), x)
    return [g, gg, torch.autograd.gradcheck(lambda z: Cube.apply(z)[0], x)]


def step_profiler():
    from torch.profiler import ProfilerActivity, profile, record_function, schedule

    model, x = Network(), torch.rand(2, 1, 6, 6)
    with profile(activities=[ProfilerActivity.CPU], record_shapes=True) as prof:
        with record_function("model_inference"):
            model(x)
    table = prof.key_averages().table(sort_by="cpu_time_total", row_limit=10)
    keys = {e.key for e in prof.key_averages()}
    shapes = [
        e.input_shapes
        for e in prof.key_averages(group_by_input_shape=True)
        if e.key == "aten::addmm"
    ]
    path = os.path.join(tempfile.mkdtemp(), "trace.json")
    prof.export_chrome_trace(path)
    steps = []
    with profile(
        activities=[ProfilerActivity.CPU],
        schedule=schedule(wait=1, warmup=1, active=2),
        on_trace_ready=lambda p: steps.append(p.step_num),
    ) as p:
        for _ in range(6):
            model(x)
            p.step()
    return [
        "model_inference" in table,
        {"aten::linear", "aten::addmm", "aten::relu"} <= keys,
        shapes,
        os.path.getsize(path) > 100,
        steps,
    ]


def step_amp():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 4))
    opt = optim.SGD(net.parameters(), lr=0.01)
    scaler = torch.amp.GradScaler("cpu", enabled=True)
    losses = []
    for _ in range(3):
        with torch.autocast(device_type="cpu", dtype=torch.bfloat16, enabled=True):
            output = net(torch.randn(4, 8))
            kind = output.dtype
            loss = F.mse_loss(output, torch.zeros(4, 4))
        scaler.scale(loss).backward()
        scaler.unscale_(opt)
        torch.nn.utils.clip_grad_norm_(net.parameters(), max_norm=0.1)
        scaler.step(opt)
        scaler.update()
        opt.zero_grad()
        losses.append(round(loss.item(), 2))
    return [losses, str(kind), str(loss.dtype), scaler.get_scale()]


def step_dataset():
    class Faces(Dataset):
        def __init__(self, transform=None):
            self.transform = transform

        def __len__(self):
            return 10

        def __getitem__(self, idx):
            if torch.is_tensor(idx):
                idx = idx.tolist()
            sample = {
                "image": np.full((4, 4, 3), idx, np.float32),
                "landmarks": np.ones((5, 2)) * idx,
            }
            return self.transform(sample) if self.transform else sample

    class ToTensor:
        def __call__(self, sample):
            return {
                "image": torch.from_numpy(sample["image"].transpose((2, 0, 1))),
                "landmarks": torch.from_numpy(sample["landmarks"]),
            }

    torch.manual_seed(0)
    loader = DataLoader(Faces(ToTensor()), batch_size=4, shuffle=True, num_workers=0)
    train, test = random_split(Faces(), [0.8, 0.2], generator=torch.Generator().manual_seed(1))
    return [
        [
            [i, b["image"].size(), b["landmarks"][:, 0, 0], str(b["landmarks"].dtype)]
            for i, b in enumerate(loader)
        ],
        train.indices,
        len(test),
    ]


def step_saving():
    net = Network()
    opt = optim.Adam(net.parameters(), lr=0.01)
    net(torch.rand(1, 1, 6, 6)).sum().backward()
    opt.step()
    buffer = io.BytesIO()
    torch.save(
        {
            "epoch": 5,
            "model_state_dict": net.state_dict(),
            "optimizer_state_dict": opt.state_dict(),
            "loss": 0.4,
        },
        buffer,
    )
    buffer.seek(0)
    checkpoint = torch.load(buffer, weights_only=True)
    again, opt2 = Network(), optim.Adam(Network().parameters())
    lines = [f"{k}\t{v.size()}" for k, v in checkpoint["model_state_dict"].items()]
    again.load_state_dict(checkpoint["model_state_dict"])
    opt2.load_state_dict(checkpoint["optimizer_state_dict"])
    missing = again.load_state_dict(
        {"linear_relu_stack.0.weight": torch.zeros(12, 36)}, strict=False
    )
    with torch.device("meta"):
        empty = Network()
    empty.load_state_dict(checkpoint["model_state_dict"], assign=True)
    whole = io.BytesIO()
    torch.save(nn.Linear(2, 2), whole)
    whole.seek(0)
    try:
        torch.load(whole)
        refused = False
    except Exception as error:
        refused = type(error).__name__
    whole.seek(0)
    return [
        lines,
        str(missing),
        opt2.state_dict()["param_groups"],
        next(empty.parameters()).device.type,
        refused,
        str(torch.load(whole, weights_only=False)),
    ]


def step_torchscript():
    class MyDecisionGate(torch.nn.Module):
        def forward(self, x):
            if x.sum() > 0:
                return x
            else:
                return -x

    class MyCell(torch.nn.Module):
        def __init__(self, dg):
            super().__init__()
            self.dg, self.linear = dg, torch.nn.Linear(4, 4)

        def forward(self, x, h):
            new_h = torch.tanh(self.dg(self.linear(x)) + h)
            return new_h, new_h

    torch.manual_seed(0)
    gate = torch.jit.script(MyDecisionGate())
    cell = MyCell(gate)
    scripted = torch.jit.script(cell)
    traced = torch.jit.trace(nn.Linear(4, 4), torch.rand(2, 4))

    @torch.jit.script
    def loop(x, n: int):
        for _ in range(n):
            x = x + 1
        return x

    x, h = torch.rand(3, 4), torch.rand(3, 4)
    return [scripted(x, h), cell(x, h), gate(-x), traced(x).shape, loop(x, 3)]


def step_tensorboard():
    from torch.utils.tensorboard import SummaryWriter

    folder = tempfile.mkdtemp()
    with SummaryWriter(folder) as writer:
        for n in range(5):
            writer.add_scalar("Loss/train", n * 0.1, n)
            writer.add_scalars("run", {"a": n, "b": n * 2}, n)
        writer.add_histogram("h", torch.randn(20), 0)
        writer.add_image("img", torch.rand(3, 4, 4))
        writer.add_images("imgs", torch.rand(2, 3, 4, 4))
        writer.add_text("t", "hello", 0)
        writer.add_pr_curve("pr", torch.tensor([0, 1, 1]), torch.tensor([0.1, 0.8, 0.6]), 0)
        writer.add_hparams({"lr": 0.1, "bsize": 1}, {"hparam/accuracy": 10})
        writer.add_embedding(torch.rand(4, 3), metadata=list("abcd"), global_step=1)
        writer.add_graph(Network(), torch.rand(1, 1, 6, 6))
        writer.flush()
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    events = EventAccumulator(folder).Reload()
    return [
        events.Tags()["scalars"],
        [e.value for e in events.Scalars("Loss/train")],
        events.Tags()["images"],
    ]


def step_schedulers():
    found = {}
    s = optim.lr_scheduler
    for name, make in {
        "step": lambda o: s.StepLR(o, 2, 0.5),
        "multi": lambda o: s.MultiStepLR(o, [1, 3], 0.1),
        "exp": lambda o: s.ExponentialLR(o, 0.9),
        "cos": lambda o: s.CosineAnnealingLR(o, 5),
        "warm": lambda o: s.CosineAnnealingWarmRestarts(o, 2, 2),
        "cyc": lambda o: s.CyclicLR(o, 0.01, 0.1, 2, cycle_momentum=False),
        "one": lambda o: s.OneCycleLR(o, 0.1, total_steps=8),
        "poly": lambda o: s.PolynomialLR(o, 5, 2.0),
        "lin": lambda o: s.LinearLR(o, 0.3, total_iters=3),
        "lambda": lambda o: s.LambdaLR(o, lambda e: 0.95**e),
        "mult": lambda o: s.MultiplicativeLR(o, lambda e: 0.95),
        "seq": lambda o: s.SequentialLR(o, [s.ConstantLR(o, 0.1, 2), s.ExponentialLR(o, 0.9)], [2]),
        "chain": lambda o: s.ChainedScheduler([s.ConstantLR(o, 0.1, 2), s.ExponentialLR(o, 0.9)]),
    }.items():
        o = optim.SGD([nn.Parameter(torch.ones(1))], lr=0.5, momentum=0.9)
        scheduler, rates = make(o), []
        for _ in range(6):
            o.step()
            scheduler.step()
            rates.append(scheduler.get_last_lr()[0])
        found[name] = rates
    return found


def step_swa():
    torch.manual_seed(0)
    model = Network()
    average = torch.optim.swa_utils.AveragedModel(model)
    ema = torch.optim.swa_utils.AveragedModel(
        model, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.9)
    )
    o = optim.SGD(model.parameters(), lr=0.1)
    swa = torch.optim.swa_utils.SWALR(o, swa_lr=0.05)
    for _ in range(4):
        o.zero_grad()
        model(torch.rand(2, 1, 6, 6)).square().mean().backward()
        o.step()
        average.update_parameters(model)
        ema.update_parameters(model)
        swa.step()
    torch.optim.swa_utils.update_bn([torch.rand(2, 1, 6, 6)], average)
    return [average(torch.ones(1, 1, 6, 6)), ema(torch.ones(1, 1, 6, 6)), int(average.n_averaged)]


def step_memory_format():
    x = torch.empty(2, 3, 4, 4).to(memory_format=torch.channels_last)
    y = nn.Conv2d(3, 8, 3).to(memory_format=torch.channels_last)(x)
    return [x.stride(), y.is_contiguous(memory_format=torch.channels_last), x.shape, y.stride()]


def step_optimizer_in_backward():
    model, lines = Network(), []
    opts = {p: optim.SGD([p], lr=0.1) for p in model.parameters()}

    def hook(parameter):
        opts[parameter].step()
        opts[parameter].zero_grad()

    for p in model.parameters():
        p.register_post_accumulate_grad_hook(hook)
    for _ in range(2):
        loss = model(torch.ones(1, 1, 6, 6)).square().sum()
        loss.backward()
        lines.append(loss.item())
    return [lines, [p.grad for p in model.parameters()]]


def step_compile():
    @torch.compile
    def opt_foo(x, y):
        return torch.sin(x) + torch.cos(y)

    return opt_foo(torch.ones(2), torch.zeros(2))


def step_extending():
    class ScalarTensor:
        def __init__(self, n, value):
            self._N, self._value = n, value

        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            if func is torch.mean:
                return float(args[0]._value) / args[0]._N
            return NotImplemented

    class Logged(torch.Tensor):
        seen = []

        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            cls.seen.append(func.__name__)
            return super().__torch_function__(func, types, args, kwargs or {})

    a = torch.ones(2).as_subclass(Logged)
    b = (a + 1).sum()
    return [torch.mean(ScalarTensor(5, 2)), type(b).__name__, Logged.seen]


def step_custom_ops():
    @torch.library.custom_op("client::numpy_sin", mutates_args=())
    def numpy_sin(x: torch.Tensor) -> torch.Tensor:
        return torch.from_numpy(np.sin(x.detach().numpy()))

    @numpy_sin.register_fake
    def _(x):
        return torch.empty_like(x)

    def setup(ctx, inputs, output):
        ctx.save_for_backward(inputs[0])

    numpy_sin.register_autograd(lambda ctx, g: g * ctx.saved_tensors[0].cos(), setup_context=setup)
    x = torch.ones(3, requires_grad=True)
    y = numpy_sin(x)
    y.sum().backward()
    return [y, x.grad, torch.ops.client.numpy_sin(torch.zeros(1))]

"""Programs as tutorials show them: what they print is what is compared."""

import copy
import math
import os
import random
import tempfile
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import optim
from torch.utils.data import DataLoader, TensorDataset


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

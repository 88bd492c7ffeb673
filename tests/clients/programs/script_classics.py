"""Programs as people write them: digits, autoencoders, GANs, recurrent nets, siamese nets."""

import argparse
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
import torch.utils.data
from torch.autograd import Variable
from torch.optim.lr_scheduler import StepLR
from torch.utils.data import DataLoader, Dataset, TensorDataset


def _digits(count=64, size=16):
    torch.manual_seed(1)
    return TensorDataset(torch.randn(count, 1, size, size), torch.randint(0, 10, (count,)))


class ConvNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.conv2 = nn.Conv2d(1, 8, 3, 1), nn.Conv2d(8, 16, 3, 1)
        self.dropout1, self.dropout2 = nn.Dropout(0.25), nn.Dropout(0.5)
        self.fc1, self.fc2 = nn.Linear(576, 32), nn.Linear(32, 10)

    def forward(self, x):
        x = F.relu(self.conv2(F.relu(self.conv1(x))))
        x = self.dropout1(F.max_pool2d(x, 2)).flatten(1)
        return F.log_softmax(self.fc2(self.dropout2(F.relu(self.fc1(x)))), dim=1)


def step_digits():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=1.0)
    args = parser.parse_args([])
    torch.manual_seed(1)
    use_accel = torch.accelerator.is_available() and False
    device = torch.device("cuda" if use_accel else "cpu")
    loader = torch.utils.data.DataLoader(_digits(), batch_size=16, shuffle=True)
    model = ConvNet().to(device)
    optimizer = optim.Adadelta(model.parameters(), lr=args.lr)
    scheduler = StepLR(optimizer, step_size=1, gamma=0.7)
    lines = []
    for epoch in range(1, 3):
        model.train()
        for i, (data, target) in enumerate(loader):
            data, target = data.to(device), target.to(device)
            optimizer.zero_grad()
            loss = F.nll_loss(model(data), target)
            loss.backward()
            optimizer.step()
            lines.append(f"Train Epoch: {epoch} [{i}] Loss: {loss.item():.4f}")
        model.eval()
        correct = 0
        with torch.no_grad():
            for data, target in loader:
                pred = model(data).argmax(dim=1, keepdim=True)
                correct += pred.eq(target.view_as(pred)).sum().item()
        lines.append(f"Accuracy: {correct}")
        scheduler.step()
    return lines


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1, self.fc21, self.fc22 = nn.Linear(64, 32), nn.Linear(32, 4), nn.Linear(32, 4)
        self.fc3, self.fc4 = nn.Linear(4, 32), nn.Linear(32, 64)

    def forward(self, x):
        h = F.relu(self.fc1(x.view(-1, 64)))
        mu, logvar = self.fc21(h), self.fc22(h)
        std = torch.exp(0.5 * logvar)
        z = mu + torch.randn_like(std) * std
        return torch.sigmoid(self.fc4(F.relu(self.fc3(z)))), mu, logvar


def step_vae():
    torch.manual_seed(1)
    model, losses = VAE(), []
    optimizer = optim.Adam(model.parameters(), lr=1e-3)
    data = torch.rand(32, 64)
    for _ in range(4):
        recon, mu, logvar = model(data)
        bce = F.binary_cross_entropy(recon, data, reduction="sum")
        loss = bce - 0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def step_gan():
    torch.manual_seed(1)

    def init(m):
        name = m.__class__.__name__
        if name.find("Conv") != -1:
            torch.nn.init.normal_(m.weight, 0.0, 0.02)
        elif name.find("BatchNorm") != -1:
            torch.nn.init.normal_(m.weight, 1.0, 0.02)
            torch.nn.init.zeros_(m.bias)

    generator = nn.Sequential(
        nn.ConvTranspose2d(8, 8, 4, 1, 0, bias=False),
        nn.BatchNorm2d(8),
        nn.ReLU(True),
        nn.ConvTranspose2d(8, 1, 4, 2, 1, bias=False),
        nn.Tanh(),
    ).apply(init)
    critic = nn.Sequential(
        nn.Conv2d(1, 8, 4, 2, 1, bias=False),
        nn.LeakyReLU(0.2, inplace=True),
        nn.Conv2d(8, 1, 4, 1, 0, bias=False),
        nn.Sigmoid(),
    ).apply(init)
    bce, found = nn.BCELoss(), []
    od = optim.Adam(critic.parameters(), lr=2e-4, betas=(0.5, 0.999))
    og = optim.Adam(generator.parameters(), lr=2e-4, betas=(0.5, 0.999))
    real = torch.randn(4, 1, 8, 8)
    for _ in range(3):
        critic.zero_grad()
        label = torch.full((4,), 1.0)
        loss_real = bce(critic(real).view(-1), label)
        loss_real.backward()
        fake = generator(torch.randn(4, 8, 1, 1))
        loss_fake = bce(critic(fake.detach()).view(-1), label.fill_(0.0))
        loss_fake.backward()
        od.step()
        generator.zero_grad()
        loss = bce(critic(fake).view(-1), label.fill_(1.0))
        loss.backward()
        og.step()
        found.append([loss_real.item(), loss_fake.item(), loss.item()])
    return found


class Sequence(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm1, self.lstm2 = nn.LSTMCell(1, 8), nn.LSTMCell(8, 8)
        self.linear = nn.Linear(8, 1)

    def forward(self, input, future=0):
        outputs = []
        h1 = c1 = h2 = c2 = torch.zeros(input.size(0), 8, dtype=torch.double)
        for part in input.split(1, dim=1):
            h1, c1 = self.lstm1(part, (h1, c1))
            h2, c2 = self.lstm2(h1, (h2, c2))
            output = self.linear(h2)
            outputs += [output]
        for _ in range(future):
            h1, c1 = self.lstm1(output, (h1, c1))
            h2, c2 = self.lstm2(h1, (h2, c2))
            output = self.linear(h2)
            outputs += [output]
        return torch.cat(outputs, dim=1)


def step_time_sequence():
    torch.manual_seed(0)
    x = torch.sin(torch.arange(20, dtype=torch.double) / 3 + torch.arange(3)[:, None])
    seq, criterion, losses = Sequence().double(), nn.MSELoss(), []
    optimizer = optim.LBFGS(seq.parameters(), lr=0.8, max_iter=5)

    def closure():
        optimizer.zero_grad()
        loss = criterion(seq(x[:, :-1]), x[:, 1:])
        losses.append(loss.item())
        loss.backward()
        return loss

    for _ in range(2):
        optimizer.step(closure)
    with torch.no_grad():
        return [losses, seq(x[:, :-1], future=3)[:, -3:]]


def step_regression():
    torch.manual_seed(0)
    weights, bias = torch.randn(4, 1) * 5, torch.randn(1) * 5

    def features(x):
        x = x.unsqueeze(1)
        return torch.cat([x**i for i in range(1, 5)], 1)

    fc = torch.nn.Linear(4, 1)
    for _ in range(20):
        x = torch.randn(32)
        y = features(x).mm(weights) + bias.item()
        fc.zero_grad()
        output = F.smooth_l1_loss(fc(features(x)), y)
        output.backward()
        for param in fc.parameters():
            param.data.add_(-0.1 * param.grad)
    return [output.item(), fc.weight.view(-1).detach(), fc.bias]


def step_siamese():
    class Pairs(Dataset):
        def __init__(self):
            self.data = _digits(16).tensors

        def __len__(self):
            return 16

        def __getitem__(self, i):
            j = (i * 7) % 16
            same = self.data[1][i] == self.data[1][j]
            return self.data[0][i], self.data[0][j], same.float()

    torch.manual_seed(1)
    net = nn.Sequential(nn.Flatten(), nn.Linear(256, 16), nn.ReLU(inplace=True))
    head = nn.Sequential(nn.Linear(32, 1), nn.Sigmoid())
    optimizer = optim.Adadelta([*net.parameters(), *head.parameters()])
    losses = []
    for a, b, y in DataLoader(Pairs(), batch_size=8, shuffle=True):
        optimizer.zero_grad()
        out = head(torch.cat((net(a), net(b)), 1)).squeeze()
        loss = nn.BCELoss()(out, y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def step_super_resolution():
    torch.manual_seed(123)
    net = nn.Sequential(
        nn.Conv2d(1, 16, 5, 1, 2), nn.ReLU(), nn.Conv2d(16, 4, 3, 1, 1), nn.PixelShuffle(2)
    )
    for layer in net:
        if isinstance(layer, nn.Conv2d):
            nn.init.orthogonal_(layer.weight, nn.init.calculate_gain("relu"))
    optimizer = optim.Adam(net.parameters(), lr=0.01)
    x, y, found = torch.rand(2, 1, 8, 8), torch.rand(2, 1, 16, 16), []
    for _ in range(3):
        optimizer.zero_grad()
        loss = nn.MSELoss()(net(x), y)
        loss.backward()
        optimizer.step()
        found.append(10 * math.log10(1 / loss.item()))
    return found


def step_style():
    torch.manual_seed(0)
    features = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.Conv2d(8, 8, 3)).requires_grad_(
        False
    )

    def gram(y):
        b, c, h, w = y.size()
        f = y.view(b, c, w * h)
        return f.bmm(f.transpose(1, 2)) / (c * h * w)

    image = torch.rand(1, 3, 16, 16, requires_grad=True)
    target = gram(features(torch.rand(1, 3, 16, 16)))
    optimizer, found = optim.LBFGS([image]), []

    def closure():
        optimizer.zero_grad()
        loss = F.mse_loss(gram(features(image)), target) * 1e4
        loss.backward()
        found.append(loss.item())
        return loss

    optimizer.step(closure)
    return found[:10]


def step_policy_gradient():
    from torch.distributions import Categorical

    torch.manual_seed(543)
    policy = nn.Sequential(nn.Linear(4, 16), nn.Dropout(0.6), nn.ReLU(), nn.Linear(16, 2))
    optimizer = optim.Adam(policy.parameters(), lr=1e-2)
    state, log_probs, rewards, actions = torch.zeros(1, 4), [], [], []
    for _ in range(10):
        m = Categorical(F.softmax(policy(state), dim=1))
        action = m.sample()
        log_probs.append(m.log_prob(action))
        actions.append(action.item())
        rewards.append(1.0 if action.item() else -0.5)
        state = state * 0.9 + action.item()
    returns, total = [], 0.0
    for reward in rewards[::-1]:
        total = reward + 0.99 * total
        returns.insert(0, total)
    returns = torch.tensor(returns)
    returns = (returns - returns.mean()) / (returns.std() + 1e-8)
    loss = torch.cat([-p * r for p, r in zip(log_probs, returns)]).sum()
    loss.backward()
    optimizer.step()
    return [actions, loss, policy[0].weight]


def step_row_rnn():
    torch.manual_seed(0)
    rnn, fc = nn.LSTM(16, 8, batch_first=True), nn.Linear(8, 10)
    images, labels = _digits(8).tensors
    out, _ = rnn(images.view(-1, 16, 16))
    loss = F.cross_entropy(fc(out[:, -1]), labels)
    loss.backward()
    return [loss, rnn.weight_hh_l0.grad]


def step_forward_forward():
    torch.manual_seed(1)
    layer = nn.Linear(10, 8)
    optimizer, found = optim.Adam(layer.parameters(), lr=0.02), []
    for _ in range(3):
        pos, neg = torch.rand(4, 10), torch.rand(4, 10)
        g = [
            layer(x / (x.norm(2, 1, keepdim=True) + 1e-4)).relu().pow(2).mean(1) for x in (pos, neg)
        ]
        loss = torch.log(1 + torch.exp(torch.cat([2 - g[0], g[1] - 2]))).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        found.append(loss.item())
    return found


def step_graph_convolution():
    torch.manual_seed(0)
    adj = (torch.rand(6, 6) > 0.5).float() + torch.eye(6)
    norm = adj / adj.sum(1, keepdim=True)
    w1, w2 = nn.Parameter(torch.empty(5, 8)), nn.Parameter(torch.empty(8, 3))
    nn.init.kaiming_normal_(w1)
    nn.init.kaiming_normal_(w2)
    x, y = torch.rand(6, 5), torch.tensor([0, 1, 2, 0, 1, 2])
    loss = F.nll_loss(F.log_softmax(norm @ F.elu(norm @ (x @ w1)) @ w2, 1), y)
    loss.backward()
    return [loss, w1.grad, Variable(x).sum()]

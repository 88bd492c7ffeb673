"""The programs that PyTorch's examples show for pictures, on small made-up pictures."""

import math

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset, RandomSampler, Subset, TensorDataset


def _digits(count=48, size=12):
    """Pictures of which the bright quarter is the class."""
    generator = torch.Generator().manual_seed(11)
    labels = torch.randint(0, 4, (count,), generator=generator)
    pictures = torch.rand(count, 1, size, size, generator=generator) * 0.3
    half = size // 2
    for picture, label in zip(pictures, labels.tolist(), strict=True):
        row, column = divmod(label, 2)
        picture[:, row * half : (row + 1) * half, column * half : (column + 1) * half] += 0.6
    return pictures, labels


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 8, 3, 1)
        self.conv2 = nn.Conv2d(8, 8, 3, 1)
        self.dropout1, self.dropout2 = nn.Dropout(0.25), nn.Dropout(0.5)
        self.fc1, self.fc2 = nn.Linear(128, 16), nn.Linear(16, 4)

    def forward(self, x):
        x = F.relu(self.conv2(F.relu(self.conv1(x))))
        x = self.dropout1(F.max_pool2d(x, 2))
        x = self.dropout2(F.relu(self.fc1(torch.flatten(x, 1))))
        return F.log_softmax(self.fc2(x), dim=1)


def _test(model, loader):
    model.eval()
    loss, right = 0.0, 0
    with torch.no_grad():
        for data, target in loader:
            output = model(data)
            loss += F.nll_loss(output, target, reduction="sum").item()
            right += output.argmax(1, keepdim=True).eq(target.view_as(output[:, :1])).sum().item()
    return [loss / len(loader.dataset), right]


def step_mnist():
    data = TensorDataset(*_digits())
    loader = DataLoader(data, batch_size=16, shuffle=True)
    model = Net()
    optimizer = torch.optim.Adadelta(model.parameters(), lr=1.0)
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.7)
    found = []
    for _ in range(3):
        model.train()
        for batch, target in loader:
            optimizer.zero_grad()
            loss = F.nll_loss(model(batch), target)
            loss.backward()
            optimizer.step()
        found.append([loss.item(), schedule.get_last_lr(), _test(model, loader)])
        schedule.step()
    return found


def step_mnist_rnn():
    class RowNet(nn.Module):
        def __init__(self):
            super().__init__()
            self.rnn = nn.LSTM(input_size=12, hidden_size=16, batch_first=True)
            self.norm = nn.BatchNorm1d(16)
            self.out = nn.Linear(16, 4)

        def forward(self, x):
            x, _ = self.rnn(x.reshape(-1, 12, 12))
            return F.log_softmax(self.out(F.relu(self.norm(x[:, -1, :]))), dim=1)

    model = RowNet()
    x, y = _digits()
    optimizer = torch.optim.Adadelta(model.parameters(), lr=0.1)
    losses = []
    for _ in range(5):
        optimizer.zero_grad()
        loss = F.nll_loss(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def step_imagenet_with_dummy_data():
    """Meters, top-k accuracy, a schedule and the best checkpoint, on pictures nobody took."""

    class Fake(Dataset):
        def __init__(self, size):
            self.size = size

        def __len__(self):
            return self.size

        def __getitem__(self, index):
            generator = torch.Generator().manual_seed(index)
            return torch.randn(3, 16, 16, generator=generator), index % 10

    class Meter:
        def __init__(self, name):
            self.name, self.sum, self.count = name, 0.0, 0

        def update(self, value, n=1):
            self.sum += value * n
            self.count += n

        def __str__(self):
            return f"{self.name} {self.sum / self.count:.3f}"

    def accuracy(output, target, topk=(1,)):
        with torch.no_grad():
            best = output.topk(max(topk), 1, True, True)[1].t()
            right = best.eq(target.view(1, -1).expand_as(best))
            return [
                right[:k].reshape(-1).float().sum(0, keepdim=True).mul_(100.0 / target.size(0))
                for k in topk
            ]

    def block(inside, outside, stride):
        return nn.Sequential(
            nn.Conv2d(inside, outside, 3, stride, 1, bias=False),
            nn.BatchNorm2d(outside),
            nn.ReLU(inplace=True),
        )

    model = nn.DataParallel(
        nn.Sequential(
            block(3, 8, 2),
            block(8, 16, 2),
            nn.AdaptiveAvgPool2d((1, 1)),
            nn.Flatten(),
            nn.Linear(16, 10),
        )
    )
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, step_size=30, gamma=0.1)
    train = Fake(24)
    val = Subset(Fake(40), range(24, 40))
    found = []
    for _ in range(2):
        losses, top1, top5 = Meter("Loss"), Meter("Acc@1"), Meter("Acc@5")
        model.train()
        for images, target in DataLoader(train, batch_size=8, shuffle=True, pin_memory=False):
            output = model(images.to("cpu", non_blocking=True))
            loss = criterion(output, target.to("cpu", non_blocking=True))
            acc1, acc5 = accuracy(output, target, topk=(1, 5))
            losses.update(loss.item(), images.size(0))
            top1.update(acc1[0].item(), images.size(0))
            top5.update(acc5[0].item(), images.size(0))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        schedule.step()
        model.eval()
        with torch.no_grad():
            for images, target in DataLoader(val, batch_size=8):
                found.append(criterion(model(images), target).item())
        found.append([str(losses), str(top1), str(top5)])
    return [found, list(model.state_dict())[:2]]


def step_dcgan():
    def weights_init(module):
        name = module.__class__.__name__
        if name.find("Conv") != -1:
            torch.nn.init.normal_(module.weight, 0.0, 0.02)
        elif name.find("BatchNorm") != -1:
            torch.nn.init.normal_(module.weight, 1.0, 0.02)
            torch.nn.init.zeros_(module.bias)

    generator = nn.Sequential(
        nn.ConvTranspose2d(6, 8, 4, 1, 0, bias=False),
        nn.BatchNorm2d(8),
        nn.ReLU(True),
        nn.ConvTranspose2d(8, 4, 4, 2, 1, bias=False),
        nn.BatchNorm2d(4),
        nn.ReLU(True),
        nn.ConvTranspose2d(4, 1, 4, 2, 1, bias=False),
        nn.Tanh(),
    ).apply(weights_init)
    critic = nn.Sequential(
        nn.Conv2d(1, 4, 4, 2, 1, bias=False),
        nn.LeakyReLU(0.2, inplace=True),
        nn.Conv2d(4, 8, 4, 2, 1, bias=False),
        nn.BatchNorm2d(8),
        nn.LeakyReLU(0.2, inplace=True),
        nn.Conv2d(8, 1, 4, 1, 0, bias=False),
        nn.Sigmoid(),
    ).apply(weights_init)
    criterion = nn.BCELoss()
    slow, fast = (
        torch.optim.Adam(m.parameters(), lr=0.002, betas=(0.5, 0.999)) for m in (critic, generator)
    )
    real = F.interpolate(_digits(8, 12)[0], size=(16, 16))
    fixed = torch.randn(2, 6, 1, 1)
    found = []
    for _ in range(3):
        critic.zero_grad()
        label = torch.full((8,), 1.0)
        error_real = criterion(critic(real).view(-1, 1).squeeze(1), label)
        error_real.backward()
        fake = generator(torch.randn(8, 6, 1, 1))
        label.fill_(0.0)
        error_fake = criterion(critic(fake.detach()).view(-1), label)
        error_fake.backward()
        slow.step()
        generator.zero_grad()
        label.fill_(1.0)
        error = criterion(critic(fake).view(-1), label)
        error.backward()
        fast.step()
        found.append([(error_real + error_fake).item(), error.item()])
    return [found, generator(fixed).detach().mean()]


def step_vae():
    class VAE(nn.Module):
        def __init__(self):
            super().__init__()
            self.fc1, self.mean, self.log = nn.Linear(144, 20), nn.Linear(20, 3), nn.Linear(20, 3)
            self.fc3, self.fc4 = nn.Linear(3, 20), nn.Linear(20, 144)

        def reparameterize(self, mu, logvar):
            std = torch.exp(0.5 * logvar)
            return mu + torch.randn_like(std) * std

        def decode(self, z):
            return torch.sigmoid(self.fc4(F.relu(self.fc3(z))))

        def forward(self, x):
            hidden = F.relu(self.fc1(x.view(-1, 144)))
            mu, logvar = self.mean(hidden), self.log(hidden)
            return self.decode(self.reparameterize(mu, logvar)), mu, logvar

    model = VAE()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    x = _digits()[0]
    losses = []
    for _ in range(4):
        optimizer.zero_grad()
        out, mu, logvar = model(x)
        bce = F.binary_cross_entropy(out, x.view(-1, 144), reduction="sum")
        kl = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
        (bce + kl).backward()
        losses.append((bce + kl).item() / len(x))
        optimizer.step()
    with torch.no_grad():
        return [losses, model.decode(torch.randn(2, 3)).mean(1)]


def step_fast_style():
    """A transformer net with reflection padding, instance norm and upsampling; Gram matrices."""

    class Conv(nn.Module):
        def __init__(self, inside, outside, kernel, stride, upsample=None):
            super().__init__()
            self.upsample = upsample
            self.pad = nn.ReflectionPad2d(kernel // 2)
            self.conv = nn.Conv2d(inside, outside, kernel, stride)

        def forward(self, x):
            if self.upsample:
                x = F.interpolate(x, mode="nearest", scale_factor=self.upsample)
            return self.conv(self.pad(x))

    class Residual(nn.Module):
        def __init__(self, channels):
            super().__init__()
            self.conv1, self.in1 = (
                Conv(channels, channels, 3, 1),
                nn.InstanceNorm2d(channels, affine=True),
            )
            self.conv2, self.in2 = (
                Conv(channels, channels, 3, 1),
                nn.InstanceNorm2d(channels, affine=True),
            )

        def forward(self, x):
            return self.in2(self.conv2(F.relu(self.in1(self.conv1(x))))) + x

    net = nn.Sequential(
        Conv(3, 4, 5, 1),
        nn.InstanceNorm2d(4, affine=True),
        nn.ReLU(),
        Conv(4, 8, 3, 2),
        Residual(8),
        Conv(8, 4, 3, 1, upsample=2),
        nn.ReLU(),
        Conv(4, 3, 5, 1),
    )
    features = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.Conv2d(4, 4, 3)).requires_grad_(
        False
    )

    def gram(y):
        b, ch, h, w = y.size()
        flat = y.view(b, ch, w * h)
        return flat.bmm(flat.transpose(1, 2)) / (ch * h * w)

    content, style = torch.rand(2, 3, 12, 12), torch.rand(1, 3, 12, 12)
    target = gram(features(style))
    optimizer = torch.optim.Adam(net.parameters(), 1e-2)
    losses = []
    for _ in range(3):
        optimizer.zero_grad()
        y = net(content)
        fy, fx = features(y), features(content)
        loss = F.mse_loss(fy, fx) + 10 * F.mse_loss(gram(fy), target.expand(2, -1, -1))
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def step_super_resolution():
    class Net(nn.Module):
        def __init__(self, factor):
            super().__init__()
            self.conv1, self.conv2 = nn.Conv2d(1, 8, 5, 1, 2), nn.Conv2d(8, factor**2, 3, 1, 1)
            self.shuffle = nn.PixelShuffle(factor)
            nn.init.orthogonal_(self.conv1.weight, nn.init.calculate_gain("relu"))
            nn.init.orthogonal_(self.conv2.weight)

        def forward(self, x):
            return self.shuffle(self.conv2(F.relu(self.conv1(x))))

    big = _digits(8)[0]
    small = F.interpolate(big, scale_factor=0.5, mode="bicubic", align_corners=False)
    net = Net(2)
    optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
    found = []
    for _ in range(3):
        optimizer.zero_grad()
        loss = nn.MSELoss()(net(small), big)
        loss.backward()
        optimizer.step()
        found.append(10 * math.log10(1 / loss.item()))
    return found


def step_siamese():
    class Siamese(nn.Module):
        def __init__(self):
            super().__init__()
            self.body = nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten())
            self.head = nn.Sequential(nn.Linear(200, 16), nn.ReLU(inplace=True), nn.Linear(16, 1))
            self.head.apply(self.init)

        @staticmethod
        def init(module):
            if isinstance(module, nn.Linear):
                torch.nn.init.xavier_uniform_(module.weight)
                module.bias.data.fill_(0.01)

        def forward(self, a, b):
            return torch.sigmoid(self.head(torch.cat((self.body(a), self.body(b)), 1)))

    x, y = _digits()
    groups = {i: (y == i).nonzero().flatten() for i in range(4)}
    model = Siamese()
    optimizer = torch.optim.Adadelta(model.parameters(), lr=1.0)
    losses = []
    for step in range(4):
        pairs = torch.randint(0, 48, (16,))
        other = torch.stack(
            [
                groups[int(y[i])][step] if k % 2 else groups[(int(y[i]) + 1) % 4][step]
                for k, i in enumerate(pairs)
            ]
        )
        target = (y[pairs] == y[other]).float()
        optimizer.zero_grad()
        loss = nn.BCELoss()(model(x[pairs], x[other]).squeeze(), target)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def step_forward_forward():
    def overlay(x, y):
        x = x.clone()
        x[:, :4] *= 0.0
        x[range(x.shape[0]), y] = x.max()
        return x

    class Layer(nn.Linear):
        def __init__(self, inside, outside):
            super().__init__(inside, outside)
            self.relu, self.threshold = nn.ReLU(), 1.5
            self.opt = torch.optim.Adam(self.parameters(), lr=0.02)

        def forward(self, x):
            x = x / (x.norm(2, 1, keepdim=True) + 1e-4)
            return self.relu(torch.mm(x, self.weight.T) + self.bias.unsqueeze(0))

        def train_layer(self, positive, negative):
            for _ in range(4):
                good = self.forward(positive).pow(2).mean(1)
                bad = self.forward(negative).pow(2).mean(1)
                loss = torch.log(
                    1 + torch.exp(torch.cat([-good + self.threshold, bad - self.threshold]))
                ).mean()
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
            return self.forward(positive).detach(), self.forward(negative).detach(), loss.item()

    x, y = _digits()
    x = x.flatten(1)
    positive, negative = overlay(x, y), overlay(x, (y + 1) % 4)
    layers, losses = [Layer(144, 32), Layer(32, 16)], []
    for layer in layers:
        positive, negative, loss = layer.train_layer(positive, negative)
        losses.append(loss)
    goodness = []
    for label in range(4):
        h, total = overlay(x, torch.full_like(y, label)), 0
        for layer in layers:
            h = layer(h)
            total = total + h.pow(2).mean(1)
        goodness.append(total.unsqueeze(1))
    return [losses, torch.cat(goodness, 1).argmax(1).eq(y).float().mean()]


def step_vision_transformer():
    class ViT(nn.Module):
        def __init__(self, size=12, patch=4, dim=16, depth=2, heads=2):
            super().__init__()
            self.patch = nn.Conv2d(1, dim, patch, patch)
            self.cls = nn.Parameter(torch.randn(1, 1, dim))
            self.pos = nn.Parameter(torch.randn(1, (size // patch) ** 2 + 1, dim))
            layer = nn.TransformerEncoderLayer(
                dim, heads, 32, dropout=0.0, activation="gelu", batch_first=True, norm_first=True
            )
            self.encoder = nn.TransformerEncoder(layer, depth, enable_nested_tensor=False)
            self.head = nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, 4))

        def forward(self, x):
            x = self.patch(x).flatten(2).transpose(1, 2)
            x = torch.cat((self.cls.expand(x.shape[0], -1, -1), x), dim=1) + self.pos
            return self.head(self.encoder(x)[:, 0])

    x, y = _digits()
    model = ViT()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    loader = DataLoader(TensorDataset(x, y), 16, sampler=RandomSampler(range(48), num_samples=32))
    losses = []
    for _ in range(2):
        for a, b in loader:
            optimizer.zero_grad()
            loss = nn.CrossEntropyLoss(label_smoothing=0.1)(model(a), b)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            losses.append(loss.item())
    model.eval()
    with torch.no_grad():
        return [losses, model(x[:2])]

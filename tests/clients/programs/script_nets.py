"""Nets that people write from nothing: LoRA, diffusion, UNet, speech, word vectors, GANs."""

import copy
import math

import torch
from torch import nn, optim
from torch.nn import functional as F
from torch.nn.utils import parametrizations, parametrize, spectral_norm
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler


def _train(model, x, y, loss, steps=4, lr=0.05, make=optim.Adam):
    optimizer = make([p for p in model.parameters() if p.requires_grad], lr=lr)
    losses = []
    for _ in range(steps):
        optimizer.zero_grad(set_to_none=True)
        value = loss(model(x), y)
        value.backward()
        optimizer.step()
        losses.append(value.item())
    return losses


def step_lora():
    class LoRA(nn.Module):
        def __init__(self, base, rank, alpha):
            super().__init__()
            self.base = base.requires_grad_(False)
            self.a = nn.Parameter(torch.randn(rank, base.in_features) / math.sqrt(rank))
            self.b = nn.Parameter(torch.zeros(base.out_features, rank))
            self.scale = alpha / rank

        def forward(self, x):
            return self.base(x) + F.linear(F.linear(x, self.a), self.b) * self.scale

        def merge(self):
            layer = copy.deepcopy(self.base)
            layer.weight.data += self.scale * self.b @ self.a
            return layer

    model = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 2))
    for name, layer in list(model.named_children()):
        if isinstance(layer, nn.Linear):
            setattr(model, name, LoRA(layer, 2, 4))
    x, y = torch.randn(10, 6), torch.randint(0, 2, (10,))
    losses = _train(model, x, y, F.cross_entropy)
    merged = nn.Sequential(*(m.merge() if isinstance(m, LoRA) else m for m in model))
    return [
        losses,
        sum(p.numel() for p in model.parameters() if p.requires_grad),
        torch.allclose(merged(x), model(x), atol=1e-5),
        [n for n, p in model.named_parameters() if p.requires_grad],
    ]


def step_lora_as_parametrization():
    class Low(nn.Module):
        def __init__(self, a, b):
            super().__init__()
            self.a, self.b = nn.Parameter(torch.randn(a, 2)), nn.Parameter(torch.zeros(2, b))

        def forward(self, weight):
            return weight + self.a @ self.b

    layer = nn.Linear(5, 3)
    parametrize.register_parametrization(layer, "weight", Low(3, 5))
    layer.parametrizations.weight.original.requires_grad_(False)
    losses = _train(layer, torch.randn(8, 5), torch.randn(8, 3), F.mse_loss)
    with parametrize.cached():
        again = layer.weight is layer.weight
    keys = list(layer.state_dict())
    parametrize.remove_parametrizations(layer, "weight", leave_parametrized=True)
    return [losses, again, keys, list(layer.state_dict()), type(layer).__name__, layer.weight]


def step_diffusion():
    """A small DDPM over points on a circle, trained and sampled."""
    steps = 20
    betas = torch.linspace(1e-4, 0.2, steps)
    alphas = torch.cumprod(1 - betas, 0)

    class Denoise(nn.Module):
        def __init__(self):
            super().__init__()
            self.time = nn.Sequential(nn.Linear(8, 16), nn.SiLU(), nn.Linear(16, 16))
            self.inside, self.out = nn.Linear(2, 16), nn.Linear(16, 2)

        def forward(self, x, t):
            freqs = torch.exp(-math.log(100) * torch.arange(4) / 4)
            angles = t[:, None].float() * freqs[None]
            e = self.time(torch.cat([angles.sin(), angles.cos()], -1))
            return self.out(F.silu(self.inside(x) + e))

    angle = torch.rand(64) * 2 * math.pi
    data = torch.stack([angle.cos(), angle.sin()], 1)
    model, ema = Denoise(), None
    ema = copy.deepcopy(model).eval().requires_grad_(False)
    optimizer = optim.AdamW(model.parameters(), 1e-2)
    losses = []
    for _ in range(6):
        t = torch.randint(0, steps, (64,))
        noise = torch.randn_like(data)
        noisy = alphas[t].sqrt()[:, None] * data + (1 - alphas[t]).sqrt()[:, None] * noise
        loss = F.mse_loss(model(noisy, t), noise)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        with torch.no_grad():
            for a, b in zip(ema.parameters(), model.parameters(), strict=True):
                a.lerp_(b, 0.1)
        losses.append(loss.item())
    x = torch.randn(3, 2)
    with torch.no_grad():
        for i in reversed(range(steps)):
            predicted = ema(x, torch.full((3,), i))
            x = (x - betas[i] / (1 - alphas[i]).sqrt() * predicted) / (1 - betas[i]).sqrt()
            if i:
                x += betas[i].sqrt() * torch.randn_like(x)
    return [losses, x]


def step_unet():
    def double(a, b):
        return nn.Sequential(
            nn.Conv2d(a, b, 3, padding=1),
            nn.GroupNorm(2, b),
            nn.ReLU(inplace=True),
            nn.Conv2d(b, b, 3, padding=1),
            nn.BatchNorm2d(b),
            nn.ReLU(inplace=True),
        )

    class UNet(nn.Module):
        def __init__(self):
            super().__init__()
            self.down1, self.down2, self.mid = double(1, 4), double(4, 8), double(8, 8)
            self.up2 = nn.ConvTranspose2d(8, 8, 2, 2)
            self.dec2, self.dec1, self.out = double(16, 4), double(8, 4), nn.Conv2d(4, 2, 1)
            self.up1 = nn.Upsample(scale_factor=2, mode="bilinear", align_corners=True)

        def forward(self, x):
            a = self.down1(x)
            b = self.down2(F.max_pool2d(a, 2))
            c = self.mid(F.avg_pool2d(b, 2))
            b = self.dec2(torch.cat([self.up2(c), b], 1))
            up = self.up1(b)
            up = F.pad(up, [0, a.shape[3] - up.shape[3], 0, a.shape[2] - up.shape[2]])
            return self.out(self.dec1(torch.cat([up, a], 1)))

    x = torch.rand(2, 1, 12, 12)
    y = (x[:, 0] > 0.5).long()

    def loss(out, target):
        p = out.softmax(1)
        hot = F.one_hot(target, 2).permute(0, 3, 1, 2).float()
        dice = 1 - (2 * (p * hot).sum((0, 2, 3)) / (p + hot).sum((0, 2, 3))).mean()
        return F.cross_entropy(out, target, weight=torch.tensor([0.3, 0.7])) + dice

    model = UNet()
    losses = _train(model, x, y, loss, make=optim.RMSprop, lr=0.001)
    out = model.eval()(x).argmax(1)
    union = ((out == 1) | (y == 1)).sum()
    return [losses, ((out == 1) & (y == 1)).sum() / union]


def step_speech():
    """Frames to letters by CTC: convolution, a bidirectional GRU, greedy decoding."""

    class Speech(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv = nn.Conv1d(5, 8, 3, stride=2, padding=1)
            self.rnn = nn.GRU(8, 8, bidirectional=True)
            self.out = nn.Linear(16, 6)

        def forward(self, x):
            x = F.gelu(self.conv(x)).permute(2, 0, 1)
            return self.out(self.rnn(x)[0]).log_softmax(-1)

    window = torch.hann_window(16)
    wave = torch.sin(torch.arange(160) / 3.0).repeat(3, 1) + torch.randn(3, 160) * 0.1
    frames = torch.stack(
        [wave.unfold(1, 16, 5)[..., i : i + 4].mean(-1) for i in range(0, 16, 4)]
        + [(wave.unfold(1, 16, 5) * window).abs().sum(-1)],
        1,
    )
    targets = torch.tensor([[1, 2, 3, 0], [2, 2, 0, 0], [5, 4, 3, 2]])
    lengths = torch.tensor([3, 2, 4])
    model, ctc = Speech(), nn.CTCLoss(blank=0, zero_infinity=True)

    def loss(out, y):
        return ctc(out, y, torch.full((3,), out.shape[0]), lengths)

    losses = _train(model, frames, targets, loss, steps=6, lr=0.02)
    best = model(frames).argmax(-1).t()
    decoded = [[int(k) for k in torch.unique_consecutive(row) if k] for row in best]
    return [losses, decoded, list(frames.shape)]


def step_word2vec():
    words = ("king queen man woman royal crown " * 8).split()
    names = sorted(set(words))
    ids = torch.tensor([names.index(w) for w in words])
    pairs = torch.cat([torch.stack([ids[:-k], ids[k:]], 1) for k in (1, 2)])
    counts = torch.bincount(ids, minlength=len(names)).pow(0.75)
    center = nn.Embedding(len(names), 4, max_norm=2.0)
    context = nn.Embedding(len(names), 4)
    optimizer = optim.Adagrad([*center.parameters(), *context.parameters()], lr=0.5)
    losses = []
    for batch in pairs[torch.randperm(len(pairs))][:48].split(16):
        noise = torch.multinomial(counts, 16 * 3, replacement=True).view(16, 3)
        c = center(batch[:, 0])
        good = (c * context(batch[:, 1])).sum(1)
        bad = torch.bmm(context(noise), c.unsqueeze(2)).squeeze(2)
        loss = -(F.logsigmoid(good) + F.logsigmoid(-bad).sum(1)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    with torch.no_grad():
        near = F.cosine_similarity(center.weight[:1], center.weight)
    return [losses, near.topk(3).indices, center.weight.norm(dim=1).max() <= 2.0001]


def step_bag_of_words():
    bag = nn.EmbeddingBag(20, 6, mode="mean", sparse=False)
    model = nn.Linear(6, 3)
    text, offsets = torch.randint(20, (17,)), torch.tensor([0, 4, 4, 9])
    optimizer = optim.SGD([*bag.parameters(), *model.parameters()], lr=1.0)
    schedule = optim.lr_scheduler.StepLR(optimizer, 1.0, gamma=0.5)
    losses = []
    for _ in range(3):
        loss = F.cross_entropy(model(bag(text, offsets)), torch.tensor([0, 1, 2, 0]))
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.1)
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
    return [losses, schedule.get_last_lr()]


def step_seq2seq_attention():
    class Decoder(nn.Module):
        def __init__(self):
            super().__init__()
            self.embed = nn.Embedding(9, 8)
            self.w, self.u, self.v = nn.Linear(8, 8), nn.Linear(8, 8), nn.Linear(8, 1)
            self.cell, self.out = nn.GRUCell(16, 8), nn.Linear(8, 9)

        def forward(self, memory, target, force):
            h, outs, weights = memory[:, -1], [], []
            token = torch.zeros(len(memory), dtype=torch.long)
            for t in range(target.shape[1]):
                score = self.v(torch.tanh(self.w(h).unsqueeze(1) + self.u(memory))).squeeze(2)
                weight = F.softmax(score, -1)
                context = torch.bmm(weight.unsqueeze(1), memory).squeeze(1)
                h = self.cell(torch.cat([self.embed(token), context], 1), h)
                outs.append(self.out(h))
                weights.append(weight)
                token = target[:, t] if force else outs[-1].topk(1)[1].view(-1).detach()
            return torch.stack(outs, 1), torch.stack(weights, 1)

    embed, encoder, decoder = nn.Embedding(9, 8), nn.GRU(8, 8, batch_first=True), Decoder()
    both = nn.ModuleList([embed, encoder, decoder])
    source = torch.randint(1, 9, (6, 5))
    target = source.flip(1)
    optimizer = optim.Adam(both.parameters(), 0.02)
    losses = []
    for step in range(5):
        out, weights = decoder(encoder(embed(source))[0], target, step % 2 == 0)
        loss = F.cross_entropy(out.view(-1, 9), target.reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return [losses, weights[0].sum(-1), out.argmax(-1)[0]]


def step_spectral_gan():
    critic = nn.Sequential(
        spectral_norm(nn.Linear(2, 16)),
        nn.LeakyReLU(0.1),
        parametrizations.spectral_norm(nn.Linear(16, 1)),
    )
    maker = nn.Sequential(nn.Linear(4, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 2))
    for_critic = optim.Adam(critic.parameters(), 2e-3, betas=(0.0, 0.9))
    for_maker = optim.Adam(maker.parameters(), 2e-3, betas=(0.0, 0.9))
    found = []
    for _ in range(3):
        real, fake = torch.randn(16, 2) + 2, maker(torch.randn(16, 4))
        loss = F.relu(1 - critic(real)).mean() + F.relu(1 + critic(fake.detach())).mean()
        for_critic.zero_grad()
        loss.backward()
        for_critic.step()
        for_maker.zero_grad()
        made = -critic(fake).mean()
        made.backward()
        for_maker.step()
        found.append([loss.item(), made.item()])
    return [found, torch.linalg.matrix_norm(critic[2].weight, 2), list(critic.state_dict())]


def step_gradient_penalty():
    critic = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
    real, fake = torch.randn(6, 3), torch.randn(6, 3)
    mix = torch.rand(6, 1)
    between = (mix * real + (1 - mix) * fake).requires_grad_(True)
    (grad,) = torch.autograd.grad(
        critic(between), between, torch.ones(6, 1), create_graph=True, retain_graph=True
    )
    penalty = ((grad.norm(2, dim=1) - 1) ** 2).mean()
    (critic(fake).mean() - critic(real).mean() + 10 * penalty).backward()
    return [penalty, [p.grad for p in critic.parameters()]]


def step_contrastive():
    encoder = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 4))
    x = torch.randn(8, 6)

    def loss(z, _):
        z = F.normalize(torch.cat([z, encoder(x + 0.1)]), dim=1)
        similar = z @ z.T / 0.5
        similar.fill_diagonal_(float("-inf"))
        return F.cross_entropy(similar, torch.arange(16).roll(8))

    triplet = nn.TripletMarginLoss(margin=0.5, swap=True)(x[:2], x[2:4], x[4:6])
    cosine = nn.CosineEmbeddingLoss()(x[:4], x[4:], torch.tensor([1, -1, 1, -1]))
    return [_train(encoder, x, None, loss), triplet, cosine]


def step_momentum_contrast():
    query = nn.Linear(5, 3)
    key = copy.deepcopy(query).requires_grad_(False)
    queue = F.normalize(torch.randn(3, 12), dim=0)
    optimizer, pointer, losses = optim.SGD(query.parameters(), 0.1, momentum=0.9), 0, []
    for _ in range(3):
        x = torch.randn(4, 5)
        q = F.normalize(query(x), dim=1)
        with torch.no_grad():
            for a, b in zip(query.parameters(), key.parameters(), strict=True):
                b.data.mul_(0.99).add_(a.data, alpha=0.01)
            k = F.normalize(key(x[torch.randperm(4)]), dim=1)
        logits = torch.cat([torch.einsum("nc,nc->n", q, k)[:, None], q @ queue.clone()], 1)
        loss = F.cross_entropy(logits / 0.2, torch.zeros(4, dtype=torch.long))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        queue[:, pointer : pointer + 4] = k.T
        pointer = (pointer + 4) % 12
        losses.append(loss.item())
    return [losses, queue.sum()]


def step_distillation():
    teacher = nn.Sequential(nn.Linear(5, 32), nn.ReLU(), nn.Linear(32, 3)).eval()
    student = nn.Linear(5, 3)
    x, y = torch.randn(12, 5), torch.randint(0, 3, (12,))

    def loss(out, target):
        with torch.no_grad():
            soft = F.softmax(teacher(x) / 2, -1)
        kl = nn.KLDivLoss(reduction="batchmean")(F.log_softmax(out / 2, -1), soft) * 4
        return 0.7 * kl + 0.3 * F.cross_entropy(out, target, label_smoothing=0.05)

    return _train(student, x, y, loss)


def step_pruned_training():
    from torch.nn.utils import prune

    model = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 2))
    prune.global_unstructured(
        [(model[0], "weight"), (model[2], "weight")],
        pruning_method=prune.L1Unstructured,
        amount=0.4,
    )
    prune.ln_structured(model[0], "weight", amount=2, n=2, dim=0)
    losses = _train(model, torch.randn(9, 6), torch.randint(0, 2, (9,)), F.cross_entropy)
    masks = [m.weight_mask.sum() for m in (model[0], model[2])]
    hooks = [type(h).__name__ for h in model[0]._forward_pre_hooks.values()]
    prune.remove(model[0], "weight")
    return [losses, masks, hooks, (model[0].weight == 0).sum(), list(model.state_dict())]


def step_moe():
    class Experts(nn.Module):
        def __init__(self):
            super().__init__()
            self.gate = nn.Linear(6, 4)
            self.experts = nn.ModuleList(nn.Linear(6, 6) for _ in range(4))

        def forward(self, x):
            weights, chosen = self.gate(x).softmax(-1).topk(2)
            weights = weights / weights.sum(-1, keepdim=True)
            out = torch.zeros_like(x)
            for i, expert in enumerate(self.experts):
                rows, place = torch.where(chosen == i)
                out.index_add_(0, rows, expert(x[rows]) * weights[rows, place, None])
            load = F.one_hot(chosen, 4).float().mean((0, 1))
            return out, load

    model = Experts()
    x = torch.randn(10, 6)

    def loss(out, _):
        return F.mse_loss(out[0], x) + (out[1] * 4).var()

    return _train(model, x, None, loss, make=optim.NAdam)


def step_normalizing_flow():
    class Coupling(nn.Module):
        def __init__(self, flip):
            super().__init__()
            self.flip = flip
            self.net = nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, 2))

        def forward(self, x):
            a, b = x.flip(-1).chunk(2, -1) if self.flip else x.chunk(2, -1)
            scale, shift = self.net(a).tanh().unbind(-1)
            b = b * scale.exp().unsqueeze(-1) + shift.unsqueeze(-1)
            return torch.cat([a, b], -1), scale

    layers = nn.ModuleList(Coupling(i % 2) for i in range(4))
    base = torch.distributions.MultivariateNormal(torch.zeros(2), torch.eye(2))
    data = torch.randn(32, 2) @ torch.tensor([[1.0, 0.5], [0.0, 0.3]]) + 1
    optimizer, losses = optim.Adam(layers.parameters(), 0.02), []
    for _ in range(4):
        x, logs = data, 0
        for layer in layers:
            x, scale = layer(x)
            logs = logs + scale
        loss = -(base.log_prob(x) + logs).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def step_vector_quantized():
    book = nn.Embedding(6, 3)
    encoder, decoder = nn.Conv1d(1, 3, 4, 4), nn.ConvTranspose1d(3, 1, 4, 4)
    x = torch.sin(torch.arange(64) / 4.0).view(2, 1, 32)
    optimizer = optim.Adam([*book.parameters(), *encoder.parameters(), *decoder.parameters()], 0.02)
    losses = []
    for _ in range(4):
        z = encoder(x).permute(0, 2, 1)
        ids = torch.cdist(z.reshape(-1, 3), book.weight).argmin(1)
        q = book(ids).view_as(z)
        straight = z + (q - z).detach()
        loss = F.mse_loss(decoder(straight.permute(0, 2, 1)), x) + F.mse_loss(q, z.detach())
        loss = loss + 0.25 * F.mse_loss(z, q.detach())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return [losses, ids.bincount(minlength=6)]


def step_imbalanced():
    x = torch.randn(30, 3)
    y = (torch.arange(30) % 10 == 0).float()
    weights = torch.where(y > 0, 9.0, 1.0)
    sampler = WeightedRandomSampler(weights.tolist(), 30, replacement=True)
    loader = DataLoader(TensorDataset(x, y), 10, sampler=sampler)
    model = nn.Linear(3, 1)
    criterion = nn.BCEWithLogitsLoss(pos_weight=torch.tensor(9.0))
    optimizer, found = optim.SGD(model.parameters(), 0.1), []
    for a, b in loader:
        loss = criterion(model(a).squeeze(1), b)
        focal = (
            (
                1
                - torch.exp(
                    -F.binary_cross_entropy_with_logits(model(a)[:, 0], b, reduction="none")
                )
            )
            ** 2
        ).mean()
        optimizer.zero_grad()
        (loss + focal).backward()
        optimizer.step()
        found.append([loss.item(), b.sum()])
    return found

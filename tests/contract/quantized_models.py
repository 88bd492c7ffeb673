"""Models of both frameworks that are quantized by their graphs."""


def module(t, forward, **parts):
    """A model of *parts* whose ``forward`` is *forward*."""

    class Net(t.nn.Module):
        def __init__(self):
            super().__init__()
            for name, value in parts.items():
                setattr(self, name, value)

    Net.forward = forward
    return Net()


def mlp(t):
    nn = t.nn
    return nn.Sequential(nn.Linear(4, 5), nn.ReLU(), nn.Linear(5, 3), nn.Sigmoid()), (3, 4)


def _convolutions(t):
    nn = t.nn
    layers = (
        *(nn.Conv2d(2, 3, 3, padding=1), nn.BatchNorm2d(3), nn.ReLU(), nn.MaxPool2d(2)),
        *(nn.Conv2d(3, 2, 1), nn.BatchNorm2d(2), nn.Hardswish(), nn.Flatten(), nn.Linear(8, 3)),
    )
    return nn.Sequential(*layers), (2, 2, 4, 4)


def residual(t):
    nn = t.nn

    def forward(self, x):
        y = self.relu(self.bn(self.conv(x)))
        y = self.relu(y + self.other(y)) * 2
        y = self.pool(y)
        return self.fc(t.flatten(y, 1)) + 1

    parts = {"conv": nn.Conv2d(2, 2, 3, padding=1), "bn": nn.BatchNorm2d(2), "relu": nn.ReLU()}
    parts |= {"other": nn.Conv2d(2, 2, 1), "pool": nn.AdaptiveAvgPool2d(1), "fc": nn.Linear(2, 3)}
    return module(t, forward, **parts), (2, 2, 4, 4)


def _functions(t):
    f = t.nn.functional

    def forward(self, x):
        y = f.relu(f.linear(x, self.w, self.b))
        z = f.linear(y, self.v)
        return f.leaky_relu(t.matmul(z, z.transpose(0, 1)), 0.2).tanh()

    w, b, v = (t.nn.Parameter(t.randn(*size)) for size in ((5, 4), (5,), (3, 5)))
    return module(t, forward, w=w, b=b, v=v), (3, 4)


def _convolution_functions(t):
    f = t.nn.functional

    def forward(self, x):
        y = f.relu(f.conv2d(x, self.w, self.b, (1, 1), (1, 1), (1, 1), 1))
        return f.hardtanh(f.avg_pool2d(f.conv2d(y, self.v, None, (2, 2), (0, 0), (1, 1), 1), 2))

    w, b, v = (t.nn.Parameter(t.randn(*size)) for size in ((3, 2, 3, 3), (3,), (2, 3, 1, 1)))
    return module(t, forward, w=w, b=b, v=v), (2, 2, 8, 8)


def _named_arguments(t):
    f = t.nn.functional

    def forward(self, x):
        y = f.linear(x, self.w, bias=self.b)
        return f.linear(y, self.w, bias=self.b)

    w, b = (t.nn.Parameter(t.randn(*size)) for size in ((4, 4), (4,)))
    return module(t, forward, w=w, b=b), (3, 4)


def _shapes(t):
    def forward(self, x):
        y = self.fc(x)
        y = y.view(y.size(0), -1).reshape(y.shape[0], 2, 3).permute(0, 2, 1).contiguous()
        y = t.cat([y, y.relu()], 1).mean(1)
        return y.squeeze(0).unsqueeze(-1)

    return module(t, forward, fc=t.nn.Linear(4, 6)), (3, 4)


def _norms(t):
    nn = t.nn
    layers = (
        *(nn.Conv2d(2, 3, 1), nn.Hardswish(), nn.BatchNorm2d(3), nn.ELU(), nn.InstanceNorm2d(3)),
        *(nn.LeakyReLU(0.1), nn.Dropout(), nn.BatchNorm2d(3), nn.ReLU(), nn.AvgPool2d(2)),
        *(nn.Softmax(1), nn.Tanh(), nn.Hardsigmoid()),
    )
    return nn.Sequential(*layers), (2, 2, 4, 4)


def _several_inputs(t):
    def forward(self, x):
        a, b = self.a(x), self.b(x)
        c = t.cat([a, b, x], dim=1)
        return {"sum": t.add(a, b), "cat": c, "both": (a * b, [t.relu(a - b)])}

    return module(t, forward, a=t.nn.Linear(4, 4), b=t.nn.Linear(4, 4)), (3, 4)


def _nested(t):
    nn = t.nn

    def forward(self, x):
        return self.outer.inner(self.first(x)).abs() + self.first(x).size(0)

    outer = nn.Module()
    outer.inner = nn.Sequential(nn.Linear(5, 5), nn.ReLU(), nn.Linear(5, 2))
    return module(t, forward, first=nn.Linear(4, 5), outer=outer), (3, 4)


def _lengths(t):
    nn = t.nn
    return nn.Sequential(nn.Conv1d(2, 3, 3), nn.BatchNorm1d(3), nn.ReLU(), nn.Conv1d(3, 2, 1)), (
        *(2, 2, 6),
    )


MODELS = {
    "mlp": mlp,
    "convolutions": _convolutions,
    "residual": residual,
    "functions": _functions,
    "convolution functions": _convolution_functions,
    "named arguments": _named_arguments,
    "shapes": _shapes,
    "norms": _norms,
    "several inputs": _several_inputs,
    "nested": _nested,
    "lengths": _lengths,
}

"""torchvision: transforms, models, ops that are Python, datasets from memory."""

import numpy
import torch
import torchvision
from PIL import Image
from torchvision import datasets, models, ops, transforms
from torchvision.transforms import v2


def _image():
    rows = numpy.arange(16 * 16 * 3, dtype=numpy.uint8).reshape(16, 16, 3)
    return Image.fromarray(rows)


def step_transforms():
    chain = transforms.Compose(
        [
            transforms.Resize(12),
            transforms.CenterCrop(8),
            transforms.ToTensor(),
            transforms.Normalize((0.5,) * 3, (0.5,) * 3),
        ]
    )
    return chain(_image())


def step_random_transforms():
    torch.manual_seed(0)
    chain = transforms.Compose(
        [
            transforms.RandomCrop(8, padding=2),
            transforms.RandomHorizontalFlip(),
            transforms.ToTensor(),
            transforms.RandomErasing(p=1.0),
        ]
    )
    return chain(_image())


def step_tensor_transforms():
    x = torch.arange(3 * 8 * 8, dtype=torch.float32).reshape(3, 8, 8) / 192
    f = transforms.functional
    return [
        f.rotate(x, 30.0),
        f.adjust_brightness(x, 1.5),
        f.gaussian_blur(x, 3),
        f.affine(x, 10, [1, 1], 1.1, [0.0, 0.0]),
        f.rgb_to_grayscale(x),
    ]


def step_v2():
    torch.manual_seed(0)
    chain = v2.Compose(
        [v2.ToImage(), v2.ToDtype(torch.float32, scale=True), v2.RandomResizedCrop(8)]
    )
    return chain(_image()).shape


def _forward(make, size=32, **options):
    torch.manual_seed(0)
    model = make(weights=None, num_classes=4, **options).eval()
    with torch.no_grad():
        return model(torch.randn(1, 3, size, size))


def step_resnet():
    return _forward(models.resnet18)


def step_mobilenet():
    return _forward(models.mobilenet_v3_small)


def step_vit():
    torch.manual_seed(0)
    model = models.VisionTransformer(16, 4, 2, 2, 16, 32, num_classes=3).eval()
    return model(torch.randn(1, 3, 16, 16))


def step_vgg():
    return _forward(models.vgg11, 32).shape


def step_densenet():
    return _forward(models.densenet121)


def step_squeezenet():
    return _forward(models.squeezenet1_1, 64)


def step_train():
    torch.manual_seed(0)
    model = models.resnet18(num_classes=3).double()  # batch norm makes much of last digits
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    losses = []
    for _ in range(2):
        loss = torch.nn.functional.cross_entropy(
            model(torch.randn(4, 3, 64, 64).double()), torch.tensor([0, 2, 1, 1])
        )
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def step_boxes():
    boxes = torch.tensor([[0.0, 0, 10, 10], [5, 5, 15, 15]])
    return [
        ops.box_iou(boxes, boxes),
        ops.box_area(boxes),
        ops.generalized_box_iou(boxes, boxes),
        ops.box_convert(boxes, "xyxy", "cxcywh"),
        ops.clip_boxes_to_image(boxes, (8, 8)),
    ]


def step_losses():
    x, y = torch.randn(3, 2), torch.rand(3, 2).round()
    return [
        ops.sigmoid_focal_loss(x, y, reduction="mean"),
        ops.StochasticDepth(0.5, "row")(x).shape,
    ]


def step_roi_align():
    x = torch.arange(64.0).reshape(1, 1, 8, 8)
    return ops.roi_align(x, torch.tensor([[0, 1.0, 1, 6, 6]]), (2, 2), sampling_ratio=2)


def step_fake_data():
    data = datasets.FakeData(4, (3, 8, 8), 3, transforms.ToTensor())
    loader = torch.utils.data.DataLoader(data, batch_size=2)
    return [[x.mean(), y] for x, y in loader]


def step_grid():
    return torchvision.utils.make_grid(torch.rand(4, 3, 4, 4), nrow=2)

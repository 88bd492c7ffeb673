"""torchvision: transforms v2, detection, segmentation, features, folders, pictures."""

import os
import tempfile

import numpy as np
import torch
import torchvision
from PIL import Image
from torch import nn
from torchvision import datasets, models, ops, tv_tensors, utils
from torchvision.models.feature_extraction import create_feature_extractor, get_graph_node_names
from torchvision.transforms import InterpolationMode, v2
from torchvision.transforms import functional as TF
from torchvision.transforms.v2 import functional as F2


def _image(size=16):
    return (torch.arange(3 * size * size) % 256).to(torch.uint8).reshape(3, size, size)


def _boxes():
    return tv_tensors.BoundingBoxes(
        torch.tensor([[1.0, 2, 8, 9], [3, 3, 12, 14]]), format="XYXY", canvas_size=(16, 16)
    )


def step_v2_geometry():
    found = []
    for t in (
        v2.RandomHorizontalFlip(1.0),
        v2.RandomVerticalFlip(1.0),
        v2.RandomRotation(30),
        v2.RandomAffine(10, (0.1, 0.1), (0.8, 1.2), 5),
        v2.RandomPerspective(p=1.0),
        v2.ElasticTransform(alpha=5.0, sigma=1.0),
        v2.RandomCrop(8),
        v2.FiveCrop(8),
        v2.Pad(2),
        v2.RandomZoomOut(p=1.0),
        v2.ScaleJitter((16, 16)),
        v2.RandomShortestSize(10),
        v2.Resize(10, antialias=True),
    ):
        torch.manual_seed(0)
        out = t(_image())
        found.append(out)
    return found


def step_v2_colors():
    found = []
    for t in (
        v2.ColorJitter(0.4, 0.4, 0.4, 0.1),
        v2.Grayscale(3),
        v2.RandomAdjustSharpness(2.0, p=1.0),
        v2.RandomAutocontrast(1.0),
        v2.RandomEqualize(1.0),
        v2.RandomInvert(1.0),
        v2.RandomPosterize(3, 1.0),
        v2.RandomSolarize(100, 1.0),
        v2.GaussianBlur(3, 1.0),
        v2.RandomChannelPermutation(),
        v2.RandomPhotometricDistort(p=1.0),
        v2.RandomErasing(p=1.0),
        v2.GaussianNoise() if hasattr(v2, "GaussianNoise") else v2.Identity(),
    ):
        torch.manual_seed(0)
        x = _image()
        out = t(x.float() / 255) if type(t).__name__ == "GaussianNoise" else t(x)
        found.append(out)
    return found


def step_v2_targets():
    torch.manual_seed(1)
    chain = v2.Compose(
        [
            v2.RandomIoUCrop(),
            v2.RandomHorizontalFlip(1.0),
            v2.SanitizeBoundingBoxes(),
            v2.ToDtype({tv_tensors.Image: torch.float32, "others": None}, scale=True),
        ]
    )
    target = {
        "boxes": _boxes(),
        "labels": torch.tensor([1, 2]),
        "masks": tv_tensors.Mask(torch.ones(2, 16, 16, dtype=torch.uint8)),
    }
    image, out = chain(tv_tensors.Image(_image()), target)
    return [image.shape, str(image.dtype), out["boxes"], out["labels"], out["masks"].shape]


def step_tv_tensors():
    b = _boxes()
    moved = b + 1
    wrapped = tv_tensors.wrap(moved, like=b)
    with tv_tensors.set_return_type("TVTensor"):
        kept = type(b + 1).__name__
    return [repr(b), type(moved).__name__, type(wrapped).__name__, kept, b.canvas_size]


def step_v2_functional():
    b = _boxes()
    return [
        F2.horizontal_flip(b),
        F2.convert_bounding_box_format(b, new_format="CXCYWH"),
        F2.resize(b, [8, 8]),
        F2.rotate(b, 30.0),
        F2.get_size(b),
        F2.to_image(Image.fromarray(np.zeros((4, 4, 3), np.uint8))).shape,
        F2.to_pil_image(_image()).size,
        F2.adjust_hue(_image(), 0.2),
        F2.normalize(_image().float(), [0.5] * 3, [0.5] * 3),
    ]


def step_mixup():
    torch.manual_seed(0)
    x, y = torch.rand(4, 3, 8, 8), torch.tensor([0, 1, 2, 1])
    a = v2.MixUp(num_classes=3)(x, y)
    b = v2.CutMix(num_classes=3)(x, y)
    return [a[1], b[1], a[0].mean(), b[0].mean()]


def step_auto_augment():
    found = []
    for t in (v2.AutoAugment(), v2.RandAugment(), v2.TrivialAugmentWide(), v2.AugMix()):
        torch.manual_seed(3)
        found.append(t(_image()).float().mean())
    return found


def step_v1_functional():
    x = _image().float() / 255
    return [
        TF.perspective(
            x, [[0, 0], [15, 0], [15, 15], [0, 15]], [[1, 0], [15, 1], [14, 15], [0, 14]]
        ),
        TF.resize(x, [8, 8], InterpolationMode.BICUBIC, antialias=True),
        TF.resized_crop(x, 2, 2, 8, 8, [6, 6]),
        TF.ten_crop(x, [4, 4])[3],
        TF.adjust_gamma(x, 0.5),
        TF.equalize(_image()),
        TF.autocontrast(x),
        TF.pad(x, [1, 2], padding_mode="reflect"),
        TF.erase(x, 1, 1, 4, 4, torch.zeros(1)),
        TF.elastic_transform(x, torch.zeros(1, 16, 16, 2)),
    ]


def step_pil_pipeline():
    image = Image.fromarray(np.arange(20 * 20 * 3, dtype=np.uint8).reshape(20, 20, 3))
    torch.manual_seed(0)
    chain = torchvision.transforms.Compose(
        [
            torchvision.transforms.RandomResizedCrop(12),
            torchvision.transforms.RandomHorizontalFlip(),
            torchvision.transforms.ColorJitter(0.2, 0.2, 0.2),
            torchvision.transforms.PILToTensor(),
            torchvision.transforms.ConvertImageDtype(torch.float),
            torchvision.transforms.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225]),
            torchvision.transforms.Lambda(lambda x: x * 2),
        ]
    )
    return [chain(image), repr(chain)]


def step_image_folder():
    folder = tempfile.mkdtemp()
    for name in ("cat", "dog"):
        os.makedirs(f"{folder}/{name}")
        for i in range(2):
            Image.fromarray(np.full((8, 8, 3), i * 50, np.uint8)).save(f"{folder}/{name}/{i}.png")
    data = datasets.ImageFolder(folder, torchvision.transforms.ToTensor())
    loader = torch.utils.data.DataLoader(data, batch_size=2)
    return [
        data.classes,
        data.class_to_idx,
        len(data),
        [[x.mean(), y] for x, y in loader],
        repr(data).replace(folder, ""),
    ]


def step_dataset_folder():
    folder = tempfile.mkdtemp()
    os.makedirs(f"{folder}/a")
    torch.save(torch.ones(2), f"{folder}/a/x.pt")
    data = datasets.DatasetFolder(folder, torch.load, extensions=(".pt",))
    return data[0]


def step_utils():
    folder = tempfile.mkdtemp()
    boxed = utils.draw_bounding_boxes(
        _image(32), torch.tensor([[2, 2, 20, 20]]), width=2, colors="red"
    )
    masked = utils.draw_segmentation_masks(
        _image(), torch.ones(16, 16, dtype=torch.bool), alpha=0.5, colors="blue"
    )
    points = utils.draw_keypoints(_image(32), torch.tensor([[[4, 4], [10, 10]]]), colors="green")
    utils.save_image(torch.rand(4, 3, 8, 8), f"{folder}/x.png", nrow=2, normalize=True)
    flow = utils.flow_to_image(torch.randn(2, 6, 6))
    return [
        boxed.float().mean(),
        masked.float().mean(),
        points.float().mean(),
        Image.open(f"{folder}/x.png").size,
        flow.shape,
    ]


def step_grid_options():
    x = torch.arange(2 * 3 * 4 * 4.0).reshape(2, 3, 4, 4)
    return [
        utils.make_grid(x, normalize=True, scale_each=True, padding=1, pad_value=0.5),
        utils.make_grid(list(x), nrow=1).shape,
    ]


def step_feature_extraction():
    torch.manual_seed(0)
    model = models.resnet18(weights=None).eval()
    extractor = create_feature_extractor(
        model, {"layer1.1.relu_1": "a", "layer4": "b", "flatten": "c"}
    )
    with torch.no_grad():
        out = extractor(torch.randn(1, 3, 32, 32))
    names = get_graph_node_names(model)[1]
    return [{k: list(v.shape) for k, v in out.items()}, out["c"], names[:5], len(names)]


def step_intermediate_layers():
    torch.manual_seed(0)
    body = models._utils.IntermediateLayerGetter(
        models.resnet18(weights=None).eval(), {"layer1": "x", "layer3": "y"}
    )
    return {k: v.mean() for k, v in body(torch.randn(1, 3, 32, 32)).items()}


def step_fpn():
    torch.manual_seed(0)
    fpn = ops.FeaturePyramidNetwork([4, 8], 5)
    out = fpn({"a": torch.rand(1, 4, 8, 8), "b": torch.rand(1, 8, 4, 4)})
    return {k: v for k, v in out.items()}


def step_segmentation():
    torch.manual_seed(0)
    found = []
    for make in (models.segmentation.fcn_resnet50, models.segmentation.lraspp_mobilenet_v3_large):
        model = make(weights=None, weights_backbone=None, num_classes=3).eval()
        with torch.no_grad():
            found.append(model(torch.randn(1, 3, 32, 32))["out"])
    return found


def step_anchors():
    g = models.detection.anchor_utils.AnchorGenerator(((8,), (16,)), ((0.5, 1.0),) * 2)
    images = models.detection.image_list.ImageList(torch.zeros(1, 3, 32, 32), [(32, 32)])
    return g(images, [torch.zeros(1, 4, 4, 4), torch.zeros(1, 4, 2, 2)])[0][:10]


def step_box_coder():
    coder = models.detection._utils.BoxCoder((10.0, 10.0, 5.0, 5.0))
    a, b = torch.tensor([[0.0, 0, 10, 10]]), torch.tensor([[1.0, 2, 9, 12]])
    codes = coder.encode([a], [b])[0]
    return [codes, coder.decode(codes, [b])]


def step_backbones():
    found = {}
    x = torch.randn(1, 3, 64, 64)
    for name in (
        "alexnet",
        "shufflenet_v2_x0_5",
        "mnasnet0_5",
        "efficientnet_b0",
        "regnet_y_400mf",
        "mobilenet_v2",
    ):
        torch.manual_seed(0)
        model = models.get_model(name, weights=None).eval()
        with torch.no_grad():
            out = model(x)
        found[name] = [out.mean(), out.std(), sum(p.numel() for p in model.parameters())]
    return found


def step_model_list():
    weights = models.get_model_weights("resnet18")
    return [
        len(models.list_models()) > 50,
        str(weights.DEFAULT),
        weights.DEFAULT.meta["num_params"],
        str(models.ResNet18_Weights.IMAGENET1K_V1.transforms()),
    ]


def step_replace_head():
    torch.manual_seed(0)
    model = models.resnet18(weights=None)
    model.fc = nn.Linear(model.fc.in_features, 2)
    for name, p in model.named_parameters():
        p.requires_grad = name.startswith("fc")
    optimizer = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.01)
    model.eval()
    losses = []
    for _ in range(2):
        loss = nn.functional.cross_entropy(model(torch.ones(2, 3, 32, 32)), torch.tensor([0, 1]))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def step_ops_layers():
    torch.manual_seed(0)
    x = torch.rand(2, 4, 6, 6)
    return [
        ops.SqueezeExcitation(4, 2)(x),
        ops.Conv2dNormActivation(4, 6)(x),
        ops.FrozenBatchNorm2d(4)(x),
        ops.MLP(4, [8, 2])(x.permute(0, 2, 3, 1)),
        ops.Permute([0, 2, 3, 1])(x).shape,
        ops.DropBlock2d(0.3, 3)(x).shape,
        ops.drop_block2d(x, 0.0, 3),
        ops.stochastic_depth(x, 0.0, "batch"),
    ]


def step_box_losses():
    a = torch.tensor([[0.0, 0, 10, 10], [2, 2, 8, 8]], requires_grad=True)
    b = torch.tensor([[1.0, 1, 9, 9], [0, 0, 4, 4]])
    losses = [
        ops.generalized_box_iou_loss(a, b, "sum"),
        ops.distance_box_iou_loss(a, b, "sum"),
        ops.complete_box_iou_loss(a, b, "sum"),
    ]
    sum(losses).backward()
    return [
        *losses,
        a.grad,
        ops.distance_box_iou(a, b),
        ops.complete_box_iou(a, b),
        ops.masks_to_boxes(torch.eye(4)[None]),
    ]


def step_io_refusals():
    found = []
    for call in (
        lambda: torchvision.io.read_image("/nonexistent.png"),
        lambda: torchvision.datasets.MNIST("/nonexistent", download=False),
        lambda: torchvision.datasets.ImageFolder("/nonexistent"),
    ):
        try:
            call()
        except Exception as error:
            found.append(type(error).__name__)
    return found[1:]


def step_script_transforms():
    chain = nn.Sequential(
        torchvision.transforms.CenterCrop(8),
        torchvision.transforms.Normalize((0.5,) * 3, (0.5,) * 3),
    )
    x = _image().float()
    return [torch.jit.script(chain)(x), chain(x)]


def step_random_datasets():
    x, y = datasets.FakeData(3, (3, 8, 8), 4)[0]
    return [x.size, y]


def step_video_transforms():
    torch.manual_seed(0)
    video = tv_tensors.Video(torch.arange(2 * 3 * 8 * 8).reshape(2, 3, 8, 8).to(torch.uint8))
    return [v2.UniformTemporalSubsample(1)(video).shape, v2.RandomCrop(4)(video)]

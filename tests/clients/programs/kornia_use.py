"""kornia: colours, filters, geometry, augmentation, losses."""

import kornia
import kornia.augmentation as K
import torch

IMAGE = torch.arange(3 * 12 * 12, dtype=torch.float32).reshape(1, 3, 12, 12).sin().abs()


def step_colors():
    c = kornia.color
    return [
        f(IMAGE)
        for f in (
            c.rgb_to_grayscale,
            c.rgb_to_hsv,
            c.rgb_to_hls,
            c.rgb_to_lab,
            c.rgb_to_luv,
            c.rgb_to_ycbcr,
            c.rgb_to_yuv,
            c.rgb_to_xyz,
            c.rgb_to_bgr,
            c.rgb_to_linear_rgb,
        )
    ]


def step_colors_back():
    c = kornia.color
    return [c.hsv_to_rgb(c.rgb_to_hsv(IMAGE)), c.lab_to_rgb(c.rgb_to_lab(IMAGE))]


def step_filters():
    f = kornia.filters
    return [
        f.gaussian_blur2d(IMAGE, (3, 3), (1.5, 1.5)),
        f.box_blur(IMAGE, 3),
        f.median_blur(IMAGE, 3),
        f.sobel(IMAGE),
        f.laplacian(IMAGE, 3),
        f.unsharp_mask(IMAGE, (3, 3), (1.0, 1.0)),
        f.spatial_gradient(IMAGE),
        f.bilateral_blur(IMAGE, (3, 3), 0.1, (1.5, 1.5)),
        f.motion_blur(IMAGE, 3, 35.0, 0.5),
        f.filter2d(IMAGE, torch.ones(1, 3, 3) / 9),
    ]


def step_canny():
    magnitude, edges = kornia.filters.canny(IMAGE)
    return [magnitude, edges.shape]


def step_enhance():
    e = kornia.enhance
    return [
        e.adjust_brightness(IMAGE, 0.2),
        e.adjust_contrast(IMAGE, 0.5),
        e.adjust_gamma(IMAGE, 2.0),
        e.adjust_hue(IMAGE, 0.3),
        e.adjust_saturation(IMAGE, 1.5),
        e.normalize(IMAGE, torch.tensor([0.5]), torch.tensor([0.2])),
        e.equalize(IMAGE),
        e.posterize(IMAGE, 3),
        e.sharpness(IMAGE, 0.5),
        e.solarize(IMAGE, 0.5),
    ]


def step_warps():
    t = kornia.geometry.transform
    return [
        t.rotate(IMAGE, torch.tensor([30.0])),
        t.translate(IMAGE, torch.tensor([[2.0, 1.0]])),
        t.scale(IMAGE, torch.tensor([1.5])),
        t.hflip(IMAGE),
        t.vflip(IMAGE),
        t.resize(IMAGE, (6, 6)),
        t.center_crop(IMAGE, (6, 6)),
        t.shear(IMAGE, torch.tensor([[0.1, 0.0]])),
        t.pyrdown(IMAGE),
    ]


def step_perspective():
    src = torch.tensor([[[0.0, 0.0], [11.0, 0.0], [11.0, 11.0], [0.0, 11.0]]])
    dst = torch.tensor([[[1.0, 1.0], [10.0, 0.0], [11.0, 10.0], [0.0, 11.0]]])
    m = kornia.geometry.get_perspective_transform(src, dst)
    return [m, kornia.geometry.warp_perspective(IMAGE, m, (12, 12))]


def step_rotations():
    g = kornia.geometry.conversions
    aa = torch.tensor([[0.1, 0.2, 0.3]])
    r = g.axis_angle_to_rotation_matrix(aa)
    return [
        r,
        g.rotation_matrix_to_quaternion(r),
        g.quaternion_to_axis_angle(g.axis_angle_to_quaternion(aa)),
        g.rad2deg(aa),
        g.convert_points_to_homogeneous(aa),
    ]


def step_homography():
    g = kornia.geometry
    points = torch.rand(1, 6, 2)
    h = torch.tensor([[[1.1, 0.1, 0.2], [0.0, 0.9, 0.1], [0.01, 0.0, 1.0]]])
    return g.transform_points(h, points)


def step_augmentation():
    torch.manual_seed(3)
    chain = K.AugmentationSequential(
        K.RandomHorizontalFlip(p=0.5),
        K.RandomAffine(15.0, p=1.0),
        K.ColorJitter(0.1, 0.1, 0.1, 0.1, p=1.0),
        data_keys=["input"],
    )
    return chain(IMAGE)


def step_augmentations():
    found = []
    for make in (
        K.RandomVerticalFlip(p=1.0),
        K.RandomCrop((8, 8)),
        K.RandomResizedCrop((8, 8)),
        K.RandomGrayscale(p=1.0),
        K.RandomErasing(p=1.0),
        K.RandomGaussianBlur((3, 3), (0.1, 2.0), p=1.0),
        K.RandomPerspective(p=1.0),
        K.RandomRotation(30.0, p=1.0),
        K.CenterCrop(8),
        K.Normalize(torch.tensor([0.5] * 3), torch.tensor([0.5] * 3)),
    ):
        torch.manual_seed(0)
        found.append(make(IMAGE))
    return found


def step_mixup():
    torch.manual_seed(0)
    out, labels = K.RandomMixUpV2(p=1.0, data_keys=["input", "class"])(
        IMAGE.repeat(2, 1, 1, 1), torch.tensor([0, 1])
    )
    return [out.shape, labels.shape]


def step_losses():
    pred = torch.randn(2, 3, 4, 4, requires_grad=True)
    target = torch.randint(0, 3, (2, 4, 4))
    losses = kornia.losses
    found = [
        losses.dice_loss(pred, target),
        losses.focal_loss(pred, target, alpha=0.5, reduction="mean"),
        losses.tversky_loss(pred, target, 0.5, 0.5),
        losses.lovasz_softmax_loss(pred, target),
        losses.ssim_loss(IMAGE, IMAGE * 0.9, 5),
        losses.psnr_loss(IMAGE, IMAGE * 0.9, 1.0),
        losses.total_variation(IMAGE),
    ]
    sum(found[:4]).backward()
    return [*found, pred.grad]


def step_metrics():
    m = kornia.metrics
    return [
        m.confusion_matrix(torch.tensor([[0, 1, 2]]), torch.tensor([[0, 1, 1]]), 3),
        m.psnr(IMAGE, IMAGE * 0.9, 1.0),
        m.ssim(IMAGE, IMAGE * 0.9, 5),
        m.accuracy(torch.tensor([[0.1, 0.9]]), torch.tensor([1])),
    ]


def step_morphology():
    kernel = torch.ones(3, 3)
    m = kornia.morphology
    return [f(IMAGE, kernel) for f in (m.dilation, m.erosion, m.opening, m.closing, m.gradient)]


def step_features():
    gray = IMAGE.mean(1, keepdim=True)
    f = kornia.feature
    return [f.harris_response(gray), f.gftt_response(gray), f.hessian_response(gray)]


def step_sift():
    return kornia.feature.SIFTDescriptor(12)(IMAGE.mean(1, keepdim=True)).shape


def step_patches():
    x = torch.rand(1, 1, 8, 8)
    p = kornia.contrib.extract_tensor_patches(x, 4, stride=4)
    return [p.shape, kornia.contrib.combine_tensor_patches(p, (8, 8), (4, 4), stride=(4, 4)) - x]


def step_image_tensor():
    import numpy

    a = numpy.arange(48, dtype=numpy.uint8).reshape(4, 4, 3)
    t = kornia.utils.image_to_tensor(a)
    return [t, kornia.utils.tensor_to_image(t)]


def step_camera():
    k = torch.eye(3)[None] * torch.tensor([2.0, 2.0, 1.0])
    return kornia.geometry.project_points(torch.tensor([[[1.0, 2.0, 4.0]]]), k)


def step_training():
    warp = torch.zeros(1, requires_grad=True)
    optimizer, found = torch.optim.SGD([warp], lr=5.0), []
    for _ in range(3):
        loss = (kornia.geometry.rotate(IMAGE, warp) - IMAGE.flip(-1)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        found.append(loss.item())
    return found

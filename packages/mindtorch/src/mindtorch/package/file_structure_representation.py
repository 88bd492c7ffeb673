"""``torch.package.file_structure_representation``: the files of an archive, as a tree."""

from __future__ import annotations

from .glob_group import GlobGroup, GlobPattern

__all__ = ["Directory"]


class Directory:
    """A folder or a file of an archive, which prints as a tree."""

    def __init__(self, name: str, is_dir: bool) -> None:
        self.name, self.is_dir = name, is_dir
        self.children: dict[str, Directory] = {}

    def _add_file(self, file_path: str) -> None:
        *folders, file = file_path.split("/")
        place = self
        for folder in folders:
            place = place.children.setdefault(folder, Directory(folder, True))
        place.children[file] = Directory(file, False)

    def has_file(self, filename: str) -> bool:
        """Whether there is a file of this path."""
        first, _, rest = filename.partition("/")
        child = self.children.get(first)
        if child is None:
            return False
        return child.has_file(rest) if rest else True

    def __str__(self) -> str:
        lines: list[str] = []
        self._draw(lines, "", "─── ")
        return "".join(lines)

    def _draw(self, lines: list[str], before: str, arm: str) -> None:
        lines.append(f"{before}{arm}{self.name}\n")
        below = before + ("    " if arm != "├── " else "│   ")
        ordered = sorted(self.children.values(), key=lambda c: (not c.is_dir, c.name))
        for i, child in enumerate(ordered):
            child._draw(lines, below, "└── " if i == len(ordered) - 1 else "├── ")


def _create_directory_from_file_list(
    filename: str, file_list: list[str], include: GlobPattern = "**", exclude: GlobPattern = ()
) -> Directory:
    """The tree of the files that match, under *filename*."""
    wanted = GlobGroup(include, exclude=exclude, separator="/")
    top = Directory(filename, True)
    for file in file_list:
        if wanted.matches(file):
            top._add_file(file)
    return top

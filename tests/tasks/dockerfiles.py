"""Reads a container's Dockerfile, as far as its tests ask about it."""

import shlex
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tests.tasks.containers import REPOSITORY


@dataclass(frozen=True)
class Instruction:
    """One instruction of a Dockerfile, and the number of the stage it belongs to."""

    stage: int
    name: str
    words: tuple[str, ...]


@dataclass(frozen=True)
class Dockerfile:
    """The Dockerfile of one task's folder; ``carrier`` names the last stage with anything that every image holds."""

    folder: Path
    carrier: str

    @cached_property
    def instructions(self) -> tuple[Instruction, ...]:
        return tuple(self._read())

    def _read(self) -> Iterator[Instruction]:
        stage = -1
        lines = (line for line in (self.folder / "Dockerfile").read_text().splitlines() if not line.startswith("#"))
        for line in "\n".join(lines).replace("\\\n", " ").splitlines():
            if line.strip():
                name, rest = line.split(maxsplit=1)
                stage += name == "FROM"
                yield Instruction(stage, name, tuple(shlex.split(rest.strip("[]").replace('",', '" '))))

    @property
    def stages(self) -> list[tuple[str, ...]]:
        return [each.words for each in self.instructions if each.name == "FROM"]

    @property
    def last_stage(self) -> int:
        """The number of the carrier."""
        return next(number for number, words in enumerate(self.stages) if words[2] == self.carrier)

    def words_of(self, name: str, stage: int | None = None) -> list[tuple[str, ...]]:
        return [each.words for each in self.instructions if each.name == name and stage in {None, each.stage}]

    def copies(self) -> list[tuple[list[str], str]]:
        """List what is copied from the repository: the sources, and where they go."""
        return [(list(words[:-1]), words[-1]) for words in self.words_of("COPY") if not words[0].startswith("--from=")]

    def lay_out(self, root: Path) -> None:
        """Fill ``root`` as the COPY instructions fill the working folder of the image."""
        [folder] = self.words_of("WORKDIR", self.last_stage)
        for sources, target in self.copies():
            if not target.startswith(folder[0] + "/"):
                continue
            place = root / target.removeprefix(folder[0] + "/")
            for source in (REPOSITORY / each for each in sources):
                if source.is_dir():
                    shutil.copytree(source, place)
                else:
                    file = place / source.name if target.endswith("/") else place
                    file.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(source, file)

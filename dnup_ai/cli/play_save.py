"""The file of records that `dnup-ai play` writes: whole at any moment, and never over a file of somebody else."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from dnup_ai.errors import StoreError


class RecordFile:
    """Records in a file, written anew each time, so that what was taken back is not in it."""

    def __init__(self, path: Path, force: bool | None = None) -> None:
        """Nothing is written yet. Raises StoreError if there is such a file.

        force: it is written over; None: there is no such option where the name is given.
        """
        if path.exists() and not force:
            ways = "give another name" + ("" if force is None else ", or --force to write over it")
            raise StoreError(f"{path}: there is such a file already; {ways}")
        self.path = path

    def write(self, records: Iterable[dict[str, Any]]) -> None:
        """Write them in place of what is there; raises StoreError and leaves that if it cannot be done."""
        part = self.path.with_name(f".{self.path.name}.{os.getpid()}.part")
        try:
            try:
                with part.open("w", encoding="utf-8") as target:
                    for record in records:
                        target.write(json.dumps(record) + "\n")
                part.replace(self.path)
            finally:
                part.unlink(missing_ok=True)
        except OSError as error:
            raise StoreError(f"{self.path}: cannot be written: {error.strerror or error}") from error

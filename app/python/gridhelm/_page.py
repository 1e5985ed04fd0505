# SPDX-License-Identifier: GPL-3.0-or-later
"""A study as one page in HTML that anybody can open."""

import html
import os
import pathlib
import tempfile
from typing import NamedTuple


class PageField(NamedTuple):
    """What a page has of a field, and what that adds to the field's error."""
    name: str
    modes: int
    relative: float #: relative L2 difference from the study's values, the largest at some 500 places
    maximum: float #: the largest difference of a single value there, in the field's unit


class Page:
    """An interactive page, see `Study.to_html`. The last line of a notebook's cell shows it."""

    def __init__(self, text, fields, notes):
        self.html = text #: the whole page
        self.fields = fields #: a PageField for each
        self.notes = notes #: what the page lacks, as sentences

    def __repr__(self):
        return f"<gridhelm.Page: {len(self.html) / 1e6:.2f} MB; {', '.join(f.name for f in self.fields)}>"

    def _repr_html_(self):
        return (f'<iframe srcdoc="{html.escape(self.html)}" style="width: 100%; height: 860px; border: 0" '
                'sandbox="allow-scripts allow-downloads"></iframe>')

    def save(self, path):
        """Write the page; a file of that name is replaced when all of the page is there."""
        path = pathlib.Path(path)
        handle, unfinished = tempfile.mkstemp(dir=path.parent, prefix=path.name)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(self.html)
            os.chmod(unfinished, 0o644)
            os.replace(unfinished, path)
        except BaseException:
            os.unlink(unfinished)
            raise

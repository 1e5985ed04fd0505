# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples run from their beginning to their end."""
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "app/python/examples"


@pytest.mark.parametrize("notebook", sorted(path.name for path in EXAMPLES.glob("*.ipynb")))
def test_notebook(notebook, tmp_path):
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    for package in ("ipykernel", "ipywidgets", "matplotlib"):
        pytest.importorskip(package)
    document = nbformat.read(EXAMPLES / notebook, as_version=4)
    assert not any(cell.get("outputs") for cell in document.cells) # none are kept
    nbclient.NotebookClient(document, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()


def test_sliders_move_the_picture(grid, study):
    pytest.importorskip("ipywidgets")
    pytest.importorskip("matplotlib")
    import gridhelm
    for of, field in ((grid, "p"), (study, "u"), (study, "flow")):
        box = gridhelm.show(of, field)
        *sliders, picture, text = box.children
        before = bytes(picture.value)
        assert before.startswith(b"\x89PNG") and "% error bound " in text.value
        sliders[0].value = sliders[0].max
        assert bytes(picture.value) != before
    with pytest.raises(gridhelm.UnknownNameError):
        gridhelm.show(study, "nix")

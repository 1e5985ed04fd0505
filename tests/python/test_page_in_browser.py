# SPDX-License-Identifier: GPL-3.0-or-later
"""Interactive pages, as a browser shows them: values, pictures, hands and keys."""
import json
import random

import numpy as np
import pytest

import gridhelm
from browser import Browser

pytestmark = pytest.mark.skipif(Browser.program is None, reason="there is no chromium here")


def square(nodes):
    y, x = np.meshgrid(np.linspace(0, 1, nodes), np.linspace(0, 1, nodes), indexing="ij")
    return x, y


def plate(a, b):
    """A vector and a number on a square, one of them about a large value."""
    x, y = square(17)
    flow = np.stack([np.sin(3 * x + a), b * y, 0 * x], axis=-1)
    return {"flow": flow, "p": 101325 + 0.01 * np.exp(-a * x) * (1 + b * y)}


def block(a, b):
    z, y, x = np.meshgrid(np.linspace(0, 1, 6), np.linspace(0, 1, 7), np.linspace(0, 1, 8), indexing="ij")
    return {"T": np.sin(2 * x + a) + b * y * z}


@pytest.fixture(scope="module")
def pages(tmp_path_factory, waves_path):
    """Studies and their pages, by kind of surrogate and mesh."""
    folder = tmp_path_factory.mktemp("pages")
    ranges = {"a": (0.2, 2), "b": {"low": 0.1, "high": 1, "scale": "logarithmic", "unit": "m"}}
    mesh = gridhelm.image((17, 17), spacing=(1 / 16, 1 / 16))
    made = {"kriging": waves_path, "grid": folder / "grid.gridhelm", "solid": folder / "solid.gridhelm"}
    gridhelm.sample(plate, ranges, out=made["grid"], level=5, mesh=mesh, holdouts=10, processes=2)
    gridhelm.sample(block, ranges, out=made["solid"], level=4, mesh=gridhelm.image((6, 7, 8)), processes=2)
    study = gridhelm.open(made["grid"])
    study.response("mean_p", of="p", reduce="mean", unit="Pa")
    result = {}
    for kind, path in made.items():
        study = gridhelm.open(path)
        page = study.to_html(folder / f"{kind}.html")
        result[kind] = (study, page, folder / f"{kind}.html")
    return result


@pytest.fixture(scope="module")
def browser():
    with Browser() as running:
        yield running


def opened(browser, path, fragment=""):
    browser.messages.clear()
    assert browser.open(path, fragment), browser.messages
    return browser


def anywhere(study, generator):
    return {p.name: p.low * (p.high / p.low) ** generator.random() if p.is_logarithmic
            else generator.uniform(p.low, p.high) for p in study.parameters}


@pytest.mark.parametrize("kind", ["kriging", "grid", "solid"])
def test_values_are_those_of_the_study(browser, pages, kind):
    study, page, path = pages[kind]
    opened(browser, path)
    generator = random.Random(4)
    for _ in range(100):
        at = anywhere(study, generator)
        browser.evaluate(f"gridhelm.setParameters({json.dumps(at)})")
        for field in page.fields:
            here = np.array(browser.evaluate(f"gridhelm.values({json.dumps(field.name)})"))
            there = np.asarray(study.evaluate(field.name, **at), np.float64).ravel()
            offset = browser.evaluate(f"gridhelm.page.fields.find((f) => f.name === '{field.name}').offset")
            error = np.linalg.norm(here - there) / np.linalg.norm(there - offset)
            assert error < 1.3 * field.relative + 1e-6, field.name
            assert np.abs(here - there).max() < 1.3 * field.maximum, field.name
    assert browser.messages == []


def test_responses_are_those_of_the_study(browser, pages):
    study, _, path = pages["grid"]
    opened(browser, path)
    generator = random.Random(5)
    for _ in range(20):
        at = anywhere(study, generator)
        browser.evaluate(f"gridhelm.setParameters({json.dumps(at)})")
        there = study.respond("mean_p", **at)
        assert browser.evaluate("gridhelm.response('mean_p')") == pytest.approx(float(there), rel=1e-9)


def test_where_it_opens(browser, pages):
    study, _, path = pages["grid"]
    opened(browser, path, "#a=1.5&b=0.2&nothing=1")
    assert browser.evaluate("gridhelm.page.parameters.map((p, t) => p.fromUnit(gridhelm.page.x[t]))") == \
        pytest.approx([1.5, 0.2])
    browser.evaluate("location.hash = '#a=0.3'")
    browser.settle(0.1)
    assert browser.evaluate("Number(gridhelm.page.sliders[0].number.value)") == pytest.approx(0.3)


def test_sliders_by_hand_and_by_keys(browser, pages):
    study, _, path = pages["grid"]
    opened(browser, path)
    for t in range(2):
        box = browser.evaluate(f"(() => {{ const b = gridhelm.page.sliders[{t}].range.getBoundingClientRect();"
                               "return [b.left, b.top, b.width, b.height]; })()")
        before = browser.picture()
        browser.click(box[0] + 0.8 * box[2], box[1] + box[3] / 2)
        browser.settle()
        x = browser.evaluate(f"gridhelm.page.x[{t}]")
        assert abs(x - 0.8) < 0.05
        assert browser.picture() != before # the field has followed
        browser.key("ArrowLeft")
        browser.settle()
        assert browser.evaluate(f"gridhelm.page.x[{t}]") == pytest.approx(x - 0.01)
    shown = browser.evaluate("gridhelm.page.sliders.map((s) => Number(s.number.value))")
    assert shown == pytest.approx(browser.evaluate(
        "gridhelm.page.parameters.map((p, t) => p.fromUnit(gridhelm.page.x[t]))"), rel=1e-4)
    assert browser.messages == []


def test_a_click_asks_for_a_value(browser, pages):
    study, _, path = pages["grid"]
    opened(browser, path, "#a=1&b=0.5")
    box = browser.evaluate("(() => { const b = gridhelm.page.canvas.getBoundingClientRect();"
                           "return [b.left, b.top, b.width, b.height]; })()")
    browser.click(box[0] + box[2] / 2, box[1] + box[3] / 2)
    browser.settle(0.5)
    text = browser.evaluate("gridhelm.page.probe.textContent")
    assert "|flow| = " in text and "at x = 0.5, y = 0.5" in text
    value = float(text.split(" = ")[1].split()[0])
    there = np.linalg.norm(study.evaluate("flow", a=1, b=0.5).reshape(17 * 17, 3)[8 * 17 + 8])
    assert value == pytest.approx(there, abs=3 * pages["grid"][1].fields[0].maximum)
    assert browser.evaluate("gridhelm.page.probe.querySelectorAll('svg.curve').length") == 2


def test_differences_slices_arrows(browser, pages):
    _, _, path = pages["grid"]
    opened(browser, path)
    flat = browser.picture()
    assert browser.evaluate("""(() => { const page = gridhelm.page;
        const buttons = [...document.querySelectorAll('button')];
        buttons.find((b) => b.textContent === 'Keep as A').click();
        const box = [...document.querySelectorAll('label')].find((l) => l.textContent === 'minus A').firstChild;
        box.click(); page.redraw();
        return Math.max(...page.values.map(Math.abs)); })()""") == 0
    assert browser.evaluate("(() => { gridhelm.page.move(0, 0.9); gridhelm.page.redraw();"
                            "return Math.max(...gridhelm.page.values.map(Math.abs)); })()") > 0.1
    opened(browser, path)
    browser.evaluate("(() => { const s = gridhelm.page.settings; s.hasArrows = true; s.isolines = 10; gridhelm.page.redraw(); })()")
    assert browser.picture() != flat
    opened(browser, pages["solid"][2])
    pictures = {browser.picture()}
    for axis in range(3):
        browser.evaluate(f"(() => {{ const s = gridhelm.page.settings; s.slice = {axis}; s.sliceAt = 0.4; gridhelm.page.redraw(); }})()")
        pictures.add(browser.picture())
    assert len(pictures) == 4
    assert browser.messages == []


def test_a_browser_without_webgl_paints(pages):
    with Browser(flags=("--disable-3d-apis",)) as browser:
        opened(browser, pages["grid"][2])
        assert "no WebGL 2" in browser.evaluate("document.body.textContent")
        before = browser.picture()
        browser.evaluate("(() => { gridhelm.page.move(0, 0.9); gridhelm.page.redraw(); })()")
        assert browser.picture() != before


def test_tables_become_maps(browser, tmp_path, cli):
    generator = random.Random(6)
    rows = ["a,b,y"] + [f"{a},{b},{a * b + a}" for a, b in
                        ((generator.uniform(0, 1), generator.uniform(2, 3)) for _ in range(30))]
    (tmp_path / "t.csv").write_text("\n".join(rows))
    cli("import", "--table", tmp_path / "t.csv", "--out", tmp_path / "t.gridhelm")
    gridhelm.open(tmp_path / "t.gridhelm").to_html(tmp_path / "t.html")
    opened(browser, tmp_path / "t.html", "#a=0.5&b=2.5")
    assert browser.evaluate("gridhelm.response('y')") == pytest.approx(1.75, abs=0.01)
    browser.settle(1)
    assert "y from " in browser.evaluate("gridhelm.page.corner.textContent")
    box = browser.evaluate("(() => { const b = gridhelm.page.canvas.getBoundingClientRect();"
                           "return [b.left, b.top, b.width, b.height]; })()")
    browser.click(box[0] + 0.25 * box[2], box[1] + 0.25 * box[3])
    assert browser.evaluate("Array.from(gridhelm.page.x)") == pytest.approx([0.25, 0.75], abs=0.01)
    browser.evaluate("gridhelm.page.mapChoice.up.selectedIndex = 0") # the same parameter both ways
    browser.click(box[0] + 0.9 * box[2], box[1] + 0.9 * box[3])
    assert browser.evaluate("Array.from(gridhelm.page.x)") == pytest.approx([0.9, 0.75], abs=0.01)
    assert browser.messages == []


def test_texts_of_strangers_stay_texts(browser, tmp_path):
    evil = "<img src=x onerror=window.hacked=1>"
    path = tmp_path / f"{evil}.gridhelm" # which is the study's title, too
    gridhelm.sample(lambda a: {"u": np.full((5, 5), a)}, {"a": (0, 1)}, out=path, level=2,
                    mesh=gridhelm.image((5, 5)), units={"u": evil})
    gridhelm.open(path).to_html(tmp_path / "e.html")
    opened(browser, tmp_path / "e.html")
    browser.settle(0.5)
    assert browser.evaluate("document.querySelectorAll('img').length") == 0
    assert browser.evaluate("window.hacked") is None
    assert browser.evaluate("document.querySelector('h1').textContent") == evil
    # Nor does what is smuggled into the file run.
    page = (tmp_path / "e.html").read_text()
    (tmp_path / "f.html").write_text(page.replace("<body>", "<body><script>window.hacked = 2</script>"))
    browser.open(tmp_path / "f.html")
    assert browser.evaluate("window.hacked") is None
    assert any("Content Security Policy" in message for message in browser.messages)


def test_notebooks_show_it(browser, pages, tmp_path):
    page = pages["grid"][1]
    (tmp_path / "notebook.html").write_text(f"<!DOCTYPE html><body>{page._repr_html_()}</body>")
    browser._call("Page.navigate", url=f"file://{tmp_path}/notebook.html")
    browser.settle(2)
    # The frame has an origin of its own, so that nobody outside may look inside but at its picture.
    assert len(browser.picture()) > 20000


PLAN = """
[study]
title = "Brick"
author = "R. Haas"
licence = "https://creativecommons.org/licenses/by/4.0/"
[[parameter]]
name = "a"
low = 0
high = 1
[grid]
level = 4
"""


def brick(a, moves):
    """Tetrahedra, a number at each node and one in each cell."""
    pyvista = pytest.importorskip("pyvista")
    mesh = pyvista.ImageData(dimensions=(5, 4, 4)).to_tetrahedra(5)
    mesh.point_data["p"] = np.sin(mesh.points[:, 0] + a) + mesh.points[:, 2]
    mesh.cell_data["c"] = a * mesh.cell_centers().points[:, 1]
    if moves:
        mesh.points[:, 0] *= 1 + 0.3 * a
    return mesh


def disc(a):
    """A square with a hole that grows."""
    pyvista = pytest.importorskip("pyvista")
    mesh = pyvista.ImageData(dimensions=(41, 41, 1), spacing=(0.05, 0.05, 1), origin=(-1, -1, 0))
    mesh = mesh.cast_to_unstructured_grid()
    mesh = mesh.extract_cells(np.linalg.norm(mesh.cell_centers().points, axis=1) > 0.25 + 0.4 * a)
    mesh.point_data["p"] = mesh.points[:, 0] + a
    return mesh


@pytest.fixture(scope="module")
def imported(tmp_path_factory, cli):
    """A page of runs on a mesh of this kind: the study, the page, its file."""
    pages = {}

    def of(kind):
        if kind not in pages:
            folder = tmp_path_factory.mktemp(kind)
            mesh = {"shared": "", "moving": "[mesh]\nkind = 'moving'\n",
                    "background": "[mesh]\nkind = 'background'\npoints = [41, 41]\n"}[kind]
            (folder / "plan.toml").write_text(PLAN + mesh)
            cli("plan", folder / "plan.toml", "--csv", folder / "points.csv", "--out", folder / "plan.gridhelm")
            rows = ["a,file"]
            for n, a in enumerate((folder / "points.csv").read_text().split()[1:]):
                value = float(a.split(",")[-1])
                mesh = disc(value) if kind == "background" else brick(value, kind == "moving")
                mesh.save(folder / f"{n}.vtu")
                rows.append(f"{a.split(',')[-1]},{n}.vtu")
            (folder / "table.csv").write_text("\n".join(rows))
            study = folder / "plan.gridhelm"
            cli("import", study, "--table", folder / "table.csv")
            cli("compress", study)
            opened_study = gridhelm.open(study)
            pages[kind] = opened_study, opened_study.to_html(folder / "page.html"), folder / "page.html"
        return pages[kind]
    return of


@pytest.mark.parametrize("kind", ["shared", "moving", "background"])
def test_meshes_from_elsewhere(browser, imported, kind):
    study, page, path = imported(kind)
    opened(browser, path, "#a=0.2")
    assert browser.evaluate("document.querySelector('details a').href") == "https://creativecommons.org/licenses/by/4.0/"
    for name in [f.name for f in page.fields]:
        pictures = set()
        at = next(i for i, f in enumerate(f for f in study.fields if not f.name.startswith("mesh.")) if f.name == name) \
            if not name.startswith("mesh.") else None
        if at is None:
            continue
        browser.evaluate(f"(() => {{ gridhelm.page.chooseField({at}); gridhelm.page.redraw(); }})()")
        for a in (0.2, 0.9):
            browser.evaluate(f"gridhelm.setParameters({{a: {a}}})")
            pictures.add(browser.picture())
            here = np.array(browser.evaluate(f"gridhelm.values('{name}')"))
            there = np.asarray(study.evaluate(name, a=a), np.float64).ravel()
            if here.size == there.size: # all of the mesh is drawn
                if kind == "background": # what is outside of the body is nobody's
                    inside = np.asarray(study.evaluate("mesh.signed_distance", a=a)).ravel() >= 0
                    here, there = here[inside], there[inside]
                assert np.abs(here - there).max() < 1.5 * next(f for f in page.fields if f.name == name).maximum + 1e-6
        assert len(pictures) == 2, name
        if kind != "background":
            before = browser.picture()
            browser.evaluate("(() => { const s = gridhelm.page.settings; s.slice = 1; s.sliceAt = 0.4; gridhelm.page.redraw(); })()")
            assert browser.picture() != before
            browser.evaluate("(() => { gridhelm.page.settings.slice = -1; gridhelm.page.redraw(); })()")
    if kind == "moving": # the solid is as long as it is
        length = browser.evaluate("(() => { const p = gridhelm.page.places(); let most = -1e9, least = 1e9;"
                                  "for (let i = 0; i < p.length; i += 3) { most = Math.max(most, p[i]); least = Math.min(least, p[i]); }"
                                  "return most - least; })()")
        assert length == pytest.approx(4 * (1 + 0.3 * 0.9), abs=0.02)
    if kind == "background": # nothing is drawn in the hole
        box = browser.evaluate("(() => { const b = gridhelm.page.canvas.getBoundingClientRect();"
                               "return [b.left, b.top, b.width, b.height]; })()")
        browser.click(box[0] + box[2] / 2, box[1] + box[3] / 2)
        assert browser.evaluate("gridhelm.page.probed") == -1
    assert browser.messages == []


@pytest.fixture(scope="module")
def odd(tmp_path_factory):
    """Tiny, huge, constant and offset numbers on a square, by one parameter."""
    folder = tmp_path_factory.mktemp("odd")

    def fields(a):
        x, y = square(9)
        return {"tiny": 1e-25 * np.stack([x + a, y], -1), "huge": 1e22 * np.stack([x + a, y], -1),
                "same": np.full((9, 9), 5.3), "zero": np.zeros((9, 9)), "large": 101325 + 1e-3 * (x + a)}
    gridhelm.sample(fields, {"a": {"low": 1, "high": 10, "scale": "logarithmic"}}, out=folder / "odd.gridhelm", level=3,
                    mesh=gridhelm.image((9, 9), spacing=(0.125, 0.125)), processes=2)
    study = gridhelm.open(folder / "odd.gridhelm")
    study.to_html(folder / "odd.html")
    return study, folder / "odd.html"


def chosen(browser, study, name):
    number = [f.name for f in study.fields].index(name)
    browser.evaluate(f"(() => {{ gridhelm.page.chooseField({number}); gridhelm.page.redraw(); }})()")


def test_tiny_and_huge_numbers(browser, odd):
    study, path = odd
    opened(browser, path, "#a=2")
    for name in ("tiny", "huge"):
        chosen(browser, study, name)
        shown = np.array(browser.evaluate("Array.from(gridhelm.page.values)"))
        there = np.linalg.norm(np.asarray(study.evaluate(name, a=2), np.float64).reshape(81, -1), axis=1)
        assert np.abs(shown - there).max() < 0.05 * there.max(), name
    for name in ("same", "zero"):
        chosen(browser, study, name)
        browser.evaluate("(() => { gridhelm.page.settings.warp = 0.3; gridhelm.page.redraw(); })()")
        assert browser.evaluate("gridhelm.page.places().every((x) => Math.abs(x) < 1)"), name
        browser.evaluate("(() => { gridhelm.page.settings.warp = 0; gridhelm.page.redraw(); })()")
    chosen(browser, study, "large")
    box = browser.evaluate("(() => { const b = gridhelm.page.canvas.getBoundingClientRect();"
                           "return [b.left, b.top, b.width, b.height]; })()")
    browser.click(box[0] + box[2] / 2, box[1] + box[3] / 2)
    browser.settle(0.5)
    labels = browser.evaluate("[...gridhelm.page.probe.querySelectorAll('svg text')].slice(0, 2).map((t) => t.textContent)")
    assert 101326 > float(labels[0]) > float(labels[1]) >= 101325
    assert browser.messages == []


def test_what_is_no_number_is_ignored(browser, odd):
    _, path = odd
    for typed in ("-1", "0", "nonsense", "1e999", ""):
        opened(browser, path, f"#a={typed}")
        assert browser.evaluate("Number.isFinite(gridhelm.page.x[0])"), typed
    assert browser.messages == []


def test_warps_go_back(browser, pages):
    _, _, path = pages["solid"]
    opened(browser, path)

    def drawn(warp):
        return browser.evaluate(f"(() => {{ const p = gridhelm.page; p.settings.slice = 2; p.settings.sliceAt = 0.3;"
                                f"p.settings.warp = {warp}; p.redraw(); return p.canvas.toDataURL(); }})()")
    before = drawn(0)
    assert drawn(0.4) != before
    assert drawn(0) == before


def test_bands_are_those_of_the_study(browser, pages):
    """With what the page itself adds, so a little above."""
    study, page, path = pages["grid"]
    opened(browser, path)
    generator = random.Random(8)
    for _ in range(20):
        at = anywhere(study, generator)
        browser.evaluate(f"gridhelm.setParameters({json.dumps(at)})")
        for number, field in enumerate(page.fields):
            here = browser.evaluate(f"gridhelm.page.fields[{number}].relativeError(gridhelm.page.x)")
            there = study.error(field.name, **at).relative
            assert 0.99 * there < here < 2 * there + 5 * field.relative, field.name
    browser.settle(0.5)
    assert browser.evaluate("gridhelm.page.accuracy.textContent").startswith("Here at most ")


def test_a_saved_page_opens_again(browser, pages, tmp_path):
    opened(browser, pages["grid"][2])
    (tmp_path / "saved.html").write_text(browser.evaluate("document.documentElement.outerHTML"))
    opened(browser, tmp_path / "saved.html")
    assert browser.evaluate("document.querySelectorAll('main').length") == 1


def test_it_is_quick(browser, pages):
    """Generous: other tests may run beside. What was measured is in docs/benchmarks."""
    opened(browser, pages["grid"][2])
    milliseconds = browser.evaluate("""(() => { const page = gridhelm.page, begin = performance.now();
        for (let i = 0; i < 20; ++i) { page.x[0] = i / 20; page.evaluate(); page.draw(); }
        page.view.gl.finish(); return (performance.now() - begin) / 20; })()""")
    assert milliseconds < 100


def test_bad_arguments(pages):
    study = pages["grid"][0]
    for arguments in ({"error": 0}, {"max_size": 0}, {"a": "x"}):
        with pytest.raises(gridhelm.ArgumentError):
            study.to_html(**arguments)
    for arguments in ({"field": "nothing"}, {"c": 1}):
        with pytest.raises(gridhelm.UnknownNameError):
            study.to_html(**arguments)
    with pytest.raises(gridhelm.GridhelmError, match="the smallest page"):
        study.to_html(max_size=1000)
    with pytest.raises(gridhelm.GridhelmError):
        study.to_html(a=77)

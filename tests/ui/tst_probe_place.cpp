// SPDX-License-Identifier: GPL-3.0-or-later
//
// The panel Probe, through events as a user makes them: the values at a place are what the study's
// fields are there, whatever the mesh and whatever happens to the study.
#include "data/mesh/mesh_codec.h"
#include "tests/ui/panel_case.h"
#include "tests/ui/probe_case.h"
#include "ui/probe/curves_page.h"
#include "ui/probe/place_row.h"
#include "ui/probe/probe_overlay.h"
#include "ui/scene/pictures/warp_options.h"

#include <vtkCell.h>
#include <vtkCellData.h>
#include <vtkDataSet.h>
#include <vtkFloatArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkProbeFilter.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <array>
#include <cmath>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

namespace {

/// A fan of triangles and a quadrilateral beside a gap; "k" in cells, "u" at points.
std::filesystem::path makeUnstructuredStudy(const Folder &folder)
{
    vtkNew<vtkPoints> points;
    points->SetDataTypeToDouble();
    constexpr std::array<std::array<double, 2>, 8> places{
        {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0.4, 0.6}, {2, 0.2}, {2, 0.9}, {1.5, 0.5}}};
    for (const auto &[x, y] : places)
        points->InsertNextPoint(x, y, 0);
    vtkNew<vtkUnstructuredGrid> grid;
    grid->SetPoints(points);
    for (const auto &triangle :
         {std::array<vtkIdType, 3>{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}, {1, 5, 7}, {5, 6, 7}})
        grid->InsertNextCell(VTK_TRIANGLE, 3, triangle.data());
    const auto path = folder / "unstructured.gridhelm";
    auto description = smallDescription(4);
    description.simulation.clear();
    auto writer = data::StudyWriter::create(path, description);
    writer.setMesh(data::encodeMesh(*grid));
    writer.addField({"k", "Pa", 1, data::Association::cell, 6});
    writer.addField({"u", "m/s", 3, data::Association::point, 8});
    runAllJobs(writer);
    compress(writer, {});
    writer.close();
    return path;
}

/// Values, or magnitudes, that VTK interpolates at places; no number beside the mesh.
std::vector<double> sampledByVtk(vtkDataSet &mesh, const data::Field &of,
                                 const std::vector<float> &values,
                                 const std::vector<MeshPlace> &places)
{
    vtkNew<vtkFloatArray> array;
    array->SetName("wanted");
    array->SetNumberOfComponents(of.components);
    array->SetNumberOfTuples(static_cast<vtkIdType>(of.entities));
    std::ranges::copy(values, array->GetPointer(0));
    mesh.GetCellData()->Initialize();
    mesh.GetPointData()->Initialize();
    if (of.association == data::Association::cell)
        mesh.GetCellData()->AddArray(array);
    else
        mesh.GetPointData()->AddArray(array);
    vtkNew<vtkPoints> points;
    points->SetDataTypeToDouble();
    for (const auto &place : places)
        points->InsertNextPoint(place.data());
    vtkNew<vtkPolyData> there;
    there->SetPoints(points);
    vtkNew<vtkProbeFilter> filter;
    filter->SetInputData(there);
    filter->SetSourceData(&mesh);
    filter->Update();
    auto &result = *filter->GetOutput()->GetPointData();
    auto *valid = result.GetArray(filter->GetValidPointMaskArrayName());
    auto *sampled = result.GetArray("wanted");
    std::vector<double> found;
    for (vtkIdType i = 0; i < sampled->GetNumberOfTuples(); ++i) {
        double squares = 0;
        for (int c = 0; c < of.components; ++c)
            squares += std::pow(sampled->GetComponent(i, c), 2);
        const double value = of.components == 1 ? sampled->GetComponent(i, 0) : std::sqrt(squares);
        found.push_back(valid->GetComponent(i, 0) != 0 ? value : std::nan(""));
    }
    return found;
}

} // namespace

class ProbePlaceTest : public ScreenTest
{
    Q_OBJECT

private slots:
    void aClickShowsTheValuesThere();
    void theFirstClickOpensAndTheKeyToggles();
    void typedPlacesAreProbed();
    void valuesFollowTheSliders();
    void theMarkStaysOnItsPoint();
    void aClickOnAWarpedBodyProbesWhereItWas();
    void cellDataOfUnstructuredMeshes();
    void scalarStudiesAreProbed();
    void closingAndOpeningWhileBusy();
};

void ProbePlaceTest::aClickShowsTheValuesThere()
{
    const Folder folder;
    const auto path = makeStudy(folder);
    ProbedWindow open(path);
    QVERIFY(open.isOpen());
    for (const auto &[x, y] : {std::pair{0.4, 0.45}, std::pair{0.61, 0.3}, std::pair{0.5, 0.6}}) {
        QVERIFY(open.click(x, y));
        const auto picked = open.view().pick(placeIn(open.view(), x, y));
        QVERIFY(picked);
        const auto node = nodeAt(*picked);
        const auto &probed = *open.panel().answer()->fields[0];
        QCOMPARE(probed.entity.number, node);
        const auto u = wholeField(path, 0, open.model().now().parameters);
        const auto v = wholeField(path, 1, open.model().now().parameters);
        QVERIFY(isNear(open.shown(0), static_cast<double>(u[node])));
        QVERIFY(isNear(open.shown(1), magnitude(v, node, 2)));
        QVERIFY(isNear(open.shown(1, 0), static_cast<double>(v[2 * node])));
        QVERIFY(isNear(open.shown(1, 1), static_cast<double>(v[2 * node + 1])));
        QCOMPARE(open.panel().values()->topLevelItem(1)->text(ValueTree::unitColumn), "m/s");
        const auto column = node % columns, row = node / columns;
        QCOMPARE(open.panel().placeRow()->fields()[0]->value(), static_cast<double>(column) / 32);
        QCOMPARE(open.panel().placeRow()->fields()[1]->value(), static_cast<double>(row) / 32);
        QVERIFY(!open.panel().placeRow()->fields()[2]->isVisible()); // it is flat
    }
    // The cross is in the picture, at the point.
    const auto at = open.panel().overlay()->markAt();
    QVERIFY(at);
    const auto marked = open.view().pick(*at);
    QVERIFY(marked && nodeAt(*marked) == open.panel().answer()->fields[0]->entity.number);
    const auto seen = open.window->grab().toImage();
    int darkest = 255, lightest = 0;
    for (const double across : {-2.0, -1.0, 0.0, 1.0, 2.0}) {
        const auto pixel =
            open.view().mapTo(open.window.get(), (*at + QPointF(6, across)).toPoint());
        darkest = std::min(darkest, seen.pixelColor(pixel).lightness());
        lightest = std::max(lightest, seen.pixelColor(pixel).lightness());
    }
    QVERIFY2(darkest < 90 && lightest > 180,
             qPrintable(QString("%1 .. %2").arg(darkest).arg(lightest)));
    QVERIFY2(open.sentences().isEmpty(), qPrintable(open.sentences().join(' ')));
}

void ProbePlaceTest::theFirstClickOpensAndTheKeyToggles()
{
    const Folder folder;
    ProbedWindow open(makeStudy(folder));
    QVERIFY(open.isOpen());
    QVERIFY(!open.panel().isVisible());
    QVERIFY(!open.panel().answer());
    QCOMPARE(open.toggle()->shortcut(), QKeySequence("P"));
    QVERIFY(open.click(0.5, 0.5));
    QVERIFY(open.panel().isVisible());
    QVERIFY(open.panel().overlay()->mark());
    open.toggle()->trigger();
    QVERIFY(!open.panel().isVisible());
    QVERIFY(!open.panel().overlay()->mark());
    const auto before = open.panel().answer();
    QTest::mouseClick(&open.view(), Qt::LeftButton, {}, placeIn(open.view(), 0.4, 0.4));
    QTest::qWait(200);
    QVERIFY(!open.panel().isVisible()); // who has closed it wants to click without it
    QCOMPARE(open.panel().answer(), before);
    open.toggle()->trigger(); // shows what has been clicked meanwhile
    QVERIFY(open.waitForProbe());
    QVERIFY(open.panel().answer() != before);
    QVERIFY(open.panel().overlay()->mark());
}

void ProbePlaceTest::typedPlacesAreProbed()
{
    const Folder folder;
    const auto path = makeStudy(folder);
    ProbedWindow open(path);
    QVERIFY(open.isOpen());
    open.toggle()->trigger();
    auto &x = *open.panel().placeRow()->fields()[0], &y = *open.panel().placeRow()->fields()[1];
    typeInto(x, "0.25");
    QVERIFY(open.waitForProbe());
    typeInto(y, "0.51");
    QVERIFY(open.waitForProbe());
    const std::size_t node = 16 * columns + 8;
    QCOMPARE(open.panel().answer()->fields[0]->entity.number, std::uint64_t{node});
    QVERIFY(isNear(open.shown(0),
                   static_cast<double>(wholeField(path, 0, open.model().now().parameters)[node])));
    typeInto(y, "7");
    QVERIFY(open.sentences().join(' ').contains("out of its range"));
    QCOMPARE(open.panel().answer()->fields[0]->entity.number, std::uint64_t{node});
}

void ProbePlaceTest::valuesFollowTheSliders()
{
    const Folder folder;
    const auto path = makeStudy(folder);
    ProbedWindow open(path);
    QVERIFY(open.isOpen());
    QVERIFY(open.click(0.45, 0.4));
    const auto node = open.panel().answer()->fields[0]->entity.number;
    auto &track = *open.slider(0).track();
    QStringList values;
    const auto *item = open.panel().values()->topLevelItem(0);
    QTest::mousePress(&track, Qt::LeftButton, {}, placeOnTrack(track, 0.2));
    for (int percent = 20; percent <= 80; percent += 5) {
        QTest::mouseMove(&track, placeOnTrack(track, 0.01 * percent));
        QTest::qWait(20);
        values << item->text(ValueTree::valueColumn);
    }
    QVERIFY2(values.removeDuplicates() < 10 && values.size() >= 3, "only when let go");
    QTest::mouseRelease(&track, Qt::LeftButton, {}, placeOnTrack(track, 0.8));
    QVERIFY(open.waitForProbe());
    const auto &now = open.model().now().parameters;
    QVERIFY(isNear(open.shown(0), static_cast<double>(wholeField(path, 0, now)[node])));
    QVERIFY(isNear(open.shown(1), magnitude(wholeField(path, 1, now), node, 2)));
    QVERIFY(isNear(open.panel().curves()->plots()[0]->present(), now[0]));
}

void ProbePlaceTest::theMarkStaysOnItsPoint()
{
    const Folder folder;
    ProbedWindow open(makeStudy(folder, 3, 5)); // in 3D
    QVERIFY(open.isOpen());
    auto steering = open.model().now();
    steering.view.kind = ViewKind::surface;
    open.model().change("view", steering);
    QVERIFY(open.click(0.5, 0.55));
    const auto before = open.panel().overlay()->markAt();
    QVERIFY(before);
    const auto node = open.panel().answer()->fields[0]->entity.place;
    const auto isOnIt = [&] {
        open.view().picture();
        const auto at = open.panel().overlay()->markAt();
        const auto there = at ? open.view().pick(*at) : std::nullopt;
        return there
               && std::hypot((*there)[0] - node[0], (*there)[1] - node[1], (*there)[2] - node[2])
                      < 1e-3;
    };
    QVERIFY(isOnIt());
    const auto drag = [&](QPoint by) {
        const auto from = placeIn(open.view(), 0.4, 0.5);
        QTest::mousePress(&open.view(), Qt::LeftButton, {}, from);
        QTest::mouseMove(&open.view(), from + by / 2);
        QTest::mouseMove(&open.view(), from + by);
        QTest::mouseRelease(&open.view(), Qt::LeftButton, {}, from + by);
    };
    drag({25, 15}); // turns it
    QVERIFY(isOnIt());
    QVERIFY(open.panel().overlay()->markAt() != before);
    QTest::keyClick(&open.view(), Qt::Key_Plus);
    QVERIFY(isOnIt());
    // A flat field as a relief: the mark is above its mesh.
    const Folder other;
    ProbedWindow flat(makeStudy(other));
    QVERIFY(flat.isOpen());
    steering = flat.model().now();
    steering.view.kind = ViewKind::surface;
    flat.model().change("view", steering);
    QVERIFY(flat.click(0.5, 0.55));
    flat.view().picture();
    const auto lifted = flat.view().pick(*flat.panel().overlay()->markAt());
    QVERIFY(lifted);
    QCOMPARE(nodeAt(*lifted), flat.panel().answer()->fields[0]->entity.number);
}

void ProbePlaceTest::aClickOnAWarpedBodyProbesWhereItWas()
{
    const Folder folder;
    ProbedWindow open(makeStudy(folder));
    QVERIFY(open.isOpen());
    auto steering = open.model().now();
    steering.field = 1;
    open.model().change("field", steering);
    QVERIFY(open.waitForFrame());
    open.view().picture();
    const auto still = *open.view().pick(placeIn(open.view(), 0.45, 0.5));
    setValue(warpOption, 1, steering.view);
    setValue(warpFactorOption, 0.25, steering.view);
    open.model().change("warp", steering);
    open.view().picture();
    QVERIFY(open.click(0.45, 0.5));
    const auto was = *open.view().pick(placeIn(open.view(), 0.45, 0.5));
    QVERIFY2(std::hypot(was[0] - still[0], was[1] - still[1]) > 0.03, "another point is there now");
    const auto node = open.panel().answer()->fields[1]->entity.place;
    QVERIFY(std::hypot(was[0] - node[0], was[1] - node[1]) < 0.03); // that next to it
    const auto isOnIt = [&] {
        open.view().picture();
        const auto at = open.panel().overlay()->markAt();
        const auto there = at ? open.view().pick(*at) : std::nullopt;
        return there && std::hypot((*there)[0] - node[0], (*there)[1] - node[1]) < 4e-3;
    };
    QVERIFY(isOnIt());
    setValue(warpFactorOption, 0.125, steering.view);
    open.model().change("warp", steering);
    QTRY_VERIFY(isOnIt());
}

void ProbePlaceTest::cellDataOfUnstructuredMeshes()
{
    const Folder folder;
    const auto path = makeUnstructuredStudy(folder);
    ProbedWindow open(path);
    QVERIFY(open.isOpen());
    const auto mesh = data::decodeMesh(*open.model().study()->mesh);
    auto &view = open.view();
    int clicks = 0;
    for (double x = 0.2; x < 0.9; x += 0.11) {
        const auto picked = view.pick(placeIn(view, x, 0.5));
        if (!picked)
            continue;
        ++clicks;
        QVERIFY(open.click(x, 0.5));
        auto at = *picked;
        std::array<double, 3> parametric{};
        std::vector<double> weights(8);
        int part = 0;
        const auto cell =
            mesh->FindCell(at.data(), nullptr, -1, 1e-12, part, parametric.data(), weights.data());
        QVERIFY(cell >= 0);
        const auto &fields = open.panel().answer()->fields;
        QCOMPARE(fields[0]->entity.number, static_cast<std::uint64_t>(cell));
        QCOMPARE(fields[1]->entity.number, static_cast<std::uint64_t>(mesh->FindPoint(at.data())));
        const auto &now = open.model().now().parameters;
        const auto number = static_cast<std::size_t>(cell);
        const auto point = static_cast<std::size_t>(fields[1]->entity.number);
        QVERIFY(isNear(open.shown(0), static_cast<double>(wholeField(path, 0, now)[number])));
        QVERIFY(isNear(open.shown(1), magnitude(wholeField(path, 1, now), point, 3)));
        // Said to be of the cell, and of the point.
        QVERIFY(open.panel().head().startsWith(QString("Cell %1,").arg(cell)));
        QCOMPARE(open.panel().values()->topLevelItem(0)->toolTip(ValueTree::valueColumn),
                 QString("of cell %1").arg(cell));
        QCOMPARE(open.panel().values()->topLevelItem(1)->toolTip(ValueTree::valueColumn),
                 QString("at point %1").arg(fields[1]->entity.number));
        // Its edges are drawn, dark on light.
        const auto &edges = open.panel().overlay()->cell();
        QCOMPARE(edges.size(), std::size_t{3});
        const auto seenNow = open.window->grab().toImage();
        for (const auto &[from, to] : edges) {
            const auto middle = open.view().placeOf(
                {0.5 * (from[0] + to[0]), 0.5 * (from[1] + to[1]), 0.5 * (from[2] + to[2])});
            QVERIFY(middle);
            const auto pixel = open.view().mapTo(open.window.get(), middle->toPoint());
            int darkest = 255;
            for (const int dx : {-1, 0, 1})
                for (const int dy : {-1, 0, 1})
                    darkest =
                        std::min(darkest, seenNow.pixelColor(pixel + QPoint(dx, dy)).lightness());
            QVERIFY2(darkest < 70, qPrintable(QString::number(darkest)));
        }
        // The mark is at the cell's centre.
        const double *corners = nullptr;
        std::array<double, 3> centre{};
        for (int i = 0; i < 3; ++i) {
            corners = mesh->GetPoint(mesh->GetCell(cell)->GetPointId(i));
            for (std::size_t k = 0; k < 3; ++k)
                centre[k] += corners[k] / 3;
        }
        for (std::size_t k = 0; k < 3; ++k)
            QVERIFY(std::abs((*open.panel().overlay()->mark())[k] - centre[k]) < 1e-12);
    }
    QVERIFY(clicks >= 4);
    auto ofPoints = open.model().now();
    ofPoints.field = 1;
    open.model().change("field", ofPoints);
    QVERIFY(open.waitForProbe());
    QVERIFY(open.panel().overlay()->cell().empty());
    QVERIFY(open.panel().head().startsWith("Point "));
    // Along a line over the gap, as VTK says.
    open.panel().setLine(ProbeLine{{0.05, 0.6, 0}, {1.95, 0.4, 0}});
    for (const data::FieldIndex field : {std::size_t{0}, std::size_t{1}}) {
        auto steering = open.model().now();
        steering.field = field;
        open.model().change("field", steering);
        QVERIFY(open.waitForLine());
        const auto &line = *open.panel().answer()->line;
        const auto &of = open.model().study()->fields[field];
        const auto values = wholeField(path, field, steering.parameters);
        const auto wanted = sampledByVtk(*mesh, of, values, line.places);
        int gaps = 0;
        for (std::size_t i = 0; i < line.places.size(); ++i) {
            const bool isInside = !std::isnan(wanted[i]);
            gaps += isInside ? 0 : 1;
            QCOMPARE(!std::isnan(line.values[i]), isInside);
            if (isInside)
                QVERIFY(isNear(static_cast<double>(line.values[i]), wanted[i]));
        }
        QVERIFY(gaps > 10 && gaps < 100);
    }
}

void ProbePlaceTest::scalarStudiesAreProbed()
{
    const Folder folder;
    const auto path = makeScalarStudy(folder);
    ProbedWindow open(path);
    QVERIFY(open.isOpen());
    QVERIFY(open.click(0.42, 0.45));
    const auto &now = open.model().now().parameters;
    QCOMPARE(now.size(), std::size_t{2});
    // Its axes are the study's own.
    const auto &fields = open.panel().placeRow()->fields();
    QCOMPARE(fields[0]->accessibleName(), QString("Probe point, px (m)"));
    QVERIFY(fields[1]->toolTip().startsWith("Where the values are, in m, -1 .. 1"));
    QCOMPARE(open.model().study()->axes.title(1), std::string("py (m)"));
    const auto node = open.panel().answer()->fields[0]->entity.number;
    const auto check = [&] {
        return isNear(open.shown(0), static_cast<double>(wholeField(path, 0, now)[node]));
    };
    QVERIFY(check());
    open.model().setParameter(0, 12.5, false);
    open.model().setParameter(1, 0.7, false);
    QVERIFY(open.waitForProbe());
    QVERIFY(check());
    const auto &answer = *open.panel().answer();
    for (std::size_t t = 0; t < 2; ++t) {
        for (std::size_t i = 0; i < answer.curves[t].at.size(); i += 16) {
            auto at = now;
            at[t] = answer.curves[t].at[i];
            QVERIFY(isNear(static_cast<double>(answer.curves[t].values[i]),
                           static_cast<double>(wholeField(path, 0, at)[node])));
        }
    }
    open.showPage(1);
    QVERIFY(open.waitForMap());
    const auto &map = *open.panel().answer()->map;
    QVERIFY(isNear(static_cast<double>(map.values[20 * map.at[1].size() + 40]),
                   static_cast<double>(wholeField(path, 0, {map.at[0][20], map.at[1][40]})[node])));
}

void ProbePlaceTest::closingAndOpeningWhileBusy()
{
    const Folder folder, other;
    const auto large = makeStudy(folder, 5, 40), small = makeStudy(other);
    ProbedWindow open(large);
    QVERIFY(open.isOpen());
    for (int i = 0; i < 8; ++i) {
        QTest::mouseClick(&open.view(), Qt::LeftButton, {}, placeIn(open.view(), 0.5, 0.5));
        open.model().setParameter(0, 200 + 20 * i, i % 2 == 0);
        if (i % 3 == 0)
            QTest::qWait(5 * i);
        if (i % 2 == 0) {
            open.window->closeStudy();
            QVERIFY(!open.panel().answer());
            QVERIFY(!open.panel().overlay()->mark());
        }
        open.window->openFile(QString::fromStdString((i % 4 < 2 ? small : large).string()));
        if (i % 3 != 1)
            QTest::qWait(10 * i);
    }
    open.window->openFile(QString::fromStdString(small.string()));
    QVERIFY(QTest::qWaitFor(
        [&] { return open.model().study()->path == small && open.panel().isEnabled(); },
        waitMilliseconds));
    open.model().setParameter(0, 345, false);
    QVERIFY(open.waitForFrame());
    QVERIFY(open.click(0.45, 0.4));
    const auto node = open.panel().answer()->fields[0]->entity.number;
    QVERIFY(isNear(open.shown(0),
                   static_cast<double>(wholeField(small, 0, open.model().now().parameters)[node])));
    QVERIFY2(open.sentences().isEmpty(), qPrintable(open.sentences().join(' ')));
    // And away in the middle of it.
    open.window->openFile(QString::fromStdString(large.string()));
    QVERIFY(QTest::qWaitFor([&] { return open.model().study()->path == large; }, waitMilliseconds));
    QTest::mouseClick(&open.view(), Qt::LeftButton, {}, placeIn(open.view(), 0.5, 0.5));
    open.window.reset();
}

GRIDHELM_SCREEN_TEST(ProbePlaceTest)

#include "tst_probe_place.moc"

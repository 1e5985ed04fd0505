// SPDX-License-Identifier: GPL-3.0-or-later
//
// The panel Probe, through events as a user makes them: what it shows is what the study's fields
// are, value by value.
#include "data/evaluate/indicator_share.h"
#include "data/evaluate/study_fields.h"
#include "data/mesh/mesh_codec.h"
#include "tests/core/expect_error.h"
#include "tests/core/on_cpu.h"
#include "tests/ui/panel_case.h"
#include "tests/ui/window_case.h"
#include "ui/probe/curves_page.h"
#include "ui/probe/line_page.h"
#include "ui/probe/map_page.h"
#include "ui/probe/place_row.h"
#include "ui/probe/probe_csv.h"
#include "ui/probe/probe_overlay.h"
#include "ui/probe/probe_panel.h"
#include "ui/probe/value_tree.h"

#include <vtkCell.h>
#include <vtkCellData.h>
#include <vtkFloatArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkProbeFilter.h>
#include <vtkUnstructuredGrid.h>

#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QMenu>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>

#include <algorithm>
#include <cmath>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

namespace {

/// What data::StudyFields says, of any kind of study.
std::vector<float> wholeField(const std::filesystem::path &path, data::FieldIndex field,
                              const std::vector<double> &parameters)
{
    data::StudyFields fields(data::Study::open(path), sparse::makeOmpBackend(test::onCpu(1)));
    std::vector<float> values(fields.fields().at(field).values());
    fields.evaluate(field, parameters, {values});
    return values;
}

bool isNear(double a, double b)
{
    return std::abs(a - b) <= 1e-5 * std::max(1.0, std::abs(b));
}

double magnitude(const std::vector<float> &values, std::size_t entity, std::size_t components)
{
    double sum = 0;
    for (std::size_t c = 0; c < components; ++c)
        sum += std::pow(static_cast<double>(values[entity * components + c]), 2);
    return std::sqrt(sum);
}

QPoint placeIn(const QWidget &widget, double x, double y)
{
    return {static_cast<int>(x * widget.width()), static_cast<int>(y * widget.height())};
}

/// A probed study.
class ProbedWindow : public OpenWindow
{
public:
    using OpenWindow::OpenWindow;

    ProbePanel &panel() { return window->probePanel(); }
    SceneWidget &view() { return *window->view().sceneWidget(); }
    QDockWidget &dock() { return static_cast<QDockWidget &>(*panel().parentWidget()); }
    QAction *toggle() { return dock().toggleViewAction(); }

    /// Until the panel says all that was asked, of the present parameters.
    bool waitForProbe()
    {
        return QTest::qWaitFor(
            [this] {
                const auto &now = model().now();
                return panel().isSettled()
                       && panel().answer()->question.parameters == now.parameters
                       && panel().answer()->question.field == now.field;
            },
            waitMilliseconds);
    }
    bool click(double x, double y)
    {
        QTest::mouseClick(&view(), Qt::LeftButton, {}, placeIn(view(), x, y));
        return waitForProbe();
    }
    bool dragLine(QPoint from, QPoint to)
    {
        QTest::mousePress(&view(), Qt::LeftButton, Qt::AltModifier, from);
        QTest::mouseMove(&view(), (from + to) / 2);
        QTest::mouseMove(&view(), to);
        QTest::mouseRelease(&view(), Qt::LeftButton, Qt::AltModifier, to);
        return waitForLine();
    }
    bool waitForLine()
    {
        return waitForFrame()
               && QTest::qWaitFor(
                   [this] {
                       const auto &answer = panel().answer();
                       return answer && answer->line
                              && answer->question.frame == window->view().frame()
                              && panel().isSettled();
                   },
                   waitMilliseconds);
    }
    void showPage(int index)
    {
        auto *bar = panel().pages()->tabBar();
        QTest::mouseClick(bar, Qt::LeftButton, {}, bar->tabRect(index).center());
    }
    /// As the tree shows it.
    double shown(int field, int component = -1)
    {
        const auto *item = panel().values()->topLevelItem(field);
        if (component >= 0)
            item = item->child(component);
        bool isNumber = false;
        const double value = item->text(ValueTree::valueColumn).toDouble(&isNumber);
        return isNumber ? value : std::nan("");
    }
};

std::uint64_t nodeAt(const MeshPlace &place)
{
    const auto i = std::lround(place[0] * 32), j = std::lround(place[1] * 32);
    return static_cast<std::uint64_t>(j) * columns + static_cast<std::uint64_t>(i);
}

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

QMenu *saveMenu(ProbePanel &panel, const QString &name)
{
    for (auto *button : panel.findChildren<QToolButton *>()) {
        if (button->accessibleName() == name)
            return button->menu();
    }
    return nullptr;
}

} // namespace

class ProbeTest : public ScreenTest
{
    Q_OBJECT

private slots:
    void aClickShowsTheValuesThere();
    void theFirstClickOpensAndTheKeyToggles();
    void typedPlacesAreProbed();
    void valuesFollowTheSliders();
    void theMarkStaysOnItsPoint();
    void curvesAreTheField();
    void clickingIntoACurveMovesItsParameter();
    void theMapIsTheField();
    void clickingIntoTheMapMovesBothParameters();
    void theMapOfTheNormNeedsNoPlace();
    void theLineIsTheField();
    void linesBesideTheMeshAreRefused();
    void savedTablesHaveWhatIsShown();
    void cellDataOfUnstructuredMeshes();
    void scalarStudiesAreProbed();
    void coefficientsThatArriveAreShown();
    void closingAndOpeningWhileBusy();
};

void ProbeTest::aClickShowsTheValuesThere()
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
        QCOMPARE(open.panel().placeRow()->fields()[0]->value(),
                 static_cast<double>(node % columns) / 32);
        QCOMPARE(open.panel().placeRow()->fields()[1]->value(),
                 static_cast<double>(node / columns) / 32);
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

void ProbeTest::theFirstClickOpensAndTheKeyToggles()
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

void ProbeTest::typedPlacesAreProbed()
{
    const Folder folder;
    const auto path = makeStudy(folder);
    ProbedWindow open(path);
    QVERIFY(open.isOpen());
    open.toggle()->trigger();
    auto &x = *open.panel().placeRow()->fields()[0], &y = *open.panel().placeRow()->fields()[1];
    const auto type = [](NumberField &field, const QString &text) {
        field.setFocus();
        field.selectAll();
        QTest::keyClicks(&field, text);
        QTest::keyClick(&field, Qt::Key_Return);
    };
    type(x, "0.25");
    QVERIFY(open.waitForProbe());
    type(y, "0.51");
    QVERIFY(open.waitForProbe());
    const std::size_t node = 16 * columns + 8;
    QCOMPARE(open.panel().answer()->fields[0]->entity.number, std::uint64_t{node});
    QVERIFY(isNear(open.shown(0),
                   static_cast<double>(wholeField(path, 0, open.model().now().parameters)[node])));
    type(y, "7");
    QVERIFY(open.sentences().join(' ').contains("out of its range"));
    QCOMPARE(open.panel().answer()->fields[0]->entity.number, std::uint64_t{node});
}

void ProbeTest::valuesFollowTheSliders()
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

void ProbeTest::theMarkStaysOnItsPoint()
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

void ProbeTest::curvesAreTheField()
{
    const Folder folder;
    const auto path = makeStudy(folder);
    ProbedWindow open(path);
    QVERIFY(open.isOpen());
    auto steering = open.model().now();
    steering.field = 1;
    steering.view.component.index = 1;
    steering.parameters = {333, 1.1, 2.2};
    open.model().change("all", steering);
    QVERIFY(open.waitForFrame());
    QVERIFY(open.click(0.45, 0.4));
    for (const int component : {1, Component::magnitude}) {
        steering.view.component.index = component;
        open.model().change("component", steering);
        QVERIFY(open.waitForProbe());
        QVERIFY(QTest::qWaitFor(
            [&] { return open.panel().answer()->question.component.index == component; },
            waitMilliseconds));
        const auto &answer = *open.panel().answer();
        const auto node = answer.fields[1]->entity.number;
        const auto &study = *open.model().study();
        QCOMPARE(answer.curves.size(), std::size_t{3});
        for (std::size_t t = 0; t < 3; ++t) {
            const auto &curve = answer.curves[t];
            QCOMPARE(curve.at.front(), study.parameters[t].low);
            QCOMPARE(curve.at.back(), study.parameters[t].high);
            for (const double mark : study.marks[t])
                QVERIFY(std::ranges::any_of(curve.at, [&](double at) {
                    return std::abs(at - mark) < 1e-9 * mark + 1e-12;
                }));
            // As it is drawn: logarithmic parameters along a logarithmic axis.
            const auto drawn = open.panel().curves()->plots()[t]->graph(0)->data();
            QCOMPARE(drawn->size(), static_cast<int>(curve.at.size()));
            for (std::size_t i = 0; i < curve.at.size(); i += 7) {
                auto at = open.model().now().parameters;
                at[t] = curve.at[i];
                const auto v = wholeField(path, 1, at);
                const double wanted =
                    component == 1 ? static_cast<double>(v[2 * node + 1]) : magnitude(v, node, 2);
                const auto point = drawn->at(static_cast<int>(i));
                QVERIFY(isNear(static_cast<double>(curve.values[i]), wanted));
                QVERIFY(isNear(point->value, wanted));
                const double across =
                    t == 0 ? std::log10(at[0] / 100) : study.parameters.toUnit(at)[t];
                QVERIFY(std::abs(point->key - across) < 1e-12);
            }
        }
        QVERIFY(isNear(static_cast<double>(answer.value),
                       component == 1 ? open.shown(1, 1) : open.shown(1)));
    }
}

void ProbeTest::clickingIntoACurveMovesItsParameter()
{
    const Folder folder;
    const auto path = makeStudy(folder);
    ProbedWindow open(path);
    QVERIFY(open.isOpen());
    QVERIFY(open.click(0.45, 0.4));
    const auto before = open.model().now();
    auto &plot = *open.panel().curves()->plots()[0];
    QVERIFY(QTest::qWaitFor([&] { return plot.isVisible() && plot.axisRect()->width() > 50; }));
    QTest::mouseClick(&plot, Qt::LeftButton, {}, plot.placeOf(700));
    QVERIFY2(std::abs(open.model().now().parameters[0] / 700 - 1) < 0.02,
             qPrintable(QString::number(open.model().now().parameters[0])));
    QCOMPARE(open.slider(0).value(), open.model().now().parameters[0]);
    QCOMPARE(open.model().undoStack().count(), 1);
    QVERIFY(open.waitForProbe());
    const auto node = open.panel().answer()->fields[0]->entity.number;
    QVERIFY(isNear(open.shown(0),
                   static_cast<double>(wholeField(path, 0, open.model().now().parameters)[node])));
    open.model().undoStack().undo();
    QVERIFY(open.model().now() == before);
    // A drag is one step back; a mark that is met is met exactly.
    const double mark = open.model().study()->marks[2][5];
    auto &time = *open.panel().curves()->plots()[2];
    QTest::mousePress(&time, Qt::LeftButton, {}, time.placeOf(1));
    for (const double t : {2.0, 3.0, 4.0})
        QTest::mouseMove(&time, time.placeOf(t));
    QTest::mouseRelease(&time, Qt::LeftButton, {}, time.placeOf(mark));
    QCOMPARE(open.model().now().parameters[2], mark);
    QVERIFY(!open.model().isMoving());
    open.model().undoStack().undo();
    QVERIFY(open.model().now() == before);
    time.setFocus();
    QTest::keyClick(&time, Qt::Key_Home);
    QCOMPARE(open.model().now().parameters[2], 0.0);
    QTest::keyClick(&time, Qt::Key_Right);
    QCOMPARE(open.model().now().parameters[2], 0.05);
    QVERIFY(open.waitForFrame());
}

void ProbeTest::theMapIsTheField()
{
    const Folder folder;
    const auto path = makeStudy(folder);
    ProbedWindow open(path);
    QVERIFY(open.isOpen());
    open.model().setParameter(1, 0.9, false);
    QVERIFY(open.click(0.45, 0.4));
    QVERIFY(!open.panel().answer()->map); // nobody sees it
    open.showPage(1);
    auto &page = *open.panel().map();
    const auto choose = [&](const QString &name, int index) {
        for (auto *box : page.findChildren<QComboBox *>()) {
            if (box->accessibleName() != name)
                continue;
            box->setFocus();
            while (box->currentIndex() != index)
                QTest::keyClick(box, box->currentIndex() < index ? Qt::Key_Down : Qt::Key_Up);
        }
    };
    choose("Parameter upwards", 2);
    for (const auto &[across, up] : {std::pair<std::size_t, std::size_t>{0, 2}, {2, 0}, {2, 1}}) {
        choose("Parameter across", static_cast<int>(across));
        choose("Parameter upwards", static_cast<int>(up));
        const std::array wanted{across, up};
        QVERIFY(page.parameters() == wanted);
        QVERIFY(QTest::qWaitFor(
            [&] {
                const auto &answer = open.panel().answer();
                return answer->map && answer->map->parameters == wanted && open.panel().isSettled();
            },
            waitMilliseconds));
        const auto &answer = *open.panel().answer();
        const auto &map = *answer.map;
        const auto node = answer.fields[0]->entity.number;
        const auto n = map.at[1].size();
        QVERIFY(map.at[0].size() >= 64 && n >= 64);
        for (std::size_t i = 0; i < map.at[0].size(); i += 13) {
            for (std::size_t j = 0; j < n; j += 11) {
                auto at = open.model().now().parameters;
                at[across] = map.at[0][i];
                at[up] = map.at[1][j];
                const auto value = static_cast<double>(wholeField(path, 0, at)[node]);
                QVERIFY(isNear(static_cast<double>(map.values[i * n + j]), value));
                QVERIFY(isNear(page.plot()->shownAt({at[across], at[up]}), value));
            }
        }
        // Every point of the grid has its dot, and there are no others.
        const auto study = data::Study::open(path);
        const auto &space = study.description().space;
        std::vector<std::array<double, 2>> points;
        for (std::uint64_t point = 0; point < study.grid()->points(); ++point) {
            const auto values = space.valuesAt(*study.grid(), point);
            points.push_back({values[across], values[up]});
        }
        std::ranges::sort(points);
        points.erase(std::unique(points.begin(), points.end()), points.end());
        auto dots = map.sampled;
        std::ranges::sort(dots);
        QCOMPARE(dots.size(), points.size());
        for (std::size_t i = 0; i < dots.size(); ++i)
            QVERIFY(isNear(dots[i][0], points[i][0]) && isNear(dots[i][1], points[i][1]));
    }
}

void ProbeTest::clickingIntoTheMapMovesBothParameters()
{
    const Folder folder;
    const auto path = makeStudy(folder);
    ProbedWindow open(path);
    QVERIFY(open.isOpen());
    QVERIFY(open.click(0.45, 0.4));
    open.showPage(1);
    auto &plot = *open.panel().map()->plot();
    QVERIFY(
        QTest::qWaitFor([&] { return plot.map() && open.panel().isSettled(); }, waitMilliseconds));
    QTest::qWait(50); // it has been laid out
    const auto before = open.model().now();
    QTest::mousePress(&plot, Qt::LeftButton, {}, plot.placeOf({200, 0.6}));
    QTest::mouseMove(&plot, plot.placeOf({400, 1.0}));
    QTest::mouseRelease(&plot, Qt::LeftButton, {}, plot.placeOf({600, 1.21}));
    const auto &now = open.model().now().parameters;
    QVERIFY2(std::abs(now[0] / 600 - 1) < 0.03, qPrintable(QString::number(now[0])));
    QVERIFY2(std::abs(now[1] - 1.21) < 0.02, qPrintable(QString::number(now[1])));
    QCOMPARE(now[2], before.parameters[2]);
    QCOMPARE(open.slider(0).value(), now[0]);
    QCOMPARE(open.slider(1).value(), now[1]);
    QCOMPARE(open.model().undoStack().count(), 1);
    QVERIFY(open.waitForProbe());
    open.model().undoStack().undo();
    QVERIFY(open.model().now() == before);
    plot.setFocus();
    QTest::keyClick(&plot, Qt::Key_Up);
    QVERIFY(open.model().now().parameters[1] > before.parameters[1]);
    QCOMPARE(open.model().now().parameters[0], before.parameters[0]);
}

void ProbeTest::theMapOfTheNormNeedsNoPlace()
{
    const Folder folder;
    const auto path = makeStudy(folder);
    ProbedWindow open(path);
    QVERIFY(open.isOpen());
    open.model().setParameter(1, 0.9, false);
    QVERIFY(open.waitForFrame());
    open.toggle()->trigger();
    open.showPage(1);
    QVERIFY(!open.panel().answer());
    choose(*box(*open.window, "What the map shows"), "norm of the field");
    constexpr std::uint64_t used = 256;
    const auto rms = [&](data::FieldIndex field, const std::vector<double> &at) {
        const auto values = wholeField(path, field, at);
        const std::size_t components = field + 1;
        double sum = 0;
        for (const auto entity : data::spreadOver(columns * rows, used))
            sum += std::pow(magnitude(values, entity, components), 2);
        return std::sqrt(sum / used);
    };
    for (const data::FieldIndex field : {0, 1}) {
        auto steering = open.model().now();
        steering.field = field;
        open.model().change("field", steering);
        QVERIFY(QTest::qWaitFor(
            [&] {
                const auto &answer = open.panel().answer();
                return open.panel().isSettled() && answer->question.field == field && answer->map;
            },
            waitMilliseconds));
        const auto &map = *open.panel().answer()->map;
        const auto n = map.at[1].size();
        QCOMPARE(map.entities, used);
        for (std::size_t i = 0; i < map.at[0].size(); i += 7) {
            for (std::size_t j = 0; j < n; j += 5) {
                auto at = open.model().now().parameters;
                at[0] = map.at[0][i];
                at[1] = map.at[1][j];
                const double wanted = rms(field, at);
                QVERIFY(isNear(static_cast<double>(map.values[i * n + j]), wanted));
                QVERIFY(isNear(open.panel().map()->plot()->shownAt({at[0], at[1]}), wanted));
            }
        }
        const QString said = field == 0 ? "RMS of u (m/s)" : "RMS of v magnitude (m/s)";
        QCOMPARE(QString::fromStdString(titleOfMap(*open.panel().answer())), said);
    }
    bool isSaid = false;
    for (const auto *label : open.panel().map()->findChildren<QLabel *>())
        isSaid = isSaid || (label->isVisible() && label->text().contains("256 of 825 points"));
    QVERIFY(isSaid);
    // A click moves the sliders, as in the other map.
    auto &plot = *open.panel().map()->plot();
    QTest::mouseClick(&plot, Qt::LeftButton, {}, plot.placeOf({200, 1.3}));
    QVERIFY(std::abs(open.model().now().parameters[0] - 200) < 10);
    QVERIFY(std::abs(open.model().now().parameters[1] - 1.3) < 0.05);
    // Back to the place: there is none.
    choose(*box(*open.window, "What the map shows"), "value at the place");
    QVERIFY(std::isnan(plot.shownAt({200, 1.3})) || !plot.map());
}

void ProbeTest::theLineIsTheField()
{
    const Folder folder;
    const auto path = makeStudy(folder);
    ProbedWindow open(path);
    QVERIFY(open.isOpen());
    const auto from = placeIn(open.view(), 0.35, 0.4), to = placeIn(open.view(), 0.6, 0.58);
    const auto camera = open.view().pick(placeIn(open.view(), 0.5, 0.5));
    QVERIFY(open.dragLine(from, to));
    QCOMPARE(open.view().pick(placeIn(open.view(), 0.5, 0.5)), camera); // the view stays
    QVERIFY(open.panel().isVisible());
    QCOMPARE(open.panel().pages()->currentWidget(), open.panel().line());
    const auto begin = *open.view().pick(from), end = *open.view().pick(to);
    const auto check = [&](data::FieldIndex field) {
        const auto &line = *open.panel().answer()->line;
        const auto values = wholeField(path, field, open.model().now().parameters);
        const std::size_t components = field + 1;
        QCOMPARE(line.lengths.front(), 0.0);
        QVERIFY(std::abs(line.lengths.back() - std::hypot(end[0] - begin[0], end[1] - begin[1]))
                < 1e-9);
        for (std::size_t i = 0; i < line.values.size(); ++i) {
            const double share =
                static_cast<double>(i) / static_cast<double>(line.values.size() - 1);
            const double x = 32 * (begin[0] + share * (end[0] - begin[0]));
            const double y = 32 * (begin[1] + share * (end[1] - begin[1]));
            const auto column = static_cast<std::size_t>(x), row = static_cast<std::size_t>(y);
            const double r = x - std::floor(x), s = y - std::floor(y);
            double squares = 0, value = 0;
            for (std::size_t c = 0; c < components; ++c) {
                const auto at = [&](std::size_t k, std::size_t l) {
                    return static_cast<double>(
                        values[((row + l) * columns + column + k) * components + c]);
                };
                value = (1 - s) * ((1 - r) * at(0, 0) + r * at(1, 0))
                        + s * ((1 - r) * at(0, 1) + r * at(1, 1));
                squares += value * value;
            }
            const double wanted = components == 1 ? value : std::sqrt(squares);
            QVERIFY(isNear(static_cast<double>(line.values[i]), wanted));
            QVERIFY(isNear(
                open.panel().line()->plot()->graph(0)->data()->at(static_cast<int>(i))->value,
                wanted));
        }
    };
    check(0);
    open.model().setParameter(0, 777, false);
    QVERIFY(open.waitForLine());
    check(0);
    auto steering = open.model().now();
    steering.field = 1;
    open.model().change("field", steering);
    QVERIFY(open.waitForLine());
    QCOMPARE(open.panel().answer()->line->field, data::FieldIndex{1});
    check(1);
}

void ProbeTest::linesBesideTheMeshAreRefused()
{
    const Folder folder;
    ProbedWindow open(makeStudy(folder));
    QVERIFY(open.isOpen());
    const auto inside = placeIn(open.view(), 0.5, 0.5), beside = placeIn(open.view(), 0.5, 0.02);
    QVERIFY(!open.view().pick(beside));
    QTest::mousePress(&open.view(), Qt::LeftButton, Qt::AltModifier, inside);
    QTest::mouseMove(&open.view(), beside);
    QTest::mouseRelease(&open.view(), Qt::LeftButton, Qt::AltModifier, beside);
    QVERIFY(open.sentences().join(' ').contains("ends beside the mesh"));
    QVERIFY(!open.panel().isVisible());
    // With the button no key is needed; without both, the view moves.
    QVERIFY(open.click(0.5, 0.5));
    open.showPage(2);
    open.panel().line()->drawButton()->click();
    const auto to = inside + QPoint(60, 20);
    QTest::mousePress(&open.view(), Qt::LeftButton, {}, inside);
    QTest::mouseMove(&open.view(), to);
    QTest::mouseRelease(&open.view(), Qt::LeftButton, {}, to);
    QVERIFY(open.waitForLine());
    QVERIFY(open.panel().answer()->fields.size() == 2); // the place is still probed
}

void ProbeTest::savedTablesHaveWhatIsShown()
{
    const Folder folder;
    const auto path = makeStudy(folder);
    ProbedWindow open(path);
    QVERIFY(open.isOpen());
    QVERIFY(open.click(0.45, 0.4));
    const auto node = open.panel().answer()->fields[0]->entity.number;
    const auto fileOf = [&](const char *name) {
        return QString::fromStdString((folder / name).string());
    };
    const auto check = [&](const std::vector<std::vector<std::string>> &lines, std::size_t first) {
        QCOMPARE(lines[0][first], std::string("Re"));
        QCOMPARE(lines[0][first + 1], std::string("lid (m/s)"));
        QCOMPARE(lines[0][first + 2], std::string("t (s)"));
        QCOMPARE(lines[0][first + 3], std::string("u (m/s)"));
        for (std::size_t i = 1; i < lines.size(); i += 17) {
            std::vector<double> at;
            for (std::size_t t = 0; t < 3; ++t)
                at.push_back(std::stod(lines[i][first + t]));
            QVERIFY(isNear(std::stod(lines[i][first + 3]),
                           static_cast<double>(wholeField(path, 0, at)[node])));
        }
    };
    auto &panel = open.panel();
    saveBy(saveMenu(panel, "Save the curves")->actions()[1], fileOf("curves.csv"));
    auto lines = csvIn(fileOf("curves.csv"));
    std::size_t rows = 1;
    for (const auto &curve : panel.answer()->curves)
        rows += curve.at.size();
    QCOMPARE(lines.size(), rows);
    check(lines, 1);
    QCOMPARE(lines[1][0], std::string("Re"));
    QCOMPARE(lines.back()[0], std::string("t"));

    saveBy(saveMenu(panel, "Save the curves")->actions()[0], fileOf("curves.png"));
    const QImage picture(fileOf("curves.png"));
    QCOMPARE(picture.width(), 2 * panel.curves()->plots()[0]->width());
    QVERIFY(picture.height() > 2 * 3 * 100);

    // One of them, by the menu under the mouse.
    auto &plot = *panel.curves()->plots()[2];
    QContextMenuEvent event(QContextMenuEvent::Mouse, plot.rect().center(),
                            plot.mapToGlobal(plot.rect().center()));
    QApplication::sendEvent(&plot, &event);
    auto *menu = plot.findChild<QMenu *>();
    QVERIFY(menu && menu->isVisible());
    menu->hide();
    saveBy(menu->actions()[1], fileOf("one.csv"));
    QCOMPARE(csvIn(fileOf("one.csv")).size(), panel.answer()->curves[2].at.size() + 1);

    open.showPage(1);
    QVERIFY(QTest::qWaitFor([&] { return panel.answer()->map && panel.isSettled(); },
                            waitMilliseconds));
    saveBy(saveMenu(panel, "Save the map")->actions()[1], fileOf("map.csv"));
    lines = csvIn(fileOf("map.csv"));
    QCOMPARE(lines.size(), panel.answer()->map->values.size() + 1);
    lines.resize(500);
    check(lines, 0);
    saveBy(saveMenu(panel, "Save the map")->actions()[0], fileOf("map.png"));
    QVERIFY(!QImage(fileOf("map.png")).isNull());

    QVERIFY(open.dragLine(placeIn(open.view(), 0.35, 0.4), placeIn(open.view(), 0.55, 0.5)));
    saveBy(saveMenu(panel, "Save the line")->actions()[1], fileOf("line.csv"));
    lines = csvIn(fileOf("line.csv"));
    const auto &line = *panel.answer()->line;
    QCOMPARE(lines.size(), line.values.size() + 1);
    QCOMPARE(lines[0][0], std::string("arc_length"));
    for (std::size_t i = 0; i < line.values.size(); ++i) {
        QCOMPARE(std::stod(lines[i + 1][0]), line.lengths[i]);
        QCOMPARE(std::stof(lines[i + 1].back()), line.values[i]);
    }
    QVERIFY(open.sentences().join(' ').contains("is written"));
    open.window->messages().clear();
    saveBy(saveMenu(panel, "Save the line")->actions()[1], "/nowhere/at/all.csv");
    QVERIFY(!QFile::exists("/nowhere/at/all.csv"));
    QVERIFY2(open.sentences().join(' ').contains("/nowhere/at"),
             qPrintable(open.sentences().join(' ')));
}

void ProbeTest::cellDataOfUnstructuredMeshes()
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
        vtkNew<vtkFloatArray> array;
        array->SetName("wanted");
        array->SetNumberOfComponents(of.components);
        array->SetNumberOfTuples(static_cast<vtkIdType>(of.entities));
        std::ranges::copy(values, array->GetPointer(0));
        mesh->GetCellData()->Initialize();
        mesh->GetPointData()->Initialize();
        if (of.association == data::Association::cell)
            mesh->GetCellData()->AddArray(array);
        else
            mesh->GetPointData()->AddArray(array);
        vtkNew<vtkPoints> points;
        points->SetDataTypeToDouble();
        for (const auto &place : line.places)
            points->InsertNextPoint(place.data());
        vtkNew<vtkPolyData> places;
        places->SetPoints(points);
        vtkNew<vtkProbeFilter> filter;
        filter->SetInputData(places);
        filter->SetSourceData(mesh);
        filter->Update();
        auto &result = *filter->GetOutput()->GetPointData();
        auto *valid = result.GetArray(filter->GetValidPointMaskArrayName());
        auto *sampled = result.GetArray("wanted");
        int gaps = 0;
        for (std::size_t i = 0; i < line.places.size(); ++i) {
            const auto id = static_cast<vtkIdType>(i);
            const bool isInside = valid->GetComponent(id, 0) != 0;
            gaps += isInside ? 0 : 1;
            QCOMPARE(!std::isnan(line.values[i]), isInside);
            double squares = 0;
            for (int c = 0; c < of.components; ++c)
                squares += std::pow(sampled->GetComponent(id, c), 2);
            const double wanted =
                of.components == 1 ? sampled->GetComponent(id, 0) : std::sqrt(squares);
            if (isInside)
                QVERIFY(isNear(static_cast<double>(line.values[i]), wanted));
        }
        QVERIFY(gaps > 10 && gaps < 100);
    }
}

void ProbeTest::scalarStudiesAreProbed()
{
    const Folder folder;
    const auto path = makeScalarStudy(folder);
    ProbedWindow open(path);
    QVERIFY(open.isOpen());
    QVERIFY(open.click(0.42, 0.45));
    const auto &now = open.model().now().parameters;
    QCOMPARE(now.size(), std::size_t{2});
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
    QVERIFY(QTest::qWaitFor([&] { return open.panel().answer()->map && open.panel().isSettled(); },
                            waitMilliseconds));
    const auto &map = *open.panel().answer()->map;
    QVERIFY(isNear(static_cast<double>(map.values[20 * map.at[1].size() + 40]),
                   static_cast<double>(wholeField(path, 0, {map.at[0][20], map.at[1][40]})[node])));
}

void ProbeTest::coefficientsThatArriveAreShown()
{
    const Folder folder;
    const auto path = folder / "small.gridhelm";
    auto writer = newStudy(path, 3);
    runAllJobs(writer);
    compress(writer, {});
    writer.growGrid(5, std::vector{5, 2, 5});
    ProbedWindow open(path);
    QVERIFY(open.isOpen());
    open.model().setParameter(0, 222.2, false);
    open.model().setParameter(2, 1.1, false);
    QVERIFY(open.click(0.45, 0.4));
    const auto node = open.panel().answer()->fields[0]->entity.number;
    const double before = open.shown(0);
    runAllJobs(writer);
    compress(writer, {});
    const auto wanted =
        static_cast<double>(wholeField(path, 0, open.model().now().parameters)[node]);
    QVERIFY(!isNear(wanted, before));
    QVERIFY(QTest::qWaitFor([&] { return isNear(open.shown(0), wanted); }, waitMilliseconds));
    QCOMPARE(open.panel().answer()->fields[0]->entity.number, node); // the place stays
}

void ProbeTest::closingAndOpeningWhileBusy()
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

int main(int argc, char **argv)
{
    return runOnScreen<ProbeTest>(argc, argv);
}

#include "tst_probe.moc"

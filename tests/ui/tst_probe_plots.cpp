// SPDX-License-Identifier: GPL-3.0-or-later
//
// The panel Probe, through events as a user makes them: curves, maps and lines are what the study's
// fields are, value by value; a click into one steers.
#include "data/evaluate/indicator_share.h"
#include "tests/ui/panel_case.h"
#include "tests/ui/probe_case.h"
#include "ui/probe/curves_page.h"
#include "ui/probe/line_page.h"
#include "ui/probe/map_page.h"
#include "ui/probe/probe_csv.h"

#include <QComboBox>
#include <QLabel>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <vector>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

class ProbePlotsTest : public ScreenTest
{
    Q_OBJECT

private slots:
    void curvesAreTheField();
    void clickingIntoACurveMovesItsParameter();
    void theMapIsTheField();
    void clickingIntoTheMapMovesBothParameters();
    void theMapOfTheNormNeedsNoPlace();
    void theLineIsTheField();
    void linesBesideTheMeshAreRefused();
    void coefficientsThatArriveAreShown();
};

void ProbePlotsTest::curvesAreTheField()
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

void ProbePlotsTest::clickingIntoACurveMovesItsParameter()
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

void ProbePlotsTest::theMapIsTheField()
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
    auto &acrossBox = *box(page, "Parameter across"), &upBox = *box(page, "Parameter upwards");
    choose(upBox, 2);
    for (const auto &[across, up] : {std::pair<std::size_t, std::size_t>{0, 2}, {2, 0}, {2, 1}}) {
        choose(acrossBox, static_cast<int>(across));
        choose(upBox, static_cast<int>(up));
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

void ProbePlotsTest::clickingIntoTheMapMovesBothParameters()
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

void ProbePlotsTest::theMapOfTheNormNeedsNoPlace()
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
    choose(*box(*open.window, "What the map shows"), "value at the probe point");
    QVERIFY(std::isnan(plot.shownAt({200, 1.3})) || !plot.map());
}

void ProbePlotsTest::theLineIsTheField()
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

void ProbePlotsTest::linesBesideTheMeshAreRefused()
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

void ProbePlotsTest::coefficientsThatArriveAreShown()
{
    const Folder folder;
    const auto path = folder / "small.gridhelm";
    auto writer = newGrownStudy(path);
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

GRIDHELM_SCREEN_TEST(ProbePlotsTest)

#include "tst_probe_plots.moc"

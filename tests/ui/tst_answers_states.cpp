// SPDX-License-Identifier: GPL-3.0-or-later
//
// All states of a study, in parallel coordinates and as a table, in the panel Answers.
#include "data/answers/run_places.h"
#include "tests/ui/answers_case.h"
#include "tests/ui/widget_test.h"
#include "ui/answers/goal_page.h"
#include "ui/answers/parallel_plot.h"
#include "ui/answers/state_list.h"
#include "ui/answers/states_page.h"

#include <QTableView>

#include <algorithm>
#include <limits>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

namespace {

constexpr int statesTab = 4, goalTab = 2;

/// Of a state's line, halfway between the axes of x and y, which both go from 0.25 to 0.75.
QPoint pixelOf(const StatesPage &page, std::size_t state)
{
    const auto numbers = page.states()->numbers(state);
    const auto &plot = *page.plot();
    return QPointF(plot.xAxis->coordToPixel(0.5),
                   plot.yAxis->coordToPixel((numbers[0] + numbers[1] - 0.5) / 2 / 0.5))
        .toPoint();
}

} // namespace

class AnswersStatesTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { m_path = makePlateWithResponses(m_folder); }

    void runsAndSlidersAreListed();
    void theSlidersRowFollows();
    void aPartOfAnAxisChoosesRows();
    void aLineThatIsTakenIsGoneTo();
    void whatIsTakenStaysSo();
    void aPinnedStateThatMovesIsListedWhereItStops();
    void anotherStudyOfTheNameIsNotMixedIn();
    void whatIsFoundHasARow();
    void tableAndFileSayTheSame();
    void placesOfAScalarStudyAreWithoutSpace();

private:
    /// With its rows there.
    std::unique_ptr<OpenAnswers> openStates() const
    {
        auto open = openAnswers(m_path, averageRow, statesTab);
        const auto &states = *open->panel->states();
        if (!QTest::qWaitFor([&] { return states.states()->rowCount() > 1; }, patience))
            qFatal("the states are not read");
        return open;
    }

    Folder m_folder;
    std::filesystem::path m_path;
};

void AnswersStatesTest::runsAndSlidersAreListed()
{
    const auto open = openStates();
    const auto &rows = open->panel->states()->states()->rows();
    const auto study = data::Study::open(m_path);
    QCOMPARE(rows.size(), 1 + study.grid()->points() + study.holdOuts().size());
    QCOMPARE(rows.front().name, QString("sliders"));
    QCOMPARE(rows.front().parameters, open->model.now().parameters);
    const auto model = known(m_path, average).model;
    const auto &space = study.description().space;
    for (const auto &row : rows)
        QCOMPARE(row.predicted.at(averageRow), model->value(space.toUnit(row.parameters)));
    const auto places = data::runPlaces(study, 1000);
    const auto own = data::valuesOfRuns(study, {known(m_path, average), known(m_path, peak)},
                                        data::samplesOf(study), places);
    QCOMPARE(places.size(), rows.size() - 1);
    for (std::size_t i = 0; i < places.size(); ++i)
        for (const auto k : {averageRow, peakRow})
            QCOMPARE(rows[i + 1].responses.at(k), own.at(k)[i]);
    QVERIFY(rows.back().responses.at(peakRow) != rows.back().predicted.at(peakRow));
    const auto runs =
        std::ranges::count_if(rows, [](const auto &row) { return row.name.startsWith("run "); });
    QCOMPARE(static_cast<std::uint64_t>(runs), study.grid()->points());
    QCOMPARE(rows.back().parameters, study.holdOuts().back().parameters);
    QCOMPARE(data::runPlaces(study, 5).size(), std::size_t{5});
}

void AnswersStatesTest::theSlidersRowFollows()
{
    const auto open = openStates();
    const auto &rows = open->panel->states()->states()->rows();
    auto there = open->model.now();
    there.parameters[0] = 0.3;
    open->model.change("x", there);
    QVERIFY(open->settle());
    QCOMPARE(rows.front().parameters[0], 0.3);
    QCOMPARE(rows.front().responses.at(averageRow), open->value(averageRow));
    open->panel->pages()->setCurrentIndex(0); // nor is it older when it is looked at again
    there.parameters[0] = 0.4;
    open->model.change("x", there);
    QVERIFY(open->settle());
    open->panel->pages()->setCurrentIndex(statesTab);
    QCOMPARE(rows.front().parameters[0], 0.4);
    QCOMPARE(rows.front().responses.at(averageRow), open->value(averageRow));
}

void AnswersStatesTest::aPartOfAnAxisChoosesRows()
{
    const auto open = openStates();
    const auto &page = *open->panel->states();
    auto &plot = *page.plot();
    const auto all = page.table()->model()->rowCount();
    const auto drag = [&](double from, double to) {
        const auto at = [&](double share) {
            return QPointF(plot.xAxis->coordToPixel(0), plot.yAxis->coordToPixel(share)).toPoint();
        };
        QTest::mousePress(&plot, Qt::LeftButton, {}, at(from));
        QTest::mouseMove(&plot, at(to));
        QTest::mouseRelease(&plot, Qt::LeftButton, {}, at(to));
    };
    QVERIFY(QTest::qWaitForWindowExposed(open->panel.get()));
    plot.replot();
    drag(0.3, -0.5); // beyond the end of the axis, which is from 0.25 to 0.75
    const auto few = page.table()->model()->rowCount();
    QVERIFY(few > 0 && few < all);
    for (int row = 0; row < few; ++row)
        QVERIFY(page.table()->model()->index(row, 1).data(StateList::sortRole).toDouble() <= 0.41);
    QVERIFY(open->child<QLabel>("stateCount")->text().startsWith(QString("%1 of ").arg(few)));
    QTest::mouseClick(
        &plot, Qt::LeftButton, {},
        QPointF(plot.xAxis->coordToPixel(0), plot.yAxis->coordToPixel(0.9)).toPoint());
    QCOMPARE(page.table()->model()->rowCount(), all);
    plot.choose(1, std::pair(0.9, 1.0));
    QVERIFY(page.table()->model()->rowCount() < all);
    QTest::keyClick(&plot, Qt::Key_Escape);
    QCOMPARE(page.table()->model()->rowCount(), all);
}

void AnswersStatesTest::aLineThatIsTakenIsGoneTo()
{
    const auto open = openStates();
    const auto &page = *open->panel->states();
    auto &plot = *page.plot();
    QVERIFY(QTest::qWaitForWindowExposed(open->panel.get()));
    plot.replot();
    QVERIFY(!open->child<QPushButton>("goToState")->isEnabled());
    const std::size_t last = page.states()->rows().size() - 1; // a hold-out, on no line of the grid
    QTest::mouseClick(&plot, Qt::LeftButton, {}, pixelOf(page, last));
    const auto taken = page.table()->currentIndex();
    QVERIFY(taken.isValid());
    const auto name = taken.siblingAtColumn(0).data().toString();
    const auto &rows = page.states()->rows();
    const auto row = std::ranges::find(rows, name, &StateRow::name);
    QVERIFY(row != rows.end());
    const auto before = open->model.now().parameters;
    open->click("goToState");
    QCOMPARE(open->model.now().parameters, row->parameters);
    open->model.undoStack().undo();
    QCOMPARE(open->model.now().parameters, before);
}

void AnswersStatesTest::whatIsTakenStaysSo()
{
    const auto open = openStates();
    const auto &page = *open->panel->states();
    const auto nameTaken = [&] {
        return page.table()->currentIndex().siblingAtColumn(0).data().toString();
    };
    page.table()->setCurrentIndex(page.table()->model()->index(3, 0));
    const auto name = nameTaken();
    const auto x = page.states()->rows()[3].parameters[0];
    page.plot()->choose(0, std::pair(0.0, 1.0));
    QCOMPARE(nameTaken(), name);
    auto steering = open->model.now(); // a row comes before it
    steering.pinned = steering.parameters;
    open->model.change("pin", steering);
    const auto count = page.states()->rowCount();
    QTRY_COMPARE_WITH_TIMEOUT(page.states()->rowCount(), count + 1, patience);
    QCOMPARE(nameTaken(), name);
    QVERIFY(open->child<QPushButton>("goToState")->isEnabled());
    const double share = (x - 0.25) / 0.5; // its neighbour is not taken instead
    page.plot()->choose(0, share > 0.5 ? std::pair(0.0, share - 0.1) : std::pair(share + 0.1, 1.0));
    QVERIFY(!page.table()->currentIndex().isValid());
    QVERIFY(!open->child<QPushButton>("goToState")->isEnabled());
}

/// Thousands of states would be evaluated at each move else.
void AnswersStatesTest::aPinnedStateThatMovesIsListedWhereItStops()
{
    const auto open = openStates();
    const auto &page = *open->panel->states();
    auto steering = open->model.now();
    steering.pinned = steering.parameters;
    steering.pinnedMoves = true;
    open->model.change("pin", steering);
    const auto pinned = [&] {
        const auto &rows = page.states()->rows();
        const auto at = std::ranges::find(rows, "A (pinned)", &StateRow::name);
        return at == rows.end() ? std::vector<double>() : at->parameters;
    };
    QTRY_COMPARE_WITH_TIMEOUT(pinned(), *steering.pinned, patience);
    for (const double x : {0.4, 0.45, 0.6}) {
        open->model.setParameter(0, x, true);
        QVERIFY(!page.isComputing());
    }
    open->model.setParameter(0, 0.6, false);
    QTRY_COMPARE_WITH_TIMEOUT(pinned(), *open->model.now().pinned, patience);
    QVERIFY(pinned() != *steering.pinned);
}

void AnswersStatesTest::anotherStudyOfTheNameIsNotMixedIn()
{
    const auto copy = m_folder / "replaced.gridhelm";
    std::filesystem::copy_file(m_path, copy);
    const auto open = openAnswers(copy, averageRow, 0);
    replaceByTwoParameters(copy);
    open->panel->pages()->setCurrentIndex(statesTab);
    const auto &page = *open->panel->states();
    QTRY_VERIFY_WITH_TIMEOUT(!page.isComputing(), patience);
    QVERIFY2(page.status().contains("other parameters"), qPrintable(page.status()));
    QVERIFY(page.states()->rowCount() <= 1);
}

void AnswersStatesTest::whatIsFoundHasARow()
{
    const auto open = openStates();
    const auto &page = *open->panel->states();
    const auto hasRow = [&](const QString &name, const std::vector<double> &place) {
        return QTest::qWaitFor(
            [&] {
                const auto &rows = page.states()->rows();
                const auto at = std::ranges::find(rows, name, &StateRow::name);
                return at != rows.end() && at->parameters == place && !at->isRun;
            },
            patience);
    };
    auto steering = open->model.now();
    steering.pinned = steering.parameters;
    steering.parameters[0] = 0.7;
    open->model.change("pin", steering);
    QVERIFY(hasRow("A (pinned)", *steering.pinned));
    open->panel->pages()->setCurrentIndex(goalTab);
    open->child<QPushButton>("find")->click();
    QVERIFY(QTest::qWaitFor([&] { return open->panel->goal()->optimum().has_value(); }, patience));
    const auto best = open->model.now().parameters;
    open->panel->pages()->setCurrentIndex(statesTab);
    QVERIFY(hasRow("optimum", best));
    steering = open->model.now();
    steering.pinned.reset();
    open->model.change("unpin", steering);
    QVERIFY(QTest::qWaitFor(
        [&] {
            return std::ranges::find(page.states()->rows(), "A (pinned)", &StateRow::name)
                   == page.states()->rows().end();
        },
        patience));
}

void AnswersStatesTest::tableAndFileSayTheSame()
{
    const auto open = openStates();
    const auto &page = *open->panel->states();
    auto *view = page.table();
    QCOMPARE(view->model()->columnCount(), 1 + 3 + 2 * 2);
    view->sortByColumn(1 + 3 + averageRow, Qt::DescendingOrder);
    double before = std::numeric_limits<double>::infinity();
    for (int row = 0; row < view->model()->rowCount(); ++row) {
        const auto value =
            view->model()->index(row, 1 + 3 + averageRow).data(StateList::sortRole).toDouble();
        QVERIFY(value <= before);
        before = value;
    }
    const auto lines = QString::fromStdString(page.states()->csv()).split('\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), page.states()->rowCount() + 1);
    QCOMPARE(lines.front(), QString("state,x,y,strength,average,average_surrogate,"
                                    "peak,peak_surrogate"));
    const auto cells = lines.at(2).split(',');
    const auto &first = page.states()->rows()[1];
    QCOMPARE(cells.front(), first.name);
    const std::vector numbers{first.parameters[0], first.parameters[1], first.parameters[2],
                              first.responses[0],  first.predicted[0],  first.responses[1],
                              first.predicted[1]};
    for (std::size_t k = 0; k < numbers.size(); ++k)
        QCOMPARE(cells.at(static_cast<qsizetype>(k) + 1).toDouble(), numbers[k]);
}

void AnswersStatesTest::placesOfAScalarStudyAreWithoutSpace()
{
    const Folder folder;
    Parameter space{"x", "m", 0, 1};
    space.kind = ParameterKind::spatial;
    auto writer = data::StudyWriter::create(
        folder / "s", {"scalar", data::StudyKind::scalar,
                       ParameterSpace({Parameter{"a", "", 0, 2}, space}), 3, ""});
    writer.addField(smallField("u", 1));
    runAllJobs(writer);
    data::compress(writer, {});
    const auto places = data::runPlaces(writer, 1000);
    QCOMPARE(places.size(), writer.jobs().size());
    for (const auto &place : places)
        QCOMPARE(place.parameters.size(), std::size_t{1});
}

GRIDHELM_WIDGET_TEST(AnswersStatesTest)
#include "tst_answers_states.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
//
// The trade-off of two responses, and inputs that go together, in the panel Answers.
#include "core/answers/joint_inputs.h"
#include "core/answers/uncertainty.h"
#include "tests/ui/answers_case.h"
#include "tests/ui/widget_test.h"
#include "ui/answers/answer_questions.h"
#include "ui/answers/bar_plot.h"
#include "ui/answers/goal_page.h"
#include "ui/answers/held_parameters.h"
#include "ui/answers/histogram_plot.h"
#include "ui/answers/influence_page.h"
#include "ui/answers/input_rows.h"
#include "ui/answers/match_page.h"
#include "ui/answers/trade_off_box.h"
#include "ui/answers/uncertainty_page.h"
#include "ui/plot/scatter_plot.h"

#include <QAction>
#include <QCheckBox>
#include <QMenu>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QTableWidget>

#include <algorithm>
#include <cmath>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

namespace {

QPoint pixelOf(const ScatterPlot &plot, std::size_t dot)
{
    return QPointF(plot.xAxis->coordToPixel(plot.dots()[dot].first),
                   plot.yAxis->coordToPixel(plot.dots()[dot].second))
        .toPoint();
}

} // namespace

class AnswersTradeOffTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { m_path = makePlateWithResponses(m_folder); }

    void aClickOnTheFrontMovesTheSliders();
    void theFrontKeepsConstraintsAndHeldParameters();
    void aFrontThatNothingFulfilsIsSaid();
    void oneResponseHasNoTradeOff();
    void correlationsCountForTheUncertainty();
    void mistakesInCorrelationsAreSaid();
    void thePosteriorIsAnInput();
    void anotherStudyHasNoPosterior();
    void thePosteriorOutlivesAnotherResponse();

private:
    std::unique_ptr<OpenAnswers> openOn(int row, int page) const
    {
        return openAnswers(m_path, row, page);
    }

    Folder m_folder;
    std::filesystem::path m_path;
};

void AnswersTradeOffTest::aClickOnTheFrontMovesTheSliders()
{
    const auto open = openOn(averageRow, 2);
    auto &page = *open->panel->goal();
    auto &plot = *page.tradeOff()->plot();
    QVERIFY(!plot.isVisible());
    open->child<QComboBox>("aim")->setCurrentIndex(1); // a large average against a small peak
    auto *held = page.findChild<HeldParameters *>("hold");
    for (const int t : {1, 2}) // along x alone, since each peak is that of a field
        held->menu()->actions().at(t)->setChecked(true);
    QCOMPARE(open->child<QComboBox>("against")->count(), 2);
    open->click("tradeOff");
    QVERIFY(QTest::qWaitFor([&] { return page.front().has_value(); }, patience));
    QVERIFY(page.front()->size() >= 3 && plot.isVisible());
    QCOMPARE(plot.dots().size(), page.front()->size());
    const auto before = open->model.now().parameters;
    const auto steps = open->model.undoStack().count();
    QVERIFY(QTest::qWaitForWindowExposed(open->panel.get()));
    plot.replot(); // its axes have their places
    QSignalSpy picked(&plot, &ScatterPlot::picked);
    QTest::mouseClick(&plot, Qt::LeftButton, {}, pixelOf(plot, 1));
    QCOMPARE(picked.size(), 1);
    QCOMPARE(picked[0][0].value<std::size_t>(), std::size_t{1});
    QCOMPARE(open->model.undoStack().count(), steps + 1);
    QVERIFY(open->settle());
    const auto &place = page.front()->at(1);
    QVERIFY(std::abs(open->value(averageRow) - place.first) <= 1e-6 * std::abs(place.first));
    QVERIFY(std::abs(open->value(peakRow) - place.second) <= 1e-6 * std::abs(place.second));
    // The arrow keys go on from there; undo goes back.
    QTest::keyClick(&plot, Qt::Key_Right);
    QCOMPARE(plot.taken(), std::optional<std::size_t>(2));
    QTest::keyClick(&plot, Qt::Key_Left);
    QTest::keyClick(&plot, Qt::Key_Left);
    QTest::keyClick(&plot, Qt::Key_Left); // there are none before the first
    QCOMPARE(plot.taken(), std::optional<std::size_t>(0));
    QTest::mouseClick(&plot, Qt::LeftButton, {}, {2, 2}); // beside all of them
    QCOMPARE(plot.taken(), std::optional<std::size_t>(0));
    while (open->model.undoStack().count() > 0 && open->model.undoStack().canUndo())
        open->model.undoStack().undo();
    QCOMPARE(open->model.now().parameters, before);
    QVERIFY(plot.csv().starts_with("\"average, K\""));
    QCOMPARE(std::ranges::count(plot.csv(), '\n'),
             static_cast<std::ptrdiff_t>(page.front()->size() + 1));
    open->choose(peakRow);
    QVERIFY(!page.front() && !plot.isVisible());
}

void AnswersTradeOffTest::theFrontKeepsConstraintsAndHeldParameters()
{
    const auto open = openOn(averageRow, 2);
    const auto &set = *open->panel->responses()->set();
    answers::Goal goal;
    goal.aim = answers::Aim::maximum;
    goal.response = averageRow;
    goal.low = {0.3, 0, 0.5};
    goal.high = {0.3, 1, 0.5};
    const double most = known(m_path, peak).model->value(std::vector{0.3, 0.5, 0.5});
    goal.constraints.push_back({peakRow, {}, most});
    const auto front = frontOf(set, goal, {answers::Aim::minimum, peakRow, 0, {}, {}, {}}, {});
    QVERIFY(front.size() >= 2);
    for (const auto &place : front) {
        QCOMPARE(place.x[0], 0.3);
        QVERIFY(place.second <= most * (1 + 1e-6));
        QVERIFY(std::abs(known(m_path, average).model->value(place.x) - place.first) <= 1e-9);
    }
}

void AnswersTradeOffTest::aFrontThatNothingFulfilsIsSaid()
{
    const auto open = openOn(averageRow, 2);
    auto &page = *open->panel->goal();
    page.constraints()->item(peakRow, 1)->setText("1e7");
    open->click("tradeOff");
    QVERIFY(QTest::qWaitFor([&] { return page.front().has_value(); }, patience));
    QVERIFY(page.front()->empty() && !page.tradeOff()->plot()->isVisible());
    QVERIFY2(page.status().contains("Nothing fulfils"), qPrintable(page.status()));
}

void AnswersTradeOffTest::oneResponseHasNoTradeOff()
{
    const auto path = m_folder / "one.gridhelm";
    std::filesystem::copy_file(m_path, path);
    removeResponse(path, "peak");
    OpenAnswers open(path);
    QVERIFY(open.settle());
    open.panel->pages()->setCurrentIndex(2);
    QVERIFY(!open.panel->goal()->tradeOff()->isVisible());
}

void AnswersTradeOffTest::correlationsCountForTheUncertainty()
{
    const auto open = openOn(averageRow, 1);
    const auto &page = *open->panel->uncertainty();
    QVERIFY(QTest::qWaitFor([&] { return page.spread().has_value(); }, patience));
    const auto independent = page.spread()->deviation;
    open->type("correlations", "x,y=0.9; y,strength=-0.3");
    QTest::keyClick(page.inputs()->correlations(), Qt::Key_Return);
    QVERIFY(QTest::qWaitFor([&] { return page.spread().has_value(); }, patience));
    const auto &space = open->panel->responses()->set()->space;
    auto inputs = answers::uniformInputs(space);
    answers::addRankCorrelation(inputs, space, "x,y=0.9", "");
    answers::addRankCorrelation(inputs, space, "y,strength=-0.3", "");
    auto values = answers::responsesAt(*known(m_path, average).model,
                                       answers::samplePlaces(inputs, 65'536, 1), onCpu(1).cpu());
    const auto wanted = answers::spreadOf(values.front(), shownShares, std::nullopt, histogramBars);
    QCOMPARE(page.spread()->deviation, wanted.deviation);
    QVERIFY(wanted.deviation != independent);
    open->panel->pages()->setCurrentIndex(0);
    const auto &influence = *open->panel->influence();
    QVERIFY(QTest::qWaitFor([&] { return influence.effects().has_value(); }, patience));
    const auto effects =
        answers::shapleyEffects(*known(m_path, average).model, inputs, 8192, 1, onCpu(1).cpu());
    QCOMPARE(influence.effects()->effects, effects.effects);
    QVERIFY(!influence.indices());
    QCOMPARE(influence.shares()->series().size(), std::size_t{1});
    QCOMPARE(influence.shares()->series().at(0).values, effects.effects);
}

void AnswersTradeOffTest::mistakesInCorrelationsAreSaid()
{
    const auto open = openOn(averageRow, 1);
    const auto &page = *open->panel->uncertainty();
    auto *problem = open->child<QLabel>("correlationProblem");
    for (const auto *typed : {"x,y", "x,y=2", "x,z=0.5", "x,x=0.5", "x,y=0.9;y,x=0.9",
                              "x,y=0.9;y,strength=0.9;x,strength=-0.9"}) {
        open->type("correlations", typed);
        QTest::keyClick(page.inputs()->correlations(), Qt::Key_Return);
        QVERIFY2(problem->isVisible() && !problem->text().isEmpty(), typed);
        QVERIFY2(!page.spread() && !page.isComputing(), typed);
    }
    open->type("correlations", "");
    QTest::keyClick(page.inputs()->correlations(), Qt::Key_Return);
    QVERIFY(!problem->isVisible());
    QVERIFY(QTest::qWaitFor([&] { return page.spread().has_value(); }, patience));
}

void AnswersTradeOffTest::thePosteriorIsAnInput()
{
    const auto open = openOn(averageRow, 1);
    const auto &uncertainty = *open->panel->uncertainty();
    const auto &inputs = *uncertainty.inputs();
    QVERIFY(QTest::qWaitFor([&] { return uncertainty.spread().has_value(); }, patience));
    const auto before = *uncertainty.spread();
    QVERIFY(!inputs.posteriorMark()->isVisible());
    open->panel->pages()->setCurrentIndex(3);
    auto &page = *open->panel->match();
    const double measured = known(m_path, average).model->value(std::vector{0.4, 0.5, 0.6});
    // One number, which leaves a curve of parameters: their marginals alone would predict badly.
    page.table()->setPlainText(
        QString("response,value,sd\naverage,%1,%2\n").arg(measured).arg(0.01 * measured));
    open->click("fit");
    QVERIFY(QTest::qWaitFor([&] { return page.posterior().has_value(); }, patience));
    QVERIFY(inputs.usesPosterior());
    QCOMPARE(inputs.inputs()->joint.size(), std::size_t{1});
    QVERIFY(inputs.prior()->areIndependent()); // the next fit begins anew
    open->panel->pages()->setCurrentIndex(1);
    QVERIFY(inputs.posteriorMark()->isVisible() && !inputs.field(0)->isEnabled());
    QVERIFY(QTest::qWaitFor([&] { return uncertainty.spread().has_value(); }, patience));
    const auto after = *uncertainty.spread();
    const double error = known(m_path, average).band->offset; // is added to what was measured
    QVERIFY(std::abs(after.mean - measured) <= 0.02 * measured + error);
    QVERIFY(after.deviation < 0.2 * before.deviation);
    // Each by itself knows nothing of the others.
    auto apart = *inputs.inputs();
    apart.joint.clear();
    auto values = answers::responsesAt(*known(m_path, average).model,
                                       answers::samplePlaces(apart, 4096, 1), onCpu(1).cpu());
    const auto marginals =
        answers::spreadOf(values.front(), shownShares, std::nullopt, histogramBars);
    QVERIFY(marginals.deviation > 2 * after.deviation);
    open->panel->pages()->setCurrentIndex(0);
    QVERIFY2(open->panel->influence()->status().contains("Posterior of the calibration"),
             qPrintable(open->panel->influence()->status()));
    open->panel->pages()->setCurrentIndex(1);
    inputs.posteriorMark()->click();
    QVERIFY(!inputs.usesPosterior() && inputs.field(0)->isEnabled());
    QVERIFY(QTest::qWaitFor([&] { return uncertainty.spread().has_value(); }, patience));
    QCOMPARE(uncertainty.spread()->mean, before.mean);
    // Another fit begins without it, and what is held for it is held after it.
    inputs.posteriorMark()->click();
    open->panel->pages()->setCurrentIndex(3);
    page.table()->setPlainText("response,value,sd\naverage,nonsense,1\n");
    open->click("fit");
    QVERIFY(QTest::qWaitFor([&] { return !page.isComputing(); }, patience));
    QVERIFY(!inputs.usesPosterior());
}

void AnswersTradeOffTest::anotherStudyHasNoPosterior()
{
    const auto path = m_folder / "other.gridhelm";
    std::filesystem::copy_file(m_path, path);
    const auto open = openOn(averageRow, 1);
    auto &inputs = *open->panel->uncertainty()->inputs();
    inputs.setPosterior(KnownAfter{{{0, 1}, {{0.4, 0.5}, {0.5, 0.6}}}, {{}, {}, 100.0}, "a table"});
    QVERIFY(inputs.usesPosterior() && !inputs.field(2)->isEnabled());
    QVERIFY(inputs.posteriorMark()->text().contains("a table"));
    QCOMPARE(inputs.inputs()->distributions[2].quantile(0.3), 100.0); // held for it
    open->model.setStudy(factsOf(path)); // which has the same parameters
    QVERIFY(!inputs.usesPosterior() && inputs.field(2)->isEnabled());
    QVERIFY(open->settle());
    QVERIFY(inputs.inputs()->areIndependent());
}

void AnswersTradeOffTest::thePosteriorOutlivesAnotherResponse()
{
    const auto path = m_folder / "grows.gridhelm";
    std::filesystem::copy_file(m_path, path);
    const auto open = openAnswers(path, averageRow, 3);
    auto &page = *open->panel->match();
    const auto &inputs = *open->panel->uncertainty()->inputs();
    const double measured = known(path, average).model->value(std::vector{0.4, 0.5, 0.6});
    page.table()->setPlainText(
        QString("response,value,sd\naverage,%1,%2\n").arg(measured).arg(0.01 * measured));
    open->click("fit");
    QVERIFY(QTest::qWaitFor([&] { return page.posterior().has_value(); }, patience));
    QVERIFY(inputs.usesPosterior());
    // Another response, read while the page is out of sight.
    const auto readAnew = [&] {
        const auto before = open->panel->responses()->set();
        open->panel->pages()->setCurrentIndex(0);
        open->model.setStudy(factsOf(path));
        QVERIFY(
            QTest::qWaitFor([&] { return open->panel->responses()->set() != before; }, patience));
        QVERIFY(open->settle());
        open->panel->pages()->setCurrentIndex(3);
    };
    keep(path, {{"coolest", "K", "temperature", "minimum", ""}});
    readAnew();
    QCOMPARE(open->panel->responses()->rowCount(), 3);
    QVERIFY(page.fitted() && page.posterior() && inputs.usesPosterior());
    const auto text = [&] { return open->child<QLabel>("matchText")->text(); };
    QVERIFY2(text().startsWith("Best fit: ") && !text().contains("has grown"), qPrintable(text()));
    QVERIFY(page.findChild<HistogramPlot *>("marginal:strength"));
    // Further runs: they are not in it.
    addHoldOut(path);
    readAnew();
    QVERIFY(page.fitted() && page.posterior() && inputs.usesPosterior());
    QVERIFY2(text().startsWith("Best fit: ") && text().contains("has grown since: press Fit again"),
             qPrintable(text()));
    QVERIFY(page.found().endsWith("\nThe study has grown since."));
    // The next fit knows them.
    open->click("fit");
    QVERIFY(QTest::qWaitFor([&] { return page.fitted() != nullptr; }, patience));
    QVERIFY2(!text().contains("has grown"), qPrintable(text()));
}

GRIDHELM_WIDGET_TEST(AnswersTradeOffTest)
#include "tst_answers_trade_off.moc"

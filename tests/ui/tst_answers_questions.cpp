// SPDX-License-Identifier: GPL-3.0-or-later
//
// The pages of the panel Answers: influence, uncertainty, goal, match.
#include "core/answers/sobol_indices.h"
#include "core/answers/uncertainty.h"
#include "tests/core/expect_error.h"
#include "tests/ui/answers_case.h"
#include "tests/ui/widget_test.h"
#include "ui/answers/answer_questions.h"
#include "ui/answers/answer_text.h"
#include "ui/answers/bar_plot.h"
#include "ui/answers/goal_page.h"
#include "ui/answers/held_parameters.h"
#include "ui/answers/histogram_plot.h"
#include "ui/answers/influence_page.h"
#include "ui/answers/input_rows.h"
#include "ui/answers/match_page.h"
#include "ui/answers/uncertainty_page.h"

#include <QAction>
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

template <typename Page>
bool waitFor(const Page &page)
{
    return QTest::qWaitFor([&page] { return !page.isComputing(); }, patience);
}

} // namespace

class AnswersQuestionsTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { m_path = makePlateWithResponses(m_folder); }

    void influenceIsThatOfTheLibrary();
    void slopesAreThoseAtTheSliders();
    void inputsCountForTheInfluence();
    void uncertaintyIsThatOfTheLibrary();
    void mistakesInInputsAreSaid();
    void theGoalMovesTheSlidersInOneStep();
    void constraintsAreKeptAndHeldParametersStay();
    void aParameterIsHeldWhereItWasWhenAsked();
    void aGoalThatNothingFulfilsIsSaid();
    void mistakesInGoalsAreSaid();
    void theBestFitMovesTheSliders();
    void whatTheDataCannotTellIsSaid();
    void whatWasKnownIsNotMoved();
    void mistakesInMeasurementsAreSaid();
    void aFitToAnotherStudyOfTheSameNameIsRefused();
    void anotherResponseDropsWhatWasAsked();

private:
    std::unique_ptr<OpenAnswers> openOn(int row, int page) const
    {
        return openAnswers(m_path, row, page);
    }

    Folder m_folder;
    std::filesystem::path m_path;
};

void AnswersQuestionsTest::influenceIsThatOfTheLibrary()
{
    const auto open = openOn(peakRow, 0);
    const auto &page = *open->panel->influence();
    QVERIFY(QTest::qWaitFor([&] { return page.indices().has_value(); }, patience));
    const auto response = known(m_path, peak);
    const auto &space = open->panel->responses()->set()->space;
    const auto wanted = answers::sobolIndices(*response.model, answers::uniformInputs(space), 2048,
                                              1, onCpu(1).cpu())
                            .front();
    QCOMPARE(page.indices()->first, wanted.first);
    QCOMPARE(page.indices()->total, wanted.total);
    QCOMPARE(page.shares()->series().at(0).values, wanted.first);
    QCOMPARE(page.shares()->series().at(1).values, wanted.total);
    QVERIFY(wanted.first[2] > 0.1); // there is something to see
    QVERIFY(!page.findChild<QPushButton *>("cancelAnswer")->isVisible());
}

void AnswersQuestionsTest::slopesAreThoseAtTheSliders()
{
    const auto open = openOn(averageRow, 0);
    const auto &set = *open->panel->responses()->set();
    open->model.setParameter(2, set.space[2].low + 7, false);
    QVERIFY(open->settle());
    const auto x = set.space.toUnit(open->model.now().parameters);
    std::vector<double> slopes(x.size());
    known(m_path, average).model->gradients(x, slopes);
    QCOMPARE(open->panel->influence()->slopes()->series().at(0).values, slopes);
}

void AnswersQuestionsTest::inputsCountForTheInfluence()
{
    const auto open = openOn(averageRow, 1);
    const auto &uncertainty = *open->panel->uncertainty();
    QVERIFY(waitFor(uncertainty));
    auto *field = uncertainty.inputs()->field(2);
    QTest::keyClicks(field, "90"); // held
    QTest::keyClick(field, Qt::Key_Return);
    open->panel->pages()->setCurrentIndex(0);
    const auto &page = *open->panel->influence();
    QVERIFY(QTest::qWaitFor([&] { return page.indices().has_value(); }, patience));
    QVERIFY(std::abs(page.indices()->total[2]) < 1e-9);
    QVERIFY(page.indices()->total[0] > 0.1);
}

void AnswersQuestionsTest::uncertaintyIsThatOfTheLibrary()
{
    const auto open = openOn(averageRow, 1);
    const auto &page = *open->panel->uncertainty();
    QVERIFY(QTest::qWaitFor([&] { return page.spread().has_value(); }, patience));
    const auto response = known(m_path, average);
    const auto &space = open->panel->responses()->set()->space;
    auto inputs = answers::uniformInputs(space);
    const auto spreadBy = [&](std::optional<double> threshold) {
        auto values = answers::responsesAt(
            *response.model, answers::samplePlaces(inputs, 65'536, 1), onCpu(1).cpu());
        return answers::spreadOf(values.front(), shownShares, threshold, histogramBars);
    };
    const auto wanted = spreadBy({});
    QCOMPARE(page.spread()->mean, wanted.mean);
    QCOMPARE(page.spread()->percentiles, wanted.percentiles);
    QCOMPARE(page.plot()->histogram().counts, wanted.histogram.counts);
    // The curve is as high as the bars would be.
    const auto &curve = page.plot()->curve();
    QCOMPARE(curve.dataCount(), static_cast<int>(wanted.density->values.size()));
    const double width = (wanted.high - wanted.low) / histogramBars;
    QCOMPARE(curve.dataMainKey(0), wanted.low);
    QCOMPARE(curve.dataMainValue(64), wanted.density->values[64] * 65'536 * width);
    QVERIFY(page.plot()->csv().starts_with("low,high,count,density\n"));
    QVERIFY(!page.spread()->above);
    // Another input, and how often it is above a value.
    inputs.distributions[2] = answers::InputDistribution::parse("normal(100,10)", space[2]);
    auto *field = page.inputs()->field(2);
    QTest::keyClicks(field, "normal(100,10)");
    QTest::keyClick(field, Qt::Key_Return);
    const auto typed = QString::number(wanted.percentiles[1], 'g', 8);
    open->type("threshold", typed);
    QTest::keyClick(open->child<QLineEdit>("threshold"), Qt::Key_Return);
    QVERIFY(QTest::qWaitFor([&] { return page.spread() && page.spread()->above; }, patience));
    const auto other = spreadBy(typed.toDouble());
    QCOMPARE(page.spread()->mean, other.mean);
    QCOMPARE(page.spread()->above->share, other.above->share);
    QVERIFY(other.above->share > 0 && other.mean != wanted.mean);
    const auto text = open->child<QLabel>("uncertaintyText")->text();
    QVERIFY2(text.contains("validation points"), qPrintable(text));
    const auto &table = *open->child<QTableWidget>("statistics");
    const auto valueOf = [&](const QString &name) {
        for (int row = 0; row < table.rowCount(); ++row)
            if (table.item(row, 0)->text().startsWith(name))
                return table.item(row, 1)->text();
        return QString();
    };
    QVERIFY(table.isVisible());
    QCOMPARE(valueOf("mean"), valueText(other.mean, response.definition.unit));
    QCOMPARE(valueOf("median"), valueText(other.percentiles[1], response.definition.unit));
    QCOMPARE(valueOf("95th percentile"), valueText(other.percentiles[2], response.definition.unit));
    QVERIFY(valueOf("above").startsWith(QString::number(100 * other.above->share, 'g', 3) + " %"));
}

void AnswersQuestionsTest::mistakesInInputsAreSaid()
{
    const auto open = openOn(averageRow, 1);
    const auto &page = *open->panel->uncertainty();
    QVERIFY(waitFor(page));
    auto *field = page.inputs()->field(2);
    auto *problem = open->child<QLabel>("inputProblem:strength");
    for (const auto *typed : {"normal(100", "normal(100,-3)", "uniform(0,1e9)", "1e9", "nan"}) {
        field->clear();
        QTest::keyClicks(field, typed);
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY2(problem->isVisible() && !problem->text().isEmpty(), typed);
        QVERIFY2(!page.spread() && !page.isComputing(), typed);
    }
    open->panel->pages()->setCurrentIndex(0);
    QVERIFY2(open->panel->influence()->status().contains("mistake"),
             qPrintable(open->panel->influence()->status()));
    open->panel->pages()->setCurrentIndex(1);
    field->clear();
    QTest::keyClick(field, Qt::Key_Return);
    QVERIFY(!problem->isVisible());
    QVERIFY(QTest::qWaitFor([&] { return page.spread().has_value(); }, patience));
    open->type("threshold", "hot");
    QTest::keyClick(open->child<QLineEdit>("threshold"), Qt::Key_Return);
    QVERIFY2(page.status().contains("no number"), qPrintable(page.status()));
}

void AnswersQuestionsTest::theGoalMovesTheSlidersInOneStep()
{
    const auto open = openOn(averageRow, 2);
    QSignalSpy moved(open->panel.get(), &AnswersPanel::moved);
    QSignalSpy runs(open->panel.get(), &AnswersPanel::runWanted);
    const auto before = open->model.now().parameters;
    const auto steps = open->model.undoStack().count();
    QVERIFY(!open->child<QPushButton>("runForReal")->isEnabled());
    open->child<QComboBox>("aim")->setCurrentIndex(1);
    open->click("find");
    const auto &page = *open->panel->goal();
    QVERIFY(QTest::qWaitFor([&] { return page.optimum().has_value(); }, patience));
    QVERIFY(open->settle());
    const auto response = known(m_path, average);
    const auto best = page.optimum()->values[averageRow];
    QCOMPARE(response.model->value(page.optimum()->x), best);
    QVERIFY(std::abs(open->value(averageRow) - best) < 1e-9 * std::abs(best));
    const auto &space = open->panel->responses()->set()->space;
    const auto elsewhere = answers::responsesAt(
        *response.model, answers::samplePlaces(answers::uniformInputs(space), 4096, 7),
        onCpu(1).cpu());
    QVERIFY(*std::ranges::max_element(elsewhere.front()) <= best);
    QCOMPARE(moved.size(), 1);
    QCOMPARE(open->model.undoStack().count(), steps + 1);
    const auto text = open->child<QLabel>("goalText")->text();
    QVERIFY2(text.contains(" % error bound "), qPrintable(text));
    open->click("runForReal");
    QCOMPARE(runs.size(), 1);
    QCOMPARE(runs[0][0].value<std::vector<double>>(), open->model.now().parameters);
    open->model.undoStack().undo();
    QCOMPARE(open->model.now().parameters, before);
}

void AnswersQuestionsTest::constraintsAreKeptAndHeldParametersStay()
{
    const auto open = openOn(averageRow, 2);
    auto &page = *open->panel->goal();
    const auto free = known(m_path, peak);
    const auto &set = *open->panel->responses()->set();
    const auto x = set.space.toUnit(open->model.now().parameters);
    const double most = free.model->value(x); // it is possible here
    page.constraints()->item(peakRow, 2)->setText(QString::number(most, 'g', 17));
    auto *held = page.findChild<HeldParameters *>("hold");
    held->menu()->actions().at(1)->setChecked(true);
    QVERIFY(held->text().contains("y"));
    open->child<QComboBox>("aim")->setCurrentIndex(1);
    const double y = open->model.now().parameters[1];
    open->click("find");
    QVERIFY(QTest::qWaitFor([&] { return page.optimum().has_value(); }, patience));
    QVERIFY(page.optimum()->isFeasible);
    QVERIFY(page.optimum()->values[peakRow] <= most * (1 + 1e-6));
    QVERIFY(page.optimum()->values[averageRow] >= known(m_path, average).model->value(x) - 1e-9);
    QCOMPARE(open->model.now().parameters[1], y);
    // Of another response they are still there.
    open->choose(peakRow);
    QCOMPARE(page.constraints()->item(peakRow, 2)->text(), QString::number(most, 'g', 17));
    QVERIFY(!page.optimum());
}

void AnswersQuestionsTest::aParameterIsHeldWhereItWasWhenAsked()
{
    const auto open = openOn(averageRow, 2);
    auto &page = *open->panel->goal();
    const auto &space = open->panel->responses()->set()->space;
    auto *held = page.findChild<HeldParameters *>("hold");
    held->menu()->actions().at(1)->setChecked(true);
    const double y = open->model.now().parameters[1];
    QSignalSpy found(&page, &GoalPage::placeFound);
    open->click("find");
    open->model.setParameter(1, y > 0.5 ? space[1].low : space[1].high, false);
    held->menu()->actions().at(0)->setChecked(true);
    QVERIFY(QTest::qWaitFor([&] { return found.size() == 1; }, patience));
    const auto place = found[0][0].value<std::vector<double>>();
    QCOMPARE(place.at(1), y);
    // What is told is of the place that is told.
    const auto response = known(m_path, average);
    const double there = response.model->value(space.toUnit(place));
    QVERIFY(std::abs(page.optimum()->values[averageRow] - there)
            <= 1e-9 * std::max(1.0, std::abs(there)));
}

void AnswersQuestionsTest::aGoalThatNothingFulfilsIsSaid()
{
    const auto open = openOn(averageRow, 2);
    auto &page = *open->panel->goal();
    page.constraints()->item(peakRow, 1)->setText("1e7");
    open->click("find");
    QVERIFY(QTest::qWaitFor([&] { return page.optimum().has_value(); }, patience));
    QVERIFY(!page.optimum()->isFeasible);
    const auto text = open->child<QLabel>("goalText")->text();
    QVERIFY2(text.startsWith("Nothing fulfils all constraints"), qPrintable(text));
}

void AnswersQuestionsTest::mistakesInGoalsAreSaid()
{
    const auto open = openOn(averageRow, 2);
    auto &page = *open->panel->goal();
    const auto before = open->model.now().parameters;
    const auto refusal = [&] {
        open->click("find");
        return page.isComputing() ? QString() : page.status();
    };
    open->child<QComboBox>("aim")->setCurrentIndex(2);
    QVERIFY2(refusal().contains("missing"), qPrintable(page.status()));
    open->type("target", "warm");
    QVERIFY2(refusal().contains("warm"), qPrintable(page.status()));
    open->type("target", "3");
    page.constraints()->item(peakRow, 1)->setText("5");
    page.constraints()->item(peakRow, 2)->setText("4");
    QVERIFY2(refusal().contains("lower end"), qPrintable(page.status()));
    page.constraints()->item(peakRow, 2)->setText("nan");
    QVERIFY2(refusal().contains("nan"), qPrintable(page.status()));
    QCOMPARE(open->model.now().parameters, before);
}

void AnswersQuestionsTest::theBestFitMovesTheSliders()
{
    const auto open = openOn(averageRow, 3);
    auto &page = *open->panel->match();
    const auto &space = open->panel->responses()->set()->space;
    const std::vector<double> truth{space[0].low + 0.37 * (space[0].high - space[0].low),
                                    space[1].low + 0.58 * (space[1].high - space[1].low),
                                    space[2].low + 0.61 * (space[2].high - space[2].low)};
    // What the surrogate itself has at four places: it must find its way back.
    const auto x = space.toUnit(truth);
    QString table = "quantity,x,y,z,value,sd\n";
    for (const auto *at : {"0.3,0.6,0", "0.7,0.2,0", "0.2,0.3,0", "0.6,0.7,0", "0.4,0.5,0"}) {
        const auto response =
            known(m_path, {"at", "", "temperature", "value", std::string("point ") + at});
        table +=
            QString("temperature,%1,%2,0.05\n").arg(at).arg(response.model->value(x), 0, 'g', 17);
    }
    const auto file = m_folder / "sensors.csv";
    {
        QFile out(QString::fromStdString(file.string()));
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(table.toUtf8());
    }
    page.open(QString::fromStdString(file.string()));
    QCOMPARE(page.table()->toPlainText(), table);
    const auto steps = open->model.undoStack().count();
    open->click("fit");
    QVERIFY(QTest::qWaitFor([&] { return page.fitted() != nullptr; }, patience));
    for (std::size_t t = 0; t < truth.size(); ++t)
        QVERIFY(std::abs(open->model.now().parameters[t] - truth[t])
                < 1e-3 * (space[t].high - space[t].low));
    QCOMPARE(open->model.undoStack().count(), steps + 1);
    QVERIFY(QTest::qWaitFor([&] { return page.posterior().has_value(); }, patience));
    QCOMPARE(page.posterior()->marginals.size(), truth.size());
    for (const auto &marginal : page.posterior()->marginals) {
        const double value = truth[marginal.parameter];
        QVERIFY(marginal.spread.percentiles[0] < value && value < marginal.spread.percentiles[2]);
    }
    QVERIFY(page.findChild<HistogramPlot *>("marginal:strength"));
    const auto text = open->child<QLabel>("matchText")->text();
    QVERIFY2(text.startsWith("Best fit: ") && text.contains("strength"), qPrintable(text));
}

void AnswersQuestionsTest::whatTheDataCannotTellIsSaid()
{
    const auto open = openOn(averageRow, 3);
    auto &page = *open->panel->match();
    const auto x = open->panel->responses()->set()->space.toUnit(open->model.now().parameters);
    page.table()->setPlainText(
        QString("response,value,sd\naverage,%1,0.1\n").arg(known(m_path, average).model->value(x)));
    open->click("fit");
    QVERIFY(QTest::qWaitFor([&] { return page.fitted() != nullptr; }, patience));
    const auto text = open->child<QLabel>("matchText")->text();
    QVERIFY2(text.contains("1 measurement cannot tell 3 parameters apart"), qPrintable(text));
    if (page.isComputing()) // not yet done
        QTest::mouseClick(page.findChild<QPushButton *>("cancelAnswer"), Qt::LeftButton);
    QVERIFY(!page.isComputing());
    // What is held need not be found.
    auto *held = page.findChild<HeldParameters *>("hold");
    held->menu()->actions().at(0)->setChecked(true);
    held->menu()->actions().at(1)->setChecked(true);
    const auto before = open->model.now().parameters;
    open->click("fit");
    QVERIFY(QTest::qWaitFor([&] { return page.fitted() != nullptr; }, patience));
    QCOMPARE(page.fitted()->match.matching->unknowns(), std::vector<std::size_t>{2});
    QCOMPARE(open->model.now().parameters[0], before[0]);
    QCOMPARE(open->model.now().parameters[1], before[1]);
}

void AnswersQuestionsTest::whatWasKnownIsNotMoved()
{
    const auto open = openOn(averageRow, 3);
    auto &page = *open->panel->match();
    const auto &space = open->panel->responses()->set()->space;
    const auto strengthAt = [&](double share) {
        return space[2].low + share * (space[2].high - space[2].low);
    };
    const auto fitTo = [&](double one, double other) {
        const double value = known(m_path, average).model->value(std::vector{0.4, 0.5, 0.25});
        page.table()->setPlainText(QString("response,value,sd,strength\naverage,%1,0.1,%2\n"
                                           "average,%1,0.1,%3\n")
                                       .arg(value, 0, 'g', 17)
                                       .arg(one, 0, 'g', 17)
                                       .arg(other, 0, 'g', 17));
        open->click("fit");
        QVERIFY(QTest::qWaitFor([&] { return page.fitted() != nullptr; }, patience));
        QCOMPARE(page.fitted()->match.matching->unknowns(), (std::vector<std::size_t>{0, 1}));
        if (page.isComputing()) // the posterior is not looked at
            QTest::mouseClick(page.findChild<QPushButton *>("cancelAnswer"), Qt::LeftButton);
    };
    // Known by a column, at its slider: it is not moved to the middle.
    open->model.setParameter(2, strengthAt(0.25), false);
    fitTo(strengthAt(0.25), strengthAt(0.25));
    QCOMPARE(open->model.now().parameters[2], strengthAt(0.25));
    // The sliders go where it was measured, if that is one place.
    open->model.setParameter(2, strengthAt(0.75), false);
    fitTo(strengthAt(0.25), strengthAt(0.25));
    QCOMPARE(open->model.now().parameters[2], strengthAt(0.25));
    open->model.setParameter(2, strengthAt(0.75), false);
    fitTo(strengthAt(0.25), strengthAt(0.375));
    QCOMPARE(open->model.now().parameters[2], strengthAt(0.75));
}

void AnswersQuestionsTest::aFitToAnotherStudyOfTheSameNameIsRefused()
{
    const auto path = m_folder / "replaced.gridhelm";
    std::filesystem::copy_file(m_path, path);
    const auto set = openAnswerSet(path, onCpu(1));
    replaceByTwoParameters(path);
    MatchQuestion question{"response,value,sd\naverage,1,1\n", "", {}, {}};
    question.fixed.resize(3);
    question.sliders.resize(3);
    question.prior = answers::uniformInputs(set->space);
    QVERIFY(isRefused([&] { bestFitOf(*set, question); }, "other parameters"));
}

void AnswersQuestionsTest::mistakesInMeasurementsAreSaid()
{
    const auto open = openOn(averageRow, 3);
    auto &page = *open->panel->match();
    const auto before = open->model.now().parameters;
    const auto refusal = [&](const QString &table) {
        page.table()->setPlainText(table);
        open->click("fit");
        return QTest::qWaitFor([&] { return !page.isComputing(); }, patience) ? page.status()
                                                                              : QString();
    };
    QVERIFY2(refusal("").contains("is empty"), qPrintable(page.status()));
    QVERIFY2(refusal("response,value,sd\naverage,3,0\n").contains("the table, line 2"),
             qPrintable(page.status()));
    QVERIFY2(refusal("response,value,sd\nwarmth,3,1\n").contains("warmth"),
             qPrintable(page.status()));
    QVERIFY2(refusal("quantity,x,y,z,value,sd\ntemperature,9,9,9,3,1\n").contains("9,9,9"),
             qPrintable(page.status()));
    QCOMPARE(open->model.now().parameters, before);
    page.open("/nowhere/sensors.csv");
    QVERIFY2(page.status().contains("cannot be read"), qPrintable(page.status()));
}

void AnswersQuestionsTest::anotherResponseDropsWhatWasAsked()
{
    const auto open = openOn(averageRow, 0);
    const auto &page = *open->panel->influence();
    QVERIFY(QTest::qWaitFor([&] { return page.indices().has_value(); }, patience));
    const auto ofAverage = page.indices()->variance;
    open->choose(peakRow);
    QVERIFY(!page.indices());
    QVERIFY(QTest::qWaitFor([&] { return page.indices().has_value(); }, patience));
    QVERIFY(page.indices()->variance != ofAverage);
}

GRIDHELM_WIDGET_TEST(AnswersQuestionsTest)
#include "tst_answers_questions.moc"

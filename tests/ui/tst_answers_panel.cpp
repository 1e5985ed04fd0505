// SPDX-License-Identifier: GPL-3.0-or-later
//
// The rows of the panel Answers: responses are added, edited, removed, and follow the sliders.
#include "data/evaluate/error_bands.h"
#include "tests/core/expect_error.h"
#include "tests/ui/answers_case.h"
#include "tests/ui/widget_test.h"
#include "ui/answers/answer_set.h"
#include "ui/answers/background_answer.h"
#include "ui/answers/live_answer.h"

#include <QApplication>
#include <QSignalSpy>

#include <cmath>
#include <thread>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

class AnswersPanelTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { m_plate = makePlate(m_folder); }
    void init()
    {
        m_path = m_folder / "copy.gridhelm";
        std::filesystem::copy_file(m_plate, m_path,
                                   std::filesystem::copy_options::overwrite_existing);
    }

    void whoHasAskedForNoneHasTheFieldsOwn();
    void aResponseThatIsAddedIsKeptAndHasItsValue();
    void mistakesAreSaidBesideTheirFields();
    void whatTheStudyRefusesIsSaidInTheForm();
    void anEditedResponseTakesThePlaceOfTheOldOne();
    void aRemovedResponseIsForgotten();
    void aRenamingIsWholeOrNotAtAll();
    void whileOneIsWrittenNoOtherIs();
    void whatIsKnownIsNotReadAgain();
    void whatIsStoppedIsNotWritten();
    void anotherStudyOfTheSameNameIsAnotherOne();
    void rowsFollowTheSliders();
    void everyRowHasItsCurveAndError();
    void slowOnesComeInSteps();
    void aNewerQuestionEndsASlowOne();
    void aScalarStudyAnswersForItsParameters();
    void whatIsNotSeenIsNotRead();
    void aQuestionThatIsTakenBackSaysNothing();
    void aNewQuestionTakesThePlaceOfTheOldOne();
    void whatIsThrownIsSaid();

private:
    Folder m_folder;
    std::filesystem::path m_plate, m_path;
};

void AnswersPanelTest::whoHasAskedForNoneHasTheFieldsOwn()
{
    OpenAnswers open(m_path);
    QVERIFY(open.settle());
    QVERIFY(!open.child<QLabel>("answersNotice")->isVisible());
    QStringList names;
    for (int row = 0; row < open.panel->responses()->rowCount(); ++row)
        names << open.panel->responses()->index(row).data(ResponseListModel::nameRole).toString();
    QCOMPARE(names,
             (QStringList{"temperature_mean", "temperature_minimum", "temperature_maximum"}));
    QVERIFY(open.panel->list()->isVisible() && open.panel->pages()->isVisible());
    QVERIFY(open.child<QPushButton>("addResponse")->isEnabled());
    QVERIFY(data::Study::open(m_path).responses().empty()); // nothing is written
    open.panel->clearStudy();
    QVERIFY(!open.panel->isEnabled());
}

void AnswersPanelTest::aResponseThatIsAddedIsKeptAndHasItsValue()
{
    OpenAnswers open(m_path);
    QVERIFY(open.settle());
    open.click("addResponse");
    QCOMPARE(open.child<QLineEdit>("responseFormula")->text(), "temperature"); // the first field
    open.type("responseName", "average");
    open.type("responseUnit", "K");
    open.click("keepResponse");
    QVERIFY(QTest::qWaitFor([&] { return open.panel->responses()->rowCount() == 4; }, patience));
    QVERIFY(open.settle());
    QVERIFY(!open.panel->form()->isVisible());
    const auto kept = data::Study::open(m_path).responses(); // with those that were there
    QCOMPARE(kept.size(), std::size_t{4});
    QCOMPARE(kept.back(), average);
    const auto response = known(m_path, average);
    const auto x = open.panel->responses()->set()->space.toUnit(open.model.now().parameters);
    QCOMPARE(open.value(3), response.model->value(x));
    QCOMPARE(open.shownValue(3), QString::number(response.model->value(x), 'g', 5) + " K");
    QVERIFY(!open.child<QLabel>("answersNotice")->isVisible());
}

void AnswersPanelTest::mistakesAreSaidBesideTheirFields()
{
    OpenAnswers open(m_path);
    QVERIFY(open.settle());
    open.click("addResponse");
    open.type("responseName", "average");
    auto *keepIt = open.child<QPushButton>("keepResponse");
    QVERIFY(keepIt->isEnabled());
    const auto refusal = [&](const char *field, const char *problem, const QString &text) {
        open.type(field, text);
        const auto *label = open.child<QLabel>(problem);
        return label->isVisible() && !keepIt->isEnabled() ? label->text() : QString();
    };
    const auto formula = refusal("responseFormula", "responseFormulaProblem", "temprature * (2");
    QVERIFY2(!formula.isEmpty(), qPrintable(formula));
    QVERIFY2(refusal("responseFormula", "responseFormulaProblem", "pressure").contains("pressure"),
             "what is not there is named");
    open.type("responseFormula", "temperature");
    QVERIFY(keepIt->isEnabled() && !open.child<QLabel>("responseFormulaProblem")->isVisible());
    QVERIFY(!refusal("responsePlace", "responsePlaceProblem", "box 1,2").isEmpty());
    open.type("responsePlace", "");
    open.child<QComboBox>("responseReduction")->setEditText("average");
    QVERIFY(!keepIt->isEnabled() && open.child<QLabel>("responseReductionProblem")->isVisible());
    QVERIFY(data::Study::open(m_path).responses().empty());
    QTest::keyClick(open.panel->form(), Qt::Key_Escape);
    QVERIFY(!open.panel->form()->isVisible());
}

void AnswersPanelTest::whatTheStudyRefusesIsSaidInTheForm()
{
    keep(m_path, {average});
    OpenAnswers open(m_path);
    QVERIFY(open.settle());
    const auto refusal = [&](const QString &name, const QString &place) {
        open.click("addResponse");
        open.type("responseName", name);
        open.type("responsePlace", place);
        open.click("keepResponse");
        auto *problem = open.child<QLabel>("responseProblem");
        return QTest::qWaitFor([&] { return problem->isVisible(); }, patience) ? problem->text()
                                                                               : QString();
    };
    const auto outside = refusal("far", "point 5,5,5");
    QVERIFY2(outside.contains("far"), qPrintable(outside));
    const auto twice = refusal("average", "");
    QVERIFY2(twice.contains("already"), qPrintable(twice));
    QVERIFY(open.panel->form()->isVisible());
    QCOMPARE(data::Study::open(m_path).responses(), std::vector{average});
}

void AnswersPanelTest::anEditedResponseTakesThePlaceOfTheOldOne()
{
    keep(m_path, {average, peak});
    OpenAnswers open(m_path);
    QVERIFY(open.settle());
    open.choose(1);
    open.click("editResponse");
    QCOMPARE(open.child<QLineEdit>("responseName")->text(), "peak");
    open.type("responseName", "hottest");
    open.child<QComboBox>("responseReduction")->setEditText("percentile 99");
    open.click("keepResponse");
    QVERIFY(QTest::qWaitFor([&] { return !open.panel->form()->isVisible(); }, patience));
    QVERIFY(open.settle());
    auto hottest = peak;
    hottest.name = "hottest";
    hottest.reduction = "percentile 99";
    const auto now = data::Study::open(m_path).responses();
    QCOMPARE(now.size(), std::size_t{2});
    QVERIFY(std::ranges::find(now, hottest) != now.end());
    QVERIFY(std::ranges::find(now, average) != now.end());
    QCOMPARE(open.panel->list()->currentIndex().data(ResponseListModel::nameRole).toString(),
             "hottest");
}

void AnswersPanelTest::aRemovedResponseIsForgotten()
{
    keep(m_path, {average, peak});
    OpenAnswers open(m_path);
    QSignalSpy news(open.panel.get(), &AnswersPanel::news);
    QVERIFY(open.settle());
    open.choose(0);
    const auto name = open.panel->list()->currentIndex().data(ResponseListModel::nameRole);
    open.click("removeResponse");
    QVERIFY(QTest::qWaitFor([&] { return open.panel->responses()->rowCount() == 1; }, patience));
    QCOMPARE(data::Study::open(m_path).responses().size(), std::size_t{1});
    QVERIFY(data::Study::open(m_path).responses()[0].name != name.toString().toStdString());
    QCOMPARE(news.size(), 1);
    QVERIFY(news[0][0].toString().contains(name.toString()));
}

void AnswersPanelTest::aRenamingIsWholeOrNotAtAll()
{
    keep(m_path, {average});
    auto hottest = peak;
    hottest.name = "hottest";
    QVERIFY(isRefused([&] { putResponse(m_path, hottest, "gone", onCpu(1)); }, "gone"));
    QCOMPARE(data::Study::open(m_path).responses(), std::vector{average});
    putResponse(m_path, hottest, "average", onCpu(1));
    QCOMPARE(data::Study::open(m_path).responses(), std::vector{hottest});
}

void AnswersPanelTest::whatIsKnownIsNotReadAgain()
{
    keep(m_path, {average});
    const auto before = openAnswerSet(m_path, onCpu(1));
    const auto with = putResponse(m_path, peak, {}, onCpu(1), before);
    QVERIFY(with);
    const auto after = openAnswerSet(m_path, onCpu(1), with);
    QCOMPARE(after->responses.size(), std::size_t{2});
    QCOMPARE(after->responses[averageRow].model, before->responses[0].model);
    QCOMPARE(after->responses[peakRow].model, with->responses[peakRow].model);

    OpenAnswers open(m_path);
    QVERIFY(open.settle());
    const auto shown = open.panel->responses()->set();
    open.click("addResponse");
    open.type("responseName", "third");
    open.click("keepResponse");
    QVERIFY(QTest::qWaitFor([&] { return open.panel->responses()->rowCount() == 3; }, patience));
    const auto third = open.panel->responses()->set();
    QCOMPARE(third->responses[averageRow].model, shown->responses[averageRow].model);
    QCOMPARE(third->responses[peakRow].model, shown->responses[peakRow].model);
    // What the study has grown by changes all of them.
    addHoldOut(m_path);
    open.model.setStudy(factsOf(m_path));
    QVERIFY(QTest::qWaitFor([&] { return open.panel->responses()->set() != third; }, patience));
    QVERIFY(open.panel->responses()->set()->responses[0].model != third->responses[0].model);
}

void AnswersPanelTest::whatIsStoppedIsNotWritten()
{
    keep(m_path, {average});
    std::stop_source source;
    source.request_stop();
    QVERIFY(isRefused([&] { putResponse(m_path, peak, {}, onCpu(1), {}, source.get_token()); },
                      "taken back"));
    QVERIFY(
        isRefused([&] { openAnswerSet(m_path, onCpu(1), {}, source.get_token()); }, "taken back"));
    QCOMPARE(data::Study::open(m_path).responses(), std::vector{average});
}

void AnswersPanelTest::whileOneIsWrittenNoOtherIs()
{
    keep(m_path, {average, peak});
    OpenAnswers open(m_path);
    QSignalSpy failed(open.panel.get(), &AnswersPanel::failed);
    QVERIFY(open.settle());
    open.click("removeResponse");
    for (const char *name : {"addResponse", "editResponse", "removeResponse"})
        QVERIFY2(!open.child<QPushButton>(name)->isEnabled(), name);
    open.click("removeResponse");
    QVERIFY(QTest::qWaitFor([&] { return open.panel->responses()->rowCount() == 1; }, patience));
    QVERIFY(open.settle());
    for (const char *name : {"addResponse", "editResponse", "removeResponse"})
        QVERIFY2(open.child<QPushButton>(name)->isEnabled(), name);
    QCOMPARE(failed.size(), 0);
}

void AnswersPanelTest::anotherStudyOfTheSameNameIsAnotherOne()
{
    keep(m_path, {average});
    OpenAnswers open(m_path);
    QVERIFY(open.settle());
    open.model.setParameter(2, open.panel->responses()->set()->space[2].low, false);
    QVERIFY(open.settle());
    QCOMPARE(open.panel->responses()->live()->question.moved, std::size_t{2});
    replaceByTwoParameters(m_path);
    open.model.setStudy(test::factsOf(m_path));
    QVERIFY(!open.panel->responses()->set()); // that of the other one is not asked
    QVERIFY(open.settle());
    const auto &live = *open.panel->responses()->live();
    QCOMPARE(live.question.parameters.size(), std::size_t{2});
    QVERIFY(live.question.moved < 2 && live.responses.at(0).value);
}

void AnswersPanelTest::rowsFollowTheSliders()
{
    keep(m_path, {average, peak});
    OpenAnswers open(m_path);
    QVERIFY(open.settle());
    const auto &space = open.panel->responses()->set()->space;
    for (const std::size_t t : {std::size_t{2}, std::size_t{0}}) {
        const auto &parameter = space[t];
        open.model.setParameter(t, parameter.low + 0.3 * (parameter.high - parameter.low), true);
        QVERIFY(open.settle());
        const auto x = space.toUnit(open.model.now().parameters);
        const auto &set = *open.panel->responses()->set();
        for (std::size_t k = 0; k < set.responses.size(); ++k) {
            const auto response = known(m_path, set.responses[k].definition);
            QCOMPARE(open.value(static_cast<int>(k)), response.model->value(x));
        }
        QCOMPARE(open.panel->responses()->live()->question.moved, t);
    }
    open.model.undoStack().undo();
    QVERIFY(open.settle());
    QCOMPARE(open.panel->responses()->live()->question.parameters, open.model.now().parameters);
}

void AnswersPanelTest::everyRowHasItsCurveAndError()
{
    keep(m_path, {average, peak});
    OpenAnswers open(m_path);
    QVERIFY(open.settle());
    open.model.setParameter(1, open.panel->responses()->set()->space[1].low, false);
    QVERIFY(open.settle());
    const auto &live = *open.panel->responses()->live();
    const auto &set = *open.panel->responses()->set();
    auto x = set.space.toUnit(open.model.now().parameters);
    for (std::size_t k = 0; k < set.responses.size(); ++k) {
        const auto &row = live.responses[k];
        QCOMPARE(row.curve.size(), live.curveAt.size());
        for (const std::size_t i : {std::size_t{0}, row.curve.size() / 3, row.curve.size() - 1}) {
            auto there = x;
            there[1] = live.curveAt[i];
            QCOMPARE(row.curve[i], set.responses[k].model->value(there));
        }
        QCOMPARE(row.slopes.size(), x.size());
        const auto text = open.panel->responses()
                              ->index(static_cast<int>(k))
                              .data(ResponseListModel::errorRole)
                              .toString();
        QVERIFY(set.responses[k].band);
        QCOMPARE(text, QString::fromStdString(data::coverageText(*set.responses[k].band))
                           + " error bound "
                           + QString::number(set.responses[k].band->offset, 'g', 3) + " K");
    }
    // Along the curve the other values are as they were: it stays.
    const auto before = live.responses[0].curve;
    open.model.setParameter(1, set.space[1].high, false);
    QVERIFY(open.settle());
    QCOMPARE(open.panel->responses()->live()->responses[0].curve, before);
    // Across it is another one.
    open.model.setParameter(2, set.space[2].high, false);
    open.model.setParameter(1, set.space[1].low, false);
    QVERIFY(open.settle());
    QVERIFY(open.panel->responses()->live()->responses[0].curve != before);
}

/// One response that is a sum of rows in name alone, and one that takes its time: x + 2 y.
static std::shared_ptr<const AnswerSet> slowSet()
{
    auto set = std::make_shared<AnswerSet>(AnswerSet{
        {}, ParameterSpace({{"x", "", 0, 1}, {"y", "", 0, 10}}), {}, nullptr, {}, {0}, onCpu(1)});
    data::StudyResponse response;
    response.definition = {"slow", "", "f", "maximum", ""};
    response.way = data::ResponseWay::field;
    response.model = std::make_shared<answers::ResponseModel>(
        2, std::vector<answers::ResponseModel::Part>(), std::vector<double>{0.0},
        std::vector<answers::ResponseModel::Function>{
            {0, [](std::span<const double> x) { return x[0] + 2 * x[1]; }}});
    set->responses = {response};
    return set;
}

void AnswersPanelTest::slowOnesComeInSteps()
{
    LiveEvaluator evaluator;
    std::vector<LiveAnswer> answers;
    evaluator.answer(
        {slowSet(), {0.25, 5}, 1}, [] { return false; },
        [&](LiveAnswer answer) { answers.push_back(std::move(answer)); });
    QCOMPARE(answers.size(), std::size_t{2});
    QCOMPARE(*answers[0].responses[0].value, 1.25);
    QVERIFY(answers[0].responses[0].curve.empty() && !answers[0].isWhole);
    const auto &whole = answers[1];
    QVERIFY(whole.isWhole);
    QCOMPARE(whole.responses[0].curve.front(), 0.25);
    QCOMPARE(whole.responses[0].curve.back(), 2.25);
    QVERIFY(std::abs(whole.responses[0].slopes[0] - 1) < 1e-6
            && std::abs(whole.responses[0].slopes[1] - 2) < 1e-6);
}

void AnswersPanelTest::aNewerQuestionEndsASlowOne()
{
    LiveEvaluator evaluator;
    std::vector<LiveAnswer> answers;
    int looks = 0;
    evaluator.answer(
        {slowSet(), {0.25, 5}, 1}, [&] { return ++looks > 3; },
        [&](LiveAnswer answer) { answers.push_back(std::move(answer)); });
    QCOMPARE(answers.size(), std::size_t{1}); // the value, without which nothing would be seen
    QVERIFY(answers[0].responses[0].value && !answers[0].isWhole);
}

void AnswersPanelTest::aScalarStudyAnswersForItsParameters()
{
    const auto path = m_folder / "scalar.gridhelm";
    Parameter x{"px", "m", 0, 2}, a{"a", "", 1, 100};
    x.kind = ParameterKind::spatial;
    auto writer = data::StudyWriter::create(
        path, {"scalar", data::StudyKind::scalar, ParameterSpace({x, a}), 3, ""});
    writer.addField(smallField("u", 1));
    runAllJobs(writer);
    compress(writer, {});
    writer.putResponse({"mean", "", "u", "mean", ""});
    writer.close();
    OpenAnswers open(path);
    QVERIFY(open.settle());
    const auto &set = open.panel->responses()->set();
    QVERIFY(set);
    QCOMPARE(set->space.parameters().size(), std::size_t{1}); // space is none
    QCOMPARE(set->space[0].name, "a");
    QCOMPARE(open.value(0),
             set->responses[0].model->value(set->space.toUnit(open.model.now().parameters)));
    QVERIFY(open.child<QPushButton>("addResponse")->isEnabled());
}

void AnswersPanelTest::whatIsNotSeenIsNotRead()
{
    keep(m_path, {average});
    SteeringModel model;
    AnswersPanel panel(model, onCpu(1));
    model.setStudy(test::factsOf(m_path));
    QTest::qWait(300);
    QCOMPARE(panel.responses()->rowCount(), 0);
    panel.setActive(true);
    QVERIFY(QTest::qWaitFor([&] { return panel.isSettled(); }, patience));
    QCOMPARE(panel.responses()->rowCount(), 1);
    panel.setActive(false);
    const auto before = panel.responses()->live();
    model.setParameter(0, panel.responses()->set()->space[0].low, false);
    QTest::qWait(300);
    QCOMPARE(panel.responses()->live(), before);
}

void AnswersPanelTest::aQuestionThatIsTakenBackSaysNothing()
{
    BackgroundAnswer answer;
    QSignalSpy running(&answer, &BackgroundAnswer::runningChanged);
    bool hasEnded = false;
    answer.start([&hasEnded](const std::stop_token &stop) {
        while (!stop.stop_requested())
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return [&hasEnded] { hasEnded = true; };
    });
    QVERIFY(answer.isRunning());
    answer.cancel();
    QVERIFY(!answer.isRunning());
    QTest::qWait(200);
    QVERIFY(!hasEnded);
    QCOMPARE(running.size(), 2);
}

void AnswersPanelTest::aNewQuestionTakesThePlaceOfTheOldOne()
{
    BackgroundAnswer answer;
    QStringList said;
    answer.start([&said](const std::stop_token &) { // which does not look at it
        std::this_thread::sleep_for(std::chrono::milliseconds(150));
        return [&said] { said.append("first"); };
    });
    answer.start([&said](const std::stop_token &) { return [&said] { said.append("second"); }; });
    QVERIFY(QTest::qWaitFor([&] { return !said.isEmpty(); }, patience));
    QTest::qWait(400);
    QCOMPARE(said, QStringList{"second"});
}

void AnswersPanelTest::whatIsThrownIsSaid()
{
    BackgroundAnswer answer;
    QSignalSpy failed(&answer, &BackgroundAnswer::failed);
    answer.start([](const std::stop_token &) -> std::function<void()> {
        throw Error("that is not possible");
    });
    QVERIFY(QTest::qWaitFor([&] { return failed.size() == 1; }, patience));
    QCOMPARE(failed[0][0].toString(), "that is not possible");
    QVERIFY(!answer.isRunning());
}

GRIDHELM_WIDGET_TEST(AnswersPanelTest)
#include "tst_answers_panel.moc"

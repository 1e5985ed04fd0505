// SPDX-License-Identifier: GPL-3.0-or-later
//
// The panel Answers beside a response that cannot be had, and beside a study that grows.
#include "tests/core/expect_error.h"
#include "tests/ui/answers_case.h"
#include "tests/ui/widget_test.h"
#include "ui/answers/answer_questions.h"
#include "ui/answers/answer_set.h"
#include "ui/answers/bar_plot.h"
#include "ui/answers/goal_page.h"
#include "ui/answers/influence_page.h"
#include "ui/answers/trade_off_box.h"
#include "ui/answers/uncertainty_page.h"

#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTableWidget>

#include <chrono>
#include <cmath>
#include <memory>
#include <semaphore>
#include <vector>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

namespace {

/// No place of a plate, so that it cannot be had.
const data::ResponseDefinition far{"far", "K", "temperature", "value", "point 5,5,5"};
constexpr int farRow = 1, peakBelow = 2; ///< as the study sorts average, far, and peak

/// Asks what is answered as soon as the test lets it.
class PatientPage : public AnswerPage
{
public:
    void release() { m_gate->release(); }

    int asked = 0;
    std::vector<std::shared_ptr<const AnswerSet>> answered; ///< which set each answer is of

protected:
    void refresh() override
    {
        ++asked;
        compute([this, gate = m_gate, of = set()](const std::stop_token &stop) {
            while (!stop.stop_requested() && !gate->try_acquire_for(std::chrono::milliseconds(1)))
                continue;
            return [this, of] { answered.push_back(of); };
        });
    }

private:
    std::shared_ptr<std::counting_semaphore<>> m_gate =
        std::make_shared<std::counting_semaphore<>>(0);
};

} // namespace

class AnswersProblemsTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_plate = makePlate(m_folder);
        keep(m_plate, {average, far, peak});
    }
    void init()
    {
        m_path = m_folder / "copy.gridhelm";
        std::filesystem::copy_file(m_plate, m_path,
                                   std::filesystem::copy_options::overwrite_existing);
    }

    void oneThatCannotBeHadLeavesTheOthers();
    void itCanBeMended();
    void itCanBeRemoved();
    void nothingCanBeAskedAboutIt();
    void otherGoalsAreFoundBesideIt();
    void ofSuchAloneTheStudyIsShown();
    void whatIsBeingReadIsShownThoughTheStudyGrows();
    void aQuestionIsAnsweredThoughTheStudyGrows();
    void aQuestionThatIsTakenBackIsNotAskedOfMore();
    void anOptimumStaysThoughTheStudyGrows();

private:
    Folder m_folder;
    std::filesystem::path m_plate, m_path;
};

void AnswersProblemsTest::oneThatCannotBeHadLeavesTheOthers()
{
    OpenAnswers open(m_path);
    QVERIFY(open.settle());
    const auto &set = *open.panel->responses()->set();
    QCOMPARE(open.panel->responses()->rowCount(), 3);
    const auto problem = QString::fromStdString(set.responses[farRow].problem);
    QVERIFY2(problem.contains("5,5,5"), qPrintable(problem));
    const auto text = [&](int row, int role) {
        return open.panel->responses()->index(row).data(role).toString();
    };
    QCOMPARE(text(farRow, ResponseListModel::errorRole), problem);
    QCOMPARE(text(farRow, ResponseListModel::valueRole), "");
    QVERIFY(text(farRow, Qt::ToolTipRole).contains("5,5,5"));
    QVERIFY(text(farRow, Qt::AccessibleTextRole).startsWith("far: "));
    const auto x = set.space.toUnit(open.model.now().parameters);
    QCOMPARE(open.value(averageRow), known(m_path, average).model->value(x));
    QCOMPARE(open.value(peakBelow), known(m_path, peak).model->value(x));
    for (const int row : {averageRow, peakBelow})
        QVERIFY(text(row, ResponseListModel::errorRole).contains(" % error bound "));
    QVERIFY(!open.child<QLabel>("answersNotice")->isVisible());
}

void AnswersProblemsTest::itCanBeMended()
{
    OpenAnswers open(m_path);
    QVERIFY(open.settle());
    open.choose(farRow);
    for (const char *name : {"addResponse", "editResponse", "removeResponse"})
        QVERIFY2(open.child<QPushButton>(name)->isEnabled(), name);
    open.click("editResponse");
    QCOMPARE(open.child<QLineEdit>("responsePlace")->text(), "point 5,5,5");
    open.type("responsePlace", "point 0.5,0.5,0");
    open.click("keepResponse");
    QVERIFY(QTest::qWaitFor([&] { return !open.panel->form()->isVisible(); }, patience));
    QVERIFY(open.settle());
    QVERIFY(open.panel->responses()->set()->responses[farRow].problem.empty());
    QVERIFY(!open.shownValue(farRow).isEmpty());
}

void AnswersProblemsTest::itCanBeRemoved()
{
    OpenAnswers open(m_path);
    QVERIFY(open.settle());
    open.choose(farRow);
    open.click("removeResponse");
    QVERIFY(QTest::qWaitFor([&] { return open.panel->responses()->rowCount() == 2; }, patience));
    QCOMPARE(data::Study::open(m_path).responses(), (std::vector{average, peak}));
}

void AnswersProblemsTest::nothingCanBeAskedAboutIt()
{
    const auto open = openAnswers(m_path, averageRow, 0);
    const auto &set = *open->panel->responses()->set();
    const auto problem = QString::fromStdString(set.responses[farRow].problem);
    QVERIFY(!open->panel->influence()->slopes()->series().empty());
    open->choose(farRow);
    const auto &influence = *open->panel->influence();
    QCOMPARE(influence.status(), problem);
    QVERIFY(!influence.isComputing() && influence.slopes()->series().empty());
    open->panel->pages()->setCurrentIndex(1);
    QCOMPARE(open->panel->uncertainty()->status(), problem);
    QVERIFY(!open->panel->uncertainty()->isComputing());
    open->panel->pages()->setCurrentIndex(2);
    QCOMPARE(open->panel->goal()->status(), problem);
    QVERIFY(!open->child<QPushButton>("find")->isEnabled());
    QVERIFY(!open->child<QPushButton>("tradeOff")->isEnabled());
    // Those who ask all the same hear it, too.
    const auto inputs = answers::uniformInputs(set.space);
    answers::Goal goal;
    goal.response = farRow;
    QVERIFY(isRefused([&] { influenceOf(set, farRow, inputs, {}); }, "5,5,5"));
    QVERIFY(isRefused([&] { shapleyOf(set, farRow, inputs, {}); }, "5,5,5"));
    QVERIFY(isRefused([&] { uncertaintyOf(set, farRow, inputs, {}, {}); }, "5,5,5"));
    QVERIFY(isRefused([&] { optimumOf(set, goal, {}); }, "5,5,5"));
}

void AnswersProblemsTest::otherGoalsAreFoundBesideIt()
{
    const auto open = openAnswers(m_path, averageRow, 2);
    auto &page = *open->panel->goal();
    auto *item = page.constraints()->item(farRow, 1);
    QVERIFY(!(item->flags() & Qt::ItemIsEditable));
    QVERIFY(item->toolTip().contains("5,5,5"));
    QVERIFY(page.constraints()->item(averageRow, 1)->flags() & Qt::ItemIsEditable);
    const auto *others =
        qobject_cast<QStandardItemModel *>(open->child<QComboBox>("against")->model());
    QCOMPARE(others->rowCount(), 4); // small and large, of far and peak
    QVERIFY(!others->item(0)->isEnabled() && !others->item(1)->isEnabled());
    QCOMPARE(page.tradeOff()->other()->response, static_cast<std::size_t>(peakBelow));
    open->click("find");
    QVERIFY(QTest::qWaitFor([&] { return page.optimum().has_value(); }, patience));
    QVERIFY(std::isnan(page.optimum()->values[farRow]));
    QVERIFY(std::isfinite(page.optimum()->values[averageRow]));
    // Ends that it had when it could be had.
    item->setText("5");
    open->click("find");
    QVERIFY(!page.isComputing());
    QVERIFY2(page.status().contains("clear its ends"), qPrintable(page.status()));
}

void AnswersProblemsTest::ofSuchAloneTheStudyIsShown()
{
    removeResponse(m_path, "average");
    removeResponse(m_path, "peak");
    OpenAnswers open(m_path);
    QVERIFY(open.settle());
    QCOMPARE(open.panel->responses()->rowCount(), 1);
    QVERIFY(open.child<QPushButton>("removeResponse")->isEnabled());
    open.model.setParameter(0, open.panel->responses()->set()->space[0].low, false);
    QVERIFY(open.settle());
    QVERIFY(!open.panel->responses()->live()->responses.at(0).value);
}

void AnswersProblemsTest::whatIsBeingReadIsShownThoughTheStudyGrows()
{
    std::vector<std::shared_ptr<const AnswerSet>> shown;
    OpenAnswers open(m_path); // the first reading has begun
    connect(open.panel->responses(), &QAbstractItemModel::modelReset, this, [&] {
        if (const auto &set = open.panel->responses()->set())
            shown.push_back(set);
    });
    for (int i = 0; i < 3; ++i)
        open.model.setStudy(factsOf(m_path));
    QVERIFY(open.settle());
    // It has come, and all that the study has grown by meanwhile has been read at once.
    QCOMPARE(shown.size(), std::size_t{2});
    QVERIFY(shown[0] != shown[1]);
}

void AnswersProblemsTest::aQuestionIsAnsweredThoughTheStudyGrows()
{
    const auto first = openAnswerSet(m_path, onCpu(1)), grown = openAnswerSet(m_path, onCpu(1));
    PatientPage page;
    page.show();
    page.setResponse(first, averageRow);
    QCOMPARE(page.asked, 1);
    page.setResponse(grown, averageRow);
    QCOMPARE(page.asked, 1); // the question goes on
    QVERIFY(page.isComputing());
    page.release();
    QVERIFY(QTest::qWaitFor([&] { return page.asked == 2; }, patience));
    QCOMPARE(page.answered, std::vector{first});
    page.release();
    QVERIFY(QTest::qWaitFor([&] { return !page.isComputing(); }, patience));
    QCOMPARE(page.answered, (std::vector{first, grown}));
    // Another response does not wait.
    page.setResponse(grown, peakBelow);
    page.setResponse(grown, averageRow);
    QCOMPARE(page.asked, 4);
    page.release();
    QVERIFY(QTest::qWaitFor([&] { return !page.isComputing(); }, patience));
    QCOMPARE(page.answered.size(), std::size_t{3});
}

void AnswersProblemsTest::aQuestionThatIsTakenBackIsNotAskedOfMore()
{
    const auto first = openAnswerSet(m_path, onCpu(1)), grown = openAnswerSet(m_path, onCpu(1));
    PatientPage page;
    page.show();
    page.setResponse(first, averageRow);
    page.setResponse(grown, averageRow);
    QTest::mouseClick(page.findChild<QPushButton *>("cancelAnswer"), Qt::LeftButton);
    QVERIFY(!page.isComputing());
    QCOMPARE(page.status(), "Cancelled");
    QTest::qWait(100); // nothing comes that would ask again
    QVERIFY(!page.isComputing() && page.answered.empty());
    QCOMPARE(page.status(), "Cancelled");
}

void AnswersProblemsTest::anOptimumStaysThoughTheStudyGrows()
{
    const auto open = openAnswers(m_path, averageRow, 2);
    const auto &page = *open->panel->goal();
    open->click("find");
    QVERIFY(QTest::qWaitFor([&] { return page.optimum().has_value(); }, patience));
    const auto found = open->child<QLabel>("goalText")->text();
    QVERIFY2(found.startsWith("At "), qPrintable(found));
    const auto place = open->model.now().parameters;
    const auto before = open->panel->responses()->set();
    addHoldOut(m_path);
    open->model.setStudy(factsOf(m_path));
    QVERIFY(QTest::qWaitFor([&] { return open->panel->responses()->set() != before; }, patience));
    QVERIFY(open->settle());
    QVERIFY(page.optimum());
    QCOMPARE(open->child<QLabel>("goalText")->text(),
             found + "\nThe study has grown since: press Find again.");
    QCOMPARE(page.found(), found + "\nThe study has grown since."); // in a report
    open->model.setStudy(factsOf(m_path)); // which says no more than that
    QVERIFY(open->settle());
    QVERIFY(page.found().endsWith("has grown since."));
    QVERIFY(open->child<QPushButton>("runForReal")->isEnabled());
    QCOMPARE(open->model.now().parameters, place);
    open->click("find");
    QVERIFY(QTest::qWaitFor([&] { return !page.isComputing(); }, patience));
    QVERIFY(!open->child<QLabel>("goalText")->text().contains("has grown"));
    QVERIFY(!page.found().isEmpty() && !page.found().contains("has grown"));
}

GRIDHELM_WIDGET_TEST(AnswersProblemsTest)
#include "tst_answers_problems.moc"

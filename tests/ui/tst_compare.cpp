// SPDX-License-Identifier: GPL-3.0-or-later
//
// Two states side by side, in turns, and their difference; and the surrogate in turns with what a
// run gave: through events as a user makes them.
#include "tests/core/on_cpu.h"
#include "tests/ui/window_case.h"
#include "ui/campaign/campaign_panel.h"
#include "ui/controls/number_text.h"
#include "ui/window/views/compared_views.h"
#include "ui/window/views/comparison.h"

#include <QTableView>
#include <QToolButton>

#include <vtkCamera.h>

#include <algorithm>
#include <cmath>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

namespace {

/// A is pinned, and then the first slider moved.
class TwoStates : public OpenWindow
{
public:
    explicit TwoStates(const std::filesystem::path &path)
        : OpenWindow(path)
    {
        a = model().now().parameters;
        press(Qt::Key_A);
        clickSlider(0, 0.85);
        m_areThere = waitForFrame() && waitForPinned();
        b = model().now().parameters;
    }

    bool areThere() const { return m_areThere; }
    SteeredView *pinnedView() { return window->views().pinned(); }

    /// Until the picture of A is that of the model's field.
    bool waitForPinned()
    {
        return QTest::qWaitFor(
            [this] {
                return pinnedView() && pinnedView()->caption().startsWith("A: ")
                       && pinnedView()->scene().range() == window->view().scene().range();
            },
            waitMilliseconds);
    }

    std::vector<double> a, b;

private:
    bool m_areThere = false;
};

std::vector<float> differenceAt(const std::filesystem::path &path, const TwoStates &states)
{
    const auto before = fieldAt(path, 0, states.a);
    auto difference = fieldAt(path, 0, states.b);
    for (std::size_t i = 0; i < difference.size(); ++i)
        difference[i] -= before[i];
    return difference;
}

} // namespace

class CompareTest : public ScreenTest
{
    Q_OBJECT

private slots:
    void sideBySideShowsBothInTheSameColours();
    void camerasMoveTogether();
    void blinkingShowsBothInTurns();
    void theDifferenceHasItsOwnSymmetricColours();
    void differencesOfVectors();
    void anotherFieldIsComparedToo();
    void exchangingAndForgetting();
    void pinningCanBeUndone();
    void aRestartComparesAgain();
    void aMovesWithTheSlidersIfOneLikes();
    void closingWhileComparing();
    void resultsOfJobsAreShownUntilASliderMoves();
};

void CompareTest::sideBySideShowsBothInTheSameColours()
{
    const Folder folder;
    const auto path = makeStudy(folder);
    TwoStates open(path);
    QVERIFY(open.areThere());
    QVERIFY(open.a != open.b);
    const auto atA = fieldAt(path, 0, open.a), atB = fieldAt(path, 0, open.b);
    QVERIFY(atA != atB);
    QVERIFY(open.pinnedView()->isVisible());
    QCOMPARE(wrongColours(*open.pinnedView(), atA, ColourMap::viridis), QString());
    QCOMPARE(wrongColours(open.window->view(), atB, ColourMap::viridis), QString());
    const auto range = open.window->view().scene().range();
    for (const auto &values : {atA, atB})
        QVERIFY(range.low <= *std::ranges::min_element(values)
                && *std::ranges::max_element(values) <= range.high);
    QVERIFY(open.window->view().caption().startsWith("B: Re = "));
    // The saved picture has both.
    const auto both = open.window->views().picture();
    QVERIFY(both.width() > open.window->view().sceneWidget()->picture().width() * 3 / 2);
    open.press(Qt::Key_S);
    QVERIFY(!open.pinnedView()->isVisible());
    QVERIFY(open.window->view().caption().startsWith("Re = "));
}

void CompareTest::camerasMoveTogether()
{
    const Folder folder;
    TwoStates open(makeStudy(folder));
    QVERIFY(open.areThere());
    auto &left = *open.pinnedView()->sceneWidget();
    auto &right = *open.window->view().sceneWidget();
    const auto scaleOf = [](SceneWidget &widget) {
        return widget.scene().fieldRenderer()->GetActiveCamera()->GetParallelScale();
    };
    left.picture();
    right.picture();
    const double before = scaleOf(right);
    QVERIFY(std::abs(scaleOf(left) / before - 1) < 0.05); // their widths may differ by a little
    QTest::keyClick(&left, Qt::Key_Plus);
    QVERIFY(scaleOf(left) < before);
    QCOMPARE(scaleOf(right), scaleOf(left));
    QTest::keyClick(&right, Qt::Key_Home);
    left.picture();
    right.picture();
    QVERIFY(std::abs(scaleOf(left) / before - 1) < 0.05);
    QCOMPARE(scaleOf(right), before);
}

void CompareTest::blinkingShowsBothInTurns()
{
    const Folder folder;
    const auto path = makeStudy(folder);
    TwoStates open(path);
    QVERIFY(open.areThere());
    open.press(Qt::Key_B);
    QVERIFY(!open.pinnedView()->isVisible());
    auto &view = open.window->view();
    for (int turns = 0; turns < 2; ++turns) {
        QTRY_VERIFY_WITH_TIMEOUT(view.caption().startsWith("A: "), waitMilliseconds);
        QCOMPARE(wrongColours(view, fieldAt(path, 0, open.a), ColourMap::viridis), QString());
        QTRY_VERIFY_WITH_TIMEOUT(view.caption().startsWith("B: "), waitMilliseconds);
        QCOMPARE(wrongColours(view, fieldAt(path, 0, open.b), ColourMap::viridis), QString());
    }
    open.press(Qt::Key_B);
    QVERIFY(view.caption().startsWith("Re = "));
    QCOMPARE(wrongColours(view, fieldAt(path, 0, open.b), ColourMap::viridis), QString());
}

void CompareTest::theDifferenceHasItsOwnSymmetricColours()
{
    const Folder folder;
    const auto path = makeStudy(folder);
    TwoStates open(path);
    QVERIFY(open.areThere());
    open.press(Qt::Key_D);
    auto &view = open.window->view();
    const auto difference = differenceAt(path, open);
    QVERIFY(view.scene().title().starts_with("difference of u"));
    QCOMPARE(view.scene().range().low, -view.scene().range().high);
    const auto [low, high] = std::ranges::minmax(difference);
    QVERIFY(view.scene().range().high >= std::max(std::abs(low), std::abs(high)));
    QVERIFY(view.scene().range().high < 2 * std::max(std::abs(low), std::abs(high)));
    QCOMPARE(wrongColours(view, difference, ColourMap::coolWarm), QString());
    QVERIFY(view.caption().startsWith("B - A: Re = "));
    QVERIFY(view.caption().contains("(A: " + numberText(open.a[0]) + ")"));
    QVERIFY(!view.caption().contains("lid")); // it is the same
    // It follows the slider.
    open.clickSlider(0, 0.3);
    QVERIFY(open.waitForFrame());
    open.b = open.model().now().parameters;
    QCOMPARE(wrongColours(view, differenceAt(path, open), ColourMap::coolWarm), QString());
    // Nothing but 0 everywhere.
    open.press(Qt::Key_A);
    QTRY_COMPARE_WITH_TIMEOUT(view.caption(), QString("B - A: the same state"), waitMilliseconds);
    QCOMPARE(wrongColours(view, std::vector<float>(columns * rows), ColourMap::coolWarm),
             QString());
}

void CompareTest::differencesOfVectors()
{
    const auto study = std::make_shared<StudyFacts>(
        StudyFacts{.path = {},
                   .title = {},
                   .parameters = smallDescription(1).space,
                   .marks = {},
                   .mesh = {},
                   .fields = {{"v", "m/s", 2, data::Association::point, 2}},
                   .missingPoints = {},
                   .errors = {}});
    FieldFrame a, b;
    a.study = b.study = study;
    a.values = {3, 4, 0, -1};
    b.values = {6, 8, 2, 0};
    const auto ofMagnitudes = differenceOf(a, b, Shown::field, {});
    QCOMPARE(ofMagnitudes.values, (std::vector<float>{5, 1}));
    QCOMPARE(ofMagnitudes.range, (ValueRange{-5, 5}));
    QCOMPARE(ofMagnitudes.field,
             (data::Field{"difference of v magnitude", "m/s", 1, data::Association::point, 2}));
    const auto ofSecond = differenceOf(b, a, Shown::field, Component{1});
    QCOMPARE(ofSecond.values, (std::vector<float>{-4, -1}));
    QCOMPARE(ofSecond.field.name, std::string("difference of v y"));
    const auto ofNothing = differenceOf(a, a, Shown::field, Component{1}).range;
    QVERIFY(ofNothing.low < 0 && ofNothing.high == -ofNothing.low);
}

void CompareTest::anotherFieldIsComparedToo()
{
    const Folder folder;
    const auto path = makeStudy(folder);
    TwoStates open(path);
    QVERIFY(open.areThere());
    auto steering = open.model().now();
    steering.field = 1;
    steering.view.component.index = 1;
    open.model().change("field", steering);
    QVERIFY(open.waitForFrame());
    const auto second = [&](const std::vector<double> &at) {
        std::vector<float> values;
        const auto vectors = fieldAt(path, 1, at);
        for (std::size_t i = 1; i < vectors.size(); i += 2)
            values.push_back(vectors[i]);
        return values;
    };
    QTRY_VERIFY_WITH_TIMEOUT(open.pinnedView()->scene().title().starts_with("v y"),
                             waitMilliseconds);
    QVERIFY(open.waitForPinned());
    QCOMPARE(wrongColours(*open.pinnedView(), second(open.a), ColourMap::viridis), QString());
    QCOMPARE(wrongColours(open.window->view(), second(open.b), ColourMap::viridis), QString());
}

void CompareTest::exchangingAndForgetting()
{
    const Folder folder;
    TwoStates open(makeStudy(folder));
    QVERIFY(open.areThere());
    open.press(Qt::Key_E);
    QCOMPARE(open.model().now().parameters, open.a);
    QCOMPARE(open.model().now().pinned, std::optional(open.b));
    QCOMPARE(open.slider(0).field()->text(), numberText(open.a[0]));
    open.press(Qt::SHIFT | Qt::Key_A);
    QVERIFY(!open.model().now().pinned);
    QVERIFY(!open.pinnedView()->isVisible());
    open.press(Qt::Key_D); // there is nothing to compare with
    QCOMPARE(comparingOf(open.model().now()), Comparing::off);
    QVERIFY(open.sentences().isEmpty());
}

void CompareTest::pinningCanBeUndone()
{
    const Folder folder;
    TwoStates open(makeStudy(folder));
    QVERIFY(open.areThere());
    open.press(QKeySequence::Undo); // the slider
    QVERIFY(open.model().now().pinned);
    open.press(QKeySequence::Undo); // A
    QVERIFY(!open.model().now().pinned);
    QVERIFY(!open.pinnedView()->isVisible());
    open.press(QKeySequence::Redo);
    QVERIFY(open.model().now().pinned);
    QVERIFY(open.pinnedView()->isVisible());
}

void CompareTest::aRestartComparesAgain()
{
    const Folder folder;
    const auto path = makeStudy(folder);
    Steering before;
    {
        TwoStates open(path);
        QVERIFY(open.areThere());
        open.press(Qt::Key_D);
        before = open.model().now();
        QVERIFY(open.window->close());
    }
    MainWindow again(test::onCpu());
    again.show();
    QVERIFY(again.openLast());
    QTRY_VERIFY_WITH_TIMEOUT(again.view().scene().title().starts_with("difference of u"),
                             waitMilliseconds);
    QCOMPARE(again.model().now(), before);
}

void CompareTest::aMovesWithTheSlidersIfOneLikes()
{
    const Folder folder;
    const auto path = makeStudy(folder);
    TwoStates open(path);
    QVERIFY(open.areThere());
    auto &model = open.model();
    const auto &space = model.study()->parameters;
    const auto unit = [&](const std::vector<double> &values) { return space.toUnit(values)[0]; };
    const double distance = unit(open.b) - unit(open.a);
    QVERIFY(distance > 0.1);
    open.press(Qt::Key_M);
    QVERIFY(model.now().pinnedMoves);
    open.clickSlider(0, 0.6);
    QVERIFY(open.waitForFrame() && open.waitForPinned());
    QVERIFY(model.now().parameters != open.b);
    QVERIFY(std::abs(unit(model.now().parameters) - unit(*model.now().pinned) - distance) < 1e-9);
    QCOMPARE((*model.now().pinned)[1], open.a[1]); // whose slider has not moved
    QTRY_COMPARE(
        wrongColours(*open.pinnedView(), fieldAt(path, 0, *model.now().pinned), ColourMap::viridis),
        QString());

    // Within one movement A comes back from the end of its range, at the distance that it had.
    const auto before = *model.now().pinned;
    const auto value = model.now().parameters[0];
    model.setParameter(0, space[0].low, true);
    QCOMPARE(unit(*model.now().pinned), 0.0);
    model.setParameter(0, value, false);
    QVERIFY(std::abs(unit(*model.now().pinned) - unit(before)) < 1e-12);

    open.press(Qt::Key_M);
    const auto stays = *model.now().pinned;
    open.clickSlider(0, 0.3);
    QCOMPARE(*model.now().pinned, stays);
}

void CompareTest::closingWhileComparing()
{
    const Folder folder;
    const auto path = makeStudy(folder);
    for (const auto key : {Qt::Key_S, Qt::Key_B, Qt::Key_D}) {
        TwoStates open(path);
        QVERIFY(open.areThere());
        if (key != Qt::Key_S)
            open.press(key);
        open.window->closeStudy();
        open.press(Qt::Key_A); // there is no state to pin
        QTest::qWait(50);
        open.window->openFile(QString::fromStdString(path.string()));
        QVERIFY(QTest::qWaitFor([&] { return open.window->model().study() != nullptr; }));
        QTest::qWait(20); // and the window goes while it is being opened
    }
}

void CompareTest::resultsOfJobsAreShownUntilASliderMoves()
{
    const Folder folder;
    const auto path = folder / "grown.gridhelm";
    auto writer = newGrownStudy(path);
    runAllJobs(writer); // those that are new are not compressed: the surrogate is another
    const auto job = writer.jobs().back();
    writer.close();
    const auto study = data::Study::open(path);
    std::vector<float> given(columns * rows);
    OpenWindow open(path);
    QVERIFY(open.isOpen());
    auto &panel = open.window->campaignPanel();
    open.window->showPanel(panel);
    auto *jobs = panel.findChild<QTableView *>("jobTable");
    QTRY_VERIFY_WITH_TIMEOUT(jobs->model()->rowCount() == int(study.jobs().size()),
                             waitMilliseconds);
    auto *show = panel.findChild<QToolButton *>("showResultButton");
    QVERIFY(!show->isEnabled());
    jobs->setCurrentIndex(jobs->model()->index(jobs->model()->rowCount() - 1, 0));
    QVERIFY(show->isEnabled());
    const auto isShown = [&](data::JobId wanted) {
        return open.waitForFrame() && open.frame().request.job == wanted;
    };
    const auto *bar = open.window->findChild<QWidget *>("jobResult");
    QVERIFY(!bar->isVisible());
    QTest::mouseClick(show, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(isShown(job.id), waitMilliseconds);
    const auto at = open.model().now().parameters;
    const auto point = std::ranges::find_if(job.points, [&](std::uint64_t one) {
        return study.description().space.valuesAt(*study.grid(), one) == at;
    });
    QVERIFY(point != job.points.end()); // the sliders say where it is
    QVERIFY(study.readSnapshot(*point, 0, given));
    QCOMPARE(open.frame().values, given);
    QVERIFY(bar->isVisible());
    QVERIFY2(open.window->view().caption().startsWith(
                 QString("Job %1: result of the simulation").arg(job.id)),
             qPrintable(open.window->view().caption()));
    choose(*box(*open.window, "Field"), "v"); // of the same run
    QTRY_VERIFY_WITH_TIMEOUT(isShown(job.id), waitMilliseconds);
    choose(*box(*open.window, "Field"), "u");
    QTRY_VERIFY_WITH_TIMEOUT(isShown(job.id), waitMilliseconds);

    open.press(Qt::Key_Escape);
    QTRY_VERIFY_WITH_TIMEOUT(isShown(0), waitMilliseconds);
    QCOMPARE(open.model().now().parameters, at);
    const auto wanted = fieldAt(path, 0, at);
    for (std::size_t i = 0; i < wanted.size(); ++i)
        QVERIFY(std::abs(open.frame().values[i] - wanted[i]) < 1e-5F);
    QVERIFY(open.frame().values != given);
    QVERIFY(!bar->isVisible());

    QTest::mouseClick(show, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(isShown(job.id), waitMilliseconds);
    open.clickSlider(0, 0.7);
    QTRY_VERIFY_WITH_TIMEOUT(isShown(0), waitMilliseconds);
    QVERIFY(!bar->isVisible());
    QVERIFY2(open.sentences().join(' ').contains("have no coefficients yet"),
             qPrintable(open.sentences().join(' ')));
}

GRIDHELM_SCREEN_TEST(CompareTest)

#include "tst_compare.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
//
// Files are opened one after the other: a bad one leaves the good one, and a new one begins anew.
#include "tests/data/hostile_files.h"
#include "tests/data/study_contents.h"
#include "tests/ui/held_study.h"
#include "tests/ui/window_case.h"
#include "ui/campaign/campaign_panel.h"
#include "ui/controls/number_field.h"
#include "ui/probe/place_row.h"
#include "ui/probe/probe_overlay.h"
#include "ui/probe/probe_panel.h"
#include "ui/window/files/recent_files.h"
#include "ui/window/preferences/preferences.h"
#include "ui/window/views/view_area.h"
#include "ui/window/window_files.h"

#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStatusBar>

#include <algorithm>
#include <cmath>

using namespace gridhelm;
using namespace gridhelm::test;
using namespace gridhelm::ui;

namespace {

QString statusOf(const MainWindow &window)
{
    QStringList said;
    for (const auto *label : window.statusBar()->findChildren<QLabel *>())
        said << label->text();
    return said.join(' ');
}

bool areClose(const std::optional<CameraPlace> &a, const std::optional<CameraPlace> &b)
{
    return a && b && a->position == b->position && a->focus == b->focus;
}

/// Changes all that belongs to one study alone.
void lookAround(OpenWindow &open)
{
    auto &window = *open.window;
    open.clickSlider(0, 0.3);
    auto steering = open.model().now();
    steering.pinned = steering.parameters;
    steering.comparing = Comparing::sideBySide;
    steering.rangeMode = RangeMode::fixed;
    steering.view.range = ValueRange{-1, 2};
    steering.view.kind = ViewKind::surface;
    open.model().change("all", steering);
    open.clickSlider(0, 0.7);
    QVERIFY(open.waitForFrame());
    auto &widget = *window.view().sceneWidget();
    widget.picture();
    QTest::keyClick(&widget, Qt::Key_Left);
    QTest::keyClick(&widget, Qt::Key_Plus);
    widget.picture();
    QVERIFY(window.view().camera());
    auto &probe = window.probePanel();
    window.showPanel(probe);
    probe.setPlace(ui::MeshPlace{0.3, 0.3, 0});
    probe.setLine(ProbeLine{{0, 0, 0}, {1, 0.5, 0}});
    QTRY_VERIFY_WITH_TIMEOUT(probe.isSettled() && probe.overlay()->mark(), waitMilliseconds);
}

} // namespace

class OpeningTest : public ScreenTest
{
    Q_OBJECT

private slots:
    void aBadFileLeavesTheGoodOneOpen_data();
    void aBadFileLeavesTheGoodOneOpen();
    void theNextStudyBeginsAnew_data();
    void theNextStudyBeginsAnew();
    void aRangeOfAnotherStudyIsNotShown();
    void aSavedViewOfAnotherStudyHasItsOwnCameras();
    void aStudyThatSomebodyHoldsStaysOpen();
    void aStudyWithNothingToShowLeadsToCampaign_data();
    void aStudyWithNothingToShowLeadsToCampaign();
    void aBadFileLeavesTheUnfinishedStudy();
    void aNewStudyBeginsWithAPlan_data();
    void aNewStudyBeginsWithAPlan();
    void theRangeOfALargeStudyIsLookedForAfterItsPicture();
};

void OpeningTest::aBadFileLeavesTheGoodOneOpen_data()
{
    QTest::addColumn<QString>("file");
    for (const auto *name : {"missing.gridhelm", "foreign.gridhelm", "cut.gridhelm",
                             "damaged.gridhelm", "odd.gridhelm-view", "lost.gridhelm-view"})
        QTest::newRow(name) << name;
}

void OpeningTest::aBadFileLeavesTheGoodOneOpen()
{
    QFETCH(QString, file);
    const Folder folder;
    const auto path = makeStudy(folder);
    auto bytes = bytesOf(path);
    writeBytes(folder / "foreign.gridhelm", std::vector<char>(5000, 'x'));
    writeBytes(folder / "cut.gridhelm", {bytes.begin(), bytes.begin() + 10'000});
    std::fill(bytes.begin() + 200, bytes.begin() + 20'000, 'x');
    writeBytes(folder / "damaged.gridhelm", bytes);
    writeBytes(folder / "odd.gridhelm-view", std::vector<char>(100, '{'));
    const std::string lost = R"({"kind": "gridhelm view", "study": "gone.gridhelm"})";
    writeBytes(folder / "lost.gridhelm-view", {lost.begin(), lost.end()});

    OpenWindow open(path);
    QVERIFY(open.isOpen());
    open.clickSlider(0, 0.3);
    QVERIFY(open.waitForFrame());
    const auto before = open.model().now();
    const auto title = open.window->windowTitle();
    const auto recent = recentFiles();
    open.window->openFile(inside(folder, file.toStdString()));
    open.clickSlider(0, 0.6); // while it is being opened
    QTRY_VERIFY_WITH_TIMEOUT(!open.sentences().isEmpty(), waitMilliseconds);
    QCOMPARE(open.sentences().size(), 1);
    QVERIFY2(open.sentences().first().size() > 20, qPrintable(open.sentences().first()));

    QVERIFY(open.waitForFrame()); // of what was clicked meanwhile
    QVERIFY(open.model().now().parameters != before.parameters);
    QVERIFY(open.window->view().isVisible());
    QCOMPARE(open.window->windowTitle(), title);
    QCOMPARE(open.window->campaignPanel().study(), QString::fromStdString(path.string()));
    QCOMPARE(recentFiles(), recent);
    QTRY_VERIFY_WITH_TIMEOUT(statusOf(*open.window).contains("u (m/s):"), waitMilliseconds);
    open.clickSlider(0, 0.8);
    QVERIFY(open.waitForFrame());
    QCOMPARE(open.frame().values, fieldAt(path, 0, open.model().now().parameters));
    // It is followed as before, as the same study.
    const auto parameters = open.model().now().parameters;
    const auto facts = open.model().study();
    auto writer = data::StudyWriter::open(path);
    writer.growGrid(5, std::vector{5, 2, 5});
    writer.close();
    QTRY_VERIFY_WITH_TIMEOUT(open.model().study() != facts, waitMilliseconds);
    QCOMPARE(open.model().now().parameters, parameters);
}

/// As if a campaign had just made it, or as a user opens it.
void OpeningTest::theNextStudyBeginsAnew_data()
{
    QTest::addColumn<QString>("way");
    for (const auto *way : {"open", "close and open", "campaign", "campaign after a restart"})
        QTest::newRow(way) << way;
}

void OpeningTest::theNextStudyBeginsAnew()
{
    QFETCH(QString, way);
    const Folder folder;
    const auto first = makeStudy(folder, 3, 5), second = folder / "second.gridhelm";
    auto writer = newStudy(second, 3, 5); // like the first one in everything
    runAllJobs(writer);
    auto open = std::make_unique<OpenWindow>(first);
    QVERIFY(open->isOpen());
    lookAround(*open);
    if (way.endsWith("restart")) {
        const auto kept = open->model().now();
        const auto camera = open->window->view().camera();
        QVERIFY(open->window->close());
        open = std::make_unique<OpenWindow>(first);
        QVERIFY(open->window->openLast());
        QTRY_VERIFY_WITH_TIMEOUT(open->model().now() == kept, waitMilliseconds);
        QVERIFY(open->waitForFrame());
        QTRY_VERIFY_WITH_TIMEOUT(areClose(open->window->view().camera(), camera), waitMilliseconds);
    }
    auto &window = *open->window;
    if (way != "open")
        window.closeStudy();
    if (way.startsWith("campaign")) {
        window.campaignPanel().setStudy(QString::fromStdString(second.string()));
        auto *run = window.campaignPanel().findChild<QWidget *>("compress");
        QTRY_VERIFY_WITH_TIMEOUT(run->isEnabled(), waitMilliseconds);
        compress(writer, {});
        writer.close();
    } else {
        compress(writer, {});
        writer.close();
        window.openFile(QString::fromStdString(second.string()));
    }
    QTRY_VERIFY_WITH_TIMEOUT(open->model().study() && open->model().study()->path == second,
                             waitMilliseconds);
    QVERIFY(open->waitForFrame());
    QVERIFY(open->model().now() == initialSteering(*open->model().study()));
    auto &widget = *window.view().sceneWidget();
    const auto shown = widget.picture().copy();
    QVERIFY(!window.view().camera());
    QTest::keyClick(&widget, Qt::Key_0); // all of it
    QCOMPARE(widget.picture(), shown);
    auto &probe = window.probePanel();
    QVERIFY(!probe.answer() && !probe.overlay()->mark());
    for (const auto *field : probe.placeRow()->fields())
        QCOMPARE(field->text(), QString());
    QVERIFY(!window.view().isHidden() && !window.viewArea().compared().pinned()->isVisible());
}

void OpeningTest::aRangeOfAnotherStudyIsNotShown()
{
    const Folder folder;
    const auto first = makeStudy(folder);
    const auto second = folder / "second.gridhelm";
    std::filesystem::copy_file(first, second);
    OpenWindow open(first);
    QVERIFY(open.isOpen());
    auto ofFrames = readPreferences();
    ofFrames.rangeMode = RangeMode::frame; // nothing is searched before it is asked for
    keepPreferences(ofFrames);
    auto &views = open.window->viewArea().compared();
    views.setStudyRange(ValueRange{-77, 77});
    open.window->openFile(QString::fromStdString(second.string()));
    QTRY_COMPARE_WITH_TIMEOUT(open.model().study()->path, second, waitMilliseconds);
    QVERIFY(open.waitForFrame());
    QSignalSpy changes(&open.window->view(), &SteeredView::sceneChanged);
    auto steering = open.model().now();
    steering.rangeMode = RangeMode::study;
    open.model().change("range", steering);
    QTRY_VERIFY_WITH_TIMEOUT(changes.size() > 0, waitMilliseconds);
    QVERIFY(open.window->view().scene().range().high != 77);
}

void OpeningTest::aSavedViewOfAnotherStudyHasItsOwnCameras()
{
    const Folder folder;
    const auto first = makeStudy(folder, 3, 5), second = folder / "second.gridhelm";
    std::filesystem::copy_file(first, second);
    OpenWindow open(second);
    QVERIFY(open.isOpen());
    auto steering = open.model().now();
    steering.pinned = steering.parameters;
    steering.comparing = Comparing::sideBySide;
    open.model().change("pin", steering);
    const auto view = inside(folder, "second.gridhelm-view");
    saveView(open.model(), view, stateOf(open.model(), {}));
    open.window->openFile(QString::fromStdString(first.string()));
    QTRY_COMPARE_WITH_TIMEOUT(open.model().study()->path, first, waitMilliseconds);
    lookAround(open);
    auto &views = open.window->viewArea().compared();
    QTRY_VERIFY_WITH_TIMEOUT(views.pinned() && views.pinned()->camera(), waitMilliseconds);
    open.window->openFile(view);
    QTRY_COMPARE_WITH_TIMEOUT(open.model().study()->path, second, waitMilliseconds);
    QVERIFY(open.waitForFrame());
    QTRY_VERIFY_WITH_TIMEOUT(!views.steered().camera(), waitMilliseconds);
    QTRY_VERIFY_WITH_TIMEOUT(!views.pinned()->camera(), waitMilliseconds);
}

/// For longer than readers wait, after it has changed.
void OpeningTest::aStudyThatSomebodyHoldsStaysOpen()
{
    const Folder folder;
    const auto path = makeStudy(folder);
    OpenWindow open(path);
    QVERIFY(open.isOpen());
    open.clickSlider(0, 0.3);
    QVERIFY(open.waitForFrame());
    auto held = std::make_unique<HeldStudy>(path);
    QTRY_VERIFY_WITH_TIMEOUT(open.sentences().join(" | ").contains("in use"), 3 * waitMilliseconds);
    QVERIFY(open.window->view().isVisible());
    QVERIFY(open.model().study());
    held.reset();
    open.clickSlider(0, 0.6);
    QVERIFY(open.waitForFrame());
    QCOMPARE(open.frame().values, fieldAt(path, 0, open.model().now().parameters));
}

/// Also after a restart.
void OpeningTest::aStudyWithNothingToShowLeadsToCampaign_data()
{
    QTest::addColumn<bool>("hasResults");
    QTest::addColumn<QString>("says");
    QTest::newRow("before the first result") << false << "has no results yet";
    QTest::newRow("not compressed") << true << "are not compressed yet";
}

void OpeningTest::aStudyWithNothingToShowLeadsToCampaign()
{
    QFETCH(bool, hasResults);
    QFETCH(QString, says);
    const Folder folder;
    const auto shown = makeStudy(folder), path = folder / "unfinished.gridhelm";
    const auto study = QString::fromStdString(path.string());
    auto writer = newStudy(path);
    if (hasResults)
        runAllJobs(writer);
    OpenWindow open(shown);
    QVERIFY(open.isOpen());
    const auto isThere = [&](MainWindow &window) {
        const auto *next = window.findChild<QLabel *>("nextStep");
        return window.campaignPanel().study() == study && window.campaignPanel().isVisible()
               && next->isVisible() && next->text().contains(says);
    };
    open.window->openFile(study);
    QTRY_VERIFY_WITH_TIMEOUT(isThere(*open.window), waitMilliseconds);
    QVERIFY(!open.window->view().isVisible());
    QVERIFY(open.window->windowTitle().startsWith("unfinished.gridhelm"));
    QCOMPARE(recentFiles().first(), study);
    QVERIFY2(open.sentences().isEmpty(), qPrintable(open.sentences().join(' ')));
    QVERIFY(open.window->close());

    open.window = std::make_unique<MainWindow>(onCpu(1));
    auto &window = *open.window;
    window.show();
    QVERIFY(window.openLast());
    QTRY_VERIFY_WITH_TIMEOUT(isThere(window), waitMilliseconds);
    if (!hasResults)
        runAllJobs(writer);
    compress(writer, {});
    writer.close();
    QTRY_VERIFY_WITH_TIMEOUT(window.model().study() && window.model().study()->path == path,
                             waitMilliseconds);
    QTRY_VERIFY_WITH_TIMEOUT(window.view().isVisible() && window.view().frame(), waitMilliseconds);
    QVERIFY(window.close());
    MainWindow again(onCpu(1));
    again.show();
    QVERIFY(again.openLast()); // what is shown, as ever
    QTRY_VERIFY_WITH_TIMEOUT(again.view().isVisible() && again.view().frame(), waitMilliseconds);
}

void OpeningTest::aBadFileLeavesTheUnfinishedStudy()
{
    const Folder folder;
    const auto path = folder / "unfinished.gridhelm";
    const auto study = QString::fromStdString(path.string());
    newStudy(path).close();
    MainWindow window(onCpu(1));
    window.show();
    window.openFile(study);
    QTRY_COMPARE_WITH_TIMEOUT(window.campaignPanel().study(), study, waitMilliseconds);
    window.openFile(inside(folder, "missing.gridhelm"));
    QTRY_COMPARE_WITH_TIMEOUT(window.messages().sentences().size(), 1, waitMilliseconds);
    QCOMPARE(window.campaignPanel().study(), study);
    QVERIFY(window.findChild<QLabel *>("nextStep")->isVisible());
    auto *close = window.findChild<QPushButton *>("closeUnfinished");
    QTest::mouseClick(close, Qt::LeftButton);
    QVERIFY(!close->isVisible());
    QCOMPARE(window.campaignPanel().study(), QString());
}

void OpeningTest::aNewStudyBeginsWithAPlan_data()
{
    QTest::addColumn<bool>("isByKey");
    QTest::newRow("Ctrl+N") << true;
    QTest::newRow("on the start page") << false;
}

void OpeningTest::aNewStudyBeginsWithAPlan()
{
    QFETCH(bool, isByKey);
    MainWindow window(onCpu(1));
    window.show();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window, waitMilliseconds));
    if (isByKey)
        QTest::keySequence(&window, QKeySequence::New);
    for (auto *button : window.findChildren<QPushButton *>())
        if (!isByKey && button->accessibleName() == "I have a program")
            QTest::mouseClick(button, Qt::LeftButton);
    auto *title = window.findChild<QLineEdit *>("planTitle");
    QTRY_VERIFY_WITH_TIMEOUT(title->isVisible() && title->hasFocus(), waitMilliseconds);
    QTest::keyClicks(title, "Mine");
    QTest::keyClick(title, Qt::Key_Return);
    QVERIFY(window.findChild<QPlainTextEdit *>("planText")->toPlainText().contains("\"Mine\""));
}

/// It reads as much as all further pictures: so the first one comes before it.
void OpeningTest::theRangeOfALargeStudyIsLookedForAfterItsPicture()
{
    const Folder folder;
    const auto path = makeStudy(folder, 2, 1250); // a million values
    MainWindow window(onCpu(1));
    window.show();
    window.openFile(QString::fromStdString(path.string()));
    bool wasEarly = false;
    QVERIFY(QTest::qWaitFor(
        [&] {
            wasEarly = wasEarly || (!window.view().frame() && window.isRangeMoving());
            return window.view().frame() != nullptr && window.view().frame()->isExact
                   && !window.isRangeMoving();
        },
        waitMilliseconds));
    QVERIFY(!wasEarly);
    // It was looked for, and holds what another point of the grid has.
    const auto values = fieldAt(path, 0, {std::sqrt(1e5), 1.25, 2.5});
    const auto [low, high] = std::ranges::minmax(values);
    QVERIFY(QTest::qWaitFor(
        [&] {
            const auto range = window.view().scene().range();
            return range.low <= low && range.high >= high;
        },
        waitMilliseconds));
}

GRIDHELM_SCREEN_TEST(OpeningTest)

#include "tst_opening.moc"

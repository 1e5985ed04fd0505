// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the user does again and again takes no more memory each time.
#include "tests/core/sanitized.h"
#include "tests/ui/memory_in_use.h"
#include "tests/ui/window_case.h"
#include "ui/probe/probe_panel.h"
#include "ui/solve/solve_panel.h"
#include "ui/window/views/compared_views.h"

#include <QDockWidget>

#include <functional>
#include <memory>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

namespace {

/// Before the first measurement: caches are filled, memory has its shape.
constexpr int warmUp = 8;
constexpr int repetitions = 16;
/// Megabytes for each repetition. A view of 800 x 500 pixels takes 5 to 20, what was read of a
/// study 3 to 6.
constexpr double maxGrowthEach = 0.6;

using Action = std::function<void(OpenWindow &)>;

void settle()
{
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QTest::qWait(60);
}

} // namespace

class MemoryTest : public ScreenTest
{
    Q_OBJECT

private slots:
    void staysFlat_data();
    void staysFlat();
    void anotherStudyLeavesNothingOfTheLastOne();
};

void MemoryTest::staysFlat_data()
{
    QTest::addColumn<Action>("repeat");
    const auto row = [](const char *name, Action repeat) { QTest::newRow(name) << repeat; };
    row("a view beside comes and goes", [](OpenWindow &open) {
        action(*open.window, QKeySequence("K"))->trigger();
        settle();
        action(*open.window, QKeySequence("Ctrl+K"))->trigger();
        settle();
        open.model().undoStack().clear(); // steps are kept as long as they can be undone
    });
    row("every kind of view", [](OpenWindow &open) {
        for (int key = 1; key <= 9; ++key) {
            if (auto *kind = action(*open.window, QKeySequence(QString::number(key)))) {
                kind->trigger();
                open.waitForFrame();
                settle();
            }
        }
    });
    row("the size", [](OpenWindow &open) {
        static int step = 0;
        ++step;
        open.window->resize(900 + 37 * (step % 10), 600 + 19 * (step % 7));
        settle();
    });
    row("a study opened again", [](OpenWindow &open) {
        const auto path = QString::fromStdString(open.model().study()->path.string());
        open.window->openFile(path);
        settle();
        open.waitForFrame();
    });
    row("light and dark", [](OpenWindow &open) {
        action(*open.window, QKeySequence("Ctrl+T"))->toggle();
        settle();
    });
    row("side by side and alone", [](OpenWindow &open) {
        action(*open.window, QKeySequence("A"))->trigger();
        settle();
        action(*open.window, QKeySequence("Shift+A"))->trigger();
        settle();
    });
    row("panels", [](OpenWindow &open) {
        for (const char *key : {"P", "T", "Ctrl+P"}) {
            auto *toggle = action(*open.window, QKeySequence(key));
            toggle->trigger();
            settle();
            toggle->trigger();
            settle();
        }
    });
    row("a solver's run", [](OpenWindow &open) {
        auto &solve = open.window->solvePanel();
        open.window->showPanel(solve);
        solve.startOrPause();
        QTest::qWait(200);
        solve.stop();
        if (!QTest::qWaitFor([&] { return !solve.isRunning(); }, waitMilliseconds))
            qWarning("the solver goes on");
        solve.reset();
        settle();
    });
    row("a picture", [](OpenWindow &open) {
        open.window->view().sceneWidget()->picture({.isTransparent = true});
        settle();
    });
}

void MemoryTest::staysFlat()
{
    QFETCH(Action, repeat);
    const Folder folder;
    OpenWindow open(makeStudy(folder, 3, 12));
    QVERIFY(open.isOpen());
    for (int i = 0; i < warmUp; ++i)
        repeat(open);
    // Memory that takes its shape late grows once; what leaks grows each time.
    constexpr int rounds = 2;
    double growth = repetitions * maxGrowthEach;
    for (int round = 0; round < rounds && !(growth < repetitions * maxGrowthEach); ++round) {
        const double before = megabytesInUse();
        for (int i = 0; i < repetitions; ++i)
            repeat(open);
        growth = megabytesInUse() - before;
        qInfo("%.2f MB each, after %.0f MB", growth / repetitions, before);
    }
#ifndef GRIDHELM_SANITIZED
    QVERIFY2(growth < repetitions * maxGrowthEach, "memory grows");
#endif
}

void MemoryTest::anotherStudyLeavesNothingOfTheLastOne()
{
    const Folder folder, other;
    OpenWindow open(makeStudy(folder));
    QVERIFY(open.isOpen());
    for (const auto mode : {RangeMode::study, RangeMode::frame}) {
        auto steering = open.model().now();
        steering.rangeMode = mode; // somebody looks for the range of a study, and stops
        open.model().change("range", steering);
        settle();
    }
    action(*open.window, QKeySequence("A"))->trigger(); // two views,
    QTRY_VERIFY_WITH_TIMEOUT(open.window->views().pinned(), waitMilliseconds);
    settle();
    action(*open.window, QKeySequence("Shift+A"))->trigger(); // one of which is hidden again
    settle();                                                 // the other one takes its place
    QVERIFY(open.waitForFrame());
    auto &view = *open.window->view().sceneWidget();
    auto &probe = open.window->probePanel();
    QTest::mouseClick(&view, Qt::LeftButton, {}, view.rect().center());
    QTRY_VERIFY_WITH_TIMEOUT(probe.answer() && probe.isSettled(), waitMilliseconds);
    QVERIFY(probe.answer()->question.frame);
    open.window->findChild<QDockWidget *>("Probe")->hide();
    const std::weak_ptr last = open.frame().coefficients;
    const std::weak_ptr facts = open.model().study();
    QVERIFY(!last.expired() && !facts.expired());
    open.window->openFile(QString::fromStdString(makeStudy(other, 3, 12).string()));
    QTRY_VERIFY_WITH_TIMEOUT(last.expired() && facts.expired(), waitMilliseconds);
}

GRIDHELM_SCREEN_TEST(MemoryTest)

#include "tst_memory.moc"

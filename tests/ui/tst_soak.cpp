// SPDX-License-Identifier: GPL-3.0-or-later
//
// Random real events over every widget of the window, for five minutes (GRIDHELM_SOAK_SECONDS says
// another time): it must not crash, hang or grow, and no event may keep the GUI thread long.
// Seeded; GRIDHELM_SOAK_SEED says another seed, GRIDHELM_SOAK_BUSY how many threads of others take
// the cores.
#include "tests/core/on_cpu.h"
#include "tests/core/random.h"
#include "tests/core/sanitized.h"
#include "tests/ui/busy_threads.h"
#include "tests/ui/memory_in_use.h"
#include "tests/ui/stall_watch.h"
#include "tests/ui/window_case.h"
#include "ui/campaign/campaign_panel.h"
#include "ui/machine/background_thread.h"
#include "ui/machine/machine_limits.h"
#include "ui/solve/solve_panel.h"
#include "ui/viewer/scene_platform.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <QPointer>
#include <QPushButton>
#include <QSettings>
#include <QTimer>

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <future>
#include <optional>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;
using namespace std::chrono_literals;

namespace {

constexpr double worthNaming = 100; ///< milliseconds of a stall
constexpr std::size_t maxNamed = 20;
/// Of a shorter run limits would say nothing: most of it is the first time for everything.
constexpr double secondsWorthJudging = 120;

double numberOf(const char *variable, double otherwise)
{
    bool isNumber = false;
    const double number = qEnvironmentVariable(variable).toDouble(&isNumber);
    return isNumber ? number : otherwise;
}

class Monkey
{
public:
    Monkey(MainWindow &window, StallWatch &watch, std::uint64_t seed)
        : m_window(window)
        , m_watch(watch)
        , m_random(seed)
    {
    }

    void act()
    {
        const QPointer widget(anyWidget());
        if (!widget)
            return;
        const auto at = placeIn(*widget);
        const int what = m_random.integer(0, 9);
        say(what, *widget);
        switch (what) {
        case 0:
        case 1:
        case 2: // a drag
            QTest::mousePress(widget, Qt::LeftButton, anyModifier(), at);
            for (int i = 0; i < 6; ++i) {
                if (!isThere(widget))
                    return;
                QTest::mouseMove(widget, placeIn(*widget));
                QCoreApplication::processEvents();
            }
            if (isThere(widget))
                QTest::mouseRelease(widget, Qt::LeftButton, {}, placeIn(*widget));
            break;
        case 3:
        case 4:
            QTest::mouseClick(widget, Qt::LeftButton, anyModifier(), at);
            break;
        case 5:
            QTest::mouseDClick(widget, Qt::LeftButton, {}, at);
            break;
        case 6: {
            QWheelEvent wheel(at, widget->mapToGlobal(at), {}, {0, 120 * m_random.integer(-3, 3)},
                              Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
            QCoreApplication::sendEvent(widget, &wheel);
            break;
        }
        case 7: {
            static constexpr std::array keys{Qt::Key_Left, Qt::Key_Right,  Qt::Key_Up, Qt::Key_Down,
                                             Qt::Key_Home, Qt::Key_End,    Qt::Key_R,  Qt::Key_1,
                                             Qt::Key_5,    Qt::Key_Return, Qt::Key_Tab};
            QTest::keyClick(widget, keys[m_random.index(keys.size())], anyModifier());
            break;
        }
        case 8:
            anyAction();
            break;
        default:
            m_window.resize(m_random.integer(900, 1280), m_random.integer(600, 800));
        }
    }

private:
    void say(int what, const QWidget &widget)
    {
        static constexpr std::array names{"drag",         "drag",  "drag",  "click",  "click",
                                          "double click", "wheel", "a key", "action", "resize"};
        const auto &view = m_window.model().now().view;
        m_watch.doing(QString("%1 on %2 %3 (%4, opacity %5)")
                          .arg(names.at(static_cast<std::size_t>(what)),
                               widget.metaObject()->className(),
                               widget.accessibleName().isEmpty() ? widget.objectName()
                                                                 : widget.accessibleName(),
                               QString::fromStdString(std::string(toString(view.kind))))
                          .arg(view.opacity));
    }
    QWidget *anyWidget()
    {
        QElapsedTimer clock;
        clock.start();
        std::vector<QWidget *> widgets;
        for (auto *widget : m_window.findChildren<QWidget *>()) {
            if (widget->isVisible() && widget->isEnabled() && !widget->size().isEmpty())
                widgets.push_back(widget);
        }
        m_watch.leaveOut(1e-6 * static_cast<double>(clock.nsecsElapsed())); // no work of a user
        return widgets.empty() ? nullptr : widgets[m_random.index(widgets.size())];
    }
    static bool isThere(const QPointer<QWidget> &widget)
    {
        return widget && widget->isVisible() && !widget->size().isEmpty();
    }
    QPoint placeIn(const QWidget &widget)
    {
        return {m_random.integer(0, widget.width() - 1), m_random.integer(0, widget.height() - 1)};
    }
    Qt::KeyboardModifiers anyModifier()
    {
        static constexpr std::array some{Qt::NoModifier, Qt::NoModifier, Qt::ShiftModifier,
                                         Qt::ControlModifier, Qt::AltModifier};
        return some[m_random.index(some.size())];
    }
    /// Of the menus; not those that end what is tested.
    void anyAction()
    {
        std::vector<QAction *> actions;
        for (auto *menu : m_window.menuBar()->findChildren<QMenu *>()) {
            for (auto *action : menu->actions()) {
                const auto text = action->text();
                if (action->isEnabled() && !action->isSeparator() && !action->menu()
                    && !text.contains("Quit") && !text.contains("Full screen"))
                    actions.push_back(action);
            }
        }
        if (actions.empty())
            return;
        auto *action = actions[m_random.index(actions.size())];
        m_watch.doing("action " + action->text());
        action->trigger();
    }

    MainWindow &m_window;
    StallWatch &m_watch;
    Random m_random;
};

bool isShown(MainWindow &window, const QString &path)
{
    const auto &frame = window.view().frame();
    return frame && window.model().study() && frame->study == window.model().study()
           && QString::fromStdString(window.model().study()->path.string()) == path;
}

/// Mesa translates the shaders of each kind of picture when it is first drawn, and keeps them.
bool showEveryKind(MainWindow &window, const QString &path, StallWatch &stalls)
{
    window.openFile(path);
    const auto isDone = [&] {
        stalls.doing("every kind of view"); // does not hang
        return isShown(window, path) && window.view().sceneWidget()->isAtRest();
    };
    for (int key = 1; key <= 9; ++key) {
        if (!QTest::qWaitFor(isDone, waitMilliseconds))
            return false;
        auto *kind = action(window, QKeySequence(QString::number(key)));
        if (kind && kind->isEnabled())
            kind->trigger();
    }
    return true;
}

/// That the window has in the same state each time: one study has been opened and then another one,
/// in one view each, in a window of one size, and nothing is measured, or solved and kept to be
/// looked at. What is open at a random moment may be any size, also because the panel Campaign
/// makes studies larger; so the two are as they were made. Nothing if that state does not come
/// about.
std::optional<double> megabytesWith(MainWindow &window, const std::array<QString, 2> &asMade,
                                    StallWatch &stalls)
{
    const auto waitFor = [&stalls](const std::function<bool()> &isSo) {
        return QTest::qWaitFor(
            [&] {
                stalls.doing("measuring memory"); // does not hang
                return isSo();
            },
            10 * waitMilliseconds);
    };
    closeDialogs();
    auto &solve = window.solvePanel();
    const double before = megabytesInUse();
    // A view has some tens of bytes for each of its pixels: it must have the same size.
    QList<QDockWidget *> inTheWay;
    for (auto *dock : window.findChildren<QDockWidget *>(QString(), Qt::FindDirectChildrenOnly)) {
        if (!dock->isHidden())
            inTheWay << dock;
        dock->hide();
    }
    window.resize(1280, 800);
    solve.stop();
    solve.reset();
    auto &campaign = window.campaignPanel(); // its simulations may be as large as was typed
    const bool wasCampaigning = campaign.isRunning();
    if (wasCampaigning)
        campaign.findChild<QPushButton *>("cancel")->click();
    if (!waitFor([&] { return !campaign.isRunning(); }))
        return {};
    if (!waitFor([&] { return !solve.limits().isMeasuring(); }))
        return {};
    const Folder folder;
    for (const auto &made : asMade) {
        const auto name = QFileInfo(made).fileName().toStdString();
        const auto path = QString::fromStdString((folder / name).string());
        if (!QFile::copy(made, path))
            return {};
        window.openFile(path);
        if (!waitFor([&] { return isShown(window, path); }))
            return {};
        auto alone = window.model().now();
        alone.companions.clear();
        alone.comparing = Comparing::off;
        alone.view = {};
        window.model().change("look at one view", alone);
    }
    // What a view keeps depends on what it has drawn since it was last hidden.
    window.hide();
    QTest::qWait(1000);
    window.show();
    // Solvers that were within a long sweep end by themselves, and only then give back their grids.
    auto leftBehind =
        std::async(std::launch::async, [] { BackgroundThread::waitForThoseLeftBehind({}); });
    if (!waitFor([&] { return leftBehind.wait_for(0s) == std::future_status::ready; }))
        return {};
    QTest::qWait(1000);
    // Views prepare what makes later pictures quick, which takes tens of megabytes meanwhile.
    if (!waitFor([&] { return window.view().sceneWidget()->isAtRest(); }))
        return {};
    const double megabytes = megabytesInUse();
    qInfo("memory: %.0f MB at a random moment%s, then %.0f MB; %s", before,
          wasCampaigning ? ", in a campaign" : "", megabytes, qUtf8Printable(memoryByOwner()));
    for (auto *dock : inTheWay)
        dock->show();
    return megabytes;
}

} // namespace

class SoakTest : public QObject
{
    Q_OBJECT

private slots:
    void randomEventsOverEveryWidget();
};

void SoakTest::randomEventsOverEveryWidget()
{
    if (!canShowScenes())
        QSKIP("this platform cannot show scenes");
    QSettings().clear();
    const double seconds = numberOf("GRIDHELM_SOAK_SECONDS", 300);
    const auto seed = static_cast<std::uint64_t>(numberOf("GRIDHELM_SOAK_SEED", 1));
    const Folder folder;
    const auto flat = QString::fromStdString(makeStudy(folder).string());
    QDir::setCurrent(QString::fromStdString((folder / ".").string())); // where dialogs write
    const Folder other;
    const auto solid = QString::fromStdString(makeStudy(other, 3, 12).string());
    const Folder unknown; // to the window: its files stay as they are
    const auto copied = [&unknown](const QString &path, const char *name) {
        auto copy = QString::fromStdString((unknown / name).string());
        return QFile::copy(path, copy) ? copy : QString();
    };
    const std::array asMade{copied(solid, "solid.gridhelm"), copied(flat, "flat.gridhelm")};
    MainWindow window(test::onCpu());
    window.show();
    window.openFile(flat);
    window.showPanel(window.solvePanel());
    QTimer closer; // dialogs with event loops of their own
    closer.setInterval(30);
    connect(&closer, &QTimer::timeout, this, [] { closeDialogs(); });
    closer.start();

    const BusyThreads others(static_cast<int>(numberOf("GRIDHELM_SOAK_BUSY", 0)));
    StallWatch stalls(worthNaming);
    if (seconds >= secondsWorthJudging)
        QVERIFY(showEveryKind(window, solid, stalls) && showEveryKind(window, flat, stalls));
    Monkey monkey(window, stalls, seed);
    QElapsedTimer clock;
    clock.start();
    const auto passed = [&] { return static_cast<double>(clock.elapsed()) / 1000; };
    std::optional<double> warm;
    int events = 0, opened = 0;
    double nextOpening = 5;
    while (passed() < seconds) {
        monkey.act();
        ++events;
        QTest::qWait(2);
        const auto wrong = wrongSentence(window.messages().sentences());
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
        if (window.isHidden())
            window.show();
        if (passed() > nextOpening) {
            stalls.doing("opening a study");
            window.openFile(++opened % 2 ? solid : flat);
            nextOpening += 10;
        }
        if (!warm && passed() > seconds / 3) {
            warm = megabytesWith(window, asMade, stalls);
            QVERIFY(warm);
            window.openFile(flat);
        }
    }
    const auto end = megabytesWith(window, asMade, stalls); // it still works
    QVERIFY(end && warm);
    qInfo(
        "seed %llu: %d events in %.0f s; %.0f MB after a third of the time, %.0f MB at the end; "
        "stalls: p50 %.1f ms, p99 %.0f ms, p99.9 %.0f ms, longest %.0f ms; longest while the host "
        "took hardly any time from this machine %.0f ms; work of the GUI thread at a time: p99 "
        "%.0f "
        "ms, p99.9 %.0f ms, longest %.0f ms",
        static_cast<unsigned long long>(seed), events, seconds, *warm, *end, stalls.quantile(0.5),
        stalls.quantile(0.99), stalls.quantile(0.999), stalls.quantile(1), stalls.longestOfGuest(),
        stalls.quantileOfWork(0.99), stalls.quantileOfWork(0.999), stalls.quantileOfWork(1));
    auto named = stalls.longest();
    named.resize(std::min<std::size_t>(named.size(), maxNamed));
    for (const auto &stall : named)
        qInfo("%.0f ms (%.0f at work, %.0f waiting for a core, %.0f taken by the host, %ld page "
              "faults) at: %s\n    %s\n  later: %s",
              stall.milliseconds, stall.ofCpu, stall.ofQueue, stall.ofHost, stall.pageFaults,
              qUtf8Printable(stall.doing), qUtf8Printable(stall.stack.join("\n    ")),
              qUtf8Printable(stall.later.join("\n         ")));
    QVERIFY(events > seconds);
#ifndef GRIDHELM_SANITIZED
    if (seconds < secondsWorthJudging)
        return;
    QVERIFY2(*end < 1.05 * *warm, "memory grows");
    QVERIFY2(stalls.quantileOfWork(0.999) < 50, "an event keeps the GUI thread long");
    QVERIFY2(stalls.quantileOfWork(1) < 200, "an event keeps the GUI thread long");
    if (numberOf("GRIDHELM_SOAK_BUSY", 0) > 0)
        return; // the others have their turn
    QVERIFY2(stalls.quantile(0.999) < 100, "the window stalls");
    QVERIFY2(stalls.longestOfGuest() < 250, "the window stalls");
#endif
}

static int runLong(int argc, char **argv)
{
    qputenv("QTEST_FUNCTION_TIMEOUT", "3600000"); // Qt Test's own five minutes are too short
    return runOnScreen<SoakTest>(argc, argv);
}

GRIDHELM_TEST_RUN_BY(runLong)

#include "tst_soak.moc"

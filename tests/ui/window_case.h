// SPDX-License-Identifier: GPL-3.0-or-later
//
// A window with a small study, driven by events as a user's.
#pragma once

#include "core/support/colour_map.h"
#include "tests/core/on_cpu.h"
#include "tests/support/test_program.h"
#include "tests/ui/shown_colours.h"
#include "tests/ui/shown_study.h"
#include "tests/ui/user_events.h"
#include "ui/controls/message_bar.h"
#include "ui/controls/value_slider.h"
#include "ui/controls/value_track.h"
#include "ui/viewer/scene_platform.h"
#include "ui/viewer/scene_widget.h"
#include "ui/window/main_window.h"
#include "ui/window/steer/steer_panel.h"
#include "ui/window/views/steered_view.h"

#include <QApplication>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>

#include <memory>
#include <utility>

namespace gridhelm::test {

constexpr int waitMilliseconds = 20000; ///< slow machines, instrumented builds

/// A window in which a study is open and shown.
class OpenWindow
{
public:
    explicit OpenWindow(const std::filesystem::path &path, int threads = 1)
        : OpenWindow(std::make_unique<ui::MainWindow>(onCpu(threads)), path)
    {
    }
    OpenWindow(std::unique_ptr<ui::MainWindow> which, const std::filesystem::path &path)
        : window(std::move(which))
    {
        window->show();
        window->openFile(QString::fromStdString(path.string()));
        m_isOpen = waitForFrame();
    }

    bool isOpen() const { return m_isOpen; }

    /// As a user does.
    void press(const QKeySequence &keys)
    {
        window->activateWindow();
        if (!QTest::qWaitForWindowActive(window.get(), waitMilliseconds))
            qWarning("the window does not become active");
        QTest::keySequence(window.get(), keys);
    }

    /// Until the picture shows what the model says, exactly. (Views follow what is changed after
    /// that at once, unless they are being drawn: then as soon as they are not.)
    bool waitForFrame()
    {
        return QTest::qWaitFor(
            [this] {
                const auto &frame = window->view().frame();
                const auto &now = window->model().now();
                return frame && frame->isExact && frame == m_shown && !window->isRangeMoving()
                       && !window->view().sceneWidget()->isDrawing()
                       && frame->request.parameters == now.parameters
                       && frame->request.field == now.field && !frame->request.isDragging;
            },
            waitMilliseconds);
    }

    /// Into the track of a slider, at a share of its length.
    void clickSlider(std::size_t t, double place)
    {
        auto &track = *slider(t).track();
        QTest::mouseClick(&track, Qt::LeftButton, {}, placeOnTrack(track, place));
    }

    ui::ValueSlider &slider(std::size_t t) { return *window->steerPanel().sliders().at(t); }
    ui::SteeringModel &model() { return window->model(); }
    const ui::FieldFrame &frame() { return *window->view().frame(); }
    QStringList sentences() { return window->messages().sentences(); }

    std::unique_ptr<ui::MainWindow> window;

private:
    std::shared_ptr<const ui::FieldFrame> m_shown;
    QMetaObject::Connection m_following = QObject::connect(
        window.get(), &ui::MainWindow::frameShown, window.get(),
        [this](std::shared_ptr<const ui::FieldFrame> frame) { m_shown = std::move(frame); });
    bool m_isOpen = false;
};

/// Of windows: without a screen all of it is skipped, and every function begins as a new user does.
class ScreenTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        if (!ui::canShowScenes())
            QSKIP("this platform cannot show scenes");
    }
    void init() { QSettings().clear(); }
};

/// Runs a test of windows; its settings are its own.
template <typename Test>
int runOnScreen(int argc, char **argv)
{
    ui::prepareForScenes();
    QApplication application(argc, argv);
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName("Gridhelm");
    QCoreApplication::setApplicationName(Test::staticMetaObject.className());
    Test test;
    return QTest::qExec(&test, argc, argv);
}

} // namespace gridhelm::test

/// As GRIDHELM_TEST().
#define GRIDHELM_SCREEN_TEST(Test) GRIDHELM_TEST_RUN_BY(gridhelm::test::runOnScreen<Test>)

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/window_case.h"
#include "ui/performance/performance_panel.h"

#include <QLabel>
#include <QSpinBox>
#include <QStatusBar>

#include <deque>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace gridhelm::test {

/// A window that keeps every frame that is shown, and its latency.
class Watched : public OpenWindow
{
public:
    explicit Watched(const std::filesystem::path &path, int threads = 1)
        : OpenWindow(path, threads)
    {
        QObject::connect(window.get(), &ui::MainWindow::frameShown, window.get(),
                         [this](std::shared_ptr<const ui::FieldFrame> frame, double latency) {
                             frames.push_back(std::move(frame));
                             latencies.push_back(latency);
                         });
    }

    ui::PerformancePanel &panel() { return window->performancePanel(); }
    const std::deque<ui::FrameSample> &samples() { return panel().history().samples(); }
    QSpinBox &threads() { return *panel().findChild<QSpinBox *>(); }

    void drag(double from, double to)
    {
        auto &track = *slider(0).track();
        QTest::mousePress(&track, Qt::LeftButton, {}, placeOnTrack(track, from));
        for (int i = 1; i <= 10; ++i) {
            const auto shown = frames.size();
            QTest::mouseMove(&track, placeOnTrack(track, from + (to - from) * i / 10));
            QVERIFY(QTest::qWaitFor([&] { return frames.size() > shown; }, waitMilliseconds));
        }
        QTest::mouseRelease(&track, Qt::LeftButton, {}, placeOnTrack(track, to));
        QVERIFY(waitForFrame());
    }
    bool waitForBackend(const std::string &name, int count)
    {
        return QTest::qWaitFor([&] { return frame().backend == name && frame().threads == count; },
                               waitMilliseconds);
    }
    bool statusSays(const QString &text)
    {
        for (auto *label : window->statusBar()->findChildren<QLabel *>()) {
            if (label->text() == text)
                return true;
        }
        return false;
    }

    std::vector<std::shared_ptr<const ui::FieldFrame>> frames;
    std::vector<double> latencies;
};

} // namespace gridhelm::test

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/steering_bench.h"

#include "app/desktop/scripted_input.h"
#include "core/support/quantile.h"
#include "core/support/system_info.h"
#include "core/support/version.h"
#include "ui/controls/message_bar.h"
#include "ui/controls/value_slider.h"
#include "ui/controls/value_track.h"
#include "ui/performance/backend_row.h"
#include "ui/performance/performance_panel.h"
#include "ui/scene/geometry/slice_plane.h"
#include "ui/scene/pictures/picture_kind.h"
#include "ui/viewer/scene_platform.h"
#include "ui/window/steer/steer_panel.h"
#include "ui/window/views/steered_view.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gridhelm::desktop {
namespace {

constexpr double eventInterval = 0.008;
constexpr double warmUpSeconds = 1;
constexpr double period = 4; ///< seconds there and back
constexpr int maxMilliseconds = 120000;
constexpr auto obliqueSlice = QLatin1StringView("oblique");

/// Of a parameter that does not move, in [0, 1]: beside the grid's points, so that all its rows
/// count.
double beside(std::size_t parameter)
{
    return std::fmod(0.37 + 0.618 * static_cast<double>(parameter), 1.0);
}

double milliseconds(double seconds)
{
    return std::round(1e5 * seconds) / 100;
}

} // namespace

SteeringBench::SteeringBench(ui::MainWindow &window, double seconds, const QString &view,
                             std::chrono::steady_clock::time_point asked)
    : m_window(window)
    , m_seconds(seconds)
    , m_view(view)
    , m_asked(asked)
{
    ui::Steering any;
    choose(any);
    m_ticks.setTimerType(Qt::PreciseTimer);
    m_ticks.setInterval(static_cast<int>(1000 * eventInterval));
    m_patience.setSingleShot(true);
    m_patience.setInterval(maxMilliseconds);
    connect(&m_ticks, &QTimer::timeout, this, &SteeringBench::tick);
    connect(&m_patience, &QTimer::timeout, this,
            [this] { finish("nothing was shown for two minutes"); });
    connect(&m_window, &ui::MainWindow::frameShown, this,
            [this](std::shared_ptr<const ui::FieldFrame> frame) { shown(*frame); });
    connect(&m_window, &ui::MainWindow::couldNotOpen, this, &SteeringBench::finish);
}

void SteeringBench::start()
{
    m_patience.start();
    m_ticks.start();
}

ui::ValueTrack &SteeringBench::track() const
{
    return *m_window.steerPanel().sliders().at(0)->track();
}

QPointF SteeringBench::handAt(double seconds) const
{
    const double phase = std::fmod(seconds / period, 1.0);
    const double place = phase < 0.5 ? 2 * phase : 2 - 2 * phase;
    return track().handleAt(0.02 + 0.96 * place);
}

void SteeringBench::choose(ui::Steering &steering) const
{
    auto &view = steering.view;
    if (m_view == obliqueSlice) {
        view.kind = ui::ViewKind::slice;
        view.tilted = true;
        view.tilt = ui::directionOf({1, 1, 1});
    } else if (!m_view.isEmpty()) {
        view.kind = ui::parseViewKind(m_view.toStdString());
    }
}

void SteeringBench::beginDrag()
{
    auto &model = m_window.model();
    auto steering = model.now();
    choose(steering);
    const auto &space = model.study()->parameters;
    auto x = space.toUnit(steering.parameters);
    for (std::size_t t = 1; t < x.size(); ++t)
        x[t] = beside(t);
    steering.parameters = space.fromUnit(x);
    model.change("view", steering);
    m_phase = Phase::warmingUp;
    press(track(), handAt(0));
    m_begin = Clock::now();
    m_lastFrame = m_begin;
    m_ticks.start();
}

void SteeringBench::tick()
{
    if (m_phase == Phase::opening) {
        if (!m_window.messages().errors().isEmpty())
            finish({});
        return;
    }
    const double now = std::chrono::duration<double>(Clock::now() - m_begin).count();
    if (m_phase == Phase::warmingUp && now >= warmUpSeconds) {
        m_phase = Phase::dragging;
        m_pending.clear();
        m_latencies.clear();
        m_intervals.clear();
        m_evaluations.clear();
        m_transfers.clear();
        m_drawings.clear();
        m_coarse = 0;
        m_computedOn = {};
    }
    // All that were due; the window system would deliver the last one.
    for (; static_cast<double>(m_events) * eventInterval <= now; ++m_events)
        m_pending.push_back(
            m_begin
            + std::chrono::duration_cast<Clock::duration>(
                std::chrono::duration<double>(static_cast<double>(m_events) * eventInterval)));
    moveTo(track(), handAt(now));
    if (now >= warmUpSeconds + m_seconds) {
        m_ticks.stop();
        m_phase = Phase::settling;
        m_end = Clock::now();
        release(track(), track().handleAt(0.37)); // elsewhere, so that a new field is wanted
    }
}

void SteeringBench::shown(const ui::FieldFrame &frame)
{
    const auto now = Clock::now();
    m_patience.start();
    if (m_phase == Phase::opening) {
        const double since = std::chrono::duration<double>(now - m_asked).count();
        if (m_firstPicture == 0) {
            m_firstPicture = since;
            m_firstShare = frame.work.energyShare;
        }
        if (frame.isExact) {
            m_wholePicture = since;
            beginDrag();
        }
        return;
    }
    if (m_phase == Phase::settling) {
        if (frame.isExact && !frame.request.isDragging && frame.request.asked >= m_end) {
            m_settled = std::chrono::duration<double>(now - m_end).count();
            finish({});
        }
        return;
    }
    while (!m_pending.empty() && m_pending.front() <= frame.request.asked) {
        m_latencies.push_back(std::chrono::duration<double>(now - m_pending.front()).count());
        m_pending.pop_front();
    }
    m_intervals.push_back(std::chrono::duration<double>(now - m_lastFrame).count());
    m_lastFrame = now;
    m_evaluations.push_back(frame.seconds);
    m_transfers.push_back(m_window.view().secondsToHand());
    if (const auto *widget = m_window.view().sceneWidget())
        m_drawings.push_back(widget->secondsToDraw());
    m_rows = std::max(m_rows, frame.work.rows);
    m_computedOn |= frame.work.computedOn;
    if (!frame.isExact)
        ++m_coarse;
}

void SteeringBench::finish(const QString &problem)
{
    m_phase = Phase::done;
    m_ticks.stop();
    m_patience.stop();
    const auto errors = m_window.messages().errors(); // news are none, such as of a first start
    emit ended(problem.isEmpty() && !errors.isEmpty() ? errors.first() : problem);
}

QJsonObject SteeringBench::result() const
{
    const auto &study = *m_window.model().study();
    const auto &view = m_window.view();
    const auto system = querySystemInfo();
    const double whole = std::accumulate(m_intervals.begin(), m_intervals.end(), 0.0);
    const auto shareOf = [whole](const std::vector<double> &seconds) {
        return whole > 0 ? std::accumulate(seconds.begin(), seconds.end(), 0.0) / whole : 0;
    };
    const auto &settings = m_window.model().now().view;
    return {
        {"benchmark", "steer"},
        {"commit", QString::fromUtf8(commitString())},
        {"cpu", QString::fromStdString(system.cpuName)},
        {"backend", m_window.performancePanel().backends().text()},
        {"computed_on", QString::fromStdString(m_computedOn.text())},
        {"threads", m_window.context().cpu().threads},
        {"cpu_threads", system.threadCount},
        {"opengl_renderer", ui::openGlRenderer()},
        {"study", QString::fromStdString(study.title)},
        {"values", static_cast<double>(study.fields.at(m_window.model().now().field).values())},
        {"grid_points", static_cast<double>(study.gridPoints)},
        {"active_rows", static_cast<double>(m_rows)},
        {"view", settings.tilted && settings.kind == ui::ViewKind::slice
                     ? obliqueSlice
                     : QString::fromUtf8(ui::kindOf(settings.kind).id)},
        {"window_pixels", QString("%1x%2").arg(m_window.width()).arg(m_window.height())},
        {"view_pixels", QString("%1x%2").arg(view.width()).arg(view.height())},
        {"first_picture_ms", milliseconds(m_firstPicture)},
        {"first_picture_energy_share", m_firstShare},
        {"whole_picture_ms", milliseconds(m_wholePicture)},
        {"seconds", m_seconds},
        {"events", static_cast<double>(m_latencies.size())},
        {"frames", static_cast<double>(m_intervals.size())},
        {"coarse_frames", static_cast<double>(m_coarse)},
        {"frames_per_second", whole > 0 ? static_cast<double>(m_intervals.size()) / whole : 0},
        {"latency_p50_ms", milliseconds(quantile(m_latencies, 0.5))},
        {"latency_p95_ms", milliseconds(quantile(m_latencies, 0.95))},
        {"latency_max_ms", milliseconds(quantile(m_latencies, 1))},
        {"evaluation_p50_ms", milliseconds(quantile(m_evaluations, 0.5))},
        {"evaluation_share", shareOf(m_evaluations)},
        {"transfer_p50_ms", milliseconds(quantile(m_transfers, 0.5))},
        {"transfer_share", shareOf(m_transfers)},
        {"drawing_p50_ms", milliseconds(quantile(m_drawings, 0.5))},
        {"drawing_share", shareOf(m_drawings)},
        {"exact_after_release_ms", milliseconds(m_settled)},
    };
}

} // namespace gridhelm::desktop

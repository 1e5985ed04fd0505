// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/main_window.h"

#include <QElapsedTimer>
#include <QJsonObject>
#include <QTimer>

#include <chrono>
#include <deque>
#include <vector>

namespace gridhelm::ui {
class ValueTrack;
}

namespace gridhelm::desktop {

/// Drags the first slider back and forth, as a hand would at 125 events a second, and measures how
/// long each event takes until a picture of its value, or of a newer one, is on the screen, and
/// where the time goes. An event counts from when it was due, also if the window was busy then.
class SteeringBench : public QObject
{
    Q_OBJECT

public:
    /// `view`: how the field is shown meanwhile: a kind of view by its name, or "oblique", a slice
    /// across the direction (1, 1, 1); empty: as the window begins. Throws gridhelm::Error for
    /// another word.
    /// `asked`: when the study was asked for, from which on its opening is measured.
    SteeringBench(ui::MainWindow &window, double seconds, const QString &view,
                  std::chrono::steady_clock::time_point asked);

    void start(); ///< the study is being opened
    /// After ended(): figures, with the machine and the study they are of.
    QJsonObject result() const;

signals:
    /// `problem`: a sentence; empty if all went well.
    void ended(const QString &problem);

private:
    using Clock = std::chrono::steady_clock;

    enum class Phase { opening, warmingUp, dragging, settling, done };

    void shown(const ui::FieldFrame &frame);
    void tick();
    void beginDrag();
    void choose(ui::Steering &steering) const;
    void finish(const QString &problem);
    ui::ValueTrack &track() const;
    QPointF handAt(double seconds) const;

    ui::MainWindow &m_window;
    double m_seconds;
    QString m_view;
    Phase m_phase = Phase::opening;
    QTimer m_ticks, m_patience;
    Clock::time_point m_asked, m_begin, m_end, m_lastFrame;
    double m_firstPicture = 0, m_wholePicture = 0; ///< seconds since m_asked; 0: none yet
    double m_firstShare = 1; ///< of the field's energy that the first picture held
    std::uint64_t m_events = 0;
    std::deque<Clock::time_point> m_pending; ///< events that no picture shows yet
    std::vector<double> m_latencies;         ///< seconds
    std::vector<double> m_intervals;         ///< between frames
    // Seconds, of frames:
    std::vector<double> m_evaluations, m_transfers, m_drawings;
    std::uint64_t m_rows = 0; ///< that were combined, at most
    std::uint64_t m_coarse = 0;
    ComputedOn m_computedOn; ///< all frames
    double m_settled = 0;
};

} // namespace gridhelm::desktop

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/steering/steering_model.h"

#include <QElapsedTimer>
#include <QTimer>

namespace gridhelm::ui {

/// Plays a parameter: from one end of its range to the other in a given time, again from the
/// beginning or back and forth. Goes on when the frame before has been shown, so that every frame
/// is seen and none waits.
class Animation : public QObject
{
    Q_OBJECT

public:
    enum class Ending { stop, loop, pingPong };

    explicit Animation(SteeringModel &model, QObject *parent = nullptr);

    /// Which one is played; one that is playing gives way to it.
    void choose(std::size_t parameter);
    /// From where the chosen parameter is.
    void play();
    void stop();
    void playOrStop();
    bool isPlaying() const { return m_timer.isActive(); }

    void setEnding(Ending ending) { m_ending = ending; }
    void setDuration(double seconds) { m_seconds = seconds; } ///< of one way

public slots:
    /// The frame that was asked for last is on the screen.
    void frameShown();

signals:
    void playingChanged(bool isPlaying);

private:
    void advance();

    SteeringModel &m_model;
    QTimer m_timer;
    QElapsedTimer m_clock;
    std::size_t m_parameter = 0;
    double m_place = 0; ///< in [0, 1] along the range
    double m_direction = 1;
    double m_seconds = 6;
    Ending m_ending = Ending::loop;
    bool m_isWaiting = false; ///< for a frame
};

} // namespace gridhelm::ui

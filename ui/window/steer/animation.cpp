// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/steer/animation.h"

#include "ui/window/steer/parameter_range.h"

#include <algorithm>

namespace gridhelm::ui {
namespace {

constexpr int tickMilliseconds = 16;
constexpr double longestWait = 0.5; ///< seconds for a frame that does not come

} // namespace

Animation::Animation(SteeringModel &model, QObject *parent)
    : QObject(parent)
    , m_model(model)
{
    m_timer.setInterval(tickMilliseconds);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &Animation::advance);
    connect(&model, &SteeringModel::studyChanged, this, &Animation::stop);
}

void Animation::choose(std::size_t parameter)
{
    if (parameter == m_parameter)
        return;
    const bool goesOn = isPlaying();
    stop();
    m_parameter = parameter;
    if (goesOn)
        play();
}

void Animation::playOrStop()
{
    if (isPlaying())
        stop();
    else
        play();
}

void Animation::play()
{
    if (!m_model.study() || m_parameter >= m_model.study()->parameters.parameters().size())
        return;
    const auto range = rangeOf(m_model.study()->parameters[m_parameter]);
    m_place = std::clamp(placeOf(range, m_model.now().parameters[m_parameter]), 0.0, 1.0);
    if (m_place >= 1 && m_ending != Ending::pingPong)
        m_place = 0;
    m_direction = m_place >= 1 ? -1 : 1;
    m_isWaiting = false;
    m_clock.start();
    m_timer.start();
    emit playingChanged(true);
}

void Animation::stop()
{
    if (!isPlaying())
        return;
    m_timer.stop();
    if (m_model.study() && m_parameter < m_model.now().parameters.size())
        m_model.setParameter(m_parameter, m_model.now().parameters[m_parameter], false);
    emit playingChanged(false);
}

void Animation::frameShown()
{
    m_isWaiting = false;
}

void Animation::advance()
{
    if (m_isWaiting && static_cast<double>(m_clock.elapsed()) < 1000 * longestWait)
        return;
    const double passed = std::min(static_cast<double>(m_clock.restart()) / 1000, longestWait);
    double place = m_place + m_direction * passed / m_seconds;
    const bool isAtEnd = place >= 1 || place <= 0;
    bool isOver = false;
    if (isAtEnd && m_ending == Ending::pingPong) {
        m_direction = place >= 1 ? -1 : 1;
        place = std::clamp(place, 0.0, 1.0);
    } else if (place >= 1) {
        isOver = m_ending == Ending::stop;
        place = isOver || m_place < 1 ? 1 : 0; // the end is shown, too
    }
    m_place = place;
    m_isWaiting = true;
    m_model.setParameter(
        m_parameter, roundValueAt(rangeOf(m_model.study()->parameters[m_parameter]), place), true);
    if (isOver)
        stop();
}

} // namespace gridhelm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/record/recorder.h"

#include "core/support/error.h"
#include "ui/window/steer/parameter_range.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gridhelm::ui {

Recorder::Recorder(SteeringModel &model, std::function<void(TakePicture)> picture, QObject *parent)
    : QObject(parent)
    , m_model(model)
    , m_picture(std::move(picture))
{
    connect(&model, &SteeringModel::studyChanged, this, [this] { stop("The study has changed"); });
}

Recorder::~Recorder() = default;

void Recorder::start(const Recording &recording)
{
    stop();
    if (!m_model.study() || recording.parameter >= m_model.now().parameters.size())
        throw Error("there is nothing to record; open a study first");
    if (recording.pictures < 2)
        throw Error("a recording has at least 2 pictures; choose more");
    if (!(recording.picturesPerSecond > 0 && recording.picturesPerSecond <= 240))
        throw Error("a movie has up to 240 pictures a second; choose a number above 0");
    m_sink = makePictureSink(recording.path, recording.picturesPerSecond);
    connect(m_sink.get(), &PictureSink::ready, this, &Recorder::next);
    connect(m_sink.get(), &PictureSink::ended, this, &Recorder::sinkEnded);
    ++m_number;
    m_recording = recording;
    m_before = m_model.now().parameters[recording.parameter];
    m_taken = 0;
    next();
}

void Recorder::stop(const QString &why)
{
    if (isRecording())
        end(why);
}

/// Everything is written, or cannot be.
void Recorder::sinkEnded(const QString &problem)
{
    end(problem.isEmpty() ? QString() : problem + ". The recording ended");
}

void Recorder::next()
{
    emit progressed(m_taken, m_recording.pictures);
    if (m_taken == m_recording.pictures) {
        m_sink->finish();
        return;
    }
    const auto range = rangeOf(m_model.study()->parameters[m_recording.parameter]);
    const double share = static_cast<double>(m_taken) / (m_recording.pictures - 1);
    const double place =
        std::lerp(placeOf(range, m_recording.from), placeOf(range, m_recording.to), share);
    m_isWaiting = true;
    m_model.setParameter(m_recording.parameter,
                         std::clamp(roundValueAt(range, place), range.low, range.high), true);
    takeIfShown(); // it may be there already
}

void Recorder::frameShown(std::shared_ptr<const FieldFrame> frame)
{
    m_shown = std::move(frame);
    takeIfShown();
}

void Recorder::takeIfShown()
{
    if (!isRecording() || !m_isWaiting || !m_shown || m_shown->isPart || !m_shown->isExact
        || m_shown->request.parameters != m_model.now().parameters
        || m_shown->request.field != m_model.now().field)
        return;
    m_isWaiting = false;
    ++m_taken;
    m_picture([this, number = m_number](const QImage &picture) {
        if (isRecording() && number == m_number)
            m_sink->add(picture);
    });
}

/// `why`: not everything could be recorded; empty: it is.
void Recorder::end(const QString &why)
{
    m_sink->disconnect(this);
    auto [pictures, what] = m_sink->remains();
    m_sink.release()->deleteLater(); // it may be the one that says so
    m_isWaiting = false;
    if (m_model.study() && m_recording.parameter < m_model.now().parameters.size())
        m_model.setParameter(m_recording.parameter, m_before, false);
    if (why.isEmpty())
        what[0] = what[0].toUpper();
    emit ended(why.isEmpty() ? what
                             : QString("%1 after %2 of %3 pictures; %4")
                                   .arg(why)
                                   .arg(pictures)
                                   .arg(m_recording.pictures)
                                   .arg(what),
               why.isEmpty());
}

} // namespace gridhelm::ui

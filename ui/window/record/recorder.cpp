// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/record/recorder.h"

#include "core/support/error.h"
#include "ui/window/views/compared_views.h"

#include <utility>

namespace gridhelm::ui {
namespace {

constexpr auto nameOfMovement = "recording"; ///< that is no step back: it ends where it began

} // namespace

Recorder::Recorder(SteeringModel &model, std::function<ComparedViews &()> views, QObject *parent)
    : QObject(parent)
    , m_model(model)
    , m_views(std::move(views))
{
    connect(&model, &SteeringModel::studyChanged, this, [this] { stop("The study has changed"); });
}

Recorder::~Recorder() = default;

void Recorder::start(const Recording &recording)
{
    stop();
    if (!m_model.study() || !recording.motion)
        throw Error("there is nothing to record; open a study first");
    if (recording.pictures < 2)
        throw Error("a recording has at least 2 pictures; choose more");
    if (!(recording.picturesPerSecond > 0 && recording.picturesPerSecond <= 240))
        throw Error("a movie has up to 240 pictures a second; choose a number above 0");
    if (!recording.size.isEmpty())
        requirePossible(recording.size);
    m_sink = makePictureSink(recording.path, recording.picturesPerSecond);
    connect(m_sink.get(), &PictureSink::ready, this, &Recorder::next);
    connect(m_sink.get(), &PictureSink::ended, this, &Recorder::sinkEnded);
    ++m_number;
    m_recording = recording;
    m_study = m_model.study();
    m_before = m_model.now();
    m_cameraBefore = m_views().steered().camera();
    m_hasMovedCamera = false;
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
    const MotionStep step{m_taken, m_recording.pictures};
    auto steering = m_model.now();
    m_recording.motion->steer(steering, step);
    m_isWaiting = true;
    if (steering != m_model.now())
        m_model.change(nameOfMovement, steering, true);
    if (const auto place = m_recording.motion->camera(step)) {
        m_hasMovedCamera = true;
        m_views().steered().moveCamera(place);
    }
    // It may be there already; but views that come or go have to be arranged first.
    QMetaObject::invokeMethod(this, &Recorder::takeIfShown, Qt::QueuedConnection);
}

void Recorder::frameShown(std::shared_ptr<const FieldFrame> frame)
{
    m_shown = std::move(frame);
    takeIfShown();
}

void Recorder::takeIfShown()
{
    if (!isRecording() || !m_isWaiting || !m_shown || m_shown->isPart || !m_shown->isExact
        || m_shown->study != m_model.study()
        || m_shown->request.parameters != m_model.now().parameters
        || m_shown->request.field != m_model.now().field)
        return;
    m_isWaiting = false;
    ++m_taken;
    m_views().takePicture({m_recording.size},
                          [this, number = m_number](const QImage &picture, const QString &problem) {
                              take(number, picture, problem);
                          });
}

void Recorder::take(int number, const QImage &picture, const QString &problem)
{
    if (!isRecording() || number != m_number)
        return; // it was stopped meanwhile
    if (!picture.isNull())
        m_sink->add(picture);
    else
        end(problem + ". The recording ended");
}

/// Not to another study, for which it would mean nothing.
void Recorder::takeBack()
{
    const auto &study = m_model.study();
    if (!study || study->path != m_study->path || study->parameters != m_study->parameters)
        return;
    auto steering = m_model.now();
    m_recording.motion->takeBack(steering, m_before);
    m_model.change(nameOfMovement, steering, false);
    if (m_hasMovedCamera)
        m_views().steered().moveCamera(m_cameraBefore);
}

/// `why`: not everything could be recorded; empty: it is.
void Recorder::end(const QString &why)
{
    m_sink->disconnect(this);
    auto [pictures, what] = m_sink->remains();
    m_sink.release()->deleteLater(); // it may be the one that says so
    m_isWaiting = false;
    takeBack();
    m_study.reset();
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

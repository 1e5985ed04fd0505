// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/steering/field_frame.h"
#include "ui/steering/steering_model.h"
#include "ui/window/record/motion.h"
#include "ui/window/record/picture_sink.h"

#include <QObject>
#include <QSize>

#include <functional>
#include <memory>
#include <optional>

namespace gridhelm::ui {

class ComparedViews;

struct Recording
{
    std::shared_ptr<const Motion> motion;
    int pictures = 120; ///< at least 2
    double picturesPerSecond = 30;
    QString path;    ///< see makePictureSink()
    QSize size = {}; ///< of each, in pixels; empty: as in the window
};

/// Steps through a motion, and records the picture of every exact field on the way. At the end
/// what has moved is where it was.
class Recorder : public QObject
{
    Q_OBJECT

public:
    /// `views` gives those that are recorded, which must outlive it.
    Recorder(SteeringModel &model, std::function<ComparedViews &()> views,
             QObject *parent = nullptr);
    ~Recorder() override;

    /// Throws gridhelm::Error, as a sentence, if it cannot begin.
    void start(const Recording &recording);
    /// What has been written of a series stays; a movie is not made. `why`: the beginning of the
    /// sentence that says so.
    void stop(const QString &why = "The recording was stopped");
    bool isRecording() const { return m_sink != nullptr; }

public slots:
    /// A frame is on the screen.
    void frameShown(std::shared_ptr<const gridhelm::ui::FieldFrame> frame);

signals:
    void progressed(int pictures, int of);
    /// A sentence: why, if it is not whole, and what is there of it.
    void ended(const QString &sentence, bool isWhole);

private:
    void next();
    void takeIfShown();
    void take(int number, const QImage &picture, const QString &problem);
    void takeBack();
    void end(const QString &why);
    void sinkEnded(const QString &problem);

    SteeringModel &m_model;
    std::function<ComparedViews &()> m_views;
    Recording m_recording;
    std::unique_ptr<PictureSink> m_sink;
    int m_number = 0; ///< of the recording
    std::shared_ptr<const FieldFrame> m_shown;
    std::shared_ptr<const StudyFacts> m_study; ///< that is recorded
    Steering m_before;
    std::optional<CameraPlace> m_cameraBefore;
    bool m_hasMovedCamera = false;
    int m_taken = 0;
    bool m_isWaiting = false; ///< for the field of picture m_taken
};

} // namespace gridhelm::ui

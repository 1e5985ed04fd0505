// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/steering/field_frame.h"
#include "ui/steering/steering_model.h"
#include "ui/window/record/picture_sink.h"

#include <QObject>

#include <functional>
#include <memory>

namespace gridhelm::ui {

struct Recording
{
    std::size_t parameter = 0; ///< that moves, in even steps (of its own scale)
    double from = 0, to = 0;   ///< in the parameter's range
    int pictures = 120;        ///< at least 2
    double picturesPerSecond = 30;
    QString path; ///< see makePictureSink()
};

/// Moves a parameter from one value to another, and records the picture of every exact field on
/// the way. At the end the parameter is where it was.
class Recorder : public QObject
{
    Q_OBJECT

public:
    using TakePicture = std::function<void(QImage)>;

    /// `picture` gives what is shown, later or at once.
    Recorder(SteeringModel &model, std::function<void(TakePicture)> picture,
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
    void end(const QString &why);
    void sinkEnded(const QString &problem);

    SteeringModel &m_model;
    std::function<void(TakePicture)> m_picture;
    Recording m_recording;
    std::unique_ptr<PictureSink> m_sink;
    int m_number = 0; ///< of the recording
    std::shared_ptr<const FieldFrame> m_shown;
    double m_before = 0; ///< of the parameter
    int m_taken = 0;
    bool m_isWaiting = false; ///< for the field of picture m_taken
};

} // namespace gridhelm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/backend.h"
#include "ui/machine/latest_request_worker.h"
#include "ui/steering/field_frame.h"
#include "ui/steering/steering_model.h"
#include "ui/trust/track_tint.h"

#include <QObject>
#include <QTimer>

#include <memory>

namespace gridhelm::ui {

/// How far the shown field may be off at a state, if that was measured.
struct BandAtState
{
    std::shared_ptr<const StudyFacts> study;
    data::FieldIndex field = 0;
    std::vector<double> parameters;
    data::BandHere here;
};

/// Evaluates the indicator along each parameter's track, in a thread of its own (see
/// LatestRequestWorker), whenever the hand has rested for a moment on a state whose field is shown.
/// Whatever moves stops it at once, so that it costs no frames.
class IndicatorTint : public QObject
{
    Q_OBJECT

public:
    IndicatorTint(SteeringModel &model, std::shared_ptr<const sparse::Backend> backend,
                  QObject *parent = nullptr);
    /// Waits until the thread has noticed.
    ~IndicatorTint() override;

    /// What evaluates from now on: tracks that are tinted already stay so.
    void setBackend(std::shared_ptr<const sparse::Backend> backend);
    /// As it came from the FieldService.
    void setFrame(const std::shared_ptr<const FieldFrame> &frame);
    /// Forgets the study.
    void clear();

signals:
    /// One track of the model's study and field, at the model's parameters.
    void found(std::shared_ptr<const gridhelm::ui::TrackTint> tint);
    /// For the model's state, before its tracks.
    void bandFound(std::shared_ptr<const gridhelm::ui::BandAtState> band);
    /// Why there is none, as a sentence.
    void failed(const QString &sentence);

private:
    class Tinting;

    void ask();

    SteeringModel &m_model;
    /// Of the last frame's field; weak: nobody wants them to stay in memory for this.
    std::weak_ptr<const data::FieldSurrogate> m_coefficients;
    bool m_isInMemory = false; ///< they were given
    QTimer m_rest;
    std::unique_ptr<Tinting> m_tinting;
    LatestRequestWorker m_worker; ///< last: its thread uses the others
};

} // namespace gridhelm::ui

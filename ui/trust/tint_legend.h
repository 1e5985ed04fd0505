// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/steering/steering_model.h"
#include "ui/trust/track_tint.h"

#include <QWidget>

#include <memory>
#include <vector>

namespace gridhelm::ui {

class ValueSlider;

/// Strength, in [0, 1], of the tint for a share of the field: 0 up to 0.1 %, 1 from 10 % on,
/// logarithmic in between, the same for all studies.
double tintStrength(double share);

/// Tints the sliders' tracks, and says what the tint means: a line with its colours from 0.1 % to
/// 10 %. What is not true any more because the state has changed becomes pale; nothing is left of
/// another field or study.
class TintLegend : public QWidget
{
    Q_OBJECT

public:
    explicit TintLegend(SteeringModel &model, QWidget *parent = nullptr);

    /// Those of the model's study, in its order; they have to live until the next ones come.
    void setSliders(std::vector<ValueSlider *> sliders);
    void showTint(std::shared_ptr<const TrackTint> tint);
    /// Why there is none.
    void showProblem(const QString &sentence);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void follow();
    void explain(const QString &problem);
    /// Of the field that is steered; null: its errors are not calibrated.
    const ErrorBand *band() const;

    SteeringModel &m_model;
    std::vector<ValueSlider *> m_sliders;
    std::vector<std::shared_ptr<const TrackTint>> m_tints; ///< of each slider; null: none
    QString m_problem;
};

} // namespace gridhelm::ui

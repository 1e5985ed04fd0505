// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/steering/field_frame.h"
#include "ui/steering/steering_model.h"
#include "ui/steering/study_facts.h"
#include "ui/window/steer/animation.h"

#include <QWidget>

#include <optional>
#include <vector>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QToolButton;
class QVBoxLayout;

namespace gridhelm::ui {

class TintLegend;
class ValueSlider;

/// A slider for each parameter, and the animation of one of them.
class SteerPanel : public QWidget
{
    Q_OBJECT

public:
    SteerPanel(SteeringModel &model, Animation &animation, QWidget *parent = nullptr);

    const std::vector<ValueSlider *> &sliders() const { return m_sliders; }
    TintLegend &tint() { return *m_tint; }
    /// Of the study that was closed nothing stays.
    void clear();

signals:
    void refused(const QString &sentence);

private:
    void showStudy();
    void makeSliders();
    void showValues();
    QWidget *makePlayer();

    SteeringModel &m_model;
    Animation &m_animation;
    QLabel *m_title;
    QVBoxLayout *m_rows;
    std::vector<ValueSlider *> m_sliders;
    TintLegend *m_tint;
    std::optional<ParameterSpace> m_parameters; ///< that they are for
    QComboBox *m_played;
    QComboBox *m_ending;
    QDoubleSpinBox *m_seconds;
    QToolButton *m_play;
};

} // namespace gridhelm::ui

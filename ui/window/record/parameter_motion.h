// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/parameters/parameter_space.h"
#include "ui/controls/value_slider.h"
#include "ui/steering/steering_model.h"
#include "ui/window/record/motion.h"

#include <optional>

class QComboBox;

namespace gridhelm::ui {

class NumberField;
class ShortenedLabel;

/// A parameter goes from one value to another in even steps of its own scale.
class ParameterMotion : public Motion
{
public:
    /// `parameter` by its index, in `range`.
    ParameterMotion(std::size_t parameter, const SliderRange &range, double from, double to);

    void steer(Steering &now, const MotionStep &step) const override;
    void takeBack(Steering &now, const Steering &before) const override;

private:
    std::size_t m_parameter;
    SliderRange m_range;
    double m_from, m_to;
};

class ParameterForm : public MotionForm
{
    Q_OBJECT

public:
    explicit ParameterForm(SteeringModel &model, QWidget *parent = nullptr);

    QString name() const override { return "A parameter"; }
    std::shared_ptr<const Motion> motion() const override;

private:
    void showParameters();
    void showRange();

    SteeringModel &m_model;
    std::optional<ParameterSpace> m_shown; ///< that the fields are for
    QComboBox *m_parameter;
    NumberField *m_from, *m_to;
    ShortenedLabel *m_unit; ///< of both
};

} // namespace gridhelm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/controls/value_slider.h"
#include "ui/steering/steering_model.h"
#include "ui/window/record/motion.h"

#include <vector>

class QComboBox;
class QLabel;
class QSpinBox;

namespace gridhelm::ui {

using ParameterValues = std::vector<double>; ///< of StudyFacts::parameters

/// Shows one state after the other, alone in the view.
class StatesMotion : public Motion
{
public:
    void steer(Steering &now, const MotionStep &step) const override;
    void takeBack(Steering &now, const Steering &before) const override;

protected:
    virtual ParameterValues stateIn(const MotionStep &step) const = 0;
};

/// States in turns, as many pictures of each.
class TurnsMotion : public StatesMotion
{
public:
    TurnsMotion(std::vector<ParameterValues> states, int picturesOfEach)
        : m_states(std::move(states))
        , m_each(picturesOfEach)
    {
    }

protected:
    ParameterValues stateIn(const MotionStep &step) const override;

private:
    std::vector<ParameterValues> m_states;
    int m_each;
};

/// From one state to another: all parameters at once, each evenly on its own scale.
class PassageMotion : public StatesMotion
{
public:
    PassageMotion(std::vector<SliderRange> ranges, ParameterValues from, ParameterValues to)
        : m_ranges(std::move(ranges))
        , m_from(std::move(from))
        , m_to(std::move(to))
    {
    }

protected:
    ParameterValues stateIn(const MotionStep &step) const override;

private:
    std::vector<SliderRange> m_ranges;
    ParameterValues m_from, m_to;
};

/// The pinned state, A, and the steered one, B.
class PinnedForm : public MotionForm
{
    Q_OBJECT

public:
    explicit PinnedForm(const SteeringModel &model, QWidget *parent = nullptr);

    QString name() const override { return "Pinned states, A and B"; }
    std::shared_ptr<const Motion> motion() const override;

private:
    void showState();

    const SteeringModel &m_model;
    QComboBox *m_way;
    QSpinBox *m_each;
    QLabel *m_hint;
};

} // namespace gridhelm::ui

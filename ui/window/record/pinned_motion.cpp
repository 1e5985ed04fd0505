// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/record/pinned_motion.h"

#include "core/support/error.h"
#include "ui/window/steer/parameter_range.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QSpinBox>

#include <algorithm>
#include <cmath>

namespace gridhelm::ui {
namespace {

enum Way { inTurns, fromAToB };

} // namespace

void StatesMotion::steer(Steering &now, const MotionStep &step) const
{
    now.parameters = stateIn(step);
    now.comparing = Comparing::off;
}

void StatesMotion::takeBack(Steering &now, const Steering &before) const
{
    now.parameters = before.parameters;
    now.comparing = before.comparing;
}

ParameterValues TurnsMotion::stateIn(const MotionStep &step) const
{
    return m_states[static_cast<std::size_t>(step.picture / m_each) % m_states.size()];
}

ParameterValues PassageMotion::stateIn(const MotionStep &step) const
{
    if (step.picture == 0)
        return m_from;
    if (step.picture == step.of - 1)
        return m_to;
    auto state = m_from;
    for (std::size_t t = 0; t < state.size(); ++t) {
        const auto &range = m_ranges[t];
        const double place =
            std::lerp(placeOf(range, m_from[t]), placeOf(range, m_to[t]), step.share());
        if (m_from[t] != m_to[t])
            state[t] = std::clamp(roundValueAt(range, place), range.low, range.high);
    }
    return state;
}

PinnedForm::PinnedForm(const SteeringModel &model, QWidget *parent)
    : MotionForm(parent)
    , m_model(model)
    , m_way(new QComboBox(this))
    , m_each(new QSpinBox(this))
    , m_hint(new QLabel(this))
{
    m_way->setAccessibleName("How the states follow each other");
    m_way->setToolTip("In turns: A, B, A ... as it blinks. From A to B: all parameters go evenly "
                      "from those of A to those of B");
    m_way->addItems({"In turns", "Evenly from A to B"});
    m_each->setAccessibleName("Pictures of each state");
    m_each->setToolTip("So many of A, then so many of B, until there are enough");
    m_each->setRange(1, 10'000);
    m_each->setValue(15);
    m_each->setSuffix(" pictures of each");
    m_hint->setWordWrap(true);
    auto *row = new QHBoxLayout;
    row->addWidget(m_way, 1);
    row->addWidget(m_each);
    auto *form = new QFormLayout(this);
    form->setContentsMargins(0, 0, 0, 0);
    form->addRow("&How", row);
    form->addRow(m_hint);
    connect(m_way, &QComboBox::currentIndexChanged, this, &PinnedForm::showState);
    connect(&model, &SteeringModel::changed, this, &PinnedForm::showState);
    connect(&model, &SteeringModel::studyChanged, this, &PinnedForm::showState);
    showState();
}

void PinnedForm::showState()
{
    m_each->setEnabled(m_way->currentIndex() == inTurns);
    m_hint->setText(m_model.now().pinned ? "A is what is pinned, B what the sliders say"
                                         : "Nothing is pinned yet: key A pins the present state");
}

std::shared_ptr<const Motion> PinnedForm::motion() const
{
    const auto &now = m_model.now();
    if (!m_model.study() || !now.pinned)
        throw Error("nothing is pinned; pin a state as A (key A), and steer to another one, B");
    if (*now.pinned == now.parameters)
        throw Error("A and B are the same state; move a slider to another one, B");
    if (m_way->currentIndex() == inTurns)
        return std::make_shared<TurnsMotion>(std::vector{*now.pinned, now.parameters},
                                             m_each->value());
    std::vector<SliderRange> ranges;
    for (const auto &parameter : m_model.study()->parameters.parameters())
        ranges.push_back(rangeOf(parameter));
    return std::make_shared<PassageMotion>(std::move(ranges), *now.pinned, now.parameters);
}

} // namespace gridhelm::ui

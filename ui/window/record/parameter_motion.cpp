// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/record/parameter_motion.h"

#include "core/support/error.h"
#include "ui/controls/number_field.h"
#include "ui/controls/shortened_label.h"
#include "ui/window/steer/parameter_range.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>

#include <algorithm>
#include <cmath>

namespace gridhelm::ui {

ParameterMotion::ParameterMotion(std::size_t parameter, const SliderRange &range, double from,
                                 double to)
    : m_parameter(parameter)
    , m_range(range)
    , m_from(placeOf(range, from))
    , m_to(placeOf(range, to))
{
}

void ParameterMotion::steer(Steering &now, const MotionStep &step) const
{
    const double value = roundValueAt(m_range, std::lerp(m_from, m_to, step.share()));
    now.parameters.at(m_parameter) = std::clamp(value, m_range.low, m_range.high);
}

void ParameterMotion::takeBack(Steering &now, const Steering &before) const
{
    now.parameters.at(m_parameter) = before.parameters.at(m_parameter);
}

ParameterForm::ParameterForm(SteeringModel &model, QWidget *parent)
    : MotionForm(parent)
    , m_model(model)
    , m_parameter(new QComboBox(this))
    , m_from(new NumberField("First value", this))
    , m_to(new NumberField("Last value", this))
    , m_unit(new ShortenedLabel(this))
{
    m_parameter->setAccessibleName("Parameter that moves");
    m_parameter->setToolTip("It moves in even steps; all the others stay where they are");
    m_from->setToolTip("Where the recording begins");
    m_to->setToolTip("Where it ends");
    auto *ends = new QHBoxLayout;
    ends->addWidget(m_from);
    ends->addWidget(new QLabel("to", this));
    ends->addWidget(m_to);
    ends->addWidget(m_unit);
    m_unit->setAccessibleName("Unit of the range");
    m_unit->setMaximumWidth(m_unit->fontMetrics().horizontalAdvance("0000000000"));
    auto *form = new QFormLayout(this);
    form->setContentsMargins(0, 0, 0, 0);
    form->addRow("&Parameter", m_parameter);
    form->addRow("From", ends);
    connect(m_parameter, &QComboBox::currentIndexChanged, this, &ParameterForm::showRange);
    for (auto *field : {m_from, m_to})
        connect(field, &NumberField::refused, this, &MotionForm::refused);
    connect(&model, &SteeringModel::studyChanged, this, &ParameterForm::showParameters);
    showParameters();
}

void ParameterForm::showParameters()
{
    const auto &study = m_model.study();
    QStringList names;
    for (std::size_t t = 0; study && t < study->parameters.parameters().size(); ++t)
        names << QString::fromStdString(study->parameters[t].name);
    if (!study || study->parameters == m_shown)
        return; // what has been typed stays
    m_shown = study->parameters;
    m_parameter->clear();
    m_parameter->addItems(names);
    m_parameter->setCurrentIndex(m_parameter->count() - 1); // time is the last one
}

void ParameterForm::showRange()
{
    const int t = m_parameter->currentIndex();
    if (t < 0)
        return;
    const auto &parameter = m_model.study()->parameters[static_cast<std::size_t>(t)];
    for (auto *field : {m_from, m_to})
        field->setRange(parameter.low, parameter.high);
    m_unit->setWhole(QString::fromStdString(parameter.unit));
    m_from->setValue(parameter.low);
    m_to->setValue(parameter.high);
}

std::shared_ptr<const Motion> ParameterForm::motion() const
{
    if (!m_model.study() || m_parameter->currentIndex() < 0)
        throw Error("there is nothing to record; open a study first");
    const auto t = static_cast<std::size_t>(m_parameter->currentIndex());
    return std::make_shared<ParameterMotion>(t, rangeOf(m_model.study()->parameters[t]),
                                             m_from->value(), m_to->value());
}

} // namespace gridhelm::ui

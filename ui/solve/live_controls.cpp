// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/solve/live_controls.h"

#include "ui/controls/value_slider.h"
#include "ui/controls/value_track.h"

#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace gridhelm::ui {
namespace {

/// A range in which a hand finds something: what a solver accepts may be vast, or have ends that it
/// refuses.
SliderRange rangeOf(const solvers::LiveParameter &parameter)
{
    constexpr double vast = 1e5;
    if (parameter.name == "relaxation")
        return {0.01, 1.995};
    if (parameter.highest - parameter.lowest < vast) {
        if (parameter.lowest < parameter.highest)
            return {parameter.lowest, parameter.highest};
        return {parameter.value - 1e-9, parameter.value + 1e-9}; // it cannot move
    }
    const double decade =
        std::pow(10, std::ceil(std::log10(std::max(std::abs(parameter.value), 1.0))));
    const double reach = std::abs(parameter.value) > decade / 2 ? 2 * decade : decade;
    return {std::max(parameter.lowest, -reach), std::min(parameter.highest, reach)};
}

/// What a solver has chosen by a formula, with as many digits as can be read.
double readable(double value)
{
    return QString::number(value, 'g', 6).toDouble();
}

} // namespace

LiveControls::LiveControls(QWidget *parent)
    : QWidget(parent)
    , m_layout(new QVBoxLayout(this))
    , m_hint(new QLabel("Sliders appear here when a solver runs.", this))
{
    m_layout->setContentsMargins(8, 6, 8, 6);
    m_layout->setSpacing(2);
    m_hint->setWordWrap(true);
    m_hint->setEnabled(false);
    m_layout->addWidget(m_hint);
    m_layout->addStretch(1);
}

void LiveControls::setParameters(const std::vector<solvers::LiveParameter> &parameters)
{
    const bool areSame = std::ranges::equal(
        parameters, m_sliders, [](const auto &parameter, const ValueSlider *slider) {
            return QString::fromStdString(parameter.name) == slider->name();
        });
    if (!areSame)
        clear();
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const auto &parameter = parameters[i];
        if (areSame) {
            // A range must not move under the hand; vast ones stay as they were made.
            auto *slider = m_sliders[i];
            const auto range = rangeOf(parameter);
            if (!slider->track()->isSliderDown() && parameter.highest - parameter.lowest < 1e5
                && (range.low != slider->range().low || range.high != slider->range().high))
                slider->setRange(range);
            continue;
        }
        const auto name = QString::fromStdString(parameter.name);
        auto *slider =
            new ValueSlider(name, QString::fromStdString(parameter.unit), rangeOf(parameter), this);
        slider->setObjectName("live " + name);
        slider->setValue(readable(parameter.value));
        slider->setDefault(readable(parameter.value));
        m_layout->insertWidget(m_layout->count() - 1, slider);
        connect(slider, &ValueSlider::valueEdited, this,
                [this, name](double value) { emit valueEdited(name, value); });
        connect(slider, &ValueSlider::refused, this, &LiveControls::refused);
        m_sliders.push_back(slider);
    }
    m_hint->setVisible(m_sliders.empty());
    m_hint->setText("This problem has no parameter that could change while it is solved.");
}

void LiveControls::showValues(const std::vector<solvers::LiveParameter> &parameters)
{
    for (const auto &parameter : parameters) {
        if (auto *each = slider(QString::fromStdString(parameter.name)))
            each->setValue(readable(parameter.value));
    }
}

void LiveControls::clear()
{
    for (auto *slider : m_sliders)
        delete slider;
    m_sliders.clear();
    m_hint->setText("Sliders appear here when a solver runs.");
    m_hint->show();
}

ValueSlider *LiveControls::slider(const QString &name) const
{
    const auto found = std::ranges::find(m_sliders, name, &ValueSlider::name);
    return found == m_sliders.end() ? nullptr : *found;
}

std::optional<double> LiveControls::value(const QString &name) const
{
    const auto *found = slider(name);
    return found ? std::optional(found->value()) : std::nullopt;
}

void LiveControls::setValue(const QString &name, double value)
{
    if (auto *found = slider(name))
        found->setValue(value);
}

} // namespace gridhelm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/campaign/added_error_box.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSlider>

#include <algorithm>
#include <array>
#include <cstddef>

namespace gridhelm::ui {
namespace {

struct Stop
{
    const char *text;
    std::optional<data::AddedErrorStep> step;
};

const std::array<Stop, 9> &stops()
{
    static const std::array<Stop, 9> all{{
        {"Storage precision as it is", std::nullopt},
        {"Exact POD modes", data::AddedErrorStep{0, false}},
        {"Quantised: half of the error", data::AddedErrorStep{0, true}},
        {"Quantised: up to 0.01 %", data::AddedErrorStep{1e-4, false}},
        {"Quantised: up to 0.03 %", data::AddedErrorStep{3e-4, false}},
        {"Quantised: up to 0.1 %", data::AddedErrorStep{1e-3, false}},
        {"Quantised: up to 0.3 %", data::AddedErrorStep{3e-3, false}},
        {"Quantised: up to 1 %", data::AddedErrorStep{1e-2, false}},
        {"Quantised: up to 3 %", data::AddedErrorStep{3e-2, false}},
    }};
    return all;
}

} // namespace

AddedErrorBox::AddedErrorBox(QWidget *parent)
    : QWidget(parent)
    , m_slider(new QSlider(Qt::Horizontal, this))
    , m_text(new QLabel(this))
{
    m_slider->setObjectName("addedError");
    m_slider->setAccessibleName("Storage precision: error that quantisation may add");
    m_slider->setRange(0, static_cast<int>(stops().size()) - 1);
    m_slider->setPageStep(1);
    m_slider->setTickPosition(QSlider::TicksBelow);
    m_slider->setToolTip(
        "Storage precision. All fields are stored as POD modes or as coefficients, whichever a "
        "picture reads less of, quantised as coarsely as this error allows, and evaluated from "
        "these. The largest error that this adds at any snapshot or validation point, relative to "
        "the field's root mean square, is measured after writing. Validation errors contain it, "
        "leave-one-out errors of a sparse grid do not. What a picture reads then is shown below");
    m_text->setObjectName("addedErrorText");
    // As wide as the longest one, so that nothing moves while the slider does.
    int width = 0;
    for (const auto &stop : stops())
        width = std::max(width, m_text->fontMetrics().horizontalAdvance(stop.text));
    m_text->setMinimumWidth(width);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_slider, 1);
    layout->addWidget(m_text);
    connect(m_slider, &QSlider::valueChanged, this, &AddedErrorBox::follow);
    follow();
}

std::optional<data::AddedErrorStep> AddedErrorBox::step() const
{
    return stops().at(static_cast<std::size_t>(m_slider->value())).step;
}

void AddedErrorBox::reset()
{
    m_slider->setValue(0);
}

void AddedErrorBox::follow()
{
    m_text->setText(stops().at(static_cast<std::size_t>(m_slider->value())).text);
}

} // namespace gridhelm::ui

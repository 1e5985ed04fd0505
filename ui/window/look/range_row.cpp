// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/look/range_row.h"

#include "ui/controls/number_field.h"
#include "ui/controls/number_text.h"

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QToolButton>

namespace gridhelm::ui {

RangeRow::RangeRow(QWidget *parent)
    : QWidget(parent)
    , m_mode(new QComboBox(this))
    , m_low(new NumberField("Lower end of the colours", this))
    , m_high(new NumberField("Upper end of the colours", this))
{
    m_mode->addItem("of this frame", static_cast<int>(RangeMode::frame));
    m_mode->addItem("of the whole study", static_cast<int>(RangeMode::study));
    m_mode->addItem("fixed", static_cast<int>(RangeMode::fixed));
    m_mode->setAccessibleName("Where the colours end");
    m_mode->setToolTip("The colours reach over the values of this frame, of the whole study (at "
                       "the points of its grid; of a very large one at the coarse ones), or from "
                       "and to fixed values");
    m_low->setToolTip("Typing fixes the range");
    m_high->setToolTip("Typing fixes the range");
    auto *fit = new QToolButton(this);
    fit->setText("Fit");
    fit->setAccessibleName("Fit the colours to what is shown");
    fit->setToolTip("The colours reach over the values of this frame, and stay there");
    auto *first = new QHBoxLayout;
    first->addWidget(m_mode, 1);
    first->addWidget(fit);
    auto *layout = new QGridLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addLayout(first, 0, 0, 1, 2);
    layout->addWidget(m_low, 1, 0);
    layout->addWidget(m_high, 1, 1);
    connect(fit, &QToolButton::clicked, this, &RangeRow::fitWanted);
    connect(m_mode, &QComboBox::activated, this,
            [this] { emit modeChosen(static_cast<RangeMode>(m_mode->currentData().toInt())); });
    for (auto *field : {m_low, m_high}) {
        connect(field, &NumberField::valueEntered, this, &RangeRow::enter);
        connect(field, &NumberField::refused, this, &RangeRow::refused);
    }
}

void RangeRow::show(RangeMode mode, const ValueRange &used, Scale scale)
{
    m_shown = mode;
    m_used = used;
    m_scale = scale;
    m_mode->setCurrentIndex(m_mode->findData(static_cast<int>(mode)));
    m_low->setValue(used.low);
    m_high->setValue(used.high);
}

/// Why the colours cannot reach over it; empty: they can.
QString RangeRow::problemOf(const ValueRange &range) const
{
    if (!(range.low < range.high))
        return "The colours cannot reach from " + numberText(range.low) + " to "
               + numberText(range.high) + ": the lower end must be below the upper one";
    if (m_scale == Scale::logarithmic && range.low <= 0)
        return "A logarithmic scale cannot begin at " + numberText(range.low)
               + ": type a lower end above 0, or turn off \"logarithmic\" first";
    return {};
}

void RangeRow::enter()
{
    const ValueRange range{m_low->value(), m_high->value()};
    const auto problem = problemOf(range);
    if (problem.isEmpty()) {
        emit rangeEntered(range);
        return;
    }
    show(m_shown, m_used, m_scale); // what is used stays
    emit refused(problem);
}

} // namespace gridhelm::ui

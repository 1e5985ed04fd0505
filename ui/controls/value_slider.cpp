// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/value_slider.h"

#include "core/support/round_number.h"
#include "ui/controls/number_field.h"
#include "ui/controls/number_text.h"
#include "ui/controls/plain_text.h"
#include "ui/controls/shortened_label.h"
#include "ui/controls/value_track.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QSignalBlocker>

#include <algorithm>
#include <cmath>

namespace gridhelm::ui {

double placeOf(const SliderRange &range, double value)
{
    if (range.isLogarithmic)
        return value > 0 ? std::log(value / range.low) / std::log(range.high / range.low) : 0;
    return (value - range.low) / (range.high - range.low);
}

double valueAt(const SliderRange &range, double place)
{
    if (place <= 0)
        return range.low;
    if (place >= 1)
        return range.high;
    if (range.isLogarithmic)
        return range.low * std::pow(range.high / range.low, place);
    return range.low + place * (range.high - range.low);
}

double roundValueAt(const SliderRange &range, double place)
{
    if (place <= 0 || place >= 1)
        return valueAt(range, place); // the ends are what they are
    const double value = valueAt(range, place);
    const double size = range.isLogarithmic ? std::abs(value) : range.high - range.low;
    const int exponent = static_cast<int>(std::floor(std::log10(size))) - 3;
    return std::clamp(roundedTo(value, exponent), range.low, range.high);
}

namespace {

/// Smaller than the name, and quieter: it is there to be looked up.
ShortenedLabel *endLabel(QWidget *parent)
{
    auto *label = new ShortenedLabel(parent);
    auto font = label->font();
    font.setPointSizeF(font.pointSizeF() * 0.85);
    label->setFont(font);
    label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}

} // namespace

ValueSlider::ValueSlider(const QString &name, const QString &unit, const SliderRange &range,
                         QWidget *parent)
    : QWidget(parent)
    , m_name(name)
    , m_unit(unit)
    , m_range(range)
    , m_value(range.low)
    , m_default(range.low)
    , m_label(new ShortenedLabel(this))
    , m_low(endLabel(this))
    , m_high(endLabel(this))
    , m_track(new ValueTrack(this))
    , m_field(new NumberField(name, this))
{
    m_track->setAccessibleName(name);
    explainRange();
    m_field->setFixedWidth(m_field->fontMetrics().horizontalAdvance("-0.00000000") + 12);
    m_label->setWhole(name, "Double-click here or on the handle: back to where it began");
    m_label->setBuddy(m_track);
    m_label->installEventFilter(this);
    m_track->installEventFilter(this);

    auto *layout = new QGridLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setVerticalSpacing(0);
    layout->addWidget(m_label, 0, 0);
    layout->setColumnStretch(0, 1);
    layout->addWidget(m_field, 0, 1);
    if (!unit.isEmpty()) {
        auto *ofUnit = new ShortenedLabel(this);
        ofUnit->setWhole(unit);
        ofUnit->setMaximumWidth(ofUnit->fontMetrics().horizontalAdvance("0000000000"));
        layout->addWidget(ofUnit, 0, 2);
    }
    layout->addWidget(m_track, 1, 0, 1, 3);
    auto *ends = new QHBoxLayout;
    ends->addWidget(m_low);
    ends->addStretch(1);
    ends->addWidget(m_high);
    layout->addLayout(ends, 2, 0, 1, 3);

    connect(m_track, &QSlider::valueChanged, this, [this](int position) {
        edit(valueOfPosition(position));
        if (!m_track->isSliderDown())
            emit editingFinished(m_value);
    });
    connect(m_track, &ValueTrack::resetWanted, this, &ValueSlider::reset);
    connect(m_track, &QSlider::sliderReleased, this, [this] { emit editingFinished(m_value); });
    connect(m_field, &NumberField::valueEntered, this, [this](double value) {
        edit(value);
        emit editingFinished(m_value);
    });
    connect(m_field, &NumberField::refused, this, &ValueSlider::refused);
    showValue();
}

void ValueSlider::setValue(double value)
{
    m_value = value;
    showValue();
}

void ValueSlider::setRange(const SliderRange &range)
{
    m_range = range;
    explainRange();
    showValue();
}

void ValueSlider::explainRange()
{
    const QString span = QString("%1 from %2 to %3%4%5")
                             .arg(m_name, numberText(m_range.low), numberText(m_range.high),
                                  m_unit.isEmpty() ? "" : " " + m_unit,
                                  m_range.isLogarithmic ? ", logarithmic" : "");
    m_track->setAccessibleDescription(span);
    m_track->setToolTip(
        plainTip(span
                 + "\nArrow keys, and the wheel after a click: steps of 1 %, with Shift 10 %, with "
                   "Alt 0.1 %, with Ctrl from mark to mark\nDouble click on the handle, or R: back "
                   "to where it began"));
    const auto unit = m_unit.isEmpty() ? QString() : " " + m_unit;
    m_low->setWhole(shortNumberText(m_range.low) + unit);
    m_high->setWhole(shortNumberText(m_range.high) + unit);
    m_field->setRange(m_range.low, m_range.high);
    m_field->setToolTip(plainTip(span + "\nType a value and press Enter"));
}

void ValueSlider::setDefault(double value)
{
    m_default = value;
}

void ValueSlider::setMarks(const std::vector<double> &values)
{
    m_marks = values;
    std::vector<double> places;
    for (const double value : values)
        places.push_back(placeOf(m_range, value));
    m_track->setMarks(std::move(places));
}

bool ValueSlider::eventFilter(QObject *watched, QEvent *event)
{
    const bool isReset = (watched == m_label && event->type() == QEvent::MouseButtonDblClick)
                         || (watched == m_track && event->type() == QEvent::KeyPress
                             && static_cast<QKeyEvent *>(event)->key() == Qt::Key_R
                             && static_cast<QKeyEvent *>(event)->modifiers() == Qt::NoModifier);
    if (!isReset)
        return QWidget::eventFilter(watched, event);
    reset();
    return true;
}

void ValueSlider::reset()
{
    edit(m_default);
    emit editingFinished(m_value);
}

double ValueSlider::valueOfPosition(int position) const
{
    for (const double mark : m_marks) {
        if (std::lround(placeOf(m_range, mark) * ValueTrack::steps) == position)
            return mark;
    }
    return roundValueAt(m_range, static_cast<double>(position) / ValueTrack::steps);
}

void ValueSlider::edit(double value)
{
    if (value == m_value)
        return;
    m_value = value;
    showValue();
    emit valueEdited(value);
}

void ValueSlider::showValue()
{
    const QSignalBlocker quiet(m_track); // it may not be able to stand exactly there
    const double place = std::clamp(placeOf(m_range, m_value), 0.0, 1.0);
    m_track->setValue(static_cast<int>(std::lround(place * ValueTrack::steps)));
    m_field->setValue(m_value);
}

} // namespace gridhelm::ui

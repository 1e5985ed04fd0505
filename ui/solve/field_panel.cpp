// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/solve/field_panel.h"

#include "ui/controls/colour_map_box.h"
#include "ui/controls/number_field.h"
#include "ui/controls/number_text.h"
#include "ui/solve/solver_worker.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSettings>
#include <QSignalBlocker>
#include <QSlider>
#include <QVBoxLayout>

#include <cmath>

namespace gridhelm::ui {
namespace {

constexpr int positions = 1000;

} // namespace

FieldPanel::FieldPanel(QWidget *parent)
    : QWidget(parent)
    , m_view(new FieldView(this))
    , m_colours(new ColourMapBox(this))
    , m_isFixed(new QCheckBox("Fixed", this))
    , m_low(new NumberField("Low end", this))
    , m_high(new NumberField("High end", this))
    , m_planeLabel(new QLabel("Plane", this))
    , m_normal(new QComboBox(this))
    , m_position(new QSlider(Qt::Horizontal, this))
{
    m_view->setObjectName("field");
    m_colours->setObjectName("colours");
    m_isFixed->setObjectName("fixed-range");
    m_isFixed->setToolTip("Keep the range of the colours; otherwise it follows the field");
    for (auto *field : {m_low, m_high}) {
        field->setFixedWidth(field->fontMetrics().horizontalAdvance("-0.0000e-00") + 10);
        field->setToolTip("End of the range of the colours, in the field's unit");
        connect(field, &NumberField::refused, this, &FieldPanel::refused);
        connect(field, &NumberField::valueEntered, this, &FieldPanel::applyRange);
    }
    m_low->setObjectName("range-low");
    m_high->setObjectName("range-high");
    m_normal->setObjectName("slice-axis");
    m_normal->addItems({"x", "y", "z"});
    m_normal->setToolTip("The axis that the plane is normal to");
    m_normal->setAccessibleName("Normal of the plane");
    m_position->setObjectName("slice-position");
    m_position->setRange(0, positions);
    m_position->setToolTip("Where the plane cuts the box: from its low to its high side");
    m_position->setAccessibleName("Position of the plane");
    m_planeLabel->setBuddy(m_normal);

    auto *controls = new QHBoxLayout;
    controls->setContentsMargins(4, 0, 4, 0);
    controls->addWidget(m_colours);
    controls->addWidget(m_isFixed);
    controls->addWidget(m_low);
    controls->addWidget(m_high);
    controls->addWidget(m_planeLabel);
    controls->addWidget(m_normal);
    controls->addWidget(m_position, 1);
    controls->addStretch(0);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(3);
    layout->addWidget(m_view, 1);
    layout->addLayout(controls);

    connect(m_colours, &QComboBox::currentIndexChanged, this,
            [this] { m_view->setColourMap(m_colours->colourMap()); });
    connect(m_isFixed, &QCheckBox::toggled, this, [this](bool isFixed) {
        if (isFixed) {
            const auto range = m_view->range();
            m_low->setValue(range.low);
            m_high->setValue(range.high);
        }
        applyRange();
    });
    const auto choose = [this] { emit sliceChosen(slice()); };
    connect(m_normal, &QComboBox::currentIndexChanged, this, choose);
    connect(m_position, &QSlider::valueChanged, this, choose);
    setSlice({2, 0.5});
    setFrame(nullptr);
    applyRange();
}

void FieldPanel::setFrame(std::shared_ptr<const SliceFrame> frame)
{
    const bool is3D = frame && frame->points[2] > 1;
    m_planeLabel->setVisible(is3D);
    m_normal->setVisible(is3D);
    m_position->setVisible(is3D);
    if (is3D) { // steps from plane to plane
        const auto planes = frame->points[static_cast<std::size_t>(m_normal->currentIndex())];
        m_position->setSingleStep(
            std::max(1, positions / static_cast<int>(std::max<std::size_t>(planes, 2) - 1)));
    }
    m_view->setFrame(std::move(frame));
    showRange();
}

void FieldPanel::setSlice(const solvers::SliceChoice &slice)
{
    const QSignalBlocker quietNormal(m_normal), quietPosition(m_position);
    m_normal->setCurrentIndex(static_cast<int>(slice.axis));
    m_position->setValue(static_cast<int>(std::lround(slice.position * positions)));
}

solvers::SliceChoice FieldPanel::slice() const
{
    return {static_cast<std::size_t>(m_normal->currentIndex()),
            static_cast<double>(m_position->value()) / positions};
}

void FieldPanel::applyRange()
{
    const bool isFixed = m_isFixed->isChecked();
    m_low->setEnabled(isFixed);
    m_high->setEnabled(isFixed);
    if (isFixed && !(m_low->value() < m_high->value())) {
        emit refused(QString("the colours cannot range from %1 to %2: the low end must be below "
                             "the high end")
                         .arg(numberText(m_low->value()), numberText(m_high->value())));
        return;
    }
    m_view->setFixedRange(isFixed ? std::optional(ValueRange{m_low->value(), m_high->value()})
                                  : std::nullopt);
    showRange();
}

/// The ends of a range that follows, with as many digits as one can read.
void FieldPanel::showRange()
{
    if (m_isFixed->isChecked())
        return;
    const auto range = m_view->range();
    const auto rounded = [](double value) { return QString::number(value, 'g', 4).toDouble(); };
    m_low->setValue(rounded(range.low));
    m_high->setValue(rounded(range.high));
}

void FieldPanel::saveState(QSettings &settings) const
{
    settings.setValue("colours", m_colours->currentText());
    settings.setValue("fixed", m_isFixed->isChecked());
    settings.setValue("low", m_low->value());
    settings.setValue("high", m_high->value());
}

void FieldPanel::restoreState(QSettings &settings)
{
    const auto colours = settings.value("colours").toString();
    if (m_colours->findText(colours) >= 0)
        m_colours->setCurrentText(colours);
    const double low = settings.value("low", 0).toDouble();
    const double high = settings.value("high", 1).toDouble();
    if (!settings.value("fixed", false).toBool() || !(low < high))
        return;
    m_isFixed->setChecked(true);
    m_low->setValue(low);
    m_high->setValue(high);
    applyRange();
}

} // namespace gridhelm::ui

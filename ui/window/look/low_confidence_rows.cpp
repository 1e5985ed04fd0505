// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/look/low_confidence_rows.h"

#include "ui/scene/pictures/picture_kind.h"
#include "ui/window/look/setting_slider.h"

#include <QCheckBox>
#include <QFormLayout>
#include <QSignalBlocker>

namespace gridhelm::ui {
namespace {

constexpr double percent = 0.01;

} // namespace

LowConfidenceRows::LowConfidenceRows(SteeringModel &model, QFormLayout &form, QWidget &parent)
    : QObject(&parent)
    , m_model(model)
    , m_form(form)
    , m_mark(new QCheckBox("low confidence", &parent))
    , m_above(new ValueSlider("Low confidence above", "%", {0.1, 100, true}, &parent))
{
    m_mark->setAccessibleName("Mark low confidence");
    m_mark->setToolTip("Darkens where the field may be far off, by what was measured at validation "
                       "points; without them, where the indicator is large: what the finest "
                       "complete level of the grid adds there");
    m_above->setToolTip(
        "Of the range of the colours, in percent: where the field may be off by more (without "
        "validation points: the indicator is larger), the picture is dark");
    m_above->setDefault(ViewSettings().lowConfidenceAbove / percent);
    form.addRow("", m_mark);
    form.addRow(m_above);
    connect(m_mark, &QCheckBox::toggled, this, [this](bool isOn) {
        steer(m_model, "low confidence",
              [isOn](Steering &steering) { steering.view.markLowConfidence = isOn; });
    });
    steerWith(*m_above, model, "low confidence", [](Steering &steering, double value) {
        steering.view.lowConfidenceAbove = percent * value;
    });
    connect(m_above, &ValueSlider::refused, this, &LowConfidenceRows::refused);
}

void LowConfidenceRows::show(const MeshShape &shape)
{
    const auto &view = m_model.now().view;
    const bool canMark = canMarkLowConfidence(view.kind, shape);
    const QSignalBlocker quiet(m_mark);
    m_mark->setChecked(view.markLowConfidence);
    m_above->setValue(view.lowConfidenceAbove / percent);
    m_form.setRowVisible(m_mark, canMark);
    m_form.setRowVisible(m_above, canMark && view.markLowConfidence);
}

} // namespace gridhelm::ui

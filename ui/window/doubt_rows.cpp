// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/doubt_rows.h"

#include "ui/scene/pictures/picture_kind.h"
#include "ui/window/setting_slider.h"

#include <QCheckBox>
#include <QFormLayout>
#include <QSignalBlocker>

namespace gridhelm::ui {
namespace {

constexpr double percent = 0.01;

} // namespace

DoubtRows::DoubtRows(SteeringModel &model, QFormLayout &form, QWidget &parent)
    : QObject(&parent)
    , m_model(model)
    , m_form(form)
    , m_mark(new QCheckBox("doubtful places", &parent))
    , m_above(new ValueSlider("Doubtful above", "%", {0.1, 100, true}, &parent))
{
    m_mark->setAccessibleName("Mark doubtful places");
    m_mark->setToolTip("Darkens where the indicator is large: what the finest level of the grid "
                       "adds to the field there");
    m_above->setToolTip("Of the range of the colours, in percent: where the indicator is larger, "
                        "the picture is dark");
    m_above->setDefault(ViewSettings().doubtfulAbove / percent);
    form.addRow("", m_mark);
    form.addRow(m_above);
    connect(m_mark, &QCheckBox::toggled, this, [this](bool isOn) {
        steer(m_model, "doubtful places",
              [isOn](Steering &steering) { steering.view.markDoubtful = isOn; });
    });
    steerWith(*m_above, model, "doubtful places", [](Steering &steering, double value) {
        steering.view.doubtfulAbove = percent * value;
    });
    connect(m_above, &ValueSlider::refused, this, &DoubtRows::refused);
}

void DoubtRows::show(const MeshShape &shape)
{
    const auto &view = m_model.now().view;
    const bool canMark = canMarkDoubtful(view.kind, shape);
    const QSignalBlocker quiet(m_mark);
    m_mark->setChecked(view.markDoubtful);
    m_above->setValue(view.doubtfulAbove / percent);
    m_form.setRowVisible(m_mark, canMark);
    m_form.setRowVisible(m_above, canMark && view.markDoubtful);
}

} // namespace gridhelm::ui

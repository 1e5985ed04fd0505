// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/look/level_rows.h"

#include "ui/controls/value_slider.h"
#include "ui/controls/value_track.h"
#include "ui/window/look/setting_slider.h"

#include <QCheckBox>
#include <QFormLayout>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

namespace gridhelm::ui {

LevelRows::LevelRows(SteeringModel &model, QFormLayout &form, QWidget &parent)
    : QObject(&parent)
    , m_model(model)
    , m_form(form)
    , m_count(new QSpinBox(&parent))
    , m_isOne(new QCheckBox("one level, at:", &parent))
    , m_valueRow(new QWidget(&parent))
    , m_valueLayout(new QVBoxLayout(m_valueRow))
{
    m_count->setRange(1, maxLevels);
    m_count->setAccessibleName("Number of levels");
    m_count->setToolTip("At most so many levels, at round values");
    m_isOne->setToolTip("A single level whose value a slider sets");
    m_valueLayout->setContentsMargins(0, 0, 0, 0);
    form.addRow("Levels", m_count);
    form.addRow("", m_isOne);
    form.addRow(m_valueRow);
    connect(m_count, &QSpinBox::valueChanged, this, [this](int count) {
        steer(m_model, "levels", [&](Steering &steering) { steering.view.levelCount = count; });
    });
    connect(m_isOne, &QCheckBox::toggled, this, [this](bool isOne) {
        steer(m_model, "levels", [&](Steering &steering) {
            steering.view.levels.clear();
            if (isOne)
                steering.view.levels = {0.5 * (m_used.low + m_used.high)};
        });
    });
}

void LevelRows::makeValueSlider()
{
    if (m_valueRange == m_used || (m_value && m_value->track()->isSliderDown()))
        return;
    m_valueRange = m_used;
    const SliderRange range{m_used.low, m_used.high, false};
    if (m_value) {
        m_value->setRange(range);
        return;
    }
    m_value = new ValueSlider("Value", "", range, m_valueRow);
    m_valueLayout->addWidget(m_value);
    steerWith(*m_value, m_model, "levels",
              [](Steering &steering, double value) { steering.view.levels = {value}; });
    connect(m_value, &ValueSlider::refused, this, &LevelRows::refused);
}

void LevelRows::show(const ValueRange &used)
{
    m_used = used;
    const auto &view = m_model.now().view;
    const bool isContour = view.kind == ViewKind::contour;
    const bool isOne = view.levels.size() == 1;
    const QSignalBlocker quietOne(m_isOne), quietCount(m_count);
    m_isOne->setChecked(isOne);
    m_count->setValue(view.levelCount);
    m_form.setRowVisible(m_count, isContour && !isOne);
    m_form.setRowVisible(m_isOne, isContour);
    m_form.setRowVisible(m_valueRow, isContour && isOne);
    if (isContour && isOne) {
        makeValueSlider();
        m_value->setValue(view.levels.front());
    }
}

} // namespace gridhelm::ui

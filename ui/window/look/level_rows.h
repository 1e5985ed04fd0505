// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/steering/steering_model.h"

#include <QObject>

#include <optional>

class QCheckBox;
class QFormLayout;
class QSpinBox;
class QVBoxLayout;
class QWidget;

namespace gridhelm::ui {

class ValueSlider;

/// Which levels a contour view has, as rows of a form: so many, or a single one whose value a
/// slider sets.
class LevelRows : public QObject
{
    Q_OBJECT

public:
    LevelRows(SteeringModel &model, QFormLayout &form, QWidget &parent);

    /// What the model says; `used`: the ends of the colours. No rows for views without levels.
    void show(const ValueRange &used);

signals:
    void refused(const QString &sentence);

private:
    void makeValueSlider();

    SteeringModel &m_model;
    QFormLayout &m_form;
    ValueRange m_used;
    std::optional<ValueRange> m_valueRange; ///< that m_value has
    QSpinBox *m_count;
    QCheckBox *m_isOne;
    QWidget *m_valueRow;
    QVBoxLayout *m_valueLayout;
    ValueSlider *m_value = nullptr;
};

} // namespace gridhelm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/steering/steering.h"

#include <QWidget>

class QComboBox;

namespace gridhelm::ui {

class NumberField;

/// Where the colours end: the mode, and two numbers that can be typed.
class RangeRow : public QWidget
{
    Q_OBJECT

public:
    explicit RangeRow(QWidget *parent = nullptr);

    /// `used`: the ends that the picture has.
    void show(RangeMode mode, const ValueRange &used);

signals:
    void modeChosen(gridhelm::ui::RangeMode mode);
    void rangeEntered(gridhelm::ui::ValueRange range);
    void refused(const QString &sentence);

private:
    void enter();

    QComboBox *m_mode;
    NumberField *m_low;
    NumberField *m_high;
};

} // namespace gridhelm::ui

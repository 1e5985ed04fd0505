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

    /// `used`: the ends that the picture has; `scale`: for which others have to be possible.
    void show(RangeMode mode, const ValueRange &used, Scale scale);

signals:
    void modeChosen(gridhelm::ui::RangeMode mode);
    void rangeEntered(gridhelm::ui::ValueRange range);
    void fitWanted(); ///< the range of the values that are shown, from now on
    void refused(const QString &sentence);

private:
    void enter();
    QString problemOf(const ValueRange &range) const;

    RangeMode m_shown = RangeMode::frame;
    ValueRange m_used;
    Scale m_scale = Scale::linear;
    QComboBox *m_mode;
    NumberField *m_low;
    NumberField *m_high;
};

} // namespace gridhelm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

namespace gridhelm::ui {

/// Ticks of a logarithmic axis: powers of ten, with twice and five times these where few powers are
/// in the range, and each label is what its tick is. (QCPAxisTickerLog takes evenly spaced values
/// where the range is small, which crowd at one end, and labels are rounded to powers.)
class LogTicker : public QCPAxisTickerLog
{
protected:
    int getSubTickCount(double tickStep) override;
    QVector<double> createTickVector(double tickStep, const QCPRange &range) override;
    QString getTickLabel(double tick, const QLocale &locale, QChar format, int precision) override;

private:
    bool m_isFine = false; ///< there are ticks between the powers
};

} // namespace gridhelm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/answers/uncertainty.h"
#include "ui/plot/plot_style.h"

#include <optional>
#include <string>
#include <vector>

namespace gridhelm::ui {

/// How often a number has which value, with lines at some.
class HistogramPlot : public Plot
{
    Q_OBJECT

public:
    explicit HistogramPlot(const QString &name, QWidget *parent = nullptr);

    /// `lines`: percentiles, say. `threshold`: a line that stands out.
    void show(const answers::Histogram &histogram, const QString &axis,
              const std::vector<double> &lines, std::optional<double> threshold);
    void clear();
    const answers::Histogram &histogram() const { return m_histogram; }
    std::string csv() const;

    QSize sizeHint() const override { return {260, 150}; }
    QSize minimumSizeHint() const override { return {160, 120}; }

signals:
    void news(const QString &sentence);
    void failed(const QString &sentence);

protected:
    void restyle() override;
    void showAll() override {}
    void wheelEvent(QWheelEvent *event) override;

private:
    answers::Histogram m_histogram;
    std::optional<double> m_threshold;
    QCPBars *m_bars;
    std::vector<QCPItemStraightLine *> m_lines; ///< the threshold's last, if there is one
};

} // namespace gridhelm::ui

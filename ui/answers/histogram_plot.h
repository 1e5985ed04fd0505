// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/answers/uncertainty.h"
#include "ui/plot/plot_style.h"

#include <optional>
#include <string>
#include <vector>

namespace gridhelm::ui {

/// How often a number has which value, with lines at some, and the curve of its density.
class HistogramPlot : public Plot
{
    Q_OBJECT

public:
    explicit HistogramPlot(const QString &name, QWidget *parent = nullptr);

    /// The spread's histogram and density, if it has one. `lines`: percentiles, say. `threshold`:
    /// a line that stands out.
    void show(const answers::Spread &spread, const QString &axis, const std::vector<double> &lines,
              std::optional<double> threshold);
    void clear();
    const answers::Histogram &histogram() const { return m_histogram; }
    const QCPGraph &curve() const { return *m_curve; }
    std::string csv() const; ///< bars, with the density in their middles

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
    double placeOnCurve(std::size_t i) const; ///< of the density, where its i-th value is

    answers::Histogram m_histogram;
    std::optional<answers::Density> m_density;
    std::optional<double> m_threshold;
    QCPBars *m_bars;
    QCPGraph *m_curve;
    std::vector<QCPItemStraightLine *> m_lines; ///< the threshold's last, if there is one
};

} // namespace gridhelm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/machine/machine_limits.h"
#include "ui/performance/frame_history.h"
#include "ui/plot/plot_style.h"

#include <array>
#include <optional>

namespace gridhelm::ui {

/// Roofline (Williams, Waterman, Patterson 2009): operations per second over operations per byte.
/// The roof is what this machine can do with as many threads: min(peak, read rate * intensity). A
/// large dot for the last evaluation, small ones that fade for those before, of the same back end
/// and as many threads. Evaluations of which nothing is known, or that read a file, have no dot.
class RooflinePlot : public Plot
{
    Q_OBJECT

public:
    static constexpr std::size_t maxDots = 100;

    explicit RooflinePlot(QWidget *parent = nullptr);

    /// `cpu`: with the threads that are in use, for the roof.
    void show(const FrameHistory &history, const MachineLimits &limits, const CpuDevice &cpu);

protected:
    void restyle() override;
    void showAll() override;

private:
    static constexpr std::size_t shades = 5;

    void showRoof(const MachineLimits &limits, const CpuDevice &cpu);

    QCPGraph *m_roof;
    std::array<QCPGraph *, shades> m_before; ///< the oldest first
    QCPGraph *m_last;
    QCPItemText *m_memoryLabel;
    QCPItemText *m_peakLabel;
    QCPItemText *m_hint;
    double m_least = 0, m_most = 0; ///< of the dots, GFlop/s; 0: none
    std::optional<double> m_peak;   ///< GFlop/s
};

} // namespace gridhelm::ui

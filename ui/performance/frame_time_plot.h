// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/performance/frame_history.h"
#include "ui/plot/plot_style.h"

#include <array>

namespace gridhelm::ui {

/// The time from event to screen of the last frames, as a column for each: evaluate, transfer,
/// render and waiting, one on top of the other. A line where 60 frames a second would be.
class FrameTimePlot : public Plot
{
    Q_OBJECT

public:
    static constexpr int maxFrames = 150;

    explicit FrameTimePlot(QWidget *parent = nullptr);

    void show(const FrameHistory &history);

protected:
    void restyle() override;
    void showAll() override;

private:
    std::array<QCPBars *, 4> m_parts;
    QCPItemStraightLine *m_sixty;
    QCPItemText *m_sixtyLabel;
    double m_top = 20; ///< milliseconds
};

} // namespace gridhelm::ui

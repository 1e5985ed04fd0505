// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/solve/run_update.h"

#include <QWidget>

#include <optional>

class QLabel;
class QPushButton;

namespace gridhelm::ui {

class MachineLimits;

/// How fast a run is, beside how fast this machine copies memory; and a button that measures that.
class RatesBar : public QWidget
{
    Q_OBJECT

public:
    /// `limits` must outlive it.
    RatesBar(MachineLimits &limits, QWidget *parent);

    /// `run`: none has begun without it. `threads`: of the CPU, that work or would work on it; 0:
    /// none.
    void show(const std::optional<RunState> &run, int threads);

private:
    void showAgain();

    MachineLimits &m_limits;
    QLabel *m_rates;
    QPushButton *m_measure;
    std::optional<RunState> m_run;
    int m_threads = 0;
};

} // namespace gridhelm::ui

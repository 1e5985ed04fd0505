// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/problem_in_words.h"
#include "core/solvers/run/run_plan.h"

#include <QWidget>

#include <vector>

class QLabel;
class QToolButton;

namespace gridhelm::ui {

/// What is solved, for somebody who has never seen it: the equation, and behind a button what it
/// means, where it is solved, and when a run has converged.
class SolverGuide : public QWidget
{
    Q_OBJECT

public:
    /// `figures`: those that runs report.
    SolverGuide(const solvers::ProblemInWords &problem,
                const std::vector<solvers::Quantity> &figures, QWidget *parent);

    bool isOpen() const;
    void setOpen(bool isOpen);

private:
    QToolButton *m_open;
    QLabel *m_text;
};

} // namespace gridhelm::ui

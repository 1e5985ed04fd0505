// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/run/run_plan.h"
#include "core/solvers/stepper.h"
#include "ui/plot/plot_style.h"

#include <map>
#include <set>
#include <span>
#include <vector>

class QTimer;

namespace gridhelm::ui {

/// How runs converge: residual (solid), largest change (dashed) and error (dotted) over iterations
/// (linear or logarithmic) or seconds, a colour for each run. New points are drawn ten times a
/// second at most.
class ConvergencePlot : public Plot
{
    Q_OBJECT

public:
    enum class Abscissa { iterations, logIterations, seconds };
    static constexpr std::size_t maxPoints = 2048; ///< of a run; beyond, every other one is dropped

    explicit ConvergencePlot(QWidget *parent = nullptr);

    void addRun(int id, const QString &name, int colour);
    void append(int id, std::span<const solvers::StepReport> points);
    void setShown(int id, bool isShown);
    void rename(int id, const QString &name);
    void remove(int id);

    void setQuantities(const std::set<solvers::Quantity> &quantities);
    void setAbscissa(Abscissa abscissa);
    /// "iterations" or "sweeps"
    void setUnit(int id, const QString &unit);

    const std::vector<solvers::StepReport> &points(int id) const { return m_runs.at(id).points; }
    bool hasRun(int id) const { return m_runs.contains(id); }
    /// run,iterations,seconds,residual,largest_change,error: what is shown.
    QString csv() const;

protected:
    void restyle() override;
    void showAll() override;

private:
    struct Run
    {
        QString name;
        QString unit{"iterations"};
        int colour = 0;
        bool isShown = true;
        bool isNew = true; ///< its graphs are not what it says
        std::vector<solvers::StepReport> points;
        std::map<solvers::Quantity, QCPGraph *> graphs;
    };

    void labelAxes();
    void schedule();
    void scheduleAll();
    void redraw();
    void fill(Run &run);

    std::map<int, Run> m_runs;
    std::set<solvers::Quantity> m_quantities{solvers::Quantity::residual, solvers::Quantity::change,
                                             solvers::Quantity::error};
    Abscissa m_abscissa = Abscissa::iterations;
    QTimer *m_timer;
};

} // namespace gridhelm::ui

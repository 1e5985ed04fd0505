// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/run/run_plan.h"
#include "ui/solve/solver_form.h"

#include <QStringList>

#include <functional>
#include <string>
#include <vector>

class QCheckBox;
class QComboBox;
class QLineEdit;
class QSpinBox;

namespace gridhelm::ui {

class OptionRows;

/// The options of a run that all solvers have: how long, how exact, on how many threads.
class RunInputs
{
public:
    /// `figures` may end a run, the first one is chosen; `unit` is "iterations" or "sweeps"; of the
    /// `precisions` the first one is chosen, too.
    RunInputs(OptionRows &rows, const std::vector<solvers::Quantity> &figures,
              const QString &tolerance, const QString &unit, SolverBackends backends,
              const QStringList &precisions = {"double", "float"});

    solvers::RunSetup setup() const;
    /// With the threads and devices as they are chosen now. Any thread may call it, later; it
    /// throws gridhelm::Error for devices that there are not.
    std::function<ExecutionContext()> context() const;
    int threadsUsed() const; ///< 0: another back end than the CPU works on it
    const solvers::SolverBackend &backend() const;
    std::string precision() const; ///< one of those
    std::string devices() const;   ///< "auto", "gpu:0,1", "cpu/4"
    /// All but what the solver makes of it; `method` is "Jacobi tuned", to which the precision is
    /// added.
    WantedRun wanted(const QString &method, const QString &size) const;

private:
    QComboBox *m_until;
    QLineEdit *m_tolerance;
    QLineEdit *m_most;
    QCheckBox *m_staysLive;
    QComboBox *m_precision;
    SolverBackends m_backends;
    QComboBox *m_backend;
    QComboBox *m_devices;
    QSpinBox *m_threads;
    QCheckBox *m_pin;
    QLineEdit *m_every;
    QLineEdit *m_changes;
};

/// "a; b" as two texts.
std::vector<std::string> splitList(const std::string &text);

} // namespace gridhelm::ui

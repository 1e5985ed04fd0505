// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/poisson/poisson_method.h"
#include "core/solvers/problem_in_words.h"
#include "core/solvers/run/run_plan.h"
#include "core/solvers/run/solver_case.h"
#include "core/solvers/solver_backend.h"

#include "ui/solve/shown_field.h"
#include "ui/solve/solver_devices.h"

#include <QWidget>

#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

class QLabel;
class QSettings;

namespace gridhelm::ui {

class OptionRows;
class SolverGuide;

/// What the user may choose from; the back ends outlive the forms, and the first one is the
/// default.
struct SolverBackends
{
    std::vector<const solvers::SolverBackend *> all;
    ExecutionContext context;   ///< its threads are the user's choice, too
    SolverDevices devices = {}; ///< there is no choice without
};

/// What a form asks for; cheap, and safe to hand to another thread.
struct WantedRun
{
    std::function<solvers::SolverCase(const std::stop_token &)>
        makeCase;   ///< reads files; throws gridhelm::Error
    QString method; ///< "red-black, double"
    QString size;   ///< "256 x 256"
    QString start;  ///< what a warm start begins with; empty: a cold one
    /// The same run from a cold start, that is to be made before; empty: none is.
    std::function<solvers::SolverCase(const std::stop_token &)> makeColdCase;
    bool pin = false;
    bool staysLive = true;
};

/// The options of one solver, in a page that scrolls.
class SolverForm : public QWidget
{
    Q_OBJECT

public:
    /// What somebody is told who does not know the solver.
    struct About
    {
        QString solver;  ///< "Jacobi"
        QString summary; ///< what it solves, and how
        solvers::ProblemInWords problem;
        std::vector<solvers::Quantity> figures; ///< that runs report
        QString purpose = {};                   ///< of the method, if there is but one
    };

    /// `key` is for the settings.
    SolverForm(const QString &key, const About &about, QWidget *parent);

    const QString &solver() const { return m_solver; }
    const QString &summary() const { return m_summary; }
    virtual WantedRun wanted() const = 0;
    /// What runs may begin with, beside files.
    virtual void setShownField(const ShownFieldSource &) {}
    virtual int threads() const = 0; ///< of the CPU; 0: none works on it
    /// Into how many layers the field is folded, in the picture and in files.
    virtual std::optional<int> layers() const { return std::nullopt; }
    /// The plane that is shown to begin with, of a field in three dimensions.
    virtual std::size_t defaultNormal() const { return 2; }

    /// Why the options cannot be, beside them; empty: they can.
    void showProblem(const QString &sentence);
    QString problem() const;
    void setOptionsEnabled(bool isEnabled);

    void saveState(QSettings &settings) const;
    void restoreState(QSettings &settings);

signals:
    /// The options are others now.
    void edited();

protected:
    OptionRows &rows() { return *m_rows; }

private:
    QString m_key;
    QString m_solver;
    QString m_summary;
    QLabel *m_problem;
    SolverGuide *m_guide;
    OptionRows *m_rows;
};

SolverForm *makePoissonForm(const solvers::PoissonFamily &family, const SolverBackends &backends,
                            QWidget *parent);
SolverForm *makePmmForm(const SolverBackends &backends, QWidget *parent);
SolverForm *makeStencilForm(const SolverBackends &backends, QWidget *parent);

} // namespace gridhelm::ui

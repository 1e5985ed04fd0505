// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/setup/method_setup.h"
#include "ui/solve/method_inputs.h"
#include "ui/solve/option_rows.h"
#include "ui/solve/poisson_inputs.h"
#include "ui/solve/run_inputs.h"
#include "ui/solve/solver_form.h"

namespace gridhelm::ui {
namespace {

/// A family of methods for Poisson's equation.
class PoissonForm : public SolverForm
{
public:
    PoissonForm(const solvers::PoissonFamily &family, const SolverBackends &backends,
                QWidget *parent)
        : SolverForm(QString::fromUtf8(family.id),
                     {QString::fromUtf8(family.name), QString::fromUtf8(family.summary),
                      solvers::poissonInWords, solvers::figuresOf(family)},
                     parent)
        , m_family(family)
        , m_method(rows(), family)
        , m_problem(rows())
        , m_run(rows(), solvers::figuresOf(family), "1e-6", "iterations", backends)
    {
        rows().finish();
    }

    int threads() const override { return m_run.threadsUsed(); }

    void setShownField(const ShownFieldSource &source) override
    {
        m_problem.start().setShownField(source);
    }

    WantedRun wanted() const override
    {
        auto method = m_method.setup();
        method.precision = m_run.precision();
        const auto start = m_problem.start().start();
        auto wanted = m_run.wanted(solver() + " " + m_method.method(), m_problem.size());
        const auto caseOf = [this, method](const solvers::PoissonSetup &problem) {
            return [&family = m_family, method, problem, run = m_run.setup(),
                    context = m_run.context(), backend = &m_run.backend(),
                    known = m_problem.knownIsChosen()](const std::stop_token &) {
                const auto settings = poissonSettings(family, method);
                return poissonCase(poissonProblem(problem), settings, run, known, context(),
                                   *backend);
            };
        };
        auto setup = m_problem.setup();
        if (start.comparesCold)
            wanted.makeColdCase = caseOf(setup);
        setStart(setup, start);
        wanted.makeCase = caseOf(setup);
        wanted.start = start.inWords;
        return wanted;
    }

private:
    const solvers::PoissonFamily &m_family;
    MethodInputs m_method;
    PoissonInputs m_problem;
    RunInputs m_run;
};

} // namespace

SolverForm *makePoissonForm(const solvers::PoissonFamily &family, const SolverBackends &backends,
                            QWidget *parent)
{
    return new PoissonForm(family, backends, parent);
}

} // namespace gridhelm::ui

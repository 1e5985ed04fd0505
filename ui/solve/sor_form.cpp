// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/setup/sor_setup.h"
#include "ui/solve/option_rows.h"
#include "ui/solve/poisson_inputs.h"
#include "ui/solve/run_inputs.h"
#include "ui/solve/solver_form.h"

#include <QComboBox>
#include <QLineEdit>
#include <QSpinBox>

namespace gridhelm::ui {
namespace {

class SorForm : public SolverForm
{
public:
    SorForm(const SolverBackends &backends, QWidget *parent)
        : SolverForm("sor", "SOR", parent)
        , m_method(rows().addChoice(
              "method", "Method", {"red-black", "sequential", "mlssor"},
              "red-black: parallel, 2D and 3D; sequential: unknown after unknown, forwards, "
              "backwards or to and fro (SSOR, 2D); mlssor: several iterations of a tile in cache, "
              "with symmetric sweeps (2D)"))
        , m_relaxation(rows().addText("relaxation", "Relaxation", "",
                                      "Relaxation factor to begin with, above 0 and below 2; it "
                                      "can be changed while the solver runs"))
        , m_direction(rows().addChoice("direction", "Direction",
                                       {"alternating", "forward", "backward"},
                                       "Of the sweeps: forward and backward are SOR, alternating "
                                       "ones SSOR"))
        , m_shape(rows().addChoice("shape", "Shape", {"16x32", "8x16", "4x8", "32x64"},
                                   "Sub-domains of K layers (iterations) of M x M unknowns",
                                   OptionRows::Rank::usual, true))
        , m_pass(rows().addNumber("pass", "Pass", 0, 64, 0, "chosen",
                                  "Iterations in one pass over memory", OptionRows::Rank::rare))
        , m_problem(rows())
        , m_run(rows(), {"residual", "error"}, "1e-6", "iterations", backends)
    {
        m_relaxation->setPlaceholderText("a good one for the grid");
        connect(m_method, &QComboBox::currentTextChanged, this, &SorForm::showWhatMatters);
        showWhatMatters();
        rows().finish();
    }

    int threads() const override { return m_run.threadsUsed(); }

    WantedRun wanted() const override
    {
        solvers::SorSetup method;
        method.prefix.clear();
        method.method = chosen(m_method);
        method.precision = m_run.precision();
        method.relaxation = typed(m_relaxation);
        if (method.method != "red-black")
            method.direction = chosen(m_direction);
        else
            method.iterationsPerPass = std::to_string(m_pass->value());
        if (method.method == "mlssor")
            method.shape = chosen(m_shape);
        auto wanted = m_run.wanted("SOR " + m_method->currentText(), m_problem.size());
        wanted.makeCase = [method, problem = m_problem.setup(), run = m_run.setup(),
                           context = m_run.context(), backend = &m_run.backend(),
                           known = m_problem.knownIsChosen()] {
            const auto settings = sorSettings(method);
            return sorCase(poissonProblem(problem), settings, run, known, context, *backend);
        };
        return wanted;
    }

private:
    void showWhatMatters()
    {
        const auto method = m_method->currentText();
        rows().setMeaningful(m_direction, method != "red-black");
        rows().setMeaningful(m_shape, method == "mlssor");
        rows().setMeaningful(m_pass, method == "red-black");
    }

    QComboBox *m_method;
    QLineEdit *m_relaxation;
    QComboBox *m_direction;
    QComboBox *m_shape;
    QSpinBox *m_pass;
    PoissonInputs m_problem;
    RunInputs m_run;
};

} // namespace

SolverForm *makeSorForm(const SolverBackends &backends, QWidget *parent)
{
    return new SorForm(backends, parent);
}

} // namespace gridhelm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/setup/jacobi_setup.h"
#include "ui/solve/option_rows.h"
#include "ui/solve/poisson_inputs.h"
#include "ui/solve/run_inputs.h"
#include "ui/solve/solver_form.h"

#include <QComboBox>
#include <QLineEdit>
#include <QSpinBox>

namespace gridhelm::ui {
namespace {

class JacobiForm : public SolverForm
{
public:
    JacobiForm(const SolverBackends &backends, QWidget *parent)
        : SolverForm("jacobi", "Jacobi", parent)
        , m_method(rows().addChoice(
              "method", "Method",
              {"tuned", "naive", "temporal", "async0", "async1", "async2", "async3"},
              "naive: two plain loops; tuned: blocked, vectorised and parallel; temporal: several "
              "iterations in one pass over memory (2D); async0 to async3: tiles iterate on their "
              "own for a while (2D)"))
        , m_alpha(rows().addNumber("alpha", "Alpha", 1, 1000, 6, "",
                                   "Iterations of a tile between two synchronisations of all; "
                                   "even, but for async3"))
        , m_tile(rows().addText("tile", "Tile", "", "Columns and rows of a tile, e.g. 64x32"))
        , m_depth(rows().addNumber("depth", "Depth", 0, 64, 0, "chosen",
                                   "Iterations in one pass over memory"))
        , m_problem(rows())
        , m_run(rows(), {"residual", "change", "error"}, "1e-6", "iterations", backends)
    {
        m_tile->setPlaceholderText("chosen");
        connect(m_method, &QComboBox::currentTextChanged, this, &JacobiForm::showWhatMatters);
        showWhatMatters();
        rows().finish();
    }

    int threads() const override { return m_run.threadsUsed(); }

    WantedRun wanted() const override
    {
        solvers::JacobiSetup method;
        method.prefix.clear();
        method.method = chosen(m_method);
        method.precision = m_run.precision();
        if (isAsynchronous()) {
            method.asyncFactor = m_alpha->text().toStdString();
            method.tile = typed(m_tile);
        }
        if (isTemporal())
            method.depth = std::to_string(m_depth->value());
        auto wanted = m_run.wanted("Jacobi " + m_method->currentText(), m_problem.size());
        wanted.makeCase = [method, problem = m_problem.setup(), run = m_run.setup(),
                           context = m_run.context(), backend = &m_run.backend(),
                           known = m_problem.knownIsChosen()] {
            const auto options = jacobiOptions(method);
            return jacobiCase(poissonProblem(problem), options, run, known, context, *backend);
        };
        return wanted;
    }

private:
    bool isAsynchronous() const { return m_method->currentText().startsWith("async"); }
    bool isTemporal() const { return m_method->currentText() == "temporal"; }

    void showWhatMatters()
    {
        rows().setMeaningful(m_alpha, isAsynchronous());
        rows().setMeaningful(m_tile, isAsynchronous());
        rows().setMeaningful(m_depth, isTemporal());
    }

    QComboBox *m_method;
    QSpinBox *m_alpha;
    QLineEdit *m_tile;
    QSpinBox *m_depth;
    PoissonInputs m_problem;
    RunInputs m_run;
};

} // namespace

SolverForm *makeJacobiForm(const SolverBackends &backends, QWidget *parent)
{
    return new JacobiForm(backends, parent);
}

} // namespace gridhelm::ui

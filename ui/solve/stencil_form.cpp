// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/setup/problem_text.h"
#include "core/support/cache_folder.h"
#include "data/stencil/stencil_solver.h"
#include "ui/solve/option_rows.h"
#include "ui/solve/run_inputs.h"
#include "ui/solve/solver_form.h"
#include "ui/solve/stencil_inputs.h"

#include <QComboBox>

#include <string>
#include <utility>

namespace gridhelm::ui {
namespace {

constexpr const char *generated = "generated";
constexpr const char *literal = "literal";
constexpr const char *ofTheFile = "as the stencil says";

class StencilForm : public SolverForm
{
public:
    StencilForm(const SolverBackends &backends, QWidget *parent)
        : SolverForm("stencil",
                     {"Stencil", "Any linear stencil in 2 or 3 dimensions, by generated code",
                      solvers::stencilInWords, figures(),
                      "Code is made from the stencil's numbers and compiled, which takes a second "
                      "or two and is kept for the next time."},
                     parent)
        , m_stencil(rows())
        , m_method(rows().addChoice(
              "method", "Method", {generated, literal},
              "generated: code that is made for this stencil; literal: the definition, word for "
              "word, which is slow and needs no compiler"))
        , m_run(rows(), figures(), "1e-6", "iterations", backends, {ofTheFile, "double", "float"})
        , m_gpu(backends.devices.stencils)
    {
        connect(&m_stencil, &StencilInputs::looked, this, &SolverForm::showProblem);
        rows().finish();
    }

    int threads() const override { return m_run.threadsUsed(); }

    WantedRun wanted() const override
    {
        const bool isLiteral = m_method->currentText() == literal;
        const data::StencilMeans means{m_gpu, std::string(m_run.backend().name()), m_run.devices(),
                                       isLiteral, cacheFolder()};
        auto wanted = m_run.wanted("", m_stencil.size());
        const auto chosen = QString::fromStdString(m_run.precision());
        const auto precision = chosen == ofTheFile ? m_stencil.precision() : chosen;
        wanted.method = "Stencil " + m_stencil.name();
        if (!precision.isEmpty())
            wanted.method += ", " + precision;
        wanted.makeCase = [read = m_stencil.reader(), means, run = m_run.setup(),
                           context = m_run.context(),
                           precision = m_run.precision()](const std::stop_token &stop) {
            auto stencil = read().stencil;
            if (precision != ofTheFile)
                stencil.precision = solvers::parsePrecision(precision, "precision");
            auto where = context();
            const int most = stencil.target.threads; // the form may say fewer
            if (most > 0 && most < where.cpu().threads)
                where = where.on(CpuDevice{most});
            auto prepared = prepareStencil(stencil, means, where, stop);
            if (!prepared.whyLiteral.empty())
                where.report(
                    {ExecutionEvent::Kind::fallback,
                     "The literal loop computes the stencil, more slowly: " + prepared.whyLiteral});
            auto result = stencilCase(stencil, run, std::move(prepared.makeStepper));
            result.backend = prepared.backend;
            result.threads = prepared.threads;
            result.shares = prepared.shares;
            return result;
        };
        return wanted;
    }

private:
    static std::vector<solvers::Quantity> figures()
    {
        return {solvers::Quantity::residual, solvers::Quantity::change};
    }

    StencilInputs m_stencil;
    QComboBox *m_method;
    RunInputs m_run;
    const stencil::StencilGpu *m_gpu;
};

} // namespace

SolverForm *makeStencilForm(const SolverBackends &backends, QWidget *parent)
{
    return new StencilForm(backends, parent);
}

} // namespace gridhelm::ui

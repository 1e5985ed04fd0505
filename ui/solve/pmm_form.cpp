// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/setup/pmm_setup.h"
#include "core/solvers/setup/problem_text.h"
#include "ui/solve/option_rows.h"
#include "ui/solve/poisson_inputs.h"
#include "ui/solve/run_inputs.h"
#include "ui/solve/solver_form.h"
#include "ui/solve/start_inputs.h"

#include <QComboBox>
#include <QLineEdit>
#include <QSpinBox>

namespace gridhelm::ui {
namespace {

using Rank = OptionRows::Rank;

constexpr const char *mediumTip =
    "%1: a number, a formula of the position in the box, or a file with a value for each node. "
    "gradient:A,B goes from A at the bottom to B at the top; layers:A,B has six layers, A and B in "
    "turns; lens:A,B is B in the middle; wave:A,B is B in the middle of the x axis";

class PmmForm : public SolverForm
{
public:
    PmmForm(const SolverBackends &backends, QWidget *parent)
        : SolverForm("pmm",
                     {"PMM", "Arrival times of a front: the parallel marching method",
                      solvers::frontInWords, figures(), QString::fromUtf8(solvers::pmmPurpose)},
                     parent)
        , m_nodes(rows().addChoice(
              "nodes", "Nodes", {"81", "41", "121", "161", "81x81x41", "121x121x61"},
              "Nodes in each direction: 81 (a cube) or 81x81x41", Rank::usual, true))
        , m_source(rows().addChoice("source", "Source", {"horizon", "ball", "points"},
                                    "Where the front starts: from a surface, from the middle of a "
                                    "ball in which its time is exact, or from points"))
        , m_horizon(
              rows().addChoice("horizon", "Horizon",
                               {"folds:0.5,0.12", "folds:0.25,0.1", "dome:0.3,0.3", "plane:0.5"},
                               "Surface z = s(x, y) in units of the box's height: "
                               "folds[:middle,height], dome[:foot,height], plane[:z], or a "
                               "file with the height of each column of nodes",
                               Rank::usual, true))
        , m_ball(rows().addText("ball", "Ball", "0.5,0.5,0.5,0.1", "x,y,z,radius, as positions"))
        , m_points(rows().addText("points", "Points", "0.2,0.2,0.1; 0.8,0.5,0.3,0.2",
                                  "x,y,z or x,y,z,time of each point; between them a semicolon"))
        , m_speed(rows().addChoice("speed", "F", mediumFormulas("1"),
                                   QString(mediumTip).arg("F, the speed of the front"), Rank::usual,
                                   true))
        , m_advection(rows().addChoice(
              "psi", "psi", mediumFormulas("0"),
              QString(mediumTip).arg("psi, which times a is the drift of the front"), Rank::usual,
              true))
        , m_direction(
              rows().addText("direction", "a", "0,0,0", "x,y,z: with psi, the drift of the front"))
        , m_layers(rows().addNumber("layers", "Layers", 0, 10000, 20, "none",
                                    "Fold the times into so many layers of equal duration: as "
                                    "bands in the picture, and as the array \"layer\" in files"))
        , m_start(rows(), "the times of the source alone")
        , m_run(rows(), figures(), "1e-10", "sweeps", backends)
        , m_known(rows().addChoice("known", "Known", {"auto", "rays", "none"},
                                   "Compare with straight rays, not at all, or wherever rays are "
                                   "straight (auto)",
                                   Rank::rare))
        , m_spacing(rows().addText("spacing", "Spacing", "",
                                   "Distance of neighbours, in the unit of length", Rank::rare))
        , m_origin(
              rows().addText("origin", "Origin", "0,0,0", "x,y,z of the first node", Rank::rare))
    {
        m_spacing->setPlaceholderText("the longest side is 1");
        connect(m_source, &QComboBox::currentTextChanged, this, &PmmForm::showWhatMatters);
        showWhatMatters();
        rows().finish();
    }

    std::optional<int> layers() const override
    {
        return m_layers->value() > 0 ? std::optional(m_layers->value()) : std::nullopt;
    }

    std::size_t defaultNormal() const override { return 1; }

    int threads() const override { return m_run.threadsUsed(); }

    void setShownField(const ShownFieldSource &source) override { m_start.setShownField(source); }

    WantedRun wanted() const override
    {
        solvers::PmmSetup setup;
        setup.prefix.clear();
        setup.nodes = chosen(m_nodes);
        setup.spacing = typed(m_spacing);
        setup.origin = typed(m_origin).value_or("");
        setup.speed = chosen(m_speed);
        setup.advection = chosen(m_advection);
        setup.direction = typed(m_direction).value_or("");
        if (m_source->currentText() == "horizon")
            setup.horizon = chosen(m_horizon);
        else if (m_source->currentText() == "ball")
            setup.ball = typed(m_ball).value_or("");
        else
            setup.points = splitList(m_points->text().toStdString());
        setup.known = chosen(m_known);
        const auto start = m_start.start();
        auto wanted = m_run.wanted("PMM", sizeText(setup.nodes, 3));
        const auto caseOf = [this](const solvers::PmmSetup &problem) {
            return [problem, run = m_run.setup(), context = m_run.context(),
                    backend = &m_run.backend(),
                    precision = m_run.precision()](const std::stop_token &) {
                return pmmCase(pmmProblem(problem), solvers::parsePrecision(precision, "precision"),
                               run, context(), *backend);
            };
        };
        if (start.comparesCold)
            wanted.makeColdCase = caseOf(setup);
        setStart(setup, start);
        wanted.makeCase = caseOf(setup);
        wanted.start = start.inWords;
        return wanted;
    }

private:
    static std::vector<solvers::Quantity> figures()
    {
        return {solvers::Quantity::change, solvers::Quantity::error};
    }

    static QStringList mediumFormulas(const QString &usual)
    {
        return {usual, "gradient:1,2", "layers:1,2", "lens:1,2", "wave:1,2"};
    }

    void showWhatMatters()
    {
        const auto source = m_source->currentText();
        rows().setMeaningful(m_horizon, source == "horizon");
        rows().setMeaningful(m_ball, source == "ball");
        rows().setMeaningful(m_points, source == "points");
    }

    QComboBox *m_nodes;
    QComboBox *m_source;
    QComboBox *m_horizon;
    QLineEdit *m_ball;
    QLineEdit *m_points;
    QComboBox *m_speed;
    QComboBox *m_advection;
    QLineEdit *m_direction;
    QSpinBox *m_layers;
    StartInputs m_start;
    RunInputs m_run;
    QComboBox *m_known;
    QLineEdit *m_spacing;
    QLineEdit *m_origin;
};

} // namespace

SolverForm *makePmmForm(const SolverBackends &backends, QWidget *parent)
{
    return new PmmForm(backends, parent);
}

} // namespace gridhelm::ui

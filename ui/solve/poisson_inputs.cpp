// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/solve/poisson_inputs.h"

#include "core/solvers/setup/problem_text.h"
#include "core/support/error.h"
#include "core/support/extents_text.h"
#include "ui/solve/option_rows.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>

#include <algorithm>

namespace gridhelm::ui {
namespace {

using Rank = OptionRows::Rank;

constexpr const char *file = "file";
constexpr const char *defaultKnown = "usual";
constexpr const char *noFile = "./"; ///< which no reader takes for one

} // namespace

PoissonInputs::PoissonInputs(OptionRows &rows)
    : m_rows(rows)
    , m_start(rows, "u = 0")
{
    m_size = rows.addChoice(
        "size", "Size",
        {"256", "64", "128", "512", "1024", "2048", "300x200", "64x64x64", "128x128x128"},
        "Unknowns: 512 (a square), 256x128, or 64x64x64 in three dimensions", Rank::usual, true);
    m_source =
        rows.addChoice("source", "Source",
                       {"spike", "none", "constant", "gaussian", "dipole", "eigenfunction", file},
                       "What heats: all of it at one point (spike), nothing, 1 everywhere "
                       "(constant), a spot (gaussian), a hot and a cold spot (dipole), a product "
                       "of half waves whose solution is known (eigenfunction), or a file");
    m_sourceFile = rows.addFile("source-file", "Source file",
                                "A value for each unknown, x fastest: .vti, raw float64 (.f64) or "
                                "text");
    m_strength = rows.addText("strength", "Strength", "1",
                              "Multiplies the source; of a spike, its integral over the rectangle");
    m_position = rows.addText("source-at", "Source at", "",
                              "x,y[,z] of the spike or the spot, in units of the sides, 0 .. 1");
    m_position->setPlaceholderText("0.5,0.5: the middle");
    m_waves =
        rows.addText("waves", "Waves", "", "Half waves of the eigenfunction in each direction");
    m_waves->setPlaceholderText("1,1");
    addSides();
    m_spacing = rows.addText("spacing", "Spacing", "",
                             "Distance of neighbours, in the unit of length", Rank::rare);
    m_spacing->setPlaceholderText("the longest side is 1");
    m_known = rows.addChoice("known", "Known", {defaultKnown, "none", "eigenfunction", file},
                             "A solution to compare with: usual is the eigenfunction's own for "
                             "that source, and none for others",
                             Rank::rare);
    m_knownFile =
        rows.addFile("known-file", "Known file",
                     "The solution at each unknown: .vti, raw float64 (.f64) or text", Rank::rare);
    for (auto *choice : {m_size, m_source, m_known})
        QObject::connect(choice, &QComboBox::currentTextChanged, &rows,
                         [this] { showWhatMatters(); });
    showWhatMatters();
}

void PoissonInputs::addSides()
{
    constexpr std::array labels{"x low", "x high", "y low", "y high", "z low", "z high"};
    for (std::size_t side = 0; side < m_sides.size(); ++side) {
        const QString key(QString::fromUtf8(nameOf(static_cast<solvers::Side>(side))));
        auto &inputs = m_sides[side];
        inputs.row = new QWidget(&m_rows);
        inputs.kind = new QComboBox(inputs.row);
        inputs.kind->setObjectName(key);
        inputs.kind->addItems({"value", "flux"});
        const QString tip = QString("Side %1: a value of u (Dirichlet), or a flux, its outward "
                                    "derivative (Neumann)")
                                .arg(labels[side]);
        inputs.kind->setToolTip(tip);
        inputs.kind->setAccessibleName(QString("Side %1: condition").arg(labels[side]));
        inputs.value = new QLineEdit("0", inputs.row);
        inputs.value->setObjectName(key + "-value");
        inputs.value->setToolTip(tip);
        inputs.value->setAccessibleName(QString("Side %1: value").arg(labels[side]));
        auto *layout = new QHBoxLayout(inputs.row);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->setSpacing(2);
        layout->addWidget(inputs.kind);
        layout->addWidget(inputs.value, 1);
        inputs.row->setToolTip(tip);
        m_rows.addControl(QString("Side %1").arg(labels[side]), inputs.row);
        QObject::connect(inputs.kind, &QComboBox::currentTextChanged, &m_rows, &OptionRows::edited);
        QObject::connect(inputs.value, &QLineEdit::textChanged, &m_rows, &OptionRows::edited);
    }
}

std::size_t PoissonInputs::dimension() const
{
    return std::ranges::count(chosen(m_size), 'x') >= 2 ? 3 : 2;
}

void PoissonInputs::showWhatMatters()
{
    const auto source = m_source->currentText();
    m_rows.setMeaningful(m_sourceFile, source == file);
    m_rows.setMeaningful(m_strength, source != "none");
    m_rows.setMeaningful(m_position, source == "spike" || source == "gaussian");
    m_rows.setMeaningful(m_waves, source == "eigenfunction");
    m_rows.setMeaningful(m_knownFile, m_known->currentText() == file);
    for (const std::size_t side : {4U, 5U})
        m_rows.setMeaningful(m_sides[side].row, dimension() == 3);
}

solvers::PoissonSetup PoissonInputs::setup() const
{
    const auto named = [](const QComboBox *choice, const QLineEdit *path) -> solvers::NameOrFile {
        const auto name = chosen(choice);
        return name == file ? solvers::NameOrFile{{}, typed(path).value_or(noFile)}
                            : solvers::NameOrFile{name, {}};
    };
    solvers::PoissonSetup setup;
    setup.prefix.clear();
    setup.size = chosen(m_size);
    setup.spacing = typed(m_spacing);
    setup.source = named(m_source, m_sourceFile);
    setup.strength = typed(m_strength).value_or("");
    if (setup.source.name == "spike" || setup.source.name == "gaussian")
        setup.sourcePosition = typed(m_position);
    if (setup.source.name == "eigenfunction")
        setup.waves = typed(m_waves);
    for (std::size_t side = 0; side < 2 * dimension(); ++side) {
        const auto &inputs = m_sides[side];
        setup.sides.push_back({std::string(nameOf(static_cast<solvers::Side>(side))),
                               inputs.kind->currentIndex() == 0 ? solvers::SideKind::dirichlet
                                                                : solvers::SideKind::neumann,
                               typed(inputs.value).value_or("")});
    }
    if (knownIsChosen())
        setup.known = named(m_known, m_knownFile);
    return setup;
}

bool PoissonInputs::knownIsChosen() const
{
    return m_known->currentText() != defaultKnown;
}

QString PoissonInputs::size() const
{
    return sizeText(chosen(m_size), 2);
}

QString sizeText(const std::string &typed, std::size_t directions)
{
    try {
        auto size = parseExtents(typed, "");
        if (size.size() == 1)
            size.resize(directions, size.front());
        std::array<std::size_t, 3> points{1, 1, 1};
        std::copy(size.begin(), size.end(), points.begin());
        return QString::fromStdString(solvers::describeSize(points, static_cast<int>(size.size())));
    } catch (const Error &) { // whoever reads it for good says what is wrong
        return QString::fromStdString(typed);
    }
}

} // namespace gridhelm::ui

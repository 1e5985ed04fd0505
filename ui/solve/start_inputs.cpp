// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/solve/start_inputs.h"

#include "core/support/error.h"
#include "ui/solve/option_rows.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>

#include <vector>

namespace gridhelm::ui {
namespace {

using Rank = OptionRows::Rank;

constexpr const char *cold = "cold";
constexpr const char *view = "from the view";
constexpr const char *fromFile = "from a file";
constexpr const char *noStart = "./"; ///< which no reader takes for one

std::vector<double> nothingShown(std::span<const double>)
{
    throw Error("start: the view shows no field: open a study, or begin with a file");
}

} // namespace

StartInputs::StartInputs(OptionRows &rows, const QString &nothing)
    : m_from(rows.addChoice("start-from", "Start", {cold, view, fromFile},
                            "What the run begins with: cold is " + nothing
                                + "; the view has the study's field at the sliders, or a run's own "
                                  "result; a file one that was saved. Other resolutions are "
                                  "interpolated"))
    , m_file(rows.addFile("start", "Start file",
                          "A field that was saved (.vti, of any resolution), or a value for each "
                          "point, raw float64 (.f64) or text"))
    , m_comparesCold(rows.addSwitch("compare-cold", "Compare with a cold start", false,
                                    "Do the same run from a cold start before: both curves are "
                                    "in the plot, and what the start saves is said"))
{
    const auto showWhatMatters = [this, &rows] {
        rows.setMeaningful(m_file, m_from->currentText() == fromFile);
        rows.setMeaningful(m_comparesCold, m_from->currentText() != cold);
    };
    QObject::connect(m_from, &QComboBox::currentTextChanged, &rows, showWhatMatters);
    showWhatMatters();
}

StartInputs::Start StartInputs::start() const
{
    Start start;
    const auto from = m_from->currentText();
    if (from == cold)
        return start;
    start.comparesCold = m_comparesCold->isChecked();
    if (from == fromFile) {
        start.file = typed(m_file).value_or(noStart);
        start.inWords = m_file->text().trimmed();
        return start;
    }
    const auto shown = m_shown ? m_shown() : std::nullopt;
    start.field = shown ? shown->values : nothingShown;
    start.inWords = shown ? shown->name : QString("the view");
    return start;
}

} // namespace gridhelm::ui

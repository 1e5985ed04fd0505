// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/campaign/study_text.h"

#include "core/support/bytes_text.h"
#include "data/campaign/campaign_text.h"

namespace gridhelm::ui {
namespace {

QString percent(double part)
{
    return QString::number(100 * part, 'g', 3) + " %";
}

} // namespace

QString summaryOf(const StudyState &state)
{
    auto said = QString("level %1, %2 points in %3 jobs, %4\n%5 points have snapshots, "
                        "%6 coefficients")
                    .arg(state.description.level)
                    .arg(state.points)
                    .arg(state.allJobs())
                    .arg(QString::fromStdString(bytesText(state.fileBytes)))
                    .arg(state.snapshots)
                    .arg(state.coefficients);
    if (state.provisional > 0)
        said += QString(", %1 provisional ones").arg(state.provisional);
    return said;
}

QString errorsOf(const StudyState &state)
{
    QString holdOutNotes;
    for (const auto &note : data::holdOutNotes(state.coverage))
        holdOutNotes += "<p>" + QString::fromStdString(note).toHtmlEscaped() + ".</p>";
    if (state.errors.empty())
        return "<p>No errors measured yet: compress with hold-outs to measure them.</p>"
               + holdOutNotes;
    QString rows = "<table cellspacing=\"6\"><tr><th align=\"left\">error</th>"
                   "<th align=\"left\">field</th><th align=\"right\">places</th>"
                   "<th align=\"right\">relative L2</th><th align=\"right\">largest</th></tr>";
    QString notes;
    for (const auto &summary : state.errors) {
        const auto field =
            summary.field < state.fields.size() ? state.fields[summary.field] : std::string();
        const auto name = QString::fromStdString(field).toHtmlEscaped();
        const auto kind = QString::fromStdString(std::string(data::toString(summary.kind)));
        rows += QString("<tr><td>%1</td><td>%2</td><td align=\"right\">%3</td>"
                        "<td align=\"right\">%4</td><td align=\"right\">%5</td></tr>")
                    .arg(kind, name)
                    .arg(summary.places)
                    .arg(percent(summary.meanRelativeL2), percent(summary.largestRelativeL2));
        for (const auto &note : data::errorNotes(summary, field, state.points))
            notes += "<p>" + QString::fromStdString(note).toHtmlEscaped() + ".</p>";
    }
    return rows + "</table>" + notes + holdOutNotes;
}

} // namespace gridhelm::ui

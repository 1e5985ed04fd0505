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

QString nextStepOf(const StudyState &state)
{
    using data::JobState;
    if (state.hasSomethingToShow())
        return {};
    const auto done = state.count(JobState::done), failed = state.count(JobState::failed);
    const auto all = state.allJobs();
    const auto ofAll = QString("%1 of %2 jobs").arg(done).arg(all);
    if (state.count(JobState::running) > 0)
        return ofAll + " are done, and others are running. Press Compress when they have ended.";
    if (!state.canRun)
        return state.snapshots == 0
                   ? QString("The study has no results yet, and no simulation that makes them. "
                             "Import them (page Import), then press Compress.")
                   : QString("%1 of %2 points have results, but there are no coefficients yet. "
                             "Import the others or tick Allow missing, then press Compress.")
                         .arg(state.snapshots)
                         .arg(state.points);
    if (done == 0 && failed > 0)
        return QString("No job has gone well yet, and %1 failed. Read the log of one, correct what "
                       "is wrong, and press Rerun failed; then press Compress.")
            .arg(failed);
    if (done == 0)
        return QString("None of the %1 jobs has been run yet. Press Run, and when they have ended, "
                       "Compress.")
            .arg(all);
    if (done < all)
        return ofAll + (failed > 0 ? QString(" are done, %1 failed").arg(failed) : " are done")
               + ". Press Run (or Rerun failed) for the others, then Compress.";
    return QString("All %1 jobs are done, but not compressed yet. Press Compress.").arg(all);
}

QString summaryOf(const StudyState &state)
{
    if (state.description.design == data::StudyDesign::scattered)
        return QString("%1 scattered runs, %2 made, %3")
            .arg(state.allJobs())
            .arg(state.count(data::JobState::done))
            .arg(QString::fromStdString(bytesText(state.fileBytes)));
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
        return "<p>No errors measured yet: compress with validation points to measure them.</p>"
               + holdOutNotes;
    QString rows = "<table cellspacing=\"6\"><tr><th align=\"left\">error</th><th "
                   "align=\"left\">field</th><th align=\"right\">points</th><th "
                   "align=\"right\">relative L2</th><th align=\"right\">largest</th></tr>";
    QString notes;
    for (const auto &summary : state.errors) {
        const auto field =
            summary.field < state.fields.size() ? state.fields[summary.field] : std::string();
        const auto name = QString::fromStdString(field).toHtmlEscaped();
        const auto kind = QString::fromStdString(std::string(data::shownName(summary.kind)));
        rows += QString("<tr><td>%1</td><td>%2</td><td align=\"right\">%3</td>"
                        "<td align=\"right\">%4</td><td align=\"right\">%5</td></tr>")
                    .arg(kind, name)
                    .arg(summary.places)
                    .arg(percent(summary.meanRelativeL2), percent(summary.largestRelativeL2));
        for (const auto &note : data::errorNotes(
                 summary, field, state.points,
                 summary.field < state.doubts.size() ? state.doubts[summary.field] : std::string()))
            notes += "<p>" + QString::fromStdString(note).toHtmlEscaped() + ".</p>";
    }
    return rows + "</table>" + notes + holdOutNotes;
}

} // namespace gridhelm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/campaign/study_text.h"

#include "core/support/bytes_text.h"
#include "data/campaign/campaign_text.h"

#include <algorithm>

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
    const auto what = state.isScattered() ? QString("runs") : QString("jobs");
    const auto done = state.count(JobState::done), failed = state.count(JobState::failed);
    const auto all = state.allJobs();
    const auto ofAll = QString("%1 of %2 %3").arg(done).arg(all).arg(what);
    if (state.count(JobState::running) > 0)
        return ofAll + " are done, and others are running. Press Compress when they have ended.";
    if (!state.outlook.hasSimulation) {
        if (!state.hasResults())
            return "The study has no results yet, and no simulation that makes them. Import them "
                   "(page Import), then press Compress.";
        if (state.isScattered() || state.snapshots == state.points)
            return QString("The %1 imported runs are not compressed yet. Press Compress.")
                .arg(state.isScattered() ? state.trainingRuns : done);
        return QString("%1 of %2 points have results, but there are no coefficients yet. Import "
                       "the others or tick Allow missing, then press Compress.")
            .arg(state.snapshots)
            .arg(state.points);
    }
    if (done == 0 && failed > 0)
        return QString("No %1 has gone well yet, and %2 failed. Read the log of one, correct what "
                       "is wrong, and press Rerun failed; then press Compress.")
            .arg(what.chopped(1))
            .arg(failed);
    if (done == 0)
        return QString("None of the %1 %2 has been %3 yet. Press Run, and when they have ended, "
                       "Compress.")
            .arg(all)
            .arg(what, state.isScattered() ? "made" : "run");
    if (done < all)
        return ofAll + (failed > 0 ? QString(" are done, %1 failed").arg(failed) : " are done")
               + ". Press Run (or Rerun failed) for the others, then Compress.";
    return QString("All %1 %2 are done, but not compressed yet. Press Compress.")
        .arg(all)
        .arg(what);
}

QString summaryOf(const StudyState &state)
{
    const auto bytes = QString::fromStdString(bytesText(state.fileBytes));
    if (state.isScattered()) {
        auto said = state.outlook.hasSimulation
                        ? QString("%1 of %2 runs made")
                              .arg(state.trainingRuns)
                              .arg(std::max(state.allJobs(), state.trainingRuns))
                        : QString("%1 imported runs").arg(state.trainingRuns);
        if (state.holdOuts > 0)
            said += QString(", %1 validation points").arg(state.holdOuts);
        return said + ", " + bytes;
    }
    auto said = QString("level %1, %2 points in %3 jobs, %4\n%5 points have snapshots, "
                        "%6 coefficients")
                    .arg(state.description.level)
                    .arg(state.points)
                    .arg(state.allJobs())
                    .arg(bytes)
                    .arg(state.snapshots)
                    .arg(state.coefficients);
    if (state.provisional > 0)
        said += QString(", %1 provisional ones").arg(state.provisional);
    if (state.trainingRuns > 0)
        said += QString("\n%1 runs off the grid").arg(state.trainingRuns);
    return said;
}

QString errorsOf(const StudyState &state)
{
    QString holdOutNotes;
    for (const auto &note : data::holdOutNotes(state.coverage))
        holdOutNotes += "<p>" + QString::fromStdString(note).toHtmlEscaped() + ".</p>";
    if (state.errors.empty())
        return "<p>No errors measured yet; to know: "
               + QString::fromStdString(data::howToMeasure(state.outlook)) + ".</p>" + holdOutNotes;
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

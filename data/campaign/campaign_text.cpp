// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/campaign_text.h"

#include "core/support/bytes_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace gridhelm::data {

std::string progressText(std::string_view what, const CampaignProgress &progress)
{
    auto text = fmt::format("{} {} of {}", what, progress.done, progress.total);
    if (progress.failed > 0)
        text += fmt::format(", {} failed", progress.failed);
    if (progress.secondsRemaining >= 0 && progress.done < progress.total)
        text += fmt::format(", about {} remaining", durationText(progress.secondsRemaining));
    return text;
}

std::string costText(const PlanCost &cost)
{
    auto text = cost.isScattered ? countText(cost.jobs, "run")
                                 : fmt::format("{}, {}", countText(cost.points, "point"),
                                               countText(cost.jobs, "job"));
    if (cost.bytes > 0)
        text += fmt::format(", about {}", bytesText(cost.bytes));
    return text;
}

std::string compressText(const CompressReport &report)
{
    auto text = fmt::format("{} computed", countText(report.computed, "coefficient row"));
    if (report.recomputed > 0)
        text += fmt::format(", {} again", report.recomputed);
    return text;
}

std::string importText(const ImportReport &report)
{
    return fmt::format("{} for grid points, {} off the grid ({}), {} there already",
                       countText(report.stored, "snapshot"), report.holdOuts + report.trainingRuns,
                       report.trainingRuns > 0 ? "to fit kriging to" : "hold-outs",
                       report.alreadyThere);
}

std::vector<std::string> errorNotes(const ErrorSummary &summary, std::string_view field,
                                    std::uint64_t gridPoints)
{
    std::vector<std::string> notes;
    if (summary.missingPoints > 0)
        notes.push_back(fmt::format("{} of {}: {} of {} grid points were MISSING when it was "
                                    "measured",
                                    toString(summary.kind), field, summary.missingPoints,
                                    summary.gridPoints));
    if (summary.gridPoints != gridPoints)
        notes.push_back(fmt::format("{} of {}: measured with {} grid points, now there are {}; "
                                    "compress again",
                                    toString(summary.kind), field, summary.gridPoints, gridPoints));
    return notes;
}

std::vector<std::string> holdOutNotes(const HoldOutCoverage &coverage)
{
    std::vector<std::string> notes;
    if (coverage.missing > 0)
        notes.push_back(fmt::format("{} of {} are MISSING, for their runs failed or were not "
                                    "begun: the errors at these places are unknown",
                                    coverage.missing,
                                    countText(coverage.there + coverage.missing, "hold-out")));
    if (coverage.there > 0 && coverage.inside == 0)
        notes.push_back("all hold-outs lie in corners or faces of the ranges: the error inside was "
                        "NOT measured");
    return notes;
}

std::string modesText(const ModeSet &set, std::string_view field)
{
    return fmt::format("{} of {} for {} ({}), with all but {:.2g} of the energy; they change the "
                       "snapshots by {:.2g} % in the mean, {:.2g} % at most, which measured errors "
                       "contain",
                       countText(set.modes(), "mode"), field, countText(set.snapshots, "snapshot"),
                       set.byVolumes ? "cell volumes as weights" : "all nodes weigh the same",
                       set.cutEnergy, 100 * set.meanError, 100 * set.largestError);
}

std::string surrogateText(const Study &study, FieldIndex field)
{
    if (const auto kriging = study.kriging(field)) {
        const auto &form = kriging->model.form;
        return fmt::format("kriging of {} from {}, {}, mean {}, parameters {}",
                           countText(kriging->model.outputs(), "mode"),
                           countText(kriging->model.runs, "run"), kriging::nameOf(form.smoothness),
                           form.linear.empty() ? "constant" : "linear",
                           form.isWarped ? "warped" : "as they are");
    }
    const auto degrees = study.description().space.degrees();
    const auto [least, most] = std::ranges::minmax(degrees);
    return least == most ? fmt::format("sparse grid, degree {}", most)
                         : fmt::format("sparse grid, degrees {} to {}", least, most);
}

std::string stoppedText(const CampaignReport &report, std::string_view noun)
{
    return fmt::format("{} in a row failed alike ({}), so {} more {} not begun",
                       countText(failuresToStop, noun), report.firstFailure, report.notBegun,
                       report.notBegun == 1 ? "was" : "were");
}

std::string durationText(double seconds)
{
    const auto whole = static_cast<long long>(std::max(0.0, std::min(seconds, 1e12)) + 0.5);
    if (whole < 60)
        return fmt::format("{} s", whole);
    if (whole < 3600)
        return fmt::format("{} min {} s", whole / 60, whole % 60);
    return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string countText(std::uint64_t count, std::string_view noun)
{
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string bandSentence(const FieldBand &band, const std::string &field)
{
    auto text =
        fmt::format("{}: typically {} (calibrated at {} inside the ranges)", field,
                    bandText(band.band, band.typical), countText(band.band.holdOuts, "hold-out"));
    if (band.edges > 0)
        text += fmt::format("; in corners and faces, which are not among these places, up to "
                            "{:.2g} % at {}",
                            100 * band.worstEdge, countText(band.edges, "hold-out"));
    return text;
}

std::string undoneText(const Growth &growth)
{
    return fmt::format("{} and {} removed, back at level {}", countText(growth.points, "point"),
                       countText(growth.jobs, "job"), growth.level);
}

} // namespace gridhelm::data

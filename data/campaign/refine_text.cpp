// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/campaign_text.h"
#include "data/campaign/refine_step.h"

#include <fmt/format.h>

namespace gridhelm::data {

std::string_view nameOf(RefineEnd end)
{
    switch (end) {
    case RefineEnd::reached:
        return "reached";
    case RefineEnd::runs:
        return "runs";
    case RefineEnd::time:
        return "time";
    case RefineEnd::noise:
        return "noise";
    case RefineEnd::exhausted:
        return "exhausted";
    case RefineEnd::failures:
        return "failures";
    case RefineEnd::cancelled:
        return "cancelled";
    }
    return "unknown";
}

std::string refineText(const RefineReport &report, const RefineStep &step)
{
    auto text = report.blocks > 0 || report.offGrid == 0
                    ? fmt::format("{} and {} added", countText(report.blocks, "block"),
                                  countText(report.runs, "run"))
                    : fmt::format("{} added", countText(report.runs, "run"));
    if (report.offGrid > 0 && report.blocks > 0)
        text += fmt::format(" ({} off the grid)", report.offGrid);
    if (report.failed > 0)
        text += fmt::format(", {} failed", report.failed);
    const auto *where = step.at.empty() && !step.region ? "" : " there";
    if (report.estimate)
        text += fmt::format("; the error{} is {:.2g} % by estimate", where, 100 * *report.estimate);
    else
        text += fmt::format("; the error{} is not known yet", where);
    if (report.measured)
        text += fmt::format(", {:.2g} % at validation points", 100 * *report.measured);
    switch (report.end) {
    case RefineEnd::reached:
        return text
               + fmt::format(": error criterion of {:.2g} % reached", 100 * step.until.value_or(0));
    case RefineEnd::runs:
        return text + ": budget reached, or fewer runs left than a block takes";
    case RefineEnd::time:
        return text + ": time limit reached";
    case RefineEnd::noise:
        return text
               + ": more runs hardly lower it any more; the rest is noise of the results, finer "
                 "than the grid can follow, or between the values that every run delivers; a "
                 "number of runs alone goes on all the same";
    case RefineEnd::exhausted:
        return text + ": " + report.exhaustion;
    case RefineEnd::failures:
        return text
               + (report.failures.stopped ? ": " + stoppedText(report.failures, "job")
                                          : fmt::format(": all of the last runs failed ({})",
                                                        report.failures.firstFailure));
    case RefineEnd::cancelled:
        return text + ": it was stopped; the same command goes on";
    }
    return text;
}

} // namespace gridhelm::data

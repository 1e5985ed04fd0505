// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/performance/frame_csv.h"

#include "core/support/csv_line.h"

#include <fmt/format.h>

namespace gridhelm::ui {
namespace {

std::string cell(double value, bool isKnown)
{
    return isKnown ? fmt::format("{}", value) : std::string();
}

const char *sourceOf(const data::EvaluationWork &work)
{
    if (!work.isKnown())
        return "";
    switch (work.from) {
    case data::CoefficientsFrom::list:
        return "list";
    case data::CoefficientsFrom::file:
        return "file";
    default:
        return "memory";
    }
}

} // namespace

std::string frameCsv(const FrameHistory &history)
{
    std::string text = "shown_at_s,latency_s,waiting_s,evaluate_s,transfer_s,render_s,"
                       "evaluations,evaluations_per_s,values,rows,bytes,flops,coefficients,"
                       "levels,all_levels,exact,part,backend,threads,computed_on\n";
    for (std::size_t i = 0; i < history.samples().size(); ++i) {
        const auto &sample = history.samples()[i];
        const auto &work = sample.work;
        const bool isKnown = work.isKnown();
        text += fmt::format(
            "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", sample.shownAt,
            sample.latency, sample.waiting, sample.evaluate, sample.transfer, sample.render,
            sample.evaluations, history.evaluationsPerSecond(i), sample.values,
            cell(static_cast<double>(work.rows), isKnown), cell(work.bytes(), isKnown),
            cell(work.flops(), isKnown), sourceOf(work), sample.groups, sample.allGroups,
            sample.isExact ? 1 : 0, sample.isPart ? 1 : 0, csvCell(sample.backend), sample.threads,
            csvCell(sample.work.computedOn.text()));
    }
    return text;
}

} // namespace gridhelm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/tune_report.h"

#include "app/cli/output.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace gridhelm::cli {

using namespace tuning;
using nlohmann::json;

json caseJson(const TunedCase &tuned, const std::optional<Yardstick> &yardstick)
{
    const auto &operation = *tuned.tuned.operation;
    auto trials = json::array();
    for (const auto &trial : tuned.tried)
        trials.push_back({{"constants", constantsOf(operation, trial.variant)},
                          {"estimated_seconds", trial.seconds}});
    json result = {{"operation", tuned.tuned.key.operation},
                   {"device", tuned.tuned.key.device},
                   {"value_bytes", tuned.tuned.key.valueBytes},
                   {"work", dispatch::textOf(tuned.tuned.work)},
                   {"compiled_in", constantsOf(operation, tuned.compiledIn)},
                   {"best", constantsOf(operation, tuned.best)},
                   {"kept", tuned.isKept},
                   {"disturbed", tuned.isDisturbed},
                   {"cut", tuned.isCut},
                   {"gain", tuned.gain},
                   {"gain_lower_quartile", tuned.certainGain},
                   {"seconds", tuned.seconds},
                   {"search_seconds", tuned.searchSeconds},
                   {"comparison_seconds", tuned.comparisonSeconds},
                   {"variants", tuned.variants},
                   {"trials", std::move(trials)}};
    if (yardstick)
        result["exhaustive"] = {{"best", constantsOf(operation, yardstick->best)},
                                {"quality", yardstick->quality},
                                {"search_seconds", yardstick->seconds}};
    return result;
}

void printTuneRow(const TunedCase &tuned, const std::optional<Yardstick> &yardstick)
{
    const auto &operation = *tuned.tuned.operation;
    auto text = fmt::format("{:<78} {:>9.3f} ms  {:>2} of {:>3} tried  ", tuned.tuned.text(),
                            1e3 * tuned.seconds, tuned.tried.size(), tuned.variants);
    text += tuned.isKept ? fmt::format("{:.2f}x with {}", tuned.gain, textOf(operation, tuned.best))
            : tuned.isCut && !tuned.isDisturbed
                ? "as compiled in: the time was over before all were tried"
            : tuned.isDisturbed
                ? "as compiled in: other programs took the cores away, call it again without them"
                : "as compiled in";
    if (yardstick)
        text += fmt::format("; {:.1f} % of the best of all ({}), in {:.3g} % of its time",
                            100 * yardstick->quality, textOf(operation, yardstick->best),
                            100 * tuned.searchSeconds / yardstick->seconds);
    printText(text + "\n");
}

json entryJson(const TuningEntry &entry)
{
    return {{"operation", entry.key.operation},
            {"device", entry.key.device},
            {"value_bytes", entry.key.valueBytes},
            {"work", entry.work},
            {"constants", entry.constants},
            {"gain", entry.gain},
            {"seconds", entry.seconds}};
}

void printTuneRow(const TuningEntry &entry)
{
    auto text =
        fmt::format("{:<78} {:>9.3f} ms  ", caseText(entry.key, entry.work), 1e3 * entry.seconds);
    if (entry.gain <= 1) {
        text += "as compiled in";
    } else {
        text += fmt::format("{:.2f}x with ", entry.gain);
        for (const auto &[name, value] : entry.constants)
            text += fmt::format("{}{} {}", text.ends_with("with ") ? "" : ", ", name, value);
    }
    printText(text + "\n");
}

void printKnownEnd(const std::vector<TuningEntry> &entries)
{
    const auto faster =
        std::ranges::count_if(entries, [](const auto &entry) { return entry.gain > 1; });
    printText(fmt::format("\nThis machine has been tuned: {} of {} are faster than compiled in. "
                          "--again tunes once more.\n",
                          faster, entries.size()));
}

json fileJson(const TuningDevice &device, const std::filesystem::path &file)
{
    return {{"device", device.name},
            {"hardware", device.machine.hardware},
            {"file", file.empty() ? json() : json(file.string())}};
}

void printTuneEnd(const std::vector<std::vector<TunedCase>> &tuned, std::size_t wanted,
                  double seconds, const std::vector<std::filesystem::path> &files, bool wasStopped)
{
    std::size_t kept = 0, done = 0;
    for (const auto &device : tuned) {
        done += device.size();
        kept += static_cast<std::size_t>(std::ranges::count_if(device, &TunedCase::isKept));
    }
    auto text = fmt::format("\n{} of {} operations and sizes are faster than compiled in; {:.3g} s",
                            kept, done, seconds);
    if (done < wanted && wasStopped)
        text += fmt::format("; stopped before {} others; call it again, and it goes on with these",
                            wanted - done);
    else if (done < wanted)
        text +=
            fmt::format("; not reached in the time: {}; call it again, or with a larger --budget",
                        wanted - done);
    for (const auto &file : files)
        text += fmt::format("\nkept in {}", file.string());
    printText(text + "\n");
}

} // namespace gridhelm::cli

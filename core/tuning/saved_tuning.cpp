// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/saved_tuning.h"

#include "core/support/cache_folder.h"
#include "core/support/error.h"

#include <fmt/format.h>

#include <memory>

namespace gridhelm::tuning {

std::filesystem::path savedTuningFile(const ExecutionContext &context)
{
    return tuningFile(cacheFolder(), tunedMachine(context));
}

std::vector<TuningEntry> savedTuning(const ExecutionContext &context)
{
    const auto file = savedTuningFile(context);
    if (file.empty())
        return {};
    try {
        return readTuning(file, tunedMachine(context)).value_or(std::vector<TuningEntry>());
    } catch (const Error &problem) {
        context.report({ExecutionEvent::Kind::notice,
                        fmt::format("{}; constants are those compiled in: tune this machine again",
                                    problem.what())});
        return {};
    }
}

ExecutionContext withSavedTuning(const ExecutionContext &context)
{
    const auto entries = savedTuning(context);
    if (entries.empty())
        return context;
    return context.withTuning(std::make_shared<TuningTable>(tableOf(entries)));
}

bool saveTuning(const std::vector<TunedCase> &tuned, const ExecutionContext &context)
{
    const auto file = savedTuningFile(context);
    if (file.empty() || tuned.empty())
        return false;
    std::vector<TuningEntry> entries;
    for (const auto &each : tuned) {
        // What has not been judged is tried again the next time, and what was known of it stays.
        if (each.isKept || (!each.isDisturbed && !each.isCut))
            entries.push_back(entryOf(each));
    }
    writeTuning(file, tunedMachine(context), merged(std::move(entries), savedTuning(context)));
    return true;
}

} // namespace gridhelm::tuning

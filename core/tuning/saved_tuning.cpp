// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/saved_tuning.h"

#include "core/support/cache_folder.h"
#include "core/support/error.h"

#include <fmt/format.h>

#include <memory>

namespace gridhelm::tuning {

std::filesystem::path savedTuningFile(const TunedMachine &machine)
{
    return tuningFile(cacheFolder(), machine);
}

std::filesystem::path savedTuningFile(const ExecutionContext &context)
{
    return savedTuningFile(tunedMachine(context));
}

namespace {

/// What the file of this machine has; empty if there is nothing to be believed.
std::vector<TuningEntry> entriesIn(const std::filesystem::path &file, const TunedMachine &machine,
                                   const ExecutionContext &context)
{
    try {
        return readTuning(file, machine).value_or(std::vector<TuningEntry>());
    } catch (const Error &problem) {
        context.report({ExecutionEvent::Kind::notice,
                        fmt::format("{}; constants are those compiled in: tune this machine again",
                                    problem.what())});
        return {};
    }
}

} // namespace

std::vector<TuningEntry> savedTuning(const TunedMachine &machine, const ExecutionContext &context)
{
    const auto file = savedTuningFile(machine);
    return file.empty() ? std::vector<TuningEntry>() : entriesIn(file, machine, context);
}

std::vector<TuningEntry> savedTuning(const ExecutionContext &context)
{
    return savedTuning(tunedMachine(context), context);
}

ExecutionContext withSavedTuning(const ExecutionContext &context)
{
    const auto entries = savedTuning(context);
    if (entries.empty())
        return context;
    return context.withTuning(std::make_shared<TuningTable>(tableOf(entries)));
}

bool saveTuning(const std::vector<TunedCase> &tuned, const TunedMachine &machine,
                const ExecutionContext &context)
{
    const auto file = savedTuningFile(machine);
    if (file.empty() || tuned.empty())
        return false;
    std::vector<TuningEntry> entries;
    for (const auto &each : tuned) {
        // What has not been judged is tried again the next time, and what was known of it stays.
        if (each.isKept || (!each.isDisturbed && !each.isCut))
            entries.push_back(entryOf(each));
    }
    writeTuning(file, machine, merged(std::move(entries), entriesIn(file, machine, context)));
    return true;
}

bool saveTuning(const std::vector<TunedCase> &tuned, const ExecutionContext &context)
{
    return saveTuning(tuned, tunedMachine(context), context);
}

} // namespace gridhelm::tuning

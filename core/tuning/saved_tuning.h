// SPDX-License-Identifier: GPL-3.0-or-later
//
// The constants that were tuned for this machine, where all programs of the user find them.
#pragma once

#include "core/execution/execution_context.h"
#include "core/tuning/tuning_file.h"

#include <filesystem>
#include <string>
#include <vector>

namespace gridhelm::tuning {

/// Of the machine, in the user's cache folder; empty without such a folder.
std::filesystem::path savedTuningFile(const TunedMachine &machine);
/// Of the context's CPU.
std::filesystem::path savedTuningFile(const ExecutionContext &context);

/// What was tuned; empty if there is nothing to be believed. A file that is not believed is
/// ignored, with an event of the context.
std::vector<TuningEntry> savedTuning(const TunedMachine &machine, const ExecutionContext &context);
/// Of the context's CPU.
std::vector<TuningEntry> savedTuning(const ExecutionContext &context);

/// The context with what was tuned for its CPU; as it is if there is nothing.
ExecutionContext withSavedTuning(const ExecutionContext &context);

/// Adds what has been found to what there is. Whether there was a place for it; throws
/// gridhelm::Error if it cannot be written.
bool saveTuning(const std::vector<TunedCase> &tuned, const TunedMachine &machine,
                const ExecutionContext &context);
/// Of the context's CPU.
bool saveTuning(const std::vector<TunedCase> &tuned, const ExecutionContext &context);

} // namespace gridhelm::tuning

// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tuned constants of a machine, kept between runs of the program.
#pragma once

#include "core/execution/tuning_table.h"
#include "core/tuning/tuned_case.h"

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gridhelm::tuning {

/// For what tuned constants hold: others are of no use.
struct TunedMachine
{
    std::string kernels;  ///< version of the program, and of what can be tuned
    std::string hardware; ///< of the CPU, or model and driver of a GPU
    int threads = 1;      ///< 0: it is a GPU

    bool operator==(const TunedMachine &) const = default;
};

/// This program with the CPU of the context.
TunedMachine tunedMachine(const ExecutionContext &context);

/// This program, with these operations of this hardware.
TunedMachine tunedMachine(std::span<const TunableOperation *const> operations, std::string hardware,
                          int threads);

/// One operation at one size.
struct TuningEntry
{
    TuningKey key;
    std::string work; ///< by which it was tuned
    std::map<std::string, int> constants{};
    double gain = 1;    ///< as TunedCase has it; 1: the compiled-in ones were kept
    double seconds = 0; ///< of the work, compiled-in
};

TuningEntry entryOf(const TunedCase &tuned);

/// Those of `entries`, and of `present` what they do not have.
std::vector<TuningEntry> merged(std::vector<TuningEntry> entries,
                                const std::vector<TuningEntry> &present);

TuningTable tableOf(const std::vector<TuningEntry> &entries);

/// In a folder that machines with the same home share; empty for an empty folder.
std::filesystem::path tuningFile(const std::filesystem::path &folder, const TunedMachine &machine);

/// Nothing if there is no such file. Throws gridhelm::Error if it is not believed (see
/// readPrivateFile()), damaged, or of another machine or program.
std::optional<std::vector<TuningEntry>> readTuning(const std::filesystem::path &path,
                                                   const TunedMachine &machine);

/// Whole or not at all, with the folders it needs. Throws gridhelm::Error if that cannot be.
void writeTuning(const std::filesystem::path &path, const TunedMachine &machine,
                 const std::vector<TuningEntry> &entries);

} // namespace gridhelm::tuning

// SPDX-License-Identifier: GPL-3.0-or-later
//
// What `bench data` measures, one function a topic: studies on a disk, beside what the disk, memory
// and the engine alone can do.
#pragma once

#include "app/bench/measure.h"
#include "core/execution/execution_context.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>

namespace gridhelm::bench {

struct DataBenchOptions
{
    std::filesystem::path folder = "."; ///< on the disk that is measured
    std::uint64_t values = 1'000'000;   ///< of a snapshot
    int parameters = 4;                 ///< of the study that is compressed and opened
    int level = 4;                      ///< of its grid
    int endParameters = 5;              ///< of the study that is evaluated: 3^n snapshots
    int repeats = 5;
    ExecutionContext context{CpuDevice{}};
    MeasureOptions measure; ///< of evaluations
    /// Called often; throws to stop. No file is left then.
    std::function<void()> checkpoint = [] {};
};

/// compress() of raw snapshots that memory holds into raw coefficients, with opening and closing
/// the study, in turns with writing as many bytes to one file; both until they are on the disk.
nlohmann::json benchCompress(const DataBenchOptions &options);

/// One field out of a loaded study, all of whose rows count, beside the engine's product on its own
/// matrix of that size, each as a share of one read of its matrix.
nlohmann::json benchEvaluate(const DataBenchOptions &options);

/// From a file to a field of its first two levels: with nothing of the file in memory, and with all
/// of it.
nlohmann::json benchOpen(const DataBenchOptions &options);

} // namespace gridhelm::bench

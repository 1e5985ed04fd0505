// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a picture of a study's field reads and takes in each form that its rows may have.
#pragma once

#include "app/bench/measure.h"
#include "core/execution/execution_context.h"
#include "core/sparse/backend.h"
#include "data/mesh/snapshot_reader.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace gridhelm::bench {

struct FrameBenchOptions
{
    std::filesystem::path study;  ///< of a sparse grid, compressed; is only read
    std::string field;            ///< empty: the first
    double allowed = 1e-3;        ///< error that modes in few bits may add
    std::filesystem::path folder; ///< for a copy of the study
    std::size_t places = 40;      ///< random ones, at which errors are measured
    bool withKriging = false; ///< kriging of the same snapshots beside them, which is fitted first
    bool withCurves = false;  ///< bytes at several errors, too, which takes several times as long
    data::VolumesOfMesh volumes = {};
    ExecutionContext context{CpuDevice{}};
    /// On the context's first GPU, whose pictures are measured beside the CPU's; null: none.
    std::shared_ptr<const sparse::Backend> gpu = nullptr;
    MeasureOptions measure = {};
    std::function<void()> checkpoint = [] {}; ///< may throw
};

/// Of float32 rows, rows in few bits, modes, modes in few bits, and modes by zstd and zfp (null if
/// it is not there): bytes, seconds of a picture at places that change, and the largest error at
/// random places beside float32 rows, relative to the root mean square of all snapshots. Rows in
/// few bits and zfp have the coarsest tolerance (to 2 %) with no larger error than modes in few
/// bits. With kriging also of its modes, as float32 and in few bits; their errors are beside the
/// former. With curves also bytes and errors of these forms, and of the leading float32 modes
/// alone, at ten times what is allowed to a tenth of it. With a GPU also what it takes for those
/// forms that are combined as they are (gpuFrame()).
nlohmann::json benchFrame(const FrameBenchOptions &options);

} // namespace gridhelm::bench

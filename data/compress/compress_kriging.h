// SPDX-License-Identifier: GPL-3.0-or-later
//
// Snapshots to kriging of their modes (core/kriging), in place of hierarchical coefficients.
#pragma once

#include "core/execution/execution_context.h"
#include "data/mesh/snapshot_reader.h"
#include "data/study/study_writer.h"

#include <cstddef>
#include <functional>
#include <optional>

namespace gridhelm::data {

struct KrigingOptions
{
    /// Share of the modes' energy that may be cut, see modes::ModesOptions; none: 1e-9, or less
    /// where a tenth of the error left out asks for it.
    std::optional<double> cut = {};
    VolumesOfMesh volumes = {}; ///< see weightsOf()
    ExecutionContext context{CpuDevice{}};
    double blockBytes = 512e6;
    /// Told the share that is done, by the calling thread; false stops.
    std::function<bool(double)> progress = {};
};

struct KrigingReport
{
    std::size_t fields = 0; ///< that have kriging now
    std::size_t zero = 0;   ///< that are 0 everywhere, and need none
    std::size_t runs = 0;   ///< of the field with most
    /// Of that many: more than FieldKriging::mostRuns are thinned out to that many, which are
    /// spread over the ranges.
    std::size_t runsThere = 0;
    bool cancelled = false; ///< the study is as before
};

/// Of how many runs storeKriging() would make it now.
std::size_t runsForKriging(const Study &study, FieldIndex field);

/// Whether there are as many as it needs: more than parameters.
bool hasEnoughRunsForKriging(const Study &study, FieldIndex field);

/// Modes of a field's snapshots, of all that there are (points that are missing are no obstacle,
/// nor are coefficients needed), and kriging of the modes' coefficients; evaluations use it from
/// then on. Coefficients stay, if there are any. Errors are those of simulations that are left out,
/// with all of their times. One transaction. Throws gridhelm::Error for scalar studies, and if
/// there are not more runs than parameters.
KrigingReport storeKriging(StudyWriter &writer, FieldIndex field, const KrigingOptions &options);

} // namespace gridhelm::data

// SPDX-License-Identifier: GPL-3.0-or-later
//
// Coefficients to modes: a field as a few modes times their coefficients (core/modes).
#pragma once

#include "core/execution/device.h"
#include "data/mesh/snapshot_reader.h"
#include "data/study/study_writer.h"

#include <functional>
#include <optional>

namespace gridhelm::data {

struct ModesOptions
{
    /// Share of the energy that may be cut, see modes::ModesOptions; none: automaticCut().
    std::optional<double> cut = {};
    VolumesOfMesh volumes = {}; ///< see weightsOf()
    CpuDevice cpu = {};
    double blockBytes = 512e6;
    std::function<bool(double)> progress = {}; ///< told the share that is done; false stops
};

struct ModesReport
{
    std::size_t fields = 0; ///< that have modes now
    std::size_t zero = 0;   ///< that are 0 everywhere, and need none
    bool cancelled = false; ///< the study is as before
};

/// 1e-9, or the square of a tenth of the leave-one-out error where that is less (of the study's
/// figures, as far as they are of its grid as it is now): so that the modes never show beside the
/// error of the surrogate. Not below modes::smallestCut.
double automaticCut(const Study &study, FieldIndex field);

/// Modes of one field, or of all, of a vector study, from the coefficients that there are now; no
/// run is needed, and no snapshot. What the modes are modes of are the snapshots of all points with
/// coefficients; what is stored beside them are the coefficients by modes, and what the modes, as
/// they are stored, lack of each. Evaluations read modes from then on; the coefficients stay. All
/// in one transaction for each field. Throws gridhelm::Error for scalar studies, and if there are
/// no coefficients.
ModesReport storeModes(StudyWriter &writer, FieldIndex field, const ModesOptions &options);
ModesReport storeModes(StudyWriter &writer, const ModesOptions &options);

} // namespace gridhelm::data

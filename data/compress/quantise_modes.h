// SPDX-License-Identifier: GPL-3.0-or-later
//
// Modes in as few bits as an error allows (core/modes/quantisation_choice.h).
#pragma once

#include "core/execution/device.h"
#include "data/mesh/snapshot_reader.h"
#include "data/study/study_writer.h"

#include <functional>
#include <vector>

namespace gridhelm::data {

/// Errors below this are those of single precision, and no bits can be saved for them.
inline constexpr double smallestAddedError = 1e-6;

struct QuantiseOptions
{
    /// That may be added to the field at any snapshot and any hold-out, relative to the root mean
    /// square of the field over the study (ModeSet::norm): smallestAddedError to less than 1.
    double allowed = 0;
    VolumesOfMesh volumes = {}; ///< see weightsOf()
    CpuDevice cpu = {};
    double blockBytes = 512e6;
    std::function<bool(double)> progress = {}; ///< told the share that is done; false stops
};

struct QuantiseReport
{
    bool isQuantised = false; ///< else no number of modes there is is near enough: as before
    bool cancelled = false;   ///< the study is as before
    /// Of coefficients, which a picture reads some of, in the mean: as foretold, or as written; 0
    /// if no bits are near enough.
    double pictureBytes = 0;
};

/// Stores the modes that a field has, which are exact, in fewer bits, and those of a sparse grid as
/// fewer modes, too: as many, and so many bits, that a picture reads the fewest bytes. What that
/// adds is measured with what was written, as pictures are combined, at all points that have
/// coefficients (of kriging: at all runs it was fitted to), and at hold-outs; as long as it is more
/// than `allowed` anywhere, it is written again with more bits. In one transaction. Throws
/// gridhelm::Error for a share out of range, and for a field without modes, or with modes in few
/// bits.
QuantiseReport quantiseModes(StudyWriter &writer, FieldIndex field, const QuantiseOptions &options);

/// Throws gridhelm::Error unless an error of this size may be added.
void requireAllowed(double allowed);

/// The share of the energy to be cut from modes that are then stored in few bits for this error: so
/// little that the number of modes can be chosen.
double cutForError(double allowed);

} // namespace gridhelm::data

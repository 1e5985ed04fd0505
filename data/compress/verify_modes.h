// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whether modes in few bits keep what they promise.
#pragma once

#include "core/execution/device.h"
#include "data/mesh/snapshot_reader.h"
#include "data/study/study.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace gridhelm::data {

/// Beside what the added error of a field was measured now.
enum class VerifiedBeside : std::uint8_t {
    snapshots,     ///< which are kept
    coefficients,  ///< exact ones: snapshots have been dropped
    nothing,       ///< what was recorded stands: the exact modes of kriging are gone
    unknownVolumes ///< the same: volumes of the mesh's cells, which weigh the errors, are not known
                   ///< to this program, or are none any more
};

struct VerifiedModes
{
    FieldIndex field = 0;
    bool areCoefficients = false; ///< that are in few bits, and no modes
    VerifiedBeside beside = VerifiedBeside::nothing;
    double allowed = 0;       ///< that was promised; all three relative to the set's norm
    double atSnapshots = 0;   ///< the largest; as it was recorded unless isMeasured()
    double atHoldOuts = 0;    ///< the same
    std::uint64_t places = 0; ///< at which it was measured
    /// Hold-outs have come or gone since the modes were made, of which the promise knows nothing.
    bool isBeforeHoldOuts = false;

    /// Now, and not only when it was written.
    bool isMeasured() const;
    /// Within the rounding of single precision, at the places that the promise knows.
    bool isKept() const;
};

/// Whether hold-outs have come or gone since the field's modes, or coefficients, in few bits were
/// measured at them.
bool isBeforeHoldOuts(const Study &study, const ModeSet &set);
bool isBeforeHoldOuts(const Study &study, const QuantisedModes &bits);

/// A sentence for people.
std::string verifiedText(const VerifiedModes &verified, const std::string &field);

/// All fields with modes or coefficients in few bits, as pictures of them are combined. `stop` is
/// asked now and then; what was verified before is returned then. Throws gridhelm::Error for a
/// damaged study.
std::vector<VerifiedModes> verifyModes(const Study &study, const VolumesOfMesh &volumes,
                                       const CpuDevice &cpu, const std::function<bool()> &stop);

} // namespace gridhelm::data

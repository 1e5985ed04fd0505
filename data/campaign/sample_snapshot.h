// SPDX-License-Identifier: GPL-3.0-or-later
//
// A snapshot's values at places in space, for scalar studies.
#pragma once

#include "data/mesh/snapshot_reader.h"

#include <array>
#include <span>
#include <vector>

namespace gridhelm::data {

using Place = std::array<double, 3>; ///< directions that a mesh does not have do not count

/// One value at each place.
struct SampledSnapshot
{
    std::vector<Field> fields; ///< as scalar studies have them: one value each
    std::vector<std::vector<float>> values;
};

/// Linear interpolation on the snapshot's image mesh: exactly its value at a point of the mesh
/// (within 1e-9 of their distance). Values of cells count at their centres, and are constant from
/// the outermost ones to the border. A field of several components becomes one for each:
/// "velocity_x", or "stress_1" where there are more than three.
/// Throws gridhelm::Error for meshes of other kinds, and places outside of the mesh.
SampledSnapshot sampleSnapshot(const RunSnapshot &snapshot, std::span<const Place> places);

} // namespace gridhelm::data

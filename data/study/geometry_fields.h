// SPDX-License-Identifier: GPL-3.0-or-later
//
// Fields that say where a study's nodes are, and where its body is, as it depends on the
// parameters. They are stored, compressed and evaluated like all others; whoever shows or writes
// a field looks for them by their names, as readers of Exodus files do for displacements.
#pragma once

#include "data/study/study_types.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace gridhelm::data {

/// How far a node is from where the study's mesh has it, in the mesh's unit; 3 components.
inline constexpr std::string_view displacementField = "mesh.displacement";
/// From a node of a background grid to the body's surface: positive inside of it, negative in holes
/// and around it.
inline constexpr std::string_view distanceField = "mesh.signed_distance";

struct GeometryFields
{
    std::optional<FieldIndex> displacement, distance;

    bool isFixed() const { return !displacement && !distance; }
    std::vector<FieldIndex> all() const; ///< those that there are
    /// Whether nodes outside of the body do not count for the study's field of this number: all
    /// others are defined everywhere.
    bool leaveOutside(FieldIndex index, const Field &field) const
    {
        return distance && *distance != index && field.association == Association::point;
    }
};

/// A field of such a name that has other components, or lies on cells, is an ordinary one.
GeometryFields geometryFieldsOf(const std::vector<Field> &fields);

/// Where the body is, for the parameters of one snapshot: values of these fields, or nothing.
struct GeometryValues
{
    std::vector<float> displacement; ///< components adjacent
    std::vector<float> distance;
};

/// Replaces the values of those points whose distance is negative. values.size() is a multiple of
/// distance.size(), components adjacent; without distances all points are in the body.
void fillOutside(std::span<const float> distance, std::span<float> values, float with);

} // namespace gridhelm::data

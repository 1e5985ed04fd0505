// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which values of a mesh a response takes, for what knows no VTK.
#pragma once

#include "core/answers/reduction.h"
#include "data/study/geometry_fields.h"
#include "data/study/study_types.h"

#include <array>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace gridhelm::data {

/// A sum over some points or cells for each of several places.
struct WeightedSums
{
    struct Share
    {
        std::size_t entity;
        double weight;
    };
    std::vector<std::size_t> first{0}; ///< of each place, and the end
    std::vector<Share> shares;
};

/// Places, each of which takes the values of some points or cells, by weight.
struct ResponseSamples : WeightedSums
{
    Association association = Association::point;
    /// The field's slope along each axis there, for the axes that were asked for.
    std::array<WeightedSums, 3> slopes;
    std::vector<double> weights; ///< of each place: its volume, area or length

    std::size_t places() const { return weights.size(); }
};

/// The axes along which slopes are wanted.
using SlopeAxes = std::array<bool, 3>;

/// A place of a response, with what its words mean on a study's mesh.
struct MeshPlace : answers::ResponsePlace
{
    MeshPlace(answers::ResponsePlace place)
        : ResponsePlace(std::move(place))
    {
    }
    /// Of PlaceKind::numbered: what has one of the numbers, ascending.
    Association numbered = Association::cell;
    std::vector<std::size_t> entities = {};
};

/// Of a study's mesh: what is at a place, for a field with values at its points or in its cells,
/// where the body is as `geometry` says (without values: as the mesh has it). Throws
/// gridhelm::Error for a place outside of the mesh or the body, one that holds nothing of it, and
/// for slopes on a mesh that has none. May be called from several threads.
using SamplesOfMesh = std::function<ResponseSamples(
    Association of, const MeshPlace &place, SlopeAxes slopes, const GeometryValues &geometry)>;

} // namespace gridhelm::data

// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which values of a mesh a response takes, for what knows no VTK.
#pragma once

#include "core/answers/reduction.h"
#include "data/study/study_types.h"

#include <cstddef>
#include <functional>
#include <vector>

namespace gridhelm::data {

/// Places, each of which takes the values of some points or cells, by weight.
struct ResponseSamples
{
    struct Share
    {
        std::size_t entity;
        double weight;
    };
    Association association = Association::point;
    std::vector<std::size_t> first{0}; ///< of each place, and the end
    std::vector<Share> shares;
    std::vector<double> weights; ///< of each place: its volume, area or length

    std::size_t places() const { return weights.size(); }
};

/// Of a study's mesh: what is at a place, for a field with values at its points or in its cells.
/// Throws gridhelm::Error for a place outside of the mesh, and one that holds nothing of it.
using SamplesOfMesh =
    std::function<ResponseSamples(Association of, const answers::ResponsePlace &place)>;

} // namespace gridhelm::data

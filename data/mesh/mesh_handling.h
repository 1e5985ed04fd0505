// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace gridhelm::data {

/// How the meshes of a study's runs become its one mesh.
enum class MeshKind {
    shared,     ///< all have the same; another one is an error
    resampled,  ///< values are interpolated onto the first one's, which all others cover
    moving,     ///< cells join the same nodes, which move: see mesh_motion.h
    background, ///< shapes differ: all on a regular grid, see background.h
};
std::string_view toString(MeshKind kind);

/// A box with a regular grid of nodes; axes along which the meshes have no extent have one.
struct BackgroundGrid
{
    std::array<std::size_t, 3> points{1, 1, 1};
    /// Its ends; those of the first run's mesh if left out. Where there is one point they do not
    /// count.
    std::optional<std::array<double, 3>> low = {}, high = {};
};

struct MeshHandling
{
    MeshKind kind = MeshKind::shared;
    BackgroundGrid background = {};
};

} // namespace gridhelm::data

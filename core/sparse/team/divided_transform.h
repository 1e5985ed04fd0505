// SPDX-License-Identifier: GPL-3.0-or-later
//
// One grid that several devices hierarchize. Along a dimension poles of blocks are independent of
// each other; along several dimensions all blocks are that have the same levels in the others. So
// devices take whole sets of these, and give each other what they have made between one group of
// dimensions and the next.
#pragma once

#include "core/sparse/sparse_grid.h"
#include "core/sparse/team/joint_work.h"
#include "core/sparse/team/team_backend.h"
#include "core/sparse/transform_part.h"

#include <cstdint>
#include <span>
#include <vector>

namespace gridhelm::sparse {

/// For each of `speeds` a part of the blocks, none twice, that may be transformed in dimensions
/// first .. end - 1 by itself, with about as many points as its speed says; a part may be empty.
/// Throws gridhelm::Error for grids of more than 2^32 - 2 blocks.
std::vector<std::vector<std::uint32_t>> dividedBlocks(const SparseGrid &grid, int first, int end,
                                                      std::span<const double> speeds);

/// Some dimensions, and each device's part of the blocks.
struct TransformStep
{
    int first, end;                                ///< dimensions first .. end - 1
    std::vector<std::vector<std::uint32_t>> parts; ///< dividedBlocks()
};

/// All dimensions, in their order; devices meet between steps. There are two halves, between which
/// values travel once, unless a device would thereby have more than a tenth too much to do: then
/// every dimension is by itself, divided by its poles.
std::vector<TransformStep> transformSteps(const SparseGrid &grid, std::span<const double> speeds);

/// Grids of fewer points are not worth it: what to divide takes longer to find than the work (4.7e5
/// points on two CPUs of one thread 11 times as long as by one, 3.9e7 three quarters as long).
inline constexpr std::uint64_t fewestPointsDivided = 16'000'000;

/// Backend::hierarchize() or its inverse by all members, at the same time, bit for bit as by one of
/// their kind. `values` in storage order. `work` has a thread for each member.
template <typename T>
ComputedOn transformDivided(Transform transform, const SparseGrid &grid, std::span<T> values,
                            std::span<const TeamMember> members, JointWork &work);

} // namespace gridhelm::sparse

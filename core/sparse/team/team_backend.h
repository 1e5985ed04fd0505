// SPDX-License-Identifier: GPL-3.0-or-later
//
// Several devices, each with a back end of its own, that evaluate together as one.
#pragma once

#include "core/sparse/backend.h"

#include <memory>
#include <span>
#include <vector>

namespace gridhelm::sparse {

struct TeamMember
{
    std::shared_ptr<const Backend> backend; ///< on one device
    double speed = 1; ///< beside the others; above 0, as large as its share of the work
    /// A slower one of another kind, the CPU beside GPUs: its share is learnt, see
    /// makeAssistedBackend(), whatever its speed.
    bool isHelper = false;
};

/// What is divided:
/// - rows of vectors by columns, the nodes of the mesh: each device holds its columns of every row,
///   so that no sums travel, and the rows may be larger than the memory of one. What does not fit
///   is the CPU's, see loadDivided();
/// - points by contiguous shares; each device holds all coefficients;
/// - a Cartesian product by the coordinates of its first free axis.
/// Helpers take some of the points, pixels and columns of all the others.
/// - hierarchize() and dehierarchize() by poles, see transformDivided().
/// Not divided, but done by the first device: combine() of one grid of numbers.
///
/// Devices of one kind return bit for bit what one of them does, as long as each has the memory to
/// go the way that one alone would; GPU with CPU agree to round-off. Points too few for all
/// (Backend::smallestShare()) are evaluated by some.
///
/// `context` decides whether the CPU may take the rest, and is told. Throws gridhelm::Error for an
/// empty team, and speeds that are not above 0.
std::unique_ptr<Backend> makeTeamBackend(std::vector<TeamMember> members,
                                         const ExecutionContext &context);

} // namespace gridhelm::sparse

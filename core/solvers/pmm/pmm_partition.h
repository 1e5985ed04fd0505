// SPDX-License-Identifier: GPL-3.0-or-later
//
// How several devices share the parallel marching method. Sub-sweeps along y and x go on side by
// side on slabs of z planes, with the edges of the neighbours' slabs. Those along z cross the
// slabs, and there are two ways.
#pragma once

#include "core/execution/execution_context.h"
#include "core/solvers/pmm/pmm_problem.h"
#include "core/solvers/slab.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace gridhelm::solvers {

enum class PmmPartition {
    /// For the sub-sweeps along z the grid is divided again, into slabs of y rows, and back
    /// ([Krishnasamy2014], Section 4.3): times travel, and all devices work.
    repartition,
    /// The slabs stay. A device marches through its planes in bands of rows, and the next one
    /// begins with a band as soon as it has arrived: little travels, and devices wait at first.
    pipelined,
};

std::string_view nameOf(PmmPartition partition);
/// Empty for "auto"; `what` names the text in errors. Throws gridhelm::Error for other names.
std::optional<PmmPartition> parsePmmPartition(std::string_view text, std::string_view what);

/// Slabs of the grid for the devices of a team.
struct PmmSlabs
{
    std::vector<Slab> planes; ///< along z
    std::vector<Slab> rows;   ///< along y; may be fewer, or more

    std::size_t devices() const
    {
        return planes.size() > rows.size() ? planes.size() : rows.size();
    }
};

/// Slabs that begin at multiples of `granule`, as large as the weights of the context's devices, or
/// of its ranks, say. The slabs of rows are empty where nothing is divided again. Tells the context
/// if some devices have nothing to do.
PmmSlabs dividedAmongTeam(const PmmProblem &problem, PmmPartition partition, std::size_t granule,
                          std::span<const double> weights, const ExecutionContext &context);

} // namespace gridhelm::solvers

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dispatch/workload.h"
#include "core/linalg/combination.h"
#include "core/solvers/poisson_problem.h"
#include "core/sparse/sparse_grid.h"

#include <cstdlib>
#include <memory>
#include <optional>
#include <vector>

namespace gridhelm::dispatch {

/// What work reads and does not change: made once, however often the work is prepared. Rough
/// numbers, the same each time.
struct WorkInput
{
    /// Throws gridhelm::Error if memory does not suffice.
    explicit WorkInput(const Workload &work);

    // On grids: coefficients in storage order, and where points are scattered, their coordinates.
    std::shared_ptr<const sparse::SparseGrid> grid;
    std::vector<float> coefficients;
    std::vector<float> coordinates;

    // Of a combination: rows as those of a study's field, in whole cache lines and huge pages.
    struct Free
    {
        void operator()(float *memory) const { std::free(memory); }
    };
    std::unique_ptr<float[], Free> matrix;
    std::size_t stride = 0; ///< of its rows
    sparse::SparseWeights weights;

    // Of iterations.
    std::optional<solvers::PoissonProblem> problem;

private:
    void makeGrid(int dimension, int level);
    void makeMatrix(const CombinationWork &work);
};

} // namespace gridhelm::dispatch

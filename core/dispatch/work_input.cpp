// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dispatch/work_input.h"

#include "core/solvers/measured_problems.h"
#include "core/support/huge_pages.h"
#include "core/support/memory_check.h"
#include "core/support/pseudo_random_values.h"

#include <algorithm>
#include <cmath>
#include <new>

namespace gridhelm::dispatch {

WorkInput::WorkInput(const Workload &work)
{
    if (const auto *transform = std::get_if<TransformWork>(&work)) {
        makeGrid(transform->dimension, transform->level);
    } else if (const auto *points = std::get_if<InterpolationWork>(&work)) {
        makeGrid(points->dimension, points->level);
        coordinates = pseudoRandomValues<float>(
            points->points * static_cast<std::size_t>(points->dimension), 0, 1);
    } else if (const auto *shared = std::get_if<SharedWork>(&work)) {
        makeGrid(shared->dimension, shared->level);
        const auto d = static_cast<std::size_t>(shared->dimension);
        const auto fixed = d - static_cast<std::size_t>(shared->freeDimensions());
        coordinates = pseudoRandomValues<float>(shared->points * d, 0, 1);
        for (std::size_t j = 1; j < shared->points; ++j)
            std::copy_n(coordinates.begin(), fixed,
                        coordinates.begin() + static_cast<std::ptrdiff_t>(j * d));
    } else if (const auto *cube = std::get_if<CartesianWork>(&work)) {
        makeGrid(cube->dimension, cube->level);
    } else if (const auto *combination = std::get_if<CombinationWork>(&work)) {
        makeMatrix(*combination);
    } else if (const auto *poisson = std::get_if<PoissonWork>(&work)) {
        problem = poisson->isRough
                      ? solvers::roughLaplaceProblem(poisson->dimension, poisson->side)
                      : solvers::heatedLaplaceProblem(poisson->dimension, poisson->side);
    }
}

void WorkInput::makeGrid(int dimension, int level)
{
    const sparse::GridShape shape(dimension, level);
    sparse::requireFitsInMemory(shape,
                                4 * sizeof(float)); // values, and what a back end makes of them
    grid = std::make_shared<sparse::SparseGrid>(shape);
    coefficients = pseudoRandomValues<float>(grid->points(), -1, 1);
}

void WorkInput::makeMatrix(const CombinationWork &work)
{
    for (std::size_t row = 0; row < work.rows; ++row) {
        weights.rows.push_back(row);
        weights.weights.push_back(std::cos(static_cast<double>(row)));
    }
    weights.lastGroupBegin = work.rows / 2;
    constexpr std::size_t line = 64, lineValues = line / sizeof(float);
    stride = (work.columns + lineValues - 1) / lineValues * lineValues;
    const auto bytes = work.rows * stride * sizeof(float);
    requireMemory(static_cast<double>(bytes), "a matrix to combine rows of",
                  "close other programs");
    matrix.reset(static_cast<float *>(std::aligned_alloc(line, bytes)));
    if (!matrix)
        throw std::bad_alloc();
    preferHugePages(matrix.get(), bytes);
    fillPseudoRandomly<float>({matrix.get(), work.rows * stride}, 0, 1);
}

} // namespace gridhelm::dispatch

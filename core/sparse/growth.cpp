// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/growth.h"

#include "core/sparse/weight_evaluator.h"

namespace gridhelm::sparse {

AncestorWeights ancestorWeights(const SparseGrid &grid, std::uint64_t point)
{
    // At a grid point only its own function and those of its ancestors do not vanish.
    std::vector<double> x(static_cast<std::size_t>(grid.dimension()));
    grid.coordinates(point, x);
    WeightEvaluator evaluator(grid);
    for (int t = 0; t < grid.dimension(); ++t)
        evaluator.setCoordinate(t, x[static_cast<std::size_t>(t)]);
    const auto all = evaluator.weights();

    AncestorWeights result;
    for (std::size_t i = 0; i < all.rows.size(); ++i) {
        if (all.rows[i] == point)
            continue;
        result.points.push_back(all.rows[i]);
        result.weights.push_back(all.weights[i]);
    }
    return result;
}

} // namespace gridhelm::sparse

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/codec/linear_prediction.h"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>

namespace gridhelm::codec {

std::vector<std::size_t> LinearPrediction::offsetsOf(const CodeNeighbours &neighbours,
                                                     std::size_t values)
{
    constexpr std::int64_t reach = 3;
    const std::int64_t value = neighbours.value, row = neighbours.row;
    std::vector<std::size_t> offsets;
    for (std::int64_t rows = 0; rows <= (row > 0 ? reach : 0); ++rows)
        for (std::int64_t along = -reach; along <= reach; ++along) {
            const auto offset = rows * row + along * value;
            if (offset > 0 && rows * rows + along * along <= reach * reach
                && static_cast<std::uint64_t>(offset) < values)
                offsets.push_back(static_cast<std::size_t>(offset));
        }
    std::ranges::sort(offsets);
    const auto same = std::ranges::unique(offsets);
    offsets.erase(same.begin(), same.end());
    return offsets;
}

LinearPrediction LinearPrediction::fitted(const RowCodes &codes, const std::vector<bool> &isCoded,
                                          const CodeNeighbours &neighbours)
{
    auto offsets = offsetsOf(neighbours, codes.size());
    const auto count = static_cast<Eigen::Index>(offsets.size());
    const PaddedCodes padded(codes, offsets.empty() ? 0 : offsets.back());
    Eigen::MatrixXd squares = Eigen::MatrixXd::Zero(count, count);
    Eigen::VectorXd right = Eigen::VectorXd::Zero(count), near(count);
    for (std::size_t i = 0; i < isCoded.size(); ++i) {
        if (!isCoded[i])
            continue;
        const auto *code = padded.at(i);
        for (Eigen::Index k = 0; k < count; ++k)
            near[k] = code[-static_cast<std::ptrdiff_t>(offsets[static_cast<std::size_t>(k)])];
        squares.selfadjointView<Eigen::Lower>().rankUpdate(near);
        right += *code * near;
    }
    // Where neighbours hang together, small weights are as good as large ones.
    constexpr double little = 1e-14, mostWeight = 1000;
    squares.diagonal().array() += little * squares.trace() + 1;
    const Eigen::VectorXd fit = squares.selfadjointView<Eigen::Lower>().ldlt().solve(right);
    std::vector<Weight> weights;
    for (const double weight : fit) { // any are right, these are good
        const double sound =
            std::isfinite(weight) ? std::clamp(weight, -mostWeight, mostWeight) : 0;
        weights.push_back(static_cast<Weight>(std::lround(std::ldexp(sound, unit))));
    }
    return {std::move(offsets), std::move(weights)};
}

} // namespace gridhelm::codec

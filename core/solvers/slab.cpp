// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/slab.h"

#include "core/execution/execution_context.h"
#include "core/support/error.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gridhelm::solvers {

Slab widened(const Slab &slab, std::size_t layers)
{
    return {slab.begin - std::min(slab.begin, layers), std::min(slab.end + layers, slab.of),
            slab.of};
}

std::vector<Slab> divided(std::size_t size, std::size_t granule, std::span<const double> weights)
{
    if (weights.empty() || size == 0 || granule == 0
        || !std::ranges::all_of(weights, [](double w) { return w > 0 && std::isfinite(w); }))
        throw Error("a grid can be divided only if it has rows, and only among devices of positive "
                    "weight; name at least one device");
    const auto granules = (size + granule - 1) / granule;
    const auto count = std::min(weights.size(), granules);
    const double all =
        std::accumulate(weights.begin(), weights.begin() + static_cast<std::ptrdiff_t>(count), 0.0);
    std::vector<Slab> slabs;
    std::size_t begin = 0;
    double before = 0;
    for (std::size_t i = 0; i < count; ++i) {
        before += weights[i];
        const auto wanted = std::lround(static_cast<double>(granules) * before / all);
        // At least one for each of those that follow, and one for this.
        const auto end = i + 1 == count ? granules
                                        : std::clamp(static_cast<std::size_t>(wanted), begin + 1,
                                                     granules - (count - 1 - i));
        slabs.push_back({begin * granule, std::min(end * granule, size), size});
        begin = end;
    }
    return slabs;
}

void reportShares(const std::vector<Slab> &slabs, const std::string &layers,
                  const ExecutionContext &context)
{
    std::vector<DeviceShare> shares;
    const bool areRanks = context.ranks() != nullptr;
    const auto count = areRanks ? slabs.size() : std::min(slabs.size(), context.team().size());
    for (std::size_t i = 0; i < count; ++i) {
        const auto name = areRanks ? "rank " + std::to_string(i) : nameOf(context.team()[i]);
        shares.push_back({name, slabs[i].begin, slabs[i].end, slabs[i].of, layers});
    }
    context.reportShares(shares);
}

} // namespace gridhelm::solvers

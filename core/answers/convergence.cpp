// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/convergence.h"

#include <boost/math/distributions/normal.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace gridhelm::answers {

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

Chains halves(const Chains &chains)
{
    Chains split;
    for (const auto &chain : chains) {
        const auto half = static_cast<std::ptrdiff_t>(chain.size() / 2);
        split.emplace_back(chain.begin(), chain.begin() + half);
        split.emplace_back(chain.end() - half, chain.end());
    }
    return split;
}

/// Each value becomes the normal quantile of its rank among all; equal values share their mean
/// rank.
Chains rankNormalised(Chains chains)
{
    std::vector<double *> all;
    for (auto &chain : chains)
        for (auto &value : chain)
            all.push_back(&value);
    std::ranges::sort(all, {}, [](const double *value) { return *value; });
    const boost::math::normal_distribution<double> normal;
    const auto n = static_cast<double>(all.size());
    for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
        const double value = *all[begin];
        while (end < all.size() && *all[end] == value)
            ++end;
        const double rank = (static_cast<double>(begin + end) + 1) / 2;
        const double z = boost::math::quantile(normal, (rank - 0.375) / (n + 0.25));
        for (std::size_t i = begin; i < end; ++i)
            *all[i] = z;
    }
    return chains;
}

double meanOf(const std::vector<double> &values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}
double varianceOf(const std::vector<double> &values)
{
    const double mean = meanOf(values);
    double sum = 0;
    for (const double value : values)
        sum += (value - mean) * (value - mean);
    return sum / static_cast<double>(values.size() - 1);
}

struct Variances
{
    double within = 0, between = 0; ///< of the chains' means
};
Variances variancesOf(const Chains &chains)
{
    std::vector<double> means, variances;
    for (const auto &chain : chains) {
        means.push_back(meanOf(chain));
        variances.push_back(varianceOf(chain));
    }
    return {meanOf(variances), varianceOf(means)};
}

double plainRHat(const Chains &chains)
{
    const auto [within, between] = variancesOf(chains);
    const auto n = static_cast<double>(chains.front().size());
    return within > 0 ? std::sqrt(((n - 1) / n * within + between) / within) : none;
}

bool areLongEnough(const Chains &chains)
{
    return !chains.empty() && chains.front().size() >= 4;
}

Chains distancesFromMedian(Chains chains)
{
    std::vector<double> all;
    for (const auto &chain : chains)
        all.insert(all.end(), chain.begin(), chain.end());
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
    std::ranges::nth_element(all, middle);
    for (auto &chain : chains)
        for (auto &value : chain)
            value = std::abs(value - *middle);
    return chains;
}

} // namespace

double rankNormalisedRHat(const Chains &chains)
{
    if (!areLongEnough(chains))
        return none;
    const auto split = halves(chains);
    const double bulk = plainRHat(rankNormalised(split));
    const double folded = plainRHat(rankNormalised(distancesFromMedian(split)));
    return std::isnan(folded) ? bulk : std::max(bulk, folded);
}

double effectiveSamples(const Chains &chains)
{
    if (!areLongEnough(chains))
        return none;
    const auto split = rankNormalised(halves(chains));
    const auto variances = variancesOf(split);
    const double within = variances.within;
    if (!(within > 0))
        return none;
    const std::size_t length = split.front().size();
    const auto n = static_cast<double>(length), m = static_cast<double>(split.size());
    const double variance = (n - 1) / n * within + variances.between;
    const auto correlation = [&](std::size_t lag) {
        double sum = 0; // of the chains' autocovariances
        for (const auto &chain : split) {
            const double mean = meanOf(chain);
            for (std::size_t i = 0; i + lag < length; ++i)
                sum += (chain[i] - mean) * (chain[i + lag] - mean);
        }
        return 1 - (within - sum / (n * m) * n / (n - 1)) / variance;
    };
    double sum = 0, smallest = std::numeric_limits<double>::infinity();
    for (std::size_t lag = 0; lag + 1 < length; lag += 2) {
        const double pair = (lag == 0 ? 1 : correlation(lag)) + correlation(lag + 1);
        if (!(pair > 0))
            break;
        smallest = std::min(smallest, pair);
        sum += smallest;
    }
    const double time = std::max(2 * sum - 1, 1 / std::log10(n * m));
    return std::max(1.0, n * m / time);
}

} // namespace gridhelm::answers

// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/compress/bit_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gridhelm::data {

namespace {

/// By how much all tolerances may be multiplied: of the field that allows least.
double slackOf(const BitSearch &search, const std::vector<double> &errors)
{
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < errors.size(); ++j) {
        const double byBits = errors[j] * errors[j] - search.fixed[j] * search.fixed[j];
        const double left = search.allowed * search.allowed - search.fixed[j] * search.fixed[j];
        if (byBits > 0)
            least = std::min(least, std::sqrt(std::max(left, 0.0) / byBits));
    }
    return least;
}

} // namespace

std::function<bool(double)> PassesProgress::next()
{
    constexpr double partOfRest = 0.3;
    const double share = (1 - m_done) * partOfRest, before = m_done;
    return [this, share, before](double done) {
        m_done = before + share * done;
        return !m_whole || m_whole(m_done);
    };
}

BitSearchEnd searchBits(const BitSearch &search, std::vector<double> &errors)
{
    constexpr int attempts = 8;
    constexpr double worthwhile = 1.03, margin = 0.99;
    double scale = 1, lastGood = 0;
    for (int attempt = 0; attempt < attempts; ++attempt) {
        errors.clear();
        if (search.write(scale))
            errors = search.measure();
        if (errors.empty())
            return BitSearchEnd::stopped;
        const double factor = slackOf(search, errors);
        const bool isNear = std::ranges::max(errors) <= search.allowed;
        const bool mayBeCoarser = attempt == 0 && std::isfinite(factor) && factor > worthwhile;
        if (isNear && !mayBeCoarser)
            return BitSearchEnd::found;
        if (isNear)
            lastGood = scale;
        if (!isNear && lastGood > 0)
            scale = lastGood; // fewer bits have been too few
        else
            scale *= margin * std::min(factor, 2.0);
        if (!(scale > 0))
            break;
    }
    return BitSearchEnd::notFound;
}

} // namespace gridhelm::data

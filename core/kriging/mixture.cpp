// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kriging/mixture.h"

#include <algorithm>
#include <numeric>

namespace gridhelm::kriging {

namespace {

/// Of the errors, times both cautions.
double product(const MixturePart &a, const MixturePart &b)
{
    return a.caution * b.caution
           * std::inner_product(a.leaveOneOut.begin(), a.leaveOneOut.end(), b.leaveOneOut.begin(),
                                0.0);
}

} // namespace

std::vector<double> mixtureShares(std::span<const MixturePart> parts)
{
    constexpr double least = 0.02; // less is not worth its time
    std::vector<double> squares;
    for (const auto &part : parts)
        squares.push_back(product(part, part));
    std::size_t first =
        static_cast<std::size_t>(std::ranges::min_element(squares) - squares.begin());
    std::size_t second = first;
    double smallest = squares[first], ofSecond = 0;
    for (std::size_t i = 0; i < parts.size(); ++i)
        for (std::size_t j = i + 1; j < parts.size(); ++j) {
            // |(1 - w) a + w b|^2 is smallest at this w.
            const double mixed = product(parts[i], parts[j]);
            const double curvature = squares[i] + squares[j] - 2 * mixed;
            if (curvature <= 0)
                continue;
            const double share = (squares[i] - mixed) / curvature;
            if (share < least || share > 1 - least)
                continue;
            const double sum = squares[i] - share * (squares[i] - mixed);
            if (sum < smallest) {
                smallest = sum;
                first = i;
                second = j;
                ofSecond = share;
            }
        }
    std::vector<double> shares(parts.size());
    shares[first] = 1 - ofSecond;
    if (second != first)
        shares[second] = ofSecond;
    return shares;
}

} // namespace gridhelm::kriging

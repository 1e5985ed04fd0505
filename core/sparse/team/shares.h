// SPDX-License-Identifier: GPL-3.0-or-later
//
// Items in a row, points or columns, divided among devices.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace gridhelm::sparse {

/// Items begin .. end - 1; may be empty.
struct Share
{
    std::size_t begin = 0, end = 0;

    std::size_t size() const { return end - begin; }
    bool operator==(const Share &) const = default;
};

/// So many values for each item.
inline Share times(Share share, std::size_t values)
{
    return {share.begin * values, share.end * values};
}

/// Those of the share; none where there are none at all, as for indicators that are not wanted.
template <typename T>
std::span<T> partOf(std::span<T> values, Share share)
{
    return values.empty() ? values : values.subspan(share.begin, share.size());
}

/// What one device should get.
struct Claim
{
    double weight = 1;        ///< beside those of the others; above 0
    std::size_t smallest = 1; ///< a share that is smaller is not worth it, or must not be
};

/// `count` items in order, a share for each claim, about as large as the weights say. As long as
/// someone would get less than the smallest share, the slowest gets none, the last of several,
/// until one is left. Throws gridhelm::Error unless there is a claim and all weights are above 0.
std::vector<Share> shared(std::size_t count, std::span<const Claim> claims);

} // namespace gridhelm::sparse

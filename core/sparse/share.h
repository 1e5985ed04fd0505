// SPDX-License-Identifier: GPL-3.0-or-later
//
// Items in a row, points or columns, some of which one of several devices has.
#pragma once

#include <cstddef>
#include <span>

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

} // namespace gridhelm::sparse

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/share.h"

#include <cstddef>
#include <functional>

namespace gridhelm::sparse {

/// Work of one kind that a device does alone, or with a helper, whichever is faster: a few of the
/// first items that come are done each way, and every now and then, and when it has become slower,
/// both are compared again.
class FasterWay
{
public:
    /// Does these items; returns the seconds it took.
    using Work = std::function<double(Share)>;

    /// All items once, in order. Fewer than `few` are done by the way that is known to be faster,
    /// otherwise alone, and teach nothing; no more than `few`, and an eighth of all, are done to
    /// try a way.
    void run(std::size_t items, std::size_t few, const Work &alone, const Work &together);

    bool isTogether() const { return m_together > m_alone; }

private:
    // Items per second, of equally many; 0: not known.
    double m_alone = 0, m_together = 0;
    double m_usual = 0;  ///< of all items that come, lately
    int m_pause = 0;     ///< calls until both are compared again
    int m_nextPause = 4; ///< half of the first one
};

} // namespace gridhelm::sparse

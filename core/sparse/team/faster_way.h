// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/share.h"

#include <cstddef>
#include <functional>

namespace gridhelm::sparse {

/// Work of one kind that a device does alone, or with a helper, whichever is faster: a few of the
/// first items that come are done each way, and every now and then the other way is tried again.
class FasterWay
{
public:
    /// Does these items; returns the seconds it took.
    using Work = std::function<double(Share)>;

    /// All items once. Fewer than `few` are done by the way that is known to be faster, otherwise
    /// alone, and teach nothing; no more than `few` are done to try a way.
    void run(std::size_t items, std::size_t few, const Work &alone, const Work &together);

    bool isTogether() const { return m_together > m_alone; }

private:
    void measure(std::size_t items, std::size_t some, const Work &alone, const Work &together);
    void tryOther(Share items, const Work &alone, const Work &together);

    double m_alone = 0, m_together = 0; ///< items per second; 0: not known
    int m_pause = 0;                    ///< calls until the other way is tried again
    int m_nextPause = 8;
};

} // namespace gridhelm::sparse

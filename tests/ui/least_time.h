// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>

#include <algorithm>
#include <limits>

namespace gridhelm::test {

/// Milliseconds that `act` takes at least: it is tried up to three times, each after `prepare`,
/// until it takes less than `enough`, because other programs may have had the cores meanwhile.
template <typename Prepare, typename Act>
qint64 leastTime(qint64 enough, Prepare prepare, Act act)
{
    auto least = std::numeric_limits<qint64>::max();
    for (int attempt = 0; attempt < 3 && least >= enough; ++attempt) {
        prepare();
        QElapsedTimer clock;
        clock.start();
        act();
        least = std::min(least, clock.elapsed());
    }
    return least;
}

} // namespace gridhelm::test

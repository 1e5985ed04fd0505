// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>

namespace gridhelm::ui {

/// Since it was started.
inline double secondsOn(const QElapsedTimer &clock)
{
    return 1e-9 * static_cast<double>(clock.nsecsElapsed());
}

} // namespace gridhelm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>

namespace gridhelm::dispatch {

/// What it takes to do this once.
template <typename Work>
double workSeconds(Work work)
{
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

} // namespace gridhelm::dispatch

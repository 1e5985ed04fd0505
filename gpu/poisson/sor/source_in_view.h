// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/poisson/grid_view.h"

#include <algorithm>
#include <span>

namespace gridhelm::gpu::sor {

template <typename T>
void clearSpike(GridView<T> &view)
{
    view.spikeX = view.spikeY = view.spikeZ = -1;
    view.spike = 0;
}

template <typename T>
GridView<T> withoutSource(GridView<T> view)
{
    clearSpike(view);
    return view;
}

/// Whether h^2 f, x fastest, is 0 but for one unknown at most: then it needs no array, and the view
/// has it as its spike. Otherwise the view has none.
template <typename T>
bool takesAsSpike(GridView<T> &view, std::span<const double> scaled)
{
    clearSpike(view);
    const auto isZero = [](double f) { return f == 0; };
    const auto first = std::find_if_not(scaled.begin(), scaled.end(), isZero);
    if (first == scaled.end())
        return true;
    if (!std::all_of(first + 1, scaled.end(), isZero))
        return false;
    const auto index = first - scaled.begin();
    view.spike = static_cast<T>(*first);
    view.spikeX = static_cast<int>(index % view.nx);
    view.spikeY = static_cast<int>(index / view.nx % view.ny);
    view.spikeZ = static_cast<int>(index / view.nx / view.ny);
    return true;
}

} // namespace gridhelm::gpu::sor

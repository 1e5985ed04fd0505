// SPDX-License-Identifier: GPL-3.0-or-later
//
// Private to data. A surrogate as a page evaluates it (viewer/surrogates.js).
#pragma once

#include "core/surrogate/surrogate.h"
#include "data/page/packed_arrays.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <span>

namespace gridhelm::data {

/// Numbers that are sums over the rows of a surrogate: rows x outputs, a row's side by side.
struct RowOutputs
{
    std::span<const double> shares;
    std::size_t outputs = 1;
};

/// Of a sparse grid.
struct GridOptions
{
    /// Levels whose points all have coefficients (completeGroups()): the last one is the
    /// indicator's; 0: none.
    int complete = 0;
    double step = 0; ///< whose multiples all coefficients are; 0: they are any numbers
};

/// The outputs of a sparse grid, by modes or not, or of kriging. Throws gridhelm::Error for other
/// surrogates, and where sizes do not fit.
nlohmann::json surrogateJson(const Surrogate &surrogate, RowOutputs outputs, PackedArrays &arrays,
                             GridOptions ofGrid = {});

} // namespace gridhelm::data

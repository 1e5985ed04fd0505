// SPDX-License-Identifier: GPL-3.0-or-later
//
// A field at one place of its mesh, at many parameters: curves, maps, a probe. A place needs one
// number of each snapshot only, and these are a small scalar grid, so that thousands of parameters
// cost less than one whole field.
#pragma once

#include "data/evaluate/field_surrogate.h"
#include "data/evaluate/scalar_surrogate.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace gridhelm::data {

/// The values of a field at one point or cell. Thread-safe for concurrent calls.
class EntitySurrogate
{
public:
    virtual ~EntitySurrogate() = default;

    virtual int components() const = 0;

    /// Numbers as they are stored (Field), at all combinations of the axes, row-major, last one
    /// fastest, components adjacent. `axes` has one list for each parameter (directions in space
    /// are none), in its own units; a list of one value fixes it. Throws gridhelm::Error for
    /// parameters out of range, and a `values` of another length.
    virtual void evaluate(const std::vector<std::vector<double>> &axes,
                          std::span<float> values) const = 0;
};

/// Of a vector study. Reads one number of every component and row (grid point, or mode): from
/// `loaded`, if that is given and complete, else from the file. Points without coefficients count
/// 0. `stop` is asked between points; null if it said yes. Throws gridhelm::Error if there is no
/// such entity.
std::unique_ptr<EntitySurrogate> makeEntitySurrogate(const Study &study, FieldIndex field,
                                                     std::uint64_t entity,
                                                     const sparse::Backend &backend,
                                                     const FieldSurrogate *loaded = nullptr,
                                                     const std::function<bool()> &stop = {});

/// Of a scalar study, at a place in its space (as many coordinates as it has directions count;
/// moved to the box's border if it is outside).
std::unique_ptr<EntitySurrogate>
makeEntitySurrogate(std::shared_ptr<const ScalarSurrogate> surrogate,
                    const std::array<double, 3> &place);

} // namespace gridhelm::data

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/poisson/grid_view.h"
#include "gpu/support/buffer.h"

#include <span>

namespace gridhelm::gpu {

/// Values of all unknowns on the device, in padded rows.
template <typename T>
class DeviceValues
{
public:
    DeviceValues() = default;
    /// All are 0.
    DeviceValues(const GridView<T> &view, cudaStream_t stream);

    T *data() const { return m_values.data(); }
    bool isEmpty() const { return m_values.size() == 0; }

    /// Without padding, x fastest, each times `factor`; waits for the copy.
    void assign(std::span<const double> values, double factor, cudaStream_t stream);
    void copyTo(std::span<T> values, cudaStream_t stream) const;

private:
    std::size_t m_points = 0; ///< of a row
    std::size_t m_rows = 0;
    std::size_t m_rowBytes = 0;
    DeviceBuffer<T> m_values;
};

} // namespace gridhelm::gpu

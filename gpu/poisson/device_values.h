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

    /// As many rows as the span has, from this one on, without padding, x fastest, each value times
    /// `factor`; waits for the copy.
    void assign(std::span<const double> values, double factor, cudaStream_t stream,
                std::size_t firstRow = 0);
    void copyTo(std::span<T> values, cudaStream_t stream, std::size_t firstRow = 0) const;

private:
    T *row(std::size_t index) const { return data() + index * (m_rowBytes / sizeof(T)); }

    std::size_t m_points = 0; ///< of a row
    std::size_t m_rows = 0;
    std::size_t m_rowBytes = 0;
    DeviceBuffer<T> m_values;
};

} // namespace gridhelm::gpu

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/support/error.h"
#include "gpu/sparse/rows_on_gpu.h"
#include "gpu/support/buffer.h"
#include "gpu/support/readback.h"
#include "gpu/support/stream.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace gridhelm::gpu {

/// Columns, a multiple of `granule`, of those that are combined: few enough that most of them are
/// on their way to the CPU while the last ones are combined, and enough to fill the device.
inline std::size_t combinedAtOnce(std::size_t columns, std::size_t granule)
{
    constexpr std::size_t pieces = 8, smallest = std::size_t{1} << 18;
    const auto piece = std::max((columns + pieces - 1) / pieces, smallest);
    return (piece + granule - 1) / granule * granule;
}

/// Where so many values begin in `to`; throws gridhelm::Error if there is no room, or on another
/// GPU.
inline float *requireRoom(const ValuesOnGpu &to, std::size_t first, std::size_t count,
                          const GpuDevice &gpu)
{
    if (to.gpu() != gpu.index || first > to.size() || count > to.size() - first)
        throw Error("a combination needs room for all of its columns, on its own GPU");
    return to.data() + first;
}

/// Where the device leaves a combination of rows, and its indicator if that is wanted. Used while
/// the GPU is current.
class CombinedValues
{
public:
    void reserve(std::size_t count, bool withIndicator)
    {
        m_y.reserve(count);
        if (withIndicator)
            m_indicator.reserve(count);
        m_hasIndicator = withIndicator;
    }

    float *y(std::size_t first = 0) const { return m_y.data() + first; }
    /// Null if it is not wanted.
    float *indicator(std::size_t first = 0) const
    {
        return m_hasIndicator ? m_indicator.data() + first : nullptr;
    }

    /// A list of columns on the device, until the next one.
    const std::uint32_t *upload(std::span<const std::uint32_t> columns, const Stream &stream)
    {
        m_list.reserve(columns.size());
        check(cudaMemcpyAsync(m_list.data(), columns.data(), columns.size_bytes(),
                              cudaMemcpyHostToDevice, stream),
              "take a list of columns");
        return m_list.data();
    }

    /// From `first` on; `indicator` is empty or as long as y.
    void deliver(Readback &readback, std::size_t first, std::span<float> y,
                 std::span<float> indicator, const Stream &stream) const
    {
        readback.add(m_y.data() + first, y.data(), y.size_bytes(), stream);
        if (!indicator.empty())
            readback.add(m_indicator.data() + first, indicator.data(), indicator.size_bytes(),
                         stream);
    }

    /// To where they are wanted on the same GPU; that may begin anywhere, and what is combined
    /// is written in whole quads.
    void copyThere(float *y, std::size_t count, const Stream &stream) const
    {
        check(
            cudaMemcpyAsync(y, m_y.data(), count * sizeof(float), cudaMemcpyDeviceToDevice, stream),
            "give results");
    }

private:
    DeviceBuffer<float> m_y, m_indicator;
    DeviceBuffer<std::uint32_t> m_list;
    bool m_hasIndicator = false;
};

} // namespace gridhelm::gpu

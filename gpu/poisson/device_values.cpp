// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/poisson/device_values.h"

#include <algorithm>
#include <vector>

namespace gridhelm::gpu {

template <typename T>
DeviceValues<T>::DeviceValues(const GridView<T> &view, cudaStream_t stream)
    : m_points(static_cast<std::size_t>(view.nx))
    , m_rows(static_cast<std::size_t>(view.ny) * static_cast<std::size_t>(view.nz))
    , m_rowBytes(static_cast<std::size_t>(view.rowStride) * sizeof(T))
    , m_values(m_rows * static_cast<std::size_t>(view.rowStride))
{
    check(cudaMemsetAsync(m_values.data(), 0, m_values.bytes(), stream), "clear its memory");
}

template <typename T>
void DeviceValues<T>::assign(std::span<const double> values, double factor, cudaStream_t stream,
                             std::size_t firstRow)
{
    std::vector<T> converted(values.size());
    std::ranges::transform(values, converted.begin(),
                           [factor](double value) { return static_cast<T>(factor * value); });
    const auto bytes = m_points * sizeof(T);
    check(cudaMemcpy2DAsync(row(firstRow), m_rowBytes, converted.data(), bytes, bytes,
                            values.size() / m_points, cudaMemcpyHostToDevice, stream),
          "take the values");
    check(cudaStreamSynchronize(stream), "take the values");
}

template <typename T>
void DeviceValues<T>::copyTo(std::span<T> values, cudaStream_t stream, std::size_t firstRow) const
{
    const auto bytes = m_points * sizeof(T);
    check(cudaMemcpy2DAsync(values.data(), bytes, row(firstRow), m_rowBytes, bytes,
                            values.size() / m_points, cudaMemcpyDeviceToHost, stream),
          "return the values");
    check(cudaStreamSynchronize(stream), "return the values");
}

template class DeviceValues<float>;
template class DeviceValues<double>;

} // namespace gridhelm::gpu

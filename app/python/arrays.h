// SPDX-License-Identifier: GPL-3.0-or-later
//
// numpy's arrays in and out.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace gridhelm::python {

/// n x d, row by row; numpy's conversions happen before.
using Points =
    nanobind::ndarray<const double, nanobind::ndim<2>, nanobind::c_contig, nanobind::device::cpu>;
using Numbers =
    nanobind::ndarray<const double, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;
using Nodes = nanobind::ndarray<const std::uint32_t, nanobind::ndim<1>, nanobind::c_contig,
                                nanobind::device::cpu>;
using DoubleArray = nanobind::ndarray<nanobind::numpy, double>;

inline std::span<const double> row(const Points &points, std::size_t i)
{
    return {points.data() + i * points.shape(1), points.shape(1)};
}

/// A block of values that an array takes over; not initialised.
template <typename T>
class OwnedValues
{
public:
    explicit OwnedValues(std::size_t count)
        : m_values(new T[count])
        , m_count(count)
    {
    }
    std::span<T> all() { return {m_values.get(), m_count}; }
    std::span<T> part(std::size_t i, std::size_t length)
    {
        return {m_values.get() + i * length, length};
    }
    /// With the interpreter's lock.
    nanobind::ndarray<nanobind::numpy, T> release(const std::vector<std::size_t> &shape)
    {
        T *const values = m_values.release();
        const nanobind::capsule owner(values,
                                      [](void *p) noexcept { delete[] static_cast<T *>(p); });
        return nanobind::ndarray<nanobind::numpy, T>(values, shape.size(), shape.data(), owner);
    }

private:
    std::unique_ptr<T[]> m_values;
    std::size_t m_count;
};

/// A copy of numbers that are there.
template <typename T>
nanobind::ndarray<nanobind::numpy, T> arrayOf(const std::vector<T> &numbers,
                                              const std::vector<std::size_t> &shape)
{
    OwnedValues<T> owned(numbers.size());
    std::ranges::copy(numbers, owned.all().begin());
    return owned.release(shape);
}

} // namespace gridhelm::python

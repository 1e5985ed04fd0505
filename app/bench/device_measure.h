// SPDX-License-Identifier: GPL-3.0-or-later
//
// What measurements of sparse grids on the CUDA device have in common. Compiled with CUDA only.
#pragma once

#include "app/bench/measure.h"
#include "core/sparse/point_set.h"
#include "core/sparse/reference/literal.h"
#include "core/sparse/sparse_grid.h"
#include "gpu/support/buffer.h"
#include "gpu/support/stream.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <vector>

namespace gridhelm::bench {

template <typename T>
std::vector<T> randomNumbers(std::size_t count, T low, T high)
{
    std::mt19937 random(20130101);
    std::uniform_real_distribution<T> uniform(low, high);
    std::vector<T> values(count);
    for (T &value : values)
        value = uniform(random);
    return values;
}

/// Of work that is enqueued on the stream, by the device's clock.
inline Timing timeOnDevice(const std::function<void()> &enqueue, const gpu::Stream &stream,
                           int repeats)
{
    gpu::Event begin, end;
    std::vector<double> seconds;
    for (int i = -2; i < repeats; ++i) {
        begin.record(stream);
        enqueue();
        end.record(stream);
        end.wait();
        if (i >= 0)
            seconds.push_back(gpu::Event::secondsBetween(begin, end));
    }
    return timingOf(seconds);
}

template <typename T>
std::vector<T> downloaded(const gpu::DeviceBuffer<T> &buffer)
{
    std::vector<T> values(buffer.size());
    gpu::check(cudaMemcpy(values.data(), buffer.data(), buffer.bytes(), cudaMemcpyDeviceToHost),
               "give results back");
    return values;
}

/// At some of the points, against the definition, relative to the largest value.
template <typename T>
double errorOfInterpolation(const sparse::SparseGrid &grid, const std::vector<T> &coefficients,
                            const std::vector<T> &points, const std::vector<T> &values)
{
    const sparse::PointsView<T> view{points, grid.dimension()};
    double error = 0, largest = 0;
    for (std::size_t j = 0; j < values.size(); j += values.size() / 31 + 1) {
        const T exact = sparse::reference::interpolate<T>(grid, coefficients, view.point(j)).value;
        const double difference = std::abs(static_cast<double>(exact - values[j]));
        error = std::isnan(difference) ? std::numeric_limits<double>::infinity()
                                       : std::max(error, difference);
    }
    for (const T value : values)
        largest = std::max(largest, std::abs(static_cast<double>(value)));
    return error / largest;
}

} // namespace gridhelm::bench

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/omp/random_points.h"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <exception>

namespace gridhelm::sparse::omp {

namespace {

constexpr std::size_t pointsPerTask = 512;

/// Program words of a segment whose evaluation at one vector of points is worth handing to another
/// thread (some ten microseconds).
constexpr std::size_t wordsPerThreadTask = 4096;

template <typename T>
void writeOut(const std::vector<T> &sums, const std::vector<T> &lastSums, std::size_t first,
              EvaluationOutput<T> out)
{
    std::copy(sums.begin(), sums.end(), out.values.begin() + static_cast<std::ptrdiff_t>(first));
    if (out.indicator.empty())
        return;
    for (std::size_t i = 0; i < lastSums.size(); ++i)
        out.indicator[first + i] = std::abs(lastSums[i]);
}

} // namespace

RandomPointsPlan::RandomPointsPlan(const UnfoldedGrid &nodes)
    : m_program(nodes)
    , m_wholeTree{m_program.wholeTree()}
{
    if (m_program.size() > 2 * wordsPerThreadTask)
        m_forThreads = m_program.segments(wordsPerThreadTask);
}

template <typename T>
void RandomPointsPlan::interpolate(const UnfoldedGrid &nodes, const T *values,
                                   PointsView<T> points, EvaluationOutput<T> out,
                                   int threads) const
{
    const InterpolationInput<T> input{&m_program, &nodes, values};
    const T *x = points.coordinates.data();
    const auto dimension = static_cast<std::size_t>(points.dimension);
    const auto count = points.count();
    const auto tasks = (count + pointsPerTask - 1) / pointsPerTask;

    if (tasks < 2 * static_cast<std::size_t>(threads) && threads > 1 && m_forThreads.size() > 1) {
        // Few points: spread the tree. The sums are added in the order of the segments, so the
        // result does not depend on the number of threads.
        const auto segments = m_forThreads.size();
        std::vector<T> sums(segments * count), lastSums(segments * count);
#pragma omp parallel for schedule(dynamic) num_threads(threads)
        for (std::size_t s = 0; s < segments; ++s)
            accumulateSegment(input, m_forThreads[s], x, count, sums.data() + s * count,
                              lastSums.data() + s * count);
        for (std::size_t s = 1; s < segments; ++s) {
            for (std::size_t i = 0; i < count; ++i) {
                sums[i] += sums[s * count + i];
                lastSums[i] += lastSums[s * count + i];
            }
        }
        sums.resize(count);
        lastSums.resize(count);
        writeOut(sums, lastSums, 0, out);
        return;
    }

#pragma omp parallel num_threads(threads) if (tasks > 1)
    {
        std::vector<T> sums, lastSums;
#pragma omp for schedule(dynamic)
        for (std::size_t task = 0; task < tasks; ++task) {
            const auto first = task * pointsPerTask;
            const auto last = std::min(first + pointsPerTask, count);
            sums.assign(last - first, T(0));
            lastSums.assign(last - first, T(0));
            accumulateSegment(input, m_wholeTree.front(), x + first * dimension, last - first,
                              sums.data(), lastSums.data());
            writeOut(sums, lastSums, first, out);
        }
    }
}

template void RandomPointsPlan::interpolate<float>(const UnfoldedGrid &, const float *,
                                                   PointsView<float>, EvaluationOutput<float>,
                                                   int) const;
template void RandomPointsPlan::interpolate<double>(const UnfoldedGrid &, const double *,
                                                    PointsView<double>, EvaluationOutput<double>,
                                                    int) const;

} // namespace gridhelm::sparse::omp

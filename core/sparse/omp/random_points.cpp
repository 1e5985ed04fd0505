// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/omp/random_points.h"

#include "core/execution/parallel_for.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace gridhelm::sparse::omp {

namespace {

constexpr std::array valuesOfLockSteps{1, 2, 4, 8};
constexpr std::array valuesOfTasks{128, 256, 512, 1024, 2048, 4096};

constexpr TunableConstant lockStepConstant{
    .name = "lock-step",
    .meaning = "vectors of points that go through the grid together",
    .values = valuesOfLockSteps,
    .compiledIn = 4};
constexpr TunableConstant taskConstant{.name = "task",
                                       .meaning = "points that a thread takes at a time",
                                       .values = valuesOfTasks,
                                       .compiledIn = 512,
                                       .partition = 1};
constexpr std::array<const TunableConstant *, 2> interpolationConstants{&lockStepConstant,
                                                                        &taskConstant};

/// Points that a thread takes at a time on grids larger than the cache. Many: each task reads the
/// whole grid once.
constexpr std::size_t pointsPerTaskInParts = 8192;

/// Node values of a part: about a second-level cache in double.
constexpr std::uint64_t valuesPerPart = 131072;

/// Parts pay when the points that pass by read most of a part's values.
constexpr std::size_t minPointsInParts = 256;

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

constinit const TunableOperation interpolationTunable{"interpolation", "cpu",
                                                      interpolationConstants};

InterpolationConstants::InterpolationConstants(const TuningTable &table, std::size_t valueBytes,
                                               const UnfoldedGrid &nodes)
{
    const auto key = keyOf(interpolationTunable, valueBytes, static_cast<double>(nodes.storage()),
                           nodes.dimension());
    lockStep = tunedValue(lockStepConstant, table, key);
    task = tunedValue(taskConstant, table, key);
}

RandomPointsPlan::RandomPointsPlan(const UnfoldedGrid &nodes,
                                   const InterpolationConstants &constants)
    : m_constants(constants)
    , m_program(nodes)
    , m_wholeTree(m_program.wholeTree())
{
    if (nodes.storage() > 4 * valuesPerPart)
        m_parts = m_program.parts(valuesPerPart);
}

template <typename T>
void RandomPointsPlan::interpolate(const UnfoldedGrid &nodes, const T *values, PointsView<T> points,
                                   EvaluationOutput<T> out, const CpuDevice &cpu) const
{
    const InterpolationInput<T> input{&m_program, &nodes, values};
    const T *x = points.coordinates.data();
    const auto dimension = static_cast<std::size_t>(points.dimension);
    const auto count = points.count();

    if (!m_parts.empty() && count < minPointsInParts) {
        // Few points: spread the tree. The sums are added in the order of the parts, as below, so
        // the result depends neither on the number of threads nor on that of the points.
        std::vector<T> sums(m_parts.size() * count), lastSums(m_parts.size() * count);
        parallelFor(m_parts.size(), cpu, 1, [&](std::size_t p) {
            accumulateSegments<T>(input, m_parts[p], x, count, m_constants.lockStep,
                                  sums.data() + p * count, lastSums.data() + p * count);
        });
        for (std::size_t i = count; i < sums.size(); ++i) {
            sums[i % count] += sums[i];
            lastSums[i % count] += lastSums[i];
        }
        sums.resize(count);
        lastSums.resize(count);
        writeOut(sums, lastSums, 0, out);
        return;
    }

    const bool inParts = !m_parts.empty();
    const auto fairShare = count / static_cast<std::size_t>(cpu.threads) + 1;
    const auto perTask = inParts ? std::clamp(fairShare, minPointsInParts, pointsPerTaskInParts)
                                 : static_cast<std::size_t>(m_constants.task);
    parallelFor((count + perTask - 1) / perTask, cpu, 1, [&](std::size_t task) {
        const auto first = task * perTask;
        const auto size = std::min(perTask, count - first);
        const T *taskPoints = x + first * dimension;
        std::vector<T> sums(size), lastSums(size);
        if (inParts) {
            std::vector<T> partSums(size), lastPartSums(size);
            for (const auto &part : m_parts) {
                std::ranges::fill(partSums, T(0));
                std::ranges::fill(lastPartSums, T(0));
                accumulateSegments<T>(input, part, taskPoints, size, m_constants.lockStep,
                                      partSums.data(), lastPartSums.data());
                for (std::size_t i = 0; i < size; ++i) {
                    sums[i] += partSums[i];
                    lastSums[i] += lastPartSums[i];
                }
            }
        } else {
            accumulateSegments<T>(input, m_wholeTree, taskPoints, size, m_constants.lockStep,
                                  sums.data(), lastSums.data());
        }
        writeOut(sums, lastSums, first, out);
    });
}

template void RandomPointsPlan::interpolate<float>(const UnfoldedGrid &, const float *,
                                                   PointsView<float>, EvaluationOutput<float>,
                                                   const CpuDevice &) const;
template void RandomPointsPlan::interpolate<double>(const UnfoldedGrid &, const double *,
                                                    PointsView<double>, EvaluationOutput<double>,
                                                    const CpuDevice &) const;

} // namespace gridhelm::sparse::omp

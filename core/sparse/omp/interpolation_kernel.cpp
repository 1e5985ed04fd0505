// SPDX-License-Identifier: GPL-3.0-or-later
//
// Lock-step evaluation: one lane a point, several vectors a batch, the batch walks the program
// together.
#include "core/sparse/omp/interpolation_kernel.h"

#include <algorithm>
#include <span>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/sparse/omp/interpolation_kernel.cpp"
#include <hwy/foreach_target.h> // IWYU pragma: keep
#include <hwy/highway.h>

#include "core/sparse/omp/node_tables-inl.h"
#include "core/sparse/omp/point_tables-inl.h"

HWY_BEFORE_NAMESPACE();
namespace gridhelm::sparse::omp {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Walks the program for V vectors of points.
template <typename T, int V>
class Walk
{
    using D = Lanes<T>;
    using DI = IndexLanes<T>;
    using Values = hn::Vec<D>;
    using Indices = hn::Vec<DI>;
    static constexpr std::size_t N = laneCount<T>;

public:
    static constexpr std::size_t points = N * V;

    Walk(const T *values, const Tables<T> &tables)
        : m_values(values)
        , m_tables(tables)
    {
    }

    /// S of the parent at `word`, for the indices given by its ancestors; the part of the last
    /// group apart. Returns the word behind its stream.
    const ProgramWord *parent(const ProgramWord *word, const Index<T> *HWY_RESTRICT index,
                              T *HWY_RESTRICT sums, T *HWY_RESTRICT lastSums, bool shallow) const
    {
        const auto header = decode<ParentHeader>(*word++);
        word = childGroups(word, header.groups, index, sums);
        word = childGroups(word, header.lastGroups, index, lastSums);
        for (std::uint64_t g = 0; g < header.bottomGroups; ++g)
            word = bottomGroup(word, index, sums, lastSums);
        if (shallow)
            return word;
        for (std::uint64_t c = 0; c < header.innerChildren; ++c)
            word = innerChild(word, index, sums, lastSums);
        return word;
    }

    /// Moves the indices one step down and multiplies the ratio into `product`.
    void step(PathStep step, Index<T> *HWY_RESTRICT index, T *HWY_RESTRICT product) const
    {
        const T *ratios = m_tables.ratios + step.row * points;
        const Index<T> *positions = m_tables.positions + step.row * points;
        for (std::size_t i = 0; i < points; ++i) {
            index[i] = (index[i] << step.shift) | positions[i];
            product[i] *= ratios[i];
        }
    }

private:
    /// accumulated[v] += ratio * coefficient for a run of nodes that share their prefix, whose
    /// indices come shifted.
    template <typename Table>
    HWY_INLINE void addNodes(const ProgramWord *HWY_RESTRICT word, std::uint64_t count,
                             const Indices (&shifted)[V], Values (&accumulated)[V]) const
    {
        for (std::uint64_t i = 0; i < count; ++i) {
            const auto node = decode<NodeWord>(word[i]);
            const Table table(m_values + node.offset());
            const T *HWY_RESTRICT ratios = m_tables.ratios + node.row() * points;
            const Index<T> *HWY_RESTRICT positions = m_tables.positions + node.row() * points;
            for (int v = 0; v < V; ++v) {
                const auto index = hn::Or(shifted[v], hn::Load(DI(), positions + v * N));
                accumulated[v] =
                    hn::MulAdd(table[index], hn::Load(D(), ratios + v * N), accumulated[v]);
            }
        }
    }

    HWY_INLINE const ProgramWord *childGroups(const ProgramWord *word, std::uint64_t groups,
                                              const Index<T> *HWY_RESTRICT index,
                                              T *HWY_RESTRICT sums) const
    {
        for (int v = 0; v < V; ++v)
            hn::Store(hn::Zero(D()), D(), sums + v * N);
        for (std::uint64_t g = 0; g < groups; ++g) {
            const auto header = decode<GroupHeader>(*word++);
            withTable<T>(
                static_cast<int>(header.bits), [&]<typename Table>() HWY_ATTR
                __attribute__((always_inline)) {
                    Indices shifted[V];
                    Values accumulated[V];
                    for (int v = 0; v < V; ++v) {
                        shifted[v] = hn::ShiftLeftSame(hn::Load(DI(), index + v * N),
                                                       static_cast<int>(header.shift));
                        accumulated[v] = hn::Load(D(), sums + v * N);
                    }
                    addNodes<Table>(word, header.count, shifted, accumulated);
                    for (int v = 0; v < V; ++v)
                        hn::Store(accumulated[v], D(), sums + v * N);
                });
            word += header.count;
        }
        return word;
    }

    HWY_INLINE const ProgramWord *bottomGroup(const ProgramWord *word,
                                              const Index<T> *HWY_RESTRICT index,
                                              T *HWY_RESTRICT sums, T *HWY_RESTRICT lastSums) const
    {
        const auto header = decode<BottomHeader>(*word++);
        T *HWY_RESTRICT target = header.inLastGroup != 0 ? lastSums : sums;
        withTable<T>(
            static_cast<int>(header.grandBits), [&]<typename Table>() HWY_ATTR
            __attribute__((always_inline)) {
                Indices shifted[V];
                Values total[V];
                for (int v = 0; v < V; ++v) {
                    shifted[v] = hn::ShiftLeftSame(hn::Load(DI(), index + v * N),
                                                   static_cast<int>(header.shift));
                    total[v] = hn::Load(D(), target + v * N);
                }
                for (std::uint64_t c = 0; c < header.count; ++c) {
                    const auto child = decode<BottomChild>(*word++);
                    const T *HWY_RESTRICT ratios = m_tables.ratios + child.row * points;
                    const Index<T> *HWY_RESTRICT positions =
                        m_tables.positions + child.row * points;
                    Indices childIndex[V];
                    Values accumulated[V];
                    for (int v = 0; v < V; ++v) {
                        const auto own = hn::Or(shifted[v], hn::Load(DI(), positions + v * N));
                        childIndex[v] = hn::ShiftLeftSame(own, static_cast<int>(header.grandShift));
                        accumulated[v] = hn::Zero(D());
                    }
                    addNodes<Table>(word, child.count, childIndex, accumulated);
                    word += child.count;
                    for (int v = 0; v < V; ++v)
                        total[v] =
                            hn::MulAdd(accumulated[v], hn::Load(D(), ratios + v * N), total[v]);
                }
                for (int v = 0; v < V; ++v)
                    hn::Store(total[v], D(), target + v * N);
            });
        return word;
    }

    HWY_INLINE const ProgramWord *innerChild(const ProgramWord *word,
                                             const Index<T> *HWY_RESTRICT index,
                                             T *HWY_RESTRICT sums, T *HWY_RESTRICT lastSums) const
    {
        const auto header = decode<ChildHeader>(*word++);
        const T *ratios = m_tables.ratios + header.row * points;
        const Index<T> *positions = m_tables.positions + header.row * points;
        HWY_ALIGN Index<T> childIndex[points];
        HWY_ALIGN T childSums[points];
        HWY_ALIGN T childLastSums[points];
        for (int v = 0; v < V; ++v) {
            const auto shifted =
                hn::ShiftLeftSame(hn::Load(DI(), index + v * N), static_cast<int>(header.shift));
            hn::Store(hn::Or(shifted, hn::Load(DI(), positions + v * N)), DI(), childIndex + v * N);
        }
        word = parent(word, childIndex, childSums, childLastSums, false);
        for (int v = 0; v < V; ++v) {
            multiplyAdd(ratios + v * N, hn::Load(D(), childSums + v * N), sums + v * N);
            multiplyAdd(ratios + v * N, hn::Load(D(), childLastSums + v * N), lastSums + v * N);
        }
        return word;
    }

    static HWY_INLINE void multiplyAdd(const T *ratio, Values factor, T *HWY_RESTRICT sum)
    {
        hn::Store(hn::MulAdd(hn::Load(D(), ratio), factor, hn::Load(D(), sum)), D(), sum);
    }

    const T *m_values;
    Tables<T> m_tables;
};

template <typename T, int V>
void accumulateWithWidth(const InterpolationInput<T> &input, std::span<const Segment> segments,
                         const T *x, std::size_t count, T *sums, T *lastSums)
{
    constexpr auto batch = Walk<T, V>::points;
    const auto dimension = static_cast<std::size_t>(input.nodes->dimension());
    const auto tables =
        threadTables<T>(static_cast<std::size_t>(input.program->rows()), dimension, batch);
    const Walk<T, V> walk(input.values, tables);
    const T root = input.values[input.program->rootOffset()];

    HWY_ALIGN Index<T> index[batch];
    HWY_ALIGN T product[batch];
    HWY_ALIGN T batchSums[batch];
    HWY_ALIGN T batchLastSums[batch];
    for (std::size_t begin = 0; begin < count; begin += batch) {
        const auto points = std::min(batch, count - begin);
        fillTables(input, x + begin * dimension, points, batch, tables);
        for (const Segment &segment : segments) {
            std::copy_n(tables.scale, batch, product);
            std::fill_n(index, batch, Index<T>{0});
            for (PathStep step : segment.path)
                walk.step(step, index, product);
            walk.parent(input.program->words() + segment.firstWord, index, batchSums, batchLastSums,
                        segment.shallow);
            const T own = segment.path.empty() ? root : T(0);
            const T ownInLast = input.program->rootInLastGroup() ? own : T(0);
            for (std::size_t i = 0; i < points; ++i) {
                sums[begin + i] += product[i] * (own + batchSums[i] + batchLastSums[i]);
                lastSums[begin + i] += product[i] * (ownInLast + batchLastSums[i]);
            }
        }
    }
}

template <typename T, int Wide>
void accumulateTogether(const InterpolationInput<T> &input, std::span<const Segment> segments,
                        const T *x, std::size_t count, T *sums, T *lastSums)
{
    constexpr auto batch = Wide * laneCount<T>;
    const auto rest = count % batch;
    // A rest of up to half a batch goes one vector at a time.
    const auto inBatches = 2 * rest > batch ? count : count - rest;
    const auto dimension = static_cast<std::size_t>(input.nodes->dimension());
    accumulateWithWidth<T, Wide>(input, segments, x, inBatches, sums, lastSums);
    accumulateWithWidth<T, 1>(input, segments, x + inBatches * dimension, count - inBatches,
                              sums + inBatches, lastSums + inBatches);
}

template <typename T>
void accumulate(const InterpolationInput<T> &input, std::span<const Segment> segments, const T *x,
                std::size_t count, int lockStep, T *sums, T *lastSums)
{
    switch (lockStep) {
    case 1:
        return accumulateTogether<T, 1>(input, segments, x, count, sums, lastSums);
    case 2:
        return accumulateTogether<T, 2>(input, segments, x, count, sums, lastSums);
    case 8:
        return accumulateTogether<T, 8>(input, segments, x, count, sums, lastSums);
    default:
        return accumulateTogether<T, 4>(input, segments, x, count, sums, lastSums);
    }
}

void accumulateFloat(const InterpolationInput<float> &input, std::span<const Segment> segments,
                     const float *x, std::size_t count, int lockStep, float *sums, float *lastSums)
{
    accumulate<float>(input, segments, x, count, lockStep, sums, lastSums);
}

void accumulateDouble(const InterpolationInput<double> &input, std::span<const Segment> segments,
                      const double *x, std::size_t count, int lockStep, double *sums,
                      double *lastSums)
{
    accumulate<double>(input, segments, x, count, lockStep, sums, lastSums);
}

} // namespace HWY_NAMESPACE
} // namespace gridhelm::sparse::omp
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gridhelm::sparse::omp {

HWY_EXPORT(accumulateFloat);
HWY_EXPORT(accumulateDouble);

template <>
void accumulateSegments<float>(const InterpolationInput<float> &input,
                               std::span<const Segment> segments, const float *x, std::size_t count,
                               int lockStep, float *sums, float *lastSums)
{
    HWY_DYNAMIC_DISPATCH(accumulateFloat)(input, segments, x, count, lockStep, sums, lastSums);
}

template <>
void accumulateSegments<double>(const InterpolationInput<double> &input,
                                std::span<const Segment> segments, const double *x,
                                std::size_t count, int lockStep, double *sums, double *lastSums)
{
    HWY_DYNAMIC_DISPATCH(accumulateDouble)(input, segments, x, count, lockStep, sums, lastSums);
}

} // namespace gridhelm::sparse::omp
#endif

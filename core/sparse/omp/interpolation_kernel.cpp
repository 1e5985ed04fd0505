// SPDX-License-Identifier: GPL-3.0-or-later
//
// Lock-step evaluation: one lane a point, several vectors a batch, the batch walks the program
// together. Coefficients of small nodes are looked up by permuting registers, those of large ones
// by gathers.
#include "core/sparse/omp/interpolation_kernel.h"

#include "core/sparse/omp/aligned_buffer.h"

#include <algorithm>
#include <utility>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/sparse/omp/interpolation_kernel.cpp"
#include <hwy/foreach_target.h> // IWYU pragma: keep
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gridhelm::sparse::omp {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <typename T>
using Lanes = hn::ScalableTag<T>;
template <typename T>
using IndexLanes = hn::RebindToUnsigned<Lanes<T>>;
template <typename T>
using Index = hn::TFromD<IndexLanes<T>>;

template <typename T>
constexpr std::size_t laneCount = hn::MaxLanes(Lanes<T>());

constexpr int log2(std::size_t n)
{
    return n <= 1 ? 0 : 1 + log2(n / 2);
}

/// Ratios and positions of a batch of points: row after row, `points` entries a row.
template <typename T>
struct Tables
{
    T *ratios;
    Index<T> *positions;
    T *scale;       ///< product of all functions of state 0
    T *coordinates; ///< dimension after dimension
};

/// Looks up block[index] in a node of Registers * lanes coefficients held in registers.
template <typename T, int Registers>
class RegisterTable
{
    using D = Lanes<T>;
    using DI = IndexLanes<T>;

public:
    HWY_INLINE explicit RegisterTable(const T *HWY_RESTRICT block)
    {
        for (int i = 0; i < Registers; ++i)
            m_parts[i] = hn::LoadU(D(), block + static_cast<std::size_t>(i) * laneCount<T>);
    }

    HWY_INLINE hn::Vec<D> operator[](hn::Vec<DI> index) const { return at<0, Registers>(index); }

private:
    template <int First, int Count>
    HWY_INLINE hn::Vec<D> at(hn::Vec<DI> index) const
    {
        if constexpr (Count == 1) {
            return hn::TableLookupLanes(m_parts[First], hn::IndicesFromVec(D(), index));
#if HWY_TARGET <= HWY_AVX3
        } else if constexpr (Count == 2) {
            // The low bits of each index select among both registers; higher bits are ignored.
            if constexpr (sizeof(T) == 8)
                return hn::Vec<D>{
                    _mm512_permutex2var_pd(m_parts[First].raw, index.raw, m_parts[First + 1].raw)};
            else
                return hn::Vec<D>{
                    _mm512_permutex2var_ps(m_parts[First].raw, index.raw, m_parts[First + 1].raw)};
        } else {
            constexpr auto half = static_cast<Index<T>>(Count / 2 * laneCount<T>);
            const auto upper = hn::TestBit(index, hn::Set(DI(), half));
            return hn::IfThenElse(hn::RebindMask(D(), upper),
                                  at<First + Count / 2, Count / 2>(index),
                                  at<First, Count / 2>(index));
#endif
        }
    }

    hn::Vec<D> m_parts[Registers];
};

/// The same from memory, for any size. Single loads: on the processors measured (Zen 5) twice as
/// fast as the gather instructions.
template <typename T>
class GatherTable
{
public:
    HWY_INLINE explicit GatherTable(const T *HWY_RESTRICT block)
        : m_block(block)
    {
    }
    HWY_INLINE hn::Vec<Lanes<T>> operator[](hn::Vec<IndexLanes<T>> index) const
    {
        constexpr auto N = laneCount<T>;
        HWY_ALIGN Index<T> at[N];
        hn::Store(index, IndexLanes<T>(), at);
        return load(at, std::make_index_sequence<N>());
    }

private:
    template <std::size_t... I>
    HWY_INLINE hn::Vec<Lanes<T>> load(const Index<T> *at, std::index_sequence<I...>) const
    {
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
        HWY_ALIGN const T gathered[] = {m_block[at[I]]...};
        return hn::Load(Lanes<T>(), gathered);
#else
        using Raw = decltype(hn::Vec<Lanes<T>>::raw); // the compiler's vector type
        return hn::Vec<Lanes<T>>{Raw{m_block[at[I]]...}};
#endif
    }

    const T *m_block;
};

/// A node with a single function.
template <typename T>
class SingleValue
{
public:
    HWY_INLINE explicit SingleValue(const T *HWY_RESTRICT block)
        : m_value(hn::Set(Lanes<T>(), *block))
    {
    }
    HWY_INLINE hn::Vec<Lanes<T>> operator[](hn::Vec<IndexLanes<T>>) const { return m_value; }

private:
    hn::Vec<Lanes<T>> m_value;
};

#if HWY_TARGET <= HWY_AVX3
/// Up to this many registers a look-up by permutation beats a gather.
template <typename T>
constexpr int mostRegisters = 16;
#else
template <typename T>
constexpr int mostRegisters = HWY_TARGET == HWY_SCALAR ? 0 : 1;
#endif

/// Calls use(table type tag) with the cheapest look-up for nodes of 2^bits functions.
template <typename T, typename Use>
HWY_INLINE void withTable(int bits, Use use)
{
    constexpr int laneBits = log2(laneCount<T>);
    const int registerBits = bits - laneBits;
    if (bits == 0)
        use.template operator()<SingleValue<T>>();
    else if (mostRegisters<T> >= 1 && registerBits <= 0)
        use.template operator()<RegisterTable<T, 1>>();
#if HWY_TARGET <= HWY_AVX3
    else if (registerBits == 1)
        use.template operator()<RegisterTable<T, 2>>();
    else if (mostRegisters<T> >= 4 && registerBits == 2)
        use.template operator()<RegisterTable<T, 4>>();
    else if (mostRegisters<T> >= 8 && registerBits == 3)
        use.template operator()<RegisterTable<T, 8>>();
    else if (mostRegisters<T> >= 16 && registerBits == 4)
        use.template operator()<RegisterTable<T, 16>>();
#endif
    else
        use.template operator()<GatherTable<T>>();
}

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

/// Fills one dimension's rows for one vector of coordinates. `stride` is the batch size.
template <typename T>
HWY_INLINE void fillDimension(hn::Vec<Lanes<T>> x, BoundaryTreatment treatment, int highestState,
                              T *HWY_RESTRICT ratios, Index<T> *HWY_RESTRICT positions,
                              T *HWY_RESTRICT scale, std::size_t stride)
{
    const Lanes<T> d;
    const IndexLanes<T> di;
    const auto one = hn::Set(d, T(1));
    const auto half = hn::Set(d, T(0.5));
    const auto two = hn::Set(d, T(2));

    // Exact on both sides of the middle, unlike 1 - |2 f - 1|.
    const auto hat = [&](hn::Vec<Lanes<T>> f)
                         HWY_ATTR { return hn::Mul(two, hn::Min(f, hn::Sub(one, f))); };

    auto inverseOfState0 = one;
    int level = 1; // of the first row
    if (treatment == BoundaryTreatment::zero) {
        const auto state0 = hat(x);
        hn::Store(hn::Mul(hn::Load(d, scale), state0), d, scale);
        inverseOfState0 = hn::IfThenElseZero(hn::Gt(state0, hn::Zero(d)), hn::Div(one, state0));
    } else if (treatment == BoundaryTreatment::boundary) {
        if (highestState >= 1) {
            hn::Store(hn::MulSub(two, x, one), d, ratios);
            hn::Store(hn::Zero(di), di, positions);
        }
        if (highestState >= 2) {
            hn::Store(hat(x), d, ratios + stride);
            hn::Store(hn::Zero(di), di, positions + stride);
        }
        ratios += 2 * stride;
        positions += 2 * stride;
        highestState -= 2;
    }

    // Halve the cell level by level; every step is exact.
    auto fraction = x;
    auto position = hn::Zero(di);
    auto slope = one; // 2^level
    for (; level <= highestState; ++level) {
        const auto doubled = hn::Add(fraction, fraction);
        const auto upper = hn::Ge(doubled, one);
        fraction = hn::IfThenElse(upper, hn::Sub(doubled, one), doubled);
        position = hn::Or(hn::ShiftLeft<1>(position),
                          hn::IfThenElseZero(hn::RebindMask(di, upper), hn::Set(di, 1)));
        slope = hn::Add(slope, slope);

        const auto last = hn::Set(di, static_cast<Index<T>>((Index<T>{1} << level) - 1));
        const auto isFirst = hn::RebindMask(d, hn::Eq(position, hn::Zero(di)));
        const auto isLast = hn::RebindMask(d, hn::Eq(position, last));
        const auto hatOfLevel = hat(fraction);
        auto ratio = hatOfLevel;
        if (treatment == BoundaryTreatment::zero) {
            // Next to the ends both functions are linear: their quotient is exactly 2^level, also
            // where both vanish.
            const auto leftEnd = hn::And(isFirst, hn::Lt(fraction, half));
            const auto rightEnd = hn::And(isLast, hn::Ge(fraction, half));
            ratio = hn::IfThenElse(hn::Or(leftEnd, rightEnd), slope,
                                   hn::Mul(hatOfLevel, inverseOfState0));
        } else if (treatment == BoundaryTreatment::modified) {
            ratio = hn::IfThenElse(isFirst, hn::NegMulAdd(two, fraction, two),
                                   hn::IfThenElse(isLast, hn::Add(fraction, fraction), hatOfLevel));
        }
        hn::Store(ratio, d, ratios);
        hn::Store(position, di, positions);
        ratios += stride;
        positions += stride;
    }
}

/// Fills the tables for the `count` <= stride points at x; the last point is repeated to fill the
/// batch.
template <typename T>
void fillTables(const InterpolationInput<T> &input, const T *HWY_RESTRICT x, std::size_t count,
                std::size_t stride, const Tables<T> &tables)
{
    const Lanes<T> d;
    const auto dimension = static_cast<std::size_t>(input.nodes->dimension());
    for (std::size_t i = 0; i < stride; ++i) {
        const T *HWY_RESTRICT point = x + std::min(i, count - 1) * dimension;
        for (std::size_t t = 0; t < dimension; ++t)
            tables.coordinates[t * stride + i] = point[t];
    }
    for (std::size_t v = 0; v < stride; v += laneCount<T>)
        hn::Store(hn::Set(d, T(1)), d, tables.scale + v);
    for (std::size_t t = 0; t < dimension; ++t) {
        const auto treatment = input.nodes->treatments()[t];
        const int highestState = input.nodes->highestState(static_cast<int>(t));
        const auto row = static_cast<std::size_t>(input.program->firstRow(static_cast<int>(t)));
        for (std::size_t v = 0; v < stride; v += laneCount<T>)
            fillDimension<T>(hn::Load(d, tables.coordinates + t * stride + v), treatment,
                             highestState, tables.ratios + row * stride + v,
                             tables.positions + row * stride + v, tables.scale + v, stride);
    }
}

/// Memory for the tables of one batch, kept by each thread.
template <typename T>
Tables<T> threadTables(std::size_t rows, std::size_t dimension, std::size_t batch)
{
    static thread_local AlignedBuffer<T> values;
    static thread_local AlignedBuffer<Index<T>> positions;
    T *base = values.require((rows + 1 + dimension) * batch);
    return {base, positions.require(rows * batch), base + rows * batch, base + (rows + 1) * batch};
}

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

template <typename T>
void accumulate(const InterpolationInput<T> &input, std::span<const Segment> segments, const T *x,
                std::size_t count, T *sums, T *lastSums)
{
    constexpr int wide = 4;
    constexpr auto batch = wide * laneCount<T>;
    const auto rest = count % batch;
    // A rest of up to two vectors goes one vector at a time.
    const auto inBatches = rest > 2 * laneCount<T> ? count : count - rest;
    const auto dimension = static_cast<std::size_t>(input.nodes->dimension());
    accumulateWithWidth<T, wide>(input, segments, x, inBatches, sums, lastSums);
    accumulateWithWidth<T, 1>(input, segments, x + inBatches * dimension, count - inBatches,
                              sums + inBatches, lastSums + inBatches);
}

void accumulateFloat(const InterpolationInput<float> &input, std::span<const Segment> segments,
                     const float *x, std::size_t count, float *sums, float *lastSums)
{
    accumulate<float>(input, segments, x, count, sums, lastSums);
}

void accumulateDouble(const InterpolationInput<double> &input, std::span<const Segment> segments,
                      const double *x, std::size_t count, double *sums, double *lastSums)
{
    accumulate<double>(input, segments, x, count, sums, lastSums);
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
                               float *sums, float *lastSums)
{
    HWY_DYNAMIC_DISPATCH(accumulateFloat)(input, segments, x, count, sums, lastSums);
}

template <>
void accumulateSegments<double>(const InterpolationInput<double> &input,
                                std::span<const Segment> segments, const double *x,
                                std::size_t count, double *sums, double *lastSums)
{
    HWY_DYNAMIC_DISPATCH(accumulateDouble)(input, segments, x, count, sums, lastSums);
}

} // namespace gridhelm::sparse::omp
#endif

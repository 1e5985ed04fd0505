// SPDX-License-Identifier: GPL-3.0-or-later
//
// Transforms of degree 2 and 3 along a pole of blocks in cells, in the two ways of
// hierarchization_kernel.cpp. Both go from parents to their two children, for which the same values
// count:
//
// Long rows: the up to four rows that a parent stands for are loaded once for both children.
//
// Short rows: besides L_k and R_k there are, in the shape of level k's block, what the coarser
// levels have there, P_k, and of degree 3 the values at the further ancestors, A_k. With D_k half
// of the difference that a parent's children have, M_k their mean,
//     P_{k+1} = (M_k - D_k)[0] (M_k + D_k)[0] (M_k - D_k)[1] ...,   A_{k+1} = R_k[0] L_k[0] R_k[1]
//     ...
#include "core/sparse/omp/polynomial_kernel.h"

#include "core/linalg/aligned_buffer.h"
#include "core/sparse/level_vector.h"
#include "core/sparse/omp/child_weights.h"

#include <algorithm>
#include <array>
#include <bit>
#include <type_traits>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/sparse/omp/polynomial_kernel.cpp"
#include <hwy/foreach_target.h> // IWYU pragma: keep
#include <hwy/highway.h>

#include "core/sparse/omp/lanes-inl.h"
#include "core/sparse/omp/short_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace gridhelm::sparse::omp {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <BoundaryTreatment treatment>
constexpr CubicParents cubicParents{treatment};

template <typename T, BoundaryTreatment treatment, int degree>
class LongPolynomialRows
{
    static constexpr bool hasEnds = treatment == BoundaryTreatment::boundary;

public:
    LongPolynomialRows(Transform transform, const BlockPole<T> &pole)
        : m_sign(transform == Transform::hierarchize ? T(-1) : T(1))
        , m_pole(pole)
    {
    }

    void run() const
    {
        const auto steps = m_pole.levels.size() - 1;
        for (std::size_t outer = 0; outer < m_pole.outer; ++outer) {
            // Predictions are made from nodal values: children go first when they are taken away,
            // last when they come back.
            if (m_sign > 0)
                transformMiddle(outer);
            for (std::size_t i = 0; i < steps; ++i)
                transformChildren(outer, m_sign < 0 ? steps - 1 - i : i);
            if (m_sign < 0)
                transformMiddle(outer);
        }
    }

private:
    /// Where values come from, and how much of each the left and the right child takes.
    struct Source
    {
        const T *values;
        T left, right;
    };

    void transformMiddle(std::size_t outer) const
    {
        if constexpr (hasEnds) {
            const T *HWY_RESTRICT low = m_pole.endPoints + 2 * outer * m_pole.stride;
            const T *HWY_RESTRICT high = low + m_pole.stride;
            T *HWY_RESTRICT own = m_pole.row(outer, 0, 0);
            const Lanes<T> d;
            const T half = m_sign * T(0.5);
            const auto whole = m_pole.stride / laneCount<T> * laneCount<T>;
            for (std::size_t i = 0; i < whole; i += laneCount<T>) {
                const auto sum = hn::Add(hn::LoadU(d, low + i), hn::LoadU(d, high + i));
                hn::StoreU(hn::MulAdd(hn::Set(d, half), sum, hn::LoadU(d, own + i)), d, own + i);
            }
            for (std::size_t i = whole; i < m_pole.stride; ++i)
                own[i] += half * (low[i] + high[i]);
        }
    }

    void transformChildren(std::size_t outer, std::size_t level) const
    {
        const auto parents = std::size_t{1} << level;
        for (std::size_t position = 0; position < parents; ++position)
            transformChildrenOf(outer, level, position);
    }

    /// The row of the node at numerator 2^-level; null at an end that is no point.
    HWY_INLINE const T *node(std::size_t outer, std::size_t level, std::size_t numerator) const
    {
        if (numerator != 0 && numerator != std::size_t{1} << level)
            return m_pole.node(outer, level, numerator);
        if (!hasEnds)
            return nullptr;
        return m_pole.endPoints + (2 * outer + (numerator == 0 ? 0 : 1)) * m_pole.stride;
    }

    HWY_INLINE void transformChildrenOf(std::size_t outer, std::size_t level,
                                        std::size_t position) const
    {
        const CubicParent parabola{halfDifference(0)};
        const CubicParent &parent =
            degree == 3 ? cubicParents<treatment>(static_cast<int>(level), position) : parabola;
        const auto &weights = parent.weights;
        const T *own = m_pole.row(outer, level, position);
        const auto source = [&](const T *values, double mean, double half) HWY_ATTR {
            if (values == nullptr)
                return Source{own, 0, 0};
            return Source{values, m_sign * static_cast<T>(mean - half),
                          m_sign * static_cast<T>(mean + half)};
        };
        const auto middle = source(own, meanOfNode, weights.node);
        const auto low = source(node(outer, level, position), meanOfEnds, weights.low);
        const auto high = source(node(outer, level, position + 1), meanOfEnds, weights.high);
        if (degree == 3 && parent.hasAncestor) {
            const auto numerator = position + static_cast<std::size_t>(parent.ancestor);
            addToChildren<true>(m_pole.row(outer, level + 1, 2 * position), middle, low, high,
                                source(node(outer, level, numerator), 0, weights.ancestor));
        } else {
            addToChildren<false>(m_pole.row(outer, level + 1, 2 * position), middle, low, high,
                                 middle);
        }
    }

    template <bool HasAncestor>
    HWY_INLINE void addToChildren(T *HWY_RESTRICT left, const Source &middle, const Source &low,
                                  const Source &high, const Source &ancestor) const
    {
        const Lanes<T> d;
        T *HWY_RESTRICT right = left + m_pole.stride;
        const auto whole = m_pole.stride / laneCount<T> * laneCount<T>;
        const auto middleLeft = hn::Set(d, middle.left), middleRight = hn::Set(d, middle.right);
        const auto lowLeft = hn::Set(d, low.left), lowRight = hn::Set(d, low.right);
        const auto highLeft = hn::Set(d, high.left), highRight = hn::Set(d, high.right);
        const auto ancestorLeft = hn::Set(d, ancestor.left);
        const auto ancestorRight = hn::Set(d, ancestor.right);
        for (std::size_t i = 0; i < whole; i += laneCount<T>) {
            auto l = hn::LoadU(d, left + i), r = hn::LoadU(d, right + i);
            const auto m = hn::LoadU(d, middle.values + i);
            l = hn::MulAdd(middleLeft, m, l);
            r = hn::MulAdd(middleRight, m, r);
            const auto a = hn::LoadU(d, low.values + i), b = hn::LoadU(d, high.values + i);
            l = hn::MulAdd(lowLeft, a, l);
            r = hn::MulAdd(lowRight, a, r);
            l = hn::MulAdd(highLeft, b, l);
            r = hn::MulAdd(highRight, b, r);
            if constexpr (HasAncestor) {
                const auto further = hn::LoadU(d, ancestor.values + i);
                l = hn::MulAdd(ancestorLeft, further, l);
                r = hn::MulAdd(ancestorRight, further, r);
            }
            hn::StoreU(l, d, left + i);
            hn::StoreU(r, d, right + i);
        }
        for (std::size_t i = whole; i < m_pole.stride; ++i) {
            const T m = middle.values[i], a = low.values[i], b = high.values[i];
            const T further = HasAncestor ? ancestor.values[i] : T(0);
            left[i] += middle.left * m + low.left * a + high.left * b + ancestor.left * further;
            right[i] +=
                middle.right * m + low.right * a + high.right * b + ancestor.right * further;
        }
    }

    T m_sign;
    const BlockPole<T> &m_pole;
};

/// The parents of one vector of short rows, of degree 3: their weights, and which are outermost.
template <typename T>
struct LanePattern
{
    using Values = std::array<T, laneCount<T>>;
    Values low{}, node{}, high{}, ancestor{}, isLowest{}, isHighest{};
};

/// Of rows of 2^strideBits values and any level, the first vector of a pole, one between, and the
/// last one. Where a pole is one vector, or less, all are in the first.
template <typename T, BoundaryTreatment treatment>
class LanePatterns
{
    static constexpr std::size_t N = laneCount<T>;
    static constexpr std::size_t laneBits = static_cast<std::size_t>(std::countr_zero(N));
    static constexpr std::size_t levels = std::max<std::size_t>(laneBits + 2, 5);

public:
    using OfLevel = std::array<LanePattern<T>, 3>;

    constexpr LanePatterns()
    {
        for (std::size_t bits = 0; bits < laneBits; ++bits) {
            for (std::size_t level = 0; level < levels; ++level) {
                const auto points = std::size_t{1} << level, rows = N >> bits;
                auto &of = m_patterns[bits][level];
                for (std::size_t i = 0; i < N; ++i) {
                    const auto row = i >> bits;
                    set(of[0], i, level, row % points);
                    if (points <= rows)
                        continue;
                    set(of[1], i, level, 2 + row % 2);
                    set(of[2], i, level, points - rows + row);
                }
            }
        }
    }

    constexpr const OfLevel &operator()(std::size_t strideBits, std::size_t level) const
    {
        return m_patterns[strideBits][std::min(level, levels - 1)];
    }

private:
    static constexpr void set(LanePattern<T> &of, std::size_t lane, std::size_t level,
                              std::size_t position)
    {
        const auto &weights = cubicParents<treatment>(static_cast<int>(level), position).weights;
        of.low[lane] = static_cast<T>(weights.low);
        of.node[lane] = static_cast<T>(weights.node);
        of.high[lane] = static_cast<T>(weights.high);
        of.ancestor[lane] = static_cast<T>(weights.ancestor);
        of.isLowest[lane] = position == 0 ? 1 : 0;
        of.isHighest[lane] = position + 1 == std::size_t{1} << level ? 1 : 0;
    }

    HWY_ALIGN std::array<std::array<OfLevel, levels>, laneBits> m_patterns{};
};

template <typename T, BoundaryTreatment treatment, int degree>
class ShortPolynomialRows
{
    static constexpr bool hasEnds = treatment == BoundaryTreatment::boundary;
    using D = Lanes<T>;
    using V = hn::Vec<D>;
    static constexpr std::size_t N = laneCount<T>;
    static constexpr std::size_t wantedValues = 2048; // in the finest block of a chunk

    /// Level of the first parents with an ancestor.
    static constexpr std::size_t firstCubic = degree == 2 ? maximumLevel + 1 : hasEnds ? 1 : 2;

    /// In the shape of a level's block.
    struct Parents
    {
        T *predictions;
        T *left, *right;
        T *ancestors;
    };

public:
    ShortPolynomialRows(Transform transform, const BlockPole<T> &pole)
        : m_sign(transform == Transform::hierarchize ? T(-1) : T(1))
        , m_pole(pole)
        , m_strideBits(static_cast<std::size_t>(std::countr_zero(pole.stride)))
    {
    }

    void run() const
    {
        const auto finest = (std::size_t{1} << (m_pole.levels.size() - 1)) * m_pole.stride;
        const auto chunk = std::clamp<std::size_t>(wantedValues / finest, 1, m_pole.outer);
        static thread_local linalg::AlignedBuffer<T> scratch;
        // Eight arrays, each aligned and with room for the vectors behind a short one.
        const auto part = (chunk * finest + N - 1) / N * N + 2 * N;
        T *memory = scratch.require(8 * part);
        const auto parents = [&](std::size_t first) {
            return Parents{memory + first * part, memory + (first + 1) * part,
                           memory + (first + 2) * part, memory + (first + 3) * part};
        };
        for (std::size_t outer = 0; outer < m_pole.outer; outer += chunk)
            transformChunk(outer, chunk, parents(0), parents(4));
    }

private:
    void transformChunk(std::size_t outer, std::size_t count, Parents parents, Parents next) const
    {
        firstParents(outer, count, parents);
        const auto levels = m_pole.levels.size();
        for (std::size_t level = 0; level < levels; ++level) {
            T *own = m_pole.levels[level] + (outer << level) * m_pole.stride;
            const auto size = (count << level) * m_pole.stride;
            if (level + 1 == levels) {
                const AddPrediction<T> add(m_sign, size);
                for (std::size_t i = 0; i < size; i += N)
                    add(own + i, hn::Load(D(), parents.predictions + i));
            } else if (level + 2 == levels) {
                transformLevel<false>(level, own, size, parents, next);
            } else {
                transformLevel<true>(level, own, size, parents, next);
            }
            std::swap(parents, next);
        }
    }

    /// Of level 0: the end points. Where these are no points it knows that its parents are 0.
    void firstParents(std::size_t outer, std::size_t count, const Parents &parents) const
    {
        if constexpr (!hasEnds)
            return;
        const auto stride = m_pole.stride;
        const T *ends = m_pole.endPoints + 2 * outer * stride;
        for (std::size_t o = 0; o < count; ++o) {
            for (std::size_t i = 0; i < stride; ++i) {
                const T low = ends[2 * o * stride + i], high = ends[(2 * o + 1) * stride + i];
                parents.left[o * stride + i] = low;
                parents.right[o * stride + i] = high;
                parents.predictions[o * stride + i] = T(0.5) * (low + high);
            }
        }
    }

    /// Of all lanes of a vector of degree 3, see HalfDifference.
    struct CubicWeights
    {
        explicit HWY_INLINE CubicWeights(const LanePattern<T> &pattern)
            : low(hn::Load(D(), pattern.low.data()))
            , node(hn::Load(D(), pattern.node.data()))
            , high(hn::Load(D(), pattern.high.data()))
            , ancestor(hn::Load(D(), pattern.ancestor.data()))
            , isLowest(hn::Load(D(), pattern.isLowest.data()))
            , isHighest(hn::Load(D(), pattern.isHighest.data()))
        {
        }

        V low, node, high, ancestor, isLowest, isHighest;
    };
    struct QuadraticWeights
    {};
    /// Of level 0 with quadratic weights, where all parents are 0.
    struct WithoutParents
    {};

    /// A block of `size` values, and the parents of the next one: all, or predictions alone.
    template <bool hasAll>
    HWY_INLINE void transformLevel(std::size_t level, T *own, std::size_t size,
                                   const Parents &parents, const Parents &next) const
    {
        if (!hasEnds && level == 0) {
            transformVectors<hasAll>(own, size, 0, size, WithoutParents(), parents, next);
            return;
        }
        if (level < firstCubic) {
            transformVectors<hasAll>(own, size, 0, size, QuadraticWeights(), parents, next);
            return;
        }
        if constexpr (degree == 3) {
            static constexpr LanePatterns<T, treatment> patterns;
            const auto &of = patterns(m_strideBits, level);
            const CubicWeights first(of[0]);
            const auto period = m_pole.stride << level;
            if (period <= N) {
                transformVectors<hasAll>(own, size, 0, size, first, parents, next);
                return;
            }
            const CubicWeights between(of[1]), last(of[2]);
            for (std::size_t begin = 0; begin < size; begin += period) {
                const auto second = begin + N, end = begin + period;
                transformVectors<hasAll>(own, size, begin, second, first, parents, next);
                transformVectors<hasAll>(own, size, second, end - N, between, parents, next);
                transformVectors<hasAll>(own, size, end - N, end, last, parents, next);
            }
        }
    }

    /// The vectors of a block from `begin` to `end`.
    template <bool hasAll, typename Weights>
    HWY_INLINE void transformVectors(T *HWY_RESTRICT own, std::size_t size, std::size_t begin,
                                     std::size_t end, const Weights &weights,
                                     const Parents &parents, const Parents &next) const
    {
        const D d;
        const AddPrediction<T> add(m_sign, size);
        for (std::size_t i = begin; i < end; i += N) {
            V prediction = hn::Zero(d), low = hn::Zero(d), high = hn::Zero(d);
            if constexpr (!std::is_same_v<Weights, WithoutParents>) {
                prediction = hn::Load(d, parents.predictions + i);
                low = hn::Load(d, parents.left + i);
                high = hn::Load(d, parents.right + i);
            }
            const auto nodal = add(own + i, prediction);
            const auto mean = hn::MulAdd(hn::Set(d, T(meanOfNode)), nodal,
                                         hn::Mul(hn::Set(d, T(meanOfEnds)), hn::Add(low, high)));
            auto half = hn::Mul(hn::Set(d, T(0.25)), hn::Sub(high, low));
            auto ofLeft = high, ofRight = low;
            if constexpr (std::is_same_v<Weights, CubicWeights>) {
                const auto ancestor = hn::Load(d, parents.ancestors + i);
                half = hn::Mul(weights.ancestor, ancestor);
                half = hn::MulAdd(weights.high, high, half);
                half = hn::MulAdd(weights.low, low, half);
                half = hn::MulAdd(weights.node, nodal, half);
                if constexpr (!hasEnds) { // beside ends that are no points
                    ofLeft = hn::MulAdd(weights.isHighest, ancestor, high);
                    ofRight = hn::MulAdd(weights.isLowest, ancestor, low);
                }
            }
            interleave<T>(m_strideBits, hn::Sub(mean, half), hn::Add(mean, half),
                          next.predictions + 2 * i);
            if constexpr (hasAll && degree == 3)
                interleave<T>(m_strideBits, ofLeft, ofRight, next.ancestors + 2 * i);
            if constexpr (hasAll) {
                interleave<T>(m_strideBits, low, nodal, next.left + 2 * i);
                interleave<T>(m_strideBits, nodal, high, next.right + 2 * i);
            }
        }
    }

    T m_sign;
    const BlockPole<T> &m_pole;
    std::size_t m_strideBits;
};

template <typename T, BoundaryTreatment treatment, int degree>
void transformPole(Transform transform, const BlockPole<T> &pole)
{
    const auto finestRow = pole.stride << (pole.levels.size() - 1);
    const bool hasChildren = pole.levels.size() > 1; // what short rows are for
    if (pole.stride >= laneCount<T> || finestRow > maxScratchValues || !hasChildren)
        LongPolynomialRows<T, treatment, degree>(transform, pole).run();
    else
        ShortPolynomialRows<T, treatment, degree>(transform, pole).run();
}

template <typename T>
PoleTransform<T> chosenTransform(DimensionBasis basis)
{
    constexpr auto zero = BoundaryTreatment::zero, boundary = BoundaryTreatment::boundary;
    if (basis.treatment == zero)
        return basis.degree == 2 ? &transformPole<T, zero, 2> : &transformPole<T, zero, 3>;
    return basis.degree == 2 ? &transformPole<T, boundary, 2> : &transformPole<T, boundary, 3>;
}

PoleTransform<float> polynomialTransformFloat(DimensionBasis basis)
{
    return chosenTransform<float>(basis);
}

PoleTransform<double> polynomialTransformDouble(DimensionBasis basis)
{
    return chosenTransform<double>(basis);
}

} // namespace HWY_NAMESPACE
} // namespace gridhelm::sparse::omp
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gridhelm::sparse::omp {

HWY_EXPORT(polynomialTransformFloat);
HWY_EXPORT(polynomialTransformDouble);

template <>
PoleTransform<float> polynomialTransform<float>(DimensionBasis basis)
{
    return HWY_DYNAMIC_DISPATCH(polynomialTransformFloat)(basis);
}

template <>
PoleTransform<double> polynomialTransform<double>(DimensionBasis basis)
{
    return HWY_DYNAMIC_DISPATCH(polynomialTransformDouble)(basis);
}

} // namespace gridhelm::sparse::omp
#endif

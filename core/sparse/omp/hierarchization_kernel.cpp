// SPDX-License-Identifier: GPL-3.0-or-later
//
// One-dimensional transforms along a pole of blocks. A point's prediction is a combination of two
// other points of its pole; the two ways to reach them differ by the stride:
//
// Long rows (stride >= one vector), and very long poles: rows of `stride` values are combined in
// place.
//
// Short rows: L_k and R_k hold, in the shape of level k's block, the values of all left and right
// parents. They follow from level to level by interleaving rows,
//     L_{k+1} = L_k[0] v_k[0] L_k[1] v_k[1] ...,   R_{k+1} = v_k[0] R_k[0] v_k[1] R_k[1] ...,
// whatever the number of points before the dimension, so that vectors span many short rows.
#include "core/sparse/omp/hierarchization_kernel.h"

#include "core/linalg/aligned_buffer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/sparse/omp/hierarchization_kernel.cpp"
#include <hwy/foreach_target.h> // IWYU pragma: keep
#include <hwy/highway.h>

#include "core/sparse/omp/lanes-inl.h"
#include "core/sparse/omp/short_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace gridhelm::sparse::omp {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// A prediction: first * firstWeight + second * secondWeight.
template <typename T>
struct RowPrediction
{
    const T *first = nullptr; ///< null: the prediction is 0
    const T *second = nullptr;
    T firstWeight = 0;
    T secondWeight = 0;
};

template <typename T, typename Treatment>
class LongRows
{
    static constexpr TreatmentEnds ends = Treatment::ends;

public:
    LongRows(Transform transform, const BlockPole<T> &pole)
        : m_sign(transform == Transform::hierarchize ? T(-1) : T(1))
        , m_pole(pole)
    {
    }

    void run() const
    {
        const auto count = m_pole.levels.size();
        for (std::size_t outer = 0; outer < m_pole.outer; ++outer) {
            // Predictions are made from nodal values: children go first when they are taken away,
            // last when they come back.
            for (std::size_t i = 0; i < count; ++i)
                transformLevel(outer, m_sign < 0 ? count - 1 - i : i);
        }
    }

private:
    void transformLevel(std::size_t outer, std::size_t level) const
    {
        const auto points = std::size_t{1} << level;
        for (std::size_t i = 0; i < points; ++i) {
            const auto prediction = predict(outer, level, i);
            if (prediction.first != nullptr)
                addToRow(m_pole.row(outer, level, i), prediction);
        }
    }

    /// The outermost point of a level at one end, or the end point for level -1.
    HWY_INLINE const T *outermost(std::size_t outer, End end, int level) const
    {
        const bool isLow = end == End::low;
        if (level < 0)
            return m_pole.endPoints + (2 * outer + (isLow ? 0 : 1)) * m_pole.stride;
        return m_pole.row(outer, static_cast<std::size_t>(level),
                          isLow ? 0 : (std::size_t{1} << level) - 1);
    }

    /// Of the outermost point of a level >= 1.
    template <End end>
    HWY_INLINE RowPrediction<T> predictAt(std::size_t outer, std::size_t level) const
    {
        const auto rows = [&](const OutermostPrediction &parents) HWY_ATTR {
            return RowPrediction<T>{outermost(outer, end, parents.firstLevel),
                                    outermost(outer, end, parents.secondLevel),
                                    T(parents.firstWeight), T(parents.secondWeight)};
        };
        // Apart, so that the weights are constants.
        if (level == 1)
            return rows(predictOutermost(ends, end, 1));
        const int finer = static_cast<int>(level);
        if (finer < 2)
            __builtin_unreachable();
        return rows(predictOutermost(ends, end, finer));
    }

    RowPrediction<T> predict(std::size_t outer, std::size_t level, std::size_t position) const
    {
        const auto last = (std::size_t{1} << level) - 1;
        const auto half = T(0.5);
        if (level == 0) {
            if (!ends.arePoints)
                return {};
            return {outermost(outer, End::low, -1), outermost(outer, End::high, -1), half, half};
        }
        if (position == 0)
            return predictAt<End::low>(outer, level);
        if (position == last)
            return predictAt<End::high>(outer, level);
        return {m_pole.node(outer, level, position), m_pole.node(outer, level, position + 1), half,
                half};
    }

    void addToRow(T *HWY_RESTRICT own, const RowPrediction<T> &prediction) const
    {
        const Lanes<T> d;
        const auto firstWeight = hn::Set(d, m_sign * prediction.firstWeight);
        const auto secondWeight = hn::Set(d, m_sign * prediction.secondWeight);
        const T *HWY_RESTRICT first = prediction.first;
        const T *HWY_RESTRICT second = prediction.second;
        const auto whole = m_pole.stride / laneCount<T> * laneCount<T>;
        for (std::size_t i = 0; i < whole; i += laneCount<T>) {
            auto value = hn::LoadU(d, own + i);
            value = hn::MulAdd(firstWeight, hn::LoadU(d, first + i), value);
            value = hn::MulAdd(secondWeight, hn::LoadU(d, second + i), value);
            hn::StoreU(value, d, own + i);
        }
        for (std::size_t i = whole; i < m_pole.stride; ++i)
            own[i] +=
                m_sign * (prediction.firstWeight * first[i] + prediction.secondWeight * second[i]);
    }

    T m_sign;
    const BlockPole<T> &m_pole;
};

template <typename T, typename Treatment>
class ShortRows
{
    static constexpr TreatmentEnds ends = Treatment::ends;
    using D = Lanes<T>;
    static constexpr std::size_t N = laneCount<T>;

public:
    ShortRows(Transform transform, const BlockPole<T> &pole)
        : m_sign(transform == Transform::hierarchize ? T(-1) : T(1))
        , m_pole(pole)
    {
    }

    void run() const
    {
        const auto finest = (std::size_t{1} << (m_pole.levels.size() - 1)) * m_pole.stride;
        const auto chunk = std::clamp<std::size_t>(m_pole.chunkValues / finest, 1, m_pole.outer);
        static thread_local linalg::AlignedBuffer<T> scratch;
        // Four arrays, each aligned and with room for the vectors behind a short one.
        const auto part = (chunk * finest + N - 1) / N * N + 2 * N;
        T *memory = scratch.require(4 * part);
        for (std::size_t outer = 0; outer < m_pole.outer; outer += chunk)
            transformChunk(outer, chunk, memory, part);
    }

private:
    void transformChunk(std::size_t outer, std::size_t count, T *memory, std::size_t part) const
    {
        T *left = memory, *right = memory + part;
        T *nextLeft = memory + 2 * part, *nextRight = memory + 3 * part;
        firstParents(outer, count, left, right);
        const auto levels = m_pole.levels.size();
        for (std::size_t level = 0; level < levels; ++level) {
            const auto rows = count << level;
            T *own = m_pole.levels[level] + (outer << level) * m_pole.stride;
            if (level + 1 == levels) {
                transformLevel<false>(own, rows * m_pole.stride, left, right, nullptr, nullptr);
                return;
            }
            transformLevel<true>(own, rows * m_pole.stride, left, right, nextLeft, nextRight);
            if (level == 0 ? ends.levelZero != AtEnds{} : ends.outermost != AtEnds{})
                extrapolate(level, count, left, right, nextLeft, nextRight);
            std::swap(left, nextLeft);
            std::swap(right, nextRight);
        }
    }

    /// Parents of level 0: the end points, or 0.
    void firstParents(std::size_t outer, std::size_t count, T *left, T *right) const
    {
        const auto stride = m_pole.stride;
        if (!ends.arePoints) {
            const auto padded = (count * stride + N - 1) / N * N;
            std::fill_n(left, padded, T(0));
            std::fill_n(right, padded, T(0));
            return;
        }
        const T *endPoints = m_pole.endPoints + 2 * outer * stride;
        for (std::size_t o = 0; o < count; ++o) {
            for (std::size_t i = 0; i < stride; ++i) {
                left[o * stride + i] = endPoints[2 * o * stride + i];
                right[o * stride + i] = endPoints[(2 * o + 1) * stride + i];
            }
        }
    }

    template <bool HasNext>
    HWY_INLINE void transformLevel(T *HWY_RESTRICT own, std::size_t size,
                                   const T *HWY_RESTRICT left, const T *HWY_RESTRICT right,
                                   T *HWY_RESTRICT nextLeft, T *HWY_RESTRICT nextRight) const
    {
        const D d;
        const AddPrediction<T> add(m_sign * T(0.5), size);
        const auto strideBits = static_cast<std::size_t>(std::countr_zero(m_pole.stride));
        for (std::size_t i = 0; i < size; i += N) {
            const auto l = hn::Load(d, left + i), r = hn::Load(d, right + i);
            const auto nodal = add(own + i, hn::Add(l, r));
            if constexpr (HasNext) {
                interleave<T>(strideBits, l, nodal, nextLeft + 2 * i);
                interleave<T>(strideBits, nodal, r, nextRight + 2 * i);
            }
        }
    }

    /// Sets the parents that the outermost points of the next level do not have to what the levels
    /// so far have at the ends: the function of level 0 a multiple of its value, outermost ones
    /// 2 parent - grandparent. The parent is the outermost point of `level`, which stands in the
    /// next level's other array, the grandparent in this level's.
    void extrapolate(std::size_t level, std::size_t count, const T *left, const T *right,
                     T *nextLeft, T *nextRight) const
    {
        constexpr auto zero = ends.levelZero, outermost = ends.outermost;
        const auto stride = m_pole.stride;
        const auto points = std::size_t{1} << level;
        for (std::size_t o = 0; o < count; ++o) {
            for (std::size_t i = 0; i < stride; ++i) {
                const auto first = o * points * stride + i;
                const auto last = first + (points - 1) * stride;
                const auto nextFirst = 2 * o * points * stride + i;
                const auto nextLast = nextFirst + (2 * points - 1) * stride;
                if (level == 0) {
                    if constexpr (zero.low != 0)
                        nextLeft[nextFirst] = T(zero.low) * nextRight[nextFirst];
                    if constexpr (zero.high != 0)
                        nextRight[nextLast] = T(zero.high) * nextLeft[nextLast];
                } else {
                    if constexpr (outermost.low != 0)
                        nextLeft[nextFirst] = T(2) * nextRight[nextFirst] - right[first];
                    if constexpr (outermost.high != 0)
                        nextRight[nextLast] = T(2) * nextLeft[nextLast] - left[last];
                }
            }
        }
    }

    T m_sign;
    const BlockPole<T> &m_pole;
};

template <typename T, typename Treatment>
void transformPole(Transform transform, const BlockPole<T> &pole)
{
    const auto finestRow = pole.stride << (pole.levels.size() - 1);
    if (pole.stride >= laneCount<T> || finestRow > maxScratchValues)
        LongRows<T, Treatment>(transform, pole).run();
    else
        ShortRows<T, Treatment>(transform, pole).run();
}

PoleTransform<float> poleTransformFloat(BoundaryTreatment treatment)
{
    return withTreatment(treatment,
                         [](auto type) { return &transformPole<float, decltype(type)>; });
}

PoleTransform<double> poleTransformDouble(BoundaryTreatment treatment)
{
    return withTreatment(treatment,
                         [](auto type) { return &transformPole<double, decltype(type)>; });
}

} // namespace HWY_NAMESPACE
} // namespace gridhelm::sparse::omp
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gridhelm::sparse::omp {

HWY_EXPORT(poleTransformFloat);
HWY_EXPORT(poleTransformDouble);

template <>
PoleTransform<float> poleTransform<float>(BoundaryTreatment treatment)
{
    return HWY_DYNAMIC_DISPATCH(poleTransformFloat)(treatment);
}

template <>
PoleTransform<double> poleTransform<double>(BoundaryTreatment treatment)
{
    return HWY_DYNAMIC_DISPATCH(poleTransformDouble)(treatment);
}

} // namespace gridhelm::sparse::omp
#endif

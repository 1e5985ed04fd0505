// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/jacobi/lifted_rows.h"

#include <hwy/cache_control.h>

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/solvers/jacobi/lifted_rows.cpp"
#include <hwy/foreach_target.h> // IWYU pragma: keep
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gridhelm::solvers::jacobi {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// No more than a cache line, to which rows are aligned.
template <typename T>
using Lanes = hn::CappedTag<T, 64 / sizeof(T)>;

template <typename T>
using Vector = hn::Vec<Lanes<T>>;

template <typename T>
constexpr std::size_t laneCount = hn::MaxLanes(Lanes<T>());

/// Exchanges the upper right with the lower left quarter of every square of 2 * Distance lanes in
/// two rows that are `Distance` apart.
template <std::size_t Distance, typename T>
HWY_INLINE void exchange(Vector<T> &upper, Vector<T> &lower)
{
#if HWY_TARGET != HWY_SCALAR
    const Lanes<T> d;
    const auto a = upper;
    const auto b = lower;
    constexpr auto bytes = Distance * sizeof(T);
    if constexpr (2 * Distance == laneCount<T>) {
        if constexpr (bytes >= 16) {
            upper = hn::ConcatLowerLower(d, b, a);
            lower = hn::ConcatUpperUpper(d, b, a);
            return;
        }
    }
    if constexpr (bytes == 16) {
        upper = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(b), a);
        lower = hn::OddEvenBlocks(b, hn::SwapAdjacentBlocks(a));
    } else if constexpr (bytes == 8) {
        const hn::Repartition<double, Lanes<T>> wide;
        upper =
            hn::BitCast(d, hn::InterleaveLower(wide, hn::BitCast(wide, a), hn::BitCast(wide, b)));
        lower =
            hn::BitCast(d, hn::InterleaveUpper(wide, hn::BitCast(wide, a), hn::BitCast(wide, b)));
    } else if constexpr (bytes == 4) {
        upper = hn::OddEven(hn::DupEven(b), a);
        lower = hn::OddEven(b, hn::DupOdd(a));
    }
#else
    (void)upper;
    (void)lower;
#endif
}

/// By recursion instead of loops: the compiler keeps rows in registers only if it sees constant
/// indices from the beginning.
template <std::size_t Distance, std::size_t Row, typename T>
HWY_INLINE void transposeFrom(Vector<T> *rows)
{
    if constexpr (Distance > 0 && Row == laneCount<T>) {
        transposeFrom<Distance / 2, 0, T>(rows);
    } else if constexpr (Distance > 0) {
        if constexpr ((Row & Distance) == 0)
            exchange<Distance, T>(rows[Row], rows[Row + Distance]);
        transposeFrom<Distance, Row + 1, T>(rows);
    }
}

/// As many rows as lanes.
template <typename T>
HWY_INLINE void transpose(Vector<T> *rows)
{
    transposeFrom<laneCount<T> / 2, 0, T>(rows);
}

template <typename T>
HWY_INLINE Vector<T> quarter(Vector<T> sum)
{
    return hn::Mul(sum, hn::Set(Lanes<T>(), T(1) / T(4)));
}

/// Each lane takes the value of the lane before it (Offset = -1) or behind it (1); the outermost
/// one keeps its own.
template <typename T>
HWY_INLINE Vector<T> shiftLanes(Vector<T> values, int offset)
{
    using Index = hwy::MakeSigned<T>;
    constexpr auto N = static_cast<Index>(laneCount<T>);
    HWY_ALIGN Index indices[laneCount<T>];
    for (Index lane = 0; lane < N; ++lane) {
        const auto from = static_cast<Index>(lane + offset);
        indices[lane] = from < 0 ? 0 : from == N ? static_cast<Index>(N - 1) : from;
    }
    return hn::TableLookupLanes(values, hn::SetTableIndices(Lanes<T>(), indices));
}

/// Sets what belongs beyond the ends of the columns, and beyond the ends of the row of vectors.
template <typename T>
HWY_INLINE void closeRow(T *row, const LiftedShape<T> &shape)
{
    const Lanes<T> d;
    constexpr auto N = laneCount<T>;
    const auto &right = shape.right;
    if (right.exists && shape.rightColumn < shape.columns())
        row[shape.place(shape.rightColumn)] = right.beside(row[shape.place(shape.rightColumn - 1)]);
    T *const lastVector = row + (shape.vectors - 1) * N;
    const T leftGhost = shape.left.beside(row[0]);
    const T rightGhost = right.beside(lastVector[N - 1]);
    hn::Store(shiftLanes<T>(hn::Load(d, lastVector), -1), d, row - N);
    hn::Store(shiftLanes<T>(hn::Load(d, row), 1), d, lastVector + N);
    if (shape.left.exists)
        row[-static_cast<std::ptrdiff_t>(N)] = leftGhost;
    if (right.exists && shape.rightColumn == shape.columns())
        lastVector[2 * N - 1] = rightGhost;
}

template <typename T, bool HasSource>
HWY_INLINE void intoLifted(const StencilRow<T> row, const LiftedShape<T> &shape, T *lifted,
                           const T *ahead)
{
    const auto vectors = shape.vectors;
    const Lanes<T> d;
    constexpr auto N = laneCount<T>;
    for (std::size_t v = 0; v < vectors; v += N) {
        Vector<T> values[N];
        for (std::size_t k = 0; k < N; ++k) {
            const auto i = k * vectors + v;
            if (ahead != nullptr)
                hwy::Prefetch(ahead + i);
            const auto inRow =
                hn::Add(hn::LoadU(d, row.centre + i - 1), hn::LoadU(d, row.centre + i + 1));
            auto sum =
                hn::Add(inRow, hn::Add(hn::LoadU(d, row.below + i), hn::LoadU(d, row.above + i)));
            if constexpr (HasSource)
                sum = hn::Add(sum, hn::LoadU(d, row.source + i));
            values[k] = quarter<T>(sum);
        }
        transpose<T>(values);
        for (std::size_t k = 0; k < N; ++k)
            hn::Store(values[k], d, lifted + (v + k) * N);
    }
    closeRow(lifted, shape);
}

/// A row of which the first columns have been iterated: the last old value, and the present one.
template <typename T>
struct SlidingRow
{
    Vector<T> left;
    Vector<T> centre;
};

template <typename T>
HWY_INLINE SlidingRow<T> beginRow(const T *row)
{
    const Lanes<T> d;
    return {hn::Load(d, row - laneCount<T>), hn::Load(d, row)};
}

/// Iterates the vector at `at`, the present one, and goes on to the next. Returns the old value.
template <typename T, bool HasSource>
HWY_INLINE Vector<T> slide(SlidingRow<T> &row, std::size_t at, const T *present, Vector<T> below,
                           Vector<T> above, const T *source, T *target)
{
    const Lanes<T> d;
    const auto right = hn::Load(d, present + at + laneCount<T>);
    auto sum = hn::Add(hn::Add(row.left, right), hn::Add(below, above));
    if constexpr (HasSource)
        sum = hn::Add(sum, hn::Load(d, source + at));
    hn::Store(quarter<T>(sum), d, target + at);
    row.left = row.centre;
    row.centre = right;
    return row.left;
}

/// Four rows at once. All that a step needs is in variables of its own: in arrays the compiler
/// would keep it in memory.
template <typename T, bool HasSource>
HWY_INLINE void iterateFour(const LiftedRows<T> &rows, const LiftedShape<T> &shape)
{
    const Lanes<T> d;
    static_assert(liftedRowsAtOnce == 4);
    const auto [row0, row1, row2, row3, row4, row5] = rows.rows;
    const auto [source0, source1, source2, source3] = rows.sources;
    auto sliding1 = beginRow(row1);
    auto sliding2 = beginRow(row2);
    auto sliding3 = beginRow(row3);
    auto sliding4 = beginRow(row4);
    const auto end = shape.columns();
    for (std::size_t at = 0; at < end; at += laneCount<T>) {
        auto below = hn::Load(d, row0 + at);
        const auto above = hn::Load(d, row5 + at);
        below = slide<T, HasSource>(sliding1, at, row1, below, sliding2.centre, source0, row0);
        below = slide<T, HasSource>(sliding2, at, row2, below, sliding3.centre, source1, row1);
        below = slide<T, HasSource>(sliding3, at, row3, below, sliding4.centre, source2, row2);
        slide<T, HasSource>(sliding4, at, row4, below, above, source3, row3);
    }
    for (T *row : {row0, row1, row2, row3})
        closeRow(row, shape);
}

template <typename T, bool HasSource>
HWY_INLINE void iterateOne(T *below, T *row, T *above, const T *source, const LiftedShape<T> &shape)
{
    const Lanes<T> d;
    auto sliding = beginRow(row);
    const auto end = shape.columns();
    for (std::size_t at = 0; at < end; at += laneCount<T>)
        slide<T, HasSource>(sliding, at, row, hn::Load(d, below + at), hn::Load(d, above + at),
                            source, below);
    closeRow(below, shape);
}

template <typename T, bool HasSource>
HWY_INLINE void iterateRows(const LiftedRows<T> &rows, const LiftedShape<T> &shape)
{
    if (rows.count == liftedRowsAtOnce) {
        iterateFour<T, HasSource>(rows, shape);
        return;
    }
    for (std::size_t r = 0; r < rows.count; ++r)
        iterateOne<T, HasSource>(rows.rows[r], rows.rows[r + 1], rows.rows[r + 2], rows.sources[r],
                                 shape);
}

template <typename T, bool HasSource>
HWY_INLINE void fromLifted(const LiftedRow<T> row, const LiftedShape<T> &shape, T *plain)
{
    const auto vectors = shape.vectors;
    const Lanes<T> d;
    constexpr auto N = laneCount<T>;
    auto left = hn::Load(d, row.centre - N);
    auto centre = hn::Load(d, row.centre);
    for (std::size_t v = 0; v < vectors; v += N) {
        Vector<T> values[N];
        for (std::size_t k = 0; k < N; ++k) {
            const auto at = (v + k) * N;
            const auto right = hn::Load(d, row.centre + at + N);
            auto sum = hn::Add(hn::Add(left, right),
                               hn::Add(hn::Load(d, row.below + at), hn::Load(d, row.above + at)));
            if constexpr (HasSource)
                sum = hn::Add(sum, hn::Load(d, row.source + at));
            values[k] = quarter<T>(sum);
            left = centre;
            centre = right;
        }
        transpose<T>(values);
        for (std::size_t k = 0; k < N; ++k)
            hn::Store(values[k], d, plain + k * vectors + v);
    }
}

template <typename T>
void intoLiftedAny(const StencilRow<T> &row, const LiftedShape<T> &shape, T *lifted, const T *ahead)
{
    if (row.source != nullptr)
        intoLifted<T, true>(row, shape, lifted, ahead);
    else
        intoLifted<T, false>(row, shape, lifted, ahead);
}

template <typename T>
void iterateAny(const LiftedRows<T> &rows, const LiftedShape<T> &shape)
{
    if (rows.sources[0] != nullptr)
        iterateRows<T, true>(rows, shape);
    else
        iterateRows<T, false>(rows, shape);
}

template <typename T>
void fromLiftedAny(const LiftedRow<T> &row, const LiftedShape<T> &shape, T *plain)
{
    if (row.source != nullptr)
        fromLifted<T, true>(row, shape, plain);
    else
        fromLifted<T, false>(row, shape, plain);
}

template <typename T>
void lift(const T *plain, const LiftedShape<T> &shape, T *lifted)
{
    const Lanes<T> d;
    constexpr auto N = laneCount<T>;
    for (std::size_t v = 0; v < shape.vectors; v += N) {
        Vector<T> values[N];
        for (std::size_t k = 0; k < N; ++k)
            values[k] = hn::LoadU(d, plain + k * shape.vectors + v);
        transpose<T>(values);
        for (std::size_t k = 0; k < N; ++k)
            hn::Store(values[k], d, lifted + (v + k) * N);
    }
}

template <typename T>
void lower(const T *lifted, const LiftedShape<T> &shape, T *plain)
{
    const Lanes<T> d;
    constexpr auto N = laneCount<T>;
    for (std::size_t v = 0; v < shape.vectors; v += N) {
        Vector<T> values[N];
        for (std::size_t k = 0; k < N; ++k)
            values[k] = hn::Load(d, lifted + (v + k) * N);
        transpose<T>(values);
        for (std::size_t k = 0; k < N; ++k)
            hn::StoreU(values[k], d, plain + k * shape.vectors + v);
    }
}

template <typename T>
void stream(const T *from, T *to, std::size_t count)
{
    const Lanes<T> d;
    constexpr auto N = laneCount<T>;
    const auto whole = count / N * N;
    for (std::size_t i = 0; i < whole; i += N)
        hn::Stream(hn::Load(d, from + i), d, to + i);
    std::copy(from + whole, from + count, to + whole);
}

template <typename T>
T largestDifference(const T *a, const T *b, std::size_t count)
{
    const Lanes<T> d;
    constexpr auto N = laneCount<T>;
    const auto whole = count / N * N;
    auto largest = hn::Zero(d);
    for (std::size_t i = 0; i < whole; i += N)
        largest = hn::Max(largest, hn::Abs(hn::Sub(hn::LoadU(d, a + i), hn::LoadU(d, b + i))));
    T result = hn::GetLane(hn::MaxOfLanes(d, largest));
    for (auto i = whole; i < count; ++i)
        result = std::max(result, std::abs(a[i] - b[i]));
    return result;
}

template <typename T>
const LiftedKernels<T> *kernels()
{
    static const LiftedKernels<T> table{
        laneCount<T>, intoLiftedAny<T>, iterateAny<T>, fromLiftedAny<T>,
        lift<T>,      lower<T>,         stream<T>,     largestDifference<T>};
    return &table;
}

const LiftedKernels<float> *floatKernels()
{
    return kernels<float>();
}
const LiftedKernels<double> *doubleKernels()
{
    return kernels<double>();
}

} // namespace HWY_NAMESPACE
} // namespace gridhelm::solvers::jacobi
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gridhelm::solvers::jacobi {

HWY_EXPORT(floatKernels);
HWY_EXPORT(doubleKernels);

template <>
const LiftedKernels<float> &liftedKernels<float>()
{
    return *HWY_DYNAMIC_DISPATCH(floatKernels)();
}
template <>
const LiftedKernels<double> &liftedKernels<double>()
{
    return *HWY_DYNAMIC_DISPATCH(doubleKernels)();
}

} // namespace gridhelm::solvers::jacobi
#endif

// SPDX-License-Identifier: GPL-3.0-or-later
//
// Several exact Jacobi iterations in one pass over memory. A warp marches upwards through a strip
// of 128 columns with all iterations at once: when row y of the present values comes in, row y - 1
// of the next iterate can be made, then row y - 2 of the one after it, and so on. All that has to
// be kept of an iterate is its last row and the sum of three neighbours of the one before it, and
// that fits into registers, so that nothing but shuffles passes between threads. At the ends of
// a strip, and of the rows that a warp is responsible for, one value is lost per iteration; strips
// overlap by as many.
//
// Where there are no sides or sources near, iterate t is kept times 4^t, which is exact and saves
// the multiplication of every update. Values above 1e28 (float) would overflow.
#include "gpu/poisson/block_reduction.cuh"
#include "gpu/poisson/jacobi/kernels.h"
#include "gpu/poisson/jacobi/updated_quad.h"
#include "gpu/support/cuda_error.h"
#include "gpu/support/device_attribute.h"

#include <algorithm>
#include <cstdint>

namespace gridhelm::gpu::jacobi {
namespace {

constexpr int warpsOfBlock = 4;
__host__ __device__ constexpr int haloOf(int levels)
{
    return (levels + quadSize - 1) / quadSize * quadSize;
}

/// Blocks that a multiprocessor should have room for: so few registers for each that hardly any
/// value has to leave them.
template <typename T>
constexpr int blocksTogether(int levels)
{
    const int registers = levels * static_cast<int>(sizeof(T));
    return registers <= 16 ? 4 : registers <= 32 ? 3 : 2;
}

__host__ __device__ constexpr double powerOf4(int exponent)
{
    return exponent == 0 ? 1 : 4 * powerOf4(exponent - 1);
}

/// The rows and columns that one warp makes.
struct Patch
{
    int stripBegin; ///< of the columns that it reads
    int firstRow;
    int endRow;
    int lane;

    __device__ int column() const { return stripBegin + lane * quadSize; }
};

/// IsSpecial: near sides or sources. There the values are kept as they are.
template <typename T, int Levels, bool IsSpecial, bool HasSource>
class March
{
public:
    __device__ March(const GridView<T> &grid, const Patch &patch, const T *from, T *to,
                     bool compares)
        : m_grid(grid)
        , m_patch(patch)
        , m_from(from + min(static_cast<std::ptrdiff_t>(patch.column()), grid.rowStride - quadSize))
        , m_to(to + patch.column())
        , m_compares(compares)
    {
        constexpr int halo = haloOf(Levels);
        const int column = patch.column();
        const int end = patch.stripBegin + stripSize;
        m_stores = (patch.stripBegin == 0 || column >= patch.stripBegin + halo)
                   && (end >= grid.nx || column < end - halo) && column < grid.rowStride;
        m_spike = grid.spikeX - column;
    }

    /// Returns the largest change of the last iteration.
    __device__ T run()
    {
        const int last = m_patch.endRow - 1 + Levels;
        int y = max(m_patch.firstRow - Levels, 0);
        Quad<T> coming[rowsAhead];
#pragma unroll
        for (int a = 0; a < rowsAhead; ++a)
            coming[a] = load(y + a);
        for (; y <= last; y += rowsAhead) {
#pragma unroll
            for (int a = 0; a < rowsAhead; ++a) {
                const auto row = coming[a];
                coming[a] = load(y + a + rowsAhead);
                climb(y + a, row);
            }
        }
        return m_largest;
    }

private:
    static constexpr int rowsAhead = IsSpecial ? 2 : 4; ///< that are on their way from memory

    __device__ Quad<T> load(int y) const
    {
        // Rows beyond those that the patch needs may not be there.
        const int last = min(m_patch.endRow + Levels, m_grid.ny) - 1;
        return loadQuad(m_from + min(y, last) * m_grid.rowStride);
    }

    /// Row y of the present values through all iterations.
    __device__ void climb(int y, Quad<T> row)
    {
#pragma unroll
        for (int t = 0; t < Levels; ++t) {
            if (IsSpecial) {
                if (y - t == m_grid.ny)
                    row = ghost(m_grid.sides[3], m_rows[t]);
                if (y - t == 0)
                    m_rows[t] = ghost(m_grid.sides[2], row);
            }
            auto next = m_sums[t];
            if (IsSpecial)
                addSource(next, y - t - 1);
#pragma unroll
            for (int q = 0; q < quadSize; ++q)
                next.v[q] = (next.v[q] + row.v[q]) * weight;
            if (t == Levels - 1 && m_compares)
                compare(y - Levels, next, m_rows[t]);
            const auto beside = besideOf(row);
#pragma unroll
            for (int q = 0; q < quadSize; ++q)
                m_sums[t].v[q] = (beside.left.v[q] + beside.right.v[q]) + m_rows[t].v[q];
            m_rows[t] = row;
            row = next;
        }
        const int done = y - Levels;
        if (m_stores && done >= m_patch.firstRow && done < m_patch.endRow) {
#pragma unroll
            for (int q = 0; q < quadSize; ++q)
                row.v[q] *= lastScale;
            streamQuad(m_to + done * m_grid.rowStride, row);
        }
    }

    /// The values at the ends of the strip are of no use, unless there is a side.
    __device__ Beside<T> besideOf(const Quad<T> &row) const
    {
        const T left = __shfl_up_sync(~0U, row.v[quadSize - 1], 1);
        const T right = __shfl_down_sync(~0U, row.v[0], 1);
        Beside<T> beside{{{left, row.v[0], row.v[1], row.v[2]}},
                         {{row.v[1], row.v[2], row.v[3], right}}};
        if (IsSpecial)
            setXGhosts(beside, row, m_grid, m_patch.column());
        return beside;
    }

    __device__ void addSource(Quad<T> &values, int j) const
    {
        if (HasSource && j >= max(m_patch.firstRow - Levels, 0)
            && j < min(m_patch.endRow + Levels, m_grid.ny) && m_patch.column() < m_grid.rowStride) {
            const auto f = loadQuad(m_grid.source + j * m_grid.rowStride + m_patch.column());
#pragma unroll
            for (int q = 0; q < quadSize; ++q)
                values.v[q] += f.v[q];
        }
        if (!HasSource && j == m_grid.spikeY) {
#pragma unroll
            for (int q = 0; q < quadSize; ++q) {
                if (q == m_spike)
                    values.v[q] += m_grid.spike;
            }
        }
    }

    __device__ void compare(int j, const Quad<T> &next, const Quad<T> &row)
    {
        if (!m_stores || j < m_patch.firstRow || j >= m_patch.endRow)
            return;
#pragma unroll
        for (int q = 0; q < quadSize; ++q) {
            if (m_patch.column() + q < m_grid.nx)
                m_largest = max(m_largest, abs(next.v[q] - rowScale * row.v[q]) * lastScale);
        }
    }

    static constexpr T weight = IsSpecial ? T(0.25) : T(1);
    static constexpr T rowScale = IsSpecial ? T(1) : T(4); ///< of an iterate to the one before
    static constexpr T lastScale = IsSpecial ? T(1) : T(1 / powerOf4(Levels));

    const GridView<T> &m_grid;
    const Patch m_patch;
    const T *m_from;
    T *m_to;
    bool m_compares;
    bool m_stores;
    int m_spike; ///< its place in the quad, if it is there
    T m_largest = 0;
    Quad<T> m_rows[Levels]{}; ///< the last row of each iterate
    Quad<T> m_sums[Levels]{}; ///< its neighbours, but for the one above
};

/// How the warps share some rows of the grid: every strip is cut into patches. Special ones, which
/// take longer per row, are lower: all of the strips at the sides in x, the first and last one of
/// the others, and pieces of those inner ones that have the spike in what they read. What takes
/// longest comes first, and the ends, which take shortest, last: then hardly anything is left to
/// wait for.
struct Shares
{
    LayerRange rows;
    int strips = 1;
    int sideRows = 1; ///< of a patch at a side in x
    int sidePatches = 1;
    int endRows = 1; ///< of the first and last patch of the other strips
    int innerRows = 1;
    int innerPatches = 1;
    LayerRange spikeStrips{0, 0};  ///< of the inner ones
    LayerRange spikePatches{0, 0}; ///< of those
    int pieceRows = 1;
    int pieces = 0; ///< of the patches with the spike, of each of these strips

    __host__ __device__ int sideStrips() const { return strips < 2 ? strips : 2; }
    __host__ __device__ int innerStrips() const { return strips - sideStrips(); }
    __host__ __device__ int sideWarps() const { return sideStrips() * sidePatches; }
    __host__ __device__ int spikeWarps() const
    {
        return (spikeStrips.end - spikeStrips.first) * pieces;
    }
    __host__ __device__ int warps() const
    {
        return sideWarps() + spikeWarps() + innerStrips() * (innerPatches + 2);
    }
    /// Where an inner patch begins, if there are so many.
    __host__ __device__ int beginOf(int patch) const
    {
        return min(rows.first + endRows + patch * innerRows, endOfInner());
    }
    __host__ __device__ int endOfInner() const
    {
        return rows.first + max(rows.end - rows.first - endRows, endRows);
    }
};

/// Some rows of a strip.
struct Share
{
    int strip;
    int firstRow;
    int endRow;

    __device__ Share(const Shares &shares, int warp)
    {
        const int begin = shares.rows.first;
        if (warp < shares.sideWarps()) {
            strip = warp % shares.sideStrips() * (shares.strips - 1);
            firstRow = begin + warp / shares.sideStrips() * shares.sideRows;
            endRow = min(firstRow + shares.sideRows, shares.rows.end);
            return;
        }
        warp -= shares.sideWarps();
        if (warp < shares.spikeWarps()) {
            const int strips = shares.spikeStrips.end - shares.spikeStrips.first;
            strip = shares.spikeStrips.first + warp % strips;
            firstRow = shares.beginOf(shares.spikePatches.first) + warp / strips * shares.pieceRows;
            endRow = min(firstRow + shares.pieceRows, shares.beginOf(shares.spikePatches.end));
            return;
        }
        warp -= shares.spikeWarps();
        strip = 1 + warp % shares.innerStrips();
        const int patch = warp / shares.innerStrips();
        if (patch < shares.innerPatches) {
            const bool isInPieces =
                strip >= shares.spikeStrips.first && strip < shares.spikeStrips.end
                && patch >= shares.spikePatches.first && patch < shares.spikePatches.end;
            firstRow = shares.beginOf(patch);
            endRow = isInPieces ? firstRow : shares.beginOf(patch + 1);
        } else if (patch == shares.innerPatches) {
            firstRow = begin;
            endRow = begin + min(shares.endRows, shares.rows.end - begin);
        } else {
            firstRow = shares.endOfInner();
            endRow = shares.rows.end;
        }
    }
};

/// Rounded up.
int divide(int a, int b)
{
    return (a + b - 1) / b;
}

/// Rows of an inner patch, of `inner` in all, if `together` patches of a strip run at the same
/// time, of grids of so many bytes.
///
/// The lower a patch, the more rows are made twice; but patches do not all end at the same time, so
/// that one round of them has to have high ones, and of passes so deep that few warps run together
/// (12 levels) two are faster. The more memory is worked on at the same time, the slower it gets:
/// large grids take more rounds. Measured on an H100 and two H200, 1024^2 to 16384^2, with 1 to
/// 4.75 rounds: what is chosen here is within 3 % of the best.
int rowsOfPatch(int inner, double together, int levels, double bytes)
{
    constexpr double bytesAtOnce = 1.2e9;
    const auto rowsIn = [&](double rounds) {
        return divide(inner, std::max(static_cast<int>(rounds * together), 1));
    };
    const int high = 25 * levels, low = 7 * levels;
    if (levels <= 8 && bytes <= bytesAtOnce && rowsIn(1) >= high)
        return rowsIn(1);
    for (double rounds : {1.9, 2.75, 3.75}) {
        if (bytes / rounds <= bytesAtOnce && rowsIn(rounds) >= low)
            return rowsIn(rounds);
    }
    if (rowsIn(4.75) >= high)
        return rowsIn(4.75);
    return std::max(rowsIn(rowsIn(1.5) >= low ? 1.5 : 1), 2 * levels);
}

/// Cuts what reads the spike, which takes four times as long, into lower patches.
template <typename T>
void cutSpike(Shares &shares, const GridView<T> &grid, int levels, int step)
{
    const int lowest = shares.beginOf(0), highest = shares.endOfInner() - 1;
    const int first = std::max(grid.spikeY - levels, lowest);
    const int last = std::min(grid.spikeY + levels, highest);
    const LayerRange strips{std::max(divide(std::max(grid.spikeX - stripSize + 1, 0), step), 1),
                            std::min(grid.spikeX / step + 1, shares.strips - 1)};
    if (grid.spikeX < 0 || first > last || shares.innerPatches == 0 || strips.first >= strips.end)
        return;
    shares.spikeStrips = strips;
    shares.spikePatches = {(first - lowest) / shares.innerRows,
                           (last - lowest) / shares.innerRows + 1};
    shares.pieceRows = std::max((shares.innerRows + 2 * levels) / 4 - 2 * levels, levels);
    shares.pieces =
        divide(shares.beginOf(shares.spikePatches.end) - shares.beginOf(shares.spikePatches.first),
               shares.pieceRows);
}

/// Of so many levels, for a device that runs so many warps at the same time; strips begin at
/// multiples of `step`.
template <typename T>
Shares sharesOf(const GridView<T> &grid, LayerRange rows, int levels, int strips, int step,
                int resident)
{
    Shares shares;
    shares.rows = rows;
    shares.strips = strips;
    const int lowest = 2 * levels;
    const int count = rows.end - rows.first;
    shares.endRows = lowest;
    const int inner = std::max(count - 2 * shares.endRows, 0);
    const double bytes = 2.0 * sizeof(T) * static_cast<double>(grid.rowStride) * count;
    shares.innerRows =
        rowsOfPatch(inner, static_cast<double>(resident) / (strips + 4), levels, bytes);
    shares.innerPatches = divide(inner, shares.innerRows);
    cutSpike(shares, grid, levels, step);
    shares.sideRows = std::max(shares.innerRows / 3, lowest);
    shares.sidePatches = divide(count, shares.sideRows);
    return shares;
}

template <typename T, int Levels, bool HasSource, int Together>
__global__ void __launch_bounds__(32 * warpsOfBlock, Together)
    iterateStrips(const __grid_constant__ GridView<T> grid, const T *__restrict__ from,
                  T *__restrict__ to, const __grid_constant__ Shares shares,
                  unsigned long long *largest)
{
    const int warp = blockIdx.x * warpsOfBlock + threadIdx.x / 32;
    if (warp >= shares.warps())
        return;
    const Share share(shares, warp);
    Patch patch;
    patch.lane = threadIdx.x % 32;
    patch.stripBegin = share.strip * (stripSize - 2 * haloOf(Levels));
    patch.firstRow = share.firstRow;
    patch.endRow = share.endRow;
    if (patch.firstRow >= patch.endRow)
        return;
    const bool hasSpike =
        grid.spikeX >= patch.stripBegin && grid.spikeX < patch.stripBegin + stripSize
        && grid.spikeY >= patch.firstRow - Levels && grid.spikeY < patch.endRow + Levels;
    const bool isSpecial = HasSource || hasSpike || stripMeetsSide(grid, patch.stripBegin)
                           || patch.firstRow <= Levels || patch.endRow + Levels >= grid.ny;
    const bool compares = largest != nullptr;
    T change = 0;
    if (isSpecial)
        change = March<T, Levels, true, HasSource>(grid, patch, from, to, compares).run();
    else
        change = March<T, Levels, false, false>(grid, patch, from, to, compares).run();
    if (compares) {
        change = largestOfWarp(change);
        if (patch.lane == 0)
            keepLargest(change, largest);
    }
}

/// Warps that the device runs at the same time.
template <typename Kernel>
int residentWarps(Kernel kernel)
{
    int blocks = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 32 * warpsOfBlock, 0),
          "tell its size");
    return deviceAttribute(cudaDevAttrMultiProcessorCount) * blocks * warpsOfBlock;
}

template <typename T, int Levels>
void launch(const GridView<T> &grid, LayerRange rows, const T *from, T *to,
            const ReductionSlots *reduction, cudaStream_t stream)
{
    const bool hasSource = grid.source != nullptr;
    constexpr int together = blocksTogether<T>(Levels);
    const auto kernel = hasSource ? iterateStrips<T, Levels, true, together>
                                  : iterateStrips<T, Levels, false, together>;
    static OncePerDevice residentWarpsOf;
    const int resident =
        residentWarpsOf([] { return residentWarps(iterateStrips<T, Levels, false, together>); });
    constexpr int step = stripSize - 2 * haloOf(Levels);
    const int strips = (std::max(grid.nx - stripSize, 0) + step - 1) / step + 1;
    const auto shares = sharesOf(grid, rows, Levels, strips, step, resident);
    const auto blocks = static_cast<unsigned>((shares.warps() + warpsOfBlock - 1) / warpsOfBlock);
    kernel<<<blocks, 32 * warpsOfBlock, 0, stream>>>(
        grid, from, to, shares, reduction != nullptr ? reduction->largest : nullptr);
    checkLaunch("iterate");
}

} // namespace

template <typename T>
int passDepth(int most)
{
    for (int depth : {16, 12, 8, 4, 2}) {
        if (depth <= most && (sizeof(T) == 4 || depth <= 8))
            return depth;
    }
    return 1;
}

/// The larger the grid, the higher the patches, and the less deeper passes do twice. Measured on an
/// H100, float, us an iteration of depth 4, 8, 12, 16: 2.1, 3.3, 6.0, 8.3 (1024^2), 3.0, 4.0, 6.6,
/// 9.3 (2048^2), of 4, 8: 15.4, 9.8 (4096^2), of 8, 12, 16: 31, 31, - (8192^2), 109, 91, 89
/// (16384^2).
template <typename T>
int defaultDepth(const GridView<T> &grid)
{
    const auto count = static_cast<std::int64_t>(grid.nx) * grid.ny;
    if (count <= std::int64_t{1} << 22)
        return 4;
    return sizeof(T) == 4 && count > std::int64_t{1} << 27 ? 12 : 8;
}

template <typename T>
void iterateTemporal(const GridView<T> &grid, int depth, const T *from, T *to,
                     const ReductionSlots *reduction, cudaStream_t stream)
{
    iterateTemporalRows(grid, {0, grid.ny}, depth, from, to, reduction, stream);
}

template <typename T>
void iterateTemporalRows(const GridView<T> &grid, LayerRange rows, int depth, const T *from, T *to,
                         const ReductionSlots *reduction, cudaStream_t stream)
{
    switch (depth) {
    case 2:
        return launch<T, 2>(grid, rows, from, to, reduction, stream);
    case 4:
        return launch<T, 4>(grid, rows, from, to, reduction, stream);
    case 8:
        return launch<T, 8>(grid, rows, from, to, reduction, stream);
    }
    if constexpr (sizeof(T) == 4) { // doubles of more levels do not fit into registers
        if (depth == 12)
            return launch<T, 12>(grid, rows, from, to, reduction, stream);
        return launch<T, 16>(grid, rows, from, to, reduction, stream);
    }
}

template int passDepth<float>(int);
template int passDepth<double>(int);
template int defaultDepth(const GridView<float> &);
template int defaultDepth(const GridView<double> &);
template void iterateTemporal(const GridView<float> &, int, const float *, float *,
                              const ReductionSlots *, cudaStream_t);
template void iterateTemporal(const GridView<double> &, int, const double *, double *,
                              const ReductionSlots *, cudaStream_t);
template void iterateTemporalRows(const GridView<float> &, LayerRange, int, const float *, float *,
                                  const ReductionSlots *, cudaStream_t);
template void iterateTemporalRows(const GridView<double> &, LayerRange, int, const double *,
                                  double *, const ReductionSlots *, cudaStream_t);

} // namespace gridhelm::gpu::jacobi

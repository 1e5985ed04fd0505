// SPDX-License-Identifier: GPL-3.0-or-later
//
// Asynchronous Jacobi, 2D, after [Venkatasubramanian2009], chapter V. A thread block has a tile,
// each warp 128 columns of 8 rows in registers (there: in shared memory, one value a thread).
// Only the rows at which two warps meet go through shared memory. See core's async.cpp for the
// variants.
//
// The rows of a fringe are shown and fetched in the grid of the present values, its columns in an
// array of their own, Fringe, in which four rows lie beside each other; so "row by row" means every
// four rows. Tiles do so while others do: these races on the fringes are the method. A value is old
// or new, but whole, and read and written in the second-level cache, which all multiprocessors
// share.
#include "gpu/poisson/jacobi/kernels.h"
#include "gpu/poisson/jacobi/updated_quad.h"
#include "gpu/support/cuda_error.h"

#include <algorithm>

namespace gridhelm::gpu::jacobi {
namespace {

constexpr int rowsOfWarp = 8;
constexpr int maxWarps = 16;
constexpr int defaultWarps = 8;

enum class Exchange { atNextLaunch, afterIteration, rowByRow };

__device__ Quad<float> fetchQuad(const float *from)
{
    const float4 a = __ldcg(reinterpret_cast<const float4 *>(from));
    return {{a.x, a.y, a.z, a.w}};
}
__device__ Quad<double> fetchQuad(const double *from)
{
    const double2 a = __ldcg(reinterpret_cast<const double2 *>(from));
    const double2 b = __ldcg(reinterpret_cast<const double2 *>(from + 2));
    return {{a.x, a.y, b.x, b.y}};
}
__device__ void showQuad(float *to, const Quad<float> &q)
{
    __stcg(reinterpret_cast<float4 *>(to), make_float4(q.v[0], q.v[1], q.v[2], q.v[3]));
}
__device__ void showQuad(double *to, const Quad<double> &q)
{
    __stcg(reinterpret_cast<double2 *>(to), make_double2(q.v[0], q.v[1]));
    __stcg(reinterpret_cast<double2 *>(to + 2), make_double2(q.v[2], q.v[3]));
}

/// This strip's first (end 0) or last (end 1) column in the array of fringes.
template <typename T>
__host__ __device__ T *fringeColumn(T *fringes, std::ptrdiff_t rows, int strip, int end)
{
    return fringes + (2 * strip + end) * rows;
}

/// One warp's part of a tile.
template <typename T, Exchange exchange, bool InPlace>
class TilePart
{
public:
    __device__ TilePart(const GridView<T> &grid, int across, int firstTiles, T *shared, T *fringes,
                        std::ptrdiff_t fringeRows)
        : m_grid(grid)
        , m_lane(threadIdx.x % 32)
        , m_warp(threadIdx.x / 32)
        , m_warps(blockDim.x / 32)
        , m_stripBegin(static_cast<int>(blockIdx.x) % across * stripSize)
        , m_firstRow(((firstTiles + static_cast<int>(blockIdx.x) / across) * m_warps + m_warp)
                     * rowsOfWarp)
        , m_shared(shared)
    {
        const bool hasLeft = m_stripBegin > 0;
        const bool hasRight = m_stripBegin + stripSize < grid.nx;
        const int strip = m_stripBegin / stripSize;
        if (m_lane == 0 && hasLeft) {
            m_beside = -1;
            m_shown = fringeColumn(fringes, fringeRows, strip, 0);
            m_fetched = fringeColumn(fringes, fringeRows, strip - 1, 1);
        }
        if (m_lane == 31 && hasRight) {
            m_beside = quadSize;
            m_shown = fringeColumn(fringes, fringeRows, strip, 1);
            m_fetched = fringeColumn(fringes, fringeRows, strip + 1, 0);
        }
        const int low = m_firstRow - m_warp * rowsOfWarp;
        const int high = low + m_warps * rowsOfWarp;
        m_hasBelow = m_warp == 0 && low > 0;
        m_hasAbove = m_warp == m_warps - 1 && high < grid.ny;
        const bool hasSpike = grid.spikeY >= low && grid.spikeY < high
                              && grid.spikeX >= m_stripBegin
                              && grid.spikeX < m_stripBegin + stripSize;
        m_isGeneral = !hasLeft || !hasRight || low <= 0 || high >= grid.ny || hasSpike
                      || grid.source != nullptr;
    }

    /// The unknowns and the fringe.
    __device__ void fetch()
    {
#pragma unroll
        for (int r = 0; r < rowsOfWarp; ++r) {
            m_values[r] = fetchQuad(place(min(m_firstRow + r, m_grid.ny - 1)));
            if (m_beside != 0 && m_firstRow + r < m_grid.ny)
                m_sides[r / quadSize].v[r % quadSize] = __ldcg(place(m_firstRow + r) + m_beside);
        }
        if (m_hasBelow)
            m_below = fetchQuad(place(m_firstRow - 1));
        if (m_hasAbove)
            m_above = fetchQuad(place(m_firstRow + rowsOfWarp));
    }

    /// All warps of the block together.
    __device__ void iterate(int iteration, bool isLast)
    {
        if (m_isGeneral)
            iterateRows<true>(iteration, isLast);
        else
            iterateRows<false>(iteration, isLast);
        if (exchange == Exchange::afterIteration && !isLast) {
#pragma unroll
            for (int part = 0; part < parts; ++part)
                show(part);
#pragma unroll
            for (int part = 0; part < parts; ++part)
                fetchFringe(part);
        }
        // Tiles that begin the next launch late show these values until then.
        if (exchange != Exchange::atNextLaunch && isLast) {
#pragma unroll
            for (int part = 0; part < parts; ++part)
                showColumn(part);
        }
    }

    __device__ void store(T *to) const
    {
#pragma unroll
        for (int r = 0; r < rowsOfWarp; ++r) {
            if (m_firstRow + r < m_grid.ny && column() < m_grid.rowStride)
                streamQuad(to + (m_firstRow + r) * m_grid.rowStride + column(), m_values[r]);
        }
    }

private:
    __device__ int column() const
    {
        return m_stripBegin + m_lane * quadSize;
    }

    /// This lane's quad of a row, in the values that all tiles share.
    __device__ T *place(int j) const
    {
        return m_shared + j * m_grid.rowStride
               + min(static_cast<std::ptrdiff_t>(column()), m_grid.rowStride - quadSize);
    }

    /// The penultimate fringe's part beside rows 4 part ... 4 part + 3.
    __device__ void showColumn(int part) const
    {
        if (m_shown == nullptr)
            return;
        Quad<T> column;
#pragma unroll
        for (int q = 0; q < quadSize; ++q) {
            const auto &row = m_values[quadSize * part + q];
            column.v[q] = m_lane == 0 ? row.v[0] : row.v[quadSize - 1];
        }
        showQuad(m_shown + m_firstRow + quadSize * part, column);
    }

    __device__ void show(int part) const
    {
        showColumn(part);
        if (column() >= m_grid.rowStride)
            return;
        if (part == 0 && m_hasBelow)
            showQuad(place(m_firstRow), m_values[0]);
        if (part == parts - 1 && m_hasAbove)
            showQuad(place(m_firstRow + rowsOfWarp - 1), m_values[rowsOfWarp - 1]);
    }

    __device__ void fetchFringe(int part)
    {
        if (m_fetched != nullptr)
            m_sides[part] = fetchQuad(m_fetched + m_firstRow + quadSize * part);
        if (part == 0 && m_hasBelow)
            m_below = fetchQuad(place(m_firstRow - 1));
        if (part == parts - 1 && m_hasAbove)
            m_above = fetchQuad(place(m_firstRow + rowsOfWarp));
    }

    /// The rows that other warps of the tile need, through shared memory; two sets of them, so that
    /// one barrier an iteration is enough.
    __device__ void meetOtherWarps(int iteration, Quad<T> &below, Quad<T> &above) const
    {
        extern __shared__ __align__(16) unsigned char memory[];
        T *rows = reinterpret_cast<T *>(memory) + iteration % 2 * 2 * m_warps * stripSize;
        const auto at = [&](int warp, int end) {
            return rows + (2 * warp + end) * stripSize + m_lane * quadSize;
        };
        storeQuad(at(m_warp, 0), m_values[0]);
        storeQuad(at(m_warp, 1), m_values[rowsOfWarp - 1]);
        __syncthreads();
        below = m_warp > 0 ? loadQuad(at(m_warp - 1, 1)) : m_below;
        above = m_warp < m_warps - 1 ? loadQuad(at(m_warp + 1, 0)) : m_above;
    }

    template <bool IsGeneral>
    __device__ void iterateRows(int iteration, bool isLast)
    {
        Quad<T> below, above;
        meetOtherWarps(iteration, below, above);
#pragma unroll
        for (int r = 0; r < rowsOfWarp; ++r) {
            const int j = m_firstRow + r;
            const auto centre = m_values[r];
            auto beside = besideInStrip(centre, m_sides[r / quadSize].v[r % quadSize], m_lane);
            Across<T> across{below,
                             r < rowsOfWarp - 1 ? m_values[r < rowsOfWarp - 1 ? r + 1 : r] : above};
            Quad<T> f{};
            if (IsGeneral) {
                setXGhosts(beside, centre, m_grid, column());
                if (j == 0)
                    across.below = ghost(m_grid.sides[2], centre);
                if (j == m_grid.ny - 1)
                    across.above = ghost(m_grid.sides[3], centre);
                if (j < m_grid.ny)
                    f = sourceQuad(m_grid, column(), j, 0);
            }
            m_values[r] = updatedQuad<T, false>(beside, across, f);
            below = InPlace ? m_values[r] : centre;
            if (exchange == Exchange::rowByRow && !isLast && r % quadSize == quadSize - 1) {
                show(r / quadSize);
                fetchFringe(r / quadSize);
            }
        }
    }

    static constexpr int parts = rowsOfWarp / quadSize;

    const GridView<T> &m_grid;
    int m_lane, m_warp, m_warps;
    int m_stripBegin, m_firstRow;
    T *m_shared;
    int m_beside = 0; ///< from this lane's quad to the fringe value that it looks after, or 0
    bool m_hasBelow, m_hasAbove; ///< a row of the fringe that this warp looks after
    bool m_isGeneral;            ///< there are sides or sources
    Quad<T> m_values[rowsOfWarp];
    T *m_shown = nullptr; ///< this lane's column of the fringes, row 0
    const T *m_fetched = nullptr;
    Quad<T> m_sides[parts]{};
    Quad<T> m_below{}, m_above{};
};

template <typename T, Exchange exchange, bool InPlace>
__global__ void __launch_bounds__(32 * maxWarps)
    iterateTiles(const __grid_constant__ GridView<T> grid, int across, int firstTiles, int alpha,
                 T *shared, T *fringes, std::ptrdiff_t fringeRows, T *to)
{
    TilePart<T, exchange, InPlace> part(grid, across, firstTiles, shared, fringes, fringeRows);
    part.fetch();
    for (int iteration = 0; iteration <= alpha; ++iteration)
        part.iterate(iteration, iteration == alpha);
    part.store(to);
}

/// Every strip's first and last column, a thread for each row.
template <typename T>
__global__ void fillFringes(const GridView<T> grid, LayerRange rows, const T *values, T *fringes,
                            std::ptrdiff_t fringeRows)
{
    const int j = rows.first + blockIdx.x * blockDim.x + threadIdx.x;
    const int strip = blockIdx.y;
    if (j >= rows.end)
        return;
    for (int end : {0, 1}) {
        const int column = strip * stripSize + end * (stripSize - 1);
        if (column < grid.nx)
            fringeColumn(fringes, fringeRows, strip, end)[j] = values[j * grid.rowStride + column];
    }
}

int stripsOf(int nx)
{
    return (nx + stripSize - 1) / stripSize;
}

template <typename T>
auto kernelOf(solvers::jacobi::AsyncVariant variant)
{
    switch (variant) {
    case solvers::jacobi::AsyncVariant::async0:
        return iterateTiles<T, Exchange::afterIteration, false>;
    case solvers::jacobi::AsyncVariant::async1:
        return iterateTiles<T, Exchange::rowByRow, false>;
    case solvers::jacobi::AsyncVariant::async2:
        return iterateTiles<T, Exchange::atNextLaunch, false>;
    default:
        return iterateTiles<T, Exchange::rowByRow, true>;
    }
}

} // namespace

int asyncTileRows(std::size_t wanted)
{
    if (wanted == 0)
        return defaultWarps * rowsOfWarp;
    const auto warps = std::min<std::size_t>((wanted + rowsOfWarp - 1) / rowsOfWarp, maxWarps);
    return static_cast<int>(warps) * rowsOfWarp;
}

template <typename T>
Fringes<T>::Fringes(const GridView<T> &grid, LayerRange rows, const T *values, cudaStream_t stream)
    : m_first(rows.first)
    // A tile may reach beyond.
    , m_rows((rows.end - rows.first + maxWarps * rowsOfWarp) / quadSize * quadSize)
    , m_values(static_cast<std::size_t>(2 * stripsOf(grid.nx)) * static_cast<std::size_t>(m_rows))
{
    check(cudaMemsetAsync(m_values.data(), 0, m_values.bytes(), stream), "clear its memory");
    constexpr unsigned threads = 256;
    const dim3 blocks((static_cast<unsigned>(rows.end - rows.first) + threads - 1) / threads,
                      static_cast<unsigned>(stripsOf(grid.nx)));
    fillFringes<<<blocks, threads, 0, stream>>>(grid, rows, values, origin(), m_rows);
    checkLaunch("copy the halos");
}

template <typename T>
void launchAsync(const GridView<T> &grid, TileRange tiles, const AsyncChoice &choice,
                 const Fringes<T> &fringes, T *shared, T *to, cudaStream_t stream)
{
    const int across = stripsOf(grid.nx);
    const int warps = choice.tileRows / rowsOfWarp;
    const auto sharedBytes = static_cast<std::size_t>(4 * warps * stripSize) * sizeof(T);
    const auto kernel = kernelOf<T>(choice.variant);
    if (sharedBytes > 48 * 1024) // only then the device must be told
        check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   static_cast<int>(sharedBytes)),
              "give a block so much shared memory");
    const auto blocks =
        static_cast<unsigned>(across) * static_cast<unsigned>(tiles.end - tiles.first);
    kernel<<<blocks, static_cast<unsigned>(32 * warps), sharedBytes, stream>>>(
        grid, across, tiles.first, choice.alpha, shared, fringes.origin(), fringes.rows(), to);
    checkLaunch("iterate");
}

template class Fringes<float>;
template class Fringes<double>;
template void launchAsync(const GridView<float> &, TileRange, const AsyncChoice &,
                          const Fringes<float> &, float *, float *, cudaStream_t);
template void launchAsync(const GridView<double> &, TileRange, const AsyncChoice &,
                          const Fringes<double> &, double *, double *, cudaStream_t);

} // namespace gridhelm::gpu::jacobi

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/sparse/quantised_combination.h"

#include "core/sparse/quantised_row.h"
#include "gpu/support/cuda_error.h"

namespace gridhelm::gpu {
namespace {

using sparse::groupValues;
using sparse::quantisedBlock;

constexpr int blockValues = static_cast<int>(quantisedBlock);
constexpr int warps = 8; ///< that share the rows of a group
constexpr int threads = 32 * warps;
constexpr int valuesOfThread = static_cast<int>(groupValues) / threads;
static_assert(sparse::quantisedGroup == 32, "a lane has a block");

/// A block's codes: how many units of 16 bytes there are (0, 1, 2, 4, 8), and the first of them.
struct Codes
{
    int units;
    const uint4 *place;
};

__device__ inline GroupHeader loadHeader(const GroupHeader *header)
{
    const uint4 words = __ldg(reinterpret_cast<const uint4 *>(header));
    return {{words.x, words.y, words.z}, words.w};
}

/// Codes of 4 bits stand first, then those of 8, 16 and 32.
__device__ inline Codes codesOf(const GroupHeader &header, int block, const std::byte *codes)
{
    const auto [p0, p1, p2] = header.widths;
    const unsigned nibbles = p0 & ~p1, bytes = p1 & ~p0, words = p0 & p1;
    const unsigned own = 1U << block, before = own - 1;
    const int afterNibbles = __popc(nibbles);
    const int afterBytes = afterNibbles + 2 * __popc(bytes);
    const int afterWords = afterBytes + 4 * __popc(words);
    Codes found{0, nullptr};
    int start = 0;
    if (nibbles & own) {
        found.units = 1;
        start = __popc(nibbles & before);
    } else if (bytes & own) {
        found.units = 2;
        start = afterNibbles + 2 * __popc(bytes & before);
    } else if (words & own) {
        found.units = 4;
        start = afterBytes + 4 * __popc(words & before);
    } else if (p2 & own) {
        found.units = 8;
        start = afterWords + 8 * __popc(p2 & before);
    }
    found.place = reinterpret_cast<const uint4 *>(codes) + header.codes + start;
    return found;
}

template <int byte>
__device__ inline float signedByte(unsigned word)
{
    return static_cast<float>(static_cast<signed char>(word >> (8 * byte)));
}

/// Adds value i of a block to sums[i], times a factor; and to others of the same place.
template <bool isTwice>
struct BlockSums
{
    float inner[blockValues] = {};
    float last[isTwice ? blockValues : 1] = {};

    __device__ void add(int i, float value, float innerFactor, float lastFactor)
    {
        inner[i] += innerFactor * value;
        if (isTwice)
            last[i] += lastFactor * value;
    }

    /// Four codes of 8 bits.
    __device__ void addBytes(int i, unsigned word, float innerFactor, float lastFactor)
    {
        add(i, signedByte<0>(word), innerFactor, lastFactor);
        add(i + 1, signedByte<1>(word), innerFactor, lastFactor);
        add(i + 2, signedByte<2>(word), innerFactor, lastFactor);
        add(i + 3, signedByte<3>(word), innerFactor, lastFactor);
    }

    /// Half bytes as bytes of 16 times as much, which is exact.
    __device__ void addNibbles(const uint4 &codes, float innerFactor, float lastFactor)
    {
        const unsigned all[] = {codes.x, codes.y, codes.z, codes.w};
        const float a = innerFactor / 16, b = lastFactor / 16;
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            addBytes(4 * k, all[k] << 4 & 0xf0f0f0f0U, a, b);
            addBytes(blockValues / 2 + 4 * k, all[k] & 0xf0f0f0f0U, a, b);
        }
    }

    __device__ void addBytes(const uint4 &low, const uint4 &high, float innerFactor,
                             float lastFactor)
    {
        const unsigned all[] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
#pragma unroll
        for (int k = 0; k < 8; ++k)
            addBytes(4 * k, all[k], innerFactor, lastFactor);
    }

    __device__ void addWords(int i, const uint4 &codes, float innerFactor, float lastFactor)
    {
        const unsigned all[] = {codes.x, codes.y, codes.z, codes.w};
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            add(i + 2 * k, static_cast<float>(static_cast<short>(all[k])), innerFactor, lastFactor);
            add(i + 2 * k + 1, static_cast<float>(static_cast<short>(all[k] >> 16)), innerFactor,
                lastFactor);
        }
    }

    __device__ void addRaw(int i, const uint4 &values, float innerWeight, float lastWeight)
    {
        const unsigned all[] = {values.x, values.y, values.z, values.w};
#pragma unroll
        for (int k = 0; k < 4; ++k)
            add(i + k, __uint_as_float(all[k]), innerWeight, lastWeight);
    }

    __device__ void add(const WeightedQuantisedRow &row, const Codes &codes, const uint4 &first,
                        const uint4 &second)
    {
        const float a = row.inner.factor, b = row.last.factor;
        if (codes.units == 1) {
            addNibbles(first, a, b);
        } else if (codes.units == 2) {
            addBytes(first, second, a, b);
        } else if (codes.units == 4) {
            addWords(0, first, a, b);
            addWords(8, second, a, b);
            addWords(16, __ldcs(codes.place + 2), a, b);
            addWords(24, __ldcs(codes.place + 3), a, b);
        } else if (codes.units == 8) {
            addRaw(0, first, row.inner.weight, row.last.weight);
            addRaw(4, second, row.inner.weight, row.last.weight);
#pragma unroll
            for (int k = 2; k < 8; ++k)
                addRaw(4 * k, __ldcs(codes.place + k), row.inner.weight, row.last.weight);
        }
    }
};

__device__ inline WeightedQuantisedRow loadRow(const WeightedQuantisedRow *row)
{
    const auto *words = reinterpret_cast<const uint4 *>(row);
    const uint4 both[] = {__ldg(words), __ldg(words + 1)};
    WeightedQuantisedRow result;
    memcpy(&result, both, sizeof(result));
    return result;
}

/// The rows [begin, end) in steps of the warps. A lane has a block of the group; what several rows
/// have is on its way at the same time.
template <bool isTwice>
__device__ void addRows(BlockSums<isTwice> &sums, const WeightedQuantisedRow *rows,
                        std::uint32_t begin, std::uint32_t end, std::size_t group)
{
    constexpr std::uint32_t ahead = isTwice ? 2 : 4;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    for (auto r = begin + threadIdx.x / 32; r < end; r += ahead * warps) {
        WeightedQuantisedRow row[ahead];
        Codes codes[ahead];
        uint4 first[ahead], second[ahead];
#pragma unroll
        for (std::uint32_t k = 0; k < ahead; ++k) {
            codes[k].units = 0;
            if (r + k * warps < end) { // the same for the whole warp
                row[k] = loadRow(rows + r + k * warps);
                codes[k] = codesOf(loadHeader(row[k].headers + group), lane, row[k].codes);
            }
        }
#pragma unroll
        for (std::uint32_t k = 0; k < ahead; ++k) {
            if (codes[k].units > 0)
                first[k] = __ldcs(codes[k].place);
            if (codes[k].units > 1)
                second[k] = __ldcs(codes[k].place + 1);
        }
#pragma unroll
        for (std::uint32_t k = 0; k < ahead; ++k)
            sums.add(row[k], codes[k], first[k], second[k]);
    }
}

using WarpSums = float[warps][32][blockValues + 1]; ///< a gap, so that lanes use all banks

/// The sums of all warps, of the values threadIdx.x, + threads, ...
__device__ void addWarps(WarpSums &shared, const float (&sums)[blockValues],
                         float (&totals)[valuesOfThread])
{
    __syncthreads();
#pragma unroll
    for (int i = 0; i < blockValues; ++i)
        shared[threadIdx.x / 32][threadIdx.x % 32][i] = sums[i];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < valuesOfThread; ++k) {
        const int value = static_cast<int>(threadIdx.x) + k * threads;
        float total = 0;
#pragma unroll
        for (int warp = 0; warp < warps; ++warp)
            total += shared[warp][value / blockValues][value % blockValues];
        totals[k] = total;
    }
}

/// A block of threads for each group.
template <bool isTwice>
__global__ void __launch_bounds__(threads, 2)
    combineGroups(const QuantisedCombination combination, std::size_t firstGroup,
                  std::size_t firstColumn, std::size_t count, float *y, float *indicator)
{
    __shared__ WarpSums shared;
    const std::size_t group = firstGroup + blockIdx.x;
    float inner[valuesOfThread] = {}, last[valuesOfThread] = {};
    {
        BlockSums<isTwice> sums;
        addRows(sums, combination.rows, 0, combination.lastGroupBegin, group);
        addWarps(shared, sums.inner, inner);
        if constexpr (isTwice)
            addWarps(shared, sums.last, last);
    }
    if (!isTwice && combination.count > combination.lastGroupBegin) {
        BlockSums<false> sums;
        addRows(sums, combination.rows, combination.lastGroupBegin, combination.count, group);
        addWarps(shared, sums.inner, last);
    }
#pragma unroll
    for (int k = 0; k < valuesOfThread; ++k) {
        const auto column = group * groupValues + threadIdx.x + k * threads;
        if (column < firstColumn || column >= firstColumn + count)
            continue;
        y[column - firstColumn] = inner[k] + last[k];
        if (indicator)
            indicator[column - firstColumn] = fabsf(last[k]);
    }
}

/// Value i of a block, in multiples of the step; raw ones as they are.
__device__ inline float valueOf(const Codes &codes, int i)
{
    const auto *bytes = reinterpret_cast<const signed char *>(codes.place);
    switch (codes.units) {
    case 1: {
        const int both = bytes[i % (blockValues / 2)];
        return static_cast<float>(i < blockValues / 2 ? static_cast<signed char>(both << 4) >> 4
                                                      : both >> 4);
    }
    case 2:
        return static_cast<float>(bytes[i]);
    case 4:
        return static_cast<float>(reinterpret_cast<const short *>(bytes)[i]);
    case 8:
        return reinterpret_cast<const float *>(bytes)[i];
    default:
        return 0;
    }
}

__global__ void __launch_bounds__(threads)
    combineListed(const QuantisedCombination combination, const std::uint32_t *columns,
                  std::size_t count, float *y, float *indicator)
{
    const auto i = static_cast<std::size_t>(blockIdx.x) * threads + threadIdx.x;
    if (i >= count)
        return;
    const auto column = columns[i];
    const auto group = column / groupValues;
    const int block = static_cast<int>(column % groupValues / quantisedBlock);
    const int place = static_cast<int>(column % quantisedBlock);
    float inner = 0, last = 0;
    for (std::uint32_t r = 0; r < combination.count; ++r) {
        const auto row = loadRow(combination.rows + r);
        const auto codes = codesOf(loadHeader(row.headers + group), block, row.codes);
        const float value = valueOf(codes, place);
        const auto product = [&](const RowFactors &factors) {
            return value * (codes.units == 8 ? factors.weight : factors.factor);
        };
        if (r < combination.lastGroupBegin)
            inner += product(row.inner);
        else
            last += product(row.inner);
        if (combination.isTwice)
            last += product(row.last);
    }
    y[i] = inner + last;
    if (indicator)
        indicator[i] = fabsf(last);
}

} // namespace

void combineQuantised(const QuantisedCombination &combination, std::size_t firstColumn,
                      std::size_t count, float *y, float *indicator, cudaStream_t stream)
{
    if (count == 0)
        return;
    const auto firstGroup = firstColumn / groupValues;
    const auto groups = (firstColumn + count - 1) / groupValues + 1 - firstGroup;
    const auto kernel = combination.isTwice ? combineGroups<true> : combineGroups<false>;
    kernel<<<static_cast<unsigned>(groups), threads, 0, stream>>>(combination, firstGroup,
                                                                  firstColumn, count, y, indicator);
    checkLaunch("combine rows");
}

void combineQuantisedColumns(const QuantisedCombination &combination, const std::uint32_t *columns,
                             std::size_t count, float *y, float *indicator, cudaStream_t stream)
{
    if (count == 0)
        return;
    const auto blocks = static_cast<unsigned>((count + threads - 1) / threads);
    combineListed<<<blocks, threads, 0, stream>>>(combination, columns, count, y, indicator);
    checkLaunch("combine rows");
}

} // namespace gridhelm::gpu

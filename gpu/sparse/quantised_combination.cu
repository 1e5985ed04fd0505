// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/sparse/quantised_combination.h"

#include "core/codec/quantised_row.h"
#include "gpu/support/cuda_error.h"

namespace gridhelm::gpu {
namespace {

using codec::groupValues;
using codec::quantisedBlock;

constexpr int blockValues = static_cast<int>(quantisedBlock);
constexpr int listedThreads = 256;
static_assert(codec::quantisedGroup == 32, "a lane has a block");

/// Codes of 4 bits stand first, then those of 8, 16 and 32: which blocks have which, and where each
/// kind begins, in units of 16 bytes.
struct Sections
{
    unsigned nibbles, bytes, words, raws;
    unsigned short byteStart, wordStart, rawStart;
};

__device__ inline Sections sectionsOf(const GroupHeader &header)
{
    const auto [p0, p1, p2] = header.widths;
    Sections found{p0 & ~p1, p1 & ~p0, p0 & p1, p2, 0, 0, 0};
    found.byteStart = static_cast<unsigned short>(__popc(found.nibbles));
    found.wordStart = static_cast<unsigned short>(found.byteStart + 2 * __popc(found.bytes));
    found.rawStart = static_cast<unsigned short>(found.wordStart + 4 * __popc(found.words));
    return found;
}

/// A block's codes: how many units there are (0, 1, 2, 4, 8), and the first of them.
struct Codes
{
    int units;
    const uint4 *place;
};

__device__ inline Codes codesOf(const Sections &sections, int block, const uint4 *groupCodes)
{
    const unsigned own = 1U << block;
    unsigned kind = sections.nibbles;
    int units = 1, start = 0;
    if (sections.bytes & own)
        kind = sections.bytes, units = 2, start = sections.byteStart;
    if (sections.words & own)
        kind = sections.words, units = 4, start = sections.wordStart;
    if (sections.raws & own)
        kind = sections.raws, units = 8, start = sections.rawStart;
    if (!(kind & own))
        units = 0;
    return {units, groupCodes + start + units * __popc(kind & (own - 1))};
}

__device__ inline GroupHeader loadHeader(const GroupHeader *header)
{
    const uint4 words = __ldg(reinterpret_cast<const uint4 *>(header));
    return {{words.x, words.y, words.z}, words.w};
}

__device__ inline WeightedQuantisedRow loadRow(const WeightedQuantisedRow *row)
{
    const auto *words = reinterpret_cast<const uint4 *>(row);
    const uint4 both[] = {__ldg(words), __ldg(words + 1)};
    WeightedQuantisedRow result;
    memcpy(&result, both, sizeof(result));
    return result;
}

__device__ inline const uint4 *groupCodesOf(const WeightedQuantisedRow &row,
                                            const GroupHeader &header)
{
    return reinterpret_cast<const uint4 *>(row.codes) + header.codes;
}

/// Byte of a word whose signs were flipped, so that it is 128 larger: as the last bits of 2^23,
/// which takes two quick instructions where a conversion is a slow one.
template <int byte>
__device__ inline float signedByte(unsigned word)
{
    return __uint_as_float(__byte_perm(word, 0x4b000000U, 0x7540 + byte)) - 8388736.0F;
}

/// Adds value i of a block to sums[i], times a factor; and to others of the same place.
template <bool isTwice>
struct BlockSums
{
    float inner[blockValues] = {};
    float last[isTwice ? blockValues : 1] = {};

    __device__ void add(int i, float value, const RowFactors &a, const RowFactors &b, bool isRaw)
    {
        inner[i] += (isRaw ? a.weight : a.factor) * value;
        if (isTwice)
            last[i] += (isRaw ? b.weight : b.factor) * value;
    }

    /// Codes of 4 and of 8 bits by the same instructions, so that lanes do not wait for each
    /// other. Half bytes become bytes of 16 times as much, which is exact.
    __device__ void addSmall(const Codes &codes, const uint4 &first, const uint4 &second,
                             RowFactors a, RowFactors b)
    {
        const bool isByte = codes.units == 2;
        const unsigned mask = isByte ? ~0U : 0xf0f0f0f0U;
        const unsigned shift = isByte ? 0 : 4;
        if (!isByte) {
            a.factor /= 16;
            b.factor /= 16;
        }
        const unsigned low[] = {first.x, first.y, first.z, first.w};
        const unsigned high[] = {isByte ? second.x : first.x, isByte ? second.y : first.y,
                                 isByte ? second.z : first.z, isByte ? second.w : first.w};
        constexpr unsigned flip = 0x80808080U;
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            addBytes(4 * k, (low[k] << shift & mask) ^ flip, a, b);
            addBytes(blockValues / 2 + 4 * k, (high[k] & mask) ^ flip, a, b);
        }
    }

    __device__ void addBytes(int i, unsigned word, const RowFactors &a, const RowFactors &b)
    {
        add(i, signedByte<0>(word), a, b, false);
        add(i + 1, signedByte<1>(word), a, b, false);
        add(i + 2, signedByte<2>(word), a, b, false);
        add(i + 3, signedByte<3>(word), a, b, false);
    }

    __device__ void addWords(int i, const uint4 &codes, const RowFactors &a, const RowFactors &b)
    {
        const unsigned all[] = {codes.x, codes.y, codes.z, codes.w};
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            add(i + 2 * k, static_cast<float>(static_cast<short>(all[k])), a, b, false);
            add(i + 2 * k + 1, static_cast<float>(static_cast<short>(all[k] >> 16)), a, b, false);
        }
    }

    __device__ void addRaw(int i, const uint4 &values, const RowFactors &a, const RowFactors &b)
    {
        const unsigned all[] = {values.x, values.y, values.z, values.w};
#pragma unroll
        for (int k = 0; k < 4; ++k)
            add(i + k, __uint_as_float(all[k]), a, b, true);
    }
};

/// What a warp needs of a row's group.
struct RowGroup
{
    Sections sections;
    const uint4 *codes;
    RowFactors inner, last;
};

/// A lane's codes on their way: the first units.
struct Coming
{
    Codes codes{0, nullptr};
    uint4 first{}, second{};

    __device__ void ask(const RowGroup &row, int lane)
    {
        codes = codesOf(row.sections, lane, row.codes);
        if (codes.units > 0)
            first = __ldcs(codes.place);
        if (codes.units > 1)
            second = __ldcs(codes.place + 1);
    }
};

template <bool isTwice>
__device__ inline void addComing(BlockSums<isTwice> &sums, const Coming &coming,
                                 const RowFactors &a, const RowFactors &b)
{
    const auto &codes = coming.codes;
    if (codes.units == 1 || codes.units == 2)
        sums.addSmall(codes, coming.first, coming.second, a, b);
    if (codes.units == 4) {
        const uint4 third = __ldcs(codes.place + 2), fourth = __ldcs(codes.place + 3);
        sums.addWords(0, coming.first, a, b);
        sums.addWords(8, coming.second, a, b);
        sums.addWords(16, third, a, b);
        sums.addWords(24, fourth, a, b);
    }
    if (codes.units == 8) {
        sums.addRaw(0, coming.first, a, b);
        sums.addRaw(4, coming.second, a, b);
#pragma unroll
        for (int k = 2; k < 8; ++k)
            sums.addRaw(4 * k, __ldcs(codes.place + k), a, b);
    }
}

/// Rows of one group that a block of threads has at a time: a thread finds the place of each.
template <int warps>
__device__ void findRows(const QuantisedCombination &combination, std::size_t group,
                         std::uint32_t begin, std::uint32_t end, RowGroup *found)
{
    const auto index = begin + threadIdx.x;
    if (index < end) {
        const auto row = loadRow(combination.rows + index);
        const auto header = loadHeader(row.headers + group);
        found[threadIdx.x] = {sectionsOf(header), groupCodesOf(row, header), row.inner, row.last};
    }
}

/// These rows in steps of the warps. What several rows have is on its way at the same time.
template <bool isTwice, int warps>
__device__ void addRows(BlockSums<isTwice> &sums, const RowGroup *rows, int count)
{
    constexpr int ahead = 2;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int first = static_cast<int>(threadIdx.x) / 32;
    Coming coming[ahead];
#pragma unroll
    for (int k = 0; k < ahead; ++k) {
        if (first + k * warps < count)
            coming[k].ask(rows[first + k * warps], lane);
    }
    for (int r = first; r < count; r += ahead * warps) {
#pragma unroll
        for (int k = 0; k < ahead; ++k) {
            const int row = r + k * warps;
            if (row >= count)
                break;
            addComing(sums, coming[k], rows[row].inner, rows[row].last);
            if (row + ahead * warps < count)
                coming[k].ask(rows[row + ahead * warps], lane);
        }
    }
}

template <int warps>
using WarpSums = float[warps][32][blockValues + 1]; ///< a gap, so that lanes use all banks

/// The sums of all warps, of the values threadIdx.x, + threads, ...
template <int warps>
__device__ void addWarps(WarpSums<warps> &shared, const float (&sums)[blockValues],
                         float (&totals)[blockValues / warps])
{
    __syncthreads();
#pragma unroll
    for (int i = 0; i < blockValues; ++i)
        shared[threadIdx.x / 32][threadIdx.x % 32][i] = sums[i];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < blockValues / warps; ++k) {
        const int value = static_cast<int>(threadIdx.x) + k * 32 * warps;
        float total = 0;
#pragma unroll
        for (int warp = 0; warp < warps; ++warp)
            total += shared[warp][value / blockValues][value % blockValues];
        totals[k] += total;
    }
}

struct CombinedColumns
{
    std::size_t first, count;
    float *y, *indicator;
};

/// Registers of a thread are few enough for so many warps at once on a multiprocessor.
template <bool isTwice>
constexpr int residentWarps = isTwice ? 16 : 20;

/// A block of threads for each group.
template <bool isTwice, int warps>
__global__ void __launch_bounds__(32 * warps, (residentWarps<isTwice> / warps))
    combineGroups(const __grid_constant__ QuantisedCombination combination, std::size_t firstGroup,
                  const __grid_constant__ CombinedColumns columns)
{
    constexpr int own = blockValues / warps;
    constexpr std::uint32_t rowsAtOnce = 32 * warps;
    __shared__ WarpSums<warps> shared;
    __shared__ RowGroup rows[rowsAtOnce];
    const std::size_t group = firstGroup + blockIdx.x;
    float inner[own] = {}, last[own] = {};
    std::uint32_t begin = 0;
    while (begin < combination.count) {
        const bool isLast = begin >= combination.lastGroupBegin;
        const auto end =
            min(begin + rowsAtOnce, isLast ? combination.count : combination.lastGroupBegin);
        __syncthreads();
        findRows<warps>(combination, group, begin, end, rows);
        __syncthreads();
        BlockSums<isTwice> sums;
        addRows<isTwice, warps>(sums, rows, static_cast<int>(end - begin));
        if (isLast)
            addWarps<warps>(shared, sums.inner, last);
        else
            addWarps<warps>(shared, sums.inner, inner);
        if constexpr (isTwice)
            addWarps<warps>(shared, sums.last, last);
        begin = end;
    }
#pragma unroll
    for (int k = 0; k < own; ++k) {
        const auto column = group * groupValues + threadIdx.x + k * 32 * warps;
        if (column < columns.first || column >= columns.first + columns.count)
            continue;
        columns.y[column - columns.first] = inner[k] + last[k];
        if (columns.indicator)
            columns.indicator[column - columns.first] = fabsf(last[k]);
    }
}

template <int warps>
void launchGroups(const QuantisedCombination &combination, std::size_t firstGroup,
                  std::size_t groups, const CombinedColumns &columns, cudaStream_t stream)
{
    const auto kernel =
        combination.isTwice ? combineGroups<true, warps> : combineGroups<false, warps>;
    kernel<<<static_cast<unsigned>(groups), 32 * warps, 0, stream>>>(combination, firstGroup,
                                                                     columns);
}

/// So few that each should have many warps, for a GPU of this generation or the next.
constexpr std::size_t fewGroups = 512;

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

__global__ void __launch_bounds__(listedThreads)
    combineListed(const QuantisedCombination combination, const std::uint32_t *columns,
                  std::size_t count, float *y, float *indicator)
{
    const auto i = static_cast<std::size_t>(blockIdx.x) * listedThreads + threadIdx.x;
    if (i >= count)
        return;
    const auto column = columns[i];
    const auto group = column / groupValues;
    const int block = static_cast<int>(column % groupValues / quantisedBlock);
    const int place = static_cast<int>(column % quantisedBlock);
    float inner = 0, last = 0;
    for (std::uint32_t r = 0; r < combination.count; ++r) {
        const auto row = loadRow(combination.rows + r);
        const auto header = loadHeader(row.headers + group);
        const auto codes = codesOf(sectionsOf(header), block, groupCodesOf(row, header));
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
    const CombinedColumns columns{firstColumn, count, y, indicator};
    if (groups <= fewGroups)
        launchGroups<8>(combination, firstGroup, groups, columns, stream);
    else
        launchGroups<4>(combination, firstGroup, groups, columns, stream);
    checkLaunch("combine rows");
}

void combineQuantisedColumns(const QuantisedCombination &combination, const std::uint32_t *columns,
                             std::size_t count, float *y, float *indicator, cudaStream_t stream)
{
    if (count == 0)
        return;
    const auto blocks = static_cast<unsigned>((count + listedThreads - 1) / listedThreads);
    combineListed<<<blocks, listedThreads, 0, stream>>>(combination, columns, count, y, indicator);
    checkLaunch("combine rows");
}

} // namespace gridhelm::gpu

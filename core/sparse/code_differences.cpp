// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/code_differences.h"

#include "core/support/error.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace gridhelm::sparse {
namespace {

/// Of a row by values; blocks without codes, and raw ones, have 0.
using Codes = std::vector<std::uint16_t>;

constexpr bool hasCodes(CodeWidth width)
{
    return width != CodeWidth::none && width != CodeWidth::raw;
}

void unpack(const std::byte *codes, CodeWidth width, std::uint16_t *to)
{
    for (std::size_t i = 0; i < quantisedBlock; ++i) {
        if (width == CodeWidth::word) {
            std::memcpy(to + i, codes + 2 * i, sizeof *to);
        } else if (width == CodeWidth::byte) {
            to[i] = static_cast<std::uint16_t>(static_cast<std::int8_t>(codes[i]));
        } else {
            const auto both = std::to_integer<int>(codes[i % 16]);
            const int half = i < 16 ? both & 0xf : both >> 4;
            to[i] = static_cast<std::uint16_t>(half >= 8 ? half - 16 : half);
        }
    }
}

/// Into zeros. Throws gridhelm::Error for codes that are none of this width.
void pack(const std::uint16_t *from, CodeWidth width, std::byte *codes)
{
    const int most = 1 << (static_cast<int>(width) - 1);
    for (std::size_t i = 0; i < quantisedBlock; ++i) {
        const int code = static_cast<std::int16_t>(from[i]);
        if (code < -most || code >= most)
            throw Error("a code is too large for its width");
        if (width == CodeWidth::word) {
            std::memcpy(codes + 2 * i, from + i, sizeof *from);
        } else if (width == CodeWidth::byte) {
            codes[i] = static_cast<std::byte>(code);
        } else {
            const auto half = static_cast<std::byte>(code & 0xf);
            codes[i % 16] |= i < 16 ? half : half << 4;
        }
    }
}

Codes codesOf(const QuantisedRow &row)
{
    Codes codes(row.blocks() * quantisedBlock, 0);
    for (std::size_t block = 0; block < row.blocks(); ++block)
        if (hasCodes(row.widths()[block]))
            unpack(row.codes(block), row.widths()[block], codes.data() + block * quantisedBlock);
    return codes;
}

/// Modulo 2^16, in which nothing is lost.
std::uint16_t foretold(const Codes &codes, std::size_t i, const CodeNeighbours &neighbours)
{
    const std::size_t value = neighbours.value, row = neighbours.row;
    const unsigned before = i >= value ? codes[i - value] : 0U;
    if (row == 0 || i < row)
        return static_cast<std::uint16_t>(before);
    const unsigned corner = i >= row + value ? codes[i - row - value] : 0U;
    return static_cast<std::uint16_t>(before + codes[i - row] - corner);
}

/// Small numbers of either sign as small ones without.
std::uint16_t folded(std::uint16_t difference)
{
    const auto number = static_cast<std::int16_t>(difference);
    return static_cast<std::uint16_t>((number < 0 ? -2 * number - 1 : 2 * number) & 0xffff);
}

std::uint16_t unfolded(std::uint16_t number)
{
    return static_cast<std::uint16_t>((number & 1) != 0 ? -((number + 1) / 2) : number / 2);
}

std::size_t codedBlocks(const QuantisedRow &row)
{
    return static_cast<std::size_t>(std::ranges::count_if(row.widths(), hasCodes));
}

std::size_t rawBlocks(const QuantisedRow &row)
{
    return static_cast<std::size_t>(std::ranges::count(row.widths(), CodeWidth::raw));
}

/// What rows of some length leave of codes, at some places: all those that have neighbours by any.
class Sample
{
public:
    /// `along`: of each code what it differs from the value before.
    Sample(const Codes &along, std::size_t first, std::size_t places)
        : m_along(along)
        , m_first(first)
        , m_step(std::max<std::size_t>(1, (along.size() - std::min(first, along.size())) / places))
    {
    }

    /// 0: without rows.
    std::uint64_t left(std::size_t row) const
    {
        std::uint64_t sum = 0;
        for (auto i = m_first; i < m_along.size(); i += m_step) {
            const unsigned before = row > 0 ? m_along[i - row] : 0U;
            const auto difference = static_cast<std::int16_t>(m_along[i] - before);
            sum += static_cast<std::uint64_t>(std::abs(int{difference}));
        }
        return sum;
    }

private:
    const Codes &m_along;
    std::size_t m_first, m_step;
};

} // namespace

CodeNeighbours likelyNeighbours(const QuantisedRow &row, std::size_t components)
{
    constexpr std::size_t longestRow = 4096, fewPlaces = 97, manyPlaces = 2039, candidates = 8;
    const auto value = static_cast<std::uint32_t>(components);
    const auto codes = codesOf(row);
    auto along = codes;
    for (auto i = components; i < codes.size(); ++i)
        along[i] = static_cast<std::uint16_t>(codes[i] - codes[i - components]);
    const auto longest = std::min(longestRow, codes.size() / 2 / components);
    const auto first = (longest + 1) * components;
    std::vector<std::pair<std::uint64_t, std::size_t>> found; // what is left, by which row
    const Sample few(along, first, fewPlaces), many(along, first, manyPlaces);
    for (std::size_t length = 2; length <= longest; ++length)
        found.emplace_back(few.left(length * components), length * components);
    const auto best = std::min(candidates, found.size());
    std::ranges::partial_sort(found, found.begin() + static_cast<std::ptrdiff_t>(best));
    found.resize(best);
    std::pair<std::uint64_t, std::size_t> least{many.left(0), 0};
    for (const auto &each : found)
        least = std::min(least, {many.left(each.second), each.second});
    return {value, static_cast<std::uint32_t>(least.second)};
}

std::vector<std::byte> differencesOf(const QuantisedRow &row, const CodeNeighbours &neighbours)
{
    const auto codes = codesOf(row);
    const auto whole = row.serialised();
    const auto head = QuantisedRow::headerBytes + row.blocks();
    const auto raw = codeBytes(CodeWidth::raw), coded = codedBlocks(row) * quantisedBlock;
    std::vector<std::byte> bytes(sizeof neighbours + head + rawBlocks(row) * raw + 2 * coded);
    auto *to = bytes.data();
    std::memcpy(to, &neighbours, sizeof neighbours);
    std::memcpy(to + sizeof neighbours, whole.data(), head);
    to += sizeof neighbours + head;
    for (std::size_t block = 0; block < row.blocks(); ++block)
        if (row.widths()[block] == CodeWidth::raw) {
            std::memcpy(to, row.codes(block), raw);
            to += raw;
        }
    for (std::size_t block = 0; block < row.blocks(); ++block) {
        if (!hasCodes(row.widths()[block]))
            continue;
        for (auto i = block * quantisedBlock; i < (block + 1) * quantisedBlock; ++i, ++to) {
            const auto number =
                folded(static_cast<std::uint16_t>(codes[i] - foretold(codes, i, neighbours)));
            to[0] = static_cast<std::byte>(number & 0xff);
            to[coded] = static_cast<std::byte>(number >> 8);
        }
    }
    return bytes;
}

QuantisedRow fromDifferences(std::span<const std::byte> bytes, std::size_t values)
{
    const auto refuse = [] { throw Error("these are not the differences of such a row"); };
    CodeNeighbours neighbours;
    const auto head = QuantisedRow::headerBytes + (values + quantisedBlock - 1) / quantisedBlock;
    if (bytes.size() < sizeof neighbours + head)
        refuse();
    std::memcpy(&neighbours, bytes.data(), sizeof neighbours);
    bytes = bytes.subspan(sizeof neighbours);
    if (neighbours.value == 0)
        refuse();
    // With codes that are all 0 it says where they are.
    std::size_t size = 0;
    for (const auto byte :
         bytes.subspan(QuantisedRow::headerBytes, head - QuantisedRow::headerBytes))
        size += codeBytes(static_cast<CodeWidth>(byte));
    std::vector<std::byte> whole(head + size);
    std::memcpy(whole.data(), bytes.data(), head);
    const auto empty = QuantisedRow::fromBytes(whole, values);
    bytes = bytes.subspan(head);
    const auto raw = codeBytes(CodeWidth::raw), coded = codedBlocks(empty) * quantisedBlock;
    if (bytes.size() != rawBlocks(empty) * raw + 2 * coded)
        refuse();
    const auto *from = bytes.data();
    const auto placeOf = [&](std::size_t block) {
        return whole.data() + head + (empty.codes(block) - empty.allCodes().data());
    };
    for (std::size_t block = 0; block < empty.blocks(); ++block)
        if (empty.widths()[block] == CodeWidth::raw) {
            std::memcpy(placeOf(block), from, raw);
            from += raw;
        }
    Codes codes(empty.blocks() * quantisedBlock, 0);
    for (std::size_t block = 0; block < empty.blocks(); ++block) {
        const auto width = empty.widths()[block];
        if (!hasCodes(width))
            continue;
        const auto first = block * quantisedBlock;
        for (auto i = first; i < first + quantisedBlock; ++i, ++from) {
            const auto number = static_cast<std::uint16_t>(
                std::to_integer<unsigned>(from[0]) | std::to_integer<unsigned>(from[coded]) << 8);
            codes[i] =
                static_cast<std::uint16_t>(foretold(codes, i, neighbours) + unfolded(number));
        }
        pack(codes.data() + first, width, placeOf(block));
    }
    return QuantisedRow::fromBytes(whole, values);
}

} // namespace gridhelm::sparse

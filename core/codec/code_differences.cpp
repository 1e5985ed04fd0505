// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/codec/code_differences.h"

#include "core/codec/row_codes.h"
#include "core/support/error.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace gridhelm::codec {
namespace {

/// Modulo 2^16, in which nothing is lost.
std::int16_t wrapped(int number)
{
    return static_cast<std::int16_t>(static_cast<std::uint16_t>(number & 0xffff));
}

int foretold(const RowCodes &codes, std::size_t i, const CodeNeighbours &neighbours)
{
    const std::size_t value = neighbours.value, row = neighbours.row;
    const int before = i >= value ? codes[i - value] : 0;
    if (row == 0 || i < row)
        return before;
    const int corner = i >= row + value ? codes[i - row - value] : 0;
    return before + codes[i - row] - corner;
}

/// Small numbers of either sign as small ones without.
std::uint16_t folded(std::int16_t number)
{
    return static_cast<std::uint16_t>(number < 0 ? -2 * number - 1 : 2 * number);
}

int unfolded(std::uint16_t number)
{
    return (number & 1) != 0 ? -((number + 1) / 2) : number / 2;
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
    Sample(const RowCodes &along, std::size_t first, std::size_t places)
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
            const int before = row > 0 ? m_along[i - row] : 0;
            sum += static_cast<std::uint64_t>(std::abs(int{wrapped(m_along[i] - before)}));
        }
        return sum;
    }

private:
    const RowCodes &m_along;
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
        along[i] = wrapped(codes[i] - codes[i - components]);
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
    const auto head = headBytes(row.values());
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
            const auto number = folded(wrapped(codes[i] - foretold(codes, i, neighbours)));
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
    const auto head = headBytes(values);
    if (bytes.size() < sizeof neighbours + head)
        refuse();
    std::memcpy(&neighbours, bytes.data(), sizeof neighbours);
    bytes = bytes.subspan(sizeof neighbours);
    if (neighbours.value == 0)
        refuse();
    RowBuilder row(bytes.first(head), values);
    const auto &layout = row.layout();
    bytes = bytes.subspan(head);
    const auto raw = codeBytes(CodeWidth::raw), coded = codedBlocks(layout) * quantisedBlock;
    if (bytes.size() != rawBlocks(layout) * raw + 2 * coded)
        refuse();
    const auto *from = bytes.data();
    for (std::size_t block = 0; block < layout.blocks(); ++block)
        if (layout.widths()[block] == CodeWidth::raw) {
            row.setRaw(block, from);
            from += raw;
        }
    RowCodes codes(layout.blocks() * quantisedBlock, 0);
    for (std::size_t block = 0; block < layout.blocks(); ++block) {
        if (!hasCodes(layout.widths()[block]))
            continue;
        const auto first = block * quantisedBlock;
        for (auto i = first; i < first + quantisedBlock; ++i, ++from) {
            const auto number = static_cast<std::uint16_t>(
                std::to_integer<unsigned>(from[0]) | std::to_integer<unsigned>(from[coded]) << 8);
            codes[i] = wrapped(foretold(codes, i, neighbours) + unfolded(number));
        }
        row.setCodes(block, codes.data() + first);
    }
    return row.finish();
}

} // namespace gridhelm::codec

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/codec/quantised_row.h"

#include "core/codec/row_codes.h"
#include "core/support/error.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

namespace gridhelm::codec {

static_assert(std::endian::native == std::endian::little, "codes are stored low byte first");

namespace {

/// What serialised() begins with.
struct Header
{
    float tolerance = 0;
    float step = 0;
    std::uint32_t values = 0;
    std::uint32_t codeUnits = 0; ///< of 16 bytes
};
static_assert(sizeof(Header) == QuantisedRow::headerBytes);

constexpr std::size_t blocksOf(std::size_t values)
{
    return (values + quantisedBlock - 1) / quantisedBlock;
}

/// The largest code of a width: as far from 0 on both sides.
constexpr int largestCode(CodeWidth width)
{
    return (1 << (static_cast<int>(width) - 1)) - 1;
}

int codeOf(float value, float step)
{
    return static_cast<int>(std::lround(static_cast<double>(value) / static_cast<double>(step)));
}

float decoded(int code, float step)
{
    return static_cast<float>(code) * step;
}

bool isWithin(std::span<const float> values, float step, double tolerance)
{
    return std::ranges::all_of(values, [&](float value) {
        const double changed = decoded(codeOf(value, step), step);
        return std::abs(changed - static_cast<double>(value)) <= tolerance;
    });
}

void writeCodes(std::span<const float> values, float step, CodeWidth width, std::byte *codes)
{
    for (std::size_t i = 0; i < values.size(); ++i)
        setCode(codes, width, i, codeOf(values[i], step));
}

float valueAt(const std::byte *codes, CodeWidth width, float step, std::size_t i)
{
    if (width == CodeWidth::none)
        return 0;
    if (width != CodeWidth::raw)
        return decoded(codeAt(codes, width, i), step);
    float value = 0;
    std::memcpy(&value, codes + sizeof(float) * i, sizeof value);
    return value;
}

/// Throws gridhelm::Error for values that are not finite.
CodeWidth widthOf(std::span<const float> block, double tolerance, float step)
{
    double largest = 0;
    for (const float value : block) {
        if (!std::isfinite(value))
            throw Error("values that are not finite numbers cannot be quantised: leave out the run "
                        "that has them");
        largest = std::max(largest, std::abs(static_cast<double>(value)));
    }
    const auto width = widthFor(largest, tolerance, step);
    return hasCodes(width) && !isWithin(block, step, tolerance) ? CodeWidth::raw : width;
}

} // namespace

float quantisationStep(double tolerance)
{
    // A code of 16 bits times the step is rounded by up to 2^-9 steps.
    constexpr double margin = 1.0 / 128;
    const double step = 2 * tolerance * (1 - margin);
    if (!(step >= static_cast<double>(std::numeric_limits<float>::min())))
        return 0; // subnormal numbers would be off by more
    return static_cast<float>(
        std::min(step, static_cast<double>(std::numeric_limits<float>::max())));
}

CodeWidth widthFor(double largestMagnitude, double tolerance, float step)
{
    if (largestMagnitude <= tolerance)
        return CodeWidth::none;
    if (step == 0)
        return CodeWidth::raw;
    const double codes = largestMagnitude / static_cast<double>(step);
    for (const auto width : {CodeWidth::nibble, CodeWidth::byte, CodeWidth::word}) {
        if (codes < largestCode(width) + 0.5)
            return width;
    }
    return CodeWidth::raw;
}

void QuantisedRow::addGroup(std::span<const CodeWidth> widths)
{
    m_orderStarts.push_back(static_cast<std::uint32_t>(m_order.size()));
    m_groupStarts.push_back(static_cast<std::uint32_t>(m_codes.size() / unit));
    const auto first = m_starts.size();
    m_starts.resize(first + widths.size(), 0);
    std::size_t size = 0;
    auto &counts = m_counts.emplace_back();
    for (std::size_t w = 1; w < codeWidths.size(); ++w) {
        for (std::size_t block = 0; block < widths.size(); ++block) {
            if (widths[block] != codeWidths[w])
                continue;
            m_order.push_back(static_cast<std::uint8_t>(block));
            m_starts[first + block] = static_cast<std::uint16_t>(size / unit);
            size += codeBytes(codeWidths[w]);
            ++counts[w - 1];
        }
    }
    m_widths.insert(m_widths.end(), widths.begin(), widths.end());
    m_codes.resize(m_codes.size() + size);
}

void QuantisedRow::addGroups(std::span<const CodeWidth> widths)
{
    for (std::size_t begin = 0; begin < widths.size(); begin += quantisedGroup)
        addGroup(widths.subspan(begin, std::min(quantisedGroup, widths.size() - begin)));
}

QuantisedRow QuantisedRow::encode(std::span<const float> values, double tolerance)
{
    if (!(std::isfinite(tolerance) && tolerance >= 0))
        throw Error("values cannot be stored with a tolerance of " + std::to_string(tolerance)
                    + ": choose 0, for exact ones, or a positive number");
    QuantisedRow row;
    row.m_values = values.size();
    // Rounded down, so that what is said holds.
    row.m_tolerance = static_cast<float>(
        std::min(tolerance, static_cast<double>(std::numeric_limits<float>::max())));
    if (static_cast<double>(row.m_tolerance) > tolerance)
        row.m_tolerance = std::nextafter(row.m_tolerance, 0.0F);
    row.m_step = quantisationStep(row.m_tolerance);
    const auto blockAt = [&](std::size_t begin) {
        return values.subspan(begin, std::min(quantisedBlock, values.size() - begin));
    };
    std::vector<CodeWidth> widths;
    for (std::size_t begin = 0; begin < values.size(); begin += quantisedBlock)
        widths.push_back(widthOf(blockAt(begin), row.m_tolerance, row.m_step));
    row.addGroups(widths);
    for (std::size_t block = 0; block < widths.size(); ++block) {
        const auto of = blockAt(block * quantisedBlock);
        std::byte *const codes = row.m_codes.data() + row.place(block);
        if (widths[block] == CodeWidth::raw)
            std::memcpy(codes, of.data(), of.size_bytes());
        else if (widths[block] != CodeWidth::none)
            writeCodes(of, row.m_step, widths[block], codes);
    }
    return row;
}

std::vector<std::byte> QuantisedRow::serialised() const
{
    const Header header{m_tolerance, m_step, static_cast<std::uint32_t>(m_values),
                        static_cast<std::uint32_t>(m_codes.size() / unit)};
    std::vector<std::byte> bytes(sizeof header + m_widths.size() + m_codes.size());
    std::memcpy(bytes.data(), &header, sizeof header);
    std::ranges::copy(std::as_bytes(std::span(m_widths)), bytes.data() + sizeof header);
    std::ranges::copy(m_codes, bytes.data() + sizeof header + m_widths.size());
    return bytes;
}

QuantisedRow QuantisedRow::fromBytes(std::span<const std::byte> bytes, std::size_t values)
{
    const auto refuse = [] { throw Error("these are not the quantised values of such a row"); };
    Header header;
    const auto blocks = blocksOf(values);
    if (bytes.size() < sizeof header + blocks)
        refuse();
    std::memcpy(&header, bytes.data(), sizeof header);
    if (header.values != values || !std::isfinite(header.tolerance) || header.tolerance < 0
        || !std::isfinite(header.step) || header.step < 0
        || bytes.size() - sizeof header - blocks != std::size_t{header.codeUnits} * unit)
        refuse();
    QuantisedRow row;
    row.m_values = values;
    row.m_tolerance = header.tolerance;
    row.m_step = header.step;
    std::size_t size = 0;
    std::vector<CodeWidth> widths;
    for (const auto byte : bytes.subspan(sizeof header, blocks)) {
        const auto width = static_cast<CodeWidth>(byte);
        if (std::ranges::find(codeWidths, width) == codeWidths.end())
            refuse();
        size += codeBytes(width);
        widths.push_back(width);
    }
    if (size != std::size_t{header.codeUnits} * unit)
        refuse();
    row.addGroups(widths);
    std::ranges::copy(bytes.subspan(sizeof header + blocks), row.m_codes.begin());
    return row;
}

void QuantisedRow::append(const QuantisedRow &more)
{
    if (m_values == 0) {
        *this = more;
        return;
    }
    if (m_values % groupValues != 0 || more.m_step != m_step || more.m_tolerance != m_tolerance)
        throw Error("chunks of a row that were quantised in different ways cannot be put together");
    m_values += more.m_values;
    const auto before = m_codes.size();
    addGroups(more.m_widths);
    std::ranges::copy(more.m_codes, m_codes.begin() + static_cast<std::ptrdiff_t>(before));
}

std::size_t QuantisedRow::tableBytes(std::size_t values)
{
    const auto blocks = blocksOf(values);
    const auto groups = (blocks + quantisedGroup - 1) / quantisedGroup;
    return blocks * (sizeof(CodeWidth) + sizeof(std::uint16_t))
           + groups * 2 * sizeof(std::uint32_t);
}

void QuantisedRow::shrinkToFit()
{
    m_widths.shrink_to_fit();
    m_counts.shrink_to_fit();
    m_order.shrink_to_fit();
    m_orderStarts.shrink_to_fit();
    m_groupStarts.shrink_to_fit();
    m_starts.shrink_to_fit();
    m_codes.shrink_to_fit();
}

namespace {

using Block = std::array<float, quantisedBlock>;

/// All values of a block; the width is asked for once, so that the loops have no branches.
void decodeBlock(const std::byte *codes, CodeWidth width, float step, Block &values)
{
    switch (width) {
    case CodeWidth::none:
        values.fill(0);
        return;
    case CodeWidth::nibble:
        for (std::size_t i = 0; i < quantisedBlock / 2; ++i) {
            const auto both = static_cast<std::int8_t>(codes[i]);
            const auto low = static_cast<std::int8_t>(static_cast<std::uint8_t>(both) << 4);
            values[i] = decoded(low >> 4, step);
            values[i + quantisedBlock / 2] = decoded(both >> 4, step);
        }
        return;
    case CodeWidth::byte:
        for (std::size_t i = 0; i < quantisedBlock; ++i)
            values[i] = decoded(static_cast<std::int8_t>(codes[i]), step);
        return;
    case CodeWidth::word: {
        std::array<std::int16_t, quantisedBlock> words;
        std::memcpy(words.data(), codes, sizeof words);
        for (std::size_t i = 0; i < quantisedBlock; ++i)
            values[i] = decoded(words[i], step);
        return;
    }
    case CodeWidth::raw:
        std::memcpy(values.data(), codes, sizeof values);
    }
}

} // namespace

void QuantisedRow::decode(std::size_t first, std::span<float> values) const
{
    Block whole;
    for (std::size_t done = 0; done < values.size();) {
        const auto block = (first + done) / quantisedBlock;
        const auto skipped = (first + done) % quantisedBlock;
        const auto count = std::min(quantisedBlock - skipped, values.size() - done);
        decodeBlock(codes(block), m_widths[block], m_step, whole);
        std::copy_n(whole.data() + skipped, count, values.data() + done);
        done += count;
    }
}

float QuantisedRow::value(std::size_t index) const
{
    const auto block = index / quantisedBlock;
    return valueAt(codes(block), m_widths[block], m_step, index % quantisedBlock);
}

} // namespace gridhelm::codec

// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows of values in as few bits as a bound on their errors allows: what a combination reads is what
// it takes, and so its time (docs/theory/quantisation.md).
#pragma once

#include "core/linalg/combination.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gridhelm::codec {

/// Values that share a width.
inline constexpr std::size_t quantisedBlock = 32;

/// Blocks whose codes are stored by their widths, so that loops over them do not branch.
inline constexpr std::size_t quantisedGroup = 32;
inline constexpr std::size_t groupValues = quantisedBlock * quantisedGroup;

/// Bits of each value of a block. All of 0 bits are 0; those of 4, 8 and 16 are signed multiples of
/// the row's step; those of 32 are float32, exact: where no width fits.
enum class CodeWidth : std::uint8_t { none = 0, nibble = 4, byte = 8, word = 16, raw = 32 };
inline constexpr std::array codeWidths{CodeWidth::none, CodeWidth::nibble, CodeWidth::byte,
                                       CodeWidth::word, CodeWidth::raw};

/// Of a block: always a multiple of 16.
constexpr std::size_t codeBytes(CodeWidth width)
{
    return static_cast<std::size_t>(width) * quantisedBlock / 8;
}

/// What the blocks of a row are multiples of, for values that may change by `tolerance`: a little
/// less than twice as much, so that float32 does not add to it. 0 where float32 has no such number:
/// nothing is quantised then.
float quantisationStep(double tolerance);

/// The fewest bits for a block whose largest magnitude is this; `step` belongs to the tolerance.
CodeWidth widthFor(double largestMagnitude, double tolerance, float step);

/// What a combination reads of a group: how many of its blocks have codes of 4, 8, 16 and 32 bits.
using WidthCounts = std::array<std::uint8_t, 4>;

/// Neighbouring groups of a row, as a combination reads them.
struct QuantisedGroups
{
    const WidthCounts *counts; ///< of each group
    const std::uint8_t *order; ///< numbers of blocks in their group, in the order of the codes
    const std::byte *codes;
    std::size_t groups;
    float step;
};

/// One row. Groups follow each other; in each, codes of 4 bits come first, then those of 8, 16 and
/// 32, of the same width in the order of the blocks. A block's codes follow each other, low byte
/// first; of 4 bits value i < 16 is the low half of byte i, value 16 + i the high one. Values
/// behind the end of the last block are 0.
class QuantisedRow
{
public:
    /// Of what serialised() begins with; a byte with the width of each block follows.
    static constexpr std::size_t headerBytes = 16;

    QuantisedRow() = default;

    /// |value - decoded| <= tolerance for each value, compared after encoding. Throws
    /// gridhelm::Error for values that are not finite, and a tolerance that is not, or below 0.
    static QuantisedRow encode(std::span<const float> values, double tolerance);

    /// As they are stored: tolerance, step, number of values, widths, codes. serialised() of a row
    /// that was put together of several gives one, too.
    std::vector<std::byte> serialised() const;
    /// Throws gridhelm::Error if these are not so many values.
    static QuantisedRow fromBytes(std::span<const std::byte> bytes, std::size_t values);

    /// More values behind these, of the same step and tolerance; all rows but the last that is
    /// appended end with a whole group. Throws gridhelm::Error otherwise.
    void append(const QuantisedRow &more);

    std::size_t values() const { return m_values; }
    std::size_t blocks() const { return m_widths.size(); }
    double tolerance() const { return m_tolerance; }
    float step() const { return m_step; }
    std::span<const CodeWidth> widths() const { return m_widths; }
    /// Of all groups, one after the other.
    std::span<const std::byte> allCodes() const { return m_codes; }
    /// The codes of a block.
    const std::byte *codes(std::size_t block) const { return m_codes.data() + place(block); }
    QuantisedGroups groups(std::size_t begin, std::size_t end) const
    {
        return {m_counts.data() + begin, m_order.data() + m_orderStarts[begin],
                m_codes.data() + unit * m_groupStarts[begin], end - begin, m_step};
    }
    /// What a combination reads.
    std::size_t bytes() const
    {
        return m_counts.size() * sizeof(WidthCounts) + m_order.size() + m_codes.size();
    }
    /// What it has in memory beside these, if so many values are in it: tables of where codes are.
    static std::size_t tableBytes(std::size_t values);
    /// Gives back what append() has reserved for more.
    void shrinkToFit();

    /// Decoded values [first, first + values.size()), block by block.
    void decode(std::size_t first, std::span<float> values) const;
    float value(std::size_t index) const;

private:
    static constexpr std::size_t unit = 16; ///< bytes

    std::size_t place(std::size_t block) const
    {
        return unit * (std::size_t{m_groupStarts[block / quantisedGroup]} + m_starts[block]);
    }
    /// With codes that are all 0.
    void addGroup(std::span<const CodeWidth> widths);
    void addGroups(std::span<const CodeWidth> widths);

    std::size_t m_values = 0;
    float m_tolerance = 0;
    float m_step = 0;
    std::vector<CodeWidth> m_widths;
    std::vector<WidthCounts> m_counts;
    std::vector<std::uint8_t> m_order;        ///< without blocks of 0 bits
    std::vector<std::uint32_t> m_orderStarts; ///< of groups
    // Where codes begin, in units: of each group, and of a block in its group.
    std::vector<std::uint32_t> m_groupStarts;
    std::vector<std::uint16_t> m_starts;
    std::vector<std::byte> m_codes;
};

/// Rows of the same length; they must outlive it. Those that no weight names may be empty.
struct QuantisedRows
{
    std::span<const QuantisedRow> rows;
    std::size_t columns = 0;

    /// For what is common to all matrices: linalg::requireFitting().
    linalg::MatrixView<const float> shape() const
    {
        return {nullptr, rows.size(), columns, columns};
    }
};

} // namespace gridhelm::codec

namespace gridhelm::linalg {

/// combine() and combineColumns() of core/linalg for quantised rows, with the same meanings and
/// errors: codes are decoded in registers, and no row is ever written as floats. The results are
/// those of the decoded rows, to float32's rounding.
void combine(const SparseWeights &weights, const codec::QuantisedRows &matrix,
             std::size_t firstColumn, std::span<float> y, std::span<float> indicator,
             const CpuDevice &cpu);
void combineColumns(const SparseWeights &weights, const codec::QuantisedRows &matrix,
                    std::span<const std::uint32_t> columns, std::span<float> y,
                    std::span<float> indicator, const CpuDevice &cpu);

} // namespace gridhelm::linalg

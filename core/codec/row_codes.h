// SPDX-License-Identifier: GPL-3.0-or-later
//
// Codes of quantised rows as numbers, for storage. Private to core/codec.
#pragma once

#include "core/codec/quantised_row.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace gridhelm::codec {

/// Which are multiples of the step.
constexpr bool hasCodes(CodeWidth width)
{
    return width != CodeWidth::none && width != CodeWidth::raw;
}

/// Code i of a block that has some.
inline int codeAt(const std::byte *codes, CodeWidth width, std::size_t i)
{
    if (width == CodeWidth::word) {
        std::int16_t word = 0;
        std::memcpy(&word, codes + 2 * i, sizeof word);
        return word;
    }
    if (width == CodeWidth::byte)
        return static_cast<std::int8_t>(std::to_integer<int>(codes[i]));
    const auto both = std::to_integer<int>(codes[i % 16]);
    const int half = i < 16 ? both & 0xf : both >> 4;
    return half >= 8 ? half - 16 : half;
}

/// The same, into zeros; the code is one of this width.
inline void setCode(std::byte *codes, CodeWidth width, std::size_t i, int code)
{
    if (width == CodeWidth::word) {
        const auto word = static_cast<std::int16_t>(code);
        std::memcpy(codes + 2 * i, &word, sizeof word);
    } else if (width == CodeWidth::byte) {
        codes[i] = static_cast<std::byte>(code);
    } else {
        const auto half = static_cast<std::byte>(code & 0xf);
        codes[i % 16] |= i < 16 ? half : half << 4;
    }
}

/// Of a row by values; blocks without codes, and raw ones, have 0.
using RowCodes = std::vector<std::int16_t>;
RowCodes codesOf(const QuantisedRow &row);

/// Of what serialised() begins with, up to the codes, of so many values.
constexpr std::size_t headBytes(std::size_t values)
{
    return QuantisedRow::headerBytes + (values + quantisedBlock - 1) / quantisedBlock;
}

/// A row, block by block, whose widths are known.
class RowBuilder
{
public:
    /// From what serialised() begins with. Throws gridhelm::Error if that is of no such row.
    RowBuilder(std::span<const std::byte> head, std::size_t values);

    /// With codes that are all 0.
    const QuantisedRow &layout() const { return m_layout; }

    /// quantisedBlock of them, of a block that has codes. Throws gridhelm::Error for codes that are
    /// none of its width.
    void setCodes(std::size_t block, const std::int16_t *codes);
    /// Of a block without: its bytes, as many as it has.
    void setRaw(std::size_t block, const std::byte *bytes);

    QuantisedRow finish() const;

private:
    std::byte *placeOf(std::size_t block);

    std::size_t m_values;
    std::vector<std::byte> m_whole;
    QuantisedRow m_layout;
};

} // namespace gridhelm::codec

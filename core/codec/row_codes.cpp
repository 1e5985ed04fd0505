// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/codec/row_codes.h"

#include "core/support/error.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace gridhelm::codec {

RowCodes codesOf(const QuantisedRow &row)
{
    RowCodes codes(row.blocks() * quantisedBlock, 0);
    for (std::size_t block = 0; block < row.blocks(); ++block) {
        const auto width = row.widths()[block];
        if (!hasCodes(width))
            continue;
        for (std::size_t i = 0; i < quantisedBlock; ++i)
            codes[block * quantisedBlock + i] =
                static_cast<std::int16_t>(codeAt(row.codes(block), width, i));
    }
    return codes;
}

RowBuilder::RowBuilder(std::span<const std::byte> head, std::size_t values)
    : m_values(values)
{
    if (head.size() != headBytes(values))
        throw Error("a quantised row of " + std::to_string(values)
                    + " values does not begin with so many bytes");
    std::size_t size = 0;
    for (const auto byte : head.subspan(QuantisedRow::headerBytes))
        size += codeBytes(static_cast<CodeWidth>(byte));
    m_whole.resize(head.size() + size);
    std::ranges::copy(head, m_whole.begin());
    m_layout = QuantisedRow::fromBytes(m_whole, values);
}

void RowBuilder::setCodes(std::size_t block, const std::int16_t *codes)
{
    const auto width = m_layout.widths()[block];
    const int most = 1 << (static_cast<int>(width) - 1);
    for (std::size_t i = 0; i < quantisedBlock; ++i) {
        if (codes[i] < -most || codes[i] >= most)
            throw Error("a code is too large for its width");
        setCode(placeOf(block), width, i, codes[i]);
    }
}

void RowBuilder::setRaw(std::size_t block, const std::byte *bytes)
{
    std::memcpy(placeOf(block), bytes, codeBytes(m_layout.widths()[block]));
}

QuantisedRow RowBuilder::finish() const
{
    return QuantisedRow::fromBytes(m_whole, m_values);
}

std::byte *RowBuilder::placeOf(std::size_t block)
{
    return m_whole.data() + headBytes(m_values)
           + (m_layout.codes(block) - m_layout.allCodes().data());
}

} // namespace gridhelm::codec

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/sparse/device_quantised_row.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace gridhelm::gpu {
namespace {

using codec::CodeWidth;
using codec::QuantisedRow;

/// In the order of GroupHeader::widths.
std::uint32_t numberOf(CodeWidth width)
{
    return static_cast<std::uint32_t>(std::ranges::find(codec::codeWidths, width)
                                      - codec::codeWidths.begin());
}

std::vector<GroupHeader> headersOf(const QuantisedRow &row)
{
    constexpr std::size_t unit = 16;
    std::vector<GroupHeader> headers;
    std::uint32_t codes = 0;
    const auto widths = row.widths();
    for (std::size_t block = 0; block < widths.size(); ++block) {
        const auto inGroup = block % codec::quantisedGroup;
        if (inGroup == 0)
            headers.push_back({{}, codes});
        for (std::uint32_t plane = 0; plane < 3; ++plane)
            headers.back().widths[plane] |= (numberOf(widths[block]) >> plane & 1U) << inGroup;
        codes += static_cast<std::uint32_t>(codeBytes(widths[block]) / unit);
    }
    return headers;
}

RowFactors factorsOf(double weight, float step)
{
    const auto rounded = static_cast<float>(weight);
    return {rounded, rounded * step};
}

} // namespace

DeviceQuantisedRow::DeviceQuantisedRow(const QuantisedRow &row)
    : m_step(row.step())
    , m_headers(std::span<const GroupHeader>(headersOf(row)))
    , m_codes(row.allCodes())
{
}

WeightedQuantisedRow DeviceQuantisedRow::weighted(double weight, double last) const
{
    return {m_headers.data(), m_codes.data(), factorsOf(weight, m_step), factorsOf(last, m_step)};
}

} // namespace gridhelm::gpu

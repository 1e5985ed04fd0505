// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace gridhelm {

/// FNV-1a of several texts in order, to tell things apart that share a folder; no protection
/// against somebody who wants two to be the same.
class TextHash
{
public:
    void add(std::string_view text)
    {
        for (const char c : text)
            addByte(static_cast<unsigned char>(c));
        addByte('\n');
    }
    /// 16 digits.
    std::string text() const { return fmt::format("{:016x}", m_hash); }

private:
    void addByte(unsigned char byte) { m_hash = (m_hash ^ byte) * 1099511628211U; }

    std::uint64_t m_hash = 14695981039346656037U;
};

} // namespace gridhelm

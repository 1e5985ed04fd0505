// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/support/descriptor.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gridhelm::data {

/// What a command prints, of any length: the beginning and the end are kept, and how much was left
/// out between them.
class BoundedLog
{
public:
    static constexpr std::size_t kept = 64 << 10; ///< of the beginning, and of the end

    /// The beginning is in the file as soon as it comes, the rest with finish().
    explicit BoundedLog(Descriptor file);

    void add(std::string_view bytes);
    /// Nothing can be added any more.
    void finish();

    std::string text() const; ///< as UTF-8, without zero bytes

private:
    std::string leftOut() const; ///< a line; empty if nothing was

    Descriptor m_file;
    std::string m_head, m_tail; ///< the latter may hold more than is kept
    std::uint64_t m_bytes = 0;
};

} // namespace gridhelm::data

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/support/descriptor.h"
#include "core/support/output_file.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gridhelm::data {

/// A ZIP archive whose members are stored as they are and have sizes that are known beforehand.
/// Libraries for archives write one member after the other; here all places are known from the
/// beginning, so that members can be filled side by side and nothing is kept in memory. Archives
/// and members beyond 4 GiB are ZIP64 (PKWARE's APPNOTE 6.3.10, 4.3.7 to 4.3.16 and 4.5.3). The
/// same contents give the same bytes: there are no times in it.
class StoredZip
{
public:
    struct Member
    {
        std::string name; ///< UTF-8, less than 64 KiB
        std::uint64_t bytes = 0;
    };

    static constexpr std::uint64_t largestOf32Bits = 0xFFFFFFFE; ///< one more means "see ZIP64"

    /// Takes the room on the disk, where the file system can. Writes to file.temporaryPath(); to
    /// commit() is the caller's part. `largest` is what numbers of 32 bits are used for (for tests,
    /// which need no 4 GiB then). Throws gridhelm::Error if the file cannot be written, as all
    /// below.
    StoredZip(const OutputFile &file, std::vector<Member> members,
              std::uint64_t largest = largestOf32Bits);

    /// The next bytes of a member, no more than are left of it.
    void append(std::size_t member, std::span<const std::byte> bytes);

    /// To be called when all members are full.
    void close();

    /// Of the whole archive.
    std::uint64_t bytes() const { return m_bytes; }

private:
    struct State
    {
        Member member;
        std::uint64_t headerAt = 0;
        std::uint64_t dataAt = 0;
        std::uint64_t filled = 0;
        std::uint32_t checksum = 0;
    };

    std::string localHeader(const State &state) const;
    std::string directoryEntry(const State &state) const;
    std::string directory() const;
    void write(std::uint64_t at, std::span<const std::byte> bytes);
    void write(std::uint64_t at, std::string_view bytes);

    const OutputFile &m_file;
    std::uint64_t m_largest;
    std::vector<State> m_members;
    std::uint64_t m_directoryAt = 0;
    std::uint64_t m_bytes = 0;
    Descriptor m_descriptor;
};

} // namespace gridhelm::data

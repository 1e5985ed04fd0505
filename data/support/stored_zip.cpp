// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/support/stored_zip.h"

#include "core/support/checked_math.h"
#include "core/support/error.h"

#include <zlib.h>

#include <bit>
#include <cerrno>
#include <fcntl.h>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace gridhelm::data {

namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie");

template <typename Number>
void put(std::string &to, Number number)
{
    to.append(reinterpret_cast<const char *>(&number), sizeof number);
}

constexpr std::uint16_t versionNeeded = 45;                     // of those that know ZIP64
constexpr std::uint16_t versionMadeBy = 3 << 8 | versionNeeded; // on Unix: there are permissions
constexpr std::uint32_t permissions = 0100644U << 16;
constexpr std::uint16_t namesAreUtf8 = 1 << 11;
constexpr std::uint16_t firstDay = 1 << 5 | 1; // 1980-01-01, the first that there is
constexpr std::uint16_t zip64Tag = 1;
constexpr std::uint32_t seeZip64 = 0xFFFFFFFF;

constexpr std::uint64_t localHeaderBytes = 30 + 20; // and the name

/// What local headers and entries of the directory have in common.
void putDescription(std::string &to, std::uint32_t checksum)
{
    put(to, versionNeeded);
    put(to, namesAreUtf8);
    put(to, std::uint16_t{0}); // stored
    put(to, std::uint16_t{0}); // midnight
    put(to, firstDay);
    put(to, checksum);
}

} // namespace

StoredZip::StoredZip(const OutputFile &file, std::vector<Member> members, std::uint64_t largest)
    : m_file(file)
    , m_largest(largest)
    , m_descriptor(::open(file.temporaryPath().c_str(), O_WRONLY | O_CLOEXEC))
{
    if (!m_descriptor)
        throwFileError(file.path());
    for (auto &member : members) {
        if (member.name.size() > std::numeric_limits<std::uint16_t>::max())
            throw Error(file.path().string() + " has no room for a name as long as "
                        + member.name.substr(0, 32) + "...: give it a shorter one");
        const auto headerAt = m_directoryAt;
        const auto dataAt = checkedAdd(headerAt, localHeaderBytes + member.name.size());
        m_directoryAt = checkedAdd(dataAt, member.bytes);
        m_members.push_back({std::move(member), headerAt, dataAt, 0, 0});
    }
    m_bytes = checkedAdd(m_directoryAt, directory().size());
    if (m_bytes > static_cast<std::uint64_t>(std::numeric_limits<off_t>::max())) {
        errno = EFBIG;
        throwFileError(file.path());
    }
#ifdef __linux__
    // A disk that is too small says so now and not after hours of work. Some file systems cannot.
    if (::fallocate(m_descriptor.get(), 0, 0, static_cast<off_t>(m_bytes)) != 0
        && (errno == ENOSPC || errno == EDQUOT || errno == EFBIG))
        throwFileError(file.path());
#endif
}

void StoredZip::append(std::size_t member, std::span<const std::byte> bytes)
{
    auto &state = m_members.at(member);
    if (bytes.empty()) // whose checksum, for zlib, would begin anew
        return;
    if (bytes.size() > state.member.bytes - state.filled)
        throw std::logic_error("more bytes than member " + state.member.name + " has");
    write(state.dataAt + state.filled, bytes);
    state.filled += bytes.size();
    state.checksum = static_cast<std::uint32_t>(
        ::crc32_z(state.checksum, reinterpret_cast<const Bytef *>(bytes.data()), bytes.size()));
}

/// Its ZIP64 field is always there (NumPy's own archives have it, too), so that places do not
/// depend on sizes.
std::string StoredZip::localHeader(const State &state) const
{
    std::string header = "PK\3\4";
    putDescription(header, state.checksum);
    put(header, seeZip64);
    put(header, seeZip64);
    put(header, static_cast<std::uint16_t>(state.member.name.size()));
    put(header, std::uint16_t{20});
    header += state.member.name;
    put(header, zip64Tag);
    put(header, std::uint16_t{16});
    put(header, state.member.bytes);
    put(header, state.member.bytes); // compressed
    return header;
}

std::string StoredZip::directoryEntry(const State &state) const
{
    const bool isLarge = state.member.bytes > m_largest, isFar = state.headerAt > m_largest;
    std::string zip64;
    if (isLarge) {
        put(zip64, state.member.bytes);
        put(zip64, state.member.bytes);
    }
    if (isFar)
        put(zip64, state.headerAt);

    std::string entry = "PK\1\2";
    put(entry, versionMadeBy);
    putDescription(entry, state.checksum);
    const auto bytes = isLarge ? seeZip64 : static_cast<std::uint32_t>(state.member.bytes);
    put(entry, bytes);
    put(entry, bytes);
    put(entry, static_cast<std::uint16_t>(state.member.name.size()));
    put(entry, static_cast<std::uint16_t>(zip64.empty() ? 0 : 4 + zip64.size()));
    put(entry, std::uint16_t{0}); // no comment
    put(entry, std::uint16_t{0}); // on the first disk
    put(entry, std::uint16_t{0}); // internal attributes
    put(entry, permissions);
    put(entry, isFar ? seeZip64 : static_cast<std::uint32_t>(state.headerAt));
    entry += state.member.name;
    if (zip64.empty())
        return entry;
    put(entry, zip64Tag);
    put(entry, static_cast<std::uint16_t>(zip64.size()));
    return entry + zip64;
}

std::string StoredZip::directory() const
{
    std::string text;
    for (const auto &state : m_members)
        text += directoryEntry(state);
    const std::uint64_t size = text.size(), count = m_members.size();
    const bool isMany = count >= std::numeric_limits<std::uint16_t>::max();
    const bool isLarge = size > m_largest, isFar = m_directoryAt > m_largest;
    if (isMany || isLarge || isFar) {
        const auto recordAt = m_directoryAt + size;
        text += "PK\6\6";
        put(text, std::uint64_t{44}); // bytes of the record that follow
        put(text, versionMadeBy);
        put(text, versionNeeded);
        put(text, std::uint32_t{0}); // this disk, and that of the directory
        put(text, std::uint32_t{0});
        put(text, count);
        put(text, count);
        put(text, size);
        put(text, m_directoryAt);
        text += "PK\6\7";
        put(text, std::uint32_t{0});
        put(text, recordAt);
        put(text, std::uint32_t{1}); // disks
    }
    text += "PK\5\6";
    put(text, std::uint16_t{0});
    put(text, std::uint16_t{0});
    const auto shortCount = static_cast<std::uint16_t>(isMany ? 0xFFFF : count);
    put(text, shortCount);
    put(text, shortCount);
    put(text, isLarge ? seeZip64 : static_cast<std::uint32_t>(size));
    put(text, isFar ? seeZip64 : static_cast<std::uint32_t>(m_directoryAt));
    put(text, std::uint16_t{0}); // no comment
    return text;
}

void StoredZip::close()
{
    for (const auto &state : m_members) {
        if (state.filled != state.member.bytes)
            throw std::logic_error("member " + state.member.name + " is not full");
        write(state.headerAt, localHeader(state));
    }
    write(m_directoryAt, directory());
    if (::close(m_descriptor.release()) != 0)
        throwFileError(m_file.path());
}

void StoredZip::write(std::uint64_t at, std::span<const std::byte> bytes)
{
    while (!bytes.empty()) {
        const auto written =
            ::pwrite(m_descriptor.get(), bytes.data(), bytes.size(), static_cast<off_t>(at));
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            throwFileError(m_file.path());
        bytes = bytes.subspan(static_cast<std::size_t>(written));
        at += static_cast<std::uint64_t>(written);
    }
}

void StoredZip::write(std::uint64_t at, std::string_view bytes)
{
    write(at, std::as_bytes(std::span(bytes)));
}

} // namespace gridhelm::data

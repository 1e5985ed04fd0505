// SPDX-License-Identifier: GPL-3.0-or-later
//
// Archives for NumPy, read by the book and not by what wrote them: the directory at the end, every
// member's header against it, every checksum.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm::test {

struct NpzArray
{
    std::string header; ///< "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"
    std::string bytes;

    template <typename Value>
    std::vector<Value> values() const
    {
        std::vector<Value> result(bytes.size() / sizeof(Value));
        std::memcpy(result.data(), bytes.data(), result.size() * sizeof(Value));
        return result;
    }
    bool is(const std::string &type, const std::string &shape) const
    {
        return header
               == "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }";
    }
};

/// The checksum of ZIP, bit by bit.
inline std::uint32_t crc32Of(std::string_view bytes)
{
    std::uint32_t crc = ~0U;
    for (const char c : bytes) {
        crc ^= static_cast<std::uint8_t>(c);
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc & 1U) != 0 ? crc >> 1 ^ 0xEDB88320U : crc >> 1;
    }
    return ~crc;
}

class ZipReader
{
public:
    /// Throws std::runtime_error for what is no sound archive of stored members.
    explicit ZipReader(std::string bytes)
        : m_bytes(std::move(bytes))
    {
        static_assert(std::endian::native == std::endian::little);
        const auto end = m_bytes.size() - 22; // there is no comment
        require(end, "PK\5\6");
        std::uint64_t count = number<std::uint16_t>(end + 10);
        std::uint64_t size = number<std::uint32_t>(end + 12), at = number<std::uint32_t>(end + 16);
        std::uint64_t after = end;
        m_isZip64 = count == 0xFFFF || size == 0xFFFFFFFF || at == 0xFFFFFFFF;
        if (m_isZip64) {
            require(end - 20, "PK\6\7");
            after = number<std::uint64_t>(end - 20 + 8);
            require(after, "PK\6\6");
            count = number<std::uint64_t>(after + 32);
            size = number<std::uint64_t>(after + 40);
            at = number<std::uint64_t>(after + 48);
        }
        if (at + size != after)
            throw std::runtime_error("the directory does not end where it says");
        for (; count > 0; --count)
            at = readEntry(at);
        if (at != after)
            throw std::runtime_error("the directory has another length than it says");
    }

    const std::map<std::string, std::string> &members() const { return m_members; }
    bool isZip64() const { return m_isZip64; }

private:
    template <typename Number>
    Number number(std::uint64_t at) const
    {
        Number result{};
        if (at + sizeof result > m_bytes.size())
            throw std::runtime_error("the archive is cut off");
        std::memcpy(&result, m_bytes.data() + at, sizeof result);
        return result;
    }
    void require(std::uint64_t at, std::string_view tag) const
    {
        if (at > m_bytes.size() || std::string_view(m_bytes).substr(at, tag.size()) != tag)
            throw std::runtime_error("a tag is missing");
    }
    void same(std::uint64_t a, std::uint64_t b) const
    {
        if (a != b)
            throw std::runtime_error("a header says " + std::to_string(a) + " and another one "
                                     + std::to_string(b));
    }

    std::uint64_t readEntry(std::uint64_t at)
    {
        require(at, "PK\1\2");
        same(number<std::uint16_t>(at + 10), 0); // stored
        const auto crc = number<std::uint32_t>(at + 16);
        std::uint64_t packed = number<std::uint32_t>(at + 20),
                      size = number<std::uint32_t>(at + 24);
        std::uint64_t header = number<std::uint32_t>(at + 42);
        const auto nameSize = number<std::uint16_t>(at + 28);
        const auto extraSize = number<std::uint16_t>(at + 30);
        const auto name = m_bytes.substr(at + 46, nameSize);
        auto extra = at + 46 + nameSize;
        if (extraSize > 0) {
            same(number<std::uint16_t>(extra), 1);
            same(number<std::uint16_t>(extra + 2), extraSize - 4U);
            extra += 4;
            for (auto *field : {&size, &packed, &header})
                if (*field == 0xFFFFFFFF) {
                    *field = number<std::uint64_t>(extra);
                    extra += 8;
                }
        }
        same(packed, size);
        same(extra, at + 46 + nameSize + extraSize);
        readMember(name, header, size, crc);
        return extra;
    }

    void readMember(const std::string &name, std::uint64_t header, std::uint64_t size,
                    std::uint32_t crc)
    {
        require(header, "PK\3\4");
        same(number<std::uint32_t>(header + 14), crc);
        same(number<std::uint32_t>(header + 18), 0xFFFFFFFF);
        same(number<std::uint32_t>(header + 22), 0xFFFFFFFF);
        same(number<std::uint16_t>(header + 26), name.size());
        same(number<std::uint16_t>(header + 28), 20);
        if (m_bytes.substr(header + 30, name.size()) != name)
            throw std::runtime_error("a member has two names");
        const auto extra = header + 30 + name.size();
        same(number<std::uint32_t>(extra), 1 | 16 << 16);
        same(number<std::uint64_t>(extra + 4), size);
        same(number<std::uint64_t>(extra + 12), size);
        auto bytes = m_bytes.substr(extra + 20, size);
        same(bytes.size(), size);
        same(crc32Of(bytes), crc);
        if (!m_members.emplace(name, std::move(bytes)).second)
            throw std::runtime_error("two members have one name");
    }

    std::string m_bytes;
    std::map<std::string, std::string> m_members;
    bool m_isZip64 = false;
};

inline std::string allBytesOf(const std::filesystem::path &path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Throws as ZipReader does.
inline std::map<std::string, NpzArray> readNpz(const std::filesystem::path &path)
{
    std::map<std::string, NpzArray> arrays;
    const ZipReader zip(allBytesOf(path));
    for (const auto &[name, bytes] : zip.members()) {
        if (!name.ends_with(".npy") || !bytes.starts_with(std::string("\x93NUMPY\1\0", 8)))
            throw std::runtime_error(name + " is no array");
        const auto size = static_cast<std::size_t>(static_cast<std::uint8_t>(bytes.at(8)))
                          + 256U * static_cast<std::uint8_t>(bytes.at(9));
        auto header = bytes.substr(10, size);
        if ((10 + size) % 64 != 0 || header.size() != size || header.back() != '\n')
            throw std::runtime_error(name + " has a header of another length");
        header.erase(header.find_last_not_of(" \n") + 1);
        arrays[name.substr(0, name.size() - 4)] = {header, bytes.substr(10 + size)};
    }
    return arrays;
}

} // namespace gridhelm::test

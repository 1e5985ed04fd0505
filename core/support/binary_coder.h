// SPDX-License-Identifier: GPL-3.0-or-later
//
// Bits in as many bytes as they are surprising: an adaptive binary arithmetic coder, as a range
// coder without carries [Martin1979]. Encoder and decoder are used by the same code: what encodes
// is told each bit and returns it, what decodes returns what was told.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace gridhelm {

/// How probable it is that a bit is set, as far as those before tell: the mean of an estimate by
/// some 16 bits, which learns soon, and one by some 128, which learns well; by all, while these are
/// fewer. Whole numbers alone, so that every machine has the same.
class AdaptiveBit
{
public:
    /// In units of 2^-16: never 0 or 1.
    std::uint32_t probability() const { return (m_soon + m_well) / 2; }

    void learn(bool bit)
    {
        approach(m_soon, bit, std::min(m_bits, soon));
        approach(m_well, bit, m_bits);
        m_bits += m_bits < well ? 1 : 0;
    }

private:
    static constexpr std::uint32_t whole = 1U << 16, least = 64, soon = 16, well = 128;
    /// Of a whole, by bits.
    static constexpr auto shares = [] {
        std::array<std::uint32_t, well + 1> all{};
        for (std::uint32_t bits = 1; bits <= well; ++bits)
            all[bits] = whole / bits;
        return all;
    }();

    static void approach(std::uint32_t &probability, bool bit, std::uint32_t bits)
    {
        if (bit)
            probability += (whole - least - probability) * shares[bits] >> 16;
        else
            probability -= (probability - least) * shares[bits] >> 16;
    }

    std::uint32_t m_soon = whole / 2, m_well = whole / 2;
    std::uint32_t m_bits = 2; ///< seen, and one of either kind to begin with
};

/// What the coder's numbers lie between.
class CoderRange
{
public:
    /// Up to this, inclusive, for a bit that is set.
    std::uint32_t split(std::uint32_t probability) const
    {
        return m_low
               + static_cast<std::uint32_t>(std::uint64_t{m_high - m_low} * probability >> 16);
    }
    void take(bool bit, std::uint32_t split)
    {
        if (bit)
            m_high = split;
        else
            m_low = split + 1;
    }
    /// Whether the first byte is known; next() goes on to the one behind it.
    bool isKnown() const { return ((m_low ^ m_high) & 0xff000000U) == 0; }
    std::byte first() const { return static_cast<std::byte>(m_low >> 24); }
    void next()
    {
        m_low <<= 8;
        m_high = m_high << 8 | 0xffU;
    }

private:
    std::uint32_t m_low = 0, m_high = 0xffffffffU;
};

class BinaryEncoder
{
public:
    bool bit(AdaptiveBit &of, bool bit)
    {
        put(bit, of.probability());
        of.learn(bit);
        return bit;
    }
    /// Of which nothing is known.
    bool evenBit(bool bit)
    {
        put(bit, 1U << 15);
        return bit;
    }

    std::vector<std::byte> finish()
    {
        for (std::size_t i = 0; i < sizeof(std::uint32_t); ++i, m_range.next())
            m_bytes.push_back(m_range.first());
        return std::move(m_bytes);
    }

private:
    void put(bool bit, std::uint32_t probability)
    {
        m_range.take(bit, m_range.split(probability));
        for (; m_range.isKnown(); m_range.next())
            m_bytes.push_back(m_range.first());
    }

    CoderRange m_range;
    std::vector<std::byte> m_bytes;
};

/// Behind the end of the bytes it reads zeros: however few they are, it returns bits.
class BinaryDecoder
{
public:
    explicit BinaryDecoder(std::span<const std::byte> bytes)
        : m_bytes(bytes)
    {
        for (std::size_t i = 0; i < sizeof m_number; ++i)
            read();
    }

    bool bit(AdaptiveBit &of, bool = false)
    {
        const bool bit = get(of.probability());
        of.learn(bit);
        return bit;
    }
    bool evenBit(bool = false) { return get(1U << 15); }

private:
    bool get(std::uint32_t probability)
    {
        const auto split = m_range.split(probability);
        const bool bit = m_number <= split;
        m_range.take(bit, split);
        for (; m_range.isKnown(); m_range.next())
            read();
        return bit;
    }
    void read()
    {
        m_number <<= 8;
        if (m_next < m_bytes.size())
            m_number |= std::to_integer<std::uint32_t>(m_bytes[m_next++]);
    }

    CoderRange m_range;
    std::span<const std::byte> m_bytes;
    std::size_t m_next = 0;
    std::uint32_t m_number = 0;
};

} // namespace gridhelm

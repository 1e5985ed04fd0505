// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/page/packed_arrays.h"

#include "core/support/base64.h"
#include "core/support/error.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <vector>

namespace gridhelm::data {

namespace {

constexpr int windowBits = 15, memory = 9;

/// Without zlib's own header, as DecompressionStream("deflate-raw") takes it.
std::string deflated(std::string_view bytes, int level)
{
    z_stream stream{};
    if (deflateInit2(&stream, level, Z_DEFLATED, -windowBits, memory, Z_DEFAULT_STRATEGY) != Z_OK)
        throw Error("there is not enough memory to pack the page; close other programs");
    std::string result(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
    // zlib counts in 32 bits, and the whole may be larger.
    const auto *from = reinterpret_cast<const Bytef *>(bytes.data());
    std::size_t done = 0, written = 0;
    int state = Z_OK;
    while (state == Z_OK) {
        constexpr std::size_t most = std::size_t{1} << 30;
        const auto piece = std::min(most, bytes.size() - done);
        const auto room = std::min(most, result.size() - written);
        stream.next_in = const_cast<Bytef *>(from + done);
        stream.avail_in = static_cast<uInt>(piece);
        stream.next_out = reinterpret_cast<Bytef *>(result.data() + written);
        stream.avail_out = static_cast<uInt>(room);
        state = deflate(&stream, done + piece == bytes.size() ? Z_FINISH : Z_NO_FLUSH);
        done += piece - stream.avail_in;
        written += room - stream.avail_out;
    }
    deflateEnd(&stream);
    if (state != Z_STREAM_END)
        throw Error("the page cannot be packed; this is a fault of the program");
    result.resize(written);
    return result;
}

/// Differences, which wrap around, with the sign in the lowest bit.
std::vector<std::uint32_t> codesOf(std::span<const std::int32_t> values,
                                   const PackedArrays::Backs &backs)
{
    std::vector<std::uint32_t> codes(values.begin(), values.end());
    for (const auto back : backs)
        for (std::size_t i = codes.size(); i-- > back;)
            codes[i] -= codes[i - back];
    for (auto &code : codes)
        code = (code << 1U) ^ (code >> 31U ? ~std::uint32_t{0} : 0U);
    return codes;
}

template <typename Number>
std::string planesOf(const Number *values, std::size_t count, std::size_t bytes)
{
    std::string planes(count * bytes, '\0');
    for (std::size_t i = 0; i < count; ++i) {
        std::array<char, sizeof(Number)> of{};
        std::memcpy(of.data(), values + i, sizeof(Number));
        for (std::size_t plane = 0; plane < bytes; ++plane)
            planes[plane * count + i] = of.at(plane);
    }
    return planes;
}

} // namespace

nlohmann::json PackedArrays::append(const std::string &planes, std::size_t count, std::size_t bytes,
                                    const char *type)
{
    nlohmann::json header{
        {"at", m_bytes.size()}, {"count", count}, {"type", type}, {"bytes", bytes}};
    m_bytes += planes;
    return header;
}

nlohmann::json PackedArrays::add(std::span<const double> values)
{
    return append(planesOf(values.data(), values.size(), sizeof(double)), values.size(),
                  sizeof(double), "f64");
}

nlohmann::json PackedArrays::add(std::span<const float> values)
{
    return append(planesOf(values.data(), values.size(), sizeof(float)), values.size(),
                  sizeof(float), "f32");
}

nlohmann::json PackedArrays::add(std::span<const std::int32_t> values,
                                 std::span<const Backs> choices)
{
    std::string best;
    std::size_t bestSize = std::numeric_limits<std::size_t>::max(), bestBytes = 1;
    Backs bestBacks;
    const auto attempt = [&](const Backs &backs) {
        const auto codes = codesOf(values, backs);
        const auto largest = codes.empty() ? 0 : *std::ranges::max_element(codes);
        const std::size_t bytes = largest < 0x100 ? 1 : largest < 0x10000 ? 2 : 4;
        auto planes = planesOf(codes.data(), codes.size(), bytes);
        const auto size = choices.empty() ? 0 : deflated(planes, 1).size();
        if (size >= bestSize)
            return;
        bestSize = size;
        best = std::move(planes);
        bestBacks = backs;
        bestBytes = bytes;
    };
    attempt({});
    for (const auto &backs : choices)
        attempt(backs);
    auto header = append(best, values.size(), bestBytes, "int");
    header["backs"] = bestBacks;
    return header;
}

std::string PackedArrays::packed(const nlohmann::json &header) const
{
    const auto text = header.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    std::string whole;
    for (unsigned shift = 0; shift < 32; shift += 8)
        whole += static_cast<char>((text.size() >> shift) & 0xFFU);
    constexpr int best = 9;
    return base64(deflated(whole + text + m_bytes, best));
}

} // namespace gridhelm::data

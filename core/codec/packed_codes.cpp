// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/codec/packed_codes.h"

#include "core/codec/linear_prediction.h"
#include "core/codec/row_codes.h"
#include "core/support/binary_coder.h"
#include "core/support/error.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace gridhelm::codec {

namespace {

constexpr std::size_t quarters = 4; ///< of the distance between two codes

/// Everything below is one text for both directions: Coder is BinaryEncoder or BinaryDecoder, and
/// what is told to a decoder does not count.

template <typename Coder>
class WidthModel
{
public:
    CodeWidth code(Coder &coder, CodeWidth width)
    {
        const auto told =
            static_cast<std::size_t>(std::ranges::find(codeWidths, width) - codeWidths.begin());
        std::size_t number = 0, node = 1;
        for (int bit = 2; bit >= 0; --bit) {
            const bool isSet = coder.bit(m_bits[m_before][node], (told >> bit & 1) != 0);
            node = 2 * node + (isSet ? 1 : 0);
            number = 2 * number + (isSet ? 1 : 0);
        }
        if (number >= codeWidths.size())
            throw Error("a width is none");
        m_before = number;
        return codeWidths[number];
    }

private:
    std::array<std::array<AdaptiveBit, 8>, codeWidths.size()> m_bits;
    std::size_t m_before = 0;
};

template <typename Coder>
void codeByte(Coder &coder, std::byte &byte)
{
    unsigned number = 0;
    for (int bit = 7; bit >= 0; --bit)
        number =
            2 * number + (coder.evenBit((std::to_integer<unsigned>(byte) >> bit & 1) != 0) ? 1 : 0);
    byte = static_cast<std::byte>(number);
}

/// What codes differ from what is foretold, next to how far off those of neighbours were.
template <typename Coder>
class DifferenceModel
{
public:
    /// By half octaves of how far off neighbours were, in parts of a code.
    static constexpr std::size_t classes = 26;
    static std::size_t classOf(std::uint32_t meanOff)
    {
        const auto number = meanOff + 1;
        const auto octave = static_cast<std::size_t>(std::bit_width(number)) - 1;
        const auto half = octave > 0 ? number >> (octave - 1) & 1 : 0;
        return std::min(2 * octave + half, classes - 1);
    }

    /// fraction: by quarters, where between two codes the foretold number is.
    int code(Coder &coder, std::size_t near, std::size_t fraction, int difference)
    {
        const int size = std::abs(difference);
        if (!coder.bit(m_isOff[near][fraction], size > 0))
            return 0;
        const bool isNegative =
            coder.bit(m_isNegative[std::min(near, signs - 1)][fraction], difference < 0);
        int found = 1;
        while (found <= mostSteps
               && coder.bit(m_isMore[near][static_cast<std::size_t>(found - 1)], size > found))
            ++found;
        if (found > mostSteps)
            found += static_cast<int>(rest(coder, static_cast<std::uint32_t>(size - found)));
        return isNegative ? -found : found;
    }

private:
    static constexpr int mostSteps = 20, mostBits = 17;
    static constexpr std::size_t signs = 7;

    /// Elias's gamma code.
    std::uint32_t rest(Coder &coder, std::uint32_t told)
    {
        const int bitsTold = static_cast<int>(std::bit_width(told + 1));
        int bits = 1;
        while (coder.bit(m_isLonger[static_cast<std::size_t>(bits - 1)], bitsTold > bits))
            if (++bits > mostBits)
                throw Error("a code is too large for any width");
        std::uint32_t number = 1;
        for (int bit = bits - 2; bit >= 0; --bit)
            number = 2 * number + (coder.evenBit(((told + 1) >> bit & 1) != 0) ? 1 : 0);
        return number - 1;
    }

    std::array<std::array<AdaptiveBit, quarters>, classes> m_isOff;
    std::array<std::array<AdaptiveBit, quarters>, signs> m_isNegative;
    std::array<std::array<AdaptiveBit, mostSteps>, classes> m_isMore;
    std::array<AdaptiveBit, mostBits> m_isLonger;
};

/// How far off neighbours were, in the mean: what is near counts more.
class NearErrors
{
public:
    NearErrors(const CodeNeighbours &neighbours, std::size_t values)
    {
        const std::size_t value = neighbours.value, row = neighbours.row;
        add(value, 2);
        add(2 * value, 1);
        if (row > value) {
            add(row, 2);
            add(row - value, 1);
            add(row + value, 1);
            add(2 * row, 1);
        }
        std::erase_if(m_near, [&](const Near &near) { return near.offset >= values; });
        for (const auto &near : m_near) {
            m_before = std::max(m_before, near.offset);
            m_weights += near.weight;
        }
        m_off.assign(m_before + values, 0);
    }

    std::uint32_t mean(std::size_t i) const
    {
        std::uint32_t sum = 0;
        for (const auto &near : m_near)
            sum += near.weight * m_off[m_before + i - near.offset];
        return m_weights > 0 ? sum / m_weights : 0;
    }
    void set(std::size_t i, std::int64_t off)
    {
        constexpr std::int64_t most = 4096;
        m_off[m_before + i] = static_cast<std::uint16_t>(std::min(std::abs(off), most));
    }

private:
    struct Near
    {
        std::size_t offset;
        std::uint32_t weight;
    };
    void add(std::size_t offset, std::uint32_t weight) { m_near.push_back({offset, weight}); }

    std::vector<Near> m_near;
    std::size_t m_before = 0;
    std::uint32_t m_weights = 0;      ///< of all
    std::vector<std::uint16_t> m_off; ///< in parts of a code
};

/// Codes of all blocks that have some, in their order: told, or found. Those behind the last value
/// are 0.
template <typename Coder>
void codeDifferences(Coder &coder, const QuantisedRow &layout, const LinearPrediction &prediction,
                     const CodeNeighbours &neighbours, PaddedCodes &codes)
{
    constexpr int parts = LinearPrediction::parts;
    constexpr std::int64_t lowest = std::numeric_limits<std::int16_t>::min(),
                           highest = std::numeric_limits<std::int16_t>::max();
    NearErrors errors(neighbours, layout.blocks() * quantisedBlock);
    DifferenceModel<Coder> model;
    const auto codeOne = [&](std::size_t i) {
        const auto *at = codes.at(i);
        const auto foretold = std::clamp(prediction.foretold(at) + parts / 2, parts * lowest,
                                         parts * highest + parts - 1);
        const auto nearest = static_cast<int>(foretold >> LinearPrediction::partBits);
        const auto fraction = static_cast<std::size_t>(foretold & (parts - 1)) * quarters / parts;
        const int code =
            nearest + model.code(coder, model.classOf(errors.mean(i)), fraction, *at - nearest);
        if (code < lowest || code > highest)
            throw Error("a code is too large for any width");
        codes.set(i, static_cast<std::int16_t>(code));
        errors.set(i, parts * std::int64_t{code} + parts / 2 - foretold);
    };
    for (std::size_t block = 0; block < layout.blocks(); ++block)
        if (hasCodes(layout.widths()[block]))
            for (auto i = block * quantisedBlock;
                 i < std::min((block + 1) * quantisedBlock, layout.values()); ++i)
                codeOne(i);
}

std::size_t weightBytes(std::size_t offsets)
{
    return offsets * sizeof(LinearPrediction::Weight);
}

} // namespace

std::vector<std::byte> packedCodes(const QuantisedRow &row, const CodeNeighbours &neighbours)
{
    const auto codes = codesOf(row);
    std::vector<bool> isCoded(row.values());
    for (std::size_t i = 0; i < row.values(); ++i)
        isCoded[i] = hasCodes(row.widths()[i / quantisedBlock]);
    const auto prediction = LinearPrediction::fitted(codes, isCoded, neighbours);
    BinaryEncoder coder;
    WidthModel<BinaryEncoder> widths;
    for (const auto width : row.widths())
        widths.code(coder, width);
    for (std::size_t block = 0; block < row.blocks(); ++block)
        if (row.widths()[block] == CodeWidth::raw)
            for (std::size_t i = 0; i < codeBytes(CodeWidth::raw); ++i) {
                auto byte = row.codes(block)[i];
                codeByte(coder, byte);
            }
    PaddedCodes padded(codes, prediction.reach());
    codeDifferences(coder, row, prediction, neighbours, padded);

    const auto whole = row.serialised();
    const auto coded = coder.finish();
    const auto weights = std::as_bytes(std::span(prediction.weights()));
    std::vector<std::byte> bytes(sizeof neighbours);
    std::memcpy(bytes.data(), &neighbours, sizeof neighbours);
    bytes.insert(bytes.end(), whole.begin(), whole.begin() + QuantisedRow::headerBytes);
    bytes.insert(bytes.end(), weights.begin(), weights.end());
    bytes.insert(bytes.end(), coded.begin(), coded.end());
    return bytes;
}

QuantisedRow fromPackedCodes(std::span<const std::byte> bytes, std::size_t values)
{
    const auto refuse = [] { throw Error("these are not the packed codes of such a row"); };
    CodeNeighbours neighbours;
    if (bytes.size() < sizeof neighbours + QuantisedRow::headerBytes)
        refuse();
    std::memcpy(&neighbours, bytes.data(), sizeof neighbours);
    if (neighbours.value == 0)
        refuse();
    bytes = bytes.subspan(sizeof neighbours);
    std::vector<std::byte> head(headBytes(values));
    std::copy_n(bytes.begin(), QuantisedRow::headerBytes, head.begin());
    bytes = bytes.subspan(QuantisedRow::headerBytes);
    const auto blocks = head.size() - QuantisedRow::headerBytes;
    auto offsets = LinearPrediction::offsetsOf(neighbours, blocks * quantisedBlock);
    if (bytes.size() < weightBytes(offsets.size()))
        refuse();
    std::vector<LinearPrediction::Weight> weights(offsets.size());
    std::ranges::copy(bytes.first(weightBytes(offsets.size())),
                      std::as_writable_bytes(std::span(weights)).begin());

    BinaryDecoder coder(bytes.subspan(weightBytes(offsets.size())));
    WidthModel<BinaryDecoder> widths;
    for (std::size_t block = 0; block < blocks; ++block)
        head[QuantisedRow::headerBytes + block] =
            static_cast<std::byte>(widths.code(coder, CodeWidth::none));
    RowBuilder row(head, values);
    const auto &layout = row.layout();
    std::array<std::byte, codeBytes(CodeWidth::raw)> raw{};
    for (std::size_t block = 0; block < blocks; ++block)
        if (layout.widths()[block] == CodeWidth::raw) {
            for (auto &byte : raw)
                codeByte(coder, byte);
            row.setRaw(block, raw.data());
        }
    const LinearPrediction prediction(std::move(offsets), std::move(weights));
    PaddedCodes codes(RowCodes(blocks * quantisedBlock, 0), prediction.reach());
    codeDifferences(coder, layout, prediction, neighbours, codes);
    for (std::size_t block = 0; block < blocks; ++block)
        if (hasCodes(layout.widths()[block]))
            row.setCodes(block, codes.at(block * quantisedBlock));
    return row.finish();
}

} // namespace gridhelm::codec

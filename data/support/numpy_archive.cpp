// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/support/numpy_archive.h"

#include "core/support/checked_math.h"
#include "core/support/clean_text.h"
#include "core/support/error.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace gridhelm::data {

namespace {

std::string shapeText(const std::vector<std::uint64_t> &shape)
{
    std::string text;
    for (const auto length : shape)
        text += std::to_string(length) + ", ";
    if (shape.size() > 1) // "(3,)", but "(2, 3)"
        text.resize(text.size() - 2);
    else if (!text.empty())
        text.pop_back();
    return "(" + text + ")";
}

/// What stands before the values in a .npy file: values begin at a multiple of 64 bytes.
std::string headerOf(const NumpyArray &array)
{
    constexpr std::size_t before = 10, alignment = 64;
    auto text = "{'descr': '" + array.type
                + "', 'fortran_order': False, 'shape': " + shapeText(array.shape) + ", }";
    const auto padded = (before + text.size() + 1 + alignment - 1) / alignment * alignment;
    text.resize(padded - before - 1, ' ');
    text += '\n';
    std::string header = "\x93NUMPY";
    header += '\1';
    header += '\0';
    header += static_cast<char>(text.size() & 0xFF);
    header += static_cast<char>(text.size() >> 8);
    return header + text;
}

std::vector<StoredZip::Member> membersFor(const OutputFile &file,
                                          const std::vector<NumpyArray> &arrays)
{
    std::vector<StoredZip::Member> members;
    std::set<std::string> names;
    for (const auto &array : arrays) {
        if (!names.insert(array.name).second)
            throw Error(file.path().string() + " would hold two arrays called " + array.name
                        + ": choose one of the fields with --field");
        members.push_back(
            {array.name + ".npy",
             checkedAdd(headerOf(array).size(), checkedMultiply(array.values(), array.itemBytes))});
    }
    return members;
}

/// `text` must be valid.
std::u32string utf32Of(std::string_view text)
{
    std::u32string characters;
    for (const char c : text) {
        const auto byte = static_cast<std::uint8_t>(c);
        if ((byte & 0xC0) == 0x80) // not the first byte of a character
            characters.back() = characters.back() << 6 | (byte & 0x3F);
        else
            characters += byte < 0x80   ? byte
                          : byte < 0xE0 ? byte & 0x1F
                          : byte < 0xF0 ? byte & 0xF
                                        : byte & 0x7;
    }
    return characters;
}

} // namespace

std::uint64_t NumpyArray::values() const
{
    std::uint64_t count = 1;
    for (const auto length : shape)
        count = checkedMultiply(count, length);
    return count;
}

NumpyArray float32Array(std::string name, std::vector<std::uint64_t> shape)
{
    return {std::move(name), "<f4", sizeof(float), std::move(shape)};
}

NumpyArray float64Array(std::string name, std::vector<std::uint64_t> shape)
{
    return {std::move(name), "<f8", sizeof(double), std::move(shape)};
}

NumpyArray int64Array(std::string name, std::vector<std::uint64_t> shape)
{
    return {std::move(name), "<i8", sizeof(std::int64_t), std::move(shape)};
}

NumpyTexts::NumpyTexts(std::string name, const std::vector<std::string> &texts)
{
    std::vector<std::u32string> wide;
    std::size_t longest = 1; // NumPy has no texts of length 0
    for (const auto &text : texts) {
        wide.push_back(utf32Of(validUtf8(text)));
        longest = std::max(longest, wide.back().size());
    }
    for (auto &text : wide) {
        text.resize(longest, U'\0');
        characters.insert(characters.end(), text.begin(), text.end());
    }
    array = {std::move(name),
             "<U" + std::to_string(longest),
             longest * sizeof(char32_t),
             {texts.size()}};
}

std::string NumpyArchive::nameFor(std::string_view name)
{
    auto text = cleanLine(name);
    std::ranges::replace(text, '/', '_');
    std::ranges::replace(text, '\\', '_');
    return text;
}

NumpyArchive::NumpyArchive(const OutputFile &file, const std::vector<NumpyArray> &arrays)
    : m_zip(file, membersFor(file, arrays))
{
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        const auto header = headerOf(arrays[i]);
        m_zip.append(i, std::as_bytes(std::span(header)));
    }
}

} // namespace gridhelm::data

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/vti_file.h"

#include "core/support/checked_math.h"
#include "core/support/error.h"
#include "core/support/memory_check.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string_view>
#include <utility>

static_assert(std::endian::native == std::endian::little, ".vti files are written as they lie");

namespace gridhelm::solvers {

namespace {

constexpr std::string_view fileTag =
    R"(<VTKFile type="ImageData" version="1.0" byte_order="LittleEndian" header_type="UInt64">)";
constexpr std::string_view appendedTag = R"(<AppendedData encoding="raw">)";
constexpr std::size_t longestHeader = 1 << 20;

[[noreturn]] void throwUnreadable(const std::filesystem::path &path, const std::string &why)
{
    throw Error(path.string() + " cannot be read (" + why
                + "): give a .vti file that this program has saved");
}

// ---- writing ---------------------------------------------------------------------------------

/// The shortest text that reads back as the same number.
std::string exactly(double value)
{
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    return {text.data(), end};
}

bool isUsable(const std::string &name)
{
    const auto isAllowed = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
               || std::string_view(" _-.()/").find(c) != std::string_view::npos;
    };
    return !name.empty() && std::all_of(name.begin(), name.end(), isAllowed);
}

std::span<const std::byte> bytesOf(const ImageArrayView &array)
{
    return std::visit([](auto values) { return std::as_bytes(values); }, array.values);
}

bool isFloat(const ImageArrayView &array)
{
    return std::holds_alternative<std::span<const float>>(array.values);
}

void requireWritable(const ImageGrid &grid, std::span<const ImageArrayView> arrays)
{
    if (arrays.empty())
        throw Error("there are no values to be saved; give at least one array");
    for (const auto &array : arrays) {
        const auto size = std::visit([](auto values) { return values.size(); }, array.values);
        if (size != grid.count())
            throw Error("the array \"" + array.name + "\" has " + std::to_string(size)
                        + " values, but the image " + std::to_string(grid.count())
                        + " points; give one value for each");
        if (!isUsable(array.name))
            throw Error("an array cannot be saved under the name \"" + array.name
                        + "\"; use letters, digits, blanks and _-.()/");
        const auto same = std::count_if(arrays.begin(), arrays.end(), [&](const auto &other) {
            return other.name == array.name;
        });
        if (same != 1)
            throw Error("two arrays have the name \"" + array.name + "\"; give each its own");
    }
}

std::string extentOf(const std::array<std::size_t, 3> &first,
                     const std::array<std::size_t, 3> &points)
{
    std::string extent;
    for (std::size_t axis = 0; axis < 3; ++axis)
        extent += (extent.empty() ? "" : " ") + std::to_string(first[axis]) + " "
                  + std::to_string(first[axis] + points[axis] - 1);
    return extent;
}

/// WholeExtent="..." Origin="..." Spacing="..."
std::string placeOf(const ImageGrid &grid)
{
    const std::string h = exactly(grid.spacing);
    return "WholeExtent=\"" + extentOf(grid.first, grid.points) + "\" Origin=\""
           + exactly(grid.origin[0]) + " " + exactly(grid.origin[1]) + " " + exactly(grid.origin[2])
           + "\" Spacing=\"" + h + " " + h + " " + h + "\"";
}

std::string typeAndName(const ImageArrayView &array)
{
    return std::string("type=\"") + (isFloat(array) ? "Float32" : "Float64") + "\" Name=\""
           + array.name + "\"";
}

std::string attributeText(std::string_view text)
{
    std::string escaped;
    for (char c : text) {
        if (c == '&')
            escaped += "&amp;";
        else if (c == '<')
            escaped += "&lt;";
        else if (c == '"')
            escaped += "&quot;";
        else
            escaped += c;
    }
    return escaped;
}

std::string headerFor(const ImageGrid &grid, std::span<const ImageArrayView> arrays)
{
    std::string text = "<?xml version=\"1.0\"?>\n" + std::string(fileTag) + "\n";
    text += "  <ImageData " + placeOf(grid) + ">\n";
    text += "    <Piece Extent=\"" + extentOf(grid.first, grid.points) + "\">\n";
    text += "      <PointData Scalars=\"" + arrays.front().name + "\">\n";
    std::size_t offset = 0;
    for (const auto &array : arrays) {
        text += "        <DataArray " + typeAndName(array) + " format=\"appended\" offset=\""
                + std::to_string(offset) + "\"/>\n";
        offset += sizeof(std::uint64_t) + bytesOf(array).size();
    }
    text += "      </PointData>\n      <CellData/>\n    </Piece>\n  </ImageData>\n  ";
    return text + std::string(appendedTag) + "\n   _";
}

// ---- reading ---------------------------------------------------------------------------------

/// Takes the header apart, front to back.
class HeaderReader
{
public:
    HeaderReader(const std::filesystem::path &path, std::string_view text)
        : m_path(path)
        , m_text(text)
    {
    }

    /// The value of an attribute of the next tag of that kind. Everything before is skipped.
    std::string_view attribute(std::string_view tag, std::string_view name)
    {
        const std::string open = "<" + std::string(tag) + " ";
        const auto begin = m_text.find(open);
        if (begin == std::string_view::npos)
            throwUnreadable(m_path, "it has no " + std::string(tag));
        m_text.remove_prefix(begin + open.size() - 1);
        return attributeHere(name);
    }

    /// The value of an attribute of the tag found last.
    std::string_view attributeHere(std::string_view name) const
    {
        const auto tag = m_text.substr(0, m_text.find('>'));
        const std::string open = " " + std::string(name) + "=\"";
        const auto begin = tag.find(open);
        const auto end =
            begin == std::string_view::npos ? begin : tag.find('"', begin + open.size());
        if (end == std::string_view::npos)
            throwUnreadable(m_path, "a tag lacks " + std::string(name));
        return tag.substr(begin + open.size(), end - begin - open.size());
    }

    bool hasAnother(std::string_view tag) const
    {
        return m_text.find("<" + std::string(tag) + " ") != std::string_view::npos;
    }

    template <typename Number, std::size_t count>
    std::array<Number, count> numbers(std::string_view text) const
    {
        std::array<Number, count> result{};
        const char *at = text.data();
        const char *const end = at + text.size();
        for (std::size_t i = 0; i < count; ++i) {
            if (i > 0 && at != end && *at == ' ')
                ++at;
            const auto [next, error] = std::from_chars(at, end, result[i]);
            if (error != std::errc{})
                throwUnreadable(m_path, "\"" + std::string(text.substr(0, 60))
                                            + "\" are not the numbers expected");
            at = next;
        }
        if (at != end)
            throwUnreadable(m_path, "there are more numbers than expected in \""
                                        + std::string(text.substr(0, 60)) + "\"");
        return result;
    }

private:
    const std::filesystem::path &m_path;
    std::string_view m_text;
};

struct StoredArray
{
    std::string name;
    bool isFloat = false;
    std::uint64_t offset = 0;
};

struct Header
{
    ImageGrid grid;
    std::uint64_t count = 0;
    std::vector<StoredArray> arrays;
};

Header parseHeader(const std::filesystem::path &path, std::string_view text)
{
    HeaderReader reader(path, text);
    Header header;
    const auto extent =
        reader.numbers<std::uint64_t, 6>(reader.attribute("ImageData", "WholeExtent"));
    header.grid.origin = reader.numbers<double, 3>(reader.attributeHere("Origin"));
    const auto spacing = reader.numbers<double, 3>(reader.attributeHere("Spacing"));
    header.grid.spacing = spacing[0];
    if (!(spacing[0] > 0) || !std::isfinite(spacing[0]) || spacing[1] != spacing[0]
        || spacing[2] != spacing[0])
        throwUnreadable(path, "its spacing is not the same positive number in every direction");
    for (double component : header.grid.origin) {
        if (!std::isfinite(component))
            throwUnreadable(path, "its origin is not finite");
    }
    header.count = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (extent[2 * axis] != 0)
            throwUnreadable(path, "its extent does not begin at 0");
        header.grid.points[axis] = checkedAdd(extent[2 * axis + 1], 1);
        header.count = checkedMultiply(header.count, header.grid.points[axis]);
    }
    while (reader.hasAnother("DataArray")) {
        StoredArray array;
        const auto type = reader.attribute("DataArray", "type");
        if (type != "Float32" && type != "Float64")
            throwUnreadable(path, "it holds values of type " + std::string(type.substr(0, 30)));
        array.isFloat = type == "Float32";
        array.name = reader.attributeHere("Name");
        if (reader.attributeHere("format") != "appended")
            throwUnreadable(path, "its values are not appended");
        array.offset = reader.numbers<std::uint64_t, 1>(reader.attributeHere("offset"))[0];
        header.arrays.push_back(std::move(array));
    }
    if (header.arrays.empty())
        throwUnreadable(path, "it holds no values");
    return header;
}

/// The file up to the "_" behind which the values lie, and the position of the first value.
std::pair<std::string, std::uint64_t> readHeader(const std::filesystem::path &path,
                                                 std::ifstream &file)
{
    std::string text(longestHeader, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    file.clear();
    const auto fileBegin = text.find(fileTag);
    const auto appended = text.find(appendedTag);
    if (fileBegin == std::string::npos || appended == std::string::npos || appended < fileBegin)
        throwUnreadable(path, "it is not an image with raw appended values");
    const auto underscore = text.find('_', appended + appendedTag.size());
    if (underscore == std::string::npos)
        throwUnreadable(path, "it is cut off");
    text.resize(appended);
    return {std::move(text), underscore + 1};
}

template <typename T>
std::vector<T> readValues(const std::filesystem::path &path, std::ifstream &file,
                          const Header &header, const StoredArray &array, std::uint64_t begin,
                          std::uint64_t fileBytes)
{
    const auto bytes = checkedMultiply(header.count, sizeof(T));
    const auto position = checkedAdd(begin, array.offset);
    const auto end = checkedAdd(checkedAdd(position, sizeof(std::uint64_t)), bytes);
    if (end > fileBytes)
        throwUnreadable(path, "it is cut off");
    std::uint64_t storedBytes = 0;
    file.seekg(static_cast<std::streamoff>(position));
    file.read(reinterpret_cast<char *>(&storedBytes), sizeof storedBytes);
    if (storedBytes != bytes)
        throwUnreadable(path, "\"" + array.name + "\" has not one value for each point");
    std::vector<T> values(header.count);
    file.read(reinterpret_cast<char *>(values.data()), static_cast<std::streamsize>(bytes));
    if (!file)
        throwUnreadable(path, "the disk did not give all of it");
    return values;
}

} // namespace

void writeVti(const std::filesystem::path &path, const ImageGrid &grid,
              std::span<const ImageArrayView> arrays)
{
    requireWritable(grid, arrays);
    errno = 0;
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    const auto header = headerFor(grid, arrays);
    file.write(header.data(), static_cast<std::streamsize>(header.size()));
    for (const auto &array : arrays) {
        const auto bytes = bytesOf(array);
        const std::uint64_t size = bytes.size();
        file.write(reinterpret_cast<const char *>(&size), sizeof size);
        file.write(reinterpret_cast<const char *>(bytes.data()),
                   static_cast<std::streamsize>(bytes.size()));
    }
    file << "\n  </AppendedData>\n</VTKFile>\n";
    file.close();
    if (!file)
        throw Error(path.string() + " could not be written (" + std::strerror(errno)
                    + "): check that its folder exists, may be written to and has space");
}

std::string pvtiText(const ImageGrid &whole, std::span<const ImageArrayView> arrays,
                     std::span<const IndexedPiece> pieces)
{
    std::string text = "<?xml version=\"1.0\"?>\n<VTKFile type=\"PImageData\" version=\"1.0\" "
                       "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n";
    text += "  <PImageData " + placeOf(whole) + " GhostLevel=\"0\">\n";
    text += "    <PPointData Scalars=\"" + arrays.front().name + "\">\n";
    for (const auto &array : arrays)
        text += "      <PDataArray " + typeAndName(array) + "/>\n";
    text += "    </PPointData>\n";
    for (const auto &piece : pieces)
        text += "    <Piece Extent=\"" + extentOf(piece.first, piece.points) + "\" Source=\""
                + attributeText(piece.file) + "\"/>\n";
    return text + "  </PImageData>\n</VTKFile>\n";
}

Image readVti(const std::filesystem::path &path)
{
    std::error_code failed;
    if (std::filesystem::is_directory(path, failed))
        throw Error(path.string() + " is a folder: give the name of a .vti file");
    if (std::filesystem::exists(path, failed) && !std::filesystem::is_regular_file(path, failed))
        throwUnreadable(path, "it is not a file on a disk"); // a pipe would be waited for
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file)
        throw Error(path.string() + " cannot be read (" + std::strerror(errno)
                    + "): check the name");
    const auto fileBytes = std::filesystem::file_size(path, failed);
    if (failed)
        throwUnreadable(path, "it is not a file on a disk");
    const auto [text, begin] = readHeader(path, file);
    const Header header = parseHeader(path, text);

    std::uint64_t bytes = 0;
    for (const auto &array : header.arrays)
        bytes = checkedAdd(bytes, checkedMultiply(header.count, array.isFloat ? 4 : 8));
    if (bytes > fileBytes)
        throwUnreadable(path, "it is cut off");
    requireMemory(static_cast<double>(bytes), path.string(), "close other programs");

    Image image{header.grid, {}};
    for (const auto &array : header.arrays) {
        ImageArray read{array.name, {}};
        if (array.isFloat)
            read.values = readValues<float>(path, file, header, array, begin, fileBytes);
        else
            read.values = readValues<double>(path, file, header, array, begin, fileBytes);
        image.arrays.push_back(std::move(read));
    }
    return image;
}

} // namespace gridhelm::solvers

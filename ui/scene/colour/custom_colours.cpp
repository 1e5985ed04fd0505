// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/colour/custom_colours.h"

#include "core/support/enumeration.h"
#include "core/support/error.h"

#include <nlohmann/json.hpp>

#include <vtkColorTransferFunction.h>
#include <vtkNew.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>

namespace gridhelm::ui {
namespace {

using Json = nlohmann::json;
using Node = CustomColourMap::Node;

constexpr int tableLength = 1024;
constexpr std::uintmax_t longestFile = 4'000'000;

std::uint8_t byteOf(double part)
{
    return static_cast<std::uint8_t>(std::lround(255 * std::clamp(part, 0.0, 1.0)));
}

void setSpace(vtkColorTransferFunction &function, ColourSpace space)
{
    switch (space) {
    case ColourSpace::rgb:
        function.SetColorSpaceToRGB();
        break;
    case ColourSpace::hsv:
        function.SetColorSpaceToHSV();
        break;
    case ColourSpace::lab:
        function.SetColorSpaceToLab();
        break;
    case ColourSpace::ciede2000:
        function.SetColorSpaceToLabCIEDE2000();
        break;
    case ColourSpace::diverging:
        function.SetColorSpaceToDiverging();
        break;
    case ColourSpace::step:
        function.SetColorSpaceToStep();
        break;
    }
}

std::vector<Colour> tableOf(ColourSpace space, const std::vector<Node> &nodes)
{
    vtkNew<vtkColorTransferFunction> function;
    function->SetAllowDuplicateScalars(1); // a colour that jumps
    setSpace(*function, space);
    for (const auto &node : nodes)
        function->AddRGBPoint(node.place, node.colour[0] / 255.0, node.colour[1] / 255.0,
                              node.colour[2] / 255.0);
    std::vector<double> parts(3 * tableLength);
    function->GetTable(0, 1, tableLength, parts.data());
    std::vector<Colour> table(tableLength);
    for (std::size_t i = 0; i < table.size(); ++i)
        for (std::size_t part = 0; part < 3; ++part)
            table[i][part] = byteOf(parts[3 * i + part]);
    return table;
}

/// ParaView's own word for it, which differs from the name in its window.
std::string wordOf(ColourSpace space)
{
    return space == ColourSpace::ciede2000 ? "Lab/CIEDE2000"
                                           : colourSpaceNames()[static_cast<std::size_t>(space)];
}

ColourSpace spaceCalled(const std::string &word)
{
    const auto &names = colourSpaceNames();
    const auto found = std::ranges::find(names, word);
    if (found != names.end())
        return static_cast<ColourSpace>(found - names.begin());
    if (word == wordOf(ColourSpace::ciede2000))
        return ColourSpace::ciede2000;
    throw Error("ColorSpace is none of " + enumeration(names, "or"));
}

std::vector<double> numbersIn(const Json &map, const char *key)
{
    const auto &list = map.at(key);
    if (!list.is_array() || list.size() > 4 * CustomColourMap::maxNodes)
        throw Error(std::string(key) + " is no list of at most "
                    + std::to_string(CustomColourMap::maxNodes) + " colours");
    std::vector<double> numbers;
    for (const auto &number : list) {
        if (!number.is_number() || !std::isfinite(number.get<double>()))
            throw Error(std::string(key) + " has something that is no number");
        numbers.push_back(number.get<double>());
    }
    return numbers;
}

Colour colourIn(const std::vector<double> &numbers, std::size_t from)
{
    return {byteOf(numbers[from]), byteOf(numbers[from + 1]), byteOf(numbers[from + 2])};
}

std::vector<Node> nodesIn(const Json &map)
{
    const auto points = numbersIn(map, "RGBPoints");
    if (points.size() % 4 != 0)
        throw Error("RGBPoints has no four numbers for each point: position, red, green, blue");
    std::vector<Node> nodes;
    for (std::size_t i = 0; i < points.size(); i += 4)
        nodes.push_back({points[i], colourIn(points, i + 1)});
    return nodes;
}

/// A band of its own for each.
std::vector<Node> bandsIn(const Json &map)
{
    const auto colours = numbersIn(map, "IndexedColors");
    if (colours.empty() || colours.size() % 3 != 0)
        throw Error("IndexedColors has no three numbers for each colour: red, green, blue");
    std::vector<Node> nodes;
    const std::size_t count = colours.size() / 3;
    const auto edge = [count](std::size_t of) {
        return static_cast<double>(of) / static_cast<double>(count);
    };
    for (std::size_t band = 0; band < count; ++band) {
        nodes.push_back({edge(band), colourIn(colours, 3 * band)});
        nodes.push_back({edge(band + 1), colourIn(colours, 3 * band)});
    }
    return nodes;
}

SharedColourMap mapIn(const Json &map)
{
    if (!map.is_object())
        throw Error("it is no JSON object");
    const auto text = [&](const char *key, const char *otherwise) {
        const auto value = map.value(key, Json(otherwise));
        if (!value.is_string())
            throw Error(std::string(key) + " is no text");
        return value.get<std::string>();
    };
    const auto name = text("Name", "unnamed");
    if (map.contains("RGBPoints"))
        return makeColourMap(name, spaceCalled(text("ColorSpace", "RGB")), nodesIn(map));
    if (map.contains("IndexedColors"))
        return makeColourMap(name, ColourSpace::rgb, bandsIn(map));
    throw Error("it has neither RGBPoints nor IndexedColors");
}

bool isLine(const std::string &text)
{
    constexpr std::size_t longest = 100;
    return !text.empty() && text.size() <= longest && std::ranges::none_of(text, [](char c) {
        return static_cast<unsigned char>(c) < ' ' || c == '\x7f';
    });
}

} // namespace

SharedColourMap makeColourMap(std::string name, ColourSpace space, std::vector<Node> nodes)
{
    if (!isLine(name))
        throw Error("a colour map needs a name, of one line and at most 100 letters");
    if (nodes.size() < 2 || nodes.size() > CustomColourMap::maxNodes)
        throw Error("a colour map needs 2 to " + std::to_string(CustomColourMap::maxNodes)
                    + " colours, and this one has " + std::to_string(nodes.size()));
    const double low = nodes.front().place, length = nodes.back().place - low;
    if (!(length > 0) || !std::isfinite(length) || !std::ranges::is_sorted(nodes, {}, &Node::place))
        throw Error("the positions of the colours must ascend");
    for (auto &node : nodes)
        node.place = std::clamp((node.place - low) / length, 0.0, 1.0);
    nodes.back().place = 1;
    CustomColourMap map{std::move(name), space, std::move(nodes), {}};
    map.table = tableOf(map.space, map.nodes);
    return std::make_shared<const CustomColourMap>(std::move(map));
}

std::vector<SharedColourMap> parseColourMaps(std::string_view json)
{
    const auto all = Json::parse(json, nullptr, false);
    if (all.is_discarded())
        throw Error("it is not valid JSON");
    std::vector<SharedColourMap> maps;
    if (!all.is_array()) {
        maps.push_back(mapIn(all));
        return maps;
    }
    constexpr std::size_t most = 1000;
    if (all.empty() || all.size() > most)
        throw Error("it has no colour map, or more than " + std::to_string(most));
    for (std::size_t i = 0; i < all.size(); ++i) {
        try {
            maps.push_back(mapIn(all[i]));
        } catch (const Error &problem) {
            throw Error("number " + std::to_string(i + 1)
                        + " of its colour maps: " + problem.what());
        }
    }
    return maps;
}

std::vector<SharedColourMap> readColourMaps(const std::filesystem::path &file)
{
    const auto refuse = [&file](const std::string &why) {
        throw Error("no colour map can be read from " + file.string() + ": " + why);
    };
    std::error_code problem;
    const bool isFile = std::filesystem::is_regular_file(file, problem);
    const auto length = isFile ? std::filesystem::file_size(file, problem) : 0;
    if (!isFile || problem)
        refuse(problem ? problem.message() : "it is no file");
    if (length > longestFile)
        refuse("it has more than 4 MB");
    std::ifstream stream(file, std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(stream), {});
    if (stream.bad() || text.size() != length)
        refuse("reading it failed");
    try {
        return parseColourMaps(text);
    } catch (const Error &why) {
        refuse(why.what());
    }
    return {};
}

SharedColourMap readColourMap(const std::filesystem::path &file, std::string_view name)
{
    const auto maps = readColourMaps(file);
    if (name.empty() && maps.size() == 1)
        return maps.front();
    std::vector<std::string> names;
    for (const auto &map : maps) {
        if (map->name == name)
            return map;
        names.push_back(map->name);
    }
    throw Error(file.string() + " has the colour maps " + enumeration(names, "and")
                + "; say which after a colon, as in " + file.filename().string() + ":"
                + names.front());
}

std::string colourMapToJson(const CustomColourMap &map)
{
    Json points = Json::array();
    for (const auto &node : map.nodes) {
        points.push_back(node.place);
        for (const auto part : node.colour)
            points.push_back(part / 255.0);
    }
    return Json::array({{{"Name", map.name},
                         {"ColorSpace", wordOf(map.space)},
                         {"RGBPoints", std::move(points)}}})
               .dump(2, ' ', false, Json::error_handler_t::replace)
           + "\n";
}

std::vector<Node> nodesLike(ColourMap map)
{
    constexpr int count = 17;
    std::vector<Node> nodes;
    for (int i = 0; i < count; ++i) {
        const double place = i / (count - 1.0);
        nodes.push_back({place, colourOf(map, place)});
    }
    return nodes;
}

const std::vector<std::string> &colourSpaceNames()
{
    static const std::vector<std::string> names{"RGB",       "HSV",       "Lab",
                                                "CIEDE2000", "Diverging", "Step"};
    return names;
}

} // namespace gridhelm::ui

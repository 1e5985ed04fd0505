// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/setup/problem_text.h"

#include "core/solvers/vti_file.h"
#include "core/support/checked_math.h"
#include "core/support/error.h"
#include "core/support/memory_check.h"
#include "core/support/parse_numbers.h"
#include "core/support/value_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace gridhelm::solvers {

Precision parsePrecision(const std::string &text, std::string_view what)
{
    if (text == "float")
        return Precision::float32;
    if (text == "double")
        return Precision::float64;
    throw Error(fmt::format("{}: there is no \"{}\": choose float or double", what, text));
}

std::string_view nameOf(Precision precision)
{
    return precision == Precision::float32 ? "float" : "double";
}

std::array<double, 3> parsePosition(const std::string &text, std::string_view what,
                                    std::array<double, 3> usual, std::size_t optional)
{
    std::vector<double> numbers;
    parseReals(text, what, numbers);
    if (numbers.size() > 3 || numbers.size() + optional < 3)
        throw Error(fmt::format("{}: \"{}\" has {} numbers: write {}, separated by commas", what,
                                text, numbers.size(),
                                optional == 0 ? "x, y and z" : "x, y and (in 3D) z"));
    std::copy(numbers.begin(), numbers.end(), usual.begin());
    return usual;
}

Formula parseFormula(const std::string &text, std::string_view what)
{
    const auto colon = text.find(':');
    Formula formula{text.substr(0, colon), {}};
    if (colon != std::string::npos)
        parseReals(std::string_view(text).substr(colon + 1), what, formula.numbers);
    return formula;
}

bool isFileName(const std::string &text)
{
    return text.substr(0, text.find(':')).find_first_of("./") != std::string::npos;
}

std::vector<double> readPointValues(const std::string &path,
                                    const std::array<std::size_t, 3> &points, std::string_view what)
{
    const std::uint64_t count = checkedMultiply(checkedMultiply(points[0], points[1]), points[2]);
    requireMemory(static_cast<double>(checkedMultiply(count, sizeof(double))), path,
                  "choose a smaller grid");
    if (!path.ends_with(".vti"))
        return readValues(path, count,
                          fmt::format("check the size of the grid, and that {} has "
                                      "one value for each of its points, x fastest",
                                      what));
    const auto image = readVti(path);
    if (image.grid.points != points)
        throw Error(fmt::format("{} holds {} points, but {} is for {}: choose the same size", path,
                                describeSize(image.grid.points, 3), what, describeSize(points, 3)));
    return std::visit(
        [](const auto &values) { return std::vector<double>(values.begin(), values.end()); },
        image.arrays.front().values);
}

std::string describeSize(const std::array<std::size_t, 3> &points, int dimension)
{
    return dimension == 2 ? fmt::format("{} x {}", points[0], points[1])
                          : fmt::format("{} x {} x {}", points[0], points[1], points[2]);
}

} // namespace gridhelm::solvers

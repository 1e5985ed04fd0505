// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/mesh_limits.h"

#include "core/support/error.h"
#include "core/support/system_info.h"

#include <cmath>
#include <limits>
#include <string>

namespace gridhelm::data {
namespace {

constexpr double farthest = 1e30;

/// a * b + c, or the largest number there is.
std::uint64_t saturated(std::uint64_t a, std::uint64_t b, std::uint64_t c)
{
    std::uint64_t result = 0;
    if (__builtin_mul_overflow(a, b, &result) || __builtin_add_overflow(result, c, &result))
        return std::numeric_limits<std::uint64_t>::max();
    return result;
}

} // namespace

std::uint64_t largestEncodedSize(std::string_view kind, std::uint64_t points, std::uint64_t cells)
{
    constexpr std::uint64_t head = 64, number = 8, place = 3 * number;
    if (kind == "image")
        return 1 << 16; // nine numbers as JSON
    if (kind == "rectilinear")
        return saturated(number, points, head); // there are most if all points are on one axis
    if (kind == "structured")
        return saturated(place, points, head);
    constexpr std::uint64_t ofPoint = place + 16 * number;
    constexpr std::uint64_t ofCell = 1 + 2 * number + 256 * number; // type, offset, location
    return saturated(ofCell, cells, saturated(ofPoint, points, head));
}

void requireEncodedSize(std::string_view kind, std::uint64_t points, std::uint64_t cells,
                        std::uint64_t size)
{
    const auto says = [&](const std::string &problem) {
        return Error("The mesh of the study (" + std::to_string(points) + " points, "
                     + std::to_string(cells) + " cells) would take " + std::to_string(size)
                     + " bytes, " + problem);
    };
    if (size > largestEncodedSize(kind, points, cells))
        throw says("which no mesh of this size does: it is damaged; restore the file from a copy");
    const auto memory = availableMemoryBytes(); // 0: unknown
    if (memory > 0 && size > memory / 4)
        throw says("more than a quarter of the memory that is available; close other programs, or "
                   "use a larger machine");
}

void requireFieldsOnMesh(const Mesh &mesh, std::span<const Field> fields)
{
    for (const auto &field : fields) {
        const bool atPoints = field.association == Association::point;
        const auto there = atPoints ? mesh.points : mesh.cells;
        if (field.entities != there)
            throw Error("The field " + field.name + " has values at "
                        + std::to_string(field.entities) + " "
                        + std::string(toString(field.association)) + "s, but the mesh has "
                        + std::to_string(there) + ": the study is damaged; restore it from a copy");
    }
}

bool isSoundCoordinate(double x)
{
    return std::abs(x) <= farthest; // false for NaN
}

bool isSoundAxis(double origin, double spacing, std::uint64_t points)
{
    if (!(spacing >= 1 / farthest) || !isSoundCoordinate(spacing) || !isSoundCoordinate(origin)
        || points == 0)
        return false;
    const double end = origin + spacing * static_cast<double>(points - 1);
    return isSoundCoordinate(end)
           && (points == 1 || (origin + spacing > origin && end - spacing < end));
}

} // namespace gridhelm::data

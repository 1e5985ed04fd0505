// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulations/cavity/node_values.h"

#include <array>
#include <numeric>

namespace gridhelm::simulations {

namespace {

/// Values along x, y and z; axis after axis they are replaced by others, `at(line, stride, i)`.
struct Box
{
    std::array<std::size_t, 3> extents;
    std::vector<double> values;

    template <typename Formula>
    void replaceAlong(std::size_t axis, std::size_t newExtent, Formula formula)
    {
        Box result{extents, {}};
        result.extents[axis] = newExtent;
        result.values.resize(newExtent * (values.size() / extents[axis]));
        const auto stride = std::accumulate(extents.begin(), extents.begin() + axis, std::size_t{1},
                                            std::multiplies<>());
        const auto lines = values.size() / extents[axis];
        for (std::size_t line = 0; line < lines; ++line) {
            const auto outer = line / stride;
            const auto inner = line % stride;
            const double *from = values.data() + outer * stride * extents[axis] + inner;
            double *to = result.values.data() + outer * stride * newExtent + inner;
            for (std::size_t i = 0; i < newExtent; ++i)
                to[i * stride] = formula(from, stride, i);
        }
        *this = std::move(result);
    }
};

} // namespace

std::vector<double> facesToNodes(const StaggeredGrid &grid, std::span<const double> faces,
                                 int component)
{
    const auto n = grid.cells;
    const auto extent = grid.extent();
    Box box{{extent, extent, grid.dimension == 3 ? extent : 1}, {faces.begin(), faces.end()}};
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(grid.dimension); ++axis) {
        box.replaceAlong(axis, n + 1, [&](const double *line, std::size_t s, std::size_t i) {
            if (axis == static_cast<std::size_t>(component))
                return line[i * s];
            if (i <= 1 || i + 1 >= n)
                return (line[i * s] + line[(i + 1) * s]) / 2;
            return (9 * (line[i * s] + line[(i + 1) * s]) - line[(i - 1) * s] - line[(i + 2) * s])
                   / 16;
        });
    }
    return std::move(box.values);
}

std::vector<double> cellsToNodes(const StaggeredGrid &grid, std::span<const double> cells)
{
    const auto n = grid.cells;
    Box box{{n, n, grid.planes()}, {cells.begin(), cells.end()}};
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(grid.dimension); ++axis) {
        box.replaceAlong(axis, n + 1, [&](const double *line, std::size_t s, std::size_t i) {
            if (i == 0)
                return (3 * line[0] - line[s]) / 2;
            if (i == n)
                return (3 * line[(n - 1) * s] - line[(n - 2) * s]) / 2;
            return (line[(i - 1) * s] + line[i * s]) / 2;
        });
    }
    return std::move(box.values);
}

} // namespace gridhelm::simulations

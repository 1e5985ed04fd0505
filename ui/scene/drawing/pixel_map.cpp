// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/drawing/pixel_map.h"

#include <vtkCamera.h>
#include <vtkCellArray.h>
#include <vtkCellArrayIterator.h>
#include <vtkMatrix4x4.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace gridhelm::ui {
namespace {

/// In pixels of the window, y upwards.
struct Corner
{
    double x = 0, y = 0, depth = 0;
    double perspective = 1; ///< 1 / distance along the view
};

/// Of the part of the window in which the renderer draws.
class PixelProjection
{
public:
    explicit PixelProjection(vtkRenderer &renderer)
    {
        renderer.GetTiledSizeAndOrigin(&m_width, &m_height, &m_left, &m_bottom);
        const auto &matrix = *renderer.GetActiveCamera()->GetCompositeProjectionTransformMatrix(
            renderer.GetTiledAspectRatio(), -1, 1);
        std::copy_n(matrix.GetData(), m_matrix.size(), m_matrix.begin());
    }

    int left() const { return m_left; }
    int right() const { return m_left + m_width; }
    int bottom() const { return m_bottom; }
    int top() const { return m_bottom + m_height; }

    /// perspective <= 0: behind the eye.
    Corner operator()(const double *at) const
    {
        std::array<double, 4> seen{};
        for (std::size_t row = 0; row < 4; ++row)
            seen[row] = m_matrix[4 * row] * at[0] + m_matrix[4 * row + 1] * at[1]
                        + m_matrix[4 * row + 2] * at[2] + m_matrix[4 * row + 3];
        const double p = 1 / seen[3];
        return {m_left + (0.5 * seen[0] * p + 0.5) * m_width,
                m_bottom + (0.5 * seen[1] * p + 0.5) * m_height, seen[2] * p, p};
    }

private:
    int m_left = 0, m_bottom = 0, m_width = 0, m_height = 0;
    std::array<double, 16> m_matrix{};
};

struct Nearest
{
    std::array<std::uint32_t, 3> vertices{};
    float ofSecond = 0, ofThird = 0;
    float depth = std::numeric_limits<float>::infinity();
};

/// The picture while triangles are put into it.
class Canvas
{
public:
    Canvas(const PixelProjection &projection, int width, int height)
        : m_width(width)
        , m_left(std::max(projection.left(), 0))
        , m_right(std::min(projection.right(), width))
        , m_bottom(std::max(projection.bottom(), 0))
        , m_top(std::min(projection.top(), height))
        , m_height(height)
        , m_pixels(static_cast<std::size_t>(width) * static_cast<std::size_t>(height))
    {
    }

    void put(const Corner &a, const Corner &b, const Corner &c,
             const std::array<std::uint32_t, 3> &vertices)
    {
        const double area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
        if (area == 0 || !std::isfinite(area))
            return;
        constexpr double slack = 1e-9; // a pixel on the edge of two triangles belongs to one
        const auto first = [](double low, int limit) {
            return std::max(static_cast<int>(std::ceil(std::clamp(low, -1.0, 1e6) - 0.5)), limit);
        };
        const auto last = [](double high, int limit) {
            return std::min(static_cast<int>(std::floor(std::clamp(high, -1.0, 1e6) - 0.5)),
                            limit - 1);
        };
        const int firstColumn = first(std::min({a.x, b.x, c.x}), m_left);
        const int lastColumn = last(std::max({a.x, b.x, c.x}), m_right);
        const int firstRow = first(std::min({a.y, b.y, c.y}), m_bottom);
        const int lastRow = last(std::max({a.y, b.y, c.y}), m_top);
        for (int row = firstRow; row <= lastRow; ++row) {
            const double y = row + 0.5;
            auto *line = m_pixels.data() + pixelAt(0, row);
            for (int column = firstColumn; column <= lastColumn; ++column) {
                const double x = column + 0.5;
                const double ofB = ((x - a.x) * (c.y - a.y) - (c.x - a.x) * (y - a.y)) / area;
                const double ofC = ((b.x - a.x) * (y - a.y) - (x - a.x) * (b.y - a.y)) / area;
                const double ofA = 1 - ofB - ofC;
                if (ofA < -slack || ofB < -slack || ofC < -slack)
                    continue;
                const double depth = ofA * a.depth + ofB * b.depth + ofC * c.depth;
                auto &nearest = line[column];
                if (!(static_cast<float>(depth) < nearest.depth))
                    continue;
                const double p = ofA * a.perspective + ofB * b.perspective + ofC * c.perspective;
                nearest = {vertices, static_cast<float>(ofB * b.perspective / p),
                           static_cast<float>(ofC * c.perspective / p), static_cast<float>(depth)};
            }
        }
    }

    std::vector<SeenPixel> seen() const
    {
        std::vector<SeenPixel> all;
        for (int row = m_top - 1; row >= m_bottom; --row) {
            for (int column = m_left; column < m_right; ++column) {
                const auto at = pixelAt(column, row);
                const auto &nearest = m_pixels[at];
                if (nearest.depth < std::numeric_limits<float>::infinity())
                    all.push_back({static_cast<std::uint32_t>(at), nearest.vertices,
                                   nearest.ofSecond, nearest.ofThird});
            }
        }
        return all;
    }

private:
    std::size_t pixelAt(int column, int row) const
    {
        return static_cast<std::size_t>(m_height - 1 - row) * static_cast<std::size_t>(m_width)
               + static_cast<std::size_t>(column);
    }

    int m_width, m_left, m_right, m_bottom, m_top, m_height;
    std::vector<Nearest> m_pixels;
};

} // namespace

std::vector<SeenPixel> seenPixels(vtkPolyData &surface, bool isPerCell, vtkRenderer &renderer,
                                  int width, int height)
{
    if (surface.GetNumberOfStrips() > 0)
        return {};
    const PixelProjection projection(renderer);
    std::vector<Corner> corners(static_cast<std::size_t>(surface.GetNumberOfPoints()));
    for (std::size_t i = 0; i < corners.size(); ++i) {
        std::array<double, 3> at{};
        surface.GetPoint(static_cast<vtkIdType>(i), at.data());
        corners[i] = projection(at.data());
        if (!(corners[i].perspective > 0))
            return {};
    }
    Canvas canvas(projection, width, height);
    auto cell = static_cast<std::uint32_t>(surface.GetNumberOfVerts() + surface.GetNumberOfLines());
    const auto polygons =
        vtkSmartPointer<vtkCellArrayIterator>::Take(surface.GetPolys()->NewIterator());
    for (polygons->GoToFirstCell(); !polygons->IsDoneWithTraversal();
         polygons->GoToNextCell(), ++cell) {
        vtkIdType count = 0;
        const vtkIdType *points = nullptr;
        polygons->GetCurrentCell(count, points);
        for (vtkIdType i = 2; i < count; ++i) { // as VTK does
            const std::array<vtkIdType, 3> of{points[0], points[i - 1], points[i]};
            std::array<std::uint32_t, 3> vertices{cell, cell, cell};
            if (!isPerCell)
                for (std::size_t k = 0; k < 3; ++k)
                    vertices[k] = static_cast<std::uint32_t>(of[k]);
            canvas.put(corners[static_cast<std::size_t>(of[0])],
                       corners[static_cast<std::size_t>(of[1])],
                       corners[static_cast<std::size_t>(of[2])], vertices);
        }
    }
    return canvas.seen();
}

} // namespace gridhelm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/solve_picture.h"

#include "app/cli/small_text.h"
#include "core/solvers/field_layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace gridhelm::cli {
namespace {

using solvers::layerOf;
using solvers::Slice;
using solvers::StepReport;

constexpr Colour white{255, 255, 255};
constexpr Colour black{0, 0, 0};
constexpr Colour lineGrey{215, 215, 215};
constexpr Colour unreachedGrey{128, 128, 128};
constexpr Colour curveBlue{31, 90, 180};

constexpr std::size_t margin = 20;
constexpr std::size_t fieldSide = 480; ///< pixels of the field's longer side
constexpr std::size_t barWidth = 20;
constexpr std::size_t plotWidth = 480;
constexpr std::size_t labelWidth = 96; ///< "-1.23e-05"

struct Box
{
    std::size_t left;
    std::size_t top;
    std::size_t width;
    std::size_t height;
};

/// Smallest and largest finite value.
struct ValueRange
{
    double lowest = std::numeric_limits<double>::infinity();
    double highest = -std::numeric_limits<double>::infinity();

    void add(double value)
    {
        if (!std::isfinite(value))
            return;
        lowest = std::min(lowest, value);
        highest = std::max(highest, value);
    }
    bool isEmpty() const { return lowest > highest; }
    double fractionOf(double value) const
    {
        return highest > lowest ? (value - lowest) / (highest - lowest) : 0.5;
    }
};

/// Between the four values around a place given in points; next to an unreached one, the nearest.
double interpolated(const Slice &slice, double x, double y)
{
    x = std::clamp(x, 0.0, static_cast<double>(slice.width - 1));
    y = std::clamp(y, 0.0, static_cast<double>(slice.height - 1));
    const auto i = static_cast<std::size_t>(x), j = static_cast<std::size_t>(y);
    const auto iNext = std::min(i + 1, slice.width - 1), jNext = std::min(j + 1, slice.height - 1);
    const double u = x - static_cast<double>(i), v = y - static_cast<double>(j);
    const auto at = [&](std::size_t column, std::size_t row) {
        return slice.values[row * slice.width + column];
    };
    const double value = (1 - v) * ((1 - u) * at(i, j) + u * at(iNext, j))
                         + v * ((1 - u) * at(i, jNext) + u * at(iNext, jNext));
    return std::isfinite(value) ? value : at(u < 0.5 ? i : iNext, v < 0.5 ? j : jNext);
}

void fill(Picture &picture, const Box &box, Colour colour)
{
    for (std::size_t y = box.top; y < box.top + box.height; ++y)
        for (std::size_t x = box.left; x < box.left + box.width; ++x)
            picture.at(x, y) = colour;
}

void frame(Picture &picture, const Box &box)
{
    fill(picture, {box.left - 1, box.top - 1, box.width + 2, 1}, black);
    fill(picture, {box.left - 1, box.top + box.height, box.width + 2, 1}, black);
    fill(picture, {box.left - 1, box.top, 1, box.height}, black);
    fill(picture, {box.left + box.width, box.top, 1, box.height}, black);
}

/// Every other band is darker, so that its shape can be seen.
Colour bandColour(double value, double highest, int layers)
{
    Colour colour = colourOf(ColourMap::glow, highest > 0 ? value / highest : 0);
    if (layerOf(value, highest, layers) % 2 == 1) {
        for (auto &part : colour)
            part = static_cast<std::uint8_t>(part * 3 / 5);
    }
    return colour;
}

class FieldPanel
{
public:
    FieldPanel(const Slice &slice, std::optional<int> bands)
        : m_slice(slice)
        , m_bands(bands)
    {
        for (double value : slice.values)
            m_range.add(value);
        if (m_bands)
            m_range.lowest = std::min(m_range.lowest, 0.0);
    }

    void draw(Picture &picture, const Box &box) const
    {
        for (std::size_t row = 0; row < box.height; ++row) {
            for (std::size_t column = 0; column < box.width; ++column) {
                const auto place = [](std::size_t pixel, std::size_t pixels, std::size_t points) {
                    return (static_cast<double>(pixel) + 0.5) / static_cast<double>(pixels)
                               * static_cast<double>(points)
                           - 0.5;
                };
                const double value =
                    interpolated(m_slice, place(column, box.width, m_slice.width),
                                 place(box.height - 1 - row, box.height, m_slice.height));
                picture.at(box.left + column, box.top + row) = colour(value);
            }
        }
        frame(picture, box);
    }

    void drawBar(Picture &picture, const Box &box) const
    {
        if (m_range.isEmpty())
            return;
        for (std::size_t row = 0; row < box.height; ++row) {
            const double part =
                (static_cast<double>(box.height - row) - 0.5) / static_cast<double>(box.height);
            const double value = m_range.lowest + part * (m_range.highest - m_range.lowest);
            fill(picture, {box.left, box.top + row, box.width, 1}, colour(value));
        }
        frame(picture, box);
        const auto left = box.left + box.width + 6;
        drawText(picture, left, box.top, fmt::format("{:.3g}", m_range.highest), black);
        drawText(picture, left, box.top + box.height - textHeight,
                 fmt::format("{:.3g}", m_range.lowest), black);
    }

private:
    Colour colour(double value) const
    {
        if (!std::isfinite(value))
            return unreachedGrey;
        return m_bands ? bandColour(value, m_range.highest, *m_bands)
                       : colourOf(ColourMap::glow, m_range.fractionOf(value));
    }

    const Slice &m_slice;
    std::optional<int> m_bands;
    ValueRange m_range;
};

/// The figure against the iterations, in decades.
class HistoryPanel
{
public:
    HistoryPanel(const std::vector<StepReport> &history, Quantity shown, std::string unit)
        : m_shown(shown)
        , m_unit(std::move(unit))
    {
        for (const auto &report : history) {
            const double value = valueOf(shown, report);
            if (value >= 0) // not NaN
                m_points.push_back({static_cast<double>(report.iterations), value});
        }
        ValueRange decades;
        for (const auto &point : m_points) {
            if (point.value > 0) // infinite ones are left out there
                decades.add(std::log10(point.value));
            m_last = std::max(m_last, point.iterations);
        }
        if (!decades.isEmpty()) {
            m_lowest = std::floor(decades.lowest);
            m_highest = std::max(std::ceil(decades.highest), m_lowest + 1);
        }
    }

    void draw(Picture &picture, const Box &box) const
    {
        const double every = std::ceil((m_highest - m_lowest) / 10);
        for (double decade = m_lowest; decade <= m_highest; decade += every) {
            const auto y = row(box, decade);
            fill(picture, {box.left, y, box.width, 1}, lineGrey);
            const std::string label = fmt::format("1e{:g}", decade);
            drawText(picture, box.left - 8 - textWidth(label), y - std::min(y, textHeight / 2),
                     label, black);
        }
        frame(picture, box);
        const std::string name(nameOf(m_shown));
        drawText(picture, box.left + box.width - textWidth(name) - 6, box.top + 6, name, black);
        const auto below = box.top + box.height + 6;
        const std::string last = fmt::format("{:.6g}", m_last);
        drawText(picture, box.left, below, "0", black);
        drawText(picture, box.left + (box.width - textWidth(m_unit)) / 2, below, m_unit, black);
        drawText(picture, box.left + box.width - textWidth(last), below, last, black);
        for (std::size_t i = 0; i < m_points.size(); ++i) {
            if (i > 0)
                drawLine(picture, box, m_points[i - 1], m_points[i]);
            if (m_points.size() <= maxMarked)
                mark(picture, box, m_points[i]);
        }
    }

private:
    static constexpr std::size_t maxMarked = 30;

    struct Point
    {
        double iterations;
        double value;
    };

    std::size_t column(const Box &box, double iterations) const
    {
        const double part = m_last > 0 ? iterations / m_last : 0;
        return box.left
               + static_cast<std::size_t>(std::lround(part * static_cast<double>(box.width - 1)));
    }
    std::size_t row(const Box &box, double decade) const
    {
        const double part = (m_highest - decade) / (m_highest - m_lowest);
        return box.top
               + static_cast<std::size_t>(
                   std::lround(std::clamp(part, 0.0, 1.0) * static_cast<double>(box.height - 1)));
    }
    /// 0 lies at the foot, infinity at the top.
    std::size_t row(const Box &box, const Point &point) const
    {
        return row(box, point.value > 0 ? std::min(std::log10(point.value), m_highest) : m_lowest);
    }

    void dot(Picture &picture, const Box &box, double x, double y, double radius) const
    {
        const auto inBox = [](double place, std::size_t begin, std::size_t size) {
            return static_cast<std::size_t>(std::clamp(place, static_cast<double>(begin),
                                                       static_cast<double>(begin + size - 1)));
        };
        for (double dx = -radius; dx <= radius; ++dx)
            for (double dy = -radius; dy <= radius; ++dy)
                picture.at(inBox(x + dx, box.left, box.width), inBox(y + dy, box.top, box.height)) =
                    curveBlue;
    }
    void mark(Picture &picture, const Box &box, const Point &point) const
    {
        dot(picture, box, static_cast<double>(column(box, point.iterations)),
            static_cast<double>(row(box, point)), 3);
    }
    void drawLine(Picture &picture, const Box &box, const Point &from, const Point &to) const
    {
        const auto x = static_cast<double>(column(box, from.iterations));
        const auto y = static_cast<double>(row(box, from));
        const double dx = static_cast<double>(column(box, to.iterations)) - x;
        const double dy = static_cast<double>(row(box, to)) - y;
        const double steps = std::max({std::abs(dx), std::abs(dy), 1.0});
        for (double step = 0; step <= steps; ++step)
            dot(picture, box, x + dx * step / steps, y + dy * step / steps, 0.5);
    }

    Quantity m_shown;
    std::string m_unit;
    std::vector<Point> m_points;
    double m_last = 0;
    double m_lowest = -16;
    double m_highest = 0;
};

/// Pixels for `points`, if the longest side has `longest` points.
std::size_t pixelsFor(std::size_t points, std::size_t longest)
{
    return std::max<std::size_t>(24, (points * fieldSide + longest / 2) / longest);
}

} // namespace

Picture drawSolution(const Slice &slice, std::optional<int> bands,
                     const std::vector<StepReport> &history, Quantity shown,
                     const std::string &unit)
{
    const auto longest = std::max(slice.width, slice.height);
    const Box field{margin, margin, pixelsFor(slice.width, longest),
                    pixelsFor(slice.height, longest)};
    const auto height = std::max<std::size_t>(field.height, 200);
    const Box bar{field.left + field.width + margin / 2, margin, barWidth, field.height};
    const Box plot{bar.left + bar.width + labelWidth + labelWidth, margin, plotWidth, height};
    Picture picture(plot.left + plot.width + margin, margin + height + 6 + textHeight + margin,
                    white);
    const FieldPanel panel(slice, bands);
    panel.draw(picture, field);
    panel.drawBar(picture, bar);
    HistoryPanel(history, shown, unit).draw(picture, plot);
    return picture;
}

} // namespace gridhelm::cli

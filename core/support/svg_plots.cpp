// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/svg_plots.h"

#include "core/support/html_text.h"
#include "core/support/svg_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace gridhelm {
namespace {

using svg::head;
using svg::line;
using svg::textAt;

/// Where a plot of lines has its lines.
struct Frame
{
    static constexpr double width = 440, height = 270, left = 62, right = 12, top = 30, bottom = 40;

    double lowX = 0, highX = 1, lowY = 0, highY = 1; ///< y: powers of ten

    double x(double value) const
    {
        return left + (value - lowX) / (highX - lowX) * (width - left - right);
    }
    double y(double value) const
    {
        const double share = (std::log10(value) - lowY) / (highY - lowY);
        return height - bottom - share * (height - top - bottom);
    }
};

Frame frameOf(const std::vector<PlotSeries> &series)
{
    constexpr double infinity = std::numeric_limits<double>::infinity();
    Frame frame{infinity, -infinity, infinity, -infinity};
    for (const auto &each : series) {
        for (const auto &point : each.points) {
            frame.lowX = std::min(frame.lowX, point.x);
            frame.highX = std::max(frame.highX, point.x);
            frame.lowY = std::min(frame.lowY, std::floor(std::log10(point.y)));
            frame.highY = std::max(frame.highY, std::ceil(std::log10(point.y)));
        }
    }
    if (!(frame.lowX <= frame.highX))
        frame = {};
    frame.lowX = std::floor(frame.lowX); // labels are whole numbers
    frame.highX = std::ceil(frame.highX);
    if (frame.highX <= frame.lowX)
        frame.highX = frame.lowX + 1;
    if (frame.highY <= frame.lowY)
        frame.highY = frame.lowY + 1;
    return frame;
}

std::string axesOf(const Frame &frame)
{
    std::string svg;
    const int decades = static_cast<int>(frame.highY - frame.lowY);
    const int step = decades / 8 + 1;
    for (int decade = 0; decade <= decades; decade += step) {
        const double power = frame.lowY + decade;
        const double y = frame.y(std::pow(10.0, power));
        svg += line(Frame::left, y, Frame::width - Frame::right, y, "grid");
        svg += textAt(Frame::left - 6, y + 4, "end", fmt::format("1e{:g}", power));
    }
    const int most = static_cast<int>(frame.highX - frame.lowX);
    for (int i = 0; i <= most; i += most / 10 + 1) {
        const double x = frame.x(frame.lowX + i);
        svg += line(x, Frame::height - Frame::bottom, x, Frame::height - Frame::bottom + 4, "axis");
        svg += textAt(x, Frame::height - Frame::bottom + 17, "middle",
                      fmt::format("{:g}", frame.lowX + i));
    }
    return svg
           + line(Frame::left, Frame::height - Frame::bottom, Frame::width - Frame::right,
                  Frame::height - Frame::bottom, "axis");
}

} // namespace

std::string barPlot(const std::vector<PlotBar> &bars, double mark, const std::string &title)
{
    constexpr double width = 900, left = 330, right = 230, top = 26, rowHeight = 22, gap = 8;
    double highest = mark, height = top;
    for (const auto &bar : bars) {
        highest = std::max(highest, bar.value);
        height += rowHeight + (bar.group.empty() ? 0 : gap);
    }
    const auto lengthOf = [&](double value) {
        return highest > 0 ? value / highest * (width - left - right) : 0;
    };
    auto svg = head(width, height + 12, title) + textAt(0, 16, "start", title, "title");
    if (mark > 0)
        svg += line(left + lengthOf(mark), top, left + lengthOf(mark), height + 4, "mark");
    double y = top;
    for (const auto &bar : bars) {
        if (!bar.group.empty()) {
            y += gap;
            svg += textAt(0, y + 14, "start", bar.group, "group");
        }
        svg += textAt(left - 8, y + 14, "end", bar.label);
        svg +=
            fmt::format("<rect class=\"series c{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
                        "height=\"{:.1f}\" rx=\"2\"/>\n",
                        bar.colour % plotColours, left, y + 2, lengthOf(bar.value), rowHeight - 5);
        svg += textAt(left + lengthOf(bar.value) + 6, y + 14, "start", bar.text);
        y += rowHeight;
    }
    return svg + "</svg>\n";
}

std::string linePlot(const std::vector<PlotSeries> &series, const std::string &title,
                     const std::string &xName, const std::string &yName)
{
    const auto frame = frameOf(series);
    auto svg = head(Frame::width, Frame::height, title) + textAt(0, 16, "start", title, "title")
               + textAt(Frame::width, 16, "end", yName)
               + textAt((Frame::left + Frame::width - Frame::right) / 2, Frame::height - 6,
                        "middle", xName)
               + axesOf(frame);
    for (const auto &each : series) {
        std::string path;
        for (const auto &point : each.points)
            path += fmt::format("{:.1f},{:.1f} ", frame.x(point.x), frame.y(point.y));
        svg += fmt::format("<g class=\"series c{} d{}\"><title>{}</title><polyline points=\"{}\"/>",
                           each.colour % plotColours, each.dash, htmlText(each.name), path);
        for (const auto &point : each.points)
            svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.5\"/>", frame.x(point.x),
                               frame.y(point.y));
        svg += "</g>\n";
    }
    return svg + "</svg>\n";
}

} // namespace gridhelm

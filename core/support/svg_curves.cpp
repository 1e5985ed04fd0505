// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/svg_parts.h"
#include "core/support/svg_plots.h"

#include <algorithm>
#include <cmath>

namespace gridhelm {
namespace {

constexpr double width = 290, height = 170, left = 62, right = 10, top = 26, bottom = 24;

/// A range as a side of the plot.
struct Axis
{
    double low = 0, high = 1;
    bool isLogarithmic = false;

    double share(double value) const
    {
        if (!(high > low))
            return 0.5;
        return isLogarithmic ? std::log(value / low) / std::log(high / low)
                             : (value - low) / (high - low);
    }
};

} // namespace

std::string curvePlot(const PlotCurve &curve, const std::string &title, const std::string &yName)
{
    Axis across, up;
    if (!curve.at.empty() && curve.at.size() == curve.values.size()) {
        across = {curve.at.front(), curve.at.back(), curve.isLogarithmic};
        const auto [low, high] = std::ranges::minmax(curve.values);
        up = {std::min(low, curve.presentValue), std::max(high, curve.presentValue)};
    }
    const auto x = [&](double at) { return left + across.share(at) * (width - left - right); };
    const auto y = [&](double value) {
        return height - bottom - up.share(value) * (height - top - bottom);
    };
    auto picture = svg::head(width, height, title) + svg::textAt(0, 15, "start", title, "title")
                   + svg::textAt(width, 15, "end", yName)
                   + svg::line(left, height - bottom, width - right, height - bottom, "axis")
                   + svg::line(left, top, left, height - bottom, "axis");
    if (curve.at.empty() || curve.at.size() != curve.values.size())
        return picture + "</svg>\n";
    for (const double value : {up.low, up.high}) {
        picture += svg::line(left, y(value), width - right, y(value), "grid");
        picture += svg::textAt(left - 6, y(value) + 4, "end", fmt::format("{:.4g}", value));
    }
    picture += svg::textAt(left, height - 6, "start", fmt::format("{:.4g}", across.low));
    picture += svg::textAt(width - right, height - 6, "end", fmt::format("{:.4g}", across.high));
    std::string points;
    for (std::size_t i = 0; i < curve.at.size(); ++i)
        points += fmt::format("{:.1f},{:.1f} ", x(curve.at[i]), y(curve.values[i]));
    return picture
           + fmt::format("<g class=\"series c0\"><polyline points=\"{}\"/></g>\n"
                         "<g class=\"series c1\"><circle cx=\"{:.1f}\" cy=\"{:.1f}\" "
                         "r=\"3.5\"/></g>\n</svg>\n",
                         points, x(curve.present), y(curve.presentValue));
}

} // namespace gridhelm

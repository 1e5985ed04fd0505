// SPDX-License-Identifier: GPL-3.0-or-later
//
// Plots as SVG, to stand inside a page. Colours are the page's: series i is drawn with the classes
// "series" and "ci" (stroke and fill), text with "label".
#pragma once

#include <string>
#include <vector>

namespace gridhelm {

/// Colours there are; series beyond begin again.
inline constexpr int plotColours = 6;

struct PlotBar
{
    std::string label; ///< beside it, on the left
    double value = 0;  ///< at least 0
    std::string text;  ///< beside its end
    int colour = 0;
    /// On the far left, of the first bar of a group; empty: it goes on.
    std::string group{};
};

/// Lying bars, one below the other. `mark`: where a line is drawn through all; none for 0.
std::string barPlot(const std::vector<PlotBar> &bars, double mark, const std::string &title);

struct PlotPoint
{
    double x, y;
};

struct PlotSeries
{
    std::vector<PlotPoint> points; ///< x ascending, y above 0
    std::string name;              ///< shown when the pointer rests on it
    int colour = 0;
    int dash = 0; ///< 0: a whole line, then shorter and shorter pieces
};

/// A value along one parameter, linear axes; `at`: ascending. A dot at `present`.
struct PlotCurve
{
    std::vector<double> at, values;
    double present = 0, presentValue = 0;
    bool isLogarithmic = false; ///< x, all of which are above 0 then
};
/// Small; nothing but axes without values.
std::string curvePlot(const PlotCurve &curve, const std::string &title, const std::string &yName);

/// Lines over x, whole numbers, with a logarithmic y. Nothing but axes without points.
std::string linePlot(const std::vector<PlotSeries> &series, const std::string &title,
                     const std::string &xName, const std::string &yName);

} // namespace gridhelm

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/campaign/error_curve_plot.h"

#include <algorithm>
#include <cmath>

namespace gridhelm::ui {

namespace {

/// In the legend, and how it is drawn.
QString nameOf(const std::string &field, data::HistoryKind kind)
{
    const auto name = QString::fromStdString(field);
    switch (kind) {
    case data::HistoryKind::estimate:
        return name + ", estimated";
    case data::HistoryKind::heldOut:
        return name + ", at validation points";
    case data::HistoryKind::leaveOneOut:
        return name + ", runs left out";
    }
    return name;
}

} // namespace

ErrorCurvePlot::ErrorCurvePlot(QWidget *parent)
    : Plot(parent)
{
    setAccessibleName("Error history");
    setToolTip("The error of each field, relative to it, against the number of runs: dashed as "
               "estimated from coefficients, dots as measured at validation points, circles with "
               "one run left out at a time. The wheel zooms, a double click shows all again");
    setMinimumSize(180, 140);
    xAxis->setLabel("runs");
    yAxis->setLabel("relative error [%]");
    setLogarithmic(*xAxis, true);
    setLogarithmic(*yAxis, true);
    legendOnTop(*this, 1);
    ErrorCurvePlot::restyle();
    ErrorCurvePlot::showAll();
}

void ErrorCurvePlot::setHistory(const std::vector<data::ErrorThen> &history,
                                const std::vector<std::string> &fields)
{
    if (history == m_history && fields == m_fields)
        return;
    m_history = history;
    m_fields = fields;
    addCurves();
    if (!isZoomed())
        showAll();
    replot(rpQueuedReplot);
}

void ErrorCurvePlot::addCurves()
{
    clearGraphs();
    for (std::size_t field = 0; field < m_fields.size(); ++field) {
        for (const auto kind : {data::HistoryKind::estimate, data::HistoryKind::heldOut,
                                data::HistoryKind::leaveOneOut}) {
            QVector<double> runs, errors;
            for (const auto &error : m_history) {
                if (error.field != field || error.kind != kind || error.error <= 0)
                    continue;
                runs << static_cast<double>(error.runs);
                errors << 100 * error.error;
            }
            if (runs.isEmpty())
                continue;
            auto *curve = addGraph();
            curve->setName(nameOf(m_fields[field], kind));
            curve->setData(runs, errors, true);
            const auto colour = curveColour(palette(), static_cast<int>(field));
            if (kind == data::HistoryKind::estimate) {
                curve->setPen(QPen(colour, 1.4, Qt::DashLine));
            } else {
                curve->setLineStyle(QCPGraph::lsNone);
                curve->setPen(QPen(colour, 1.4));
                curve->setScatterStyle(QCPScatterStyle(kind == data::HistoryKind::heldOut
                                                           ? QCPScatterStyle::ssDisc
                                                           : QCPScatterStyle::ssCircle,
                                                       7));
            }
        }
    }
    legend->setVisible(graphCount() > 0);
}

void ErrorCurvePlot::restyle()
{
    Plot::restyle();
    legend->setBorderPen(Qt::NoPen);
    addCurves();
}

void ErrorCurvePlot::showAll()
{
    double fewest = 10, most = 100, smallest = 0.1, largest = 10;
    bool isFirst = true;
    for (const auto &error : m_history) {
        if (error.error <= 0 || error.runs == 0)
            continue;
        const auto runs = static_cast<double>(error.runs), percent = 100 * error.error;
        fewest = isFirst ? runs : std::min(fewest, runs);
        most = isFirst ? runs : std::max(most, runs);
        smallest = isFirst ? percent : std::min(smallest, percent);
        largest = isFirst ? percent : std::max(largest, percent);
        isFirst = false;
    }
    xAxis->setRange(fewest / 1.2, most * 1.2);
    yAxis->setRange(smallest / 1.6, largest * 1.6);
}

} // namespace gridhelm::ui

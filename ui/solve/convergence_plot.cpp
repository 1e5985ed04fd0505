// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/solve/convergence_plot.h"

#include "core/support/csv_line.h"
#include "ui/controls/theme.h"

#include <QTimer>

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

namespace gridhelm::ui {
namespace {

using solvers::Quantity;
using solvers::StepReport;

constexpr int redrawMilliseconds = 100;
constexpr double smallestDecade = 1e-17; ///< less is round-off, or nothing
constexpr std::size_t maxMarked = 30;    ///< points of a curve that are drawn as such
constexpr std::array quantities{Quantity::residual, Quantity::change, Quantity::error};

Qt::PenStyle styleOf(Quantity quantity)
{
    return quantity == Quantity::residual ? Qt::SolidLine
           : quantity == Quantity::change ? Qt::DashLine
                                          : Qt::DotLine;
}

/// A logarithmic axis has no place for the others.
double shown(double value)
{
    return std::isfinite(value) && value > 0 ? std::max(value, smallestDecade)
                                             : std::numeric_limits<double>::quiet_NaN();
}

std::string cell(double value)
{
    return std::isnan(value) ? std::string() : fmt::format("{}", value);
}

} // namespace

ConvergencePlot::ConvergencePlot(QWidget *parent)
    : Plot(parent)
    , m_timer(new QTimer(this))
{
    setLogarithmic(*yAxis, true);
    yAxis->setRange(1e-8, 2);
    xAxis->setRange(0, 100);
    legend->setVisible(false);
    axisRect()->insetLayout()->setInsetAlignment(0, Qt::AlignTop | Qt::AlignRight);
    setNoAntialiasingOnDrag(true);
    setAccessibleName("Convergence");
    setMinimumSize(200, 110);
    labelAxes();
    restyle();
    m_timer->setSingleShot(true);
    m_timer->setInterval(redrawMilliseconds);
    connect(m_timer, &QTimer::timeout, this, &ConvergencePlot::redraw);
}

void ConvergencePlot::labelAxes()
{
    QStringList units;
    for (const auto &[id, run] : m_runs)
        units << run.unit;
    units.removeDuplicates();
    if (units.isEmpty())
        units << "iterations";
    xAxis->setLabel(m_abscissa == Abscissa::seconds ? "time [s]" : units.join(", "));
    yAxis->setLabel("residual, change, error");
}

void ConvergencePlot::addRun(int id, const QString &name, int colour)
{
    Run run;
    run.name = name;
    run.colour = colour;
    for (const auto quantity : quantities) {
        auto *graph = addGraph();
        graph->setAdaptiveSampling(true);
        run.graphs[quantity] = graph;
    }
    m_runs[id] = std::move(run);
    restyle();
    schedule();
}

void ConvergencePlot::append(int id, std::span<const StepReport> points)
{
    const auto found = m_runs.find(id);
    if (found == m_runs.end())
        return;
    auto &all = found->second.points;
    all.insert(all.end(), points.begin(), points.end());
    while (all.size() > maxPoints) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (i % 2 == 0 || i + 1 == all.size())
                all[kept++] = all[i];
        }
        all.resize(kept);
    }
    found->second.isNew = true;
    schedule();
}

void ConvergencePlot::setShown(int id, bool isShown)
{
    m_runs.at(id).isShown = isShown;
    m_runs.at(id).isNew = true;
    schedule();
}

void ConvergencePlot::rename(int id, const QString &name)
{
    m_runs.at(id).name = name;
    m_runs.at(id).isNew = true;
    schedule();
}

void ConvergencePlot::remove(int id)
{
    const auto found = m_runs.find(id);
    if (found == m_runs.end())
        return;
    for (const auto &[quantity, graph] : found->second.graphs)
        removeGraph(graph);
    m_runs.erase(found);
    labelAxes();
    schedule();
}

void ConvergencePlot::setQuantities(const std::set<Quantity> &wanted)
{
    m_quantities = wanted;
    scheduleAll();
}

void ConvergencePlot::setAbscissa(Abscissa abscissa)
{
    m_abscissa = abscissa;
    setLogarithmic(*xAxis, abscissa == Abscissa::logIterations);
    labelAxes();
    scheduleAll();
}

void ConvergencePlot::setUnit(int id, const QString &unit)
{
    const auto found = m_runs.find(id);
    if (found == m_runs.end() || found->second.unit == unit)
        return;
    found->second.unit = unit;
    labelAxes();
    schedule();
}

QString ConvergencePlot::csv() const
{
    std::string text = "run,iterations,seconds,residual,largest_change,error\n";
    for (const auto &[id, run] : m_runs) {
        if (!run.isShown)
            continue;
        for (const auto &point : run.points)
            text += fmt::format("{},{},{},{},{},{}\n", csvCell(run.name.toStdString()),
                                point.iterations, point.seconds, cell(point.residual),
                                cell(point.largestChange), cell(point.error));
    }
    return QString::fromStdString(text);
}

void ConvergencePlot::restyle()
{
    Plot::restyle();
    for (auto &[id, run] : m_runs) {
        for (const auto &[quantity, graph] : run.graphs) {
            QPen pen(curveColour(palette(), run.colour));
            // Dashes of smooth and thicker lines are cut out one by one: of a curve that goes up
            // and down with every iteration that took a fifth of a second.
            const bool isDashed = styleOf(quantity) != Qt::SolidLine;
            pen.setWidthF(isDashed ? 1 : 1.6);
            pen.setStyle(styleOf(quantity));
            graph->setPen(pen);
            graph->setAntialiased(!isDashed);
        }
    }
}

void ConvergencePlot::schedule()
{
    if (!m_timer->isActive())
        m_timer->start();
}

void ConvergencePlot::scheduleAll()
{
    for (auto &[id, run] : m_runs)
        run.isNew = true;
    schedule();
}

void ConvergencePlot::fill(Run &run)
{
    const auto count = static_cast<int>(run.points.size());
    for (const auto &[quantity, graph] : run.graphs) {
        QVector<double> keys, values;
        bool isAny = false;
        if (run.isShown && m_quantities.contains(quantity)) {
            keys.reserve(count);
            values.reserve(count);
            for (const auto &point : run.points) {
                if (m_abscissa == Abscissa::logIterations && point.iterations == 0)
                    continue;
                keys << (m_abscissa == Abscissa::seconds ? point.seconds
                                                         : static_cast<double>(point.iterations));
                values << shown(valueOf(quantity, point));
                isAny = isAny || !std::isnan(values.back());
            }
        }
        graph->setData(isAny ? keys : QVector<double>(), isAny ? values : QVector<double>(), true);
        graph->setVisible(isAny);
        const bool areFew = run.points.size() <= maxMarked;
        graph->setScatterStyle(areFew ? QCPScatterStyle(QCPScatterStyle::ssDisc, 5)
                                      : QCPScatterStyle(QCPScatterStyle::ssNone));
        graph->setName(QString("%1: %2").arg(run.name, QString::fromUtf8(nameOf(quantity))));
        const bool isInLegend = legend->hasItemWithPlottable(graph);
        if (isAny && !isInLegend)
            graph->addToLegend();
        else if (!isAny && isInLegend)
            graph->removeFromLegend();
    }
}

void ConvergencePlot::redraw()
{
    for (auto &[id, run] : m_runs)
        if (std::exchange(run.isNew, false))
            fill(run);
    legend->setVisible(legend->itemCount() > 0);
    if (!isZoomed())
        showAll();
    replot(rpQueuedReplot);
}

/// Whole decades up from the smallest value.
void ConvergencePlot::showAll()
{
    double last = 0, lowest = std::numeric_limits<double>::infinity(), highest = 0;
    for (auto &[id, run] : m_runs) {
        for (const auto &[quantity, graph] : run.graphs) {
            for (const auto &point : *graph->data()) {
                last = std::max(last, point.key);
                if (std::isnan(point.value))
                    continue;
                lowest = std::min(lowest, point.value);
                highest = std::max(highest, point.value);
            }
        }
    }
    if (!(highest > 0))
        return;
    const double low = std::floor(std::log10(lowest) - 0.05);
    const double high = std::max(std::ceil(std::log10(highest) + 0.05), low + 1);
    yAxis->setRange(std::pow(10, low), std::pow(10, high));
    if (m_abscissa == Abscissa::logIterations)
        xAxis->setRange(0.8, std::max(last * 1.2, 10.0));
    else
        xAxis->setRange(0, last > 0 ? last * 1.02 : 1);
}

} // namespace gridhelm::ui

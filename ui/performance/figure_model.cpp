// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/performance/figure_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace gridhelm::ui {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// What a figure is computed from.
struct Of
{
    const FrameHistory &history;
    std::size_t index;
    const MachineLimits &limits;

    const FrameSample &sample() const { return history.samples()[index]; }
};

struct Figure
{
    const char *name;
    const char *unit;
    const char *tip;
    double (*value)(const Of &of);
};

/// 0 means that it is not known.
double known(double value)
{
    return value > 0 ? value : unknown;
}

double share(double rate, std::optional<double> limit)
{
    return limit ? known(100 * rate / *limit) : unknown;
}

constexpr std::array figures{
    Figure{"Latency", "ms", "From the event that asked for a frame until it was on the screen",
           [](const Of &of) { return 1e3 * of.sample().latency; }},
    Figure{"Evaluate", "ms", "The field at these parameters",
           [](const Of &of) { return 1e3 * of.sample().evaluate; }},
    Figure{"Transfer", "ms",
           "Handing the field to the scene: on the CPU a copy within memory, no bus",
           [](const Of &of) { return 1e3 * of.sample().transfer; }},
    Figure{"Render", "ms", "Drawing the scene and painting the window",
           [](const Of &of) { return 1e3 * of.sample().render; }},
    Figure{"Waiting", "ms",
           "The rest of the latency: queues between threads, other frames, the screen",
           [](const Of &of) { return 1e3 * of.sample().waiting; }},
    Figure{"Evaluations", "1/s",
           "Finished in the second before the frame was shown, also those that were never shown",
           [](const Of &of) { return of.history.evaluationsPerSecond(of.index); }},
    Figure{"Bytes", "MB",
           "That one evaluation reads and writes, by count: 4 C (R + 2) for C values of R "
           "snapshots; 4 C more for the list, where only what is visible is evaluated",
           [](const Of &of) { return known(1e-6 * of.sample().work.bytes()); }},
    Figure{"Memory rate", "GB/s", "Bytes by the time of the evaluation",
           [](const Of &of) { return known(1e-9 * of.sample().byteRate()); }},
    Figure{"of read rate", "%",
           "By what this machine's memory delivers to as many threads; more than 100 % come from "
           "caches",
           [](const Of &of) {
               return share(of.sample().byteRate(),
                            of.limits.readRate(CpuDevice{of.sample().threads}));
           }},
    Figure{"Operations", "Mflop",
           "Of one evaluation, by count: C (2 R + 1) for C values of R snapshots",
           [](const Of &of) { return known(1e-6 * of.sample().work.flops()); }},
    Figure{"Operation rate", "GFlop/s", "Operations by the time of the evaluation",
           [](const Of &of) { return known(1e-9 * of.sample().flopRate()); }},
    Figure{"of peak", "%", "By what as many threads of this machine compute at most",
           [](const Of &of) {
               return share(of.sample().flopRate(),
                            of.limits.peakFlops(CpuDevice{of.sample().threads}));
           }},
    Figure{"Intensity", "flop/byte", "Operations for each byte",
           [](const Of &of) { return known(of.sample().intensity()); }},
    Figure{"Values", "", "C: of the field, or of the part of it that is visible",
           [](const Of &of) { return static_cast<double>(of.sample().values); }},
    Figure{"Snapshots", "", "R: grid points whose coefficients were combined",
           [](const Of &of) { return known(static_cast<double>(of.sample().work.rows)); }},
    Figure{"Levels", "", "Of the grid, that were used; fewer while there is no time for all",
           [](const Of &of) { return static_cast<double>(of.sample().groups); }},
};
constexpr std::size_t levelsRow = figures.size() - 1;

double medianOf(std::vector<double> values)
{
    std::erase_if(values, [](double value) { return std::isnan(value); });
    if (values.empty())
        return unknown;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

QString text(double value)
{
    if (std::isnan(value))
        return QString(QChar(0x2013));
    if (value == std::floor(value) && value < 1e15)
        return QString::number(value, 'f', 0);
    const int decimals = value >= 100 ? 0 : value >= 10 ? 1 : value >= 0.01 ? 2 : 4;
    return QString::number(value, 'f', decimals);
}

} // namespace

FigureModel::FigureModel(QObject *parent)
    : QAbstractTableModel(parent)
    , m_rows(figures.size(), Row{unknown, unknown})
{
}

void FigureModel::show(const FrameHistory &history, const MachineLimits &limits)
{
    const auto count = history.samples().size();
    m_allGroups = count > 0 ? history.samples().back().allGroups : 0;
    for (std::size_t row = 0; row < figures.size(); ++row) {
        std::vector<double> values;
        for (auto i = count - std::min(count, maxInMedian); i < count; ++i)
            values.push_back(figures[row].value({history, i, limits}));
        m_rows[row] = {values.empty() ? unknown : values.back(), medianOf(values)};
    }
    emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

int FigureModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(figures.size());
}

int FigureModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : columns;
}

QVariant FigureModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const auto row = static_cast<std::size_t>(index.row());
    const auto &figure = figures[row];
    switch (role) {
    case Qt::DisplayRole:
        switch (index.column()) {
        case nameColumn:
            return figure.name;
        case lastColumn:
            return text(m_rows[row].last);
        case medianColumn:
            return text(m_rows[row].median);
        default:
            return row == levelsRow && m_allGroups > 0 ? QString("of %1").arg(m_allGroups)
                                                       : QString(figure.unit);
        }
    case Qt::ToolTipRole:
        return figure.tip;
    case Qt::TextAlignmentRole:
        return static_cast<int>(Qt::AlignVCenter
                                | (index.column() == lastColumn || index.column() == medianColumn
                                       ? Qt::AlignRight
                                       : Qt::AlignLeft));
    default:
        return {};
    }
}

QVariant FigureModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    constexpr std::array<const char *, columns> names{"Figure", "Last", "Median", "Unit"};
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0
        || section >= columns)
        return {};
    return names[static_cast<std::size_t>(section)];
}

} // namespace gridhelm::ui

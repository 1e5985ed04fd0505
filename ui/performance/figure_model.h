// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/machine/machine_limits.h"
#include "ui/performance/frame_history.h"

#include <QAbstractTableModel>

#include <vector>

namespace gridhelm::ui {

/// The figures of the last frame, and medians of the last `maxInMedian`, a row for each.
class FigureModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    static constexpr std::size_t maxInMedian = 100;
    enum Column { nameColumn, lastColumn, medianColumn, unitColumn, columns };

    explicit FigureModel(QObject *parent = nullptr);

    void show(const FrameHistory &history, const MachineLimits &limits);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;

private:
    struct Row
    {
        double last, median; ///< NaN: not known
    };
    std::vector<Row> m_rows;
    int m_allGroups = 0;
};

} // namespace gridhelm::ui

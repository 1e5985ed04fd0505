// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/solve/solver_worker.h"

#include <QAbstractTableModel>
#include <QString>

#include <vector>

namespace gridhelm::ui {

/// A run as the table and the plot remember it.
struct RunRecord
{
    int id = 0; ///< never used again
    QString name;
    QString method;
    QString size;
    RunState state;
    bool isShown = true; ///< its curve
    int colour = 0;      ///< of its curve, see curveColour()
};

/// "running", "finished", ...
QString textOf(RunPhase phase);

/// The runs, the oldest first. Names can be edited, the first column's check box shows the curve.
class RunTableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column {
        nameColumn,
        stateColumn,
        methodColumn,
        sizeColumn,
        iterationsColumn,
        residualColumn,
        changeColumn,
        errorColumn,
        secondsColumn,
        rateColumn,
        flopsColumn,
        bytesColumn,
        columnCountOfAll
    };

    using QAbstractTableModel::QAbstractTableModel;

    /// Returns the id.
    int add(const QString &name, const QString &method, const QString &size);
    /// Nothing happens without a run of that id.
    void update(int id, const RunState &state);
    void remove(int id);
    const std::vector<RunRecord> &records() const { return m_records; }
    const RunRecord *record(int id) const;
    int rowOf(int id) const; ///< -1: none
    QString csv() const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role = Qt::EditRole) override;

signals:
    void curveChanged(int id); ///< shown, hidden or renamed
    void removed(int id);

private:
    QString text(const RunRecord &record, int column) const;

    std::vector<RunRecord> m_records;
    int m_lastId = 0;
};

} // namespace gridhelm::ui

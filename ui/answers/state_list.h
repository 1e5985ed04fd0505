// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QStringList>

#include <cstddef>
#include <string>
#include <vector>

namespace gridhelm::ui {

/// A state of a study that somebody may want to go to.
struct StateRow
{
    QString name;                   ///< "run 17", "goal"
    std::vector<double> parameters; ///< in their units
    std::vector<double> responses;  ///< a run's own, of others the surrogate's; NaN: not known
    std::vector<double> predicted;  ///< the surrogate's; NaN: not known
    bool isRun = true;
};

/// States as rows; what they are called, their parameters and responses as columns, each response
/// beside what the surrogate says there.
class StateList : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Role { sortRole = Qt::UserRole }; ///< a number, or the row of the name

    using QAbstractTableModel::QAbstractTableModel;

    void setRows(const QStringList &parameters, const QStringList &responses,
                 std::vector<StateRow> rows);
    /// The same state elsewhere.
    void setRow(std::size_t row, StateRow state);
    const std::vector<StateRow> &rows() const { return m_rows; }
    /// The parameters and responses of a row, the surrogate's where its own are not known.
    std::vector<double> numbers(std::size_t row) const;
    std::string csv() const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    /// Of a column behind the name; NaN: not known.
    double number(std::size_t row, std::size_t column) const;

    QStringList m_columns; ///< without that of the name
    std::vector<StateRow> m_rows;
};

} // namespace gridhelm::ui

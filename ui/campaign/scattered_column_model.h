// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/campaign/scattered_inspector.h"

#include <QAbstractTableModel>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gridhelm::ui {

/// The columns of a table of runs, one a row: its role, its range, its first values, and what is
/// wrong with it. Roles can be chosen, and ranges of parameters typed.
class ScatteredColumnModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    /// Then come the first rows of the table, `shownRows` at most.
    enum Column { name, columnRole, low, high, scale, problem, firstValues };
    static constexpr int shownRows = 4;

    using QAbstractTableModel::QAbstractTableModel;

    void setFile(const std::shared_ptr<const ScatteredFile> &file); ///< null: none
    const std::shared_ptr<const ScatteredFile> &file() const { return m_file; }
    /// Those of single columns are shown.
    void setProblems(const std::vector<data::ColumnProblem> &problems);

    const std::vector<data::ColumnRole> &roles() const { return m_roles; }
    /// Of parameters, those that are not the table's.
    std::map<std::string, data::ScatteredRange, std::less<>> ranges() const;

    /// Of parameters.
    std::map<std::string, ParameterScale, std::less<>> scales() const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role) override;

signals:
    /// A role, a range or a scale is another one.
    void edited();
    /// Why what was typed was not taken.
    void refused(const QString &sentence);

private:
    std::optional<data::ScatteredRange> range(std::size_t row) const;
    QString text(std::size_t row, int column) const;
    bool setRole(std::size_t row, const QString &text);
    bool setScale(std::size_t row, const QString &text);
    bool setBound(std::size_t row, int column, const QString &text);

    std::shared_ptr<const ScatteredFile> m_file;
    std::vector<data::ColumnRole> m_roles;
    std::vector<std::optional<data::ScatteredRange>> m_ranges; ///< of each column, if it was typed
    std::vector<ParameterScale> m_scales;                      ///< of each column
    std::vector<QString> m_problems;                           ///< of each column, or empty
};

} // namespace gridhelm::ui

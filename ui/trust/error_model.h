// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/steering/study_facts.h"

#include <QAbstractTableModel>

#include <memory>
#include <optional>
#include <vector>

namespace gridhelm::ui {

/// The measured errors of one field, one place a row: kind, parameters, errors. In the order of the
/// relative error, the worst first.
class ErrorModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum FixedColumn { kindColumn, firstParameter };
    static constexpr int sortRole = Qt::UserRole + 1; ///< numbers as numbers

    using QAbstractTableModel::QAbstractTableModel;

    /// none: all kinds. Does nothing if all is as before.
    void show(std::shared_ptr<const StudyFacts> study, data::FieldIndex field,
              std::optional<data::ErrorKind> kind);
    const data::ErrorFigure &figure(int row) const
    {
        return *m_rows.at(static_cast<std::size_t>(row));
    }
    int relativeColumn() const;     ///< L2 norm of the error by that of the snapshot
    int largestColumn() const;      ///< in the field's unit
    int largestShareColumn() const; ///< of the snapshot's largest magnitude

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    double number(const data::ErrorFigure &figure, int column) const;

    std::shared_ptr<const StudyFacts> m_study;
    data::FieldIndex m_field = 0;
    std::optional<data::ErrorKind> m_kind;
    std::vector<const data::ErrorFigure *> m_rows; ///< of m_study
};

/// "held out", "leave one out", "indicator".
QString errorKindText(data::ErrorKind kind);
/// What it tells, as a sentence.
QString errorKindTip(data::ErrorKind kind);
/// "0.12 %".
QString percentText(double share);

} // namespace gridhelm::ui

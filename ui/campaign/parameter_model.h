// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QStringList>

#include <vector>

namespace gridhelm {
struct Parameter;
}

namespace gridhelm::ui {

class PlanDraft;

/// The parameters of a plan, one a row; what is edited changes the plan's text, or is refused with
/// a sentence.
class ParameterModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { name, unit, low, high, scale, kind, treatment, degree, cap, columns };

    explicit ParameterModel(PlanDraft &draft, QObject *parent = nullptr);
    ~ParameterModel() override;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role) override;

signals:
    /// Why what was typed was not taken.
    void refused(const QString &sentence);

private:
    void follow();
    QStringList choices(const Parameter &parameter, int column) const;
    QString leaveOutDegree(std::size_t row, const QString &newTreatment);

    PlanDraft &m_draft;
    std::vector<Parameter> m_parameters;
    bool m_isEditable = false;
};

} // namespace gridhelm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/probe/probe_answer.h"

#include <QTreeWidget>

namespace gridhelm::ui {

/// All fields at the probed place: value or magnitude, components below, unit.
class ValueTree : public QTreeWidget
{
    Q_OBJECT

public:
    enum Column { nameColumn, valueColumn, unitColumn };

    explicit ValueTree(QWidget *parent = nullptr);

    /// The fields of a study, without values.
    void setFields(const std::vector<data::Field> &fields);
    void show(const ProbeAnswer &answer);
    void clearValues();

    QSize sizeHint() const override;

private:
    void showField(QTreeWidgetItem &item, const data::Field &field, const ProbedField &probed);
};

} // namespace gridhelm::ui

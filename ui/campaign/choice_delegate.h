// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace gridhelm::ui {

/// Edits cells that have choices by a list of them.
class ChoiceDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    /// The texts that a cell can be, as a QStringList; nothing where any text can be typed.
    static constexpr int choicesRole = Qt::UserRole + 1;

    using QStyledItemDelegate::QStyledItemDelegate;

    QWidget *createEditor(QWidget *parent, const QStyleOptionViewItem &option,
                          const QModelIndex &index) const override;
    void setEditorData(QWidget *editor, const QModelIndex &index) const override;
    void setModelData(QWidget *editor, QAbstractItemModel *model,
                      const QModelIndex &index) const override;
};

} // namespace gridhelm::ui

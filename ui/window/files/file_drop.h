// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>

namespace gridhelm::ui {

/// What is dropped on a window, or named when it is started: a study or a saved view is opened,
/// runs are imported. Of several files the first one counts.
class FileDrop : public QObject
{
    Q_OBJECT

public:
    /// `window` accepts drops from now on, and owns this.
    explicit FileDrop(QWidget &window);

    /// Whether take() asks for an import: a folder, or a table.
    static bool isOfRuns(const QString &path);
    void take(const QString &path);

    bool eventFilter(QObject *watched, QEvent *event) override;

signals:
    void openWanted(const QString &path);
    /// A table (CSV), or those of a folder.
    void importWanted(const QStringList &tables);
    /// Why nothing is done, and what would be taken.
    void refused(const QString &sentence);
};

} // namespace gridhelm::ui

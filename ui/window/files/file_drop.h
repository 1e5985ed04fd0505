// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>

namespace gridhelm::ui {

/// What is dropped on a window: a study or a saved view is opened, runs are imported. Of several
/// files the first one counts.
class FileDrop : public QObject
{
    Q_OBJECT

public:
    /// `window` accepts drops from now on, and owns this.
    explicit FileDrop(QWidget &window);

    bool eventFilter(QObject *watched, QEvent *event) override;

signals:
    void openWanted(const QString &path);
    /// A table (CSV), or those of a folder.
    void importWanted(const QStringList &tables);
    /// Why nothing is done, and what would be taken.
    void refused(const QString &sentence);

private:
    void take(const QString &path);
};

} // namespace gridhelm::ui

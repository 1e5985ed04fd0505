// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMenu>
#include <QString>

#include <functional>
#include <string>

namespace gridhelm::ui {

/// How a plot is written to files.
struct SavablePlot
{
    QString name;                                 ///< of the files that are proposed: "curve-Re"
    std::function<void(const QString &path)> png; ///< may throw gridhelm::Error
    std::function<std::string()> csv;
    QString csvTip{"The numbers of what is shown, with the parameters"};
};

/// "Save as PNG", "Save as CSV". Files appear whole or not at all.
class SaveMenu : public QMenu
{
    Q_OBJECT

public:
    explicit SaveMenu(SavablePlot plot, QWidget *parent = nullptr);

signals:
    /// What has been written, and where.
    void news(const QString &sentence);
    void failed(const QString &sentence);

private:
    void save(const QString &name, const QString &filter,
              const std::function<void(const QString &path)> &write);
};

} // namespace gridhelm::ui

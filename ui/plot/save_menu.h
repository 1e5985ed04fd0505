// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QList>
#include <QMenu>
#include <QString>

#include <functional>
#include <string>

class QCustomPlot;

namespace gridhelm::ui {

/// How a plot is written to files, and copied.
struct SavablePlot
{
    QString name; ///< of the files that are proposed: "curve-Re"
    /// Calls what it is given with the plots as they are to be drawn.
    std::function<void(const std::function<void(const QList<QCustomPlot *> &plots)> &use)> show;
    std::function<std::string()> csv;
    QString csvTip{"The numbers of what is shown, with the parameters"};
};

/// "Save as PNG", SVG, PDF, CSV, and copies of picture and numbers. Files appear whole or not at
/// all.
class SaveMenu : public QMenu
{
    Q_OBJECT

public:
    explicit SaveMenu(SavablePlot plot, QWidget *parent = nullptr);
    /// Of plots that are drawn as they are.
    SaveMenu(const QString &name, const QList<QCustomPlot *> &plots,
             std::function<std::string()> csv, QWidget *parent = nullptr);

    /// Opens it where the plot is asked for its menu, if there is something to save.
    void openOn(QWidget &plot, std::function<bool()> isSomething);

signals:
    /// What has been written, and where.
    void news(const QString &sentence);
    void failed(const QString &sentence);

private:
    void add(const QString &text, const QString &tip, const std::function<void()> &what);
    void save(const QString &ending, const QString &filter,
              const std::function<void(const QString &path)> &write);

    SavablePlot m_plot;
};

} // namespace gridhelm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/save_menu.h"

#include "core/support/output_file.h"
#include "ui/controls/table_copying.h"
#include "ui/plot/plot_files.h"

#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>

#include <exception>
#include <utility>

namespace gridhelm::ui {

SaveMenu::SaveMenu(SavablePlot plot, QWidget *parent)
    : QMenu(parent)
    , m_plot(std::move(plot))
{
    setToolTipsVisible(true);
    const auto addPicture = [this](const QString &format, const QString &tip,
                                   const QString &filter) {
        add("Save as " + format + "…", tip, [this, ending = format.toLower(), filter] {
            save(ending, filter, [this](const QString &path) {
                m_plot.show([&](const auto &plots) { savePlots(plots, path); });
            });
        });
    };
    const QString vectors = "Lines and letters instead of pixels: ";
    addPicture("PNG", "A picture of what is shown", "Pictures (*.png)");
    addPicture("SVG", vectors + "for web pages and drawing programs", "Vector graphics (*.svg)");
    addPicture("PDF", vectors + "for papers", "Vector graphics (*.pdf)");
    add("Save as CSV…", m_plot.csvTip, [this] {
        save("csv", "Tables (*.csv)",
             [this](const QString &path) { writeTextFile(path.toStdString(), m_plot.csv()); });
    });
    addSeparator();
    add("Copy the picture", "Of what is shown, to the clipboard", [this] {
        m_plot.show(
            [](const auto &plots) { QGuiApplication::clipboard()->setImage(pictureOf(plots)); });
        emit news("The picture is in the clipboard");
    });
    add("Copy the numbers", m_plot.csvTip + ": to the clipboard, for a spreadsheet", [this] {
        QGuiApplication::clipboard()->setText(tsvOfCsv(m_plot.csv()));
        emit news("The numbers are in the clipboard");
    });
}

SaveMenu::SaveMenu(const QString &name, const QList<QCustomPlot *> &plots,
                   std::function<std::string()> csv, QWidget *parent)
    : SaveMenu(
        {.name = name, .show = [plots](const auto &use) { use(plots); }, .csv = std::move(csv)},
        parent)
{
}

void SaveMenu::openOn(QWidget &plot, std::function<bool()> isSomething)
{
    plot.setContextMenuPolicy(Qt::CustomContextMenu);
    connect(&plot, &QWidget::customContextMenuRequested, this,
            [this, &plot, isSomething = std::move(isSomething)](QPoint at) {
                if (isSomething())
                    popup(plot.mapToGlobal(at));
            });
}

void SaveMenu::add(const QString &text, const QString &tip, const std::function<void()> &what)
{
    auto *action = addAction(text);
    action->setToolTip(tip);
    connect(action, &QAction::triggered, this, [this, what] {
        try {
            what();
        } catch (const std::exception &problem) {
            emit failed(QString::fromStdString(problem.what()));
        }
    });
}

void SaveMenu::save(const QString &ending, const QString &filter,
                    const std::function<void(const QString &path)> &write)
{
    const auto path =
        QFileDialog::getSaveFileName(parentWidget(), "Save", m_plot.name + "." + ending, filter);
    if (path.isEmpty())
        return;
    write(path);
    emit news(path + " is written");
}

} // namespace gridhelm::ui

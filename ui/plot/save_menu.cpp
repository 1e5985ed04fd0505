// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/save_menu.h"

#include "core/support/output_file.h"

#include <QFileDialog>

#include <exception>
#include <utility>

namespace gridhelm::ui {

SaveMenu::SaveMenu(SavablePlot plot, QWidget *parent)
    : QMenu(parent)
{
    setToolTipsVisible(true);
    auto *png = addAction("Save as PNG…");
    png->setToolTip("A picture of what is shown");
    connect(png, &QAction::triggered, this,
            [this, plot] { save(plot.name + ".png", "Pictures (*.png)", plot.png); });
    auto *csv = addAction("Save as CSV…");
    csv->setToolTip(plot.csvTip);
    connect(csv, &QAction::triggered, this, [this, plot] {
        save(plot.name + ".csv", "Tables (*.csv)",
             [&](const QString &path) { writeTextFile(path.toStdString(), plot.csv()); });
    });
}

void SaveMenu::save(const QString &name, const QString &filter,
                    const std::function<void(const QString &path)> &write)
{
    const auto path = QFileDialog::getSaveFileName(parentWidget(), "Save", name, filter);
    if (path.isEmpty())
        return;
    try {
        write(path);
        emit news(path + " is written");
    } catch (const std::exception &problem) {
        emit failed(QString::fromStdString(problem.what()));
    }
}

} // namespace gridhelm::ui

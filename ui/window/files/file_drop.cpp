// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/files/file_drop.h"

#include <QDir>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileInfo>
#include <QMimeData>
#include <QUrl>
#include <QWidget>

namespace gridhelm::ui {
namespace {

QStringList tablesIn(const QString &folder)
{
    QStringList tables;
    for (const auto &file : QDir(folder).entryInfoList({"*.csv"}, QDir::Files, QDir::Name))
        tables << file.filePath();
    return tables;
}

} // namespace

FileDrop::FileDrop(QWidget &window)
    : QObject(&window)
{
    window.setAcceptDrops(true);
    window.installEventFilter(this);
}

bool FileDrop::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::DragEnter) {
        auto *drag = static_cast<QDragEnterEvent *>(event);
        if (!drag->mimeData()->hasUrls())
            return false;
        drag->acceptProposedAction();
        return true;
    }
    if (event->type() == QEvent::Drop) {
        auto *drop = static_cast<QDropEvent *>(event);
        for (const auto &url : drop->mimeData()->urls()) {
            if (url.isLocalFile()) {
                drop->acceptProposedAction();
                take(url.toLocalFile());
                return true;
            }
        }
    }
    return QObject::eventFilter(watched, event);
}

bool FileDrop::isOfRuns(const QString &path)
{
    const QFileInfo dropped(path);
    return dropped.isDir() || dropped.suffix().compare("csv", Qt::CaseInsensitive) == 0;
}

void FileDrop::take(const QString &path)
{
    const QFileInfo dropped(path);
    if (dropped.isDir()) {
        const auto tables = tablesIn(path);
        if (tables.isEmpty())
            emit refused(QString("There is no table in %1: put a CSV file there, with a row for "
                                 "each run, its parameters and the name of its result file")
                             .arg(QDir::toNativeSeparators(dropped.filePath())));
        else
            emit importWanted(tables);
    } else if (isOfRuns(path)) {
        emit importWanted({path});
    } else {
        emit openWanted(path);
    }
}

} // namespace gridhelm::ui

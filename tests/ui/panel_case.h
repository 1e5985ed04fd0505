// SPDX-License-Identifier: GPL-3.0-or-later
//
// What tests of several panels share: a scalar study, and files that panels save.
#pragma once

#include "core/support/csv_line.h"
#include "tests/data/study_cases.h"
#include "tests/ui/vector_files.h"

#include <QAction>
#include <QApplication>
#include <QFile>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QTimer>
#include <QTest>

#include <string>
#include <vector>

namespace gridhelm::test {

inline std::filesystem::path makeScalarStudy(const Folder &folder)
{
    Parameter x{"px", "m", 0, 2}, a{"a", "", 1, 100, ParameterScale::logarithmic},
        b{"b", "K", 0, 3}, y{"py", "m", -1, 1};
    x.kind = y.kind = ParameterKind::spatial;
    const auto path = folder / "scalar.gridhelm";
    auto writer = data::StudyWriter::create(
        path, {"scalar", data::StudyKind::scalar, ParameterSpace({x, a, y, b}), 5, ""});
    writer.addField(smallField("u", 1));
    runAllJobs(writer);
    compress(writer, {});
    writer.close();
    return path;
}

/// Triggers an action that asks for a file name, and types it.
inline void saveBy(QAction *action, const QString &path)
{
    QTimer typing;
    QObject::connect(&typing, &QTimer::timeout, [&] {
        auto *dialog = qobject_cast<QFileDialog *>(QApplication::activeModalWidget());
        auto *name = dialog ? dialog->findChild<QLineEdit *>("fileNameEdit") : nullptr;
        if (!name)
            return;
        typing.stop();
        name->setText(path);
        QTest::keyClick(name, Qt::Key_Return);
    });
    typing.start(20);
    action->trigger();
    // Some dialogs let the action return before they are answered.
    static_cast<void>(QTest::qWaitFor([&] { return !typing.isActive(); }, 60'000));
}

/// "SVG": the one whose text has this.
inline QAction *entry(const QMenu &menu, const QString &what)
{
    for (auto *action : menu.actions()) {
        if (action->text().contains(what))
            return action;
    }
    qFatal("there is no such entry");
}

/// The cells of its lines.
inline std::vector<std::vector<std::string>> csvIn(const QString &path)
{
    QFile file(path);
    std::vector<std::vector<std::string>> lines;
    if (!file.open(QIODevice::ReadOnly))
        return lines;
    for (const auto &line : QString::fromUtf8(file.readAll()).split('\n', Qt::SkipEmptyParts))
        lines.push_back(csvCells(line.toStdString(), "line"));
    return lines;
}

} // namespace gridhelm::test

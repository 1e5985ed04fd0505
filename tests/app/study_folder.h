// SPDX-License-Identifier: GPL-3.0-or-later
//
// A folder with small real studies, made by the command line, for what reads studies.
#pragma once

#include "data/mesh/snapshot_file.h"
#include "tests/app/cli_folder.h"

#include <QDirIterator>
#include <QFile>
#include <QTest>

#include <vector>

namespace gridhelm::test {

using Rows = QList<QStringList>;

inline Rows csvOf(const QByteArray &text)
{
    Rows rows;
    for (const auto &line : QString::fromUtf8(text).split('\n', Qt::SkipEmptyParts))
        rows.append(line.split(','));
    return rows;
}

inline std::vector<data::RunSnapshot> readMeshFile(const QString &path)
{
    std::vector<data::RunSnapshot> all;
    data::readSnapshotFile(path.toStdString(),
                           [&all](data::RunSnapshot &&one) { all.push_back(std::move(one)); });
    return all;
}

/// p: a plate of two parameters; c: a cavity over time; s: a scalar study of a plate. rows.csv has
/// 12 places of p.
class StudyFolder : protected CliFolder
{
protected:
    QString here(const QString &name) const { return m_folder.filePath(name); }
    void write(const QString &name, const QByteArray &text) const
    {
        QFile file(here(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(text), text.size());
    }
    QByteArray bytesOf(const QString &name) const
    {
        QFile file(here(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    /// Everything below the folder, to see that nothing came into it.
    QStringList listing() const
    {
        QStringList names;
        QDirIterator all(m_folder.path(), QDir::AllEntries | QDir::NoDotAndDotDot,
                         QDirIterator::Subdirectories);
        while (all.hasNext())
            names.append(all.next());
        names.sort();
        return names;
    }
    void makeStudy(const QString &name, const QByteArray &plan) const
    {
        write(name + ".toml", plan);
        for (const auto &step : {"plan %1.toml", "run %1.gridhelm", "compress %1.gridhelm"}) {
            const auto outcome = runHere(QString(step).arg(name));
            QVERIFY2(outcome.exitCode == 0, outcome.err);
        }
    }

    void makeStudies() const
    {
        makeStudy("p", "[[parameter]]\nname = \"x\"\n"
                       "[[parameter]]\nname = \"width\"\nlow = 0.2\nhigh = 0.8\n"
                       "[grid]\nlevel = 3\n"
                       "[simulation]\nbuiltin = \"plate\"\nresolution = 9\n");
        makeStudy("c", "[[parameter]]\nname = \"t\"\nlow = 0.5\nhigh = 2\n"
                       "[grid]\nlevel = 2\n"
                       "[simulation]\nbuiltin = \"cavity\"\nresolution = 17\n"
                       "fixed = {Re = 20}\n");
        makeStudy("s", "[study]\nkind = \"scalar\"\n"
                       "[[space]]\nname = \"px\"\n[[space]]\nname = \"py\"\n"
                       "[[parameter]]\nname = \"width\"\nlow = 0.2\nhigh = 0.8\n"
                       "[grid]\nlevel = 4\n"
                       "[simulation]\nbuiltin = \"plate\"\nresolution = 17\n");
        QByteArray rows = "width,x\n";
        for (int i = 0; i < 12; ++i) // enough for the study to be loaded
            rows += QByteArray::number(0.2 + 0.05 * i) + "," + QByteArray::number(0.25 + 0.04 * i)
                    + "\n";
        write("rows.csv", rows);
    }
};

} // namespace gridhelm::test

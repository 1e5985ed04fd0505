// SPDX-License-Identifier: GPL-3.0-or-later
//
// A folder with a plan whose program is the shell, which fills in a mesh file.
#pragma once

#include "tests/app/cli_process.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <tuple>

namespace gridhelm::test {

/// A square of `n` x `n` cells, each of two triangles: u = `value` + x at the points, c = `value`
/// in the cells. `value` may be a placeholder.
inline QByteArray vtu(int n, const QByteArray &value)
{
    QByteArray points, u, c, connectivity, offsets, types;
    for (int y = 0; y <= n; ++y)
        for (int x = 0; x <= n; ++x) {
            points += QByteArray::number(double(x) / n) + " " + QByteArray::number(double(y) / n)
                      + " 0\n";
            u += value + "\n";
        }
    for (int y = 0; y < n; ++y)
        for (int x = 0; x < n; ++x) {
            const int a = y * (n + 1) + x, b = a + n + 1;
            for (const auto &[p, q, r] : {std::tuple{a, a + 1, b}, std::tuple{a + 1, b + 1, b}})
                connectivity += QByteArray::number(p) + " " + QByteArray::number(q) + " "
                                + QByteArray::number(r) + "\n";
        }
    for (int i = 1; i <= 2 * n * n; ++i) {
        offsets += QByteArray::number(3 * i) + "\n";
        types += "5\n";
        c += value + "\n";
    }
    const auto array = [](const QByteArray &attributes, const QByteArray &values) {
        return "<DataArray " + attributes + " format=\"ascii\">\n" + values + "</DataArray>\n";
    };
    return "<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
           "<UnstructuredGrid><Piece NumberOfPoints=\""
           + QByteArray::number((n + 1) * (n + 1)) + "\" NumberOfCells=\""
           + QByteArray::number(2 * n * n) + "\">\n<PointData>"
           + array("type=\"Float32\" Name=\"u\"", u) + "</PointData>\n<CellData>"
           + array("type=\"Float32\" Name=\"c\"", c) + "</CellData>\n<Points>"
           + array("type=\"Float64\" NumberOfComponents=\"3\"", points) + "</Points>\n<Cells>"
           + array("type=\"Int64\" Name=\"connectivity\"", connectivity)
           + array("type=\"Int64\" Name=\"offsets\"", offsets)
           + array("type=\"UInt8\" Name=\"types\"", types)
           + "</Cells></Piece></UnstructuredGrid></VTKFile>\n";
}

inline QByteArray parameter(const char *name, const QByteArray &more = "")
{
    return QByteArray("[[parameter]]\nname = \"") + name + "\"\nlow = 0\nhigh = 4\n" + more;
}

class PlanFolder
{
protected:
    std::unique_ptr<QTemporaryDir> m_folder = std::make_unique<QTemporaryDir>();

    QString at(const QString &name) const { return m_folder->filePath(name); }
    Outcome runHere(const QString &line) const { return runCli(line, {}, m_folder->path()); }

    void write(const QString &name, const QByteArray &text) const
    {
        QDir(m_folder->path()).mkpath(QFileInfo(name).path());
        QFile file(at(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }

    /// A study of one parameter a at level 3 (7 points): the command leaves result.vtu.
    void makeStudy(const QByteArray &command, const QByteArray &more = "") const
    {
        write("field.vtu", vtu(2, "{a}"));
        write("p.toml", parameter("a") + "[grid]\nlevel = 3\n[simulation]\ncommand = '''" + command
                            + "'''\ntemplates = [\"field.vtu\"]\nresult = \"field.vtu\"\n" + more);
        const auto outcome = runHere("plan p.toml");
        QVERIFY2(outcome.exitCode == 0, outcome.err);
    }

    int jobs(const QString &state) const
    {
        return jsonOf(runHere("info p.gridhelm --json"))["jobs"].toObject()[state].toInt(-1);
    }
};

} // namespace gridhelm::test

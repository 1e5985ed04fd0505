// SPDX-License-Identifier: GPL-3.0-or-later
//
// A folder with what a grid's commands read: values and places, right and wrong ones.
#pragma once

#include "tests/app/cli_folder.h"

#include <QFile>
#include <QTest>

#include <cstring>
#include <limits>

namespace gridhelm::test {

inline QByteArray rawBytes(const QList<double> &values)
{
    QByteArray bytes(values.size() * qsizetype(sizeof(double)), '\0');
    std::memcpy(bytes.data(), values.data(), size_t(bytes.size()));
    return bytes;
}

/// 1 + 2 x + 3 y, which `boundary` reproduces exactly up to round-off.
inline double plane(double x, double y)
{
    return 1.0 + 2.0 * x + 3.0 * y;
}

class GridFiles : protected CliFolder
{
protected:
    QString write(const QString &name, const QByteArray &content) const
    {
        QFile file(m_folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("the test cannot write its input");
        return name;
    }

    /// The plane at the points of a grid of two dimensions at level 3, with boundary, as text and
    /// as doubles; and files that are wrong, each in one way.
    void writeFiles() const
    {
        QVERIFY(m_folder.isValid());
        const Outcome points = runHere("grid points --dim 2 --level 3 --boundary boundary");
        QCOMPARE(points.exitCode, 0);
        write("points.csv", points.out);

        QByteArray text;
        QList<double> values;
        for (const QByteArray &line : points.out.trimmed().split('\n')) {
            const auto fields = line.split(',');
            QCOMPARE(fields.size(), 2);
            values.append(plane(fields[0].toDouble(), fields[1].toDouble()));
            text += QByteArray::number(values.last(), 'g', 17) + "\n";
        }
        write("values.txt", text);
        write("values.f64", rawBytes(values));
        write("cut.f64", rawBytes(values).chopped(3));
        write("short.f64", rawBytes(values.first(values.size() - 1)));
        write("short.txt", text.left(text.trimmed().lastIndexOf('\n') + 1));
        write("long.txt", text + "1\n");
        write("word.txt", QByteArray(text).replace(text.indexOf('\n') + 1, 1, "x"));
        QByteArray nanText = text;
        nanText.replace(0, text.indexOf('\n'), "nan");
        write("nan.txt", nanText);
        values[1] = std::numeric_limits<double>::quiet_NaN();
        write("nan.f64", rawBytes(values));
        values[1] = std::numeric_limits<double>::infinity();
        write("infinite.f64", rawBytes(values));
        write("empty", "");
        write("empty.f64", "");
        write("at.csv", "0.1,0.7\n0,0\n1,1\n0.3, 1\r\n\n0.5,0.5\n");
        write("outside.csv", "0.1,0.7\n0.5,1.0000001\n");
        write("negative.csv", "-1e-300,0.7\n");
        write("nan.csv", "0.1,nan\n");
        write("three.csv", "0.1,0.7,0.5\n");
        write("words.csv", "x,y\n0.1,0.7\n0.2,many\n");
        write("gap.csv", "0.1,\n");
    }
};

} // namespace gridhelm::test

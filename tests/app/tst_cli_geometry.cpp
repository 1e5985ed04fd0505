// SPDX-License-Identifier: GPL-3.0-or-later
//
// Programs whose meshes depend on a parameter, on the command line, from their plans to pictures.
// The program is awk, which writes a mesh in VTK's legacy format.
#include "data/mesh/mesh_codec.h"
#include "data/mesh/snapshot_file.h"
#include "tests/app/cli_process.h"
#include "tests/app/study_folder.h"
#include "tests/support/test_program.h"

#include <vtkDataSet.h>

#include <QFile>
#include <QImage>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace gridhelm;
using namespace gridhelm::test;

namespace {

constexpr const char *header =
    R"(    OFMT = "%.15g"; print "# vtk DataFile Version 3.0"; print "made by awk"; print "ASCII"
    print "DATASET STRUCTURED_GRID"; print "DIMENSIONS", nx, ny, 1; print "POINTS", nx * ny, "double"
)";

/// `length` by 0.3, p = x.
const QByteArray beamProgram = QByteArray(R"(BEGIN {
    nx = 13; ny = 4
)") + header + R"(
    for (j = 0; j < ny; ++j) for (i = 0; i < nx; ++i) print l * i / 12, 0.1 * j, 0
    print "POINT_DATA", nx * ny; print "SCALARS p double 1"; print "LOOKUP_TABLE default"
    for (j = 0; j < ny; ++j) for (i = 0; i < nx; ++i) print l * i / 12
})";

/// [-1, 1]^2 without a circle of radius r around (0, 0), with other cells for other radii.
/// p = x + 2 y; and beside it, the square of that.
const QByteArray holeProgram = QByteArray(R"(BEGIN {
    nx = 97; ny = 9 + int(20 * r)
)") + header + R"(
    for (j = 0; j < ny; ++j) for (i = 0; i < nx; ++i) {
        a = 2 * 3.14159265358979 * (i % 96) / 96; c = cos(a); s = sin(a)
        m = (c * c > s * s) ? sqrt(c * c) : sqrt(s * s)
        d = r + (1 / m - r) * j / (ny - 1)
        x[j, i] = d * c; y[j, i] = d * s
        print d * c, d * s, 0
    }
    print "POINT_DATA", nx * ny; print "SCALARS p double 1"; print "LOOKUP_TABLE default"
    for (j = 0; j < ny; ++j) for (i = 0; i < nx; ++i) print x[j, i] + 2 * y[j, i]
})";

} // namespace

class TestCliGeometry : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_folder;

    QString at(const QString &name) const { return m_folder->filePath(name); }
    Outcome runHere(const QString &line) const { return runCli(line, {}, m_folder->path()); }
    Outcome wellDone(const QString &line) const
    {
        auto outcome = runHere(line);
        if (outcome.exitCode != 0)
            qWarning("%s", outcome.err.constData());
        return outcome;
    }
    void write(const QString &name, const QByteArray &text) const
    {
        QFile file(at(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }
    /// Planned; the study is p.gridhelm, its program the awk script.
    Outcome plan(const QByteArray &program, const QByteArray &parameter, const QByteArray &mesh)
    {
        write("program.awk", program);
        const QByteArray name = parameter.contains("\"l\"") ? "l" : "r";
        write("p.toml", "[[parameter]]\n" + parameter
                            + "treatment = \"boundary\"\n[grid]\nlevel = 3\n[simulation]\n"
                              "command = 'awk -v "
                            + name + "={" + name
                            + "} -f program.awk > out.vtk'\n"
                              "templates = [\"program.awk\"]\nresult = \"out.vtk\"\n"
                            + mesh);
        return runHere("plan p.toml");
    }
    static data::RunSnapshot fileAt(const QString &path)
    {
        data::RunSnapshot read;
        data::readSnapshotFile(path.toStdString(),
                               [&](data::RunSnapshot &&snapshot) { read = std::move(snapshot); });
        return read;
    }
    /// The largest held-out error of a field, relative.
    double heldOut(const QString &field)
    {
        for (const auto &entry : jsonOf(runHere("info p.gridhelm --json"))["errors"].toArray()) {
            const auto of = entry.toObject();
            if (of["field"] == field && of["kind"].toString().startsWith("held"))
                return of["relative_l2"].toDouble(-1);
        }
        return -1;
    }

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void aBeamMoves()
    {
        QCOMPARE(
            plan(beamProgram, "name = \"l\"\nlow = 1\nhigh = 3\n", "[mesh]\nkind = \"moving\"\n")
                .exitCode,
            0);
        QCOMPARE(wellDone("run p.gridhelm").exitCode, 0);
        QCOMPARE(wellDone("compress p.gridhelm --holdout 5").exitCode, 0);
        QVERIFY(heldOut("mesh.displacement") >= 0 && heldOut("mesh.displacement") < 1e-5);
        QVERIFY(heldOut("p") >= 0 && heldOut("p") < 1e-5); // linear in l

        // The place is where the beam is in one state, and not in another.
        const auto there =
            jsonOf(wellDone("eval p.gridhelm --at l=2.3 --probe 2.2,0.1,0 --field p --json"));
        QCOMPARE(there["inverted_cells"].toInt(-1), 0);
        const auto value = there["probes"].toArray()[0].toObject()["values"].toObject()["p"];
        QVERIFY2(std::abs(value.toDouble() - 2.2) < 1e-5,
                 QJsonDocument(there).toJson().constData());
        const auto none = wellDone("eval p.gridhelm --at l=1.5 --probe 2.2,0.1,0 --field p");
        QVERIFY2(none.out.contains("nan"), none.out);

        QCOMPARE(wellDone("eval p.gridhelm --at l=2.3 --out out.vts").exitCode, 0);
        const auto mesh = data::decodeMesh(fileAt(at("out.vts")).mesh);
        QVERIFY(std::abs(mesh->GetBounds()[1] - 2.3) < 1e-5);
        QCOMPARE(wellDone("export p.gridhelm --along l --steps 3 --out s.pvd").exitCode, 0);
        const auto last = data::decodeMesh(fileAt(at("s/s_0002.vts")).mesh);
        QVERIFY(std::abs(last->GetBounds()[1] - 3) < 1e-5);
        QCOMPARE(wellDone("check p.gridhelm").exitCode, 0);
        const auto described = jsonOf(wellDone("info p.gridhelm --json"))["mesh"].toObject();
        QVERIFY(described["moves"].toBool() && !described["has_holes"].toBool());
    }

    /// Without [simulation]: files that exist already, with a table.
    void importedMeshesMove()
    {
        QCOMPARE(
            plan(beamProgram, "name = \"l\"\nlow = 1\nhigh = 3\n", "[mesh]\nkind = \"moving\"\n")
                .exitCode,
            0);
        QFile file(at("p.toml"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        auto text = file.readAll();
        file.close();
        text.remove(text.indexOf("[simulation]"),
                    text.indexOf("[mesh]") - text.indexOf("[simulation]"));
        write("i.toml", text);
        QCOMPARE(wellDone("plan i.toml --csv points.csv").exitCode, 0);
        QFile points(at("points.csv"));
        QVERIFY(points.open(QIODevice::ReadOnly));
        QByteArray table = "l,file\n";
        int number = 0;
        for (const auto &line : points.readAll().trimmed().split('\n').mid(1)) {
            const auto name = QString("%1.vtk").arg(++number);
            QProcess awk;
            awk.setWorkingDirectory(m_folder->path());
            awk.setStandardOutputFile(at(name));
            awk.start("awk", {"-v", "l=" + line.trimmed(), "-f", "program.awk"});
            QVERIFY(awk.waitForFinished());
            table += line.trimmed() + "," + name.toUtf8() + "\n";
        }
        write("t.csv", table);
        QCOMPARE(wellDone("import i.gridhelm --table t.csv").exitCode, 0);
        QCOMPARE(wellDone("compress i.gridhelm").exitCode, 0);
        const auto there = wellDone("eval i.gridhelm --at l=2.3 --probe 2.2,0.1,0 --field p");
        QVERIFY2(std::abs(there.out.trimmed().split(',').last().toDouble() - 2.2) < 1e-5,
                 there.out);
    }

    void aHoleGrows()
    {
        QCOMPARE(plan(holeProgram, "name = \"r\"\nlow = 0.2\nhigh = 0.6\n",
                      "[mesh]\nkind = \"background\"\npoints = [65, 65]\n")
                     .exitCode,
                 0);
        QCOMPARE(wellDone("run p.gridhelm").exitCode, 0);
        QCOMPARE(wellDone("compress p.gridhelm --holdout 5").exitCode, 0);
        QVERIFY(heldOut("mesh.signed_distance") >= 0 && heldOut("mesh.signed_distance") < 0.01);
        QVERIFY2(heldOut("p") >= 0 && heldOut("p") < 0.01, QByteArray::number(heldOut("p")));

        const auto places = wellDone("eval p.gridhelm --at r=0.43 --field p --probe 0.3,0.2,0 "
                                     "--probe 0.6,0.2,0");
        const auto lines = places.out.trimmed().split('\n');
        QCOMPARE(lines.size(), 3);
        QVERIFY2(lines[1].endsWith("nan"), lines[1]);
        QVERIFY2(std::abs(lines[2].split(',').last().toDouble() - 1.0) < 0.01, lines[2]);
        // The field's range is that of the body.
        const auto all = jsonOf(wellDone("eval p.gridhelm --at r=0.43 --field p --json"));
        QVERIFY(std::abs(all["fields"].toArray()[0].toObject()["high"].toDouble() - 3) < 0.01);

        // Maps: never a value within 0.2 of the hole's centre, and not everywhere one in all cases.
        const auto maps =
            jsonOf(wellDone("uncertainty p.gridhelm --map p --out u.vti --samples 64 --json"));
        QVERIFY(maps["maps"].toArray().contains("p_body"));
        const auto error = maps["error"].toObject();
        QVERIFY(error["values_of_fewer"].toInt() > 0);
        QVERIFY(error["worst"].toDouble() < 0.1);
        const auto file = readMeshFile(at("u.vti")).at(0);
        for (std::size_t m = 0; m < file.values.size(); ++m) {
            const auto &values = file.values[m];
            const bool isShare = file.fields[m].name == "p_body";
            QVERIFY(isShare == std::ranges::none_of(values, [](float v) { return std::isnan(v); }));
            if (isShare)
                QVERIFY(std::ranges::count(values, 0.0F) > 0
                        && std::ranges::count(values, 1.0F) > 0);
        }

        QCOMPARE(wellDone("eval p.gridhelm --at r=0.43 --out out.vti").exitCode, 0);
        for (const auto *what : {"p.gridhelm --at r=0.43", "out.vti"}) {
            QCOMPARE(wellDone(QString("render ") + what
                              + " --field p --size 600x500 --no-outline --out out.png")
                         .exitCode,
                     0);
            const QImage picture(at("out.png"));
            int white = 0, coloured = 0; // along a row through the middle of the field
            for (int x = 0; x < picture.width(); ++x) {
                const auto pixel = picture.pixelColor(x, picture.height() / 2);
                white += pixel.lightness() > 250 && coloured > 0;
                coloured += pixel.saturation() > 60;
            }
            QVERIFY2(white > coloured / 4 && coloured > 50,
                     qPrintable(QString("%1 %2 %3").arg(what).arg(white).arg(coloured)));
        }
    }

    /// A level set of the program's own, beside values in cells, of which there are fewer.
    void distancesOfTheirOwnCutPointsAlone()
    {
        QByteArray program = beamProgram;
        program.replace("SCALARS p double 1", "SCALARS mesh.signed_distance double 1");
        program.chop(1); // the brace
        program +=
            "    print \"CELL_DATA\", 36; print \"SCALARS c double 1\"; print \"LOOKUP_TABLE "
            "default\"\n    for (i = 0; i < 36; ++i) print i - 40\n}";
        program.replace("print l * i / 12\n    print \"CELL", "print -1\n    print \"CELL");
        QCOMPARE(plan(program, "name = \"l\"\nlow = 1\nhigh = 3\n", "[mesh]\nkind = \"moving\"\n")
                     .exitCode,
                 0);
        QCOMPARE(wellDone("run p.gridhelm").exitCode, 0);
        QCOMPARE(wellDone("compress p.gridhelm --holdout 5").exitCode, 0);
        QVERIFY(heldOut("c") >= 0);
        const auto all = jsonOf(wellDone("eval p.gridhelm --at l=2.3 --field c --json"));
        const auto field = all["fields"].toArray()[0].toObject();
        QCOMPARE(field["low"].toDouble(), -40.0);
        QCOMPARE(field["high"].toDouble(), -5.0);
        QCOMPARE(wellDone("render p.gridhelm --at l=2.3 --field c --out out.png").exitCode, 0);
    }

    void otherCellsAndOtherPlansAreRefused()
    {
        QCOMPARE(plan(holeProgram, "name = \"r\"\nlow = 0.2\nhigh = 0.6\n",
                      "[mesh]\nkind = \"moving\"\n")
                     .exitCode,
                 0);
        const auto run = runHere("run p.gridhelm");
        QVERIFY(run.exitCode != 0);
        QVERIFY2(run.err.contains("kind = \"background\""), run.err);

        const auto refused = [&](const QByteArray &mesh, const QByteArray &part) {
            QFile::remove(at("p.gridhelm"));
            const auto outcome = plan(holeProgram, "name = \"r\"\nlow = 0.2\nhigh = 0.6\n", mesh);
            if (outcome.exitCode == 1 && outcome.err.contains(part))
                return true;
            qWarning("%s", outcome.err.constData());
            return false;
        };
        QVERIFY(refused("[mesh]\nkind = \"round\"\n", "choose \"shared\""));
        QVERIFY(refused("[mesh]\npoints = [3, 3]\n", "has no kind"));
        QVERIFY(refused("[mesh]\nkind = \"background\"\n", "points = [65, 65]"));
        QVERIFY(refused("[mesh]\nkind = \"background\"\npoints = [0, 3]\n", "not a count"));
        QVERIFY(refused("[mesh]\nkind = \"background\"\npoints = [65536, 65536]\n", "take fewer"));
        QVERIFY(refused("[mesh]\nkind = \"background\"\npoints = [9, 9]\nlow = [1, 1]\n"
                        "high = [0, 2]\n",
                        "not above low"));
        QVERIFY(refused("[mesh]\nkind = \"moving\"\npoints = [9, 9]\n", "unknown"));
        QVERIFY(refused("resample = true\n[mesh]\nkind = \"moving\"\n", "take it out"));
    }

    void aBackgroundThatIsTooSmallIsSaid()
    {
        QCOMPARE(plan(holeProgram, "name = \"r\"\nlow = 0.2\nhigh = 0.6\n",
                      "[mesh]\nkind = \"background\"\npoints = [9, 9]\nlow = [-1, -1]\n"
                      "high = [0.5, 1]\n")
                     .exitCode,
                 0);
        const auto run = runHere("run p.gridhelm");
        QVERIFY(run.exitCode != 0);
        QVERIFY2(run.err.contains("low and a high that hold all shapes"), run.err);
    }
};

GRIDHELM_TEST(TestCliGeometry)
#include "tst_cli_geometry.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
//
// eval of small real studies, on the command line: values, places, tables, errors. Files are read
// back through VTK.
#include "data/compress/compress.h"
#include "data/study/image_mesh.h"
#include "data/study/study_writer.h"
#include "tests/app/study_folder.h"
#include "tests/data/npz_reader.h"
#include "tests/support/test_program.h"

#include <QJsonArray>

#include <algorithm>
#include <cmath>

using namespace gridhelm;
using namespace gridhelm::test;

namespace {

/// A 2 x 1 image with one field at its points and one in its cells: name, units, 2 components.
void makeStudyWithCells(const std::filesystem::path &path)
{
    Parameter x{"x", "m", 0, 1};
    auto writer = data::StudyWriter::create(
        path, {"cells", data::StudyKind::vector, ParameterSpace({x}), 2, ""});
    writer.setMesh(data::encodeImageMesh({{3, 2, 1}, {0, 0, 0}, {1, 2, 1}}));
    writer.addField({"p", "Pa", 1, data::Association::point, 6});
    writer.addField({"q/\u00e4", "", 2, data::Association::cell, 2});
    for (const auto &job : writer.jobs()) {
        writer.startJob(job.id);
        for (const auto point : job.points) {
            const auto at = static_cast<float>(point);
            writer.putSnapshot(point, 0, std::vector<float>{at, 1, 2, 3, 4, 5});
            writer.putSnapshot(point, 1, std::vector<float>{6, 7, at, 9});
        }
        writer.finishJob(job.id, "");
    }
    data::compress(writer, {});
}

double norm(const std::vector<float> &values)
{
    double sum = 0;
    for (const double value : values)
        sum += value * value;
    return std::sqrt(sum / static_cast<double>(values.size()));
}

} // namespace

class TestCliEval : public QObject, protected StudyFolder
{
    Q_OBJECT

private slots:
    void initTestCase() { makeStudies(); }

    void aGridPointGivesItsSnapshotBack()
    {
        const auto study = data::Study::open(here("p.gridhelm").toStdString());
        std::vector<float> snapshot(study.fields().at(0).values());
        int compared = 0;
        for (std::uint64_t point = 0; point < study.grid()->points(); point += 3) {
            QVERIFY(study.readSnapshot(point, 0, snapshot));
            const auto &space = study.description().space;
            const auto at = space.toText(space.valuesAt(*study.grid(), point));
            const auto outcome =
                runHere("eval p.gridhelm --out g.vti --at " + QString::fromStdString(at));
            QVERIFY2(outcome.exitCode == 0, outcome.err);
            const auto files = readMeshFile(here("g.vti"));
            QCOMPARE(files.size(), std::size_t{1});
            QCOMPARE(files[0].fields.size(), std::size_t{1});
            QCOMPARE(files[0].fields[0].name, std::string("temperature"));
            QCOMPARE(data::differenceOfMeshes(*study.mesh(), files[0].mesh), std::string());
            const float largest = std::ranges::max(snapshot);
            for (std::size_t i = 0; i < snapshot.size(); ++i)
                QVERIFY(std::abs(files[0].values[0][i] - snapshot[i]) <= 1e-6F * largest);
            ++compared;
        }
        QVERIFY(compared > 2);
    }

    void aFieldSaysHowFarItMayBeOff()
    {
        QCOMPARE(runHere("compress p.gridhelm --holdout 12").exitCode, 0);
        const auto at = QString("eval p.gridhelm --at x=0.31,width=0.27");
        const auto outcome = runHere(at);
        QVERIFY2(outcome.out.contains("    90 % error bound "), outcome.out);
        const auto band = jsonOf(runHere(at + " --json"))["fields"][0]["band"].toObject();
        QCOMPARE(band["coverage"].toDouble(), 0.9);
        QCOMPARE(band["hold_outs"].toInt(), 10);
        const double relative = band["relative_l2"].toDouble();
        QVERIFY(relative > 0 && relative < 1);
        // By another way: norms of the file's values and indicators, by the study's band.
        QCOMPARE(runHere(at + " --out b.vti --indicator").exitCode, 0);
        const auto file = readMeshFile(here("b.vti"))[0];
        const auto study = data::Study::open(here("p.gridhelm").toStdString());
        const auto expected =
            study.errorBands().at(0).band.radius(norm(file.values[1])) / norm(file.values[0]);
        QVERIFY2(std::abs(relative / expected - 1) < 1e-5,
                 qPrintable(QString("%1, %2").arg(relative).arg(expected)));
        QVERIFY(bytesOf("b.vti").contains("Name=\"temperature_band\""));
        QCOMPARE(runHere(at + " --out b.npz").exitCode, 0);
        auto arrays = readNpz(here("b.npz").toStdString());
        QCOMPARE(arrays["temperature_band"].values<double>().at(0), relative);
        QCOMPARE(arrays["temperature_band_coverage"].values<double>().at(0), 0.9);
        // It is nothing that a part of the levels, or a place out of range, could promise.
        for (const auto *more : {" --level 2", " --extrapolate"}) {
            const auto place =
                QString(more) == " --level 2" ? at : QString("eval p.gridhelm --at x=9,width=0.3");
            const auto other = jsonOf(runHere(place + more + " --json"));
            QVERIFY(other["fields"][0]["band"].isNull());
        }
        const auto info = runHere("info p.gridhelm");
        QVERIFY2(info.out.contains("temperature: error bounds hold for 90 % of parameters, "),
                 info.out);
        QCOMPARE(jsonOf(runHere("info p.gridhelm --json"))["fields"][0]["band"]["edges"].toInt(),
                 2);
    }

    void aProbeAtANodeIsTheFilesValue()
    {
        QCOMPARE(runHere("eval p.gridhelm --at x=0.3,width=0.3 --out n.vti").exitCode, 0);
        const auto values = readMeshFile(here("n.vti"))[0].values[0];
        for (const int node : {0, 8, 31, 40, 80}) {
            const int row = node / 9;
            const auto place = QString("%1,%2,0").arg(node % 9 / 8.0).arg(row / 8.0);
            const auto outcome = runHere("eval p.gridhelm --at x=0.3,width=0.3 --probe " + place);
            const auto rows = csvOf(outcome.out);
            QCOMPARE(rows.size(), 2);
            QCOMPARE(rows[0].join(','), "x,y,z,temperature [K]");
            QVERIFY(rows[1][3].toFloat() == values[static_cast<std::size_t>(node)]);
        }
    }

    void csvAndJsonAgree()
    {
        write("places.csv", "# sensors\n\nz, y ,x\n0,0.25,0.5\r\n  \n0,0.7,0.31\n");
        const QString line = "eval p.gridhelm --at x=0.3,width=0.3 --probes places.csv "
                             "--probe 0.9,0.1,0 --indicator";
        const auto rows = csvOf(runHere(line).out);
        const auto document = jsonOf(runHere(line + " --json"));
        QCOMPARE(rows[0].join(','), "x,y,z,temperature [K],temperature_indicator [K]");
        QCOMPARE(rows.size(), 4);
        const auto probes = document["probes"].toArray();
        QCOMPARE(probes.size(), 3);
        QCOMPARE(rows[2].mid(0, 3).join(','), "0.5,0.25,0"); // columns in the header's order
        for (qsizetype i = 0; i < probes.size(); ++i) {
            const auto probe = probes[i].toObject();
            for (int k = 0; k < 3; ++k)
                QCOMPARE(probe["place"].toArray()[k].toDouble(), rows[i + 1][k].toDouble());
            QCOMPARE(probe["values"].toObject()["temperature"].toDouble(),
                     rows[i + 1][3].toDouble());
            QCOMPARE(probe["indicators"].toObject()["temperature"].toDouble(),
                     rows[i + 1][4].toDouble());
        }
        const auto field = document["fields"].toArray()[0].toObject();
        QCOMPARE(field["name"].toString(), "temperature");
        QCOMPARE(field["unit"].toString(), "K");
        QVERIFY(field["indicator"].toDouble() > 0);
        QCOMPARE(document["parameters"].toObject()["width"].toDouble(), 0.3);

        const auto written = runHere(line + " --csv v.csv --json");
        QCOMPARE(csvOf(bytesOf("v.csv")), rows);
        QCOMPARE(jsonOf(written)["probes"].toArray(), probes);
    }

    void placesOnStdinAreRead()
    {
        const auto outcome =
            runHere("eval p.gridhelm --at x=0.3,width=0.3 --probes -", "0.5,0.5,0\n0.25,0.25,0\n");
        QCOMPARE(outcome.exitCode, 0);
        QCOMPARE(csvOf(outcome.out).size(), 3);
    }

    void manyPointsGiveWhatEachOneGives()
    {
        QByteArray points = "width,x\n";
        QStringList each;
        for (int i = 0; i < 12; ++i) { // enough for the study to be loaded
            const double x = 0.25 + 0.04 * i, width = 0.2 + 0.05 * i;
            points += QByteArray::number(width) + "," + QByteArray::number(x) + "\n";
            const auto outcome = runHere(
                QString("eval p.gridhelm --at x=%1,width=%2 --probe 0.4,0.4,0").arg(x).arg(width));
            each.append(csvOf(outcome.out).last().last());
        }
        write("points.csv", points);
        const auto rows =
            csvOf(runHere("eval p.gridhelm --points points.csv --probe 0.4,0.4,0").out);
        QCOMPARE(rows.size(), 13);
        QCOMPARE(rows[0].join(','), "x,width,x,y,z,temperature [K]");
        for (int i = 0; i < 12; ++i)
            QCOMPARE(rows[i + 1].last(), each[i]);
        const auto document =
            jsonOf(runHere("eval p.gridhelm --points points.csv --probe 0.4,0.4,0 --json"));
        QCOMPARE(document["points"].toArray().size(), 12);
    }

    void fieldsInCellsComeWithTheirPlaces()
    {
        makeStudyWithCells(here("cells.gridhelm").toStdString());
        QCOMPARE(runHere("eval cells.gridhelm --at x=0.5 --out cells.npz").exitCode, 0);
        auto arrays = readNpz(here("cells.npz").toStdString());
        QVERIFY(arrays["p"].is("<f4", "(1, 6)"));
        QVERIFY(arrays["q_\u00e4"].is("<f4", "(1, 2, 2)")); // no folder in the archive
        QVERIFY(arrays["cell_centres"].values<double>()
                == std::vector<double>({0.5, 1, 0, 1.5, 1, 0}));
        QVERIFY(arrays["node_shape"].values<qint64>() == std::vector<qint64>({1, 2, 3}));
        QVERIFY(arrays["field_names"].values<char32_t>()
                == std::vector<char32_t>({'p', 0, 0, 'q', '/', U'\u00e4'}));
        QVERIFY(arrays["field_units"].values<char32_t>()
                == std::vector<char32_t>({'P', 'a', 0, 0}));
    }

    void scalarStudiesGiveArraysAndFolders()
    {
        write("widths.csv", "width\n0.3\n0.5\n");
        QCOMPARE(runHere("eval s.gridhelm --points widths.csv --resolution 9 --out s.npz "
                         "--out-dir s-files")
                     .exitCode,
                 0);
        auto arrays = readNpz(here("s.npz").toStdString());
        QVERIFY(arrays["temperature"].is("<f4", "(2, 81)"));
        const auto values = arrays["temperature"].values<float>();
        for (int row = 0; row < 2; ++row) {
            const auto file = readMeshFile(here(QString("s-files/fields_000%1.vti").arg(row)))[0];
            QVERIFY(std::equal(file.values[0].begin(), file.values[0].end(),
                               values.begin() + 81 * row));
        }
    }

    void componentsHaveNames()
    {
        const auto rows = csvOf(runHere("eval c.gridhelm --at t=1 --probe 0.5,0.9,0").out);
        QCOMPARE(rows[0].join(','), "x,y,z,velocity_x,velocity_y,velocity_z,pressure");
        const auto document = jsonOf(runHere("eval c.gridhelm --at t=1 --probe 0.5,0.9,0 --json"));
        const auto values = document["probes"].toArray()[0].toObject()["values"].toObject();
        QCOMPARE(values["velocity"].toArray().size(), 3);
        for (int k = 0; k < 3; ++k)
            QCOMPARE(values["velocity"].toArray()[k].toDouble(), rows[1][3 + k].toDouble());
        QCOMPARE(runHere("eval c.gridhelm --at t=1 --field velocity --out v.vti").exitCode, 0);
        const auto file = readMeshFile(here("v.vti"));
        QCOMPARE(file[0].fields.size(), std::size_t{1});
        QCOMPARE(file[0].fields[0].components, 3);
    }

    void theIndicatorIsWrittenWhenAskedFor()
    {
        const auto document =
            jsonOf(runHere("eval p.gridhelm --at x=0.3,width=0.3 --out i.vti --indicator --json"));
        const auto file = readMeshFile(here("i.vti"))[0];
        QCOMPARE(file.fields.size(), std::size_t{2});
        QCOMPARE(file.fields[1].name, std::string("temperature_indicator"));
        const double largest = std::ranges::max(file.values[1]);
        QVERIFY(largest > 0);
        QVERIFY(
            std::abs(document["fields"].toArray()[0].toObject()["indicator"].toDouble() - largest)
            < 1e-6 * largest);
        // Without the last level the value is off by just that.
        const auto coarse =
            csvOf(runHere("eval p.gridhelm --at x=0.3,width=0.3 --level 2 --probe 0.5,0.5,0").out);
        const auto fine = csvOf(
            runHere("eval p.gridhelm --at x=0.3,width=0.3 --probe 0.5,0.5,0 --indicator").out);
        const double difference = std::abs(fine[1][3].toDouble() - coarse[1][3].toDouble());
        QVERIFY(std::abs(difference - fine[1][4].toDouble()) < 1e-4 * std::abs(difference) + 1e-4);
    }

    void outOfRangeIsRefusedOrWarnedOf()
    {
        const QString line = "eval p.gridhelm --at x=0.8,width=0.3 --probe 0.5,0.5,0";
        QVERIFY(isOneSentence(runHere(line), "outside its range"));
        const auto outcome = runHere(line + " --extrapolate");
        QCOMPARE(outcome.exitCode, 0);
        QVERIFY2(outcome.err.startsWith("gridhelm-cli: warning: x out of range"), outcome.err);
        QCOMPARE(outcome.err.count('\n'), 1);
        QCOMPARE(csvOf(outcome.out).size(), 2);
    }

    void aStudyThatIsNotCompressedIsNoField()
    {
        QCOMPARE(runHere("plan p.toml --out raw.gridhelm").exitCode, 0);
        QVERIFY(isOneSentence(runHere("eval raw.gridhelm --at x=0.3,width=0.3"),
                              "gridhelm-cli run raw.gridhelm"));
        QCOMPARE(runHere("run raw.gridhelm").exitCode, 0);
        QVERIFY(isOneSentence(runHere("eval raw.gridhelm --at x=0.3,width=0.3"), "compress"));
        QCOMPARE(runHere("compress raw.gridhelm").exitCode, 0);
        QCOMPARE(runHere("grow raw.gridhelm --level 4").exitCode, 0);
        const auto grown = runHere("eval raw.gridhelm --at x=0.3,width=0.3 --json");
        QCOMPARE(grown.exitCode, 0);
        QVERIFY2(grown.err.contains("have no coefficients"), grown.err);
        QVERIFY(jsonOf(grown)["missing_points"].toInt() > 0);
        QVERIFY(runHere("eval raw.gridhelm --at x=0.3,width=0.3 --level 3").err.isEmpty());
    }

    void badInputIsOneSentence_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("says");
        const auto add = [](const char *name, const QString &line, const QString &says) {
            QTest::newRow(name) << line << says;
        };
        const QString eval = "eval p.gridhelm --at x=0.3,width=0.3 ";
        add("no study", "eval nothing.gridhelm --at x=1", "nothing.gridhelm");
        add("neither at nor points", "eval p.gridhelm", "either --at or --points");
        add("unknown parameter", "eval p.gridhelm --at q=1,width=0.3", "there is no parameter");
        add("missing parameter", "eval p.gridhelm --at x=0.3", "width has no value");
        add("log of a negative", "eval p.gridhelm --at x=0.3,width=-1 --extrapolate", "above 0");
        add("unknown field", eval + "--field speed", "speed");
        add("level", eval + "--level 4", "levels 1 to 3");
        add("wrong extension", eval + "--out o.vtu", "ends in .vti");
        add("no extension", eval + "--out o", "ends in .vti");
        add("no folder", eval + "--out nowhere/o.vti", "could not be written");
        add("probe outside", eval + "--probe 1.5,0.5,0 --out o.vti", "outside of the mesh");
        add("probe above", eval + "--probe 0.5,0.5,0.1 --csv o.csv", "outside of the mesh");
        add("probe of two", eval + "--probe 0.5,0.5", "three numbers");
        add("probe of words", eval + "--probe a,b,c", "is not a number");
        add("csv without places", eval + "--csv o.csv", "needs probe points");
        add("points without places", "eval p.gridhelm --points ok.csv", "needs probe points");
        add("points and out", "eval p.gridhelm --points ok.csv --out o.vti", "--out");
        add("overwrite of nothing", eval + "--overwrite --out o.npz", "--out-dir");
        add("archive in no folder", eval + "--out nowhere/o.npz", "could not be written");
        add("folder in no folder", eval + "--out-dir nowhere/o", "could not be written");
        add("folder that is a file", eval + "--out-dir p.toml", "is not a folder");
        add("folder that holds others", eval + "--out-dir .", "is not empty");
        add("archive of a probe outside", eval + "--probe 1.5,0,0 --out o.npz", "outside of");
        add("folder of a probe outside", eval + "--probe 1.5,0,0 --out-dir o", "outside of");
        add("archive without a field", eval + "--field speed --out o.npz", "speed");
        add("no probes file", eval + "--probes nothing.csv", "nothing.csv cannot be read");
        const QString points = "eval p.gridhelm --probe 0.5,0.5,0 --csv o.csv --points ";
        add("points lack a column", points + "lacking.csv", "lacking.csv, line 1");
        add("points out of range", points + "outside.csv", "outside its range");
        const QString series = "export p.gridhelm --along x --at width=0.3 ";
        add("series of one", series + "--steps 1 --out o.pvd", "--steps cannot be 1");
        add("steps of words", series + "--steps few --out o.pvd", "--steps");
        add("series backwards", series + "--from 0.6 --to 0.4 --out o.pvd", "--from");
        add("series from outside", series + "--from 0 --out o.pvd", "outside its range");
        add("series extension", series + "--out o.vti", "ends in .pvd");
        add("series folder", series + "--out nowhere/o.pvd", "could not be written");
        add("series field", series + "--field speed --out o.pvd", "speed");
        add("along nothing", "export p.gridhelm --along q --at width=0.3 --out o.pvd", "q");
        add("along what is given", "export p.gridhelm --along x --at width=0.3,x=0.3 --out o.pvd",
            "leave it out");
        add("others missing", "export p.gridhelm --along x --out o.pvd", "width has no value");
        add("no along", "export p.gridhelm --at width=0.3 --out o.pvd", "--along");
    }
    void badInputIsOneSentence()
    {
        QFETCH(QString, line);
        QFETCH(QString, says);
        write("ok.csv", "x,width\n0.3,0.3\n");
        write("lacking.csv", "x\n0.3\n");
        write("outside.csv", "x,width\n0.3,0.3\n0.3,3\n");
        const auto before = listing();
        const auto outcome = runHere(line);
        QVERIFY2(isOneSentence(outcome, says), outcome.err + outcome.out);
        QCOMPARE(listing(), before);
        QVERIFY(isOneSentence(runHere(line + " --json"), says));
    }

    void aBadTableOfPlacesIsNamedByLine_data()
    {
        QTest::addColumn<QByteArray>("table");
        QTest::addColumn<QString>("says");
        const auto add = [](const char *name, const QByteArray &table, const QString &says) {
            QTest::newRow(name) << table << says;
        };
        add("empty", "", "t.csv is empty");
        add("comments only", "# nothing\n\n", "t.csv is empty");
        add("header only", "x,y,z\n", "t.csv has no rows");
        add("two numbers", "0.5,0.5,0\n0.5,0.5\n", "t.csv, line 2: there are 2 cells");
        add("four numbers", "x,y,z\n0.5,0.5,0,1\n", "t.csv, line 2: there are 4 cells");
        add("a word", "x,y,z\n\n0.5,here,0\n", "t.csv, line 3: 'here' is not a finite number");
        add("an empty cell", "0.5,,0\n", "t.csv, line 1");
        add("not a number", "0.5,nan,0\n", "t.csv, line 1");
        add("other header", "x,y\n0.5,0.5\n", "t.csv, line 1");
        add("doubled header", "x,y,y\n0.5,0.5,0\n", "t.csv, line 1");
        add("unprintable", QByteArray("0.5,0.5,\0\x01\n", 11), "t.csv, line 1");
        add("outside", "0.5,0.5,0\n7,0,0\n", "7,0,0 is outside");
        add("huge", "1e400,0,0\n", "t.csv, line 1");
    }
    void aBadTableOfPlacesIsNamedByLine()
    {
        QFETCH(QByteArray, table);
        QFETCH(QString, says);
        write("t.csv", table);
        const auto before = listing();
        const auto outcome =
            runHere("eval p.gridhelm --at x=0.3,width=0.3 --probes t.csv --csv o.csv --out o.vti");
        QVERIFY2(isOneSentence(outcome, says), outcome.err + outcome.out);
        QCOMPARE(listing(), before);
    }
};

GRIDHELM_TEST(TestCliEval)
#include "tst_cli_eval.moc"

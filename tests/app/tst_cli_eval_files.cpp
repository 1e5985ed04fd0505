// SPDX-License-Identifier: GPL-3.0-or-later
//
// What eval and export write: archives, folders, series; whole, or not at all. Files are read back
// through VTK.
#include "tests/app/study_folder.h"
#include "tests/data/npz_reader.h"
#include "tests/support/paths.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QElapsedTimer>
#include <QJsonArray>
#include <QXmlStreamReader>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <unistd.h>

using namespace gridhelm;
using namespace gridhelm::test;

namespace {

struct SeriesEntry
{
    double time;
    QString file;
};

/// Empty if it is no well-formed collection.
QList<SeriesEntry> readCollection(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QXmlStreamReader xml(&file);
    QList<SeriesEntry> entries;
    while (!xml.atEnd()) {
        xml.readNext();
        if (xml.isStartElement() && xml.name() == QLatin1String("DataSet"))
            entries.append({xml.attributes().value("timestep").toDouble(),
                            xml.attributes().value("file").toString()});
    }
    return xml.hasError() ? QList<SeriesEntry>() : entries;
}

} // namespace

class TestCliEvalFiles : public QObject, protected StudyFolder
{
    Q_OBJECT

private slots:
    void initTestCase() { makeStudies(); }

    void anArchiveHoldsWhatEachPointGives()
    {
        const auto outcome =
            runHere("eval p.gridhelm --points rows.csv --out f.npz --indicator --json");
        QVERIFY2(outcome.exitCode == 0, outcome.err);
        const auto document = jsonOf(outcome);
        QCOMPARE(document["points"].toArray().size(), 12);
        QCOMPARE(document["archive"].toObject()["rows"].toInt(), 12);
        QCOMPARE(document["archive"].toObject()["bytes"].toInt(), bytesOf("f.npz").size());

        auto arrays = readNpz(here("f.npz").toStdString());
        QVERIFY(arrays["temperature"].is("<f4", "(12, 81)"));
        QVERIFY(arrays["temperature_indicator"].is("<f4", "(12, 81)"));
        QVERIFY(arrays["parameters"].is("<f8", "(12, 2)"));
        QVERIFY(arrays["parameter_names"].is("<U5", "(2,)"));
        QVERIFY(arrays["field_names"].is("<U11", "(1,)"));
        QVERIFY(arrays["nodes"].is("<f8", "(81, 3)"));
        QVERIFY(arrays["node_shape"].is("<i8", "(3,)"));
        QVERIFY(arrays["temperature_band"].is("<f8", "(12,)"));
        for (const double notMeasured : arrays["temperature_band"].values<double>())
            QVERIFY(std::isnan(notMeasured));
        QCOMPARE(arrays.size(), std::size_t{11});
        QVERIFY(arrays["node_shape"].values<qint64>() == std::vector<qint64>({1, 9, 9}));
        const auto nodes = arrays["nodes"].values<double>();
        QCOMPARE(nodes[3 * 10], 0.125); // the second of the second row
        QCOMPARE(nodes[3 * 10 + 1], 0.125);

        const auto values = arrays["temperature"].values<float>();
        const auto indicators = arrays["temperature_indicator"].values<float>();
        const auto parameters = arrays["parameters"].values<double>();
        for (int row = 0; row < 12; ++row) {
            QCOMPARE(parameters[2 * row], 0.25 + 0.04 * row); // x, the study's first parameter
            QCOMPARE(runHere(QString("eval p.gridhelm --indicator --out e.vti --at x=%1,width=%2")
                                 .arg(parameters[2 * row], 0, 'g', 17)
                                 .arg(parameters[2 * row + 1], 0, 'g', 17))
                         .exitCode,
                     0);
            const auto file = readMeshFile(here("e.vti"))[0];
            QVERIFY(std::equal(file.values[0].begin(), file.values[0].end(),
                               values.begin() + 81 * row));
            QVERIFY(std::equal(file.values[1].begin(), file.values[1].end(),
                               indicators.begin() + 81 * row));
        }
        // The same command gives the same bytes.
        const auto bytes = bytesOf("f.npz");
        QCOMPARE(runHere("eval p.gridhelm --points rows.csv --out f.npz --indicator").exitCode, 0);
        QCOMPARE(bytesOf("f.npz"), bytes);
    }

    void anArchiveOfOnePointHasOneRow()
    {
        const auto outcome = runHere("eval c.gridhelm --at t=1 --out c.npz --probe 0.5,0.9,0");
        QVERIFY2(outcome.exitCode == 0, outcome.err);
        auto arrays = readNpz(here("c.npz").toStdString());
        QVERIFY(arrays["velocity"].is("<f4", "(1, 289, 3)"));
        QVERIFY(arrays["pressure"].is("<f4", "(1, 289)"));
        QCOMPARE(csvOf(outcome.out).size(), 2); // places as well
        const auto text = runHere("eval c.gridhelm --at t=1 --out c.npz --field pressure");
        QVERIFY2(text.out.contains("wrote c.npz: 1 row"), text.out);
        QVERIFY(!readNpz(here("c.npz").toStdString()).contains("velocity"));
    }

    void numpyReadsAnArchive()
    {
        QProcess python;
        python.setWorkingDirectory(m_folder.path());
        python.start("python3", {"-c", "import numpy"});
        if (!python.waitForFinished(60000) || python.exitCode() != 0)
            QSKIP("python3 has no numpy");
        QCOMPARE(runHere("eval c.gridhelm --at t=1 --out n.npz").exitCode, 0);
        QCOMPARE(runHere("eval c.gridhelm --at t=1 --out n.vti").exitCode, 0);
        python.start("python3", {"-c", "import numpy\n"
                                       "f = numpy.load('n.npz', allow_pickle=False)\n"
                                       "u = f['velocity'].reshape(-1, *f['node_shape'], 3)\n"
                                       "print(u.shape, u.dtype, list(f['parameter_names']), "
                                       "f['parameters'][0, 0], float(u[0, 0, 15, 8, 0]))"});
        QVERIFY(python.waitForFinished(60000));
        const auto value = readMeshFile(here("n.vti"))[0].values[0][3 * (15 * 17 + 8)];
        QCOMPARE(python.readAllStandardOutput().replace("np.str_('t')", "'t'"),
                 "(1, 1, 17, 17, 3) float32 ['t'] 1.0 "
                     + QByteArray::number(double{value}, 'g', QLocale::FloatingPointShortest)
                     + "\n");
    }

    void aFolderHoldsAFileForEachPoint()
    {
        const auto outcome = runHere("eval p.gridhelm --points rows.csv --out-dir d --json");
        QVERIFY2(outcome.exitCode == 0, outcome.err);
        const auto folder = jsonOf(outcome)["folder"].toObject();
        QCOMPARE(folder["files"].toInt(), 12);
        QCOMPARE(folder["index"].toString(), "d/index.csv");
        const auto index = csvOf(bytesOf("d/index.csv"));
        QCOMPARE(index.size(), 13);
        QCOMPARE(index[0].join(','), "file,x,width");
        const auto entries = readCollection(here("d/fields.pvd"));
        QCOMPARE(entries.size(), 12);
        for (int i = 0; i < 12; ++i) {
            QCOMPARE(index[i + 1][0], QString("fields_%1.vti").arg(i, 4, 10, QChar('0')));
            QCOMPARE(entries[i].file, index[i + 1][0]);
            QCOMPARE(entries[i].time, double(i));
            QCOMPARE(runHere(QString("eval p.gridhelm --out e.vti --at x=%1,width=%2")
                                 .arg(index[i + 1][1], index[i + 1][2]))
                         .exitCode,
                     0);
            QVERIFY(!bytesOf("e.vti").isEmpty());
            QCOMPARE(bytesOf("d/" + index[i + 1][0]), bytesOf("e.vti"));
        }
        QCOMPARE(QDir(here("d")).entryList(QDir::AllEntries | QDir::NoDotAndDotDot).size(), 14);
        QCOMPARE(readMeshFile(here("d/fields.pvd")).size(), std::size_t{12});
    }

    void aFolderMixesNothingOldWithNew()
    {
        const QString line = "eval p.gridhelm --at x=0.3,width=0.3 --out-dir m";
        QVERIFY(QDir(m_folder.path()).mkdir("m")); // an empty one will do
        QCOMPARE(runHere("eval p.gridhelm --points rows.csv --out-dir m/").exitCode, 0);
        const auto before = listing();
        QVERIFY(isOneSentence(runHere(line), "--overwrite"));
        QCOMPARE(listing(), before);
        QVERIFY(QDir(here("m")).mkdir("fields.1.part")); // of a program that was killed
        QCOMPARE(runHere(line + " --overwrite").exitCode, 0);
        QCOMPARE(QDir(here("m")).entryList(QDir::AllEntries | QDir::NoDotAndDotDot),
                 QStringList({"fields.pvd", "fields_0000.vti", "index.csv"}));
        write("m/notes.txt", "mine");
        QVERIFY(isOneSentence(runHere(line + " --overwrite"), "notes.txt"));
        QCOMPARE(bytesOf("m/notes.txt"), QByteArray("mine"));
        QCOMPARE(csvOf(bytesOf("m/index.csv")).size(), 2);
        // The folder that one is in, and one behind a link.
        QVERIFY(QDir(m_folder.path()).mkdir("inside"));
        QVERIFY(QFile::link(here("inside"), here("link")));
        QCOMPARE(runHere("eval p.gridhelm --at x=0.3,width=0.3 --out-dir link").exitCode, 0);
        QCOMPARE(runCli("eval ../p.gridhelm --at x=0.4,width=0.3 --out-dir . --overwrite", {},
                        here("inside"))
                     .exitCode,
                 0);
        QCOMPARE(csvOf(bytesOf("link/index.csv"))[1].join(','), "fields_0000.vti,0.4,0.3");
    }

    void manyFilesSort()
    {
        QByteArray rows = "x,width\n";
        for (int i = 0; i < 10001; ++i)
            rows += "0.3,0.3\n";
        write("many.csv", rows);
        QCOMPARE(runHere("eval p.gridhelm --points many.csv --out-dir many").exitCode, 0);
        const auto names = QDir(here("many")).entryList({"*.vti"}, QDir::Files, QDir::Name);
        QCOMPARE(names.size(), 10001);
        QCOMPARE(names.last(), "fields_10000.vti");
        QCOMPARE(names[9999], "fields_09999.vti");
        QVERIFY(QDir(here("many")).removeRecursively());
    }

    void aSeriesIsWhatEvalGivesAtEveryStep()
    {
        const auto outcome =
            runHere("export p.gridhelm --along width --from 0.25 --steps 5 --at x=0.3 "
                    "--out s.pvd --indicator");
        QVERIFY2(outcome.exitCode == 0, outcome.err);
        const auto entries = readCollection(here("s.pvd"));
        QCOMPARE(entries.size(), 5);
        QCOMPARE(entries[0].time, 0.25);
        QCOMPARE(entries[4].time, 0.8);
        for (int i = 1; i < 5; ++i) // the parameter's scale is logarithmic
            QVERIFY(std::abs(entries[i].time / entries[i - 1].time - std::pow(3.2, 0.25)) < 1e-9);
        for (int i = 0; i < 5; ++i) {
            QCOMPARE(entries[i].file, QString("s/s_%1.vti").arg(i, 4, 10, QChar('0')));
            const auto width = QString::number(entries[i].time, 'g', 17);
            QCOMPARE(runHere("eval p.gridhelm --indicator --out e.vti --at x=0.3,width=" + width)
                         .exitCode,
                     0);
            QVERIFY(!bytesOf("e.vti").isEmpty());
            QCOMPARE(bytesOf(entries[i].file), bytesOf("e.vti"));
        }
        QCOMPARE(QDir(here("s")).entryList(QDir::Files).size(), 5);
        const auto read = readMeshFile(here("s.pvd")); // as import, and ParaView, read it
        QCOMPARE(read.size(), std::size_t{5});
        QCOMPARE(read[4].time.value(), 0.8);
    }

    void aPageIsWritten()
    {
        const auto document =
            jsonOf(runHere("export p.gridhelm --html p.html --at x=0.3 --error 1% --json"));
        QCOMPARE(document["file"].toString(), QString("p.html"));
        const auto page = bytesOf("p.html");
        QCOMPARE(document["bytes"].toInt(), static_cast<int>(page.size()));
        QVERIFY(page.startsWith("<!DOCTYPE html>") && page.endsWith("</html>\n"));
        QVERIFY(page.contains("script-src 'sha256-"));
        const auto fields = document["fields"].toArray();
        QVERIFY(!fields.isEmpty());
        for (const auto &field : fields) {
            QVERIFY(field.toObject()["modes"].toInt() > 0);
            QVERIFY(field.toObject()["added_relative_l2"].toDouble() <= 0.01);
        }
        const auto again = runHere("export p.gridhelm --html p.html --max-size 5MB"); // of its own
        QCOMPARE(again.exitCode, 0);
        QVERIFY(again.out.contains("open it in any browser"));
        const auto both = runHere("export p.gridhelm p.gridhelm --html both.html");
        QVERIFY2(both.exitCode == 0, both.err);
        QCOMPARE(bytesOf("both.html").count("<iframe "), 2);
        const auto report = runHere("report p.gridhelm --out r.html --interactive");
        QVERIFY2(report.exitCode == 0, report.err);
        QVERIFY(bytesOf("r.html").contains("<iframe "));
    }

    void aPageThatCannotBeIsRefused()
    {
        write("mine.html", "<html>");
        const QList<std::pair<QString, QString>> refused{
            {"export p.gridhelm --html mine.html", "is no interactive page"},
            {"export p.gridhelm", "say what to write"},
            {"export p.gridhelm --html q.html --along x --out s.pvd", "leave one of them out"},
            {"export p.gridhelm --along x", "a series needs both"},
            {"export p.gridhelm --along x --out s.pvd --error 1%", "are of interactive pages"},
            {"export p.gridhelm p.gridhelm --along x --out s.pvd", "several studies"},
            {"export p.gridhelm --html q.html --error 0", "more than 0"},
            {"export p.gridhelm --html q.html --max-size large", "--max-size"},
            {"export p.gridhelm --html q.html --max-size 10kB", "the smallest page"},
            {"export p.gridhelm --html q.html --at x=7", "x"},
            {"export p.gridhelm --html q.html --field nothing", "nothing"},
            {"export p.gridhelm --html nowhere/q.html", "nowhere"}};
        for (const auto &[line, part] : refused)
            QVERIFY2(isOneSentence(runHere(line), part), qPrintable(line));
        QCOMPARE(bytesOf("mine.html"), QByteArray("<html>"));
        QVERIFY(!QFile::exists(here("q.html")));
        QVERIFY(runHere("export p.gridhelm --html p.gridhelm --overwrite").exitCode != 0);
        QCOMPARE(runHere("export p.gridhelm --html mine.html --overwrite").exitCode, 0);
    }

    void linearStepsAreEquallySpaced()
    {
        const auto document = jsonOf(runHere("export c.gridhelm --along t --steps 4 --out lin.pvd "
                                             "--field pressure --json"));
        const auto steps = document["steps"].toArray();
        QCOMPARE(steps.size(), 4);
        for (int i = 0; i < 4; ++i)
            QCOMPARE(steps[i].toDouble(), 0.5 + 0.5 * i);
        QCOMPARE(readMeshFile(here("lin.pvd"))[0].fields.size(), std::size_t{1});
    }

    void aSeriesReplacesNothingUnlessAsked()
    {
        const QString line = "export p.gridhelm --along x --at width=0.3 --out r.pvd --steps ";
        QCOMPARE(runHere(line + "4").exitCode, 0);
        const auto before = bytesOf("r.pvd");
        QVERIFY(isOneSentence(runHere(line + "3"), "--overwrite"));
        QCOMPARE(bytesOf("r.pvd"), before);
        QCOMPARE(runHere(line + "3 --overwrite").exitCode, 0);
        QCOMPARE(readCollection(here("r.pvd")).size(), 3);
        QCOMPARE(QDir(here("r")).entryList(QDir::Files).size(), 3);
        write("r/notes.txt", "mine");
        QVERIFY(isOneSentence(runHere(line + "2 --overwrite"), "notes.txt"));
        QCOMPARE(bytesOf("r/notes.txt"), QByteArray("mine"));
        QCOMPARE(readCollection(here("r.pvd")).size(), 3);
    }

    void aForbiddenFolderIsOneSentence()
    {
        if (geteuid() == 0)
            QSKIP("root may write everywhere");
        QVERIFY(QDir(m_folder.path()).mkdir("locked"));
        QVERIFY(QFile::setPermissions(here("locked"), QFile::ReadOwner | QFile::ExeOwner));
        QVERIFY(isOneSentence(runHere("export p.gridhelm --along x --at width=0.3 --out "
                                      "locked/r.pvd"),
                              "could not be written"));
        QVERIFY(QFile::setPermissions(here("locked"),
                                      QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    }

    void aFullDiskLeavesNothing_data()
    {
        QTest::addColumn<QString>("line");
        QTest::newRow("eval") << "eval p.gridhelm --at x=0.3,width=0.3 --out full.vti";
        QTest::newRow("archive") << "eval p.gridhelm --points rows.csv --out full.npz";
        QTest::newRow("folder") << "eval p.gridhelm --points rows.csv --out-dir full";
        QTest::newRow("export") << "export p.gridhelm --along x --at width=0.3 --out full.pvd";
    }
    /// A limit on the size of files is as good as a disk that is full.
    void aFullDiskLeavesNothing()
    {
        QFETCH(QString, line);
        const auto before = listing();
        QProcess process;
        process.setWorkingDirectory(m_folder.path());
        process.start("sh", {"-c", "trap '' XFSZ; ulimit -f 1; exec " + QString(paths::cli) + " " + line});
        QVERIFY(process.waitForFinished(60000));
        Outcome outcome{process.exitCode(), process.readAllStandardOutput(), {}};
        for (const auto &row : process.readAllStandardError().split('\n')) {
            // A build that measures coverage meets the limit as well.
            if (!row.isEmpty() && !row.startsWith("libgcov"))
                outcome.err += row + '\n';
        }
        QVERIFY2(isOneSentence(outcome, "could not be written"), outcome.err);
        QCOMPARE(listing(), before);
    }

    void ctrlCLeavesNothing_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QStringList>("part"); // of what is being written: the folder, the files
        QTest::newRow("export") << "export p.gridhelm --along x --at width=0.3 --steps 100000 "
                                   "--out long.pvd"
                                << QStringList{".", "long.*.part"};
        QTest::newRow("folder") << "eval p.gridhelm --points long.csv --out-dir long"
                                << QStringList{"long", "fields.*.part"};
        QTest::newRow("archive") << "eval p.gridhelm --points long.csv --out long.npz"
                                 << QStringList{".", "long.npz.*.part"};
    }
    void ctrlCLeavesNothing()
    {
        QFETCH(QString, line);
        QFETCH(QStringList, part);
        QByteArray rows = "x,width\n";
        for (int i = 0; i < 200000; ++i)
            rows += "0.3,0.3\n";
        write("long.csv", rows);
        const auto before = listing();
        QProcess process;
        process.setWorkingDirectory(m_folder.path());
        process.start(QString(paths::cli), QProcess::splitCommand(line));
        QVERIFY(process.waitForStarted());
        QElapsedTimer waiting;
        waiting.start();
        const auto hasBegun = [&] {
            return !QDir(here(part[0])).entryList({part[1]}, QDir::AllEntries).isEmpty();
        };
        while (!hasBegun() && waiting.elapsed() < 60000)
            QTest::qWait(5);
        QVERIFY(hasBegun());
        QCOMPARE(::kill(static_cast<pid_t>(process.processId()), SIGINT), 0);
        QVERIFY(process.waitForFinished(60000));
        QCOMPARE(process.exitCode(), 130);
        const auto error = process.readAllStandardError();
        QVERIFY2(error.contains("Interrupted") && error.count('\n') == 1, error);
        QVERIFY(process.readAllStandardOutput().isEmpty());
        QCOMPARE(listing(), before);
    }
};

GRIDHELM_TEST(TestCliEvalFiles)
#include "tst_cli_eval_files.moc"

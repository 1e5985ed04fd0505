// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs the built gridhelm-cli as a user would: help, options, errors, output.
#include "tests/app/grid_files.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QSet>

using namespace gridhelm::test;

class TestCli : public QObject, protected GridFiles
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        qputenv("CUDA_VISIBLE_DEVICES", ""); // what is said where there is no GPU
        writeFiles();
    }

    void versionNamesCommitAndBackends();
    void helpTeachesWithExamples_data();
    void helpTeachesWithExamples();
    void backendsAreListedWithReasons();
    void autoSaysWhatItTakes();
    void globalOptionsMayStandAnywhere();
    void badInputIsOneSentenceAndWritesNothing_data();
    void badInputIsOneSentenceAndWritesNothing();
    void failedOutputLeavesTheOldFile();
    void outputGoesThroughLinks();
    void outputDoesNotFollowLinksToOtherFolders();
    void devicesAreNoInput();
    void outputReplacesNoPipe();
    void benchmarkChecksItsResults();
};

void TestCli::versionNamesCommitAndBackends()
{
    const Outcome text = runCli("--version");
    QCOMPARE(text.exitCode, 0);
    QVERIFY2(text.out.startsWith("gridhelm-cli 0."), text.out);
    QVERIFY2(text.out.contains("\ncommit: "), text.out);
    QVERIFY2(text.out.contains("\nback ends: reference, omp"), text.out);

    const QJsonObject json = jsonOf(runCli("--version --json"));
    QVERIFY(!json["commit"].toString().isEmpty());
    QVERIFY(text.out.contains(json["commit"].toString().toUtf8()));
    QCOMPARE(json["backends"].toArray().first().toString(), "reference");
}

void TestCli::helpTeachesWithExamples_data()
{
    QTest::addColumn<QString>("command");
    for (const char *command : {"", "backends", "grid", "grid count", "grid index", "grid points",
                                "grid interpolate", "grid demo"})
        QTest::newRow(*command ? command : "gridhelm-cli") << command;
}

void TestCli::helpTeachesWithExamples()
{
    QFETCH(QString, command);
    const Outcome help = runCli(command + " --help");
    QCOMPARE(help.exitCode, 0);
    QVERIFY2(help.err.isEmpty(), help.err);
    QVERIFY2(help.out.contains("Examples"), help.out);
    QVERIFY2(help.out.contains("  gridhelm-cli " + command.toUtf8()), help.out);
}

void TestCli::backendsAreListedWithReasons()
{
    const QJsonArray list = jsonOf(runCli("backends --json"))["backends"].toArray();
    QStringList names;
    for (const auto &entry : list) {
        const QJsonObject backend = entry.toObject();
        names.append(backend["name"].toString());
        QVERIFY(!backend["description"].toString().isEmpty());
    }
    QCOMPARE(names, QStringList({"reference", "omp", "cuda"}));
    QVERIFY(list[0].toObject()["available"].toBool() && list[1].toObject()["available"].toBool());
    const QJsonObject cuda = list[2].toObject();
    QCOMPARE(cuda["available"].toBool(), !cuda["devices"].toArray().isEmpty());
    QCOMPARE(runCli("backends").exitCode, 0);
}

void TestCli::autoSaysWhatItTakes()
{
    for (const char *line :
         {"backends --json --threads 2", "backends --measure --json --threads 2"}) {
        const auto outcome = runCli(line);
        QCOMPARE(outcome.exitCode, 0);
        const auto report = jsonOf(outcome)["auto"].toObject();
        QCOMPARE(report["threads"].toInt(), 2);
        const auto candidates = report["candidates"].toArray();
        QCOMPARE(candidates.first().toString(), "omp");
        QSet<QString> operations;
        for (const auto &value : report["choices"].toArray()) {
            const auto entry = value.toObject();
            operations.insert(entry["operation"].toString());
            const bool isOpen = candidates.size() > 1 && entry["seconds"].toObject().isEmpty()
                                && !entry["measured"].isNull();
            QCOMPARE(entry["fastest"].isNull(), isOpen);
            QVERIFY(!isOpen || !QString(line).contains("measure"));
            if (candidates.size() == 1)
                QCOMPARE(entry["fastest"].toString(), "omp");
        }
        QCOMPARE(operations, QSet<QString>({"hierarchization", "interpolation", "cartesian",
                                            "combination", "jacobi", "sor", "pmm"}));
    }
    QVERIFY(runCli("backends").out.contains("\nauto       takes "));
}

void TestCli::globalOptionsMayStandAnywhere()
{
    const Outcome before = runCli("--json --threads 1 grid count --dim 3 --level 4");
    const Outcome behind = runCli("grid count --dim 3 --level 4 --json --threads 1");
    const Outcome between = runCli("grid --json count --dim 3 --level 4");
    QCOMPARE(before.exitCode, 0);
    QVERIFY(!jsonOf(before).isEmpty());
    QCOMPARE(behind.out, before.out);
    QCOMPARE(between.out, before.out);
}

void TestCli::badInputIsOneSentenceAndWritesNothing_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("says"); // part of the sentence
    const auto add = [](const char *name, const QString &line, const QString &says) {
        QTest::newRow(name) << line << says;
    };
    add("no command", "", "command");
    add("unknown command", "gird count", "gird");
    add("no grid command", "grid", "command");
    add("unknown option", "grid count --dim 2 --level 3 --cap 1,1", "--cap");
    add("missing dim", "grid count --level 3", "--dim");
    add("missing level", "grid count --dim 3", "--level");
    for (const char *command : {"count", "points", "index --index 0",
                                "interpolate --values values.txt --at at.csv --output out"}) {
        const QString start = QString("grid %1 ").arg(command);
        const auto row = [&](const char *name, const char *grid, const char *says) {
            QTest::addRow("%s, %s", name, command) << start + grid << says;
        };
        row("dimension 0", "--dim 0 --level 3", "dimension 0");
        row("dimension 33", "--dim 33 --level 3", "dimension 33");
        row("dimension -1", "--dim -1 --level 3", "dimension -1");
        row("dimension word", "--dim two --level 3", "two");
        row("dimension 2.5", "--dim 2.5 --level 3", "2.5");
        row("dimension huge", "--dim 99999999999999999999 --level 3", "99999999999999999999");
        row("level 0", "--dim 2 --level 0", "level 0");
        row("level 31", "--dim 2 --level 31", "level 31");
        row("level word", "--dim 2 --level x", "\"x\"");
        row("too few caps", "--dim 3 --level 3 --caps 3,3", "caps");
        row("too many caps", "--dim 2 --level 3 --caps 3,3,3", "caps");
        row("empty caps", "--dim 2 --level 3 --caps \" \"", "caps");
        row("cap 0", "--dim 2 --level 3 --caps 3,0", "cap 0");
        row("cap word", "--dim 2 --level 3 --caps 3,y", "\"y\"");
        row("cap missing", "--dim 2 --level 3 --caps 3,", "caps");
        row("boundary word", "--dim 2 --level 3 --boundary open", "open");
        row("boundary count", "--dim 3 --level 3 --boundary zero,zero", "boundary bases");
        row("overflow", "--dim 32 --level 30", "64 bits");
    }
    for (const char *command : {"points", "index --index 0",
                                "interpolate --values values.txt --at sixteen.csv --output out"})
        QTest::addRow("too large for the memory, %s", command)
            << QString("grid %1 --dim 16 --level 25").arg(command) << "";
    add("first beyond", "grid points --dim 1 --level 3 --first 7 --output out", "7");
    add("count beyond", "grid points --dim 1 --level 3 --first 3 --count 5 --output out", "5");
    add("first negative", "grid points --dim 1 --level 3 --first -1 --output out", "-1");
    add("index beyond", "grid index --dim 1 --level 3 --index 7", "7");
    add("no point", "grid index --dim 1 --level 3", "--index");
    add("two points", "grid index --dim 1 --level 3 --index 0 --at 0.5", "one way");
    add("levels alone", "grid index --dim 1 --level 3 --levels 0", "--positions");
    add("no such level", "grid index --dim 1 --level 3 --levels 3 --positions 0",
        "not in the grid");
    add("no such position", "grid index --dim 1 --level 3 --levels 1 --positions 2", "position 2");
    add("between points", "grid index --dim 1 --level 3 --at 0.3", "0.3");
    add("point at the end", "grid index --dim 1 --level 3 --at 1", "not in the grid");
    const QString at = "grid interpolate --dim 2 --level 3 --boundary boundary --output out "
                       "--values values.txt --at ";
    add("point outside", at + "outside.csv", "outside.csv, line 2");
    add("point just below 0", at + "negative.csv", "outside [0, 1]");
    add("NaN point", at + "nan.csv", "nan");
    add("three coordinates", at + "three.csv", "3 coordinates");
    add("words for points", at + "words.csv", "'many' is not a finite number for y");
    add("missing coordinate", at + "gap.csv", "gap.csv, line 1: '' is not a finite number for column 2");
    add("no points", at + "empty", "empty is empty");
    add("missing points", at + "nowhere.csv", "nowhere.csv");
    add("folder of points", at + ".", "folder");
    add("unknown back end for points", at + "at.csv --backend fast", "fast");
    add("cuda", at + "at.csv --backend cuda", "cuda");
    add("unknown precision", at + "at.csv --precision half", "half");
    add("threads word", at + "at.csv --threads many", "many");
    add("threads negative", at + "at.csv --threads -2", "-2");
    add("both from stdin", at + "- --values -", "");
    const QString values = "grid interpolate --dim 2 --level 3 --boundary boundary --output out "
                           "--at at.csv --values ";
    add("NaN value", values + "nan.txt", "line 1 of nan.txt");
    add("NaN raw value", values + "nan.f64", "value 2 of nan.f64");
    add("infinite raw value", values + "infinite.f64", "value 2 of infinite.f64");
    add("raw file cut off", values + "cut.f64", "cut off");
    add("raw file too short", values + "short.f64", "short.f64 holds");
    add("raw file empty", values + "empty.f64", "holds 0 values");
    add("text file too short", values + "short.txt", "short.txt holds");
    add("text file too long", values + "long.txt", "long.txt holds");
    add("text file empty", values + "empty", "holds 0 values");
    add("word among values", values + "word.txt", "line 2 of word.txt");
    add("missing values", values + "nowhere.f64", "nowhere.f64");
    add("picture in no folder", "grid demo --level 2 --json --picture nowhere/demo.png",
        "nowhere/demo.png");
    add("demo level", "grid demo --level 0 --picture out", "level 0");
}

void TestCli::badInputIsOneSentenceAndWritesNothing()
{
    QFETCH(QString, line);
    QFETCH(QString, says);
    if (!QFile::exists(m_folder.filePath("sixteen.csv")))
        write("sixteen.csv", "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0\n");
    const QStringList before = filesHere();
    const Outcome outcome = runHere(line);
    QVERIFY2(isOneSentence(outcome, says),
             QByteArray::number(outcome.exitCode) + " " + outcome.out + outcome.err);
    QCOMPARE(filesHere(), before);
}

void TestCli::failedOutputLeavesTheOldFile()
{
    write("old.txt", "precious");
    const Outcome outcome = runHere("grid interpolate --dim 2 --level 3 --boundary boundary "
                                    "--values nan.f64 --at at.csv --output old.txt");
    QVERIFY(outcome.exitCode != 0);
    QFile file(m_folder.filePath("old.txt"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray("precious"));
}

void TestCli::outputGoesThroughLinks()
{
    write("real.txt", "old");
    QVERIFY(QFile::link(m_folder.filePath("real.txt"), m_folder.filePath("link.txt")));
    QCOMPARE(runHere("grid points --dim 1 --level 1 --output link.txt").exitCode, 0);
    QVERIFY(QFileInfo(m_folder.filePath("link.txt")).isSymLink());
    QFile real(m_folder.filePath("real.txt"));
    QVERIFY(real.open(QIODevice::ReadOnly));
    QCOMPARE(real.readAll(), QByteArray("0.5\n"));
}

void TestCli::outputDoesNotFollowLinksToOtherFolders()
{
    const QTemporaryDir elsewhere; // a folder that came from somebody may link to one's own files
    const auto own = elsewhere.filePath("own.txt");
    QFile file(own);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("mine") == 4);
    file.close();
    QVERIFY(QFile::link(own, m_folder.filePath("away.txt")));
    const Outcome outcome = runHere("grid points --dim 1 --level 1 --output away.txt");
    QCOMPARE(outcome.exitCode, 1);
    QVERIFY2(outcome.err.contains("away.txt is a link to "), outcome.err);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray("mine"));
    QVERIFY(QFile::remove(m_folder.filePath("away.txt")));
}

void TestCli::devicesAreNoInput()
{
    for (const QString line :
         {"grid interpolate --dim 1 --level 1 --values /dev/zero --at at.csv",
          "grid interpolate --dim 1 --level 1 --values values.txt --at /dev/zero",
          "import /dev/zero --out s.gridhelm", "solve jacobi --size 7 --source /dev/zero",
          "solve jacobi --size 7 --start /dev/zero", "plan /dev/zero", "eval /dev/zero --at a=1",
          "tune --keep /dev/zero"}) {
        const Outcome outcome = runHere(line);
        QVERIFY2(outcome.exitCode == 1 || outcome.exitCode == 2, qPrintable(line));
        QCOMPARE(outcome.err.count('\n'), 1);
    }
}

void TestCli::outputReplacesNoPipe()
{
    const QString pipe = m_folder.filePath("pipe");
    QCOMPARE(QProcess::execute("mkfifo", {pipe}), 0);
    const Outcome outcome = runHere("grid points --dim 1 --level 1 --output pipe");
    QCOMPARE(outcome.exitCode, 1);
    QVERIFY(outcome.err.contains("pipe"));
    QVERIFY(!QFileInfo(pipe).isFile()); // still a pipe
    QVERIFY(QFile::remove(pipe));
}

void TestCli::benchmarkChecksItsResults()
{
    const Outcome outcome = runCli("bench sparse --quick --json --cases 3/4 --points 500 --rows 20 "
                                   "--columns 3000 --side 12");
    QCOMPARE(outcome.exitCode, 0);
    const QJsonObject json = jsonOf(outcome);
    QVERIFY(json["environment"].toObject().contains("commit"));
    QVERIFY(json["memory_bandwidth"].toObject()["read"].toDouble() > 0);
    QVERIFY(json["memory_bandwidth"].toObject()["copy"].toDouble() > 0);
    const QJsonObject grid = json["grids"].toArray()[0].toObject();
    QCOMPARE(grid["points"].toInt(), 111);
    for (const auto &[type, tolerance] : {std::pair{"double", 1e-13}, std::pair{"float", 1e-5}}) {
        const QJsonObject results = grid[type].toObject();
        const QJsonObject evaluation = results["evaluation"].toObject();
        QVERIFY(evaluation["error_against_reference"].toDouble(1) < tolerance);
        QVERIFY(evaluation["fast_to_plain"].toDouble() > 0);
        QVERIFY(results["hierarchization"].toObject()["error_against_reference"].toDouble(1)
                < tolerance);
        const QJsonObject car = json["car"].toObject()[type].toObject()["one_thread"].toObject();
        QVERIFY(car["error_against_random_path"].toDouble(1) < tolerance);
        QVERIFY(car["car_to_write"].toDouble() > 0);
    }
    QVERIFY(json["spvm"].toObject()["error"].toDouble(1) < 1e-4);
}

GRIDHELM_TEST(TestCli)
#include "tst_cli.moc"

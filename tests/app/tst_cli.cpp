// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs the built gridhelm-cli as a user would.
#include "tests/app/cli_process.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QSet>
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <cstring>
#include <limits>

using namespace gridhelm::test;

namespace {

QList<double> numbersOf(const QJsonArray &array)
{
    QList<double> numbers;
    for (const auto &value : array)
        numbers.append(value.toDouble(std::numeric_limits<double>::quiet_NaN()));
    return numbers;
}

QList<double> linesOf(const QByteArray &text)
{
    QList<double> numbers;
    for (const QByteArray &line : text.trimmed().split('\n'))
        numbers.append(line.toDouble());
    return numbers;
}

QByteArray rawBytes(const QList<double> &values)
{
    QByteArray bytes(values.size() * qsizetype(sizeof(double)), '\0');
    std::memcpy(bytes.data(), values.data(), size_t(bytes.size()));
    return bytes;
}

/// 1 + 2 x + 3 y, which `boundary` reproduces exactly up to round-off.
double plane(double x, double y)
{
    return 1.0 + 2.0 * x + 3.0 * y;
}

} // namespace

class TestCli : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    QString write(const QString &name, const QByteArray &content) const
    {
        QFile file(m_folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("the test cannot write its input");
        return name;
    }
    Outcome runHere(const QString &line, const QByteArray &input = {}) const
    {
        return runCli(line, input, m_folder.path());
    }
    QStringList filesHere() const { return QDir(m_folder.path()).entryList(QDir::Files); }

private slots:
    void initTestCase();

    void versionNamesCommitAndBackends();
    void helpTeachesWithExamples_data();
    void helpTeachesWithExamples();
    void backendsAreListedWithReasons();
    void autoSaysWhatItTakes();
    void globalOptionsMayStandAnywhere();

    void countMatchesKnownNumbers_data();
    void countMatchesKnownNumbers();
    void countNeedsNoMemory();
    void pointsComeInStorageOrder();
    void pointsCanBeTakenInPieces();
    void indexIsABijection_data();
    void indexIsABijection();

    void planeIsReproduced_data();
    void planeIsReproduced();
    void indicatorIsTheLastGroupsPart();
    void stdinServesAsFile();
    void mixedTreatmentsAndCaps();

    void demoShowsErrorSpeedAndPicture();

    void badInputIsOneSentenceAndWritesNothing_data();
    void badInputIsOneSentenceAndWritesNothing();
    void failedOutputLeavesTheOldFile();
    void outputGoesThroughLinks();
    void outputReplacesNoPipe();
    void benchmarkChecksItsResults();
};

void TestCli::initTestCase()
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
    write("words.csv", "x,y\n0.1,0.7\n");
    write("gap.csv", "0.1,\n");
}

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

void TestCli::countMatchesKnownNumbers_data()
{
    QTest::addColumn<QString>("grid");
    QTest::addColumn<double>("points");
    QTest::addColumn<double>("blocks");
    // Regular, zero: sum of C(d - 1 + s, d - 1) blocks of 2^s points, s < n.
    QTest::newRow("one point") << "--dim 1 --level 1" << 1.0 << 1.0;
    QTest::newRow("d 2, n 3") << "--dim 2 --level 3" << 17.0 << 6.0;
    QTest::newRow("d 10, n 10") << "--dim 10 --level 10" << 32978945.0 << 92378.0;
    QTest::newRow("d 32, n 2") << "--dim 32 --level 2" << 65.0 << 33.0;
    // Caps (2, 1): levels 0 and 1 of one dimension.
    QTest::newRow("caps") << "--dim 2 --level 5 --caps 2,1" << 3.0 << 2.0;
    QTest::newRow("caps above the level") << "--dim 2 --level 3 --caps 9,3" << 17.0 << 6.0;
    // Boundary, d = 1: the points 0 and 1 in addition.
    QTest::newRow("boundary") << "--dim 1 --level 3 --boundary boundary" << 9.0 << 4.0;
    QTest::newRow("modified") << "--dim 2 --level 3 --boundary modified" << 17.0 << 6.0;
    // d = 2, n = 1: corners 4, edges 2 + 2, middle 1.
    QTest::newRow("corners") << "--dim 2 --level 1 --boundary boundary" << 9.0 << 4.0;
    QTest::newRow("mixed") << "--dim 2 --level 1 --boundary boundary,modified" << 3.0 << 2.0;
}

void TestCli::countMatchesKnownNumbers()
{
    QFETCH(QString, grid);
    QFETCH(double, points);
    QFETCH(double, blocks);
    const QJsonObject json = jsonOf(runCli("grid count --json " + grid));
    QCOMPARE(json.keys(), QStringList({"blocks", "bytes_float32", "bytes_float64", "points"}));
    QCOMPARE(json["points"].toDouble(), points);
    QCOMPARE(json["blocks"].toDouble(), blocks);
    QCOMPARE(json["bytes_float32"].toDouble(), 4.0 * points);
    QCOMPARE(json["bytes_float64"].toDouble(), 8.0 * points);
    const Outcome text = runCli("grid count " + grid);
    QVERIFY2(text.out.contains(QByteArray::number(qint64(points)) + "\n"), text.out);
}

void TestCli::countNeedsNoMemory()
{
    // 10^16 points: no machine holds them, but they can be counted.
    const QJsonObject json = jsonOf(runCli("grid count --json --dim 16 --level 25"));
    QVERIFY(json["points"].toDouble() > 1e15);
}

void TestCli::pointsComeInStorageOrder()
{
    const Outcome zero = runCli("grid points --dim 1 --level 3");
    QCOMPARE(zero.out, QByteArray("0.5\n0.25\n0.75\n0.125\n0.375\n0.625\n0.875\n"));
    const Outcome boundary = runCli("grid points --dim 2 --level 1 --boundary boundary");
    // group 0: the corners; then one free dimension, the end points of the last dimension first
    // by the highest differing component (-1 lowest); then the middle
    QCOMPARE(boundary.out, QByteArray("0,0\n0,1\n1,0\n1,1\n0.5,0\n0.5,1\n0,0.5\n1,0.5\n0.5,0.5\n"));
    const QJsonArray json =
        jsonOf(runCli("grid points --json --dim 1 --level 2"))["points"].toArray();
    QCOMPARE(json.size(), 3);
    QCOMPARE(json[2].toArray()[0].toDouble(), 0.75);
}

void TestCli::pointsCanBeTakenInPieces()
{
    const QByteArray whole = runCli("grid points --dim 3 --level 4").out;
    const Outcome head = runCli("grid points --dim 3 --level 4 --count 20");
    const Outcome tail = runHere("grid points --dim 3 --level 4 --first 20 --output tail.csv");
    QCOMPARE(head.exitCode, 0);
    QCOMPARE(tail.exitCode, 0);
    QVERIFY(tail.out.isEmpty());
    QFile file(m_folder.filePath("tail.csv"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(head.out.count('\n'), 20);
    QCOMPARE(head.out + file.readAll(), whole);
}

void TestCli::indexIsABijection_data()
{
    QTest::addColumn<QString>("grid");
    QTest::newRow("zero") << "--dim 2 --level 4";
    QTest::newRow("boundary") << "--dim 2 --level 3 --boundary boundary";
    QTest::newRow("mixed, capped") << "--dim 2 --level 4 --caps 2,4 --boundary modified,boundary";
}

void TestCli::indexIsABijection()
{
    QFETCH(QString, grid);
    const QByteArrayList points = runCli("grid points " + grid).out.trimmed().split('\n');
    for (int index = 0; index < points.size(); index += 5) {
        const QString at =
            QString("grid index --json %1 --at %2").arg(grid, QString(points[index]));
        const QJsonObject point = jsonOf(runCli(at))["points"][0].toObject();
        QCOMPARE(point["index"].toInt(-1), index);

        QStringList levels, positions, x;
        for (int t = 0; t < 2; ++t) {
            levels.append(QString::number(point["level"][t].toInt()));
            positions.append(QString::number(point["position_in_level"][t].toInt()));
            x.append(QString::number(point["x"][t].toDouble(), 'g', 17));
        }
        QCOMPARE(x.join(','), QString(points[index]));
        const Outcome back = runCli(QString("grid index --json %1 --levels %2 --positions %3")
                                        .arg(grid, levels.join(','), positions.join(',')));
        QCOMPARE(jsonOf(back)["points"][0].toObject(), point);
        const Outcome byIndex =
            runCli(QString("grid index --json %1 --index %2").arg(grid).arg(index));
        QCOMPARE(jsonOf(byIndex)["points"][0].toObject(), point);
    }
}

void TestCli::planeIsReproduced_data()
{
    QTest::addColumn<QString>("values");
    QTest::addColumn<QString>("options");
    QTest::addColumn<double>("tolerance");
    QTest::newRow("text") << "values.txt"
                          << "" << 1e-14;
    QTest::newRow("raw") << "values.f64"
                         << "" << 1e-14;
    QTest::newRow("reference") << "values.f64"
                               << "--backend reference" << 1e-14;
    QTest::newRow("omp") << "values.f64"
                         << "--backend omp --threads 2" << 1e-14;
    QTest::newRow("single precision") << "values.f64"
                                      << "--precision float" << 1e-6;
}

void TestCli::planeIsReproduced()
{
    QFETCH(QString, values);
    QFETCH(QString, options);
    QFETCH(double, tolerance);
    const QString line =
        "grid interpolate --dim 2 --level 3 --boundary boundary --at at.csv --values " + values
        + " " + options;
    const Outcome text = runHere(line);
    QCOMPARE(text.exitCode, 0);
    QVERIFY2(text.err.isEmpty(), text.err);
    const Outcome json = runHere(line + " --json");
    const QList<double> expected = {plane(0.1, 0.7), plane(0, 0), plane(1, 1), plane(0.3, 1),
                                    plane(0.5, 0.5)};
    for (const auto &found : {linesOf(text.out), numbersOf(jsonOf(json)["values"].toArray())}) {
        QCOMPARE(found.size(), expected.size());
        for (int j = 0; j < found.size(); ++j)
            QVERIFY2(std::abs(found[j] - expected[j]) <= tolerance * 6.0,
                     qPrintable(QString("value %1 is %2").arg(j).arg(found[j], 0, 'g', 17)));
    }
}

void TestCli::indicatorIsTheLastGroupsPart()
{
    // d = 1, n = 2: v(1/2) = 1, v(1/4) = v(3/4) = 0: coefficients 1, -1/2, -1/2.
    write("tent.txt", "1\n0\n0\n");
    const Outcome outcome =
        runHere("grid interpolate --dim 1 --level 2 --values tent.txt --at - --json",
                "0.25\n0.5\n0.625\n0\n");
    QCOMPARE(outcome.exitCode, 0);
    const QJsonObject json = jsonOf(outcome);
    QCOMPARE(json.keys(), QStringList({"execution", "indicator", "values"}));
    QCOMPARE(numbersOf(json["values"].toArray()), QList<double>({0.0, 1.0, 0.5, 0.0}));
    QCOMPARE(numbersOf(json["indicator"].toArray()), QList<double>({0.5, 0.0, 0.25, 0.0}));
}

void TestCli::stdinServesAsFile()
{
    const Outcome values = runHere("grid interpolate --dim 1 --level 2 --values - --at point.csv "
                                   "--output result.txt",
                                   "1\n0\n0\n");
    QVERIFY(values.exitCode != 0); // there is no point.csv yet
    QVERIFY(!filesHere().contains("result.txt"));
    write("point.csv", "0.625");
    QCOMPARE(runHere("grid interpolate --dim 1 --level 2 --values - --at point.csv "
                     "--output result.txt",
                     "1\n0\n0\n")
                 .exitCode,
             0);
    QFile file(m_folder.filePath("result.txt"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray("0.5\n"));
}

void TestCli::mixedTreatmentsAndCaps()
{
    // f(x, y) = 1 + 2 x on a grid that samples y only in its middle and extrapolates it.
    const QString grid = "--dim 2 --level 4 --caps 4,1 --boundary boundary,modified";
    QByteArray values;
    for (const QByteArray &line : runCli("grid points " + grid).out.trimmed().split('\n'))
        values += QByteArray::number(plane(line.split(',')[0].toDouble(), 0.0), 'g', 17) + "\n";
    write("mixed.txt", values);
    const Outcome outcome =
        runHere("grid interpolate --values mixed.txt --at - " + grid, "0.3,0\n1,0.9\n0,1\n");
    const QList<double> expected = {1.6, 3.0, 1.0};
    const QList<double> found = linesOf(outcome.out);
    QCOMPARE(found.size(), expected.size());
    for (int j = 0; j < found.size(); ++j)
        QVERIFY(std::abs(found[j] - expected[j]) < 1e-13);
}

void TestCli::demoShowsErrorSpeedAndPicture()
{
    const Outcome outcome = runHere("grid demo --level 4 --json --picture demo.png");
    QCOMPARE(outcome.exitCode, 0);
    const QJsonObject json = jsonOf(outcome);
    QCOMPARE(json["dimension"].toInt(), 6);
    QVERIFY(json["relative_l2"].toDouble() > 0.0 && json["relative_l2"].toDouble() < 0.5);
    QVERIFY(json["maximum_error"].toDouble() > 0.0);
    QVERIFY(json["compression"].toDouble() > 10.0);
    QVERIFY(json["points_per_second"]["reference"].toDouble() > 0.0);
    QVERIFY(json["points_per_second"]["auto"].toDouble() > 0.0);
    QFile picture(m_folder.filePath("demo.png"));
    QVERIFY(picture.open(QIODevice::ReadOnly));
    QCOMPARE(picture.read(8), QByteArray("\x89PNG\r\n\x1a\n", 8));

    const Outcome finer = runCli("grid demo --level 6 --json");
    QVERIFY(jsonOf(finer)["relative_l2"].toDouble() < 0.6 * json["relative_l2"].toDouble());
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
        row("boundary count", "--dim 3 --level 3 --boundary zero,zero", "boundary treatments");
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
    add("point outside", at + "outside.csv", "line 2 of outside.csv");
    add("point just below 0", at + "negative.csv", "outside [0, 1]");
    add("NaN point", at + "nan.csv", "nan");
    add("three coordinates", at + "three.csv", "3 coordinates");
    add("words for points", at + "words.csv", "\"x\"");
    add("missing coordinate", at + "gap.csv", "line 1 of gap.csv");
    add("no points", at + "empty", "no points");
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

QTEST_GUILESS_MAIN(TestCli)
#include "tst_cli.moc"

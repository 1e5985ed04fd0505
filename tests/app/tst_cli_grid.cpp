// SPDX-License-Identifier: GPL-3.0-or-later
//
// The commands of sparse grids: count, points, index, interpolate, demo.
#include "tests/app/grid_files.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QJsonObject>

#include <cmath>
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

} // namespace

class TestCliGrid : public QObject, protected GridFiles
{
    Q_OBJECT

private slots:
    void initTestCase() { writeFiles(); }

    void countMatchesKnownNumbers_data();
    void countMatchesKnownNumbers();
    void countNeedsNoMemory();
    void pointsComeInStorageOrder();
    void pointsCanBeTakenInPieces();
    void cubicsAreReproducedByDegreeThree();
    void indexIsABijection_data();
    void indexIsABijection();
    void planeIsReproduced_data();
    void planeIsReproduced();
    void indicatorIsTheLastGroupsPart();
    void stdinServesAsFile();
    void mixedTreatmentsAndCaps();
    void demoShowsErrorSpeedAndPicture();
};

void TestCliGrid::countMatchesKnownNumbers_data()
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
    // As tests/reference/higher_order_cases.json has them.
    QTest::newRow("clenshaw-curtis") << "--dim 2 --level 5 --caps 5,3 --boundary clenshaw-curtis "
                                        "--degree 3"
                                     << 45.0 << 12.0;
    QTest::newRow("leja") << "--dim 3 --level 7 --boundary leja" << 84.0 << 84.0;
    QTest::newRow("leja, all") << "--dim 1 --level 64 --boundary leja" << 64.0 << 64.0;
}

void TestCliGrid::countMatchesKnownNumbers()
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

void TestCliGrid::countNeedsNoMemory()
{
    // 10^16 points: no machine holds them, but they can be counted.
    const QJsonObject json = jsonOf(runCli("grid count --json --dim 16 --level 25"));
    QVERIFY(json["points"].toDouble() > 1e15);
}

void TestCliGrid::pointsComeInStorageOrder()
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

void TestCliGrid::pointsCanBeTakenInPieces()
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

void TestCliGrid::indexIsABijection_data()
{
    QTest::addColumn<QString>("grid");
    QTest::newRow("zero") << "--dim 2 --level 4";
    QTest::newRow("boundary") << "--dim 2 --level 3 --boundary boundary";
    QTest::newRow("mixed, capped") << "--dim 2 --level 4 --caps 2,4 --boundary modified,boundary";
    QTest::newRow("other points") << "--dim 2 --level 6 --boundary leja,clenshaw-curtis";
}

void TestCliGrid::indexIsABijection()
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
            x.append(
                QString::number(point["x"][t].toDouble(), 'g', QLocale::FloatingPointShortest));
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

void TestCliGrid::cubicsAreReproducedByDegreeThree()
{
    const QString grid = "--dim 2 --level 6 --boundary clenshaw-curtis,boundary --degree 3 ";
    const auto cubic = [](double x, double y) { return 1 + x * x * x - 2 * y * y * y + x * y; };
    QFile values(m_folder.filePath("cubic.txt"));
    QVERIFY(values.open(QIODevice::WriteOnly));
    for (const auto &line : runCli("grid points " + grid).out.trimmed().split('\n')) {
        const auto x = line.split(',');
        values.write(QByteArray::number(cubic(x[0].toDouble(), x[1].toDouble()), 'g', 17) + "\n");
    }
    values.close();
    QFile at(m_folder.filePath("places.csv"));
    QVERIFY(at.open(QIODevice::WriteOnly));
    at.write("0.3,0.7\n0.91,0.02\n1,0.4\n");
    at.close();
    const auto json =
        jsonOf(runHere("grid interpolate --json " + grid + "--at places.csv --values cubic.txt"));
    const auto results = json["values"].toArray();
    QCOMPARE(results.size(), 3);
    QVERIFY(std::abs(results[0].toDouble() - cubic(0.3, 0.7)) < 1e-12);
    QVERIFY(std::abs(results[1].toDouble() - cubic(0.91, 0.02)) < 1e-12);
    QVERIFY(std::abs(results[2].toDouble() - cubic(1, 0.4)) < 1e-12);
}

void TestCliGrid::planeIsReproduced_data()
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

void TestCliGrid::planeIsReproduced()
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

void TestCliGrid::indicatorIsTheLastGroupsPart()
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

void TestCliGrid::stdinServesAsFile()
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

void TestCliGrid::mixedTreatmentsAndCaps()
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

void TestCliGrid::demoShowsErrorSpeedAndPicture()
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

GRIDHELM_TEST(TestCliGrid)
#include "tst_cli_grid.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the benchmarks of the solvers say, on small grids: that everything is measured, that results
// are right and that figures fit together; never how fast anything is.
#include "tests/app/cli_process.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QSet>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace gridhelm::test;

class TestCliBench : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();

    void memoryBoundCasesStandBesideTheCopy_data();
    void memoryBoundCasesStandBesideTheCopy();
    void jacobiMethodsGiveTheNaiveIterates();
    void redBlackGivesTheLiteralIterates();
    void everyMethodReachesTheTolerance();
    void frontPropagationAgreesWithItsReference();
    void textIsATable();

    void mlssorTableKeepsThePapersOrder();
    void mlssorTableTakesAnyRelaxation();

    void asyncTableHasEveryAlpha();
    void asyncTableCountsWholeLaunches();

    void everyOperationStandsBesideItsLimit();
    void withoutADeviceThereIsNothingToMeasureOnIt();

    void krigingIsMeasuredAtRandomPlaces();

    void badInputIsOneSentence_data();
    void badInputIsOneSentence();

private:
    QJsonObject m_solvers; // of one quick run

    static QJsonObject result(const QString &line)
    {
        const Outcome outcome = runCli(line);
        if (outcome.exitCode != 0)
            qWarning().noquote() << outcome.err;
        return jsonOf(outcome);
    }
};

void TestCliBench::initTestCase()
{
    m_solvers = result("bench solvers --quick --json --threads 2");
    QCOMPARE(m_solvers["benchmark"].toString(), QString("solvers"));
    QVERIFY(m_solvers["environment"].toObject().contains("commit"));
}

void TestCliBench::memoryBoundCasesStandBesideTheCopy_data()
{
    QTest::addColumn<QString>("topic");
    QTest::addColumn<double>("floatBytes");
    QTest::addColumn<double>("flops2D");
    QTest::addColumn<int>("cases");
    // 7 methods in 2D of which naive has one thread only, 1 in 3D; 1 and 2 threads, 2 precisions
    QTest::newRow("jacobi") << "jacobi" << 8.0 << 5.0 << (7 + 6 + 2) * 2;
    // passes of 1 and of more iterations; 2D and 3D, 1 and 2 threads, 2 precisions
    QTest::newRow("red-black") << "red-black" << 12.0 << 6.0 << 2 * 2 * 2 * 2;
}

void TestCliBench::memoryBoundCasesStandBesideTheCopy()
{
    QFETCH(QString, topic);
    QFETCH(double, floatBytes);
    QFETCH(double, flops2D);
    QFETCH(int, cases);
    const auto list = m_solvers[topic].toObject()["cases"].toArray();
    QCOMPARE(list.size(), cases);
    for (const auto &value : list) {
        const auto each = value.toObject();
        const auto n = each["unknowns"].toArray();
        const double count = n[0].toDouble() * n[1].toDouble() * n[2].toDouble();
        const bool is3D = n[2].toInt() > 1;
        const double bytes = floatBytes * (each["precision"] == "double" ? 2 : 1);
        const double updates = count * each["iterations"].toDouble();
        const double rate = each["gbytes_per_second"].toDouble();
        QVERIFY(each["repeats"].toInt() >= 3);
        QVERIFY(std::abs(rate * 1e9 * each["seconds"].toDouble() / (updates * bytes) - 1) < 1e-9);
        const double flopsPerByte = (is3D ? flops2D + 2 : flops2D) / bytes;
        QVERIFY(std::abs(each["gflops_per_second"].toDouble() / rate / flopsPerByte - 1) < 1e-9);
        const double copy = each["copy_gbytes_per_second"].toDouble();
        QVERIFY(std::abs(each["share_of_copy"].toDouble() * copy / rate - 1) < 1e-9);
        QVERIFY(each["best_share_of_copy"].toDouble() >= each["share_of_copy"].toDouble());
    }
}

void TestCliBench::jacobiMethodsGiveTheNaiveIterates()
{
    const auto jacobi = m_solvers["jacobi"].toObject();
    const auto errors = jacobi["error_against_naive"].toObject();
    QVERIFY(errors["tuned"].toDouble(1) < 1e-14);
    QVERIFY(errors["temporal"].toDouble(1) < 1e-14);
    const auto ratios = jacobi["temporal_to_tuned"].toArray();
    QCOMPARE(ratios.size(), 4);
    for (const auto &value : ratios) {
        const auto ratio = value.toObject();
        double rates[2]{};
        for (const auto &each : jacobi["cases"].toArray()) {
            const auto run = each.toObject();
            if (run["precision"] != ratio["precision"] || run["threads"] != ratio["threads"]
                || run["unknowns"].toArray()[2].toInt() > 1)
                continue;
            if (run["method"] == "tuned")
                rates[0] = run["gbytes_per_second"].toDouble();
            if (run["method"] == "temporal")
                rates[1] = run["gbytes_per_second"].toDouble();
        }
        QVERIFY(std::abs(ratio["ratio"].toDouble() * rates[0] / rates[1] - 1) < 1e-9);
    }
}

void TestCliBench::redBlackGivesTheLiteralIterates()
{
    const auto redBlack = m_solvers["red-black"].toObject();
    const auto errors = redBlack["error_against_literal"].toObject();
    QVERIFY(errors["2d"].toDouble(1) < 1e-13);
    QVERIFY(errors["3d"].toDouble(1) < 1e-13);
}

void TestCliBench::everyMethodReachesTheTolerance()
{
    const auto list = m_solvers["tolerance"].toArray();
    QCOMPARE(list.size(), 1);
    const auto tolerance = list[0].toObject();
    const auto runs = tolerance["runs"].toArray();
    QSet<QString> methods;
    double exact = 0;
    for (const auto &value : runs) {
        const auto run = value.toObject();
        methods.insert(run["method"].toString());
        QVERIFY(run["reached"].toBool());
        QVERIFY(run["residual"].toDouble(1) <= tolerance["residual"].toDouble());
        QVERIFY(run["iterations"].toInt() > 0);
        if (run["method"] == "tuned")
            exact = run["iterations"].toDouble();
        if (run["method"] == "temporal") // the same iterates, examined at the same times
            QCOMPARE(run["iterations"].toDouble(), exact);
    }
    for (const char *method : {"tuned", "temporal", "async0", "async1", "async2", "async3",
                               "red-black", "mlssor", "sequential"})
        QVERIFY2(methods.contains(method), method);
    const auto best = tolerance["best"].toObject();
    QCOMPARE(best.size(), 6);
    for (const auto &run : runs) {
        const auto method = run.toObject()["method"].toString();
        const auto family = method.startsWith("async") ? "async" : method;
        const auto fastest = runs[best[family].toInt(-1)].toObject();
        QVERIFY(fastest["seconds"].toDouble() <= run.toObject()["seconds"].toDouble());
    }
}

void TestCliBench::frontPropagationAgreesWithItsReference()
{
    const auto list = m_solvers["pmm"].toArray();
    QCOMPARE(list.size(), 4);
    for (const auto &value : list) {
        const auto each = value.toObject();
        const double tolerance = each["precision"] == "double" ? 1e-13 : 1e-5;
        QVERIFY2(each["error_against_reference"].toDouble(1) < tolerance,
                 qPrintable(QString::number(each["error_against_reference"].toDouble())));
        const double reference = each["reference"].toObject()["per_second"].toDouble();
        const double one = each["one_thread"].toObject()["per_second"].toDouble();
        QVERIFY(std::abs(each["one_thread_to_reference"].toDouble() * reference / one - 1) < 1e-9);
    }
}

void TestCliBench::textIsATable()
{
    const Outcome outcome = runCli("bench solvers --quick --threads 1 --only tolerance,pmm");
    QCOMPARE(outcome.exitCode, 0);
    QVERIFY(outcome.err.isEmpty());
    for (const char *word :
         {"red-black", "SSOR", "best of its kind", "anisotropic", "17 x 17 x 17"})
        QVERIFY2(outcome.out.contains(word), outcome.out);
    QVERIFY(!outcome.out.contains("GFlop")); // not wanted
}

void TestCliBench::mlssorTableKeepsThePapersOrder()
{
    const auto json = result("bench mlssor-table --size 47 --json");
    QCOMPARE(json["relaxation"].toDouble(), 1.0);
    const auto inputs = json["inputs"].toArray();
    QCOMPARE(inputs.size(), 3);
    for (const auto &input : inputs)
        QVERIFY(!input.toObject()["formula"].toString().isEmpty());
    const auto rows = json["rows"].toArray();
    QCOMPARE(rows.size(), 6);
    for (int input = 0; input < 3; ++input) {
        double previous = 1e9;
        for (int row = 2; row < 6; ++row) {
            const auto each = rows[row].toObject();
            const double both = each["iterations"].toArray()[input].toDouble();
            const double one = each["iterations_forward_only"].toArray()[input].toDouble();
            QVERIFY2(both < 1.03 * previous, "larger sub-domains converge faster");
            // The gain of two directions vanishes with larger tiles (see tst_sor_convergence).
            QVERIFY2(both < (row == 2 ? 0.98 : 1.03) * one, "both directions beat one");
            previous = both;
        }
        const double smallest = rows[2].toObject()["iterations"].toArray()[input].toDouble();
        QVERIFY(previous < 0.95 * smallest);
    }
    const Outcome text = runCli("bench mlssor-table --size 31");
    QCOMPARE(text.exitCode, 0);
    for (const char *word : {"w = 1", "sin(i j)", "MLSSOR 16 x 32 x 32", "one direction", "RBSOR"})
        QVERIFY2(text.out.contains(word), text.out);
}

void TestCliBench::mlssorTableTakesAnyRelaxation()
{
    const auto first = [](const QJsonObject &json) {
        return json["rows"].toArray()[1].toObject()["iterations"].toArray()[0].toDouble();
    };
    const auto slow = result("bench mlssor-table --size 31 --json --relaxation 0.8");
    const auto fast = result("bench mlssor-table --size 31 --json --relaxation 1.5");
    QVERIFY(first(fast) < first(slow) / 2);
    const auto best = result("bench mlssor-table --size 31 --json --default-relaxation");
    QVERIFY(best["relaxation"].isNull());
    QVERIFY(first(best) < first(fast));
}

void TestCliBench::asyncTableHasEveryAlpha()
{
    const auto table = result("bench async-table --size 80 --iterations 100 --json --threads 2 "
                              "--largest-alpha 5 --repeats 2")["table"]
                           .toObject();
    QCOMPARE(table["precision"].toString(), QString("float"));
    QStringList seen;
    for (const auto &row : table["async"].toArray())
        seen += row.toObject()["method"].toString() + " "
                + QString::number(row.toObject()["alpha"].toInt());
    const QStringList expected{"async0 2", "async0 4", "async1 2", "async1 4", "async2 2",
                               "async2 4", "async3 2", "async3 3", "async3 4", "async3 5"};
    QCOMPARE(seen, expected);
    QCOMPARE(table["exact"].toArray().size(), 2);
    QCOMPARE(table["exact"].toArray()[0].toObject()["speedup"].toDouble(), 1.0);
}

void TestCliBench::asyncTableCountsWholeLaunches()
{
    // A single tile has no neighbours whose news come late: async0 to 2 are exact then, and stop at
    // the first launch that ends at or behind the exact iterate.
    const auto table = result("bench async-table --size 60 --iterations 90 --json --threads 1 "
                              "--largest-alpha 8 --repeats 1 --double")["table"]
                           .toObject();
    QCOMPARE(table["precision"].toString(), QString("double"));
    for (const auto &value : table["async"].toArray()) {
        const auto row = value.toObject();
        QVERIFY(row["reached"].toBool());
        const int launch = row["alpha"].toInt() + 1;
        const int iterations = int(row["iterations"].toDouble());
        QCOMPARE(iterations % launch, 0);
        QVERIFY(std::abs(row["iterations_to_exact"].toDouble() - iterations / 90.0) < 1e-12);
        if (row["method"] != "async3")
            QCOMPARE(iterations, (90 + launch - 1) / launch * launch);
        else
            QVERIFY(iterations < 90); // in place, so half of Gauss-Seidel
    }
}

void TestCliBench::everyOperationStandsBesideItsLimit()
{
    const auto document = result("bench backends --quick --json --threads 2");
    const auto limits = document["limits"].toObject()["cpu"].toObject();
    for (const char *name :
         {"read_gbytes_per_second", "write_gbytes_per_second", "copy_gbytes_per_second",
          "float_gflops_per_second", "double_gflops_per_second"})
        QVERIFY2(limits[name].toDouble() > 0, name);
    const bool hasDevice = document.contains("device");
    QVERIFY(hasDevice != document.contains("no_device"));
    QSet<QString> operations;
    for (const auto &value : document["rows"].toArray()) {
        const auto row = value.toObject();
        operations.insert(row["operation"].toString());
        const auto cpu = row["cpu"].toObject();
        QVERIFY(cpu["seconds"].toDouble() > 0 && cpu["share"].toDouble() > 0);
        QCOMPARE(row.contains("device"), hasDevice);
        if (hasDevice)
            QVERIFY(row["device"].toObject()["share"].toDouble() > 0);
    }
    QCOMPARE(operations.size(), 7);
    const auto text = runCli("bench backends --quick --threads 1");
    QCOMPARE(text.exitCode, 0);
    QVERIFY(text.out.contains("| operation | 1 thread | of the limit |"));
    const auto lines = text.out.split('\n');
    QCOMPARE(std::ranges::count_if(lines, [](const auto &line) { return line.startsWith("| "); }),
             document["rows"].toArray().size() + 1);
}

void TestCliBench::withoutADeviceThereIsNothingToMeasureOnIt()
{
    bool hasDevice = false;
    for (const auto &backend : result("backends --json")["backends"].toArray())
        hasDevice |= !backend.toObject()["devices"].toArray().isEmpty();
    if (hasDevice)
        QSKIP("there is a CUDA device");
    for (const char *name : {"cuda-sparse", "cuda-poisson", "cuda-pmm"}) {
        const auto outcome = runCli(QString("bench %1 --json").arg(name));
        QCOMPARE(outcome.exitCode, 1);
        QVERIFY(outcome.out.isEmpty());
        QVERIFY2(outcome.err.contains("CUDA") && outcome.err.count('\n') == 1, outcome.err);
    }
}

void TestCliBench::krigingIsMeasuredAtRandomPlaces()
{
    const auto document = result("bench kriging --runs 12,40 --designs 1 --field-runs 30 --modes 4 "
                                 "--threads 2 --json");
    const auto cases = document["cases"].toArray();
    QCOMPARE(cases.size(), 10); // five functions
    for (qsizetype i = 0; i < cases.size(); i += 2) {
        const double few = cases[i].toObject()["relative_error"].toDouble();
        const double many = cases[i + 1].toObject()["relative_error"].toDouble();
        QVERIFY(many > 0 && many < few && few < 1);
    }
    const auto field = document["field"].toObject();
    QCOMPARE(field["modes"].toInt(), 4);
    const double error = field["leave_one_out_mean"].toDouble();
    QVERIFY(error > 0 && error < 1);
    QCOMPARE(document["places"].toString(), QString("latin-hypercube"));

    const auto other = result("bench kriging --runs 40 --designs 1 --field-runs 30 --modes 4 "
                              "--space-filling --threads 2 --json");
    QCOMPARE(other["places"].toString(), QString("space-filling"));
    QVERIFY(other["cases"].toArray()[0] != cases[1]);
    for (const auto &each : other["cases"].toArray())
        QVERIFY(each.toObject()["relative_error"].toDouble() < 0.5);
}

void TestCliBench::badInputIsOneSentence_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("says");
    QTest::newRow("topic") << "bench solvers --quick --only jacobi,sor"
                           << "red-black";
    QTest::newRow("runs") << "bench kriging --runs 1"
                          << "from 2";
    QTest::newRow("relaxation") << "bench mlssor-table --relaxation 2"
                                << "below 2";
    QTest::newRow("no unknowns") << "bench mlssor-table --size 0"
                                 << "--size";
    QTest::newRow("too large") << "bench async-table --size 3000000"
                               << "memory";
    QTest::newRow("alpha") << "bench async-table --largest-alpha 1"
                           << "from 2";
    QTest::newRow("repeats") << "bench async-table --repeats 0"
                             << "--repeats";
    QTest::newRow("threads") << "bench async-table --threads 5000"
                             << "1024";
}

void TestCliBench::badInputIsOneSentence()
{
    QFETCH(QString, line);
    QFETCH(QString, says);
    const Outcome outcome = runCli(line);
    QVERIFY(outcome.exitCode == 1 || outcome.exitCode == 2);
    QVERIFY2(outcome.out.isEmpty(), outcome.out);
    QVERIFY2(outcome.err.startsWith("gridhelm-cli: ") && outcome.err.endsWith(".\n")
                 && outcome.err.count('\n') == 1,
             outcome.err);
    QVERIFY2(outcome.err.contains(says.toUtf8()), outcome.err);
}

GRIDHELM_TEST(TestCliBench)
#include "tst_cli_bench.moc"

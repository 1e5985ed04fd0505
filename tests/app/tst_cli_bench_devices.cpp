// SPDX-License-Identifier: GPL-3.0-or-later
//
// gridhelm-cli bench devices, on small grids: that all of it is there and fits together, and that
// nothing is passed off as measured; never how fast anything is.
#include "tests/app/cli_process.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QSet>
#include <QTest>

#include <cmath>

using namespace gridhelm::test;

class TestCliBenchDevices : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();

    void everySolverIsScaledBothWays();
    void weakGridsGrowWithTheDevices();
    void speedUpsAreOverOneDevice();
    void theModelsWordIsNotMeasured();
    void logicalDevicesSayThatTheyShare();
    void oneDeviceIsEnough();
    void textIsATable();
    void badInputIsOneSentence_data();
    void badInputIsOneSentence();

private:
    QJsonObject m_result; // of one quick run
};

void TestCliBenchDevices::initTestCase()
{
    const Outcome outcome = runCli("bench devices --devices cpu/2 --quick --json --threads 2");
    QVERIFY2(outcome.exitCode == 0, outcome.err);
    m_result = jsonOf(outcome);
    QCOMPARE(m_result["benchmark"].toString(), QString("devices"));
}

void TestCliBenchDevices::everySolverIsScaledBothWays()
{
    QSet<QString> cases;
    for (const auto &value : m_result["cases"].toArray()) {
        const auto one = value.toObject();
        cases.insert(QString("%1 %2 %3D %4")
                         .arg(one["solver"].toString(), one["method"].toString())
                         .arg(one["dimension"].toInt())
                         .arg(one["scaling"].toString()));
    }
    QSet<QString> expected;
    for (const QString what : {"jacobi tuned 2D", "jacobi tuned 3D", "sor red-black 2D",
                               "sor red-black 3D", "sor mlssor 2D", "pmm pipelined 3D"}) {
        expected.insert(what + " strong");
        expected.insert(what + " weak");
    }
    QCOMPARE(cases, expected);
    QVERIFY(m_result["link"].toObject()["latency_seconds"].toDouble(-1) >= 0);
    QVERIFY(m_result["link"].toObject()["seconds_per_byte"].toDouble(-1) >= 0);
}

void TestCliBenchDevices::weakGridsGrowWithTheDevices()
{
    for (const auto &value : m_result["cases"].toArray()) {
        const auto one = value.toObject();
        const int axis = one["dimension"].toInt() - 1;
        for (const auto &row : one["rows"].toArray()) {
            const int devices = one["scaling"] == "weak" ? row.toObject()["devices"].toInt() : 1;
            const auto unknowns = row.toObject()["unknowns"].toArray();
            QCOMPARE(unknowns[0].toInt(), one["size"].toInt());
            QCOMPARE(unknowns[axis].toInt(), one["size"].toInt() * devices);
        }
    }
}

void TestCliBenchDevices::speedUpsAreOverOneDevice()
{
    for (const auto &value : m_result["cases"].toArray()) {
        const auto one = value.toObject();
        const auto rows = one["rows"].toArray();
        const double ofOne = rows[0].toObject()["measured"].toObject()["seconds"].toDouble();
        QVERIFY(ofOne > 0);
        for (const auto &each : rows) {
            const auto row = each.toObject();
            const double devices = row["devices"].toDouble();
            for (const QString kind : {"measured", "model"}) {
                if (!row.contains(kind))
                    continue;
                const auto figures = row[kind].toObject();
                const double work = one["scaling"] == "weak" ? devices : 1;
                const double speedUp = work * ofOne / figures["seconds"].toDouble();
                QVERIFY(std::abs(figures["speed_up"].toDouble() / speedUp - 1) < 1e-9);
                QVERIFY(std::abs(figures["efficiency"].toDouble() * devices / speedUp - 1) < 1e-9);
            }
        }
    }
}

void TestCliBenchDevices::theModelsWordIsNotMeasured()
{
    for (const auto &value : m_result["cases"].toArray()) {
        QList<int> devices;
        for (const auto &each : value.toObject()["rows"].toArray()) {
            const auto row = each.toObject();
            devices.append(row["devices"].toInt());
            QVERIFY(row["model"].toObject()["seconds"].toDouble() > 0);
            QCOMPARE(row.contains("measured"), devices.last() <= 2);
        }
        QCOMPARE(devices, QList<int>({1, 2, 8, 64, 1024}));
    }
}

void TestCliBenchDevices::logicalDevicesSayThatTheyShare()
{
    QCOMPARE(m_result["devices"].toArray(), QJsonArray({"cpu.1/2", "cpu.2/2"}));
    QVERIFY(m_result["note"].toString().contains("logical devices share one CPU"));
}

void TestCliBenchDevices::oneDeviceIsEnough()
{
    const auto json = jsonOf(runCli("bench devices --devices cpu --quick --json --solver jacobi"));
    QVERIFY(!json.contains("note"));
    const auto cases = json["cases"].toArray();
    QCOMPARE(cases.size(), 4);
    QCOMPARE(cases[0].toObject()["rows"].toArray().size(), 4); // and the model's three
}

void TestCliBenchDevices::textIsATable()
{
    const Outcome outcome = runCli("bench devices --devices cpu/2 --quick --solver pmm --double");
    QCOMPARE(outcome.exitCode, 0);
    QVERIFY(outcome.out.contains("pmm pipelined, double, 24^3: strong scaling"));
    QVERIFY(outcome.out.contains("pmm pipelined, double, 24^3 a device: weak scaling"));
    QCOMPARE(outcome.out.count("model, not measured"), 6);
    QVERIFY(outcome.out.contains("logical devices share one CPU"));
}

void TestCliBenchDevices::badInputIsOneSentence_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QByteArray>("part");
    QTest::newRow("device") << "bench devices --devices cpu/0" << QByteArray("choose 1 to");
    QTest::newRow("solver") << "bench devices --solver ssor" << QByteArray("ssor");
}

void TestCliBenchDevices::badInputIsOneSentence()
{
    QFETCH(const QString, line);
    QFETCH(const QByteArray, part);
    const Outcome outcome = runCli(line);
    QVERIFY(outcome.exitCode != 0);
    QVERIFY2(outcome.err.contains(part), outcome.err);
}

GRIDHELM_TEST(TestCliBenchDevices)
#include "tst_cli_bench_devices.moc"

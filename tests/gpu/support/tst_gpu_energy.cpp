// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device_info.h"
#include "gpu/support/gpu_energy.h"
#include "tests/support/paths.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>

using namespace gridhelm;

class TestGpuEnergy : public QObject
{
    Q_OBJECT

private slots:
    void joulesCountFromTheBeginning();
    void whatIsNotToldIsSaid_data();
    void whatIsNotToldIsSaid();
    void gpusOfThisMachineTell();
};

void TestGpuEnergy::joulesCountFromTheBeginning()
{
    const gpu::GpuEnergy energy("0000:17:00.0", test::paths::fakeNvml);
    QVERIFY2(energy.whyNot().empty(), energy.whyNot().c_str());
    QVERIFY(std::abs(energy.joules().value() - 0.5) < 1e-9);
    QVERIFY(std::abs(energy.joules().value() - 1.0) < 1e-9);
}

void TestGpuEnergy::whatIsNotToldIsSaid_data()
{
    QTest::addColumn<QString>("bus");
    QTest::addColumn<QString>("library");
    QTest::addColumn<QString>("says");
    QTest::newRow("no library") << "0000:17:00.0"
                                << "libno-such-library.so"
                                << "missing";
    QTest::newRow("another library") << "0000:17:00.0"
                                     << "libm.so.6"
                                     << "does not start";
    QTest::newRow("no such GPU") << "0000:99:00.0" << test::paths::fakeNvml << "0000:99:00.0";
    QTest::newRow("no counter") << "0000:18:00.0" << test::paths::fakeNvml << "no counter";
}

void TestGpuEnergy::whatIsNotToldIsSaid()
{
    QFETCH(QString, bus);
    QFETCH(QString, library);
    QFETCH(QString, says);
    const gpu::GpuEnergy energy(bus.toStdString(), library.toUtf8().constData());
    QVERIFY(!energy.joules());
    QVERIFY2(QString::fromStdString(energy.whyNot()).contains(says), energy.whyNot().c_str());
}

void TestGpuEnergy::gpusOfThisMachineTell()
{
    const auto list = gpu::listDevices();
    if (list.devices.empty())
        QSKIP(list.reason.c_str());
    for (const auto &device : list.devices) {
        QVERIFY(!device.pciBusId.empty());
        const gpu::GpuEnergy energy(device.pciBusId);
        QCOMPARE(energy.joules().has_value(), energy.whyNot().empty());
    }
}

GRIDHELM_TEST(TestGpuEnergy)
#include "tst_gpu_energy.moc"

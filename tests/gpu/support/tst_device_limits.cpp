// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/error.h"
#include "gpu/device_info.h"
#include "gpu/support/device_limits.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace gridhelm;

class TestDeviceLimits : public QObject
{
    Q_OBJECT

private slots:
    void areRatesThatADeviceCanHave();
    void areRefusedWithoutADevice();
};

void TestDeviceLimits::areRatesThatADeviceCanHave()
{
    const auto list = gpu::listDevices();
    if (list.devices.empty())
        QSKIP(list.reason.c_str());
    const auto limits = gpu::measureDeviceLimits(gpu::gpuDevices().front());
    // From a GPU of a laptop to several times the fastest of 2026.
    const auto isBetween = [](double value, double low, double high) {
        return value > low && value < high;
    };
    QVERIFY(isBetween(limits.readBytesPerSecond, 2e10, 5e13));
    QVERIFY(isBetween(limits.copyBytesPerSecond, 2e10, 5e13));
    QVERIFY(isBetween(limits.toHostBytesPerSecond, 5e8, 2e12));
    QVERIFY(isBetween(limits.floatFlopsPerSecond, 5e11, 5e14));
    QVERIFY(isBetween(limits.doubleFlopsPerSecond, 1e10, 5e14));
    // Reading keeps the memory as busy as copying does.
    QVERIFY(isBetween(limits.readBytesPerSecond / limits.copyBytesPerSecond, 0.7, 1.5));
}

void TestDeviceLimits::areRefusedWithoutADevice()
{
    if (!gpu::listDevices().devices.empty())
        QSKIP("there is a device");
    QVERIFY_EXCEPTION_THROWN(gpu::measureDeviceLimits(GpuDevice{}), Error);
}

GRIDHELM_TEST(TestDeviceLimits)
#include "tst_device_limits.moc"

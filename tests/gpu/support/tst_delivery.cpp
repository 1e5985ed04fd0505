// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device_info.h"
#include "gpu/support/delivery.h"

#include <QTest>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

using namespace gridhelm;

namespace {

/// Distinct values in an array of the device.
struct Numbers
{
    explicit Numbers(std::size_t count)
        : here(count)
    {
        std::iota(here.begin(), here.end(), 1U);
        there = gpu::DeviceBuffer<std::uint32_t>(std::span<const std::uint32_t>(here));
    }

    std::vector<std::uint32_t> here;
    gpu::DeviceBuffer<std::uint32_t> there;
};

} // namespace

class TestDelivery : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void deliversEveryByte_data();
    void deliversEveryByte();
    void severalArraysArriveInOneDelivery();
    void aDroppedDeliveryLeavesTheNextOneAlone();
};

void TestDelivery::initTestCase()
{
    const auto list = gpu::listDevices();
    if (list.devices.empty())
        QSKIP(list.reason.c_str());
}

void TestDelivery::deliversEveryByte_data()
{
    QTest::addColumn<std::size_t>("count");
    QTest::addColumn<bool>("pinned");
    // Pieces are 2 MiB, that is 524288 values, and there are four of them at a time.
    for (std::size_t count : {0, 1, 1000, 65535, 65536, 524287, 524288, 524289, 2097153, 5000001}) {
        for (bool pinned : {false, true})
            QTest::addRow("%zu values, %s", count, pinned ? "pinned" : "ordinary memory")
                << count << pinned;
    }
}

void TestDelivery::deliversEveryByte()
{
    QFETCH(std::size_t, count);
    QFETCH(bool, pinned);
    const Numbers numbers(count);
    // One value more on each side, which nothing may touch.
    std::vector<std::uint32_t> ordinary(pinned ? 0 : count + 2, 7);
    const gpu::PinnedBuffer<std::uint32_t> fixed(pinned ? count + 2 : 0);
    std::ranges::fill(fixed.values(), 7);
    const auto target = pinned ? fixed.values() : std::span<std::uint32_t>(ordinary);
    gpu::DeliveryRoute route;
    const gpu::Stream producer;
    for (int round = 0; round < 2; ++round) { // the second one finds the pieces used
        std::ranges::fill(target.subspan(1, count), 0);
        gpu::Delivery delivery(route);
        delivery.add(numbers.there.data(), target.data() + 1, count * sizeof(std::uint32_t),
                     producer);
        delivery.finish();
        QVERIFY(std::ranges::equal(target.subspan(1, count), numbers.here));
        QCOMPARE(target.front(), 7U);
        QCOMPARE(target.back(), 7U);
    }
}

void TestDelivery::severalArraysArriveInOneDelivery()
{
    const std::vector<std::size_t> counts{3000000, 10, 700000, 1500000};
    gpu::DeliveryRoute route;
    const gpu::Stream producer;
    gpu::Delivery delivery(route);
    std::vector<Numbers> sources;
    std::vector<std::vector<std::uint32_t>> targets;
    for (auto count : counts) {
        sources.emplace_back(count);
        targets.emplace_back(count);
    }
    for (std::size_t i = 0; i < counts.size(); ++i)
        delivery.add(sources[i].there.data(), targets[i].data(), counts[i] * sizeof(std::uint32_t),
                     producer);
    delivery.finish();
    for (std::size_t i = 0; i < counts.size(); ++i)
        QVERIFY(targets[i] == sources[i].here);
}

void TestDelivery::aDroppedDeliveryLeavesTheNextOneAlone()
{
    const Numbers numbers(1200000);
    gpu::DeliveryRoute route;
    const gpu::Stream producer;
    {
        std::vector<std::uint32_t> dropped(numbers.here.size());
        gpu::Delivery delivery(route);
        delivery.add(numbers.there.data(), dropped.data(), numbers.there.bytes(), producer);
    }
    std::vector<std::uint32_t> target(numbers.here.size());
    gpu::Delivery delivery(route);
    delivery.add(numbers.there.data(), target.data(), numbers.there.bytes(), producer);
    delivery.finish();
    QVERIFY(target == numbers.here);
}

QTEST_GUILESS_MAIN(TestDelivery)
#include "tst_delivery.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device_info.h"
#include "gpu/support/on_gpu.h"
#include "gpu/support/readback.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cstdint>
#include <memory>
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

class TestReadback : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase();
    void deliversEveryByte_data();
    void deliversEveryByte();
    void severalArraysArriveInOneReadback();
    void aDroppedReadbackLeavesTheNextOneAlone();

private:
    GpuDevice m_gpu;
    std::unique_ptr<gpu::OnGpu> m_scope;
};

void TestReadback::initTestCase()
{
    const auto list = gpu::listDevices();
    if (list.devices.empty())
        QSKIP(list.reason.c_str());
    m_scope = std::make_unique<gpu::OnGpu>(m_gpu);
}

void TestReadback::cleanupTestCase()
{
    m_scope.reset();
    QCOMPARE(m_gpu.memory->taken(), std::size_t{0}); // everything has been given back
}

void TestReadback::deliversEveryByte_data()
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

void TestReadback::deliversEveryByte()
{
    QFETCH(std::size_t, count);
    QFETCH(bool, pinned);
    const Numbers numbers(count);
    // One value more on each side, which nothing may touch.
    std::vector<std::uint32_t> ordinary(pinned ? 0 : count + 2, 7);
    const gpu::PinnedBuffer<std::uint32_t> fixed(pinned ? count + 2 : 0);
    std::ranges::fill(fixed.values(), 7);
    const auto target = pinned ? fixed.values() : std::span<std::uint32_t>(ordinary);
    gpu::ReadbackRoute route{CpuDevice{2}};
    const gpu::Stream producer;
    for (int round = 0; round < 2; ++round) { // the second one finds the pieces used
        std::ranges::fill(target.subspan(1, count), 0);
        gpu::Readback readback(route);
        readback.add(numbers.there.data(), target.data() + 1, count * sizeof(std::uint32_t),
                     producer);
        readback.finish();
        QVERIFY(std::ranges::equal(target.subspan(1, count), numbers.here));
        QCOMPARE(target.front(), 7U);
        QCOMPARE(target.back(), 7U);
    }
}

void TestReadback::severalArraysArriveInOneReadback()
{
    const std::vector<std::size_t> counts{3000000, 10, 700000, 1500000};
    gpu::ReadbackRoute route{CpuDevice{2}};
    const gpu::Stream producer;
    gpu::Readback readback(route);
    std::vector<Numbers> sources;
    std::vector<std::vector<std::uint32_t>> targets;
    for (auto count : counts) {
        sources.emplace_back(count);
        targets.emplace_back(count);
    }
    for (std::size_t i = 0; i < counts.size(); ++i)
        readback.add(sources[i].there.data(), targets[i].data(), counts[i] * sizeof(std::uint32_t),
                     producer);
    readback.finish();
    for (std::size_t i = 0; i < counts.size(); ++i)
        QVERIFY(targets[i] == sources[i].here);
}

void TestReadback::aDroppedReadbackLeavesTheNextOneAlone()
{
    const Numbers numbers(1200000);
    gpu::ReadbackRoute route{CpuDevice{2}};
    const gpu::Stream producer;
    {
        std::vector<std::uint32_t> dropped(numbers.here.size());
        gpu::Readback readback(route);
        readback.add(numbers.there.data(), dropped.data(), numbers.there.bytes(), producer);
    }
    std::vector<std::uint32_t> target(numbers.here.size());
    gpu::Readback readback(route);
    readback.add(numbers.there.data(), target.data(), numbers.there.bytes(), producer);
    readback.finish();
    QVERIFY(target == numbers.here);
}

GRIDHELM_TEST(TestReadback)
#include "tst_readback.moc"

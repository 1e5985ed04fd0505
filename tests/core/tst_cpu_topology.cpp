// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/cpu_topology.h"
#include "core/support/system_info.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <sched.h>

#include <set>

using namespace gridhelm;

namespace {

/// The kernel's own word.
std::set<int> cpusOfCallingThread()
{
    std::set<int> result;
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    if (sched_getaffinity(0, sizeof cpus, &cpus) == 0) {
        for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
            if (CPU_ISSET(cpu, &cpus))
                result.insert(cpu);
        }
    }
    return result;
}

} // namespace

class TestCpuTopology : public QObject
{
    Q_OBJECT

private slots:
    void usableCpusAreThoseOfTheKernel();
    void boundThreadRunsWhereItMay();
    void boundThreadHasFewerCpus();
    void cachesGrowOutwards();
};

void TestCpuTopology::usableCpusAreThoseOfTheKernel()
{
    const auto expected = cpusOfCallingThread();
    const auto set = CpuSet::ofCallingThread();
    QCOMPARE(set.size(), expected.size());
    QCOMPARE(set.coresFirst().size(), expected.size());
    QCOMPARE(querySystemInfo().threadCount, static_cast<int>(expected.size()));
}

void TestCpuTopology::boundThreadRunsWhereItMay()
{
    const auto all = cpusOfCallingThread();
    const auto set = CpuSet::ofCallingThread();
    std::set<int> seen;
    for (const auto &alone : set.coresFirst()) {
        QCOMPARE(alone.size(), std::size_t(1));
        QVERIFY(alone.bindCallingThread());
        const auto now = cpusOfCallingThread();
        QCOMPARE(now.size(), std::size_t(1));
        seen.insert(*now.begin());
    }
    QVERIFY(seen == all);
    QVERIFY(set.bindCallingThread());
    QVERIFY(cpusOfCallingThread() == all);
}

/// What the thread may use counts, not what the machine has.
void TestCpuTopology::boundThreadHasFewerCpus()
{
    const auto set = CpuSet::ofCallingThread();
    QVERIFY(set.coresFirst().back().bindCallingThread());
    QCOMPARE(CpuSet::ofCallingThread().size(), std::size_t(1));
    QCOMPARE(querySystemInfo().threadCount, 1);
    QVERIFY(set.bindCallingThread());
}

void TestCpuTopology::cachesGrowOutwards()
{
    const auto largest = largestCacheBytes();
    QVERIFY(level2CacheBytes() <= largest);
    QCOMPARE(querySystemInfo().lastLevelCacheBytes, largest);
    QVERIFY(coreCacheBytes() > 0);
    if (largest == 0)
        QSKIP("the operating system does not tell of caches");
    QVERIFY(largest >= 16 * 1024 && largest <= std::uint64_t{16} << 30);
}

GRIDHELM_TEST(TestCpuTopology)
#include "tst_cpu_topology.moc"

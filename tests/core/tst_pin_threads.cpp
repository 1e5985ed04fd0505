// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/execution/pin_threads.h"
#include "tests/core/expect_error.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <omp.h>
#include <sched.h>

#include <set>
#include <vector>

using namespace gridhelm;

namespace {

/// The CPUs on which each thread of a team may run.
std::vector<std::set<int>> placesOfTeam(int threads)
{
    std::vector<std::set<int>> places(static_cast<std::size_t>(threads));
#pragma omp parallel num_threads(threads)
    {
        cpu_set_t cpus;
        CPU_ZERO(&cpus);
        if (sched_getaffinity(0, sizeof cpus, &cpus) == 0) {
            for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
                if (CPU_ISSET(cpu, &cpus))
                    places[static_cast<std::size_t>(omp_get_thread_num())].insert(cpu);
            }
        }
    }
    return places;
}

/// As many threads as can be pinned, few enough for any machine.
int fewThreads(const std::set<int> &allowed)
{
    return static_cast<int>(std::min<std::size_t>(allowed.size(), 4));
}

} // namespace

class TestPinThreads : public QObject
{
    Q_OBJECT

private slots:
    void eachThreadHasACpuOfItsOwnUntilTheEnd();
    void threadsThatStartLaterCanBePinnedToo();
    void moreThreadsThanCpusAreRefused();
};

void TestPinThreads::eachThreadHasACpuOfItsOwnUntilTheEnd()
{
    const auto allowed = placesOfTeam(1).front();
    const int threads = fewThreads(allowed);
    const auto before = placesOfTeam(threads);
    {
        const PinnedThreads pinned(CpuDevice{threads});
        std::set<int> used;
        for (const auto &places : placesOfTeam(threads)) {
            QCOMPARE(places.size(), std::size_t(1));
            QVERIFY(allowed.count(*places.begin()));
            used.insert(*places.begin());
        }
        QCOMPARE(used.size(), static_cast<std::size_t>(threads));
    }
    QVERIFY(placesOfTeam(threads) == before);
}

void TestPinThreads::threadsThatStartLaterCanBePinnedToo()
{
    const int threads = fewThreads(placesOfTeam(1).front());
    if (threads < 2)
        QSKIP("one CPU only");
    PinnedThreads pinned(CpuDevice{threads});
    placesOfTeam(1); // ends the others, where OpenMP does that
    placesOfTeam(threads);
    pinned.pinAgain();
    std::set<int> used;
    for (const auto &places : placesOfTeam(threads)) {
        QCOMPARE(places.size(), std::size_t(1));
        used.insert(*places.begin());
    }
    QCOMPARE(used.size(), static_cast<std::size_t>(threads));
}

void TestPinThreads::moreThreadsThanCpusAreRefused()
{
    const auto allowed = placesOfTeam(1).front();
    GRIDHELM_EXPECT_ERROR(PinnedThreads(CpuDevice{static_cast<int>(allowed.size()) + 1}));
    GRIDHELM_EXPECT_ERROR(PinnedThreads(CpuDevice{0}));
    QVERIFY(placesOfTeam(1).front() == allowed);
}

GRIDHELM_TEST(TestPinThreads)
#include "tst_pin_threads.moc"

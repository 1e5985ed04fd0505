// SPDX-License-Identifier: GPL-3.0-or-later
//
// The peak is one: nothing simple is faster.
#include "core/execution/peak_flops.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <chrono>
#include <limits>

using namespace gridhelm;

namespace {

/// Operations per second of one chain, in which each product waits for the sum before.
double rateOfOneChain()
{
    constexpr int rounds = 4000000;
    double best = 0;
    for (int tries = 0; tries < 5; ++tries) {
        const auto begin = std::chrono::steady_clock::now();
        volatile float start = 0.1F;
        float x = start;
        for (int i = 0; i < rounds; ++i)
            x = x * 0.5F + 1.0F;
        start = x;
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
        best = std::max(best, 2.0 * rounds / seconds.count());
    }
    return best;
}

} // namespace

class PeakFlopsTest : public QObject
{
    Q_OBJECT

private slots:
    void manyVectorsAreFasterThanOneChain();
};

void PeakFlopsTest::manyVectorsAreFasterThanOneChain()
{
    // Vectors of four numbers at least, and several chains: in truth 40 times as fast.
    const double peak = measurePeakFlops(CpuDevice{1});
#if !defined(__SANITIZE_ADDRESS__) // which looks at every vector that is stored
    QVERIFY(peak > 4 * rateOfOneChain());
#else
    QVERIFY(peak > 0 && rateOfOneChain() > 0);
#endif
    QVERIFY(peak < 1e13); // of one thread: nothing was left out
}

GRIDHELM_TEST(PeakFlopsTest)
#include "tst_peak_flops.moc"

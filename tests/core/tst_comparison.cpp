// SPDX-License-Identifier: GPL-3.0-or-later
//
// When a comparison of two variants is judged, and that it is judged as all of its runs would be.
#include "core/support/pseudo_random_values.h"
#include "core/tuning/comparison.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <span>
#include <vector>

using namespace gridhelm;
using namespace gridhelm::tuning;

class ComparisonTest : public QObject
{
    Q_OBJECT

private slots:
    void aComparisonEndsWhenItIsJudged_data();
    void aComparisonEndsWhenItIsJudged();
    void anEarlyNoIsThatOfAllRuns();
};

void ComparisonTest::aComparisonEndsWhenItIsJudged_data()
{
    QTest::addColumn<std::vector<double>>("ratios");
    QTest::addColumn<Judgement>("expected");
    const auto row = [](const char *name, const std::vector<double> &ratios, Judgement expected) {
        QTest::newRow(name) << ratios << expected;
    };
    row("nothing yet", {}, Judgement::open);
    row("two are too few", {1.5, 1.5}, Judgement::open);
    row("beyond the noise", {1.3, 1.32, 1.28}, Judgement::faster);
    row("within the noise", {1.3, 1.1, 1.2}, Judgement::open);
    row("faster, not by enough", {1.015, 1.016, 1.014}, Judgement::open);
    row("missed beyond the noise", {0.99, 0.98, 0.985}, Judgement::notFaster);
    row("three that are slower cannot be made good", {1.5, 0.9, 1.4, 0.7, 0.99},
        Judgement::notFaster);
    row("four that gain too little cannot be made good", {1.5, 1.01, 1.3, 1.01, 1.01, 1.015},
        Judgement::notFaster);
    row("all, faster", {1.5, 0.9, 1.4, 0.9, 1.03, 1.02, 1.1}, Judgement::faster);
    row("all, slower in the quartile", {1.5, 0.9, 1.4, 0.9, 1.03, 1.02, 1}, Judgement::notFaster);
    row("all, too little in the median", {1.5, 1.01, 1.4, 1.01, 1.01, 1.01, 1.2},
        Judgement::notFaster);
}

void ComparisonTest::aComparisonEndsWhenItIsJudged()
{
    QFETCH(const std::vector<double>, ratios);
    QFETCH(const Judgement, expected);
    QCOMPARE(judgementOf(ratios, 7), expected);
}

/// Unless it is one of the noise: of ratios that differ much, the first ones say no only where all
/// of them do.
void ComparisonTest::anEarlyNoIsThatOfAllRuns()
{
    const auto drawn = pseudoRandomValues<double>(7 * 4000, 0.5, 1.6);
    std::size_t early = 0;
    for (std::size_t i = 0; i < drawn.size(); i += 7) {
        const auto all = std::span(drawn).subspan(i, 7);
        const auto [least, greatest] = std::ranges::minmax(all.first(3));
        if (2 * (greatest - least) < 0.6)
            continue; // may be judged by their noise
        for (std::size_t n = 1; n < 7; ++n) {
            const auto judged = judgementOf(all.first(n), 7);
            if (judged == Judgement::open)
                continue;
            ++early;
            QVERIFY(judgementOf(all, 7) == judged);
            break;
        }
    }
    QVERIFY(early > 100);
}

GRIDHELM_TEST(ComparisonTest)
#include "tst_comparison.moc"

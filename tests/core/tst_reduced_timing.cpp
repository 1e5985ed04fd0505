// SPDX-License-Identifier: GPL-3.0-or-later
//
// The time of a whole work from those of parts of it and of smaller grids, by times that are known.
#include "core/tuning/reduced_timing.h"
#include "core/tuning/search.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <initializer_list>
#include <memory>
#include <vector>

using namespace gridhelm;
using namespace gridhelm::tuning;

namespace {

/// So many seconds for an item, and as an offset; counts the items that were asked for.
class CountedWork final : public dispatch::PreparedWork
{
public:
    CountedWork(std::size_t items, double offset, double ofItem)
        : m_items(items)
        , m_offset(offset)
        , m_ofItem(ofItem)
    {
    }

    double run() override { return runSome(m_items); }
    std::size_t items() const override { return m_items; }
    double runSome(std::size_t items) override
    {
        done += items;
        return m_offset + m_ofItem * static_cast<double>(items);
    }
    dispatch::CountedWork counted() const override { return {0, 0}; }

    std::size_t done = 0;

private:
    std::size_t m_items;
    double m_offset, m_ofItem;
};

} // namespace

class ReducedTimingTest : public QObject
{
    Q_OBJECT

private slots:
    void timesOfSmallInputsTellThatOfTheWhole();
    void timesOnSmallerGridsTellThatOnTheWhole();
    void aSearchOnSmallerGridsFindsWhatIsFastestOnTheWhole();
    void oneDisturbedTimeDoesNotMakeTheWholeShort();
    void hopelessVariantsAreGivenUp();
};

void ReducedTimingTest::timesOfSmallInputsTellThatOfTheWhole()
{
    CountedWork work(1000000, 0.25, 1e-6);
    QCOMPARE(estimatedSeconds(work, {.items = 1000}, 1e9), 0.25 + 1.0);
    QVERIFY(work.done < 50000);
    CountedWork whole(100, 0.5, 1e-3);
    QCOMPARE(estimatedSeconds(whole, {.items = 1000000}, 1e9), 0.6);
    QCOMPARE(whole.done % 100, std::size_t{0});
    // Short runs are repeated.
    CountedWork brief(1000000, 0, 1e-9);
    QCOMPARE(estimatedSeconds(brief, {.items = 1000, .shortest = 1e-3}, 1e9), 1e-3);
    QVERIFY(brief.done > 1000000);
    // Of long ones two are enough.
    CountedWork slow(1000, 0.05, 1e-3);
    QCOMPARE(estimatedSeconds(slow, {.items = 10}, 1e9), 0.05 + 1.0);
    QCOMPARE(slow.done, std::size_t{10 + 2 * 10 + 2 * 20}); // a warm-up, and each twice
}

void ReducedTimingTest::timesOnSmallerGridsTellThatOnTheWhole()
{
    const auto estimate = [](std::initializer_list<double> amounts, auto secondsOf) {
        std::vector<SmallerWork> smaller;
        for (const double amount : amounts)
            smaller.push_back(
                {std::make_unique<CountedWork>(std::size_t{1}, secondsOf(amount), 0.0), amount});
        return estimatedSeconds(smaller, 1e6, 1e-3);
    };
    const auto line = [](double amount) { return 0.25 + 1e-6 * amount; };
    QVERIFY(std::abs(estimate({1e4, 3e4, 9e4}, line) - line(1e6)) < 1e-9);
    QVERIFY(std::abs(estimate({1e4, 9e4}, line) - line(1e6)) < 1e-9);
    // One alone, or times that lie on no line: the rate of the largest.
    QCOMPARE(estimate({1e4}, [](double) { return 0.5; }), 50.0);
    const auto disturbed = [&](double amount) { return amount == 1e4 ? 3 : 1e-6 * amount; };
    QCOMPARE(estimate({1e4, 3e4, 1e5}, disturbed), 1.0);
}

/// Variants that begin soon are slow in the end: on the smallest grid another one is the fastest.
void ReducedTimingTest::aSearchOnSmallerGridsFindsWhatIsFastestOnTheWhole()
{
    const SearchSpace space{{{{1, 2, 3, 4, 5, 6, 7, 8}, 0}, {{1, 2, 4, 8, 16, 32}, 1}}, {1, 1}, {}};
    constexpr double whole = 1e7;
    const auto secondsOf = [](const Variant &variant, double amount) {
        const double begin = 1e-3 * variant[0] + 1e-4 * variant[1];
        const double rate =
            1 + std::abs(variant[0] - 6) + 0.5 * std::abs(std::log2(variant[1]) - 3);
        return begin + 1e-7 * rate * amount;
    };
    const auto fastestOn = [&](double amount) {
        return search(Strategy::exhaustive, space,
                      [&](const Variant &variant, double) { return secondsOf(variant, amount); })
            .best.variant;
    };
    double spent = 0;
    const auto found = search(Strategy::partitions, space, [&](const Variant &variant, double) {
        std::vector<SmallerWork> smaller;
        for (const double amount : {1e3, 1e4, 1e5}) {
            spent += 3 * secondsOf(variant, amount);
            smaller.push_back(
                {std::make_unique<CountedWork>(std::size_t{1}, secondsOf(variant, amount), 0.0),
                 amount});
        }
        return estimatedSeconds(smaller, whole, 0);
    });
    QCOMPARE(fastestOn(whole), (Variant{6, 8}));
    QVERIFY(fastestOn(1e3) != fastestOn(whole));
    QCOMPARE(found.best.variant, fastestOn(whole));
    const double expected = secondsOf({6, 8}, whole);
    QVERIFY(std::abs(found.best.seconds - expected) < 1e-6 * expected);
    double all = 0;
    for (const auto &variant : space.all())
        all += secondsOf(variant, whole);
    QVERIFY2(spent < 0.05 * all, qPrintable(QString("%1 of %2").arg(spent).arg(all)));
}

/// A line through a few small inputs may point anywhere.
void ReducedTimingTest::oneDisturbedTimeDoesNotMakeTheWholeShort()
{
    class Disturbed final : public dispatch::PreparedWork
    {
    public:
        double run() override { return runSome(items()); }
        std::size_t items() const override { return 1000000; }
        double runSome(std::size_t items) override
        {
            return 1e-6 * static_cast<double>(items) * (items == 1000 ? 4 : 1);
        }
        dispatch::CountedWork counted() const override { return {0, 0}; }
    } work;
    QCOMPARE(estimatedSeconds(work, {.items = 1000}, 1e9), 1.0);
}

void ReducedTimingTest::hopelessVariantsAreGivenUp()
{
    CountedWork slow(1000000, 0, 1e-3);
    QVERIFY(estimatedSeconds(slow, {.items = 1000}, 10) > 10);
    QCOMPARE(slow.done, std::size_t{3000}); // warm-up, and the smallest input twice
}

GRIDHELM_TEST(ReducedTimingTest)
#include "tst_reduced_timing.moc"

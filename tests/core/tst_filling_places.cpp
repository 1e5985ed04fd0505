// SPDX-License-Identifier: GPL-3.0-or-later
//
// Places that fill the unit cube: the criterion word by word, and what makes a sequence of them.
#include "core/surrogate/filling_places.h"
#include "tests/core/expect_error.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

using namespace gridhelm;

namespace {

using Places = std::vector<std::vector<double>>;

/// designs.md, eq:maximum-projection, word by word.
long double literalCrowding(const std::vector<double> &x, const Places &places)
{
    long double sum = 0;
    for (const auto &y : places) {
        long double product = 1;
        for (std::size_t t = 0; t < x.size(); ++t) {
            const long double distance = static_cast<long double>(x[t]) - y[t];
            product *= distance * distance + 1e-8L;
        }
        sum += 1 / product;
    }
    return sum;
}

Places sequence(int dimension, std::size_t count, std::uint64_t seed, const Places &before = {})
{
    FillingPlaces filling(dimension, seed);
    for (const auto &place : before)
        filling.add(place);
    Places places;
    while (places.size() < count) {
        places.push_back(filling.next());
        filling.add(places.back());
    }
    return places;
}

/// The largest of some thousand spheres without a place in them, and without a part outside.
double largestHole(const Places &places)
{
    double largest = 0;
    for (int i = 0; i < 4000; ++i) {
        std::vector<double> x;
        double smallest = 1;
        for (std::size_t t = 0; t < places.front().size(); ++t) {
            x.push_back(std::fmod(0.5
                                      + (i + 1)
                                            * std::sqrt(t == 0   ? 2.0
                                                        : t == 1 ? 3.0
                                                                 : 5.0),
                                  1.0));
            smallest = std::min({smallest, x.back(), 1 - x.back()});
        }
        for (const auto &place : places) {
            double sum = 0;
            for (std::size_t t = 0; t < x.size(); ++t)
                sum += (x[t] - place[t]) * (x[t] - place[t]);
            smallest = std::min(smallest, std::sqrt(sum));
        }
        largest = std::max(largest, smallest);
    }
    return largest;
}

/// How many of so many equal parts of each range hold no place, in the worst direction.
std::size_t emptySlices(const Places &places)
{
    std::size_t most = 0;
    for (std::size_t t = 0; t < places.front().size(); ++t) {
        std::set<int> held;
        for (const auto &place : places)
            held.insert(static_cast<int>(place[t] * static_cast<double>(places.size())));
        most = std::max(most, places.size() - held.size());
    }
    return most;
}

} // namespace

class FillingPlacesTest : public QObject
{
    Q_OBJECT

private slots:
    void crowdingIsTheSumOverPlaces()
    {
        const Places places{{0.5, 0.5}, {0.25, 1}, {0, 0.75}};
        const std::vector<double> flat{0.5, 0.5, 0.25, 1, 0, 0.75};
        // By hand: 1/(1/16 * 1/16), 1/(0 * ...), 1/(1/16 * 1/4).
        const std::vector<double> x{0.25, 0.25};
        const double byHand = 256 / std::pow(1 + 16e-8, 2) + 1 / (1e-8 * (0.5625 + 1e-8))
                              + 1 / ((0.0625 + 1e-8) * (0.25 + 1e-8));
        QVERIFY(std::abs(crowding(x, flat) / byHand - 1) < 1e-14);
        QVERIFY(std::abs(static_cast<double>(literalCrowding(x, places)) / byHand - 1) < 1e-14);
        QCOMPARE(crowding(x, {}), 0.0);
    }

    void theNextPlaceIsTheLeastCrowdedCandidate()
    {
        for (const int dimension : {1, 3, 7}) {
            FillingPlaces filling(dimension, 11);
            Places places;
            for (int i = 0; i < 30; ++i) {
                const auto chosen = filling.next();
                const auto all = filling.candidates();
                const auto d = static_cast<std::ptrdiff_t>(dimension);
                long double least = std::numeric_limits<long double>::infinity();
                for (auto at = all.begin(); at != all.end(); at += d)
                    least = std::min(least, literalCrowding({at, at + d}, places));
                QVERIFY(literalCrowding(chosen, places) <= least * (1 + 1e-12L));
                QVERIFY(places.empty() || all.size() == 1000 * static_cast<std::size_t>(dimension));
                filling.add(chosen);
                places.push_back(chosen);
            }
        }
    }

    void anyPrefixIsGoneOnWithAsIfItHadNotEnded()
    {
        const auto whole = sequence(4, 60, 3);
        for (const std::size_t cut : {1, 17, 59}) {
            const auto first = sequence(4, cut, 3);
            QVERIFY(std::equal(first.begin(), first.end(), whole.begin()));
            const auto rest = sequence(4, whole.size() - cut, 3, first);
            QVERIFY(std::equal(rest.begin(), rest.end(),
                               whole.begin() + static_cast<std::ptrdiff_t>(cut)));
        }
        QVERIFY(sequence(4, 5, 4) != sequence(4, 5, 3));
    }

    /// Of random places a third of the slices is empty (1/e), and holes are larger.
    void anyPrefixFillsTheSpaceAndItsProjections()
    {
        const auto whole = sequence(3, 128, 1);
        for (const std::size_t count : {16, 40, 128}) {
            const Places prefix(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(count));
            QVERIFY2(20 * emptySlices(prefix) <= 7 * count,
                     qPrintable(QString::number(emptySlices(prefix))));
            const double spacing = std::cbrt(1 / static_cast<double>(count));
            QVERIFY2(largestHole(prefix) < 1.2 * spacing,
                     qPrintable(QString::number(largestHole(prefix) / spacing)));
        }
    }

    void placesThatAreThereAreFilledAround()
    {
        // 40 places in one half, all of it: most of the next ones go to the other.
        Places half;
        for (auto &place : sequence(2, 40, 5))
            half.push_back({place[0] / 2, place[1]});
        const auto next = sequence(2, 40, 5, half);
        const auto other = std::ranges::count_if(next, [](const auto &x) { return x[0] > 0.5; });
        QVERIFY2(other >= 28, qPrintable(QString::number(other)));
        auto all = half;
        all.insert(all.end(), next.begin(), next.end());
        QVERIFY(largestHole(all) < 1.4 / std::sqrt(80.0));
    }

    void manyPlacesTakeFewerCandidates()
    {
        FillingPlaces filling(2, 1);
        for (int i = 0; i < 2000; ++i)
            filling.add(std::vector{std::fmod(0.6180339887 * i, 1.0), (i + 0.5) / 2000});
        QCOMPARE(filling.size(), std::size_t{2000});
        QCOMPARE(filling.candidates().size(), std::size_t{2 * 250});
        const auto place = filling.next();
        QVERIFY(place[0] >= 0 && place[0] < 1 && place[1] >= 0 && place[1] < 1);
    }

    void whatIsNoPlaceIsRefused()
    {
        GRIDHELM_EXPECT_ERROR(FillingPlaces(0, 1));
        FillingPlaces filling(2, 1);
        const double nan = std::numeric_limits<double>::quiet_NaN();
        GRIDHELM_EXPECT_ERROR(filling.add(std::vector{0.5}));
        GRIDHELM_EXPECT_ERROR(filling.add(std::vector{0.5, 1.5}));
        GRIDHELM_EXPECT_ERROR(filling.add(std::vector{-0.1, 0.5}));
        GRIDHELM_EXPECT_ERROR(filling.add(std::vector{nan, 0.5}));
        QCOMPARE(filling.size(), std::size_t{0});
    }
};

GRIDHELM_TEST(FillingPlacesTest)
#include "tst_filling_places.moc"

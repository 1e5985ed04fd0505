// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a surrogate may be off, value by value, where there are no values of some hold-outs, and no
// body at some values; and how often there is one.
#include "data/answers/field_rows.h"
#include "data/evaluate/error_map.h"
#include "data/evaluate/field_anywhere.h"
#include "tests/core/on_cpu.h"
#include "tests/data/strip_studies.h"
#include "tests/support/test_program.h"

#include <algorithm>
#include <cmath>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

/// What is left of 0.55 + 0.4 a is body.
std::vector<float> distances(double a)
{
    return alongX([a](double x) { return 0.55 + 0.4 * a - x; });
}

/// u = 2 in all snapshots, with no hold-outs; where it is, is a field of that name.
StudyWriter constantStudy(const std::filesystem::path &path, std::string_view where)
{
    return stripStudy(
        path, [](double) { return alongX([](double) { return 2; }); },
        {std::string(where), "", 1, Association::point, 2 * stripNodes}, distances, 0);
}

/// `truth` of u at so many places, the same for all.
void addHoldOuts(StudyWriter &study, int count, const std::function<double(double a, double x)> &u)
{
    for (int i = 0; i < count; ++i) {
        const double a = (i + 0.37) / count;
        const auto id = study.addHoldOut(std::vector{a});
        study.putHoldOut(id, 0, alongX([&](double x) { return u(a, x); }));
        study.putHoldOut(id, 1, distances(a));
    }
}

std::optional<ErrorMap> mapOf(const Study &study)
{
    const auto context = onCpu(1);
    const FieldAnywhere surrogate(study, 0, context);
    return errorMapOf(
        study, 0,
        [&](std::span<const double> x, std::span<float> values) {
            surrogate.evaluate(study.description().space.fromUnit(x), {values, {}});
        },
        context);
}

class ErrorMapTest : public QObject
{
    Q_OBJECT

private slots:
    void errorsAreThoseOfEachValue();
    void whereThereIsNoBodyNothingCounts();
    void holdOutsWithoutTheFieldDoNotCount();
    void casesWithABodyAreCounted();
    void whereTheBodyIsInAllCasesNothingIsCounted();
};

void ErrorMapTest::errorsAreThoseOfEachValue()
{
    const Folder folder;
    auto study = constantStudy(folder / "s", "other");
    QVERIFY(!mapOf(study));
    addHoldOuts(study, 9, [](double, double x) { return 2 + x; });
    const auto map = mapOf(study);
    QVERIFY(map);
    QCOMPARE(map->holdOuts, std::size_t{9});
    for (std::size_t i = 0; i < map->atMost.size(); ++i)
        QVERIFY(std::abs(map->atMost[i] - 0.1F * static_cast<float>(i % stripNodes)) <= 1e-6F);
}

void ErrorMapTest::whereThereIsNoBodyNothingCounts()
{
    const Folder folder;
    auto study = constantStudy(folder / "s", distanceField);
    addHoldOuts(study, 9,
                [](double a, double x) { return x <= 0.55 + 0.4 * a ? 2 + 0.5 * x : 1e6; });
    const auto map = mapOf(study);
    QVERIFY(map);
    // The body ends at 0.57 in the first of them, at 0.92 in the last one.
    for (std::size_t i = 0; i < map->atMost.size(); ++i) {
        const float x = 0.1F * static_cast<float>(i % stripNodes);
        QVERIFY2(x < 0.95F ? std::abs(map->atMost[i] - 0.5F * x) <= 1e-6F
                           : std::isnan(map->atMost[i]),
                 QByteArray::number(x));
    }
    QCOMPARE(map->ofFewer, std::size_t{8}); // of 0.6 to 0.9
}

void ErrorMapTest::holdOutsWithoutTheFieldDoNotCount()
{
    const Folder folder;
    auto study = constantStudy(folder / "s", "other");
    const auto id = study.addHoldOut(std::vector{0.5});
    study.putHoldOut(id, 1, distances(0.5));
    QVERIFY(!mapOf(study));
    addHoldOuts(study, 4, [](double, double) { return 2.25; });
    const auto map = mapOf(study);
    QVERIFY(map);
    QCOMPARE(map->holdOuts, std::size_t{4});
    QCOMPARE(*std::ranges::max_element(map->atMost), 0.25F);
}

void ErrorMapTest::casesWithABodyAreCounted()
{
    const Folder folder;
    const auto study = constantStudy(folder / "s", distanceField);
    const std::vector<double> places{0, 0.25, 0.5, 0.85}; // the body ends at 0.55, 0.65, 0.75, 0.89
    const CpuDevice cpu{.threads = 1};
    const auto shares = bodySharesOf(study, study.fields()[0], places, cpu);
    QVERIFY(shares);
    QCOMPARE(shares->size(), 2 * stripNodes);
    std::vector<float> map(shares->size(), 3.0F);
    leaveOutWithoutBody(*shares, map);
    for (std::size_t i = 0; i < shares->size(); ++i) {
        const double x = 0.1 * static_cast<double>(i % stripNodes);
        const auto cases =
            std::ranges::count_if(places, [x](double a) { return 0.55 + 0.4 * a > x; });
        QCOMPARE((*shares)[i], 0.25F * static_cast<float>(cases));
        QVERIFY(cases > 0 ? map[i] == 3.0F : std::isnan(map[i]));
    }
    QVERIFY(std::isnan(map[stripNodes - 1]) && !std::isnan(map[0]));
    // Distances themselves are known everywhere.
    QVERIFY(!bodySharesOf(study, study.fields()[1], places, cpu));
}

void ErrorMapTest::whereTheBodyIsInAllCasesNothingIsCounted()
{
    const Folder folder;
    const auto study = constantStudy(folder / "s", "other");
    QVERIFY(!bodySharesOf(study, study.fields()[0], std::vector{0.2, 0.8}, {.threads = 1}));
}

} // namespace

GRIDHELM_TEST(ErrorMapTest)
#include "tst_error_map.moc"

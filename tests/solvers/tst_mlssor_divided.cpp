// SPDX-License-Identifier: GPL-3.0-or-later
//
// MLSSOR on several devices, logical ones of the CPU or of a GPU: bit for bit what one computes,
// wherever the tiles lie.
#include "core/solvers/sor/sor_options.h"
#include "tests/core/expect_error.h"
#include "tests/solvers/divided_cases.h"
#include "tests/support/test_program.h"

#ifdef GRIDHELM_TEST_CUDA
#include "gpu/poisson/sor/mlssor_team.h"
#endif

#include <QTest>

#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

using namespace gridhelm;
using namespace gridhelm::solvers;
using namespace gridhelm::test;

namespace {

TestedSettings mlssor(const std::string &direction, const MlssorShape &shape, Precision precision)
{
    auto settings = with("mlssor", precision);
    settings.set(directionOption, direction);
    settings.set(shapeOption, valueOf(shape));
    return settings;
}

/// Rows that slabs begin at multiples of, in grids of at most 128 columns.
std::size_t granuleOf(const MlssorShape &shape)
{
#ifdef GRIDHELM_TEST_CUDA
    Random random(1);
    return gpu::mlssorGranule<double>(iterationProblem(random, 2, {100, 100, 1}, allDirichlet, 0),
                                      shape);
#else
    return shape.width;
#endif
}

const std::vector<std::string> directions{"forward", "backward", "alternating"};

} // namespace

class MlssorDividedTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { GRIDHELM_SKIP_WITHOUT_BACKEND(); }
    void sameWhereverTheTilesLie_data();
    void sameWhereverTheTilesLie();
    void sameWithSeveralThreadsEach();
    void sameAfterLiveParameters();
    void stopsAtTheSameIteration();
    void tellsHowTimeIsSpent();
    void stops();
    void fewerRowsOfTilesThanDevicesAreSaid();
    void whatCannotBeDividedIsAnError();
};

void MlssorDividedTest::sameWhereverTheTilesLie_data()
{
    QTest::addColumn<MlssorShape>("shape");
    for (const auto &[layers, width] :
         std::vector<std::pair<std::size_t, std::size_t>>{{1, 2}, {2, 4}, {1, 5}, {3, 7}, {4, 8}})
        QTest::addRow("%zu x %zu", layers, width) << MlssorShape{layers, width};
}

/// Last rows of sub-domains that are whole, or have as many rows as there are layers, or fewer;
/// fewer rows of sub-domains than devices.
void MlssorDividedTest::sameWhereverTheTilesLie()
{
    QFETCH(const MlssorShape, shape);
    Random random(static_cast<unsigned>(shape.width));
    const auto [K, M] = shape;
    const auto rows = granuleOf(shape);
    const std::array sides{allDirichlet, mixed, allNeumann};
    std::size_t count = 0;
    for (std::size_t height :
         {rows, 2 * rows + K, 3 * rows + 1, 4 * rows, 5 * rows + M + 1, 6 * rows + K - 1}) {
        for (std::size_t width : {M + 2, 12 * M + 3}) {
            for (const auto &direction : directions) {
                const auto &kinds = sides[count % 3];
                const auto precision = count / 3 % 2 == 0 ? Precision::float32 : Precision::float64;
                const auto problem =
                    iterationProblem(random, 2, {width, height, 1}, kinds,
                                     kinds == allNeumann ? 0 : static_cast<int>(count / 2 % 3));
                VERIFY_NO_DIFFERENCE(
                    differenceFromOne(problem, mlssor(direction, shape, precision)));
                ++count;
            }
            ++count; // other sides with each direction
        }
    }
}

void MlssorDividedTest::sameWithSeveralThreadsEach()
{
    Random random(4);
    const auto problem = iterationProblem(random, 2, {151, 210, 1}, mixed, 0);
    for (auto precision : {Precision::float32, Precision::float64})
        VERIFY_NO_DIFFERENCE(differenceFromOne(problem, with("mlssor", precision)));
}

void MlssorDividedTest::sameAfterLiveParameters()
{
    Random random(5);
    for (int kindOfSource : {0, 1, 2}) {
        for (const auto &direction : directions) {
            const auto problem = iterationProblem(random, 2, {21, 5 * granuleOf({3, 7}) - 1, 1},
                                                  mixed, kindOfSource);
            VERIFY_NO_DIFFERENCE(differenceAfterLiveParameters(
                problem, mlssor(direction, {3, 7}, Precision::float64), random));
        }
    }
}

void MlssorDividedTest::stopsAtTheSameIteration()
{
    Random random(6);
    const auto problem = iterationProblem(random, 2, {33, 75, 1}, allDirichlet, 1);
    const auto settings = mlssor("alternating", {4, 8}, Precision::float64);
    const auto iterationsOf = [](Stepper &stepper) {
        while (stepper.report().residual > 1e-6 && stepper.report().iterations < 4000)
            stepper.advance(8);
        return stepper.report().iterations;
    };
    const auto expected = iterationsOf(*makeOn(onOne(), problem, settings));
    QVERIFY(expected > 10 && expected < 4000);
    for (const auto &threads : teams)
        QCOMPARE(iterationsOf(*makeOn(onTeam(threads), problem, settings)), expected);
}

void MlssorDividedTest::stops()
{
    Random random(7);
    const auto problem = iterationProblem(random, 2, {50, 140, 1}, allDirichlet, 0);
    const auto stepper = makeOn(onTeam({1, 1}), problem, with("mlssor"));
    std::stop_source stop;
    stop.request_stop();
    stepper->advance(1000, stop.get_token());
    QCOMPARE(stepper->report().iterations, 0);
}

void MlssorDividedTest::fewerRowsOfTilesThanDevicesAreSaid()
{
    Random random(8);
    const auto tile = granuleOf({2, 8});
    const auto problem = iterationProblem(random, 2, {20, 2 * tile + 1, 1}, allDirichlet, 0);
    std::string said;
    const auto context =
        onTeam({1, 1, 1, 1}).withEvents([&](const auto &event) { said = event.sentence; });
    (void)makeOn(context, problem, mlssor("forward", {2, 8}, Precision::float64));
    QCOMPARE(QString::fromStdString(said),
             QString("3 of 4 %1 compute: the grid has only %2 rows, in tiles of %3")
                 .arg(sharers)
                 .arg(2 * tile + 1)
                 .arg(tile));
}

void MlssorDividedTest::tellsHowTimeIsSpent()
{
#if defined(GRIDHELM_TEST_RANKS) || defined(GRIDHELM_TEST_CUDA)
    QSKIP("not told by ranks and GPUs");
#endif
    Random random(9);
    const auto problem = iterationProblem(random, 2, {100, 300, 1}, allDirichlet, 0);
    const auto stepper =
        makeOn(onTeam({1, 1}), problem, mlssor("forward", {2, 8}, Precision::float64));
    QCOMPARE(mistakeInTimes(*stepper, 2), std::string());
}

void MlssorDividedTest::whatCannotBeDividedIsAnError()
{
    Random random(9);
    const auto box = iterationProblem(random, 3, {5, 6, 7}, allDirichlet, 0);
    GRIDHELM_EXPECT_ERROR(makeOn(onTeam({1, 1}), box, with("mlssor"))); // it is for 2D
    const auto problem = iterationProblem(random, 2, {5, 6, 1}, allDirichlet, 0);
    const auto mixedTeam = test::onCpu().withTeam({CpuDevice{1}, GpuDevice{}});
    GRIDHELM_EXPECT_ERROR(makeOn(mixedTeam, problem, with("mlssor")));
}

GRIDHELM_TEST(MlssorDividedTest)
#include "tst_mlssor_divided.moc"

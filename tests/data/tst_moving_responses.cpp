// SPDX-License-Identifier: GPL-3.0-or-later
//
// Responses of bodies whose shape depends on the parameters, against integrals by hand.
#include "core/sparse/backend.h"
#include "data/answers/study_responses.h"
#include "data/evaluate/error_bands.h"
#include "data/mesh/place_samples.h"
#include "tests/core/expect_error.h"
#include "tests/core/on_cpu.h"
#include "tests/data/strip_studies.h"
#include "tests/support/test_program.h"

#include <functional>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

/// The strip gets 1 + a times as long; u is how far along it a node was.
StudyWriter stretched(const std::filesystem::path &path, int holdOuts)
{
    return stripStudy(
        path, [](double) { return alongX([](double x) { return x; }); },
        {std::string(displacementField), "", 3, Association::point, 2 * stripNodes},
        [](double a) { return alongX([a](double x) { return a * x; }, 3); }, holdOuts);
}

/// Only what is left of 0.55 + 0.4 a is body; u is 2 there, and nothing sensible elsewhere.
StudyWriter cutOff(const std::filesystem::path &path)
{
    return stripStudy(
        path,
        [](double a) { return alongX([a](double x) { return x <= 0.55 + 0.4 * a ? 2 : 1e6; }); },
        {std::string(distanceField), "", 1, Association::point, 2 * stripNodes},
        [](double a) { return alongX([a](double x) { return 0.55 + 0.4 * a - x; }); }, 0);
}

answers::ResponseModel modelOf(const Study &study, const ResponseDefinition &definition)
{
    return *studyResponses(study, {definition}, samplesOf(study), onCpu(1)).front().model;
}

} // namespace

class MovingResponsesTest : public QObject
{
    Q_OBJECT

private slots:
    void regionsAreWhereTheBodyIs();
    void pointsStayWhileTheBodyMoves();
    void slopesAreThoseOfTheMovedMesh();
    void bothWaysAreMeasured();
    void whatIsOutsideDoesNotCount();
    void whatIsLeftBehindIsSaid();
};

void MovingResponsesTest::regionsAreWhereTheBodyIs()
{
    const Folder folder;
    const auto study = stretched(folder / "s", 0);
    const auto integral = modelOf(study, {"all", "", "u", "integral", ""});
    const auto mean = modelOf(study, {"mean", "", "u", "mean", ""});
    const auto box = modelOf(study, {"box", "", "u", "maximum", "box -1,0,0,0.77,1,0"});
    for (const double a : {0.0, 0.25, 0.5, 1.0}) { // places of the grid
        const std::vector x{a};
        QVERIFY(std::abs(integral.value(x) - 0.5 * (1 + a)) <= 1e-6);
        QVERIFY(std::abs(mean.value(x) - 0.5) <= 1e-6);
        // The last node up to 0.77 now.
        const double last = std::floor(0.77 / (0.1 * (1 + a)) + 1e-6) * 0.1;
        QVERIFY(std::abs(box.value(x) - last) <= 1e-6);
    }
}

void MovingResponsesTest::pointsStayWhileTheBodyMoves()
{
    const Folder folder;
    const auto study = stretched(folder / "s", 0);
    const auto value = modelOf(study, {"value", "", "u", "value", "point 0.66,0.5,0"});
    for (const double a : {0.0, 0.25, 0.5, 1.0})
        QVERIFY(std::abs(value.value(std::vector{a}) - 0.66 / (1 + a)) <= 1e-6);
    // Between them it is a surrogate's value, which a finer grid would have nearer.
    QVERIFY(std::abs(value.value(std::vector{0.3}) - 0.66 / 1.3) <= 2e-3);
    QVERIFY(value.functions().empty());
}

void MovingResponsesTest::slopesAreThoseOfTheMovedMesh()
{
    const Folder folder;
    const auto study = stretched(folder / "s", 0);
    const auto slope = modelOf(study, {"slope", "", "grad_x(u)", "mean", ""});
    for (const double a : {0.0, 0.5, 1.0})
        QVERIFY(std::abs(slope.value(std::vector{a}) - 1 / (1 + a)) <= 1e-5);
}

void MovingResponsesTest::bothWaysAreMeasured()
{
    const Folder folder;
    const auto study = stretched(folder / "s", 20);
    const auto response = studyResponses(study, {{"value", "", "u", "value", "point 0.66,0.5,0"}},
                                         samplesOf(study), onCpu(2))
                              .front();
    // Fields are linear in a here, so that reducing the evaluated one is right.
    QVERIFY(response.way == ResponseWay::field);
    QVERIFY(response.errors[0].rms <= 1e-6 && response.errors[1].rms >= 1e-5);
    QVERIFY(response.band && response.band->holdOuts == 20);
    for (const double a : {0.1, 0.3, 0.77})
        QVERIFY(std::abs(response.model->value(std::vector{a}) - 0.66 / (1 + a)) <= 1e-6);
}

void MovingResponsesTest::whatIsOutsideDoesNotCount()
{
    const Folder folder;
    const auto study = cutOff(folder / "s");
    const auto most = modelOf(study, {"most", "", "u", "maximum", ""});
    const auto integral = modelOf(study, {"all", "", "u", "integral", ""});
    for (const double a : {0.0, 0.25, 0.5, 1.0}) {
        QVERIFY(std::abs(most.value(std::vector{a}) - 2) <= 1e-6);
        // Nodes that are inside, with all of their cells' halves.
        const double inside = std::floor((0.55 + 0.4 * a) / 0.1 + 1e-6) * 0.1 + 0.05;
        QVERIFY(std::abs(integral.value(std::vector{a}) - 2 * inside) <= 1e-5);
    }
}

void MovingResponsesTest::whatIsLeftBehindIsSaid()
{
    const Folder folder;
    const auto study = stretched(folder / "s", 0);
    QVERIFY(isRefused(
        [&] {
            modelOf(study, {"a", "", "u", "value", "point 1.5,0.5,0"});
        },
        "in some state"));
    const auto cut = cutOff(folder / "c");
    QVERIFY(isRefused(
        [&] {
            modelOf(cut, {"a", "", "u", "value", "point 0.8,0.5,0"});
        },
        "outside of the body"));
    QVERIFY(isRefused([&] { modelOf(cut, {"a", "", "grad_x(u)", "mean", ""}); }, "leave slopes"));
}

GRIDHELM_TEST(MovingResponsesTest)
#include "tst_moving_responses.moc"

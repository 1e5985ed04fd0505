// SPDX-License-Identifier: GPL-3.0-or-later
//
// The indicator's share of the field along parameters, against whole fields at each of the states.
#include "data/evaluate/indicator_share.h"
#include "data/evaluate/sample_scalar.h"
#include "data/evaluate/study_fields.h"
#include "data/study/image_mesh.h"
#include "tests/core/expect_error.h"
#include "tests/core/on_cpu.h"
#include "tests/data/study_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

constexpr std::size_t width = 40, height = 30;
const std::vector<double> state{233, 0.71, 2.2};
const std::vector<std::vector<double>> tried{{100, 150, 700, 1000}, {0.5, 0.6, 1.5}, {0, 1.1, 5}};

bool isNear(double a, double b)
{
    return std::abs(a - b) <= 1e-4 * b + 1e-9;
}

std::filesystem::path makeVectorStudy(const Folder &folder)
{
    auto writer = StudyWriter::create(folder / "s", smallDescription(4));
    writer.setMesh(encodeImageMesh({{width, height, 1}, {0, 0, 0}, {1, 1, 1}}));
    writer.addField(smallField("v", width * height, 2));
    runAllJobs(writer);
    compress(writer, {});
    writer.close();
    return folder / "s";
}

struct WholeField
{
    std::vector<float> values, indicator;
};

WholeField wholeField(StudyFields &fields, const std::vector<double> &at)
{
    const auto size = fields.fields()[0].values();
    WholeField whole{std::vector<float>(size), std::vector<float>(size)};
    fields.evaluate(0, at, {whole.values, whole.indicator});
    return whole;
}

} // namespace

class IndicatorShareTest : public QObject
{
    Q_OBJECT

private slots:
    void spreadPlacesAreOneInEachPart();
    void sharesAreThoseOfWholeFields();
    void aPartOfTheFieldIsThatPart();
    void scalarStudiesToo();
    void levelsThatAreNotCompleteAreNoIndicator_data();
    void levelsThatAreNotCompleteAreNoIndicator();
    void itCanBeStopped();
    void statesOutOfRangeAreErrors();
};

void IndicatorShareTest::spreadPlacesAreOneInEachPart()
{
    QVERIFY(spreadOver(0, 10).empty());
    QCOMPARE(spreadOver(3, 10), (std::vector<std::uint32_t>{0, 1, 2}));
    for (const std::uint64_t count : {11, 13, 100, 4097, 1000000}) {
        for (const std::uint64_t most : {1, 2, 7, 10, 256}) {
            const auto places = spreadOver(count, most);
            QCOMPARE(places.size(), std::min(count, most));
            for (std::uint64_t i = 0; i < places.size(); ++i) {
                QVERIFY(places[i] >= i * count / places.size());
                QVERIFY(places[i] < (i + 1) * count / places.size());
            }
        }
    }
    // In a mesh with rows of 100, they are in no few columns of it.
    std::vector<int> seen(100);
    for (const auto place : spreadOver(10000, 100))
        ++seen[place % 100];
    QVERIFY(*std::ranges::max_element(seen) <= 4);
}

void IndicatorShareTest::sharesAreThoseOfWholeFields()
{
    const Folder folder;
    const auto path = makeVectorStudy(folder);
    StudyFields fields(Study::open(path), sparse::makeOmpBackend(test::onCpu(1)));
    const auto surrogate = fields.surrogate(0);
    surrogate->loadAll(fields.study());
    const IndicatorShares shares(surrogate, fields.parameters(), 1 << 20);
    QCOMPARE(shares.entities(), width * height);
    for (std::size_t t = 0; t < 3; ++t) {
        const auto found = shares.along(t, tried[t], state);
        QCOMPARE(found.size(), tried[t].size());
        for (std::size_t i = 0; i < found.size(); ++i) {
            auto at = state;
            at[t] = tried[t][i];
            const auto whole = wholeField(fields, at);
            double above = 0, below = 0;
            for (std::size_t k = 0; k < whole.values.size(); ++k) {
                above += std::pow(static_cast<double>(whole.indicator[k]), 2);
                below += std::pow(static_cast<double>(whole.values[k]), 2);
            }
            QVERIFY(above > 0);
            QVERIFY(isNear(found[i].share(), std::sqrt(above / below)));
        }
    }
}

void IndicatorShareTest::aPartOfTheFieldIsThatPart()
{
    const Folder folder;
    const auto path = makeVectorStudy(folder);
    StudyFields fields(Study::open(path), sparse::makeOmpBackend(test::onCpu(1)));
    const auto surrogate = fields.surrogate(0);
    surrogate->loadAll(fields.study());
    const IndicatorShares shares(surrogate, fields.parameters(), 50);
    QCOMPARE(shares.entities(), std::uint64_t{50});
    const auto found = shares.along(0, tried[0], state);
    for (std::size_t i = 0; i < found.size(); ++i) {
        auto at = state;
        at[0] = tried[0][i];
        const auto whole = wholeField(fields, at);
        std::vector<float> values, indicator;
        for (const auto entity : spreadOver(width * height, 50)) {
            for (const auto column : {2 * entity, 2 * entity + 1}) {
                values.push_back(whole.values[column]);
                indicator.push_back(whole.indicator[column]);
            }
        }
        QVERIFY(isNear(found[i].share(), indicatorShare(indicator, values)));
    }
}

void IndicatorShareTest::scalarStudiesToo()
{
    Parameter x{"px", "m", 0, 2}, a{"a", "", 1, 100, ParameterScale::logarithmic},
        y{"py", "m", -1, 1}, b{"b", "K", 0, 3};
    x.kind = y.kind = ParameterKind::spatial;
    const Folder folder;
    auto writer = StudyWriter::create(
        folder / "s", {"scalar", StudyKind::scalar, ParameterSpace({x, a, y, b}), 5, ""});
    writer.addField(smallField("u", 1));
    runAllJobs(writer);
    compress(writer, {});
    writer.close();
    const std::shared_ptr<const sparse::Backend> backend = sparse::makeOmpBackend(test::onCpu(1));
    StudyFields fields(Study::open(folder / "s"), backend);
    const IndicatorShares shares(std::make_shared<ScalarSurrogate>(fields.study(), 0, *backend),
                                 scalarImageMesh(fields.study(), 0), 1 << 20);
    QCOMPARE(shares.entities(), fields.fields()[0].entities);
    const std::vector<std::vector<double>> values{{1, 7, 100}, {0, 1.4, 3}};
    for (std::size_t t = 0; t < 2; ++t) {
        const auto found = shares.along(t, values[t], std::vector{12.0, 0.7});
        for (std::size_t i = 0; i < found.size(); ++i) {
            std::vector at{12.0, 0.7};
            at[t] = values[t][i];
            const auto whole = wholeField(fields, at);
            QVERIFY(isNear(found[i].share(), indicatorShare(whole.indicator, whole.values)));
            QVERIFY(found[i].share() > 0);
        }
    }
}

void IndicatorShareTest::levelsThatAreNotCompleteAreNoIndicator_data()
{
    QTest::addColumn<bool>("isScalar");
    QTest::newRow("vector") << false;
    QTest::newRow("scalar") << true;
}

/// The indicator of a study that has grown is that of before, until the new points are compressed.
void IndicatorShareTest::levelsThatAreNotCompleteAreNoIndicator()
{
    QFETCH(bool, isScalar);
    const Folder folder;
    auto description = smallDescription(3);
    auto at = state;
    if (isScalar) {
        Parameter x{"px", "m", 0, 2}, a{"a", "", 1, 100}, y{"py", "m", -1, 1};
        x.kind = y.kind = ParameterKind::spatial;
        description = {"scalar", StudyKind::scalar, ParameterSpace({x, a, y}), 3, ""};
        at = {12.0};
    }
    auto writer = StudyWriter::create(folder / "s", description);
    if (!isScalar)
        writer.setMesh(encodeImageMesh({{width, height, 1}, {0, 0, 0}, {1, 1, 1}}));
    writer.addField(smallField("v", isScalar ? 1 : width * height));
    runAllJobs(writer);
    compress(writer, {});
    const std::shared_ptr<const sparse::Backend> backend = sparse::makeOmpBackend(test::onCpu(1));
    const auto shown = [&](bool isLoaded) {
        StudyFields fields(Study::open(folder / "s"), backend, isScalar ? 9 : 0);
        if (isLoaded && !isScalar)
            fields.surrogate(0)->loadAll(fields.study());
        return wholeField(fields, at);
    };
    const auto before = shown(true);
    QVERIFY(indicatorShare(before.indicator, before.values) > 1e-4);
    writer.growGrid(4, isScalar ? std::vector{4, 4, 4} : std::vector{4, 2, 4});
    for (const int done : {0, 2, 1000}) {
        for (int ran = 0; const auto &job : writer.jobs()) {
            if (job.state != JobState::done && ran++ < done)
                runJob(writer, job);
        }
        compress(writer, {});
        const auto first = shown(true);
        for (const bool isLoaded : {true, false}) {
            const auto now = shown(isLoaded);
            for (std::size_t i = 0; i < now.values.size(); ++i) {
                QVERIFY(std::abs(now.values[i] - first.values[i]) < 1e-5F);
                if (done < 1000)
                    QVERIFY(std::abs(now.indicator[i] - before.indicator[i]) < 1e-5F);
            }
        }
        if (done == 1000) // complete again
            QVERIFY(first.indicator != before.indicator && first.values != before.values);
    }
}

void IndicatorShareTest::itCanBeStopped()
{
    const Folder folder;
    const auto path = makeVectorStudy(folder);
    StudyFields fields(Study::open(path), sparse::makeOmpBackend(test::onCpu(1)));
    const auto surrogate = fields.surrogate(0);
    surrogate->loadAll(fields.study());
    const IndicatorShares shares(surrogate, fields.parameters(), 50);
    int asked = 0;
    QVERIFY(shares.along(0, tried[0], state, [&] { return ++asked == 3; }).empty());
    QCOMPARE(asked, 3);
}

void IndicatorShareTest::statesOutOfRangeAreErrors()
{
    const Folder folder;
    const auto path = makeVectorStudy(folder);
    StudyFields fields(Study::open(path), sparse::makeOmpBackend(test::onCpu(1)));
    const auto surrogate = fields.surrogate(0);
    surrogate->loadAll(fields.study());
    const IndicatorShares shares(surrogate, fields.parameters(), 50);
    GRIDHELM_EXPECT_ERROR(shares.along(0, std::vector{99.0}, state));
}

GRIDHELM_TEST(IndicatorShareTest)
#include "tst_indicator_share.moc"

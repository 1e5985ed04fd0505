// SPDX-License-Identifier: GPL-3.0-or-later
//
// A field at one place and many parameters, against the whole field at each of them.
#include "data/evaluate/study_fields.h"
#include "data/study/image_mesh.h"
#include "tests/core/expect_error.h"
#include "tests/core/on_cpu.h"
#include "tests/data/study_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

const std::vector<std::vector<double>> axes{{100, 233, 1000}, {0.5, 0.71, 1.5}, {0, 2.2, 5}};

bool isNear(float a, float b)
{
    return std::abs(a - b) <= 2e-5F * std::max(1.0F, std::abs(b));
}

} // namespace

class EntitySurrogateTest : public QObject
{
    Q_OBJECT

private slots:
    void vectorsAreThoseOfTheWholeField_data();
    void vectorsAreThoseOfTheWholeField();
    void scalarStudiesAreThoseOfTheWholeField();
    void missingCoefficientsCountZero();
    void readingCanBeStopped();
    void wrongUseIsAnError();
};

void EntitySurrogateTest::vectorsAreThoseOfTheWholeField_data()
{
    QTest::addColumn<int>("loadedGroups");
    QTest::newRow("from the file") << 0;
    QTest::newRow("a part of it in memory") << 2;
    QTest::newRow("from memory") << 3;
}

void EntitySurrogateTest::vectorsAreThoseOfTheWholeField()
{
    QFETCH(int, loadedGroups);
    const Folder folder;
    constexpr std::size_t width = 210, height = 105; // 3 * 22050: more than one part
    auto writer = StudyWriter::create(folder / "s", smallDescription(3));
    writer.setMesh(encodeImageMesh({{width, height, 1}, {0, 0, 0}, {1, 1, 1}}));
    writer.addField(smallField("v", width * height, 3));
    runAllJobs(writer);
    compress(writer, {});
    writer.close();
    const auto backend =
        std::shared_ptr<const sparse::Backend>(sparse::makeOmpBackend(test::onCpu(1)));
    StudyFields fields(Study::open(folder / "s"), backend);
    FieldSurrogate loaded(fields.study(), 0);
    loaded.load(fields.study(), loadedGroups);
    // The third one lies across two parts of the file.
    const auto across = (Study::partValues() - 1) / 3;
    QVERIFY(across * 3 < Study::partValues() && across * 3 + 2 >= Study::partValues());
    for (const std::uint64_t entity :
         {std::uint64_t{0}, std::uint64_t{777}, across, std::uint64_t{width * height - 1}}) {
        const auto one = fields.entity(0, entity, &loaded);
        QCOMPARE(one->components(), 3);
        std::vector<float> values(27 * 3);
        one->evaluate(axes, values);
        std::size_t i = 0;
        for (const double a : axes[0]) {
            for (const double b : axes[1]) {
                for (const double c : axes[2]) {
                    std::vector<float> whole(fields.fields()[0].values());
                    fields.evaluate(0, std::vector{a, b, c}, {whole});
                    for (std::size_t k = 0; k < 3; ++k, ++i)
                        QVERIFY2(isNear(values[i], whole[entity * 3 + k]),
                                 qPrintable(QString("%1 and %2 at %3")
                                                .arg(values[i])
                                                .arg(whole[entity * 3 + k])
                                                .arg(i)));
                }
            }
        }
    }
}

void EntitySurrogateTest::scalarStudiesAreThoseOfTheWholeField()
{
    const Folder folder;
    Parameter x{"x", "m", 0, 2}, a{"a", "", 1, 100, ParameterScale::logarithmic},
        y{"y", "m", -1, 1};
    x.kind = y.kind = ParameterKind::spatial;
    auto writer = StudyWriter::create(
        folder / "s", {"scalar", StudyKind::scalar, ParameterSpace({x, a, y}), 5, ""});
    writer.addField(smallField("u", 1));
    runAllJobs(writer);
    compress(writer, {});
    writer.close();
    const auto backend =
        std::shared_ptr<const sparse::Backend>(sparse::makeOmpBackend(test::onCpu(1)));
    StudyFields fields(Study::open(folder / "s"), backend);
    const auto entities = fields.fields()[0].entities;
    for (const std::uint64_t entity : {std::uint64_t{0}, entities / 3, entities - 1}) {
        const auto one = fields.entity(0, entity);
        std::vector<float> values(4), whole(entities);
        const std::vector<double> at{1, 7.5, 42, 100};
        one->evaluate({at}, values);
        for (std::size_t i = 0; i < at.size(); ++i) {
            fields.evaluate(0, std::vector{at[i]}, {whole});
            QVERIFY(isNear(values[i], whole[entity]));
        }
        GRIDHELM_EXPECT_ERROR(one->evaluate({at, at}, values));
        GRIDHELM_EXPECT_ERROR(one->evaluate({{0.5}}, std::span(values).first(1)));
    }
    GRIDHELM_EXPECT_ERROR(fields.entity(0, entities));
}

void EntitySurrogateTest::missingCoefficientsCountZero()
{
    const Folder folder;
    auto writer = StudyWriter::create(folder / "s", smallDescription(3));
    writer.addField(smallField("u", 10));
    const auto jobs = writer.jobs();
    for (std::size_t i = 0; i < jobs.size() / 2; ++i)
        runJob(writer, jobs[i]);
    compress(writer, {});
    const auto study = Study::open(folder / "s");
    QVERIFY(study.missingPoints(0) > 0);
    const auto one = makeEntitySurrogate(study, 0, 4, *sparse::makeOmpBackend(test::onCpu(1)));
    std::vector<float> value(1), whole(10);
    one->evaluate({{150}, {0.8}, {1.2}}, value);
    evaluateFromFile(study, 0, study.description().space.toUnit(std::vector{150.0, 0.8, 1.2}),
                     {whole}, CpuDevice{});
    QVERIFY(std::abs(whole[4]) > 0.1F);
    QVERIFY(isNear(value[0], whole[4]));
}

void EntitySurrogateTest::readingCanBeStopped()
{
    const Folder folder;
    auto writer = StudyWriter::create(folder / "s", smallDescription(3));
    writer.addField(smallField("u", 10));
    runAllJobs(writer);
    compress(writer, {});
    int asked = 0;
    QVERIFY(!makeEntitySurrogate(writer, 0, 4, *sparse::makeOmpBackend(test::onCpu(1)), nullptr,
                                 [&] { return ++asked == 5; }));
    QCOMPARE(asked, 5);
}

void EntitySurrogateTest::wrongUseIsAnError()
{
    const Folder folder;
    auto writer = StudyWriter::create(folder / "s", smallDescription(2));
    writer.addField(smallField("u", 10));
    runAllJobs(writer);
    compress(writer, {});
    const auto backend = sparse::makeOmpBackend(test::onCpu(1));
    GRIDHELM_EXPECT_ERROR(makeEntitySurrogate(writer, 0, 10, *backend));
    GRIDHELM_EXPECT_ERROR(makeEntitySurrogate(writer, 1, 0, *backend));
    const auto one = makeEntitySurrogate(writer, 0, 9, *backend);
    std::vector<float> values(3);
    GRIDHELM_EXPECT_ERROR(one->evaluate(axes, values)); // no room
    GRIDHELM_EXPECT_ERROR(one->evaluate({{99}, {1}, {1}}, std::span(values).first(1)));
}

GRIDHELM_TEST(EntitySurrogateTest)
#include "tst_entity_surrogate.moc"

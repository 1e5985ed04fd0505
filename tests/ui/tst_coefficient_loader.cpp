// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/image_mesh.h"
#include "tests/data/study_cases.h"
#include "tests/support/test_program.h"
#include "ui/steering/evaluation/coefficient_loader.h"

#include <QTest>

#include <atomic>
#include <filesystem>
#include <memory>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

namespace {

constexpr int waitMilliseconds = 20000;

std::filesystem::path makeLine(const Folder &folder)
{
    const auto path = folder / "line.gridhelm";
    auto writer = data::StudyWriter::create(path, smallDescription(4));
    writer.setMesh(data::encodeImageMesh({{7, 1, 1}, {0, 0, 0}, {1, 1, 1}}));
    writer.addField(smallField("u", 7));
    runAllJobs(writer);
    compress(writer, {});
    writer.close();
    return path;
}

} // namespace

class CoefficientLoaderTest : public QObject
{
    Q_OBJECT

private slots:
    void everyLevelIsAStep();
    void whoCannotReadSaysSo();
    void stoppingWaitsForNoLevel();
};

void CoefficientLoaderTest::everyLevelIsAStep()
{
    const Folder folder;
    const auto path = makeLine(folder);
    const auto surrogate = std::make_shared<data::FieldSurrogate>(data::Study::open(path), 0);
    const auto groups = surrogate->surrogate().groups();
    std::atomic<int> heard = 0;
    CoefficientLoader loader([&] { ++heard; });
    loader.load(path, {surrogate});
    QTRY_COMPARE_WITH_TIMEOUT(heard.load(), groups, waitMilliseconds);
    QCOMPARE(surrogate->loadedGroups(), groups);
    QCOMPARE(loader.steps(), static_cast<std::uint64_t>(groups));
    QVERIFY(!loader.hasFailed());
}

/// Else whoever waits for levels that never come would do so for ever.
void CoefficientLoaderTest::whoCannotReadSaysSo()
{
    const Folder folder;
    const auto path = makeLine(folder);
    const auto surrogate = std::make_shared<data::FieldSurrogate>(data::Study::open(path), 0);
    std::atomic<int> heard = 0;
    CoefficientLoader loader([&] { ++heard; });
    std::filesystem::remove(path);
    loader.load(path, {surrogate});
    QTRY_COMPARE_WITH_TIMEOUT(heard.load(), 1, waitMilliseconds);
    QVERIFY(loader.hasFailed());
    QCOMPARE(loader.steps(), 1U);
    loader.stop();
    QVERIFY(!loader.hasFailed());
}

void CoefficientLoaderTest::stoppingWaitsForNoLevel()
{
    const Folder folder;
    const auto path = makeLine(folder);
    std::atomic<int> heard = 0;
    for (int i = 0; i < 50; ++i) {
        const auto surrogate = std::make_shared<data::FieldSurrogate>(data::Study::open(path), 0);
        CoefficientLoader loader([&] { ++heard; });
        loader.load(path, {surrogate, surrogate});
        if (i % 2 == 0)
            loader.load(path, {surrogate}); // instead
    }
    const int atTheEnd = heard;
    QTest::qWait(10);
    QCOMPARE(heard.load(), atTheEnd);
}

GRIDHELM_TEST(CoefficientLoaderTest)

#include "tst_coefficient_loader.moc"

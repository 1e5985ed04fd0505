// SPDX-License-Identifier: GPL-3.0-or-later
//
// A field's error in one number: a percentile of all that was measured, as long as it is of the
// study as it is now.
#include "data/campaign/campaign_text.h"
#include "data/evaluate/accuracy.h"
#include "tests/data/study_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

/// Errors of 1, 2, ... %, the largest first.
void putErrors(StudyWriter &writer, ErrorKind kind, std::size_t places, std::uint64_t gridPoints)
{
    std::vector<ErrorFigure> figures;
    for (std::size_t i = places; i > 0; --i)
        figures.push_back({kind,
                           0,
                           {0.5, 0.5, 0.5},
                           0.01 * static_cast<double>(i),
                           static_cast<double>(i),
                           0.1,
                           gridPoints,
                           0});
    writer.putErrorFigures(figures);
}

StudyWriter compressedStudy(const std::filesystem::path &path)
{
    auto writer = StudyWriter::create(path, smallDescription(3));
    writer.addField(smallField("u", 40));
    runAllJobs(writer);
    compress(writer, {});
    return writer;
}

} // namespace

class AccuracyTest : public QObject
{
    Q_OBJECT

private slots:
    void itIsAPercentile_data();
    void itIsAPercentile();
    void validationPointsComeFirst();
    void whatWasMeasuredBeforeIsNot();
};

void AccuracyTest::itIsAPercentile_data()
{
    QTest::addColumn<int>("places");
    QTest::addColumn<int>("rank");
    QTest::newRow("one") << 1 << 1;
    QTest::newRow("eight: the largest") << 8 << 8;
    QTest::newRow("nine") << 9 << 9; // ceil(0.9 10)
    QTest::newRow("nineteen") << 19 << 18;
    QTest::newRow("twenty") << 20 << 19;
    QTest::newRow("many") << 200 << 181;
}

void AccuracyTest::itIsAPercentile()
{
    QFETCH(int, places);
    QFETCH(int, rank);
    const Folder folder;
    auto writer = compressedStudy(folder / "s");
    QVERIFY(!accuracyOf(writer, 0));
    putErrors(writer, ErrorKind::heldOut, static_cast<std::size_t>(places),
              writer.grid()->points());
    const auto found = accuracyOf(writer, 0);
    QVERIFY(found.has_value());
    QCOMPARE(found->relativeL2, 0.01 * rank);
    QCOMPARE(found->maximum, double(rank));
    QCOMPARE(found->places, static_cast<std::size_t>(places));
    QCOMPARE(found->isLargest(), places < 9);
}

void AccuracyTest::validationPointsComeFirst()
{
    const Folder folder;
    auto writer = compressedStudy(folder / "s");
    putErrors(writer, ErrorKind::leaveOneOut, 30, writer.grid()->points());
    QCOMPARE(accuraciesText(writer),
             std::string("accuracy: u: 28 % (90th percentile of the relative L2 error of 30 runs, "
                         "each predicted without itself)"));
    putErrors(writer, ErrorKind::indicator, 30, writer.grid()->points());
    putErrors(writer, ErrorKind::heldOut, 3, writer.grid()->points());
    QCOMPARE(accuraciesText(writer), std::string("accuracy: u: 3 % (largest relative L2 "
                                                 "error at 3 validation points)"));
}

void AccuracyTest::whatWasMeasuredBeforeIsNot()
{
    const Folder folder;
    auto writer = compressedStudy(folder / "s");
    putErrors(writer, ErrorKind::heldOut, 20, writer.grid()->points() - 1);
    QVERIFY(!accuracyOf(writer, 0));
    QCOMPARE(accuraciesText(writer), std::string());
}

GRIDHELM_TEST(AccuracyTest)
#include "tst_accuracy.moc"

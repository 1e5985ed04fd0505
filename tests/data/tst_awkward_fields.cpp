// SPDX-License-Identifier: GPL-3.0-or-later
//
// Fields that few bits are hard on: whatever they are, a study of them is compressed within the
// error that was allowed, or refused with a sentence.
#include "data/campaign/campaign_steps.h"
#include "data/compress/verify_modes.h"
#include "tests/core/expect_error.h"
#include "tests/data/modes_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

constexpr std::uint64_t nodes = 1100; // more than one group of blocks, and an odd end
constexpr double allowed = 1e-3;

float valueOf(const QString &kind, std::span<const double> x, std::uint64_t i)
{
    const double smooth = static_cast<double>(simulate(x, i));
    if (kind == "zeros")
        return 0;
    if (kind == "the same everywhere")
        return 3;
    if (kind == "20 decades") {
        const double decades = static_cast<double>(i % 41) / 2 - 10;
        return static_cast<float>((i % 3 == 0 ? -1 : 1) * std::pow(10.0, decades) * smooth);
    }
    if (kind == "one node")
        return i == 1057 ? static_cast<float>(smooth) : 0.0F;
    if (kind == "one snapshot is not 0") // the middle, on level 1
        return x[0] == 0.5 && x[1] == 0.5 && x[2] == 0.5 ? static_cast<float>(smooth) : 0.0F;
    if (kind == "tiny")
        return static_cast<float>(1e-36 * smooth);
    if (kind == "huge")
        return static_cast<float>(1e36 * smooth);
    return static_cast<float>(smooth);
}

std::vector<float> snapshotOf(const QString &kind, std::span<const double> x)
{
    std::vector<float> values(nodes);
    for (std::uint64_t i = 0; i < nodes; ++i)
        values[i] = valueOf(kind, x, i);
    return values;
}

void makeStudyOf(const std::filesystem::path &path, const QString &kind)
{
    auto description = smallDescription(4);
    if (kind == "one snapshot") { // of parameters without ends
        auto parameters = description.space.parameters();
        parameters.back().kind = ParameterKind::ordinary;
        description.space = ParameterSpace(parameters);
        description.level = 1;
    }
    auto writer = StudyWriter::create(path, description);
    setLine(writer, nodes);
    writer.addField(smallField("u", nodes));
    for (const auto &job : writer.jobs()) {
        writer.startJob(job.id);
        auto transaction = writer.transaction();
        for (const auto point : job.points)
            writer.putSnapshot(point, 0, snapshotOf(kind, coordinatesOf(writer, point)));
        writer.finishJob(job.id, "");
        transaction.commit();
    }
    CompressStep step;
    step.error = AddedErrorStep{allowed, false};
    compressStep(writer, step, {});
    writer.close();
}

/// Root of the sum of squares of a, or of what b differs from it.
double norm(const std::vector<float> &a, const std::vector<float> &b = {})
{
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double difference =
            static_cast<double>(a[i]) - (b.empty() ? 0.0 : static_cast<double>(b[i]));
        sum += difference * difference;
    }
    return std::sqrt(sum);
}

} // namespace

class AwkwardFieldsTest : public QObject
{
    Q_OBJECT

private slots:
    void allAreWithinWhatIsAllowed_data();
    void allAreWithinWhatIsAllowed();
    void whatIsNotFiniteIsRefused();
};

void AwkwardFieldsTest::allAreWithinWhatIsAllowed_data()
{
    QTest::addColumn<bool>("hasModes");
    for (const char *kind : {"smooth", "the same everywhere", "20 decades", "one node", "tiny",
                             "huge", "one snapshot", "one snapshot is not 0"})
        QTest::newRow(kind) << true;
    QTest::newRow("zeros") << false;
}

void AwkwardFieldsTest::allAreWithinWhatIsAllowed()
{
    QFETCH(bool, hasModes);
    const QString kind = QTest::currentDataTag();
    const Folder folder;
    makeStudyOf(folder / "s", kind);
    QCOMPARE(problemsOf(folder / "s"), std::string());
    StudyFields fields(Study::open(folder / "s"), omp());
    const auto &study = fields.study();
    const auto points = study.grid()->points();
    QCOMPARE(points == 1, kind == "one snapshot");
    QCOMPARE(study.modeSet(0) && study.modeSet(0)->quantised, hasModes);
    double squares = 0, worst = 0;
    for (std::uint64_t point = 0; point < points; ++point) {
        const auto snapshot = snapshotOf(kind, coordinatesOf(study, point));
        const auto at = study.description().space.valuesAt(*study.grid(), point);
        squares += std::pow(norm(snapshot), 2);
        worst = std::max(worst, norm(snapshot, evaluated(fields, at).values));
    }
    constexpr double rounding = 2e-6; // of coefficients in single precision
    QVERIFY(worst <= (allowed + rounding) * std::sqrt(squares / static_cast<double>(points)));
    QCOMPARE(worst > 0, hasModes); // some bits are gone
    for (const auto &verified : verifyModes(study, {}, CpuDevice{}, {}))
        QVERIFY(verified.isKept());
}

void AwkwardFieldsTest::whatIsNotFiniteIsRefused()
{
    const Folder folder;
    auto writer = StudyWriter::create(folder / "s", smallDescription(2));
    writer.addField(smallField("u", nodes));
    for (const float bad :
         {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        auto values = snapshotOf("smooth", coordinatesOf(writer, 0));
        values[nodes - 1] = bad;
        GRIDHELM_EXPECT_ERROR(writer.putSnapshot(0, 0, values));
        const auto id = writer.addHoldOut(std::vector{200.0, 1.0, 2.0});
        GRIDHELM_EXPECT_ERROR(writer.putHoldOut(id, 0, values));
    }
    std::vector<float> there(nodes);
    QVERIFY(!writer.readSnapshot(0, 0, there));
    writer.close();
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

GRIDHELM_TEST(AwkwardFieldsTest)
#include "tst_awkward_fields.moc"

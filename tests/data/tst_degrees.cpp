// SPDX-License-Identifier: GPL-3.0-or-later
//
// Treatments with other points and degrees in studies: they are stored, under a checksum, and
// another degree needs the snapshots alone.
#include "core/sparse/reference/literal.h"
#include "data/campaign/plan_file.h"
#include "data/compress/compress.h"
#include "data/study/study_writer.h"
#include "tests/core/expect_error.h"
#include "tests/data/study_cases.h"
#include "tests/data/study_forger.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <array>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

using enum sparse::BoundaryTreatment;

/// The small study with these treatments (of Re, lid and t) and degrees.
StudyDescription describe(const std::array<sparse::BoundaryTreatment, 3> &treatments,
                          const std::vector<int> &degrees, int level = 4)
{
    auto description = smallDescription(level);
    auto parameters = description.space.parameters();
    for (std::size_t t = 0; t < treatments.size(); ++t)
        parameters[t].treatment = treatments[t];
    description.space = ParameterSpace(parameters).withDegrees(degrees);
    return description;
}

StudyWriter compressed(const std::filesystem::path &path, const StudyDescription &description)
{
    auto writer = StudyWriter::create(path, description);
    writer.addField(smallField("u", 20));
    writer.addField(smallField("v", 7, 3));
    runAllJobs(writer);
    compress(writer, {});
    return writer;
}

std::string planWith(const std::string &keys)
{
    return "[[parameter]]\nname = \"x\"\n" + keys
           + "[[parameter]]\nname = \"strength\"\n[grid]\nlevel = 3\n"
             "[simulation]\nbuiltin = \"plate\"\nresolution = 9\nfixed = {width = 0.2}\n";
}

} // namespace

class DegreesTest : public QObject
{
    Q_OBJECT

private slots:
    void treatmentsAndDegreesComeBack()
    {
        const Folder folder;
        auto description = describe({leja, clenshawCurtis, boundary}, {1, 3, 2});
        auto parameters = description.space.parameters();
        parameters[2].treatment = std::nullopt; // that of the kind, with a degree all the same
        description.space = ParameterSpace(parameters);
        StudyWriter::create(folder / "s", description).close();
        const auto study = Study::open(folder / "s");
        QVERIFY(study.description().space == description.space);
        QCOMPARE(study.grid()->degrees(), (std::vector{1, 3, 2}));
        QCOMPARE(study.grid()->points(), sparse::SparseGrid(description.space.shape(4)).points());
        QCOMPARE(problemsOf(folder / "s"), std::string());
    }

    void changedDegreesInTheFileAreDamage()
    {
        const Folder folder;
        compressed(folder / "s", describe({boundary, boundary, boundary}, {3, 1, 1}, 2)).close();
        Forger(folder / "s").execute("UPDATE parameters SET degree = 2 WHERE dimension = 0");
        GRIDHELM_EXPECT_ERROR(Study::open(folder / "s"));
    }

    void degreesThatThereAreNotAreErrors_data()
    {
        QTest::addColumn<QString>("treatment");
        QTest::addColumn<int>("degree");
        QTest::newRow("cubic modified") << "modified" << 3;
        QTest::newRow("parabolic leja") << "leja" << 2;
        QTest::newRow("unknown") << "round" << 1;
    }
    void degreesThatThereAreNotAreErrors()
    {
        QFETCH(QString, treatment);
        QFETCH(int, degree);
        const Folder folder;
        StudyWriter::create(folder / "s", describe({boundary, boundary, boundary}, {1})).close();
        {
            Forger forger(folder / "s");
            forger.execute("UPDATE parameters SET treatment = '" + treatment.toStdString()
                           + "', degree = " + std::to_string(degree) + " WHERE dimension = 0");
            forger.correctChecksums();
        }
        GRIDHELM_EXPECT_ERROR(Study::open(folder / "s"));
    }

    void coefficientsAreTheHierarchicalOnes()
    {
        const Folder folder;
        const auto writer =
            compressed(folder / "s", describe({clenshawCurtis, leja, boundary}, {3, 1, 2}, 5));
        const auto grid = writer.grid();
        std::vector<double> values(grid->points());
        for (std::uint64_t point = 0; point < grid->points(); ++point)
            values[point] = static_cast<double>(simulate(coordinatesOf(writer, point), 11));
        sparse::reference::hierarchize<double>(*grid, values);
        std::vector<float> coefficients(20);
        for (std::uint64_t point = 0; point < grid->points(); ++point) {
            QVERIFY(writer.readCoefficients(point, 0, coefficients));
            QVERIFY(std::abs(static_cast<double>(coefficients[11]) - values[point]) < 2e-6);
        }
    }

    void anotherDegreeEqualsOneGo()
    {
        const Folder folder;
        const std::array treatments{clenshawCurtis, boundary, zero};
        auto expected = compressed(folder / "one go", describe(treatments, {3, 1, 2}));
        auto writer = compressed(folder / "s", describe(treatments, {1}));
        writer.putErrorFigures(
            std::vector{ErrorFigure{ErrorKind::indicator, 0, {300.0, 1.0, 2.0}, 1, 1, 1, 7, 0}});
        QVERIFY(allCoefficients(writer) != allCoefficients(expected));
        QVERIFY(writer.setDegrees(std::vector{3, 1, 2}));
        QVERIFY(writer.errorFigures().empty()); // they were those of other coefficients
        const auto report = compress(writer, {});
        QCOMPARE(report.computed, 2 * writer.grid()->points());
        QCOMPARE(allCoefficients(writer), allCoefficients(expected));
        QVERIFY(!writer.setDegrees(std::vector{3, 1, 2})); // as they are: nothing is lost
        QCOMPARE(allCoefficients(writer), allCoefficients(expected));
        writer.close();
        const auto study = Study::open(folder / "s");
        QCOMPARE(study.description().space.degrees(), (std::vector{3, 1, 2}));
        QCOMPARE(study.grid()->degrees(), (std::vector{3, 1, 2}));
        QCOMPARE(problemsOf(folder / "s"), std::string());
    }

    void aScalarStudyTakesAnotherDegree()
    {
        const Folder folder;
        Parameter a{"a", "", 0, 1}, x{"x", "m", 0, 2};
        x.kind = ParameterKind::spatial;
        const auto make = [&](const std::string &name, int degree) {
            auto space = ParameterSpace({a, x}).withDegrees(std::vector{1, degree});
            auto writer =
                StudyWriter::create(folder / name, {"scalar", StudyKind::scalar, space, 5, ""});
            writer.addField(smallField("u", 1));
            runAllJobs(writer);
            compress(writer, {});
            return writer;
        };
        auto expected = make("one go", 3);
        auto writer = make("s", 1);
        writer.setDegrees(std::vector{1, 3});
        compress(writer, {});
        QCOMPARE(allCoefficients(writer), allCoefficients(expected));
    }

    void withoutSnapshotsTheDegreeStays()
    {
        const Folder folder;
        auto writer = compressed(folder / "s", describe({boundary, boundary, boundary}, {1}, 2));
        const auto before = allCoefficients(writer);
        writer.dropSnapshots();
        GRIDHELM_EXPECT_ERROR(writer.setDegrees(std::vector{3}));
        GRIDHELM_EXPECT_ERROR(writer.setDegrees(std::vector{3, 3}));
        QCOMPARE(allCoefficients(writer), before);
        QCOMPARE(writer.description().space.degrees(), (std::vector{1, 1, 1}));
    }

    void oneDegreeForAllIsForThoseThatHaveIt()
    {
        const Folder folder;
        auto writer = compressed(folder / "s", describe({modified, boundary, boundary}, {1}, 2));
        QVERIFY(writer.setDegrees(std::vector{3}));
        QCOMPARE(writer.description().space.degrees(), (std::vector{1, 3, 3}));
        GRIDHELM_EXPECT_ERROR(writer.setDegrees(std::vector{3, 3, 3}));
    }

    void grownGridsKeepTheirDegree()
    {
        const Folder folder;
        auto writer = compressed(folder / "s", describe({clenshawCurtis, leja, zero}, {3}, 2));
        writer.growGrid(4, std::vector{4, 4, 3});
        runAllJobs(writer);
        compress(writer, {});
        auto description = describe({clenshawCurtis, leja, zero}, {3}, 4);
        description.space = description.space.withLevelCaps(std::vector{4, 4, 3});
        const auto expected = compressed(folder / "one go", description);
        QCOMPARE(writer.grid()->degrees(), expected.grid()->degrees());
        QCOMPARE(allCoefficients(writer), allCoefficients(expected));
    }

    void plansSayThem()
    {
        const auto plan =
            parsePlan(planWith("treatment = \"clenshaw-curtis\"\ndegree = 3\n"), "p.toml", "/");
        QVERIFY(plan.description.space[0].treatment == clenshawCurtis);
        QCOMPARE(plan.description.space[0].degree, 3);
        QCOMPARE(plan.description.space[1].degree, 1);
        QCOMPARE(parsePlan(planWith("treatment = \"leja\"\ncap = 64\n"), "p.toml", "/")
                     .description.space[0]
                     .levelCap,
                 std::optional(64));
        for (const char *keys :
             {"degree = 3\n", "treatment = \"leja\"\ndegree = 2\n",
              "treatment = \"boundary\"\ndegree = 4\n", "treatment = \"boundary\"\ndegree = 0\n",
              "treatment = \"boundary\"\ndegree = \"3\"\n", "treatment = \"boundary\"\ncap = 31\n"})
            GRIDHELM_EXPECT_ERROR(parsePlan(planWith(keys), "p.toml", "/"));
    }
};

GRIDHELM_TEST(DegreesTest)
#include "tst_degrees.moc"

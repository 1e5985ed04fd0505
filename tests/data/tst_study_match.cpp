// SPDX-License-Identifier: GPL-3.0-or-later
//
// Measurements beside a study's responses: what is read for them, and how often.
#include "data/answers/study_match.h"

#include "data/answers/measurements.h"
#include "tests/core/on_cpu.h"
#include "tests/data/study_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <atomic>
#include <string>
#include <vector>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

constexpr std::uint64_t entities = 40;

/// A point is a node and a half of its neighbour.
ResponseSamples samplesOf(Association of)
{
    ResponseSamples samples;
    samples.association = of;
    samples.shares = {{3, 0.5}, {4, 0.5}};
    samples.first.push_back(2);
    samples.weights = {1};
    return samples;
}

StudyWriter madeStudy(const std::filesystem::path &path)
{
    auto writer = StudyWriter::create(path, smallDescription(4));
    writer.addField(smallField("u", entities));
    writer.addField(smallField("v", entities, 3));
    runAllJobs(writer);
    compress(writer, {});
    return writer;
}

} // namespace

class StudyMatchTest : public QObject
{
    Q_OBJECT

private slots:
    void equalMeasurementsShareAResponse();
};

/// Each line has a response of its own name, and its place on the mesh is looked for once.
void StudyMatchTest::equalMeasurementsShareAResponse()
{
    const Folder folder;
    const auto writer = madeStudy(folder / "study.gridhelm");
    std::atomic<int> places = 0;
    const SamplesOfMesh counting = [&](Association of, const answers::ResponsePlace &, SlopeAxes,
                                       const GeometryValues &) {
        ++places;
        return samplesOf(of);
    };
    const auto matched = [&](const std::string &lines) {
        places = 0;
        return matchOf(writer,
                       parseMeasurements("quantity,x,y,z,t,value,sd\n" + lines, "t", writer),
                       counting, onCpu());
    };
    const auto apart = matched("u,0,0,0,,1,1\nv_z,0,0,0,,2,1\n");
    QCOMPARE(places.load(), 2);
    const auto match =
        matched("u,0,0,0,,1,1\nv_z,0,0,0,,2,1\nu,0,0,0,,3,1\nu,0,0,0,2,4,1\nv_z,0,0,0,2,5,1\n");
    QCOMPARE(places.load(), 2);
    const std::vector x{0.2, 0.7, 0.4};
    const auto two = apart.matching->predicted(x), five = match.matching->predicted(x);
    QCOMPARE(five.size(), std::size_t{5});
    for (std::size_t i = 0; i < 5; ++i) {
        const auto &measurement = match.measurements[i];
        const bool isOfU = measurement.response.expression == "u";
        QCOMPARE(measurement.value, static_cast<double>(measurement.line - 1));
        if (!measurement.known[2])
            QCOMPARE(five[i], two[isOfU ? 0 : 1]);
    }
    QCOMPARE(match.measurements[2].response.name, std::string("line-4"));
}

GRIDHELM_TEST(StudyMatchTest)
#include "tst_study_match.moc"

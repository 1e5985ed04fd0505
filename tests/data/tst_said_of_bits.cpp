// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is said of rows in few bits: how large they are, where their bound holds, and whether it was
// measured.
#include "data/campaign/campaign_steps.h"
#include "data/campaign/campaign_text.h"
#include "data/compress/quantise_modes.h"
#include "data/compress/verify_modes.h"
#include "tests/core/expect_error.h"
#include "tests/data/modes_cases.h"
#include "tests/data/study_forger.h"
#include "tests/data/unlike_studies.h"

#include <QTest>

#include <filesystem>
#include <string>
#include <vector>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

void addBits(const std::filesystem::path &path, double allowed)
{
    auto writer = StudyWriter::open(path);
    CompressStep step;
    step.error = AddedErrorStep{allowed, false};
    compressStep(writer, step, {});
    writer.close();
}

} // namespace

class SaidOfBitsTest : public QObject
{
    Q_OBJECT

private slots:
    void moreBytesThanAreSaidAreFound();
    void unknownVolumesAreSaid();
    void itIsSaidWhereTheBoundHolds();
};

void SaidOfBitsTest::moreBytesThanAreSaidAreFound()
{
    const Folder folder;
    makeStudy(folder / "modes", 3);
    makeUnlike(folder / "rows", 3);
    addBits(folder / "modes", 1e-3);
    addBits(folder / "rows", 0.02);
    QVERIFY(Study::open(folder / "modes").modeSet(0));
    QVERIFY(Study::open(folder / "rows").quantisedCoefficients(0));
    for (const std::string name : {"modes", "rows"}) {
        loadFirstField(folder / name);
        Forger forger(folder / name);
        forger.execute(name == "modes" ? "UPDATE quantised_modes SET frame_bytes = 1"
                                       : "UPDATE quantised_rows SET row_bytes = 1");
        forger.correctChecksums();
        forger.writer().close();
        QVERIFY(isRefused([&] { loadFirstField(folder / name); }, "larger than it says"));
        QVERIFY(problemsOf(folder / name).find("larger than the study says") != std::string::npos);
    }
}

void SaidOfBitsTest::unknownVolumesAreSaid()
{
    const Folder folder;
    QuantiseOptions options;
    options.allowed = 1e-3;
    options.volumes = [](const Mesh &mesh, Association) {
        std::vector<double> volumes(mesh.points, 1.0);
        volumes.front() = 2;
        return volumes;
    };
    {
        auto writer = StudyWriter::create(folder / "s", smallDescription(3));
        writer.setMesh({"foreign", "bytes", 600, 1});
        writer.addField(smallField("u", 600));
        runAllJobs(writer);
        compress(writer, {});
        ModesOptions exact;
        exact.cut = cutForError(options.allowed);
        exact.volumes = options.volumes;
        storeModes(writer, exact);
        QVERIFY(quantiseModes(writer, 0, options).isQuantised);
        writer.close();
    }
    const auto study = Study::open(folder / "s");
    QVERIFY(study.modeSet(0)->byVolumes);
    const auto unknown = verifyModes(study, {}, CpuDevice{}, {}).at(0);
    QCOMPARE(unknown.beside, VerifiedBeside::unknownVolumes);
    QVERIFY(!unknown.isMeasured() && unknown.isKept());
    const auto text = verifiedText(unknown, "u");
    QVERIFY(text.find("volumes") != std::string::npos);
    QVERIFY(text.find("not kept") == std::string::npos);
    const auto known = verifyModes(study, options.volumes, CpuDevice{}, {});
    QCOMPARE(known.at(0).beside, VerifiedBeside::snapshots);
    QVERIFY(known[0].isMeasured() && known[0].isKept());
}

void SaidOfBitsTest::itIsSaidWhereTheBoundHolds()
{
    const Folder folder;
    makeStudy(folder / "s", 3);
    addBits(folder / "s", 1e-3);
    const auto study = Study::open(folder / "s");
    const std::string bound = "which adds at most 0.1 % at its snapshots and hold-outs";
    QVERIFY(surrogateText(study, 0).ends_with(bound));
    const auto text = modesText(*study.modeSet(0), "u");
    QVERIFY(text.find(bound) != std::string::npos);
    QVERIFY(text.find("leave-one-out errors of a sparse grid do not") != std::string::npos);
}

QTEST_GUILESS_MAIN(SaidOfBitsTest)
#include "tst_said_of_bits.moc"

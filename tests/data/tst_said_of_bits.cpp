// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is said of rows in few bits: how large they are, where their bound holds, and whether it was
// measured.
#include "data/campaign/campaign_steps.h"
#include "data/campaign/campaign_text.h"
#include "data/compress/quantise_modes.h"
#include "data/compress/quantise_rows.h"
#include "data/compress/verify_modes.h"
#include "tests/core/expect_error.h"
#include "tests/data/modes_cases.h"
#include "tests/data/study_forger.h"
#include "tests/data/unlike_studies.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cstdint>
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
    void aStopIsHeardWhileTheyAreWritten();
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
    const std::string bound = "which adds at most 0.1 % at its snapshots and validation points";
    QVERIFY(surrogateText(study, 0).ends_with(bound));
    const auto text = modesText(*study.modeSet(0), "u");
    QVERIFY(text.find(bound) != std::string::npos);
    QVERIFY(text.find("leave-one-out errors of a sparse grid do not") != std::string::npos);
}

void SaidOfBitsTest::aStopIsHeardWhileTheyAreWritten()
{
    const Folder folder;
    makeUnlike(folder / "s", 2, 35'000, 2); // two parts
    addModes(folder / "s");
    std::filesystem::copy_file(folder / "s", folder / "whole");
    const auto countOf = [](const StudyWriter &writer, const std::string &table) {
        auto row = writer.file().query(("SELECT count(*) FROM " + table).c_str());
        row.step();
        return row.integer(0);
    };
    for (const std::string table : {"modes", "quantised_coefficients"}) {
        auto whole = StudyWriter::open(folder / "whole"), writer = StudyWriter::open(folder / "s");
        const auto quantised = [&](StudyWriter &of, const QuantiseOptions &options) {
            return table == "modes" ? quantiseModes(of, 0, options)
                                    : quantiseRows(of, 0, options, 1e12);
        };
        QuantiseOptions options;
        options.allowed = 2e-3;
        const auto before = countOf(writer, table);
        std::int64_t all = 0, first = 0;
        options.progress = [&](double) {
            all = std::max(all, countOf(whole, table) - before);
            return true;
        };
        QVERIFY(quantised(whole, options).isQuantised);
        options.progress = [&](double) {
            first = countOf(writer, table) - before;
            return first == 0;
        };
        QVERIFY(quantised(writer, options).cancelled);
        QVERIFY2(first > 0 && first < all, qPrintable(QString("%1 of %2").arg(first).arg(all)));
        QCOMPARE(countOf(writer, table), before);
        whole.close();
        std::filesystem::remove(folder / "whole");
        writer.close();
        std::filesystem::copy_file(folder / "s", folder / "whole");
    }
}

GRIDHELM_TEST(SaidOfBitsTest)
#include "tst_said_of_bits.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where modes lie in a study's file: one after the other, so that the leading ones are read without
// the others.
#include "data/compress/quantise_modes.h"
#include "data/study/study_file.h"
#include "tests/data/modes_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

constexpr std::uint64_t severalParts = 70'000;

/// Raw, and no value like another, so that they can be found in the file.
void makeRawModes(const std::filesystem::path &path)
{
    auto writer = StudyWriter::create(path, smallDescription(2));
    setLine(writer, severalParts);
    writer.addField(smallField("u", severalParts));
    for (const auto &job : writer.jobs()) {
        writer.startJob(job.id);
        for (const auto point : job.points) {
            auto values = snapshotAt(coordinatesOf(writer, point), writer, 0);
            for (std::uint64_t i = 0; i < severalParts; ++i)
                values[i] *= 1 + 1e-5F * static_cast<float>(i);
            writer.putSnapshot(point, 0, values);
        }
        writer.finishJob(job.id, "");
    }
    compress(writer, {});
    writer.setSnapshotEncoding(BlobEncoding::raw);
    storeModes(writer, ModesOptions{});
    writer.close();
}

void addBits(StudyWriter &writer, FieldIndex field)
{
    QuantiseOptions options;
    options.allowed = 1e-3;
    QVERIFY(quantiseModes(writer, field, options).isQuantised);
}

using ModePart = std::pair<std::int64_t, std::int64_t>;

/// As rows follow each other in the table.
std::vector<ModePart> partsOf(const Study &study)
{
    std::vector<ModePart> parts;
    for (auto row = study.file().query("SELECT mode, part FROM modes ORDER BY id"); row.step();)
        parts.emplace_back(row.integer(0), row.integer(1));
    return parts;
}

/// Where the middle of each part begins in the file, mode by mode.
std::vector<std::size_t> placesInFile(const std::filesystem::path &path)
{
    const auto bytes = bytesOf(path);
    const std::string_view whole(bytes.data(), bytes.size());
    const auto study = Study::open(path);
    std::vector<std::size_t> places;
    for (std::uint64_t mode = 0; mode < study.modeSet(0)->modes(); ++mode) {
        for (std::uint64_t part = 0; part < study.parts(0); ++part) {
            std::vector<float> values(study.valuesInPart(0, part));
            study.readModePart(0, mode, part, values);
            const auto *middle = values.data() + values.size() / 2;
            constexpr std::size_t some = 8;
            places.push_back(whole.find(
                std::string_view(reinterpret_cast<const char *>(middle), some * sizeof(float))));
        }
    }
    return places;
}

} // namespace

class ModesInFileTest : public QObject
{
    Q_OBJECT

private slots:
    void modesFollowEachOther_data();
    void modesFollowEachOther();
    void compactedTheyLieOneAfterTheOther();
    void noRowLosesItsPlace();
    void whatIsUnusedGoesBackToTheDisk();
};

void ModesInFileTest::modesFollowEachOther_data()
{
    QTest::addColumn<bool>("inFewBits");
    QTest::newRow("exact") << false;
    QTest::newRow("in few bits") << true;
}

void ModesInFileTest::modesFollowEachOther()
{
    QFETCH(bool, inFewBits);
    const Folder folder;
    makeRawModes(folder / "s");
    auto writer = StudyWriter::open(folder / "s");
    if (inFewBits)
        addBits(writer, 0);
    const auto parts = partsOf(writer);
    QVERIFY(writer.parts(0) == 2 && writer.modeSet(0)->modes() > 1);
    QCOMPARE(parts.size(), writer.modeSet(0)->modes() * 2);
    QVERIFY(std::ranges::is_sorted(parts));
}

void ModesInFileTest::compactedTheyLieOneAfterTheOther()
{
    const Folder folder;
    makeRawModes(folder / "s");
    QVERIFY(!std::ranges::is_sorted(placesInFile(folder / "s"))); // as they were computed
    auto writer = StudyWriter::open(folder / "s");
    writer.compact();
    writer.close();
    const auto places = placesInFile(folder / "s");
    QVERIFY(!places.empty() && places.back() != std::string_view::npos);
    QVERIFY(std::ranges::is_sorted(places));
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

/// An older program numbers rows one by one, and so may have given a place away.
void ModesInFileTest::noRowLosesItsPlace()
{
    const Folder folder;
    auto writer = StudyWriter::create(folder / "s", smallDescription(3));
    writer.addField(smallField("u", 600));
    writer.addField(smallField("v", 600));
    runAllJobs(writer);
    compress(writer, {});
    storeModes(writer, ModesOptions{});
    auto first = writer.file().query("SELECT id FROM modes WHERE field = 0 AND mode = 0");
    QVERIFY(first.step());
    const auto place = first.integer(0);
    std::vector<float> expected(600), there(600);
    writer.readMode(1, 0, expected);
    {
        auto transaction = writer.transaction();
        writer.removeModes(0);
        writer.file()
            .query("UPDATE modes SET id = ? WHERE field = 1 AND mode = 0")
            .bind(place)
            .run();
        transaction.commit();
    }
    storeModes(writer, 0, ModesOptions{});
    writer.readMode(1, 0, there);
    QVERIFY(there == expected);
    writer.close();
    QCOMPARE(problemsOf(folder / "s"), std::string());
    loadFirstField(folder / "s");
}

void ModesInFileTest::whatIsUnusedGoesBackToTheDisk()
{
    const Folder folder;
    makeRawModes(folder / "s");
    auto writer = StudyWriter::open(folder / "s");
    const auto whole = std::filesystem::file_size(folder / "s");
    QCOMPARE(writer.compactIfWorthwhile(), std::string()); // nothing is unused
    QCOMPARE(std::filesystem::file_size(folder / "s"), whole);
    addBits(writer, 0);
    writer.close();
    const auto before = std::filesystem::file_size(folder / "s");
    const auto modes = modesOf(folder / "s");
    writer = StudyWriter::open(folder / "s");
    QCOMPARE(writer.compactIfWorthwhile(), std::string());
    writer.close();
    QVERIFY(10 * std::filesystem::file_size(folder / "s") < 9 * before);
    QVERIFY(modesOf(folder / "s") == modes);
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

GRIDHELM_TEST(ModesInFileTest)
#include "tst_modes_in_file.moc"

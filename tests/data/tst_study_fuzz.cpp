// SPDX-License-Identifier: GPL-3.0-or-later
//
// Studies, rows, logs and journals that are damaged at random: a sentence, no crash, no hang, no
// other value, and no change.
#include "data/study/schema.h"
#include "data/study/study_writer.h"
#include "tests/core/damage.h"
#include "tests/core/watchdog.h"
#include "tests/data/forged_rows.h"
#include "tests/data/full_studies.h"
#include "tests/data/hostile_files.h"
#include "tests/data/study_contents.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

/// Whether some value can be read without an error that is not what it was: the worst of all. What
/// cannot be read, or is missing, is said elsewhere.
std::string falseValueIn(const std::filesystem::path &path,
                         const std::map<std::string, std::string> &truth)
{
    try {
        for (const auto &[name, bytes] : contentsOf(Study::open(path))) {
            const auto found = truth.find(name);
            const bool isOfValues = !name.starts_with("job ") && !name.ends_with(", state");
            if (isOfValues && (found == truth.end() || found->second != bytes))
                return name + " is another one, and nobody says so";
        }
    } catch (const Error &) {
        // As it should be.
    }
    return {};
}

/// Uses the file, for reading and for writing; what is wrong with that, or nothing. `opened` counts
/// files that could be opened.
std::string problemOfUsing(const std::filesystem::path &path, const std::string &name, int &opened)
{
    const auto before = bytesOf(path);
    {
        const Watchdog watchdog(name, 30); // instrumented, on a busy machine
        opened += useEverything(path) ? 1 : 0;
    }
    if (bytesOf(path) != before)
        return "a reader has changed the file";
    try {
        const Watchdog watchdog(name + ", writing", 30);
        StudyWriter::open(path).close();
    } catch (const Error &) {
        if (bytesOf(path) != before)
            return "a writer that refused the file has changed it";
    }
    for (const char *suffix : {"-wal", "-shm", "-journal", "-writer"})
        std::filesystem::remove(path.string() + suffix);
    return {};
}

} // namespace

class StudyFuzzTest : public QObject
{
    Q_OBJECT

private slots:
    void damagedFilesAreNotChanged();
    void damagedRowsAreNotBelieved();
    void damagedLogsAndJournalsAreNotBelieved();
};

void StudyFuzzTest::damagedFilesAreNotChanged()
{
    const Folder folder;
    makeFullStudy(folder / "vector");
    makeFullScalarStudy(folder / "scalar");
    const std::vector studies{bytesOf(folder / "vector"), bytesOf(folder / "scalar")};
    const std::vector truths{contentsOf(Study::open(folder / "vector")),
                             contentsOf(Study::open(folder / "scalar"))};
    Random random(isLong() ? 3 : 4);
    const int cases = isLong() ? 4500 : 120;
    int opened = 0;
    for (int i = 0; i < cases; ++i) {
        const std::size_t which = random.chance(0.7) ? 0 : 1;
        auto damaged = studies[which];
        if (random.chance(0.5))
            damagePages(random, damaged, schema::pageBytes);
        else
            damageBytes(random, damaged);
        writeBytes(folder / "damaged", damaged);
        auto problem = falseValueIn(folder / "damaged", truths[which]);
        if (problem.empty())
            problem = problemOfUsing(folder / "damaged", "file " + std::to_string(i), opened);
        if (!problem.empty()) {
            writeBytes("damaged-study", damaged);
            QFAIL((problem + " (kept as damaged-study)").c_str());
        }
    }
    qInfo("%d damaged files, of which %d can be opened", cases, opened);
    QVERIFY(opened > 0 && opened < cases);
}

void StudyFuzzTest::damagedRowsAreNotBelieved()
{
    const Folder folder;
    makeFullStudy(folder / "vector");
    growAndSubmit(folder / "vector");
    makeFullScalarStudy(folder / "scalar");
    Random random(isLong() ? 5 : 6);
    const int cases = isLong() ? 3000 : 60;
    int opened = 0;
    for (int i = 0; i < cases; ++i) {
        const auto path = folder / "damaged";
        std::filesystem::copy_file(folder / (random.chance(0.7) ? "vector" : "scalar"), path,
                                   std::filesystem::copy_options::overwrite_existing);
        forgeRows(random, path);
        const auto bytes = bytesOf(path);
        const auto problem = problemOfUsing(path, "rows " + std::to_string(i), opened);
        if (!problem.empty()) {
            writeBytes("damaged-study", bytes);
            QFAIL((problem + " (kept as damaged-study)").c_str());
        }
    }
    qInfo("%d studies with damaged rows, of which %d can be opened", cases, opened);
    QVERIFY(opened > 0 && opened < cases);
}

/// What a killed writer left, damaged: a commit is there as it was, or not at all.
void StudyFuzzTest::damagedLogsAndJournalsAreNotBelieved()
{
    const Folder folder;
    const auto path = folder / "s";
    makeFullStudy(path);
    const auto before = bytesOf(path);
    const auto truth = contentsOf(Study::open(path));
    const std::string name = path.string();
    Random random(isLong() ? 8 : 9);
    int opened = 0;
    for (const std::string end : {"-wal", "-journal"}) {
        writeBytes(path, before);
        if (end == "-wal")
            leaveLog(path);
        else
            leaveJournal(path);
        const auto study = bytesOf(path), beside = bytesOf(name + end);
        QVERIFY(!beside.empty());
        const int cases = isLong() ? 1000 : 20;
        for (int i = 0; i < cases; ++i) {
            auto damaged = beside;
            if (random.chance(0.3)) // of a journal's header, where all of it begins
                damaged[random.index(std::min<std::size_t>(damaged.size(), 64))] =
                    static_cast<char>(random.integer(0, 255));
            else
                damageBytes(random, damaged);
            writeBytes(path, study);
            writeBytes(name + end, damaged);
            auto problem = falseValueIn(path, truth);
            if (problem.empty() && bytesOf(name + end) != damaged)
                problem = "a reader has changed what is beside the study";
            if (problem.empty())
                problem = problemOfUsing(path, end + " " + std::to_string(i), opened);
            if (!problem.empty()) {
                writeBytes("damaged-study", study);
                writeBytes("damaged-study" + end, damaged);
                QFAIL((problem + " (kept as damaged-study)").c_str());
            }
        }
    }
    QVERIFY(opened > 0);
}

GRIDHELM_TEST(StudyFuzzTest)
#include "tst_study_fuzz.moc"

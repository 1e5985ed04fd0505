// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where commands work: nothing outside of it is written or removed, and what stays in it is meant
// to stay.
#include "data/campaign/bounded_log.h"
#include "data/campaign/runner_registry.h"
#include "data/campaign/work_folder.h"
#include "data/study/storage_error.h"
#include "tests/data/foreign_plans.h"
#include "tests/data/run_one.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

namespace fs = std::filesystem;

/// One job of a plan; its study need not be there.
RunStatus runJob(const fs::path &study, const std::string &simulation, bool keepFolders = false,
                 const std::string &job = "job-1")
{
    const auto plan = parsePlan(commandPlan(simulation), "plan", study.parent_path());
    RunnerOptions options{workFolderOf(study), keepFolders, readNumber};
    const auto runner = makeJobRunner(plan, options);
    return test::runOne(*runner, {job, {1.0}, {}});
}

std::vector<std::string> filesBelow(const fs::path &folder)
{
    std::vector<std::string> names;
    for (const auto &entry : fs::recursive_directory_iterator(folder))
        names.push_back(entry.path().lexically_relative(folder).string());
    std::ranges::sort(names);
    return names;
}

} // namespace

class WorkFolderTest : public QObject
{
    Q_OBJECT

private slots:
    void aLinkInPlaceOfTheFolderIsRefused()
    {
        const Folder folder;
        writeText(folder / "victim/job-1/precious", "p");
        fs::create_directory_symlink(folder / "victim", folder / "s.jobs");
        const auto said =
            errorOf([&] { runJob(folder / "s", "command = 'echo 1 > out'\nresult = \"out\"\n"); });
        QVERIFY2(said.find("symbolic link") != said.npos, said.c_str());
        QCOMPARE(textIn(folder / "victim/job-1/precious"), std::string("p"));

        fs::remove(folder / "s.jobs");
        writeText(folder / "s.jobs", "a file");
        QVERIFY(!errorOf([&] {
                     runJob(folder / "s", "command = 'echo 1 > out'\nresult = \"out\"\n");
                 }).empty());
        QCOMPARE(textIn(folder / "s.jobs"), std::string("a file"));
    }

    void linksInItAreRemovedAndNotFollowed()
    {
        const Folder folder;
        writeText(folder / "victim/precious", "p");
        fs::create_directories(folder / "s.jobs");
        fs::create_directory_symlink(folder / "victim", folder / "s.jobs/job-1");
        const auto ended = runJob(folder / "s", "command = 'ln -s ../../victim v; echo 1 > out'\n"
                                                "result = \"out\"\n");
        QVERIFY(ended.state == RunState::finished);
        QCOMPARE(textIn(folder / "victim/precious"), std::string("p"));
        QVERIFY(!fs::exists(folder / "s.jobs"));
    }

    void templatesAreNotWrittenThroughLinks()
    {
        const Folder folder;
        writeText(folder / "shared/data", "old");
        writeText(folder / "one/case/x", "x");
        fs::create_directory_symlink(folder / "shared", folder / "one/case/deep");
        writeText(folder / "two/case/deep/data", "new");
        const auto ended = runJob(folder / "s", "command = 'echo 1 > out'\nresult = \"out\"\n"
                                                "templates = [\"one/case\", \"two/case\"]\n");
        QCOMPARE(textIn(folder / "shared/data"), std::string("old"));
        QVERIFY(ended.state == RunState::failed);
        QVERIFY2(ended.log.find("symbolic link") != ended.log.npos, ended.log.c_str());
    }

    void theLogIsNotWrittenThroughALink()
    {
        const Folder folder;
        writeText(folder / "victim", "old");
        fs::create_symlink(folder / "victim", folder / "gridhelm.log");
        runJob(folder / "s", "command = 'echo hello; echo 1 > out'\nresult = \"out\"\n"
                             "templates = [\"gridhelm.log\"]\n");
        QCOMPARE(textIn(folder / "victim"), std::string("old"));
    }

    void theStudyAndItsJobsAreNoTemplates()
    {
        const Folder folder;
        writeText(folder / "case.in", "{a}");
        writeText(folder / "s", "study");
        writeText(folder / "s-wal", "wal");
        const std::string simulation =
            "command = 'find . | sort; echo 1 > out; exit 3'\nresult = \"out\"\n"
            "templates = [\".\"]\n";
        runJob(folder / "s", simulation);
        const auto ended = runJob(folder / "s", simulation, false, "job-2");
        const auto copied = ended.log.substr(0, ended.log.find("gridhelm: "));
        QVERIFY(copied.find("case.in") != copied.npos);
        for (const char *own : {"/s.jobs", "/s\n", "/s-wal"})
            QVERIFY2(copied.find(own) == copied.npos, copied.c_str());
    }

    void templatesWithoutAnEndAreRefused()
    {
        const Folder folder;
        fs::create_directories(folder / "case");
        ::mkfifo((folder / "pipe").c_str(), 0600);
        for (const char *name : {"/proc/self/mem", "/dev/zero", "pipe", "/"}) {
            const auto said = errorOf([&] {
                runJob(folder / "s", std::string("command = 'true'\nresult = \"out\"\n"
                                                 "templates = [\"")
                                         + name + "\"]\n");
            });
            QVERIFY2(said.size() > 20, name);
        }
    }

    void failedJobsKeepWhatTheyWroteAndNoTemplates()
    {
        const Folder folder;
        writeText(folder / "case/deep/secret", "s");
        writeText(folder / "case/changed", "c");
        const auto ended =
            runJob(folder / "s", "command = 'echo said; echo w > case/wrote; echo 2 >> "
                                 "case/changed; exit 3'\nresult = \"out\"\n"
                                 "templates = [\"case\"]\n");
        QVERIFY(ended.state == RunState::failed);
        QCOMPARE(filesBelow(folder / "s.jobs"),
                 (std::vector<std::string>{"job-1", "job-1/case", "job-1/case/changed",
                                           "job-1/case/wrote", "job-1/gridhelm.log"}));
        QCOMPARE(textIn(folder / "s.jobs/job-1/gridhelm.log"), std::string("said\n"));
    }

    void foldersOfKilledRunsAreTidiedAndOthersKept()
    {
        const Folder folder;
        const WorkFolder work(folder / "s.jobs");
        writeText(work.begin("job-1").path() / "left", "by a kill");
        writeText(work.begin("holdout-3").path() / "left", "by a kill");
        work.begin("job-2");
        work.keep("job-2");
        writeText(folder / "precious/x", "p");
        writeText(folder / "s.jobs/.running-..", "");
        writeText(folder / "s.jobs/.running-job-2x", "");
        work.tidy();
        QCOMPARE(filesBelow(folder / "s.jobs"),
                 (std::vector<std::string>{".running-..", ".running-job-2x", "job-2"}));
        QCOMPARE(textIn(folder / "precious/x"), std::string("p"));
        fs::remove(folder / "s.jobs/.running-..");
        fs::remove(folder / "s.jobs/.running-job-2x");
        work.remove("job-2");
        QVERIFY(!fs::exists(folder / "s.jobs"));
    }

    void whatGoesOnElsewhereKeepsItsFolder()
    {
        const Folder folder;
        const WorkFolder work(folder / "s.jobs");
        for (const char *run : {"job-1", "job-2"})
            writeText(work.begin(run).path() / "there", "of a killed campaign");
        work.tidy({"job-2", "job-7"});
        QCOMPARE(filesBelow(folder / "s.jobs"),
                 (std::vector<std::string>{".running-job-2", "job-2", "job-2/there"}));
        work.tidy();
        QVERIFY(!fs::exists(folder / "s.jobs"));
    }

    void logsKeepTheirBeginningAndTheirEnd()
    {
        const Folder folder;
        const auto ended =
            runJob(folder / "s", "command = 'echo first; head -c 20000000 /dev/zero | tr \"\\\\0\" "
                                 "x; echo; echo last; exit 3'\nresult = \"out\"\n");
        QVERIFY2(ended.log.starts_with("first\nxxx"), ended.log.substr(0, 100).c_str());
        QVERIFY(ended.log.find("bytes are left out here)\n") != ended.log.npos);
        QVERIFY(ended.log.find("\nlast\ngridhelm: ") != ended.log.npos);
        QVERIFY(ended.log.size() < 2 * BoundedLog::kept + 1000);
        QVERIFY(fs::file_size(folder / "s.jobs/job-1/gridhelm.log") < 2 * BoundedLog::kept + 1000);
    }

    void logsAreUtf8()
    {
        const Folder folder;
        const auto ended =
            runJob(folder / "s", "command = '''printf 'a\\377b\\000c\\n'; exit 3'''\n"
                                 "result = \"out\"\n");
        QVERIFY2(ended.log.starts_with("a\uFFFDb\uFFFDc\n"), ended.log.c_str());
    }

    void aFullDiskIsNotTheJobsFault()
    {
        const Folder folder;
        fs::create_directories(folder / "disk");
        if (::geteuid() != 0
            || ::mount("none", (folder / "disk").c_str(), "tmpfs", 0, "size=256k") != 0)
            QSKIP("A disk of its own needs root");
        struct Unmount
        {
            fs::path place;
            ~Unmount() { ::umount2(place.c_str(), MNT_DETACH); }
        } unmount{folder / "disk"};
        const auto failsFor = [&](const std::string &simulation) {
            try {
                runJob(folder / "disk/s", simulation);
            } catch (const StorageError &) {
                return true;
            }
            return false;
        };
        writeText(folder / "large", std::string(300'000, 'x'));
        QVERIFY(failsFor("command = 'echo 1 > out'\nresult = \"out\"\ntemplates = [\""
                         + (folder / "large").string() + "\"]\n"));
        QVERIFY(failsFor("command = 'cat /dev/zero > filled'\nresult = \"out\"\n"));
        QVERIFY(!fs::exists(folder / "disk/s.jobs")); // there is room again
        QVERIFY(!failsFor("command = 'exit 3'\nresult = \"out\"\n"));
    }
};

GRIDHELM_TEST(WorkFolderTest)
#include "tst_work_folder.moc"

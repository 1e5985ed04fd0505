// SPDX-License-Identifier: GPL-3.0-or-later
//
// What comes from a cluster is taken file by file, and nothing of it leads out of its folder.
#include "core/support/descriptor.h"
#include "data/campaign/cluster/run_archive.h"
#include "tests/core/expect_error.h"
#include "tests/data/study_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

namespace fs = std::filesystem;

std::string textIn(const fs::path &file)
{
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::set<std::string> allIn(const fs::path &folder)
{
    std::set<std::string> names;
    for (const auto &entry : fs::recursive_directory_iterator(folder))
        names.insert(entry.path().lexically_relative(folder).string());
    return names;
}

} // namespace

class TestRunArchive : public QObject
{
    Q_OBJECT

private slots:
    void init() { m_folder = std::make_unique<Folder>(); }
    void whatIsWrittenIsRead();
    void onlyFilesBelowOneFolderAreTaken();
    void limitsHold();
    void damagedOnesAreASentence();
    void linksAreNotSent();

private:
    /// Made by GNU tar in the folder "from": options and names.
    std::string archive(const std::string &options) const
    {
        const auto file = *m_folder / "archive";
        const auto line = "cd '" + (*m_folder / "from").string() + "' && tar -cf '" + file.string()
                          + "' " + options;
        return std::system(line.c_str()) == 0 ? file.string() : std::string();
    }

    std::string read(const std::string &file, const ArchiveLimits &limits = {}) const
    {
        const Descriptor in(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
        const WorkFolder work(*m_folder / "s.jobs");
        const auto folder = work.begin("job-1");
        return readRunArchive(in.get(), folder, limits, {});
    }

    fs::path results() const { return *m_folder / "s.jobs/job-1"; }

    std::unique_ptr<Folder> m_folder;
};

void TestRunArchive::whatIsWrittenIsRead()
{
    const auto from = *m_folder / "from";
    fs::create_directories(from / "run/deep/er");
    std::ofstream(from / "run/deep/er/a.vtu") << std::string(200'000, 'x');
    std::ofstream(from / "run/empty").close();
    const auto file = (*m_folder / "archive").string();
    {
        const Descriptor out(::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
        RunArchiveWriter writer(out.get());
        writer.addFolder("run", from / "run");
        writer.addText("log", "went well\n");
        writer.finish();
    }
    QCOMPARE(read(file), std::string("went well\n"));
    QCOMPARE(allIn(results()),
             (std::set<std::string>{"deep", "deep/er", "deep/er/a.vtu", "empty"}));
    QVERIFY(textIn(results() / "deep/er/a.vtu") == std::string(200'000, 'x'));
}

void TestRunArchive::onlyFilesBelowOneFolderAreTaken()
{
    const auto from = *m_folder / "from";
    fs::create_directories(from / "run");
    fs::create_directories(*m_folder / "outside");
    std::ofstream(*m_folder / "outside/kept") << "kept";
    std::ofstream(from / "run/out.vti") << "good";
    std::ofstream(from / "evil") << "evil";
    std::ofstream(from / "log") << "log";
    fs::create_symlink(*m_folder / "outside", from / "run/link");
    fs::create_symlink("/etc/passwd", from / "run/file-link");
    fs::create_hard_link(from / "evil", from / "run/zz-hard");
    QVERIFY(::mkfifo((from / "run/pipe").c_str(), 0600) == 0);
    for (const std::string other : {"evil1", "evil2", "evil3"})
        fs::copy_file(from / "evil", from / other);

    // Beside, above, at an absolute place; links to it; a pipe.
    const auto beside = archive("-P --transform='s,^evil2$,run/../../up,' "
                                "--transform='s,^evil3$,/tmp/gridhelm-evil,' "
                                "log evil run evil2 evil3");
    QCOMPARE(read(beside), std::string("log"));
    QCOMPARE(allIn(results()), (std::set<std::string>{"out.vti"}));
    QCOMPARE(textIn(results() / "out.vti"), std::string("good"));
    QVERIFY(!fs::exists("/tmp/gridhelm-evil") && !fs::exists(*m_folder / "up"));

    // Through a link that came before it.
    const auto through = archive("-P --transform='s,^evil1$,run/link/kept,' run evil1");
    QVERIFY(isRefused([&] { read(through); }, "cannot be made"));
    QCOMPARE(textIn(*m_folder / "outside/kept"), std::string("kept"));
}

void TestRunArchive::limitsHold()
{
    const auto from = *m_folder / "from";
    fs::create_directories(from / "run");
    for (int i = 0; i < 10; ++i)
        std::ofstream(from / "run" / std::to_string(i)) << std::string(1000, 'x');
    std::ofstream(from / "log") << std::string(1000, 'l');
    const auto file = archive("run log");
    ArchiveLimits limits;
    limits.logBytes = 10;
    QCOMPARE(read(file, limits), std::string(10, 'l'));
    limits.files = 5;
    QVERIFY(isRefused([&] { read(file, limits); }, "more than 5 files"));
    limits = {};
    limits.bytes = 5000;
    QVERIFY(isRefused([&] { read(file, limits); }, "100000 files or "));
    // A few kilobytes that say they are a gigabyte.
    std::ofstream(from / "run/hollow") << "x";
    fs::resize_file(from / "run/hollow", 1'000'000'000);
    const auto sparse = archive("--sparse run");
    QVERIFY(fs::file_size(sparse) < 100'000);
    QVERIFY(isRefused([&] { read(sparse); }, "hollow has holes"));
    QVERIFY(!fs::exists(results() / "hollow"));
}

void TestRunArchive::damagedOnesAreASentence()
{
    const auto from = *m_folder / "from";
    fs::create_directories(from / "run");
    std::ofstream(from / "run/a") << std::string(100'000, 'x');
    const auto file = archive("run");
    fs::resize_file(file, 50'000);
    QVERIFY(isRefused([&] { read(file); }, "damaged"));
    std::ofstream(file) << "this is no archive, and long enough to be looked at: "
                        << std::string(2000, '.');
    QVERIFY(isRefused([&] { read(file); }, "damaged"));
}

void TestRunArchive::linksAreNotSent()
{
    fs::create_directories(*m_folder / "from");
    fs::create_symlink("/etc", *m_folder / "from/mesh");
    const Descriptor out(
        ::open((*m_folder / "archive").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    RunArchiveWriter writer(out.get());
    QVERIFY(isRefused([&] { writer.addFolder("run", *m_folder / "from"); },
                      "the template mesh is a link"));
}

GRIDHELM_TEST(TestRunArchive)
#include "tst_run_archive.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
//
// The folder that compiled code is loaded from: who may write to it or to what is above it, and
// what stays in it.
#include "core/dispatch/dispatch_table.h"
#include "core/tuning/tuning_file.h"
#include "data/stencil/compile_stencil.h"
#include "data/stencil/kernel_cache.h"
#include "tests/core/expect_error.h"
#include "tests/data/stencil_values.h"
#include "tests/data/text_files.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <ctime>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

using namespace gridhelm;
using data::KernelCache;
namespace fs = std::filesystem;

namespace {

mode_t modeOf(const fs::path &path)
{
    struct stat status
    {};
    return ::stat(path.c_str(), &status) == 0 ? status.st_mode & 07777 : 0;
}

/// With the mask that many systems have where each user has a group of his own.
void asOneOfAGroup(const std::function<void()> &action)
{
    const auto before = ::umask(002);
    action();
    ::umask(before);
}

} // namespace

class TestKernelCache : public QObject
{
    Q_OBJECT

private slots:
    void init() { QVERIFY(m_folder.emplace().isValid()); }
    void otherCommandsMakeAFolderThatServes_data();
    void otherCommandsMakeAFolderThatServes();
    void whatItsGroupMayWriteIsTakenBack();
    void foldersThatHoldLinksAreLookedAt();
    void linksThatNobodyElseCanChangeServe();
    void linksWithoutEndAreNoFolder();
    void whatKilledCompilationsLeaveGoes();
    void whatCannotBeLoadedIsMadeOnceAndSaysWhy();

private:
    fs::path place() const { return m_folder->path().toStdString(); }

    std::optional<QTemporaryDir> m_folder;
};

void TestKernelCache::otherCommandsMakeAFolderThatServes_data()
{
    QTest::addColumn<bool>("isTuning");
    QTest::newRow("tuned constants") << true;
    QTest::newRow("the dispatcher's map") << false;
}

void TestKernelCache::otherCommandsMakeAFolderThatServes()
{
    QFETCH(const bool, isTuning);
    const auto cache = place() / "a/gridhelm";
    asOneOfAGroup([&] {
        if (isTuning)
            tuning::writeTuning(cache / "tuning-x.json", {"1.0", "a CPU", 2}, {});
        else
            dispatch::writeMap(cache / "dispatch-x.json", {}, {});
    });
    QCOMPARE(std::distance(fs::directory_iterator(cache), {}), 1);
    QCOMPARE(modeOf(place() / "a"), 0700U);
    QCOMPARE(modeOf(cache), 0700U);
    KernelCache(cache).keep("code", "x.so");
    QCOMPARE(KernelCache(cache).read("x.so").value_or(""), std::string("code"));
}

/// As older versions left it.
void TestKernelCache::whatItsGroupMayWriteIsTakenBack()
{
    const auto cache = place() / "gridhelm";
    fs::create_directory(cache);
    QCOMPARE(::chmod(cache.c_str(), 0775), 0);
    KernelCache(cache).keep("code", "x.so");
    QCOMPARE(modeOf(cache), 0755U);
    QCOMPARE(::chmod(cache.c_str(), 0777), 0); // anybody may have been there
    GRIDHELM_EXPECT_ERROR(KernelCache(cache));
    QCOMPARE(modeOf(cache), 0777U);
}

/// Who can write there may exchange the link after all has been looked at.
void TestKernelCache::foldersThatHoldLinksAreLookedAt()
{
    fs::create_directories(place() / "safe");
    fs::create_directories(place() / "open");
    fs::create_directory_symlink(place() / "safe", place() / "open/cache");
    fs::create_directory_symlink("open/cache", place() / "through");
    for (const auto *way : {"open/cache", "through", "safe/../through"}) {
        QCOMPARE(::chmod((place() / "open").c_str(), 0777), 0);
        QVERIFY(test::isRefused([&] { KernelCache(place() / way / "gridhelm"); },
                                "can be written to by others"));
        QVERIFY(!fs::exists(place() / "safe/gridhelm"));
        // As it is with /tmp: nobody else can take ours away there.
        QCOMPARE(::chmod((place() / "open").c_str(), 01777), 0);
        KernelCache(place() / way / "gridhelm");
        QVERIFY(fs::remove_all(place() / "safe/gridhelm") > 0);
    }
    if (::geteuid() != 0)
        QSKIP("nobody else's link can be made");
    QCOMPARE(::lchown((place() / "open/cache").c_str(), 12345, 12345), 0);
    QVERIFY(test::isRefused([&] { KernelCache(place() / "open/cache/gridhelm"); },
                            "somebody else's link"));
}

void TestKernelCache::linksThatNobodyElseCanChangeServe()
{
    fs::create_directories(place() / "safe");
    fs::create_directory_symlink("safe", place() / "link");
    const KernelCache cache(place() / "link/gridhelm");
    QCOMPARE(cache.path(), fs::canonical(place()) / "safe/gridhelm/stencils");
    cache.keep("code", "x.so");
    QCOMPARE(cache.find("x.so").value_or(""), cache.path() / "x.so");
    // What was looked at is what is used, wherever the link leads to by now.
    fs::create_directories(place() / "other");
    fs::remove(place() / "link");
    fs::create_directory_symlink("other", place() / "link");
    cache.keep("code", "y.so");
    QVERIFY(fs::exists(place() / "safe/gridhelm/stencils/y.so"));
    QCOMPARE(cache.find("y.so").value_or(""), cache.path() / "y.so");
}

void TestKernelCache::linksWithoutEndAreNoFolder()
{
    fs::create_directory_symlink("b", place() / "a");
    fs::create_directory_symlink("a", place() / "b");
    bool isUnusable = false;
    try {
        KernelCache(place() / "a/gridhelm");
    } catch (const CacheUnusable &) {
        isUnusable = true;
    }
    QVERIFY(isUnusable);
}

void TestKernelCache::whatKilledCompilationsLeaveGoes()
{
    const KernelCache cache(place() / "gridhelm");
    const std::vector<std::string> old{"abc.999999.1.part", "abc.999999.2.cpp", "abc.999999.3.log"};
    const std::vector<std::string> others{"notes.cpp", "abc.999999.1.txt", "abc.9.x.part",
                                          "999999.1.part", "abc.so.part"};
    const auto write = [&](const std::string &name, std::time_t age) {
        test::writeText(cache.path() / name, "text");
        const timespec then{std::time(nullptr) - age, 0};
        const std::array<timespec, 2> times{then, then};
        QCOMPARE(::utimensat(AT_FDCWD, (cache.path() / name).c_str(), times.data(), 0), 0);
    };
    for (const auto &name : old)
        write(name, 3600);
    for (const auto &name : others)
        write(name, 3600);
    write("abc.999999.4.part", 60); // being made
    cache.keep("code", "x.so");
    for (const auto &name : old)
        QVERIFY2(!fs::exists(cache.path() / name), name.c_str());
    for (const auto &name : others)
        QVERIFY2(fs::exists(cache.path() / name), name.c_str());
    QVERIFY(fs::exists(cache.path() / "abc.999999.4.part"));
    QVERIFY(cache.read("x.so"));
}

/// As where nothing may be executed: the file is there and whole.
void TestKernelCache::whatCannotBeLoadedIsMadeOnceAndSaysWhy()
{
    const auto bin = place() / "bin", calls = place() / "calls";
    test::writeText(bin / "c++", "#!/bin/sh\necho >> '" + calls.string()
                                     + "'\nwhile [ \"$1\" != -o ]; do shift; done\n"
                                       "echo no library > \"$2\"\n");
    QCOMPARE(::chmod((bin / "c++").c_str(), 0700), 0);
    const auto path = qgetenv("PATH");
    qputenv("PATH", QByteArray(bin.c_str()) + ":" + path);
    const auto stencil = test::lopsidedStencil(2, 1);
    const auto first = data::compileStencil(stencil, place() / "gridhelm");
    const auto callsOfFirst = test::textIn(calls);
    const auto second = data::compileStencil(stencil, place() / "gridhelm");
    qputenv("PATH", path);
    QCOMPARE(callsOfFirst, std::string("\n"));
    QCOMPARE(test::textIn(calls), std::string("\n\n"));
    for (const auto &code : {first, second}) {
        QVERIFY(code.kernel.function == nullptr && !code.wasThere);
        const bool isSaid = code.whyNot.find("file too short") != std::string::npos
                            || code.whyNot.find("invalid ELF header") != std::string::npos;
        QVERIFY2(isSaid, code.whyNot.c_str());
        QVERIFY2(code.whyNot.find("XDG_CACHE_HOME") != std::string::npos, code.whyNot.c_str());
        QVERIFY2(code.whyNot.find(".so") == std::string::npos, code.whyNot.c_str());
    }
}

GRIDHELM_TEST(TestKernelCache)
#include "tst_kernel_cache.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
//
// Programs that are started, and what is known of them when they have ended.
#include "core/support/error.h"
#include "data/campaign/child_process.h"
#include "data/campaign/local_limits.h"
#include "tests/core/expect_error.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <chrono>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

namespace fs = std::filesystem;

/// A shell script in a folder that is gone with it.
class Script
{
public:
    explicit Script(const std::string &text)
        : m_path(fs::path(m_folder.path().toStdString()) / "program")
    {
        std::ofstream(m_path) << "#!/bin/sh\n" << text << '\n';
        fs::permissions(m_path, fs::perms::owner_all);
    }

    const fs::path &path() const { return m_path; }

    ChildRequest request() const
    {
        return {{"./program"}, m_path.parent_path(), {}, m_path.parent_path() / "log"};
    }
    ChildOutcome run() const { return runChild(request(), {}); }

private:
    QTemporaryDir m_folder;
    fs::path m_path;
};

} // namespace

class TestChildProcess : public QObject
{
    Q_OBJECT

private slots:
    void saysHowItEnded()
    {
        const auto outcome = Script("echo done; exit 3").run();
        QVERIFY(outcome.end == ChildOutcome::End::exited);
        QCOMPARE(outcome.code, 3);
        QCOMPARE(outcome.log, std::string("done\n"));
    }

    void whatNeedsTooMuchMemoryIsEnded()
    {
        constexpr std::uint64_t megabyte = 1 << 20;
        // Its shell holds 100 million letters, until somebody ends it.
        Script large("x=$(head -c 100000000 /dev/zero | tr '\\0' x); sleep 600; echo $x");
        auto request = large.request();
        request.memoryLimit = 50 * megabyte;
        const auto outcome = runChild(request, {});
        QVERIFY(outcome.end == ChildOutcome::End::outOfMemory);
        Script small("sleep 0.5; echo done");
        request = small.request();
        request.memoryLimit = 50 * megabyte;
        QVERIFY(runChild(request, {}).end == ChildOutcome::End::exited);
    }

    void runsOnTheCoresThatItGets()
    {
        CoreShare share;
        QVERIFY(share.size() > 0);
        Script script("nproc; grep Cpus_allowed_list /proc/self/status");
        auto request = script.request();
        request.environment = {{"OMP_NUM_THREADS", ""}}; // nproc obeys it, too
        request.cores = share.take(1);
        QCOMPARE(request.cores.size(), std::size_t{1});
        const auto outcome = runChild(request, {});
        QCOMPARE(outcome.log,
                 "1\nCpus_allowed_list:\t" + std::to_string(request.cores.front()) + "\n");
    }

    void coresAreSharedByAsFewAsMayBe()
    {
        CoreShare share;
        const auto all = static_cast<int>(share.size());
        std::set<int> taken;
        for (int i = 0; i < all; ++i)
            taken.insert(share.take(1).front());
        QCOMPARE(taken.size(), share.size());
        share.giveBack({*taken.rbegin()});
        QCOMPARE(share.take(1), std::vector<int>{*taken.rbegin()});
        QCOMPARE(share.take(all + 7).size(), share.size());
        QVERIFY(share.take(0).empty());
    }

    void localLimitsAreRead()
    {
        RunPlan run{"local", {{"memory", std::string("4G")}, {"cores", 1}}};
        QCOMPARE(localLimits(run).memory, std::uint64_t{4} << 30);
        QCOMPARE(localLimits(run).cores, 1);
        run.settings["memory"] = std::string("1500");
        QCOMPARE(localLimits(run).memory, std::uint64_t{1500} << 20);
        for (const char *none : {"4GB", "-1G", "0", "G", "much", "99999999T"}) {
            run.settings["memory"] = std::string(none);
            QVERIFY2(isRefused([&] { localLimits(run); }, "no amount of memory"), none);
        }
        run.settings = {{"cores", 1 << 15}};
        QVERIFY(isRefused([&] { localLimits(run); }, "for us on this machine"));
        QCOMPARE(localLimits({}).memory, std::uint64_t{0});
    }

    /// Jobs write their programs and start them beside each other, and a job that has been forked
    /// has for an instant what another one is just writing. Linux runs no program that is being
    /// written.
    void waitsForAProgramThatIsBeingWritten()
    {
        Script script("exit 0");
        const int writing = open(script.path().c_str(), O_WRONLY | O_CLOEXEC);
        QVERIFY(writing >= 0);
        const std::jthread writer([writing] {
            std::this_thread::sleep_for(std::chrono::milliseconds(200));
            close(writing);
        });
        const auto outcome = script.run();
        QVERIFY(outcome.end == ChildOutcome::End::exited);
        QCOMPARE(outcome.code, 0);
    }

    void refusesAProgramThatIsNotThere()
    {
        Script script("exit 0");
        fs::remove(script.path());
        QVERIFY_EXCEPTION_THROWN(script.run(), Error);
    }
};

GRIDHELM_TEST(TestChildProcess)
#include "tst_child_process.moc"

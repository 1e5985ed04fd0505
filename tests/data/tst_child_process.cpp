// SPDX-License-Identifier: GPL-3.0-or-later
//
// Programs that are started, and what is known of them when they have ended.
#include "core/support/error.h"
#include "data/campaign/child_process.h"

#include <QtTest>

#include <chrono>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <thread>
#include <unistd.h>

using namespace gridhelm;
using namespace gridhelm::data;

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

    ChildOutcome run()
    {
        return runChild({{"./program"}, m_path.parent_path(), {}, m_path.parent_path() / "log"},
                        {});
    }

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

QTEST_GUILESS_MAIN(TestChildProcess)
#include "tst_child_process.moc"

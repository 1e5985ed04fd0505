// SPDX-License-Identifier: GPL-3.0-or-later
//
// Scripts elsewhere, by an ssh of ours that greets, cuts and fails as real ones do.
#include "core/support/descriptor.h"
#include "data/campaign/cluster/remote_shell.h"
#include "tests/core/expect_error.h"
#include "tests/data/study_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

class TestRemoteShell : public QObject
{
    Q_OBJECT

private slots:
    void init() { m_path = std::getenv("PATH"); }
    void cleanup() { qputenv("PATH", m_path.c_str()); }
    void whatAScriptPrintsComesBackWhole();
    void aScriptReadsItsInputAndNotItself();
    void greetingsAndOddShellsDoNotMatter();
    void whatIsCutOffIsNoAnswer();
    void answersAreBounded();
    void slowOnesAreNotWaitedFor();
    void hostsAreNoOptions();

private:
    /// A program "ssh" that gets the host and a line for the login shell.
    void useSsh(const std::string &script)
    {
        const auto file = m_folder / "ssh";
        std::ofstream(file) << "#!/bin/sh\n"
                               "while [ \"$1\" != -- ]; do shift; done\nhost=$2 line=$3\n"
                            << script << "\n";
        std::filesystem::permissions(file, std::filesystem::perms::owner_all);
        qputenv("PATH", (file.parent_path().string() + ":" + m_path).c_str());
    }

    Folder m_folder;
    std::string m_path;
};

void TestRemoteShell::whatAScriptPrintsComesBackWhole()
{
    const RemoteShell shell("local");
    const auto answer = shell.run({"printf 'a\\n\\nb'; echo trouble >&2; exit 7"});
    QCOMPARE(answer.text(), std::string("a\n\nb"));
    QCOMPARE(answer.code(), 7);
    QCOMPARE(answer.errors(), std::string("trouble"));
    QCOMPARE(shell.run({"true"}).text(), std::string());
    QCOMPARE(shell.run({"printf '%s' \"it's \\$HOME\""}).text(), std::string("it's $HOME"));
}

void TestRemoteShell::aScriptReadsItsInputAndNotItself()
{
    std::string bytes; // with zeros, as archives have them
    for (int i = 0; i < 300'000; ++i)
        bytes += static_cast<char>(i * 7);
    RemoteScript script{"wc -c; exit 3"};
    script.input = [&](int file) { QVERIFY(writeAll(file, bytes)); };
    const auto answer = RemoteShell("local").run(script);
    QCOMPARE(std::stoul(answer.text()), 300'000UL);
    QCOMPARE(answer.code(), 3);
    script.text = "cat";
    QVERIFY(RemoteShell("local").run(script).text() == bytes);
}

void TestRemoteShell::greetingsAndOddShellsDoNotMatter()
{
    for (const std::string login : {"sh", "bash", "dash"}) {
        useSsh("echo \"Welcome to $host\"; printf '\\n\\nno newline at the end'\nexec " + login
               + " -c \"$line\"");
        const auto answer = RemoteShell("me@cluster").run({"echo here"});
        QCOMPARE(answer.text(), std::string("here\n"));
        QCOMPARE(answer.code(), 0);
    }
}

void TestRemoteShell::whatIsCutOffIsNoAnswer()
{
    useSsh("sh -c \"$line\" | head -c 60; echo closed by remote host >&2; exit 255");
    QVERIFY(isRefused([] { RemoteShell("cluster").run({"echo one; echo two; echo three"}); },
                      "closed by remote host"));
    useSsh("echo Connection refused >&2; exit 255");
    QVERIFY(isRefused([] { RemoteShell("cluster").run({"true"}); },
                      "cluster cannot be reached (Connection refused); try \"ssh cluster true\""));
}

void TestRemoteShell::answersAreBounded()
{
    RemoteScript script{"yes"};
    script.largest = 1 << 16;
    QVERIFY(isRefused([&] { RemoteShell("local").run(script); }, "sends too much"));
}

void TestRemoteShell::slowOnesAreNotWaitedFor()
{
    RemoteScript script{"sleep 600"};
    script.timeLimit = 0.3;
    QVERIFY(isRefused([&] { RemoteShell("local").run(script); }, "does not answer in time"));
    std::stop_source stop;
    stop.request_stop();
    QVERIFY(isRefused([&] { RemoteShell("local").run({"sleep 600"}, stop.get_token()); },
                      "was not waited for"));
}

void TestRemoteShell::hostsAreNoOptions()
{
    for (const std::string host : {"", "-oProxyCommand=sh", "a b", "a;b", "$(id)", "a/b", "h\n"})
        QVERIFY(isRefused([&] { RemoteShell shell(host); }, "is no name of a host"));
    const RemoteShell shell("me@login-2.cluster_a.org");
    QCOMPARE(shell.host(), std::string("me@login-2.cluster_a.org"));
}

GRIDHELM_TEST(TestRemoteShell)
#include "tst_remote_shell.moc"

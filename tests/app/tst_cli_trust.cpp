// SPDX-License-Identifier: GPL-3.0-or-later
//
// Studies that somebody has sent, on the command line: no command of theirs runs unasked.
#include "tests/app/cli_process.h"
#include "tests/data/foreign_plans.h"
#include "tests/support/paths.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QTest>

#include <csignal>
#include <fcntl.h>
#include <unistd.h>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

/// Leaves a sign, and an image that VTK reads.
std::string drawing(const std::string &mark)
{
    return "command = '''\ntouch ../../" + mark
           + "\nprintf '# vtk DataFile Version 3.0\\nx\\nASCII\\nDATASET STRUCTURED_POINTS\\n"
             "DIMENSIONS 2 2 1\\nORIGIN 0 0 0\\nSPACING 1 1 1\\nPOINT_DATA 4\\nSCALARS u float 1\\n"
             "LOOKUP_TABLE default\\n{a}\\n1\\n2\\n3\\n' > out.vtk\n'''\nresult = \"out.vtk\"\n";
}

} // namespace

class CliTrustTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<Folder> m_folder;

    bool isThere(const std::string &name) const
    {
        return std::filesystem::exists(*m_folder / name);
    }
    QString here() const { return QString::fromStdString((*m_folder / "").string()); }
    Outcome runHere(const QString &line) const { return runCli(line, {}, here()); }
    void makeForeign(const std::string &toml) const
    {
        foreignStudy(*m_folder / "s.gridhelm", toml).close();
    }

    /// With a terminal at stdin and stderr, on which the answer is typed; what is shown there.
    std::pair<int, QByteArray> onTerminal(const QString &line, const QByteArray &answer) const
    {
        const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
        if (terminal < 0 || ::grantpt(terminal) != 0 || ::unlockpt(terminal) != 0)
            return {-2, "no terminal"};
        const QByteArray name = ::ptsname(terminal);
        QProcess process;
        process.setWorkingDirectory(here());
        process.setChildProcessModifier([name] {
            const int end = ::open(name.constData(), O_RDWR | O_NOCTTY);
            ::dup2(end, 0);
            ::dup2(end, 2);
        });
        process.start(QString(paths::cli), QProcess::splitCommand(line));
        process.waitForStarted();
        ::fcntl(terminal, F_SETFL, O_NONBLOCK);
        QByteArray shown;
        bool isAnswered = false;
        QElapsedTimer timer;
        timer.start();
        while (!process.waitForFinished(20) && timer.elapsed() < 60'000) {
            char part[4096];
            for (ssize_t count = 0; (count = ::read(terminal, part, sizeof part)) > 0;)
                shown.append(part, count);
            if (!isAnswered && shown.contains("[y/N]"))
                isAnswered = ::write(terminal, answer.constData(), answer.size()) > 0;
        }
        ::close(terminal);
        return {process.exitCode(), shown};
    }

private slots:
    void init()
    {
        m_folder = std::make_unique<Folder>();
        std::filesystem::remove_all(privateConfiguration.folder() / "gridhelm");
    }

    void withoutATerminalUnknownCommandsAreRefused()
    {
        makeForeign(commandPlan(drawing("ran")));
        for (const char *line : {"run s.gridhelm", "run s.gridhelm --json"}) {
            const auto outcome = runHere(line);
            QVERIFY2(isOneSentence(outcome, "--trust"), outcome.err);
            QVERIFY2(outcome.err.contains("info s.gridhelm --plan"), outcome.err);
        }
        QVERIFY(!isThere("ran") && !isThere("s.gridhelm.jobs"));
        QVERIFY(runHere("run s.gridhelm --trust").exitCode == 0);
        QVERIFY(isThere("ran"));
        std::filesystem::remove(*m_folder / "ran");

        // It is remembered, and of no use for another command.
        QVERIFY(runHere("compress s.gridhelm --holdout 2").exitCode == 0);
        QVERIFY(isThere("ran"));
        std::filesystem::remove(*m_folder / "s.gridhelm");
        makeForeign(commandPlan(drawing("evil")));
        QVERIFY(isOneSentence(runHere("run s.gridhelm"), "--trust"));
        QVERIFY(!isThere("evil"));
    }

    void holdOutsAreRefusedLikewise()
    {
        makeForeign(commandPlan(drawing("ran")));
        QCOMPARE(runHere("run s.gridhelm --trust").exitCode, 0);
        std::filesystem::remove_all(privateConfiguration.folder() / "gridhelm");
        std::filesystem::remove(*m_folder / "ran");
        QVERIFY(isOneSentence(runHere("compress s.gridhelm --holdout 2"), "--trust"));
        QVERIFY(!isThere("ran"));
        QCOMPARE(runHere("compress s.gridhelm").exitCode, 0); // executes nothing
        QCOMPARE(runHere("compress s.gridhelm --holdout 2 --trust").exitCode, 0);
        QVERIFY(isThere("ran"));
    }

    void onATerminalOneIsAsked()
    {
        writeText(*m_folder / "case.in", "x");
        makeForeign(commandPlan(drawing("ran")
                                + "templates = [\"case.in\"]\n"
                                  "environment = {LD_PRELOAD = \"evil.so\"}\n"));
        auto [code, shown] = onTerminal("run s.gridhelm", "n\n");
        QCOMPARE(code, 1);
        for (const char *part : {"touch ../../ran", "LD_PRELOAD = evil.so", "case.in, 1 B, text",
                                 "SHA-256 2d711642b726b044", "| out.vtk"})
            QVERIFY2(shown.contains(part), shown);
        QVERIFY(!isThere("ran"));
        std::tie(code, shown) = onTerminal("run s.gridhelm --json", "y\n"); // is never asked
        QVERIFY2(code == 1 && !shown.contains("[y/N]"), shown);
        std::tie(code, shown) = onTerminal("run s.gridhelm", "y\n");
        QVERIFY2(code == 0 && isThere("ran"), shown);
        std::tie(code, shown) = onTerminal("compress s.gridhelm --holdout 1", "");
        QVERIFY2(code == 0 && !shown.contains("[y/N]"), shown);
    }

    void ownPlansAreRunWithoutAQuestion()
    {
        writeText(*m_folder / "plans/helper", "x");
        writeText(*m_folder / "plans/p.toml",
                  commandPlan(drawing("ran") + "templates = [\"helper\", \"../shared\"]\n"));
        writeText(*m_folder / "shared", "y");
        std::filesystem::create_directories(*m_folder / "studies");
        QCOMPARE(runHere("plan plans/p.toml --out studies/s.gridhelm").exitCode, 0);
        const auto outcome = runHere("run studies/s.gridhelm");
        QVERIFY2(outcome.exitCode == 0, outcome.err);
        writeText(*m_folder / "plans/p.toml", commandPlan(drawing("again")));
        QCOMPARE(runHere("plan plans/p.toml --update studies/s.gridhelm").exitCode, 0);
        QCOMPARE(runHere("compress studies/s.gridhelm --holdout 1").exitCode, 0);
        QVERIFY(isThere("studies/again"));
    }

    void theCommandLineSaysWhereRunsGo()
    {
        writeText(*m_folder / "p.toml",
                  commandPlan(drawing("ran")) + "[run]\non = \"slurm\"\nhost = \"me@far\"\n");
        QCOMPARE(runHere("plan p.toml --out s.gridhelm").exitCode, 0);
        QVERIFY(isOneSentence(runHere("run s.gridhelm --on moon"), "choose local, slurm"));
        const auto shown = runHere("run s.gridhelm --dry-run --on slurm:you@near --json");
        QCOMPARE(jsonOf(shown)["on"].toString(), QString("slurm:you@near"));
        QVERIFY(jsonOf(shown)["dry_run"].toString().startsWith("on you@near, "));
        QVERIFY(!isThere("ran"));
        const auto here = runHere("run s.gridhelm --on local --json");
        QVERIFY2(here.exitCode == 0, here.err);
        QCOMPARE(jsonOf(here)["on"].toString(), QString("local"));
        QCOMPARE(jsonOf(here)["done"].toInt(), 3);
        QVERIFY(isThere("ran"));
        std::filesystem::remove(*m_folder / "ran");
        QCOMPARE(runHere("compress s.gridhelm --holdout 2 --on local").exitCode, 0);
        QVERIFY(isThere("ran"));

        // Somebody else's is shown again before it goes anywhere else.
        std::filesystem::remove(*m_folder / "s.gridhelm");
        makeForeign(commandPlan(drawing("evil")));
        QVERIFY(isOneSentence(runHere("run s.gridhelm --on slurm"), "names no cluster"));
        QVERIFY(isOneSentence(runHere("run s.gridhelm --on slurm:me@far"), "--trust"));
        QVERIFY(isOneSentence(runHere("refine s.gridhelm --runs 5 --on slurm:me@far"), "--trust"));
        QVERIFY(!isThere("evil"));
    }

    void plansArePrintedAsTheyAreStored()
    {
        const auto toml = commandPlan(drawing("ran"));
        makeForeign(toml);
        QCOMPARE(runHere("info s.gridhelm --plan").out, QByteArray::fromStdString(toml));
        QCOMPARE(jsonOf(runHere("info s.gridhelm --plan --json"))["plan"].toString(),
                 QString::fromStdString(toml));
    }

    void evilPlansCrashNothing()
    {
        std::string keys;
        for (int i = 0; i < 50'000; ++i)
            keys += "a.";
        makeForeign("[" + keys + "a]\n");
        QVERIFY(runHere("info s.gridhelm").exitCode == 0);
        QVERIFY(isOneSentence(runHere("run s.gridhelm"), "nested too deeply"));
        writeText(*m_folder / "p.toml", "[" + keys + "a]\n");
        QVERIFY(isOneSentence(runHere("plan p.toml"), "nested too deeply"));
    }

    void linkedWorkFoldersAreRefused()
    {
        writeText(*m_folder / "victim/job-1/precious", "p");
        std::filesystem::create_directory_symlink(*m_folder / "victim",
                                                  *m_folder / "s.gridhelm.jobs");
        makeForeign(commandPlan(drawing("ran")));
        QVERIFY(isOneSentence(runHere("run s.gridhelm --trust"), "symbolic link"));
        QVERIFY(isThere("victim/job-1/precious") && !isThere("ran"));
    }

    void templatesThatCannotBeReadAreASentence()
    {
        writeText(
            *m_folder / "p.toml",
            commandPlan("command = 'true'\nresult = \"out\"\ntemplates = [\"/proc/self/mem\"]\n"));
        const auto planned = runHere("plan p.toml --out s.gridhelm");
        QVERIFY2(planned.exitCode == 0 && !planned.err.contains("should not happen"), planned.err);
        QVERIFY(isOneSentence(runHere("run s.gridhelm --trust"), "cannot be read to its end"));
    }

    void killedHoldOutsAreTidiedAndFailedJobsKept()
    {
        writeText(*m_folder / "p.toml",
                  commandPlan("command = '''case {job} in holdout-3) touch ../../begun; test -e "
                              "../../go || sleep 60;; esac; test {a} != 2 || exit 3"
                              + drawing("ran").substr(std::string("command = '''").size())));
        QCOMPARE(runHere("plan p.toml --out s.gridhelm").exitCode, 0);
        QCOMPARE(runHere("run s.gridhelm").exitCode, 1); // at a = 2
        QProcess process;
        process.setWorkingDirectory(here());
        process.start(QString(paths::cli),
                      {"compress", "s.gridhelm", "--holdout", "3", "--allow-missing"});
        QVERIFY(QTest::qWaitFor([&] { return isThere("begun"); }, 60'000));
        QTest::qWait(500); // the other two have ended meanwhile
        process.kill();
        process.waitForFinished(-1);
        QVERIFY(isThere("s.gridhelm.jobs/holdout-3"));
        writeText(*m_folder / "go", "");
        const auto outcome = runHere("compress s.gridhelm --holdout 3 --allow-missing");
        QVERIFY2(outcome.exitCode == 0, outcome.err);
        QStringList left;
        for (const auto &entry : std::filesystem::directory_iterator(*m_folder / "s.gridhelm.jobs"))
            left << QString::fromStdString(entry.path().filename().string());
        QCOMPARE(left.size(), 1);
        QVERIFY2(left.front().startsWith("job-"), qPrintable(left.front()));
    }
};

GRIDHELM_TEST(CliTrustTest)
#include "tst_cli_trust.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
//
// What happens to a cluster and to us within days, in minutes: whatever it is, every run is stored
// once, none is run twice, none is lost.
#include "tests/app/cli_folder.h"
#include "tests/cluster/slurm_on_loopback.h"
#include "tests/core/random.h"
#include "tests/support/paths.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QFile>
#include <QJsonObject>
#include <QTest>

#include <memory>

using namespace gridhelm::test;

namespace {

constexpr int jobsPlanned = 321; ///< at level 6
constexpr int patience = 3'600'000;

} // namespace

class TestSlurmLong : public QObject
{
    Q_OBJECT

private slots:
    void init();

    void controllerRestartedInTheMiddle();
    void connectionsCutAgainAndAgain();
    void programKilledTwentyTimes();
    void limitsAreSaid_data();
    void limitsAreSaid();
    void limitsAreRaised();
    void fullDiskThereLosesNothing();

private:
    void haveCluster(const QStringList &options);
    void beginAnew();
    void plan(int level, const QByteArray &command, const QByteArray &run = "") const;
    std::unique_ptr<QProcess> started(const QString &line) const;

    /// The exit code of what may take hours; -1: it has crashed.
    int exitCodeOf(const QString &line) const
    {
        const auto process = started(line);
        return process->waitForFinished(patience) && process->exitStatus() == QProcess::NormalExit
                   ? process->exitCode()
                   : -1;
    }
    Outcome runHere(const QString &line) const { return runCli(line, {}, m_folder->path()); }
    /// What campaigns in the background have said.
    QByteArray said() const { return contentOf(m_folder->filePath("said")); }
    int jobs(const QString &state) const
    {
        return jsonOf(runHere("info p.gridhelm --json"))["jobs"].toObject()[state].toInt(-1);
    }
    QByteArray failures() const;

    QString left(const QString &name = {}) const
    {
        return m_cluster->home() + "/" + m_name + "/" + name;
    }
    QStringList jobsRun() const { return QDir(left()).entryList(QDir::Files); }
    bool waitForRuns(int number) const
    {
        return QTest::qWaitFor([&] { return jobsRun().size() >= number; }, patience);
    }
    QString problems(int jobsWished) const;

    static QByteArray contentOf(const QString &path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray{};
    }

    std::unique_ptr<SlurmOnLoopback> m_cluster;
    QStringList m_options;                   ///< of the cluster
    std::unique_ptr<QTemporaryDir> m_folder; ///< for studies
    QString m_name; ///< of the folder there in which each run leaves a line
    int m_count = 0;
};

/// The one of before, if it has these options.
void TestSlurmLong::haveCluster(const QStringList &options)
{
    if (m_cluster && m_options == options)
        return;
    m_cluster.reset();
    m_cluster = std::make_unique<SlurmOnLoopback>(options);
    m_options = options;
    GRIDHELM_NEEDS_SLURM(*m_cluster);
    // gridhelm-cli takes its ssh.
    qputenv("PATH", m_cluster->environment().value("PATH").toUtf8());
}

void TestSlurmLong::init()
{
    if (qstrcmp(QTest::currentTestFunction(), "limitsAreSaid") == 0) {
        QFETCH(QStringList, options);
        haveCluster(options);
    } else if (qstrcmp(QTest::currentTestFunction(), "limitsAreRaised") == 0) {
        haveCluster({"--cgroups"});
    } else if (qstrcmp(QTest::currentTestFunction(), "fullDiskThereLosesNothing") == 0) {
        haveCluster({"--small-disk"});
    } else {
        haveCluster({});
    }
    if (m_cluster->runs()) // otherwise skipped, or failed
        beginAnew();
}

/// A new folder here, and one there.
void TestSlurmLong::beginAnew()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_name = QString("campaign%1").arg(++m_count);
    QVERIFY(QDir(m_cluster->home()).mkpath(m_name));
}

/// p.gridhelm of two parameters: 5 jobs at level 2, 17 at level 3, 321 at level 6.
void TestSlurmLong::plan(int level, const QByteArray &command, const QByteArray &run) const
{
    QByteArray parameters;
    for (const char *name : {"a", "b"})
        parameters += QByteArray("[[parameter]]\nname = \"") + name + "\"\nlow = 0\nhigh = 4\n";
    QFile file(m_folder->filePath("p.toml"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    const QByteArray image =
        "printf '# vtk DataFile Version 3.0\\nx\\nASCII\\nDATASET STRUCTURED_POINTS\\n"
        "DIMENSIONS 2 2 1\\nORIGIN 0 0 0\\nSPACING 1 1 1\\nPOINT_DATA 4\\n"
        "SCALARS u float 1\\nLOOKUP_TABLE default\\n{a}\\n{b}\\n2\\n3\\n' > out.vtk";
    file.write(parameters + "[grid]\nlevel = " + QByteArray::number(level)
               + "\n[simulation]\ncommand = '''\necho ran >> " + left().toUtf8() + "{job}\n"
               + command + "\n" + image
               + "\n'''\nresult = \"out.vtk\"\n[run]\non = \"slurm\"\n"
                 "host = \"gridhelm-test\"\npoll = 0.2\n"
               + run);
    file.close();
    const auto outcome = runHere("plan p.toml");
    QVERIFY2(outcome.exitCode == 0, outcome.err);
}

std::unique_ptr<QProcess> TestSlurmLong::started(const QString &line) const
{
    auto process = std::make_unique<QProcess>();
    process->setWorkingDirectory(m_folder->path());
    process->setProcessChannelMode(QProcess::MergedChannels);
    process->setStandardOutputFile(m_folder->filePath("said"), QIODevice::Append);
    process->start(QString(paths::cli), QProcess::splitCommand(line));
    process->waitForStarted(-1);
    return process;
}

/// What the jobs that have failed say.
QByteArray TestSlurmLong::failures() const
{
    QByteArray all;
    const QString list = runHere("info p.gridhelm --jobs").out;
    for (const auto &line : list.split('\n').filter("failed"))
        all += runHere("info p.gridhelm --log " + line.simplified().section(' ', 0, 0)).out;
    return all;
}

/// Empty if each of so many jobs was run once, and is stored.
QString TestSlurmLong::problems(int jobsWished) const
{
    QStringList all;
    if (const int done = jobs("done"); done != jobsWished)
        all += QString("%1 jobs are done, not %2").arg(done).arg(jobsWished);
    if (const auto number = jobsRun().size(); number != jobsWished)
        all += QString("%1 jobs were run, not %2").arg(number).arg(jobsWished);
    for (const auto &name : jobsRun())
        if (contentOf(left(name)) != "ran\n")
            all += name + " was not run once";
    if (const auto check = runHere("check p.gridhelm"); check.exitCode != 0)
        all += QString::fromUtf8(check.out + check.err);
    return all.join("; ");
}

void TestSlurmLong::controllerRestartedInTheMiddle()
{
    plan(6, "sleep 0.2");
    const auto campaign = started("run p.gridhelm --jobs 8");
    QVERIFY(waitForRuns(100));
    QCOMPARE(m_cluster->control("stop-controller").exitCode, 0);
    QTest::qWait(15'000); // squeue has failed meanwhile, and was asked again
    QVERIFY(campaign->state() == QProcess::Running);
    QCOMPARE(m_cluster->control("start-controller").exitCode, 0);
    QVERIFY(waitForRuns(200));
    QCOMPARE(m_cluster->control("restart-controller").exitCode, 0);
    QVERIFY(campaign->waitForFinished(patience));
    QVERIFY2(campaign->exitCode() == 0, said());
    // Slurm gives up those that it was just handing to a node when it was stopped: they were never
    // run, and wait again.
    QVERIFY2(exitCodeOf("run p.gridhelm --jobs 8") == 0, said());
    QCOMPARE(problems(jobsPlanned), "");
}

void TestSlurmLong::connectionsCutAgainAndAgain()
{
    plan(6, "sleep 0.2", "most-queued = 40\n"); // submits often
    Random random(26);
    int cut = 0, begun = 0;
    // Longer and longer: on a busy machine a connection takes a while, and something must get
    // through.
    const auto pause = [&] { return cut < 20 ? random.integer(0, 500 + 100 * cut) : patience; };
    for (bool isDone = false; !isDone; ++begun) {
        const auto campaign = started("run p.gridhelm --jobs 8");
        // waitForFinished() is false for what has ended before.
        while (campaign->state() != QProcess::NotRunning && !campaign->waitForFinished(pause())) {
            if (++cut % 10 == 0) {
                QCOMPARE(m_cluster->control("disconnect").exitCode, 0);
                QTest::qWait(3000);
                QCOMPARE(m_cluster->control("reconnect").exitCode, 0);
            } else {
                QCOMPARE(m_cluster->control("kill-connections").exitCode, 0);
            }
        }
        QCOMPARE(campaign->exitStatus(), QProcess::NormalExit);
        isDone = campaign->exitCode() == 0;
    }
    qInfo("%d cuts, %d campaigns", cut, begun);
    QVERIFY(cut > 0);
    QCOMPARE(problems(jobsPlanned), "");
}

/// Before, within and after submissions: as soon as there is a sign of it, or at any moment.
void TestSlurmLong::programKilledTwentyTimes()
{
    const auto planAnew = [this] { plan(6, "sleep 0.2", "most-queued = 24\n"); };
    planAnew();
    const QDir there(m_cluster->home() + "/gridhelm-jobs");
    const auto isUnpacking = [&] {
        return !there.entryList({".incoming-*"}, QDir::Dirs | QDir::Hidden).isEmpty();
    };
    const auto batches = [&](const QString &file) {
        int number = 0;
        for (const auto &batch :
             QDir(there.filePath("batches")).entryList(QDir::Dirs | QDir::NoDotAndDotDot))
            number += QFile::exists(there.filePath("batches/" + batch + "/" + file));
        return number;
    };
    Random random(27);
    for (int killed = 0; killed < 20;) {
        const int taken = batches("id"), sent = batches("runs");
        const auto run = jobsRun().size();
        const int milliseconds = random.integer(0, 3000);
        const auto campaign = started("run p.gridhelm --jobs 8");
        QElapsedTimer timer;
        timer.start();
        const auto isMoment = [&] {
            switch (killed % 5) {
            case 0:
                return isUnpacking();
            case 1:
                return batches("runs") > sent;
            case 2:
                return batches("id") > taken;
            case 3: // results come
                return jobsRun().size() > run + 12;
            default:
                return timer.elapsed() > milliseconds;
            }
        };
        while (!isMoment() && !campaign->waitForFinished(1))
            ;
        if (campaign->state() == QProcess::Running) {
            campaign->kill();
            campaign->waitForFinished(-1);
            ++killed;
            const auto check = runHere("check p.gridhelm");
            QVERIFY2(check.exitCode == 0, check.out + check.err);
            continue;
        }
        // It was quicker than our kills.
        QVERIFY2(campaign->exitStatus() == QProcess::NormalExit && campaign->exitCode() == 0,
                 said());
        QCOMPARE(problems(jobsPlanned), "");
        beginAnew();
        planAnew();
    }
    qInfo("%d jobs were done when the last campaign was killed", jobs("done"));
    QVERIFY2(exitCodeOf("run p.gridhelm --jobs 8") == 0, said());
    QCOMPARE(problems(jobsPlanned), "");
}

void TestSlurmLong::limitsAreSaid_data()
{
    QTest::addColumn<QStringList>("options"); // init() reads them
    QTest::newRow("accounting") << QStringList{"--cgroups", "--accounting"};
    QTest::newRow("what scontrol still knows") << QStringList{"--cgroups"};
}

void TestSlurmLong::limitsAreSaid()
{
    plan(2,
         "if [ {a} = 1 ]; then sleep 600; fi\n"
         // tail keeps the whole line.
         "if [ {a} = 3 ]; then head -c 300000000 /dev/zero | tail > /dev/null || exit 5; fi",
         "time = \"1\"\nmemory = \"100M\"\n");
    QVERIFY2(exitCodeOf("run p.gridhelm --jobs 8") == 1, said());
    QCOMPARE(jobs("done"), 3);
    const auto log = failures();
    QVERIFY2(log.contains("at its limit of time (1)"), log);
    QVERIFY2(log.contains("more memory than it had asked for (100M)"), log);
}

void TestSlurmLong::limitsAreRaised()
{
    plan(2,
         "if [ {a} = 1 ]; then sleep 100; fi\n"
         "if [ {a} = 3 ]; then head -c 150000000 /dev/zero | tail > /dev/null || exit 5; fi",
         "time = \"1\"\nmemory = \"100M\"\nretry = { time = \"x4\", memory = \"x4\" }\n");
    QVERIFY2(exitCodeOf("run p.gridhelm --jobs 8") == 0, said());
    QCOMPARE(jobs("done"), 5);
    int tries = 0;
    for (const auto &run : jobsRun())
        tries += static_cast<int>(contentOf(left(run)).count('\n'));
    QCOMPARE(tries, 5 + 2);
    QByteArray logs;
    for (int job = 1; job <= 5; ++job)
        logs += runHere(QString("info p.gridhelm --log %1").arg(job)).out;
    QVERIFY2(logs.contains("(tried again with time = 0:04:00 (1 of 2))"), logs);
    QVERIFY2(logs.contains("(tried again with memory = 400M (1 of 2))"), logs);
}

void TestSlurmLong::fullDiskThereLosesNothing()
{
    plan(3, "sleep 0.5", "folder = \"small/jobs\"\nat-once = 2\n");
    QFile filling(m_cluster->home() + "/small/filling");
    QVERIFY(filling.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
    const auto fill = [&] {
        const QByteArray zeros(1 << 12, '\0');
        while (filling.write(zeros) == zeros.size())
            ;
    };

    fill();
    const auto refused = runHere("run p.gridhelm --jobs 2");
    QVERIFY2(isOneSentence(refused, "has no room left for runs in its folder \"small/jobs\""),
             refused.err);
    QCOMPARE(jobs("waiting"), 17);

    QVERIFY(filling.resize(0) && filling.seek(0));
    const auto campaign = started("run p.gridhelm --jobs 2");
    QVERIFY(waitForRuns(4));
    fill();
    QTest::qWait(5000);
    QVERIFY(filling.resize(0));
    QVERIFY(campaign->waitForFinished(patience));
    QCOMPARE(campaign->exitStatus(), QProcess::NormalExit);
    // Those that could not write what they had to have failed, and are run again when asked.
    QVERIFY2(exitCodeOf("run p.gridhelm --jobs 2 --retry-failed") == 0, said());
    QCOMPARE(jobs("done"), 17);
    QCOMPARE(runHere("check p.gridhelm").exitCode, 0);
}

GRIDHELM_TEST(TestSlurmLong)
#include "tst_slurm_long.moc"

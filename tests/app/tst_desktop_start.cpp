// SPDX-License-Identifier: GPL-3.0-or-later
//
// The window's program from outside: without a screen, and ended by signals.
#include "tests/app/caught_signal.h"
#include "tests/support/paths.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

namespace {

class Program
{
public:
    Program()
    {
        m_environment = QProcessEnvironment::systemEnvironment();
        for (const char *name : {"DISPLAY", "QT_QPA_PLATFORM", "WAYLAND_DISPLAY"})
            m_environment.remove(name);
        m_environment.insert("HOME", m_folder.filePath("home"));
        m_environment.insert("XDG_CONFIG_HOME", m_folder.filePath("home"));
        m_environment.insert("XDG_RUNTIME_DIR", m_folder.filePath("home")); // else Qt makes one
        m_environment.insert("TMPDIR", temporaries());
        QDir(m_folder.path()).mkdir("home", QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        QDir(m_folder.path()).mkdir("tmp");
    }
    ~Program()
    {
        process.kill();
        process.waitForFinished();
    }

    QString temporaries() const { return m_folder.filePath("tmp"); }
    QStringList leftBehind() const
    {
        return QDir(temporaries())
            .entryList(QDir::AllEntries | QDir::NoDotAndDotDot | QDir::Hidden);
    }
    void set(const char *name, const QString &value) { m_environment.insert(name, value); }
    QString file(const QString &name) const { return m_folder.filePath(name); }

    void start(const QStringList &arguments)
    {
        process.setProcessEnvironment(m_environment);
        process.start(QString(gridhelm::test::paths::desktop), arguments);
        QVERIFY(process.waitForStarted());
    }
    /// Until it has seen to it that this signal does not simply kill it.
    bool waitUntilItCatches(int signal)
    {
        return QTest::qWaitFor(
            [&] { return gridhelm::test::catchesSignal(process.processId(), signal); }, 30000);
    }

    QProcess process;

private:
    QTemporaryDir m_folder;
    QProcessEnvironment m_environment;
};

} // namespace

class TestDesktopStart : public QObject
{
    Q_OBJECT

private slots:
    void helpNeedsNoScreen_data()
    {
        QTest::addColumn<QString>("option");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("help") << "--help" << QByteArray("--start-page");
        QTest::newRow("short help") << "-h" << QByteArray("--start-page");
        QTest::newRow("version") << "--version" << QByteArray("Gridhelm ");
    }
    void helpNeedsNoScreen()
    {
        QFETCH(QString, option);
        QFETCH(QByteArray, says);
        for (const char *display : {"", ":77", "nohost.invalid:0"}) {
            Program program;
            if (*display)
                program.set("DISPLAY", display);
            program.start({option});
            QVERIFY(program.process.waitForFinished(30000));
            QCOMPARE(program.process.exitStatus(), QProcess::NormalExit);
            QCOMPARE(program.process.exitCode(), 0);
            QVERIFY(program.process.readAllStandardOutput().contains(says));
            QCOMPARE(program.process.readAllStandardError(), QByteArray());
        }
    }

    void aScreenThatCannotBeReachedIsASentence_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("none") << "DISPLAY"
                              << "" << QStringList();
        QTest::newRow("nobody there") << "DISPLAY"
                                      << ":77" << QStringList();
        QTest::newRow("no such host") << "DISPLAY"
                                      << "nohost.invalid:0" << QStringList();
        QTest::newRow("as an argument") << "DISPLAY"
                                        << "" << QStringList{"-display", ":77"};
        QTest::newRow("no such platform") << "QT_QPA_PLATFORM"
                                          << "nonsense" << QStringList();
        QTest::newRow("wayland") << "QT_QPA_PLATFORM"
                                 << "wayland" << QStringList();
    }
    void aScreenThatCannotBeReachedIsASentence()
    {
        QFETCH(QString, name);
        QFETCH(QString, value);
        QFETCH(QStringList, arguments);
        Program program;
        program.set(name.toLatin1(), value);
        program.start(arguments);
        QVERIFY(program.process.waitForFinished(30000));
        const auto says = program.process.readAllStandardError();
        QVERIFY2(program.process.exitStatus() == QProcess::NormalExit, says);
        QCOMPARE(program.process.exitCode(), 1);
        QVERIFY2(says.startsWith("gridhelm: ") && says.endsWith(".\n") && says.count('\n') == 1,
                 says);
    }

    void signalsEndTheWindowAsAUserDoes_data()
    {
        QTest::addColumn<int>("signal");
        QTest::addColumn<bool>("showsItself");
        QTest::newRow("SIGTERM") << SIGTERM << false;
        QTest::newRow("SIGINT") << SIGINT << false;
        QTest::newRow("SIGHUP") << SIGHUP << false;
        QTest::newRow("SIGTERM in a tour") << SIGTERM << true;
    }
    void signalsEndTheWindowAsAUserDoes()
    {
        QFETCH(int, signal);
        QFETCH(bool, showsItself);
        Program program;
        program.set("QT_QPA_PLATFORM", "offscreen");
        program.start(showsItself ? QStringList{"--tour", program.file("pictures")}
                                  : QStringList{"--start-page"});
        QVERIFY(program.waitUntilItCatches(signal));
        QTest::qWait(200);
        QCOMPARE(::kill(static_cast<pid_t>(program.process.processId()), signal), 0);
        QVERIFY(program.process.waitForFinished(30000));
        QCOMPARE(program.process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(program.leftBehind(), QStringList());
    }

    /// Its figures are worth nothing here; that it ends well on a first start, when the window has
    /// news for its user, is.
    void theBenchEndsWellOnAFirstStart()
    {
        Program program;
        program.set("QT_QPA_PLATFORM", "offscreen");
        const auto study = program.file("s.gridhelm");
        program.start({"--synthetic", "9", study});
        QVERIFY(program.process.waitForFinished(30000));
        QCOMPARE(program.process.exitCode(), 0);
        program.start(
            {"--bench-steer", "--seconds", "0.3", "--view", "oblique", "--threads", "1", study});
        QVERIFY(program.process.waitForFinished(60000));
        QCOMPARE(program.process.exitCode(), 0);
        const auto figures =
            QJsonDocument::fromJson(program.process.readAllStandardOutput()).object();
        QCOMPARE(figures["view"].toString(), QString("oblique"));
        QCOMPARE(figures["study"].toString(), QString("Synthetic"));
        QCOMPARE(figures["values"].toInt(), 729);
        QCOMPARE(figures["threads"].toInt(), 1);
        QVERIFY(figures["frames"].toInt() > 0);
        QVERIFY(figures["active_rows"].toInt() > 0);
        const double first = figures["first_picture_ms"].toDouble();
        QVERIFY(first > 0 && first <= figures["whole_picture_ms"].toDouble());
        QCOMPARE(figures["first_picture_energy_share"].toDouble(), 1.0); // all levels, no modes
        for (const char *key : {"backend", "computed_on", "cpu", "opengl_renderer", "view_pixels",
                                "window_pixels", "evaluation_share", "transfer_share"})
            QVERIFY2(figures.contains(key), key);

        program.start({"--bench-steer", "--view", "cloud", study});
        QVERIFY(program.process.waitForFinished(30000));
        QCOMPARE(program.process.exitCode(), 1);
        QVERIFY(program.process.readAllStandardError().contains("cloud"));

        QElapsedTimer clock;
        clock.start();
        program.start({"--bench-steer", program.file("nothing.gridhelm")});
        QVERIFY(program.process.waitForFinished(60000));
        QCOMPARE(program.process.exitCode(), 1);
        QVERIFY(program.process.readAllStandardError().contains("nothing.gridhelm"));
        QVERIFY(clock.elapsed() < 60000); // not after two minutes of waiting for a picture
    }

    void aBackEndThatIsNotThereIsASentence()
    {
        Program program;
        program.set("QT_QPA_PLATFORM", "offscreen");
        program.start({"--backend", "abacus"});
        QVERIFY(program.process.waitForFinished(30000));
        QCOMPARE(program.process.exitCode(), 1);
        QVERIFY(program.process.readAllStandardError().contains(
            "there is no back end abacus; choose one of omp, "));
    }

    void whatShowsItselfEndsWhereNothingCanBeOpened_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("tour") << QStringList{"--tour", "pictures"};
        QTest::newRow("bench") << QStringList{"--bench-steer"};
    }

    void whatShowsItselfEndsWhereNothingCanBeOpened()
    {
        QFETCH(QStringList, arguments);
        Program program;
        program.set("QT_QPA_PLATFORM", "offscreen");
        if (arguments.size() > 1)
            arguments.last() = program.file(arguments.last());
        QFile damaged(program.file("damaged.gridhelm"));
        QVERIFY(damaged.open(QFile::WriteOnly));
        damaged.write(QByteArray("SQLite format 3").append('\0').append(QByteArray(5000, 'x')));
        damaged.close();
        for (const auto &study : {damaged.fileName(), program.file("none.gridhelm")}) {
            program.start(arguments + QStringList{study});
            QVERIFY2(program.process.waitForFinished(30000), qPrintable(study));
            QCOMPARE(program.process.exitCode(), 1);
            QVERIFY(program.process.readAllStandardError().contains(
                QFileInfo(study).fileName().toUtf8()));
        }
    }

    void aMissingTemporaryFolderDoesNotMatter()
    {
        Program program;
        program.set("QT_QPA_PLATFORM", "offscreen");
        program.set("TMPDIR", "/nowhere/at/all");
        program.start({"--tour", program.file("pictures")});
        QVERIFY(program.waitUntilItCatches(SIGTERM));
        QTest::qWait(200);
        program.process.terminate();
        QVERIFY(program.process.waitForFinished(30000));
        QCOMPARE(program.process.exitStatus(), QProcess::NormalExit);
        QVERIFY(!program.process.readAllStandardError().contains("emporary"));
    }
};

GRIDHELM_TEST(TestDesktopStart)
#include "tst_desktop_start.moc"

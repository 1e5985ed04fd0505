// SPDX-License-Identifier: GPL-3.0-or-later
//
// Pictures of studies and files, with and without a screen.
#include "tests/app/cli_process.h"

#include <QDir>
#include <QFile>
#include <QImage>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QtTest>

#include <csignal>
#include <set>

using namespace gridhelm::test;

class TestCliRender : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    Outcome runHere(const QString &line) const { return runCli(line, {}, m_folder.path()); }
    QString path(const QString &name) const { return m_folder.filePath(name); }

    /// So many different colours that something must have been drawn.
    static bool hasContent(const QImage &image)
    {
        std::set<QRgb> colours;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                colours.insert(image.pixel(x, y));
        return colours.size() > 50;
    }

    /// Process ids of all Xvfb that `parent` has started.
    static QStringList serversOf(qint64 parent)
    {
        QStringList found;
        const auto processes = QDir("/proc").entryList(QDir::Dirs | QDir::NoDotAndDotDot);
        for (const auto &id : processes) {
            QFile file("/proc/" + id + "/stat"); // pid (name) state parent ...
            if (!file.open(QIODevice::ReadOnly))
                continue;
            const auto stat = QString::fromLatin1(file.readAll());
            if (stat.contains("(Xvfb) ")
                && stat.section(") ", 1).section(' ', 1, 1) == QString::number(parent))
                found << id;
        }
        return found;
    }

private slots:
    void initTestCase()
    {
        qunsetenv("DISPLAY"); // a picture needs no screen
        QFile plan(path("p.toml"));
        QVERIFY(plan.open(QIODevice::WriteOnly));
        plan.write("[[parameter]]\nname = \"x\"\n[grid]\nlevel = 2\n"
                   "[simulation]\nbuiltin = \"plate\"\nresolution = 17\n"
                   "fixed = {width = 0.2}\n");
        plan.close();
        for (const auto *line : {"plan p.toml", "run p.gridhelm", "compress p.gridhelm",
                                 "eval p.gridhelm --at x=0.4 --out p.vti"}) {
            const auto outcome = runHere(line);
            QVERIFY2(outcome.exitCode == 0, outcome.err);
        }
    }

    void everyViewIsDrawn_data()
    {
        QTest::addColumn<QString>("options");
        QTest::newRow("slice") << "--view slice";
        QTest::newRow("contour") << "--view contour --levels 7";
        QTest::newRow("isovalues") << "--view contour --isovalues 20,40";
        QTest::newRow("surface") << "--view surface --relief 0.5";
        QTest::newRow("edges") << "--edges --dark --colours coolwarm --projection oblique";
        QTest::newRow("range") << "--range=-10,90 --field temperature --component magnitude";
    }
    void everyViewIsDrawn()
    {
        QFETCH(QString, options);
        const auto outcome =
            runHere("render p.gridhelm --at x=0.4 --size 320x240 --json --out a.png " + options);
        QVERIFY2(outcome.exitCode == 0, outcome.err);
        const QImage image(path("a.png"));
        QCOMPARE(image.size(), QSize(320, 240));
        QVERIFY(hasContent(image));
        const auto json = jsonOf(outcome);
        QCOMPARE(json["width"].toInt(), 320);
        QCOMPARE(json["field"].toString(), QString("temperature"));
        if (options.contains("--range"))
            QCOMPARE(json["range"].toArray(), (QJsonArray{-10, 90}));
        QVERIFY(QFile::remove(path("a.png")));
    }

    void meshFileLooksLikeTheStudyItIsFrom()
    {
        const auto study =
            runHere("render p.gridhelm --at x=0.4 --size 320x240 --json --out s.png");
        const auto file = runHere("render p.vti --size 320x240 --json --out f.png");
        QVERIFY2(file.exitCode == 0, file.err);
        QCOMPARE(jsonOf(file)["range"], jsonOf(study)["range"]);
        QCOMPARE(jsonOf(file)["field"], jsonOf(study)["field"]);
        QVERIFY(hasContent(QImage(path("f.png"))));
    }

    void screenThatCannotBeReachedIsNoObstacle()
    {
        qputenv("DISPLAY", ":47111");
        const auto outcome = runHere("render p.gridhelm --at x=0.4 --size 200x150 --out d.png");
        qunsetenv("DISPLAY");
        QVERIFY2(outcome.exitCode == 0, outcome.err);
        QVERIFY(hasContent(QImage(path("d.png"))));
    }

    void withoutXvfbThePackageIsNamed()
    {
        const auto before = qgetenv("PATH");
        qputenv("PATH", "/nowhere");
        const auto outcome = runHere("render p.gridhelm --at x=0.4 --out none.png");
        qputenv("PATH", before);
        QVERIFY2(isOneSentence(outcome, "xvfb"), outcome.err);
        QVERIFY(!QFile::exists(path("none.png")));
    }

    void noServerStaysBehindAKilledProgram()
    {
        for (const int signal : {SIGINT, SIGKILL}) {
            QProcess process;
            process.setWorkingDirectory(m_folder.path());
            process.start(QStringLiteral(GRIDHELM_CLI),
                          {"render", "p.gridhelm", "--at", "x=0.4", "--size", "8000x8000", "--out",
                           "killed.png"});
            QVERIFY(process.waitForStarted());
            QStringList servers;
            QTRY_VERIFY_WITH_TIMEOUT(!(servers = serversOf(process.processId())).isEmpty(), 60000);
            QCOMPARE(kill(static_cast<pid_t>(process.processId()), signal), 0);
            QVERIFY(process.waitForFinished(60000));
            QCOMPARE(process.exitStatus(), QProcess::CrashExit);
            const QString id = servers.front();
            QTRY_VERIFY_WITH_TIMEOUT(!QFile::exists("/proc/" + id), 20000);
            QVERIFY(!QFile::exists(path("killed.png")));
        }
    }

    void badInputIsOneSentenceAndNoFile_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("says");
        const QString good = "render p.gridhelm --at x=0.4 --out bad.png ";
        QTest::newRow("no study") << "render nothing --at x=0.4 --out bad.png"
                                  << "nothing";
        QTest::newRow("no parameters") << "render p.gridhelm --out bad.png"
                                       << "x";
        QTest::newRow("out of range") << "render p.gridhelm --at x=40 --out bad.png"
                                      << "x";
        QTest::newRow("field") << good + "--field nothing"
                               << "temperature";
        QTest::newRow("two fields") << good + "--field temperature --field temperature"
                                    << "one field";
        QTest::newRow("component") << good + "--component z"
                                   << "component";
        QTest::newRow("view") << good + "--view volume"
                              << "volume";
        QTest::newRow("colours") << good + "--colours rainbow"
                                 << "viridis";
        QTest::newRow("normal") << good + "--normal w"
                                << "x, y or z";
        QTest::newRow("range") << good + "--range 1,1"
                               << "range";
        QTest::newRow("range of one") << good + "--range 1"
                                      << "two numbers";
        QTest::newRow("levels") << good + "--view contour --levels 100000"
                                << "200";
        QTest::newRow("isovalues") << good + "--view contour --isovalues 1e9"
                                   << "levels";
        QTest::newRow("size") << good + "--size 100000x10"
                              << "8192";
        QTest::newRow("no size") << good + "--size large"
                                 << "1200x900";
        QTest::newRow("overflow") << good + "--size 99999999999x10"
                                  << "--size";
        QTest::newRow("name") << "render p.gridhelm --at x=0.4 --out bad.jpg"
                              << ".png";
        QTest::newRow("folder") << "render p.gridhelm --at x=0.4 --out no/where/bad.png"
                                << "bad.png";
        QTest::newRow("projection") << good + "--projection fish"
                                    << "straight";
        QTest::newRow("file with parameters") << "render p.vti --at x=0.4 --out bad.png"
                                              << "--at";
        QTest::newRow("no picture") << "render p.gridhelm --at x=0.4"
                                    << "--out";
    }
    void badInputIsOneSentenceAndNoFile()
    {
        QFETCH(QString, line);
        QFETCH(QString, says);
        const auto outcome = runHere(line);
        QVERIFY2(isOneSentence(outcome, says), outcome.err);
        const auto left = QDir(m_folder.path()).entryList({"bad*", "*.part"}, QDir::Files);
        QVERIFY2(left.isEmpty(), qPrintable(left.join(' ')));
    }
};

QTEST_GUILESS_MAIN(TestCliRender)
#include "tst_cli_render.moc"

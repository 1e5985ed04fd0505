// SPDX-License-Identifier: GPL-3.0-or-later
//
// Pictures of studies and files, with and without a screen.
#include "tests/app/cli_process.h"
#include "tests/support/paths.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QImage>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

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

    /// flow.vti: a solid image with a vector field that turns and rises.
    void writeFlow() const
    {
        constexpr int points = 9;
        QByteArray values;
        for (int k = 0; k < points; ++k)
            for (int j = 0; j < points; ++j)
                for (int i = 0; i < points; ++i)
                    values += QByteArray::number(4 - j) + ' ' + QByteArray::number(i - 4) + " 1\n";
        QFile file(path("flow.vti"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("<VTKFile type=\"ImageData\" version=\"0.1\" byte_order=\"LittleEndian\">"
                   "<ImageData WholeExtent=\"0 8 0 8 0 8\" Origin=\"0 0 0\" "
                   "Spacing=\"0.125 0.125 0.125\"><Piece Extent=\"0 8 0 8 0 8\"><PointData>"
                   "<DataArray type=\"Float32\" Name=\"velocity\" NumberOfComponents=\"3\" "
                   "format=\"ascii\">"
                   + values + "</DataArray></PointData></Piece></ImageData></VTKFile>");
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
        writeFlow();
    }

    void everyViewIsDrawn_data()
    {
        QTest::addColumn<QString>("options");
        QTest::newRow("slice") << "--view slice";
        QTest::newRow("contour") << "--view contour --levels 7";
        QTest::newRow("isovalues") << "--view contour --isovalues 20,40";
        QTest::newRow("surface") << "--view surface --relief 0.5";
        QTest::newRow("colours") << "--colours berlin --invert-colours --bands 6";
        QTest::newRow("edges") << "--edges --dark --colours coolwarm --projection oblique";
        QTest::newRow("low confidence") << "--low-confidence 0.5";
        QTest::newRow("free plane") << "--normal 1,1,0 --position 0.5"; // flat: nothing to slice
        QTest::newRow("side") << "--view surface --from isometric";
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

    void vectorsAndVolumesOfAFileAreDrawn_data()
    {
        QTest::addColumn<QString>("options");
        QTest::addColumn<QString>("view");
        QTest::newRow("glyphs") << "--view glyphs --glyphs 50 --glyph-scale 2"
                                << "glyphs";
        QTest::newRow("streamlines") << "--view streamlines --streamlines 9 --dark"
                                     << "streamlines";
        QTest::newRow("line of seeds") << "--view streamlines --seeds z"
                                       << "streamlines";
        QTest::newRow("volume") << "--view volume --opacity 0.5"
                                << "volume";
        QTest::newRow("tubes") << "--view streamlines --tubes --tube-thickness 0.02"
                               << "streamlines";
        QTest::newRow("clip") << "--view surface --clip --normal x --position 0.3"
                              << "surface";
        QTest::newRow("clip, the other half") << "--view volume --clip --clip-invert"
                                              << "volume";
        QTest::newRow("warp") << "--view surface --warp --warp-factor=-0.2"
                              << "surface";
        QTest::newRow("component") << "--view volume --component y"
                                   << "volume";
        QTest::newRow("free plane") << "--normal 1,2,-1 --position 0.1 --from=-x"
                                    << "slice";
    }
    void vectorsAndVolumesOfAFileAreDrawn()
    {
        QFETCH(QString, options);
        QFETCH(QString, view);
        const auto outcome =
            runHere("render flow.vti --size 320x240 --json --out v.png " + options);
        QVERIFY2(outcome.exitCode == 0, outcome.err);
        QCOMPARE(jsonOf(outcome)["view"].toString(), view);
        QVERIFY(hasContent(QImage(path("v.png"))));
        QVERIFY(QFile::remove(path("v.png")));
    }

    void lowConfidencePlacesAreDarker()
    {
        const QString line = "render p.gridhelm --at x=0.4 --size 320x240 --json --out d.png ";
        const auto outcome = runHere(line);
        QVERIFY2(outcome.exitCode == 0, outcome.err);
        const QImage plain(path("d.png"));
        const auto range = jsonOf(outcome)["range"].toArray();
        const double percent = 50 * jsonOf(outcome)["indicator"].toDouble()
                               / (range[1].toDouble() - range[0].toDouble());
        QVERIFY(percent > 0);
        QVERIFY(runHere(line + QString("--low-confidence %1").arg(percent)).exitCode == 0);
        const QImage marked(path("d.png"));
        int darker = 0;
        for (int y = 40; y < 200; ++y)
            for (int x = 40; x < 220; ++x)
                darker += qGray(marked.pixel(x, y)) + 10 < qGray(plain.pixel(x, y));
        QVERIFY2(darker > 20, qPrintable(QString::number(darker)));
    }

    void transparentPicturesHaveNoBackground()
    {
        const auto outcome =
            runHere("render p.gridhelm --at x=0.4 --size 320x240 --transparent --out t.png");
        QVERIFY2(outcome.exitCode == 0, outcome.err);
        const QImage image(path("t.png"));
        QVERIFY(image.hasAlphaChannel());
        QCOMPARE(qAlpha(image.pixel(1, 1)), 0);
        QCOMPARE(qAlpha(image.pixel(130, 130)), 255);
        QVERIFY(hasContent(image));
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
            process.start(QString(paths::cli),
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
        QTest::newRow("view") << good + "--view bubbles"
                              << "bubbles";
        QTest::newRow("volume of a flat mesh") << good + "--view volume"
                                               << "flat";
        QTest::newRow("glyphs of a scalar") << good + "--view glyphs"
                                            << "vector";
        QTest::newRow("streamlines of a scalar") << good + "--view streamlines"
                                                 << "vector";
        QTest::newRow("no glyphs") << "render flow.vti --out bad.png --view glyphs --glyphs 0"
                                   << "glyphs";
        QTest::newRow("long glyphs")
            << "render flow.vti --out bad.png --view glyphs --glyph-scale 1e9"
            << "glyphs";
        QTest::newRow("streamlines")
            << "render flow.vti --out bad.png --view streamlines --streamlines 1000000"
            << "500";
        QTest::newRow("thick tubes")
            << "render flow.vti --out bad.png --view streamlines --tubes --tube-thickness 9"
            << "from 0.0001 to 0.5";
        QTest::newRow("clip outside") << "render flow.vti --out bad.png --view surface --clip "
                                         "--position 9"
                                      << "outside";
        QTest::newRow("warp of a scalar") << good + "--view surface --warp"
                                          << "2 or 3 components";
        QTest::newRow("warp by infinity")
            << "render flow.vti --out bad.png --view surface --warp --warp-factor 1e30"
            << "factor of a warp";
        QTest::newRow("seeds") << "render flow.vti --out bad.png --view streamlines --seeds here"
                               << "everywhere";
        QTest::newRow("plane outside")
            << "render flow.vti --out bad.png --normal 1,1,1 --position 9"
            << "outside";
        QTest::newRow("plane across nothing") << "render flow.vti --out bad.png --normal 0,0,0"
                                              << "not all 0";
        QTest::newRow("low confidence of a file")
            << "render flow.vti --out bad.png --low-confidence 5"
            << "--low-confidence";
        QTest::newRow("nothing is of low confidence") << good + "--low-confidence=-1"
                                                      << "above 0";
        QTest::newRow("side") << good + "--from below"
                              << "isometric";
        QTest::newRow("side of a flat field") << good + "--from=+x"
                                              << "relief";
        QTest::newRow("bands") << good + "--bands 1"
                               << "there cannot be 1 bands of colours";
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

GRIDHELM_TEST(TestCliRender)
#include "tst_cli_render.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
//
// Recordings of everything that moves, through the dialog as a user has it.
#include "tests/core/sanitized.h"
#include "tests/ui/record_case.h"
#include "ui/window/views/compared_views.h"

#include <QDoubleSpinBox>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <csignal>

#include <sys/resource.h>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

namespace {

#ifdef GRIDHELM_THREAD_SANITIZED
constexpr bool canStartPrograms = false;
#else
constexpr bool canStartPrograms = true;
#endif

/// Puts a program of this name first in PATH while it lives.
class FakeProgram
{
public:
    FakeProgram(const QString &name, const QByteArray &script)
        : m_path(qgetenv("PATH"))
    {
        QFile file(m_folder.filePath(name));
        if (file.open(QIODevice::WriteOnly))
            file.write("#!/bin/sh\n" + script);
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        qputenv("PATH", m_folder.path().toLocal8Bit() + ":" + m_path);
    }
    ~FakeProgram() { qputenv("PATH", m_path); }

private:
    QTemporaryDir m_folder;
    QByteArray m_path;
};

/// What ffprobe says of a movie: "width,height,pictures".
QByteArray probed(const QString &movie)
{
    QProcess ffprobe;
    ffprobe.start("ffprobe",
                  {"-v", "error", "-count_frames", "-select_streams", "v:0", "-show_entries",
                   "stream=width,height,nb_read_frames", "-of", "csv=p=0", movie});
    ffprobe.waitForFinished(waitMilliseconds);
    return ffprobe.readAllStandardOutput().trimmed();
}

/// Pictures of a series in the folder that are whole.
int picturesIn(const Folder &folder)
{
    int count = 0;
    const QDir dir(inside(folder, ""));
    for (const auto &name : dir.entryList({"lid-*.png"}))
        count += !QImage(dir.filePath(name)).isNull();
    return count;
}

/// No file can be longer while it lives: as if the disk were full.
class ShortFiles
{
public:
    explicit ShortFiles(rlim_t bytes)
    {
        std::signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit now{bytes, m_before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &now);
    }
    ~ShortFiles() { setrlimit(RLIMIT_FSIZE, &m_before); }

private:
    rlimit m_before{};
};

} // namespace

class RecordTest : public ScreenTest
{
    Q_OBJECT

private slots:
    void aSeriesHasThePictureOfEveryValue();
    void aMovieGetsEveryPicture();
    void everyFormatHasEveryPicture_data();
    void everyFormatHasEveryPicture();
    void picturesHaveTheChosenSize();
    void motionsThatCannotBeAreSentences();
    void problemsAreSentences();
    void stoppingLeavesEverythingAsItWas();
    void itSaysWhatIsThere();
    void itSaysWhatIsThereWhenItIsStopped();
    void aDiskThatIsFullIsSaid();
};

void RecordTest::aSeriesHasThePictureOfEveryValue()
{
    const Folder folder;
    OpenRecorder open(makeStudy(folder), inside(folder, "lid.png"), 5);
    QVERIFY(open.isOpen());
    const auto before = open.model().now();
    open.record();
    QVERIFY(open.hasEnded());
    QVERIFY(open.says("5 pictures are in"));
    QCOMPARE(open.model().now(), before);
    QVERIFY(!open.model().undoStack().canUndo());
    const auto &lid = open.model().study()->parameters[1];
    std::vector<QImage> pictures;
    for (int k = 0; k < 5; ++k) {
        const QImage picture(inside(folder, "lid-000") + QString("%1.png").arg(k + 1));
        QVERIFY(!picture.isNull());
        open.model().setParameter(1, lid.low + (lid.high - lid.low) * k / 4, false);
        QVERIFY(open.waitForFrame());
        QVERIFY(areAlike(picture, open.window->views().picture()));
        for (const auto &other : pictures)
            QVERIFY(!areAlike(other, picture));
        pictures.push_back(picture);
    }
    QVERIFY(!QFile::exists(inside(folder, "lid-0006.png")));
}

void RecordTest::aMovieGetsEveryPicture()
{
    if (!canStartPrograms)
        QSKIP("the thread sanitizer cannot follow how Qt starts programs");
    // Its "movie" is the names and the first and last of the pictures that it finds.
    const FakeProgram ffmpeg("ffmpeg", "while [ \"$1\" != -i ]; do shift; done\n"
                                       "folder=$(dirname \"$2\")\n"
                                       "for last; do :; done\n"
                                       "ls \"$folder\" | tr '\\n' ' ' > \"$last\"\n"
                                       "cat \"$folder/picture-0004.png\" >> \"$last\"\n");
    const Folder folder;
    OpenRecorder open(makeStudy(folder), inside(folder, "lid.mp4"), 4);
    QVERIFY(open.isOpen());
    open.record();
    QVERIFY(open.hasEnded());
    QVERIFY(open.says("The movie of"));
    QFile file(inside(folder, "lid.mp4"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray names("picture-0001.png picture-0002.png picture-0003.png picture-0004.png ");
    QCOMPARE(file.read(names.size()), names);
    open.model().setParameter(1, open.model().study()->parameters[1].high, false);
    QVERIFY(open.waitForFrame());
    QVERIFY(areAlike(QImage::fromData(file.readAll()), open.window->views().picture()));
}

void RecordTest::everyFormatHasEveryPicture_data()
{
    QTest::addColumn<QByteArray>("begin"); // of the file
    QTest::newRow("mp4") << QByteArray("ftyp");
    QTest::newRow("mkv") << QByteArray("matroska");
    QTest::newRow("webm") << QByteArray("webm");
    QTest::newRow("gif") << QByteArray("GIF89a");
}

void RecordTest::everyFormatHasEveryPicture()
{
    if (!canStartPrograms)
        QSKIP("the thread sanitizer cannot follow how Qt starts programs");
    QFETCH(QByteArray, begin);
    if (!canMakeMovies() || QStandardPaths::findExecutable("ffprobe").isEmpty())
        QSKIP("there is no ffmpeg here");
    const Folder folder;
    const auto path = inside(folder, std::string("lid.") + QTest::currentDataTag());
    OpenRecorder open(makeStudy(folder), path, 7);
    QVERIFY(open.isOpen());
    auto *size = box(open.dialog(), "Size of the picture");
    size->setCurrentIndex(size->count() - 1); // other
    named<QSpinBox>(open.dialog(), "Width in pixels")->setValue(200);
    named<QSpinBox>(open.dialog(), "Height in pixels")->setValue(160);
    open.record();
    QVERIFY(open.hasEnded());
    QVERIFY(open.says("The movie of 7 pictures"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.read(100).contains(begin));
    QCOMPARE(probed(path), QByteArray("200,160,7"));
}

void RecordTest::picturesHaveTheChosenSize()
{
    const Folder folder;
    OpenRecorder open(makeStudy(folder), inside(folder, "lid.png"), 3);
    QVERIFY(open.isOpen());
    QCOMPARE(named<QLabel>(open.dialog(), "Unit of the range")->text(), QString("m/s"));
    auto *size = box(open.dialog(), "Size of the picture");
    size->setCurrentIndex(1); // twice
    const auto inWindow = open.window->views().picture().size();
    open.record();
    QVERIFY(open.hasEnded());
    const auto pictures = series(folder);
    QCOMPARE(pictures.size(), std::size_t{3});
    for (const auto &picture : pictures)
        QCOMPARE(picture.size(), 2 * inWindow);
    QVERIFY(!areAlike(pictures[0], pictures[2]));
    QCOMPARE(open.window->views().picture().size(), inWindow);
}

void RecordTest::motionsThatCannotBeAreSentences()
{
    if (!canStartPrograms)
        QSKIP("the thread sanitizer cannot follow how Qt starts programs");
    const Folder folder;
    OpenRecorder open(makeStudy(folder), inside(folder, "lid.gif"), 3);
    QVERIFY(open.isOpen());
    open.choose("orbit");
    open.record();
    QVERIFY2(open.says("relief"), "a flat field");
    open.press(QKeySequence("3"));
    QVERIFY(open.waitForFrame());
    named<QDoubleSpinBox>(open.dialog(), "Angle of the orbit")->setValue(0);
    open.record();
    QVERIFY(open.says("give an angle"));
    open.choose("parameter");
    named<QDoubleSpinBox>(open.dialog(), "Pictures a second")->setValue(60);
    const FakeProgram ffmpeg("ffmpeg", "exit 0\n");
    open.record();
    QVERIFY(open.says("50 pictures a second"));
    QVERIFY(!open.window->recorder().isRecording());
    QVERIFY(!QFile::exists(inside(folder, "lid.gif")));
}

void RecordTest::problemsAreSentences()
{
    if (!canStartPrograms)
        QSKIP("the thread sanitizer cannot follow how Qt starts programs");
    const Folder folder;
    const auto path = makeStudy(folder);
    {
        OpenRecorder open(path, inside(folder, "lid.avi"), 3);
        open.record();
        QVERIFY(!open.window->recorder().isRecording());
        QVERIFY(open.says(".png for a series"));
    }
    {
        OpenRecorder open(path, inside(folder, "no/such/folder/lid.png"), 3);
        open.record();
        QVERIFY(!open.window->recorder().isRecording());
        QVERIFY(open.says("no/such/folder"));
    }
    {
        const FakeProgram ffmpeg("ffmpeg", "echo 'Unknown encoder' >&2\nexit 3\n");
        OpenRecorder open(path, inside(folder, "lid.mp4"), 5);
        const auto before = open.model().now();
        open.record();
        QVERIFY(open.hasEnded());
        QVERIFY(open.says("ffmpeg has failed: Unknown encoder") && open.says("no movie was made"));
        QCOMPARE(open.model().now(), before);
    }
    QVERIFY(!QFile::exists(inside(folder, "lid.mp4")));
    const QByteArray search = qgetenv("PATH");
    qputenv("PATH", "/nonexistent");
    {
        OpenRecorder open(path, inside(folder, "lid.mp4"), 3);
        open.record();
        QVERIFY(open.says("movies need ffmpeg"));
    }
    qputenv("PATH", search);
}

void RecordTest::stoppingLeavesEverythingAsItWas()
{
    if (!canStartPrograms)
        QSKIP("the thread sanitizer cannot follow how Qt starts programs");
    const FakeProgram ffmpeg("ffmpeg", "cat > /dev/null\n");
    const Folder folder;
    const auto path = makeStudy(folder);
    OpenRecorder open(path, inside(folder, "lid.mp4"), 1000);
    QVERIFY(open.isOpen());
    const auto before = open.model().now();
    const QSignalSpy progress(&open.window->recorder(), &Recorder::progressed);
    open.record();
    QTRY_VERIFY_WITH_TIMEOUT(progress.count() > 3, waitMilliseconds);
    QVERIFY(open.window->recorder().isRecording());
    open.record(); // now it is "Stop"
    QVERIFY(!open.window->recorder().isRecording());
    QVERIFY(open.says("was stopped"));
    QCOMPARE(open.model().now(), before);
    open.record();
    QVERIFY(open.window->recorder().isRecording());
    open.window->closeStudy();
    QVERIFY(!open.window->recorder().isRecording());
    open.window->openFile(QString::fromStdString(path.string()));
    QVERIFY(QTest::qWaitFor([&] { return open.waitForFrame(); }, waitMilliseconds));
    open.record();
    QVERIFY(open.window->close()); // in the middle of it
    QVERIFY(!QFile::exists(inside(folder, "lid.mp4")));
}

void RecordTest::itSaysWhatIsThere()
{
    const Folder folder;
    OpenRecorder open(makeStudy(folder), inside(folder, "lid.png"), 3);
    QVERIFY(open.isOpen());
    QSignalSpy ended(&open.window->recorder(), &Recorder::ended);
    open.record();
    QVERIFY(open.hasEnded());
    const auto sentence = ended.constFirst().constFirst().toString();
    for (const auto *name : {"3 pictures", "lid-0001.png", "lid-0003.png"})
        QVERIFY2(sentence.contains(name), qPrintable(sentence));
    QVERIFY(!sentence.contains("lid.png")); // there is no such file
    QVERIFY(open.says(sentence));
    // Nobody sees what a dialog that is closed says.
    open.window->messages().clear();
    open.record();
    open.dialog().close();
    QVERIFY(open.hasEnded());
    QCOMPARE(open.sentences(), QStringList(sentence));
}

void RecordTest::itSaysWhatIsThereWhenItIsStopped()
{
    if (!canStartPrograms)
        QSKIP("the thread sanitizer cannot follow how Qt starts programs");
    const FakeProgram ffmpeg("ffmpeg", "cat > /dev/null\n");
    for (const QString name : {"lid.png", "lid.mp4"}) {
        for (const QString why : {"stopped", "study was closed", "window was closed"}) {
            const Folder folder;
            OpenRecorder open(makeStudy(folder), inside(folder, name.toStdString()), 1000);
            QVERIFY(open.isOpen());
            QSignalSpy progress(&open.window->recorder(), &Recorder::progressed);
            QSignalSpy ended(&open.window->recorder(), &Recorder::ended);
            open.record();
            QTRY_VERIFY_WITH_TIMEOUT(progress.count() > 3, waitMilliseconds);
            if (why == "stopped")
                open.record();
            else if (why == "study was closed")
                open.window->closeStudy();
            else
                open.window->close();
            QCOMPARE(ended.count(), 1);
            const auto sentence = ended.constFirst().constFirst().toString();
            QVERIFY2(sentence.contains(why), qPrintable(sentence));
            if (name == "lid.png") {
                const int there = picturesIn(folder);
                QVERIFY(there >= 3);
                QVERIFY2(
                    sentence.contains(QString("after %1 of 1000 pictures").arg(there))
                        && sentence.contains(QString("lid-%1.png").arg(there, 4, 10, QChar('0'))),
                    qPrintable(sentence + QString(" %1").arg(there)));
            } else {
                QVERIFY2(sentence.contains("no movie was made"), qPrintable(sentence));
                QVERIFY(!QFile::exists(inside(folder, "lid.mp4")));
            }
        }
    }
}

void RecordTest::aDiskThatIsFullIsSaid()
{
    const Folder folder;
    OpenRecorder open(makeStudy(folder), inside(folder, "lid.png"), 3);
    QVERIFY(open.isOpen());
    open.record();
    QVERIFY(open.hasEnded());
    const auto length = QFile(inside(folder, "lid-0001.png")).size();
    for (int i = 1; i <= 3; ++i)
        QFile::remove(inside(folder, "lid-000") + QString("%1.png").arg(i));
    QSignalSpy ended(&open.window->recorder(), &Recorder::ended);
    {
        const ShortFiles full(static_cast<rlim_t>(length - 100)); // almost all of it
        open.record();
        QVERIFY(open.hasEnded());
    }
    const auto sentence = ended.constFirst().constFirst().toString();
    QVERIFY2(sentence.contains("cannot be written") && sentence.contains("no picture was written"),
             qPrintable(sentence));
    QCOMPARE(picturesIn(folder), 0);
    QVERIFY(!QFile::exists(inside(folder, "lid-0001.png")));
}

GRIDHELM_SCREEN_TEST(RecordTest)

#include "tst_record.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
//
// Recordings of everything that moves, through the dialog as a user has it.
#include "tests/ui/window_case.h"
#include "ui/campaign/path_field.h"
#include "ui/scene/camera/camera_path.h"
#include "ui/window/record/record_dialog.h"
#include "ui/window/views/compared_views.h"

#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLabel>
#include <QListWidget>
#include <QProcess>
#include <QPushButton>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <csignal>
#include <cstdlib>

#include <sys/resource.h>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

namespace {

class OpenRecorder : public OpenWindow
{
public:
    OpenRecorder(const std::filesystem::path &study, const QString &path, int pictures)
        : OpenWindow(study)
    {
        press(QKeySequence("Ctrl+M"));
        box(dialog(), "Parameter that moves")->setCurrentIndex(1); // lid
        named<QSpinBox>(dialog(), "Number of pictures")->setValue(pictures);
        dialog().findChild<PathField *>()->setPath(path);
    }

    void choose(const QString &what)
    {
        auto &choice = *box(dialog(), "What moves");
        for (int i = 0; i < choice.count(); ++i)
            if (choice.itemText(i).contains(what))
                choice.setCurrentIndex(i);
    }
    void press(const QKeySequence &keys) { OpenWindow::press(keys); }
    void press(const QString &button)
    {
        for (auto *candidate : dialog().findChildren<QPushButton *>())
            if (candidate->text().remove('&') == button)
                QTest::mouseClick(candidate, Qt::LeftButton);
    }

    RecordDialog &dialog() { return *window->findChild<RecordDialog *>(); }
    QPushButton &button()
    {
        for (auto *candidate : dialog().findChildren<QPushButton *>()) {
            if (candidate->text() == "Record" || candidate->text() == "Stop")
                return *candidate;
        }
        qFatal("there is no such button");
    }
    bool says(const QString &what)
    {
        for (auto *label : dialog().findChildren<QLabel *>()) {
            if (label->text().contains(what))
                return true;
        }
        return false;
    }
    void record() { QTest::mouseClick(&button(), Qt::LeftButton); }
    bool hasEnded()
    {
        return QTest::qWaitFor([this] { return !window->recorder().isRecording(); },
                               waitMilliseconds);
    }
};

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

/// Values that are painted, and not drawn by OpenGL, may be off by what nobody sees.
bool areAlike(const QImage &a, const QImage &b)
{
    if (a.size() != b.size())
        return false;
    constexpr int most = 8;
    for (int y = 0; y < a.height(); ++y) {
        for (int x = 0; x < a.width(); ++x) {
            const QRgb one = a.pixel(x, y), other = b.pixel(x, y);
            if (std::abs(qRed(one) - qRed(other)) > most
                || std::abs(qGreen(one) - qGreen(other)) > most
                || std::abs(qBlue(one) - qBlue(other)) > most)
                return false;
        }
    }
    return true;
}

/// That are in the folder.
std::vector<QImage> series(const Folder &folder)
{
    std::vector<QImage> pictures;
    const QDir dir(inside(folder, ""));
    for (const auto &name : dir.entryList({"lid-*.png"}))
        pictures.emplace_back(dir.filePath(name));
    return pictures;
}

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

/// In 3D, so that the camera can be turned.
std::filesystem::path makeSolid(const Folder &folder)
{
    return makeStudy(folder, 3, 5);
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
    void anOrbitGoesRound();
    void theCameraGoesFromPlaceToPlace();
    void pinnedStatesFollowEachOther();
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

void RecordTest::anOrbitGoesRound()
{
    const Folder folder;
    OpenRecorder open(makeSolid(folder), inside(folder, "lid.png"), 4);
    QVERIFY(open.isOpen());
    const auto before = open.model().now();
    const auto seen = open.window->views().picture();
    const auto from = open.window->view().sceneWidget()->seenFrom();
    open.choose("orbit");
    open.record();
    QVERIFY(open.hasEnded());
    QCOMPARE(open.model().now(), before);
    QVERIFY(!open.model().undoStack().canUndo());
    QVERIFY2(!open.window->view().camera(), "where it was: nobody has moved it");
    QVERIFY(areAlike(open.window->views().picture(), seen));
    const auto pictures = series(folder);
    QCOMPARE(pictures.size(), std::size_t{4});
    QVERIFY(areAlike(pictures[0], seen));
    for (std::size_t k = 1; k < 4; ++k) {
        for (std::size_t other = 0; other < k; ++other)
            QVERIFY(!areAlike(pictures[k], pictures[other]));
        // Of a whole turn, the fourth is a quarter before the first.
        open.window->view().moveCamera(turned(from, 90.0 * static_cast<double>(k)));
        QVERIFY(areAlike(open.window->views().picture(), pictures[k]));
    }
    // What the user has chosen is kept, too.
    const auto chosen = open.window->view().camera();
    QVERIFY(chosen);
    open.record();
    QVERIFY(open.hasEnded());
    QCOMPARE(open.window->view().camera()->position, chosen->position);
}

void RecordTest::theCameraGoesFromPlaceToPlace()
{
    const Folder folder;
    OpenRecorder open(makeSolid(folder), inside(folder, "lid.png"), 3);
    QVERIFY(open.isOpen());
    open.choose("place to place");
    const auto first = open.window->views().picture();
    open.press(QString("Add the present place"));
    open.record();
    QVERIFY(open.says("at least two places"));
    QVERIFY(!open.window->recorder().isRecording());
    open.window->view().lookFrom(Sight::plusX);
    const auto last = open.window->views().picture();
    QVERIFY(!areAlike(first, last));
    open.press(QString("Add the present place"));
    open.record();
    QVERIFY(open.hasEnded());
    const auto pictures = series(folder);
    QCOMPARE(pictures.size(), std::size_t{3});
    QVERIFY(areAlike(pictures[0], first));
    QVERIFY(!areAlike(pictures[1], first) && !areAlike(pictures[1], last));
    QVERIFY(areAlike(pictures[2], last));
    QVERIFY(areAlike(open.window->views().picture(), last));
    // A place that is chosen can be gone to, and taken out.
    auto &list = *open.dialog().findChild<QListWidget *>();
    QCOMPARE(list.count(), 2);
    list.setCurrentRow(0);
    emit list.itemActivated(list.currentItem());
    QVERIFY(areAlike(open.window->views().picture(), first));
    open.press(QString("Remove"));
    QCOMPARE(list.count(), 1);
}

void RecordTest::pinnedStatesFollowEachOther()
{
    const Folder folder;
    OpenRecorder open(makeStudy(folder), inside(folder, "lid.png"), 4);
    QVERIFY(open.isOpen());
    open.choose("Pinned");
    open.record();
    QVERIFY(open.says("nothing is pinned"));
    auto steering = open.model().now();
    steering.pinned = steering.parameters;
    steering.comparing = Comparing::sideBySide; // which the recording is not
    const auto &lid = open.model().study()->parameters[1];
    steering.parameters[1] = lid.low + 0.8 * (lid.high - lid.low);
    steering.parameters[0] = 900;
    open.model().change("pin", steering);
    QVERIFY(open.waitForFrame());
    named<QSpinBox>(open.dialog(), "Pictures of each state")->setValue(1);
    open.record();
    QVERIFY(open.hasEnded());
    QCOMPARE(open.model().now(), steering);
    auto pictures = series(folder);
    QCOMPARE(pictures.size(), std::size_t{4});
    QVERIFY(areAlike(pictures[0], pictures[2]) && areAlike(pictures[1], pictures[3]));
    QVERIFY(!areAlike(pictures[0], pictures[1]));

    const auto a = pictures[0], b = pictures[1];
    box(open.dialog(), "How the states follow each other")->setCurrentIndex(1);
    open.record();
    QVERIFY(open.hasEnded());
    QCOMPARE(open.model().now(), steering);
    pictures = series(folder);
    QVERIFY(areAlike(pictures[0], a) && areAlike(pictures[3], b));
    for (std::size_t k = 1; k < 4; ++k)
        QVERIFY(!areAlike(pictures[k - 1], pictures[k]));
}

void RecordTest::picturesHaveTheChosenSize()
{
    const Folder folder;
    OpenRecorder open(makeStudy(folder), inside(folder, "lid.png"), 3);
    QVERIFY(open.isOpen());
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

int main(int argc, char **argv)
{
    return runOnScreen<RecordTest>(argc, argv);
}

#include "tst_record.moc"

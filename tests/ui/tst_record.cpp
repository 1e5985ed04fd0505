// SPDX-License-Identifier: GPL-3.0-or-later
//
// Recordings of a moving parameter, through the dialog as a user has it.
#include "tests/ui/window_case.h"
#include "ui/campaign/path_field.h"
#include "ui/window/record/record_dialog.h"
#include "ui/window/views/compared_views.h"

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTemporaryDir>

#include <cstdlib>

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
        dialog().findChild<QComboBox *>()->setCurrentIndex(1); // lid
        dialog().findChild<QSpinBox *>()->setValue(pictures);
        dialog().findChild<PathField *>()->setPath(path);
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

} // namespace

class RecordTest : public ScreenTest
{
    Q_OBJECT

private slots:
    void aSeriesHasThePictureOfEveryValue();
    void aMovieGetsEveryPicture();
    void aMovieIsMade();
    void problemsAreSentences();
    void stoppingLeavesEverythingAsItWas();
};

void RecordTest::aSeriesHasThePictureOfEveryValue()
{
    const Folder folder;
    OpenRecorder open(makeStudy(folder), inside(folder, "lid.png"), 5);
    QVERIFY(open.isOpen());
    const auto before = open.model().now();
    open.record();
    QVERIFY(open.hasEnded());
    QVERIFY(open.says("The recording is in"));
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
    QVERIFY(open.says("The recording is in"));
    QFile file(inside(folder, "lid.mp4"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray names("picture-0001.png picture-0002.png picture-0003.png picture-0004.png ");
    QCOMPARE(file.read(names.size()), names);
    open.model().setParameter(1, open.model().study()->parameters[1].high, false);
    QVERIFY(open.waitForFrame());
    QVERIFY(areAlike(QImage::fromData(file.readAll()), open.window->views().picture()));
}

void RecordTest::aMovieIsMade()
{
    if (!canMakeMovies())
        QSKIP("there is no ffmpeg here");
    const Folder folder;
    OpenRecorder open(makeStudy(folder), inside(folder, "lid.mp4"), 10);
    QVERIFY(open.isOpen());
    open.record();
    QVERIFY(open.hasEnded());
    QVERIFY(open.says("The recording is in"));
    QFile file(inside(folder, "lid.mp4"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.size() > 2000);
    QCOMPARE(file.read(12).mid(4, 4), QByteArray("ftyp"));
}

void RecordTest::problemsAreSentences()
{
    const Folder folder;
    const auto path = makeStudy(folder);
    {
        OpenRecorder open(path, inside(folder, "lid.gif"), 3);
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
        QVERIFY(open.says("ffmpeg has stopped, there is no movie: Unknown encoder"));
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

int main(int argc, char **argv)
{
    return runOnScreen<RecordTest>(argc, argv);
}

#include "tst_record.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
//
// Pictures of what is shown: through the window, its dialog and the clipboard.
#include "tests/ui/window_case.h"
#include "ui/campaign/path_field.h"
#include "ui/window/files/picture_dialog.h"
#include "ui/window/views/compared_views.h"
#include "ui/window/window_files.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QElapsedTimer>
#include <QFile>
#include <QGuiApplication>
#include <QImage>
#include <QLabel>
#include <QPushButton>
#include <QScopeGuard>
#include <QSpinBox>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <thread>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

namespace {

/// The mean difference of a colour's part, of 255.
double differenceOf(const QImage &a, const QImage &b)
{
    double sum = 0;
    for (int y = 0; y < a.height(); ++y) {
        for (int x = 0; x < a.width(); ++x) {
            const QColor one = a.pixelColor(x, y), other = b.pixelColor(x, y);
            sum += std::abs(one.red() - other.red()) + std::abs(one.green() - other.green())
                   + std::abs(one.blue() - other.blue());
        }
    }
    return sum / (3.0 * a.width() * a.height());
}

/// The dialog of the key Ctrl+S, as a user has it.
class OpenPictureDialog
{
public:
    explicit OpenPictureDialog(OpenWindow &open)
        : m_open(open)
    {
        open.press(QKeySequence::Save);
    }
    PictureDialog &dialog() { return *m_open.window->findChild<PictureDialog *>(); }
    PathField &path() { return *dialog().findChild<PathField *>(); }
    void setSize(int width, int height)
    {
        choose(*box(dialog(), "Size of the picture"), "Other");
        named<QSpinBox>(dialog(), "Width in pixels")->setValue(width);
        named<QSpinBox>(dialog(), "Height in pixels")->setValue(height);
    }
    void setTransparent(bool isOn) { dialog().findChild<QCheckBox *>()->setChecked(isOn); }
    void press(const QString &text)
    {
        for (auto *button : dialog().findChildren<QPushButton *>())
            if (button->text().remove('&') == text)
                QTest::mouseClick(button, Qt::LeftButton);
    }
    bool closes()
    {
        return QTest::qWaitFor([this] { return !dialog().isVisible(); }, waitMilliseconds);
    }
    bool says(const QString &what)
    {
        return QTest::qWaitFor(
            [&] {
                for (auto *label : dialog().findChildren<QLabel *>())
                    if (label->text().contains(what))
                        return true;
                return false;
            },
            waitMilliseconds);
    }

private:
    OpenWindow &m_open;
};

} // namespace

class PicturesTest : public ScreenTest
{
    Q_OBJECT

private slots:
    void transparentPicturesHaveNoBackground();
    void theWindowWaitsForNoPicture();
    void picturesHaveAnySize();
    void picturesAreSavedAsTheDialogSays();
    void thePictureGoesToTheClipboard();
};

void PicturesTest::transparentPicturesHaveNoBackground()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder, 2));
    QVERIFY(open.isOpen());
    auto &widget = *open.window->view().sceneWidget();
    const auto before = widget.picture().copy();
    const auto picture = widget.picture({.isTransparent = true});
    QCOMPARE(picture.size(), before.size());
    QCOMPARE(qAlpha(picture.pixel(1, 1)), 0);
    int opaque = 0;
    for (int x = 0; x < picture.width(); ++x)
        opaque += qAlpha(picture.pixel(x, picture.height() / 2)) == 255;
    QVERIFY(opaque > picture.width() / 3);
    QVERIFY2(widget.picture() == before, "the background is back");
    const auto file = inside(folder, "t.png");
    savePicture(picture, file);
    QCOMPARE(QImage(file).hasAlphaChannel(), true);
}

void PicturesTest::theWindowWaitsForNoPicture()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder, 2));
    QVERIFY(open.isOpen());
    auto &widget = *open.window->view().sceneWidget();
    widget.picture();
    const auto scale = [&widget] {
        return widget.scene().fieldRenderer()->GetActiveCamera()->GetParallelScale();
    };
    const double before = scale();
    std::atomic<bool> mayDraw = false;
    const auto letDraw = qScopeGuard([&mayDraw] { mayDraw = true; });
    auto job = SharedContext::get()->post([&mayDraw] {
        while (!mayDraw)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
    });
    if (job->waitFor({}))
        QSKIP("this platform draws in the thread of the window");

    QTest::keyClick(&widget, Qt::Key_Plus);
    QTRY_VERIFY_WITH_TIMEOUT(widget.isDrawing(), waitMilliseconds);
    QElapsedTimer clock;
    clock.start();
    int pictures = 0;
    QSize size;
    QTest::keyClick(&widget, Qt::Key_Plus);
    widget.takePicture([&](const QImage &picture) {
        ++pictures;
        size = picture.size();
    });
    open.model().setParameter(0, 300, false);
    open.window->resize(open.window->width() - 40, open.window->height());
    QTest::qWait(300); // the event loop goes round, and all of it waits for the picture
    QVERIFY2(clock.elapsed() < waitMilliseconds / 2, QByteArray::number(clock.elapsed()));
    QVERIFY(widget.isDrawing());
    QCOMPARE(pictures, 0);

    mayDraw = true;
    QVERIFY(open.waitForFrame()); // of the new value
    QTRY_COMPARE_WITH_TIMEOUT(pictures, 1, waitMilliseconds);
    QCOMPARE(size, widget.size() * widget.devicePixelRatioF());
    QVERIFY(std::abs(scale() * 1.2 * 1.2 / before - 1) < 1e-6); // both keys
    QVERIFY2(open.sentences().isEmpty(), qPrintable(open.sentences().join(' ')));
}

void PicturesTest::picturesHaveAnySize()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder, 2));
    QVERIFY(open.isOpen());
    auto &widget = *open.window->view().sceneWidget();
    auto &views = open.window->views();
    const auto before = widget.picture().copy();
    const auto larger = widget.picture({2 * before.size()});
    QCOMPARE(larger.size(), 2 * before.size());
    // Everything has grown with it: text, lines, the bar of colours.
    const double difference = differenceOf(
        before, larger.scaled(before.size(), Qt::IgnoreAspectRatio, Qt::SmoothTransformation));
    QVERIFY2(difference < 3, QByteArray::number(difference));
    const auto small = widget.picture({{64, 64}});
    QCOMPARE(small.size(), QSize(64, 64));
    const auto wide = widget.picture({{900, 200}, true});
    QCOMPARE(wide.size(), QSize(900, 200));
    QCOMPARE(qAlpha(wide.pixel(1, 1)), 0);
    widget.redraw();
    QVERIFY2(widget.picture() == before, "the window's is as it was");
    QVERIFY2(!open.window->view().camera(), "nor has the camera been moved");
    // What is under the mouse is what is seen, also right after a picture of another shape.
    const QPointF middle(widget.fieldArea().center());
    const auto under = *widget.pick(middle);
    widget.picture({{900, 200}});
    QCOMPARE(*widget.pick(middle), under);

    // Side by side, in the shape that is wanted.
    auto steering = open.model().now();
    steering.pinned = steering.parameters;
    steering.comparing = Comparing::sideBySide;
    steering.parameters[0] = 700;
    open.model().change("pin", steering);
    QVERIFY(open.waitForFrame());
    QTRY_VERIFY_WITH_TIMEOUT(views.pinned() && views.pinned()->isVisible(), waitMilliseconds);
    QString problem;
    QImage picture;
    const auto take = [&](const QImage &taken, const QString &why) {
        picture = taken;
        problem = why;
    };
    views.takePicture({{801, 300}}, take);
    QTRY_COMPARE_WITH_TIMEOUT(picture.size(), QSize(801, 300), waitMilliseconds);
    // Sizes that cannot be are sentences.
    for (const QSize size : {QSize(20'000, 300), QSize(300, 10)}) {
        problem.clear();
        views.takePicture({size}, take);
        QVERIFY2(problem.contains("each side must have 64 to 16384"), qPrintable(problem));
        QVERIFY(picture.isNull());
    }
}

void PicturesTest::picturesAreSavedAsTheDialogSays()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder, 2));
    QVERIFY(open.isOpen());
    OpenPictureDialog dialog(open);
    QVERIFY(dialog.dialog().isVisible());
    const auto screen = open.window->screen()->availableGeometry();
    QVERIFY(screen.contains(dialog.dialog().frameGeometry()));
    dialog.setSize(400, 300);
    for (const std::string ending : {"png", "jpg", "tif"}) {
        const auto path = inside(folder, "picture." + ending);
        dialog.path().setPath(path);
        dialog.press("Save");
        QVERIFY(dialog.closes());
        QVERIFY(open.sentences().contains("The picture is in " + path));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        if (ending == "tif")
            QCOMPARE(file.read(2), QByteArray("II"));
        else
            QCOMPARE(QImage(path).size(), QSize(400, 300));
        open.press(QKeySequence::Save);
    }
    // What is there is not lost by mistake.
    const auto path = inside(folder, "picture.png");
    const auto size = QFileInfo(path).size();
    dialog.path().setPath(path);
    dialog.setTransparent(true);
    dialog.press("Save");
    QVERIFY(dialog.says("exists already"));
    QCOMPARE(QFileInfo(path).size(), size);
    dialog.press("Save");
    QVERIFY(dialog.closes());
    const QImage clear(path);
    QCOMPARE(qAlpha(clear.pixel(1, 1)), 0);
    // Problems are sentences, and the dialog stays.
    open.press(QKeySequence::Save);
    for (const auto &[name, why] :
         std::initializer_list<std::pair<std::string, QString>>{{"clear.jpg", "background"},
                                                                {"clear.doc", "by its ending"},
                                                                {"no/folder/a.png", "no/folder"}}) {
        dialog.path().setPath(inside(folder, name));
        dialog.press("Save");
        QVERIFY2(dialog.says(why), name.c_str());
        QVERIFY(dialog.dialog().isVisible());
        QVERIFY(!QFile::exists(inside(folder, name)));
    }
    dialog.press("Copy");
    QVERIFY(dialog.closes());
    QCOMPARE(QGuiApplication::clipboard()->image().size(), QSize(400, 300));
}

void PicturesTest::thePictureGoesToTheClipboard()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder, 2));
    QVERIFY(open.isOpen());
    const auto picture = open.window->views().picture();
    auto &clipboard = *QGuiApplication::clipboard();
    clipboard.clear();
    open.press(QKeySequence("Ctrl+Shift+C"));
    QTRY_VERIFY_WITH_TIMEOUT(!clipboard.image().isNull(), waitMilliseconds);
    QVERIFY(differenceOf(clipboard.image(), picture) < 0.01);
    QVERIFY(open.sentences().join(' ').contains("clipboard"));
    open.window->closeStudy();
    QVERIFY(!action(*open.window, QKeySequence("Ctrl+Shift+C"))->isEnabled());
}

GRIDHELM_SCREEN_TEST(PicturesTest)

#include "tst_pictures.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
//
// The window on a screen of 1024 x 600 pixels, which the test is started on.
#include "tests/ui/window_case.h"

#include <QDataStream>
#include <QDialog>
#include <QDockWidget>
#include <QScreen>
#include <QToolButton>

using namespace gridhelm;
using namespace gridhelm::test;
using namespace gridhelm::ui;

namespace {

/// As QWidget::saveGeometry() writes it, of a window on a large screen.
QByteArray geometryOnLargeScreen()
{
    const QRect frame(300, 200, 2000, 1200);
    const auto inside = frame.adjusted(2, 30, -2, -2);
    QByteArray bytes;
    QDataStream stream(&bytes, QIODevice::WriteOnly);
    stream.setVersion(QDataStream::Qt_4_0);
    stream << quint32(0x1D9D0CB) << quint16(3) << quint16(0) << frame << inside << qint32(0)
           << quint8(0) << quint8(0) << qint32(2560) << inside;
    return bytes;
}

QString problemOf(const QWidget &window)
{
    const auto screen = window.screen()->availableGeometry();
    const auto frame = window.frameGeometry();
    if (screen.contains(frame))
        return {};
    const auto least = window.minimumSizeHint();
    return QString("%1 x %2 at %3, %4 on %5 x %6; at least %7 x %8")
        .arg(frame.width())
        .arg(frame.height())
        .arg(frame.left())
        .arg(frame.top())
        .arg(screen.width())
        .arg(screen.height())
        .arg(least.width())
        .arg(least.height());
}

} // namespace

class SmallScreenTest : public ScreenTest
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        if (!canShowScenes() || QApplication::primaryScreen()->size() != QSize(1024, 600))
            QSKIP("this is no screen of 1024 x 600 that can show scenes");
    }
    void theFirstWindowFits();
    void aWindowOfALargerScreenFits();
    void panelsFit();
    void dialogsFit();
    void panelsOfALargerScreenAreClosedWhereTheyHaveNoRoom();
};

void SmallScreenTest::theFirstWindowFits()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder));
    QVERIFY(open.isOpen());
    QTest::qWait(50); // the layout
    QCOMPARE(problemOf(*open.window), QString());
    QVERIFY(open.window->width() > 900 && open.window->height() > 500);
    open.window->closeStudy(); // the start page
    QTest::qWait(50);
    QCOMPARE(problemOf(*open.window), QString());
}

void SmallScreenTest::aWindowOfALargerScreenFits()
{
    QSettings().setValue("geometry", geometryOnLargeScreen());
    MainWindow window(onCpu());
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    QTest::qWait(50);
    QCOMPARE(problemOf(window), QString());
}

/// Each beside those of a study.
void SmallScreenTest::panelsFit()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder));
    QVERIFY(open.isOpen());
    for (auto *dock : open.window->findChildren<QDockWidget *>()) {
        const bool wasShown = dock->isVisible();
        dock->show();
        dock->raise();
        for (auto *fold : dock->findChildren<QToolButton *>("guide")) // long texts
            fold->setChecked(true);
        QTest::qWait(50);
        QVERIFY2(problemOf(*open.window).isEmpty(),
                 qPrintable(dock->windowTitle() + ": " + problemOf(*open.window)));
        dock->setVisible(wasShown);
    }
}

/// With whatever is chosen in them.
void SmallScreenTest::dialogsFit()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder));
    QVERIFY(open.isOpen());
    for (const auto *key : {"Ctrl+M", "Ctrl+S"}) {
        open.press(QKeySequence(key));
        QDialog *dialog = nullptr;
        QVERIFY2(QTest::qWaitFor([&] {
                     return (dialog = qobject_cast<QDialog *>(QApplication::activeWindow()));
                 }),
                 key);
        auto *what = box(*dialog, "Animated quantity");
        for (int i = 0; i < (what ? what->count() : 1); ++i) {
            if (what)
                what->setCurrentIndex(i);
            QTest::qWait(50);
            QCOMPARE(problemOf(*dialog), QString());
            QVERIFY(dialog->height() < 560); // and a title bar
        }
        dialog->close();
    }
}

void SmallScreenTest::panelsOfALargerScreenAreClosedWhereTheyHaveNoRoom()
{
    {
        MainWindow large(onCpu());
        large.show();
        large.resize(2000, 1200);
        for (auto *dock : large.findChildren<QDockWidget *>())
            dock->show();
        QTest::qWait(50);
        QVERIFY(large.minimumSizeHint().height() > 600);
        QVERIFY(large.close());
    }
    QSettings().setValue("geometry", geometryOnLargeScreen());
    MainWindow window(onCpu());
    window.show();
    QTest::qWait(50);
    QCOMPARE(problemOf(window), QString());
    QVERIFY(!window.findChild<QDockWidget *>("Steer")->isHidden());
}

GRIDHELM_SCREEN_TEST(SmallScreenTest)

#include "tst_small_screen.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
//
// Keys of the window: what they do, and that they do nothing where they are typed for something
// else.
#include "tests/ui/window_case.h"

#include <QToolButton>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

class KeysTest : public ScreenTest
{
    Q_OBJECT

private slots:
    void spacePlaysTheChosenParameter();
    void choosingAnotherOneWhilePlayingPlaysIt();
};

void KeysTest::spacePlaysTheChosenParameter()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder));
    QVERIFY(open.isOpen());
    auto &played = *box(*open.window, "Parameter to play");
    QCOMPARE(played.currentText(), QString("t")); // what is like time
    auto &animation = open.window->animation();
    for (const std::size_t parameter : {std::size_t{2}, std::size_t{1}, std::size_t{0}}) {
        choose(played, static_cast<int>(parameter));
        open.window->view().sceneWidget()->setFocus();
        const auto before = open.model().now().parameters;
        open.press(QKeySequence("Space"));
        QVERIFY(animation.isPlaying());
        QTRY_VERIFY_WITH_TIMEOUT(open.model().now().parameters[parameter] != before[parameter],
                                 waitMilliseconds);
        open.press(QKeySequence("Space"));
        QVERIFY(!animation.isPlaying());
        for (std::size_t t = 0; t < before.size(); ++t)
            QCOMPARE(open.model().now().parameters[t] == before[t], t != parameter);
    }
}

void KeysTest::choosingAnotherOneWhilePlayingPlaysIt()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder));
    QVERIFY(open.isOpen());
    auto &played = *box(*open.window, "Parameter to play");
    QTest::mouseClick(named<QToolButton>(*open.window, "Play"), Qt::LeftButton);
    QVERIFY(open.window->animation().isPlaying());
    choose(played, 0);
    QVERIFY(open.window->animation().isPlaying());
    const auto before = open.model().now().parameters;
    QTRY_VERIFY_WITH_TIMEOUT(open.model().now().parameters[0] != before[0], waitMilliseconds);
    QCOMPARE(open.model().now().parameters[2], before[2]);
}

int main(int argc, char **argv)
{
    return runOnScreen<KeysTest>(argc, argv);
}

#include "tst_keys.moc"

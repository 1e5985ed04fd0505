// SPDX-License-Identifier: GPL-3.0-or-later
//
// Studies with rows that nobody would write, in the window: with all panels open it says what is
// wrong, or shows what is there, and goes on with the next one. GRIDHELM_LONG_TESTS=1: 400 of them.
#include "tests/core/watchdog.h"
#include "tests/data/forged_rows.h"
#include "tests/data/kinds_of_studies.h"
#include "tests/ui/window_case.h"

#include <QDockWidget>
#include <QTimer>

using namespace gridhelm;
using namespace gridhelm::test;
using namespace gridhelm::ui;

class ForgedStudiesTest : public ScreenTest
{
    Q_OBJECT

private slots:
    void everyPanelStands();
};

/// As who got it by mail: opens it, looks at all panels, moves what can be moved.
static void lookAtAll(MainWindow &window, const QString &path, Random &random)
{
    window.openFile(path);
    const bool isSettled = QTest::qWaitFor(
        [&] {
            return (window.model().study() && window.view().frame())
                   || !window.messages().sentences().isEmpty();
        },
        5000);
    if (!isSettled)
        qInfo("nothing is shown or said of %s", qPrintable(path));
    for (auto *dock : window.findChildren<QDockWidget *>(QString(), Qt::FindDirectChildrenOnly)) {
        dock->show();
        dock->raise();
        QTest::qWait(10);
    }
    for (auto *slider : window.steerPanel().sliders())
        if (slider->isVisible())
            drag(*slider, random.real(), random.real());
    auto &view = *window.view().sceneWidget();
    if (view.isVisible())
        QTest::mouseClick(&view, Qt::LeftButton, {}, view.rect().center());
    QTest::qWait(100);
}

void ForgedStudiesTest::everyPanelStands()
{
    const Folder folder;
    for (const char *kind : kindsOfStudies)
        makeStudyOfKind(folder / kind, kind);
    MainWindow window(onCpu());
    window.resize(1280, 800);
    window.show();
    QTimer closer; // dialogs with event loops of their own
    closer.setInterval(30);
    connect(&closer, &QTimer::timeout, this, [] { closeDialogs(); });
    closer.start();
    Random random(isLong() ? 21 : 22);
    const int cases = isLong() ? 400 : 24;
    int opened = 0;
    for (int i = 0; i < cases; ++i) {
        const auto path = folder / ("forged" + std::to_string(i));
        std::filesystem::copy_file(
            folder / kindsOfStudies.at(static_cast<std::size_t>(i) % kindsOfStudies.size()), path);
        forgeRows(random, path);
        const Watchdog watchdog("window, study " + std::to_string(i), 120);
        lookAtAll(window, QString::fromStdString(path.string()), random);
        opened += window.hasStudy() ? 1 : 0;
        const auto wrong = wrongSentence(window.messages().sentences());
        QVERIFY2(wrong.isEmpty(), qPrintable(QString("%1: %2").arg(i).arg(wrong)));
        window.closeStudy();
        std::filesystem::remove(path);
    }
    qInfo("%d forged studies, of which %d can be shown", cases, opened);
    QVERIFY(opened > 0 && opened < cases);
    window.openFile(QString::fromStdString((folder / "grid").string())); // it still works
    QTRY_VERIFY_WITH_TIMEOUT(window.view().frame() && window.view().frame()->isExact,
                             waitMilliseconds);
}

GRIDHELM_SCREEN_TEST(ForgedStudiesTest)
#include "tst_forged_studies.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
//
// Recordings of what moves: orbits, paths of the camera, pinned states.
#include "tests/ui/record_case.h"
#include "ui/scene/camera/camera_path.h"
#include "ui/window/views/compared_views.h"

#include <QListWidget>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

namespace {

/// In 3D, so that the camera can be turned.
std::filesystem::path makeSolid(const Folder &folder)
{
    return makeStudy(folder, 3, 5);
}

} // namespace

class MotionsTest : public ScreenTest
{
    Q_OBJECT

private slots:
    void anOrbitGoesRound();
    void theCameraGoesFromPlaceToPlace();
    void pinnedStatesFollowEachOther();
};

void MotionsTest::anOrbitGoesRound()
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

void MotionsTest::theCameraGoesFromPlaceToPlace()
{
    const Folder folder;
    OpenRecorder open(makeSolid(folder), inside(folder, "lid.png"), 3);
    QVERIFY(open.isOpen());
    open.choose("along positions");
    const auto first = open.window->views().picture();
    open.press(QString("Add present position"));
    open.record();
    QVERIFY(open.says("at least two positions"));
    QVERIFY(!open.window->recorder().isRecording());
    open.window->view().lookFrom(Sight::plusX);
    const auto last = open.window->views().picture();
    QVERIFY(!areAlike(first, last));
    open.press(QString("Add present position"));
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

void MotionsTest::pinnedStatesFollowEachOther()
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

GRIDHELM_SCREEN_TEST(MotionsTest)

#include "tst_motions.moc"

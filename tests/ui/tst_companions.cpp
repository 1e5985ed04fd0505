// SPDX-License-Identifier: GPL-3.0-or-later
//
// Views beside the main one: through events as a user makes them.
#include "tests/core/on_cpu.h"
#include "tests/ui/open_service.h"
#include "tests/ui/window_case.h"
#include "ui/steering/study_range.h"
#include "ui/window/views/view_area.h"
#include "ui/window/window_files.h"

#include <vtkCamera.h>

#include <QJsonArray>
#include <QSet>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

namespace {

/// A window in which views can be kept beside.
class ManyViews : public OpenWindow
{
public:
    using OpenWindow::OpenWindow;

    qsizetype count() { return window->viewArea().companions().size(); }
    CompanionDock &dock(qsizetype index) { return *window->viewArea().companions().at(index); }
    SteeredView &beside(qsizetype index) { return dock(index).view(); }

    void showField(const QString &name) { choose(*box(*window, "Field"), name); }

    /// Until all views show what the model says, exactly.
    bool areAllShown()
    {
        return waitForFrame()
               && QTest::qWaitFor(
                   [this] {
                       for (qsizetype i = 0; i < count(); ++i) {
                           const auto &frame = beside(i).frame();
                           if (!frame || !frame->isExact
                               || frame->request.field != beside(i).look().field
                               || frame->request.parameters != model().now().parameters)
                               return false;
                       }
                       return true;
                   },
                   waitMilliseconds);
    }

    void clickTitle(qsizetype of, const QString &name)
    {
        if (auto *button = named<QToolButton>(*dock(of).titleBarWidget(), name))
            QTest::mouseClick(button, Qt::LeftButton);
        else
            qWarning("there is no such button");
    }
};

/// Of what the model shows, anywhere in its study; none: it is not found in time.
std::optional<ValueRange> rangeOf(const SteeringModel &model)
{
    std::optional<ValueRange> all;
    StudyRange search(sparse::makeOmpBackend(onCpu()));
    QObject::connect(&search, &StudyRange::found, &search, [&](ValueRange range, double share) {
        if (share >= 1)
            all = range;
    });
    search.follow(model.study(), model.now());
    return QTest::qWaitFor([&] { return all.has_value(); }, waitMilliseconds) ? all : std::nullopt;
}

std::vector<float> magnitudesAt(const std::filesystem::path &path,
                                const std::vector<double> &parameters)
{
    const auto vectors = fieldAt(path, 1, parameters);
    std::vector<float> values;
    for (std::size_t i = 0; i < vectors.size(); i += 2)
        values.push_back(std::hypot(vectors[i], vectors[i + 1]));
    return values;
}

double scaleOf(SteeredView &view)
{
    view.sceneWidget()->picture();
    return view.scene().fieldRenderer()->GetActiveCamera()->GetParallelScale();
}

} // namespace

class CompanionsTest : public ScreenTest
{
    Q_OBJECT

private slots:
    void aKeptViewFollowsTheSliders();
    void eachViewHasItsField();
    void allViewsFollowWhileASliderMoves();
    void theServiceForgetsNoCompanion();
    void viewsAreExchanged();
    void viewsAreClosedAndComeBack();
    void camerasAreLinked();
    void sevenMoreAndNoMore();
    void aStudyWideRangeIsThatOfItsOwnField();
    void theyComeBackAfterARestart();
    void theyComeBackInTheirOrder_data();
    void theyComeBackInTheirOrder();
    void aSavedViewHasThem();
    void theWindowCloses();
};

void CompanionsTest::aKeptViewFollowsTheSliders()
{
    const Folder folder;
    const auto path = makeStudy(folder);
    ManyViews open(path);
    QVERIFY(open.isOpen());
    open.press(Qt::Key_K);
    QCOMPARE(open.count(), 1);
    QVERIFY(open.beside(0).isVisible());
    QVERIFY(open.areAllShown());
    open.clickSlider(0, 0.9);
    QVERIFY(open.areAllShown());
    const auto values = fieldAt(path, 0, open.model().now().parameters);
    QCOMPARE(wrongColours(open.beside(0), values, ColourMap::viridis), QString());
    QCOMPARE(wrongColours(open.window->view(), values, ColourMap::viridis), QString());
    // What the main view is made to show then is its own affair.
    auto steering = open.model().now();
    steering.view.colours = ColourMap::grey;
    open.model().change("colours", steering);
    QCOMPARE(wrongColours(open.beside(0), values, ColourMap::viridis), QString());
    QCOMPARE(wrongColours(open.window->view(), values, ColourMap::grey), QString());
    QVERIFY(open.dock(0).windowTitle().startsWith("u"));
    QVERIFY(open.dock(0).windowTitle().endsWith(", slice"));
}

void CompanionsTest::eachViewHasItsField()
{
    const Folder folder;
    const auto path = makeStudy(folder);
    ManyViews open(path);
    QVERIFY(open.isOpen());
    open.press(Qt::Key_K);
    open.showField("v");
    QVERIFY(open.areAllShown());
    for (const double place : {0.2, 0.8}) {
        open.clickSlider(0, place);
        QVERIFY(open.areAllShown());
        const auto &at = open.model().now().parameters;
        QCOMPARE(open.beside(0).frame()->values, fieldAt(path, 0, at));
        QCOMPARE(wrongColours(open.beside(0), fieldAt(path, 0, at), ColourMap::viridis), QString());
        QCOMPARE(wrongColours(open.window->view(), magnitudesAt(path, at), ColourMap::viridis),
                 QString());
    }
    QVERIFY(open.dock(0).windowTitle().startsWith("u"));
}

void CompanionsTest::allViewsFollowWhileASliderMoves()
{
    const Folder folder;
    ManyViews open(makeStudy(folder));
    QVERIFY(open.isOpen());
    open.press(Qt::Key_K);
    open.showField("v");
    open.press(Qt::Key_K); // one of each field
    QVERIFY(open.areAllShown());
    auto &track = *open.slider(0).track();
    QTest::mousePress(&track, Qt::LeftButton, {}, placeOnTrack(track, 0.5));
    for (const double place : {0.6, 0.7, 0.8}) {
        QTest::mouseMove(&track, placeOnTrack(track, place));
        const auto wanted = open.model().now().parameters;
        for (qsizetype i = 0; i < 2; ++i) {
            QVERIFY(QTest::qWaitFor(
                [&] { return open.beside(i).frame()->request.parameters == wanted; },
                waitMilliseconds));
            QVERIFY(open.beside(i).frame()->request.isDragging);
        }
    }
    QTest::mouseRelease(&track, Qt::LeftButton, {}, placeOnTrack(track, 0.8));
    QVERIFY(open.areAllShown());
}

void CompanionsTest::theServiceForgetsNoCompanion()
{
    const Folder folder;
    OpenService open(makeStudy(folder));
    QVERIFY(open.isOpen());
    auto &service = open.service;
    service.setBudget(std::chrono::nanoseconds(1)); // each answer is only the first of two
    std::map<data::FieldIndex, std::shared_ptr<const FieldFrame>> newest;
    int steered = 0, others = 0;
    const auto ask = [&](double reynolds, bool isDragging) {
        const std::vector<double> at{reynolds, 0.8, 3};
        service.request({at, 0, isDragging, FieldRequest::Clock::now()});
        for (const data::FieldIndex field : {0, 1})
            service.request(
                {at, field, isDragging, FieldRequest::Clock::now(), 0, Side::companion});
    };
    connect(&service, &FieldService::frameReady, this,
            [&](std::shared_ptr<const FieldFrame> frame) {
                if (frame->request.side == Side::companion) {
                    newest[frame->request.field] = std::move(frame);
                    ++others;
                } else {
                    ++steered;
                }
            });
    // There is always a newer question than the one that is being answered.
    for (double reynolds = 200; steered < 100; reynolds = reynolds < 900 ? reynolds + 1 : 200) {
        ask(reynolds, true);
        QCoreApplication::processEvents();
    }
    QVERIFY2(others >= 50, qPrintable(QString::number(others)));
    ask(500, false);
    QVERIFY(QTest::qWaitFor(
        [&] {
            return newest.size() == 2 && std::ranges::all_of(newest, [](const auto &of) {
                       return of.second->isExact && of.second->request.parameters.front() == 500;
                   });
        },
        waitMilliseconds));
}

void CompanionsTest::viewsAreExchanged()
{
    const Folder folder;
    const auto path = makeStudy(folder);
    ManyViews open(path);
    QVERIFY(open.isOpen());
    open.press(Qt::Key_K);
    open.showField("v");
    auto steering = open.model().now();
    steering.view.colours = ColourMap::glow;
    open.model().change("colours", steering);
    QVERIFY(open.areAllShown());
    const auto at = open.model().now().parameters;
    const auto areExchanged = [&] {
        return open.areAllShown()
               && wrongColours(open.beside(0), magnitudesAt(path, at), ColourMap::glow).isEmpty()
               && wrongColours(open.window->view(), fieldAt(path, 0, at), ColourMap::viridis)
                      .isEmpty();
    };
    QVERIFY(!areExchanged());
    open.clickTitle(0, "Exchange with the main view");
    QVERIFY(areExchanged());
    open.press(QKeySequence::Undo);
    QVERIFY(!areExchanged());
    open.press(Qt::SHIFT | Qt::Key_K);
    QVERIFY(areExchanged());
}

void CompanionsTest::viewsAreClosedAndComeBack()
{
    const Folder folder;
    ManyViews open(makeStudy(folder));
    QVERIFY(open.isOpen());
    for (const auto map : {ColourMap::viridis, ColourMap::glow, ColourMap::grey}) {
        auto steering = open.model().now();
        steering.view.colours = map;
        open.model().change("colours", steering);
        open.press(Qt::Key_K);
    }
    QCOMPARE(open.count(), 3);
    QVERIFY(open.areAllShown());
    auto *first = &open.dock(0), *last = &open.dock(2);
    open.clickTitle(1, "Close this view");
    QCOMPARE(open.count(), 2);
    QCOMPARE(&open.dock(0), first); // the others stay where they are
    QCOMPARE(&open.dock(1), last);
    QVERIFY(open.beside(1).scene().view().colours == ColourMap::grey);
    open.press(QKeySequence::Undo);
    QCOMPARE(open.count(), 3);
    QCOMPARE(&open.dock(2), last);
    QVERIFY(open.areAllShown());
    QVERIFY(open.beside(1).scene().view().colours == ColourMap::glow);
    QVERIFY(open.beside(2).scene().view().colours == ColourMap::grey);
    open.press(Qt::CTRL | Qt::Key_K);
    QCOMPARE(open.count(), 0);
    QTest::qWait(0); // they are gone
    open.clickSlider(0, 0.7);
    QVERIFY(open.areAllShown());
    QVERIFY(open.sentences().isEmpty());
}

void CompanionsTest::camerasAreLinked()
{
    const Folder folder;
    ManyViews open(makeStudy(folder));
    QVERIFY(open.isOpen());
    open.press(Qt::Key_K);
    open.press(Qt::Key_K);
    QVERIFY(open.areAllShown());
    auto &main = open.window->view();
    QTest::keyClick(open.beside(0).sceneWidget(), Qt::Key_Plus);
    QCOMPARE(scaleOf(main), scaleOf(open.beside(0)));
    QCOMPARE(scaleOf(open.beside(1)), scaleOf(open.beside(0)));
    open.press(Qt::Key_L);
    const double before = scaleOf(main);
    QTest::keyClick(open.beside(1).sceneWidget(), Qt::Key_Plus);
    QCOMPARE(scaleOf(main), before);
    QVERIFY(scaleOf(open.beside(1)) < before);
    // A relief is seen from elsewhere, and stays so.
    open.press(Qt::Key_L);
    open.press(Qt::Key_3);
    QVERIFY(open.areAllShown());
    const auto flat = scaleOf(open.beside(0));
    QTest::keyClick(main.sceneWidget(), Qt::Key_Left);
    QCOMPARE(scaleOf(open.beside(0)), flat);
    QVERIFY(open.beside(0).scene().fieldRenderer()->GetActiveCamera()->GetParallelProjection());
}

void CompanionsTest::sevenMoreAndNoMore()
{
    const Folder folder;
    ManyViews open(makeStudy(folder, 2));
    QVERIFY(open.isOpen());
    for (std::size_t i = 0; i < maxCompanions + 2; ++i)
        open.press(Qt::Key_K);
    QCOMPARE(open.count(), static_cast<qsizetype>(maxCompanions));
    QVERIFY(open.areAllShown());
}

void CompanionsTest::aStudyWideRangeIsThatOfItsOwnField()
{
    const Folder folder;
    ManyViews open(makeStudy(folder));
    QVERIFY(open.isOpen());
    auto steering = open.model().now();
    steering.rangeMode = RangeMode::study;
    open.model().change("range", steering);
    open.press(Qt::Key_K);
    QVERIFY(open.areAllShown());
    // It is found in the background, by both views for themselves.
    const auto mainRange = [&] { return open.window->view().scene().range(); };
    const auto rangeBeside = [&] { return open.beside(0).scene().range(); };
    const auto ofU = rangeOf(open.model());
    QVERIFY(ofU);
    QTRY_COMPARE_WITH_TIMEOUT(mainRange(), *ofU, waitMilliseconds);
    QTRY_COMPARE_WITH_TIMEOUT(rangeBeside(), *ofU, waitMilliseconds);
    open.showField("v");
    QVERIFY(open.areAllShown());
    const auto ofV = rangeOf(open.model());
    QVERIFY(ofV && *ofV != *ofU);
    QTRY_COMPARE_WITH_TIMEOUT(mainRange(), *ofV, waitMilliseconds);
    QCOMPARE(rangeBeside(), *ofU);
}

void CompanionsTest::theyComeBackAfterARestart()
{
    const Folder folder;
    const auto path = makeStudy(folder);
    Steering before;
    {
        ManyViews open(path);
        QVERIFY(open.isOpen());
        open.press(Qt::Key_K);
        open.showField("v");
        open.press(Qt::Key_K);
        QVERIFY(open.areAllShown());
        before = open.model().now();
        QVERIFY(open.window->close());
    }
    MainWindow again(test::onCpu());
    again.show();
    QVERIFY(again.openLast());
    QTRY_COMPARE_WITH_TIMEOUT(again.viewArea().companions().size(), qsizetype(2), waitMilliseconds);
    QCOMPARE(again.model().now(), before);
    for (auto *dock : again.viewArea().companions())
        QTRY_VERIFY_WITH_TIMEOUT(dock->view().frame() && dock->isVisible(), waitMilliseconds);
    QVERIFY(again.messages().sentences().isEmpty());
}

void CompanionsTest::theyComeBackInTheirOrder_data()
{
    QTest::addColumn<bool>("isOneClosed");
    QTest::newRow("as they were made") << false;
    QTest::newRow("one was closed, another made") << true;
}

/// From top to bottom.
void CompanionsTest::theyComeBackInTheirOrder()
{
    QFETCH(bool, isOneClosed);
    const auto fromTheTop = [](MainWindow &window) {
        auto docks = window.viewArea().companions();
        std::ranges::sort(docks, {}, [](const auto *dock) { return dock->geometry().top(); });
        QStringList titles;
        for (const auto *dock : docks)
            titles << dock->windowTitle();
        return titles;
    };
    const Folder folder;
    QStringList before;
    {
        ManyViews open(makeStudy(folder));
        QVERIFY(open.isOpen());
        for (const auto key : {Qt::Key_1, Qt::Key_2, Qt::Key_3}) {
            open.press(key);
            open.showField(key == Qt::Key_2 ? "v" : "u");
            QVERIFY(open.areAllShown());
            open.press(Qt::Key_K);
            QVERIFY(open.areAllShown());
        }
        if (isOneClosed) {
            open.clickTitle(0, "Close this view");
            open.showField("v");
            open.press(Qt::Key_K);
            QVERIFY(open.areAllShown());
        }
        QTest::qWait(50); // the layout
        before = fromTheTop(*open.window);
        QCOMPARE(before.size(), 3);
        QCOMPARE(QSet<QString>(before.begin(), before.end()).size(), 3);
        QVERIFY(open.window->close());
    }
    MainWindow again(test::onCpu());
    again.show();
    QVERIFY(again.openLast());
    QTRY_COMPARE_WITH_TIMEOUT(fromTheTop(again), before, waitMilliseconds);
}

void CompanionsTest::aSavedViewHasThem()
{
    const Folder folder;
    const auto path = makeStudy(folder);
    ManyViews open(path);
    QVERIFY(open.isOpen());
    open.press(Qt::Key_K);
    open.showField("v");
    QVERIFY(open.areAllShown());
    open.press(Qt::Key_L);
    QTest::keyClick(open.beside(0).sceneWidget(), Qt::Key_Plus);
    const double scale = scaleOf(open.beside(0));
    const auto saved = open.model().now();
    const auto file = inside(folder, "two.gridhelm-view");
    const auto state = open.window->viewArea().state();
    saveView(open.model(), file, state);
    open.press(Qt::CTRL | Qt::Key_K);
    open.showField("u");
    QCOMPARE(open.count(), 0);
    open.window->openFile(file);
    QTRY_COMPARE_WITH_TIMEOUT(open.model().now(), saved, waitMilliseconds);
    QVERIFY(open.areAllShown());
    QCOMPARE(scaleOf(open.beside(0)), scale);
    // Of a field that is gone nothing is shown instead.
    auto steering = state;
    auto companions = steering["companions"].toArray();
    auto look = companions[0].toObject();
    look["field"] = "w";
    companions[0] = look;
    steering["companions"] = companions;
    saveView(open.model(), file, steering);
    open.window->openFile(file);
    QTRY_COMPARE_WITH_TIMEOUT(open.count(), qsizetype(0), waitMilliseconds);
}

void CompanionsTest::theWindowCloses()
{
    const Folder folder;
    const auto path = makeStudy(folder);
    for (const bool isApart : {false, true}) {
        ManyViews open(path);
        QVERIFY(open.isOpen());
        open.press(Qt::Key_K);
        QVERIFY(open.areAllShown());
        if (isApart)
            open.clickTitle(0, "In a window of its own, or back");
        QCOMPARE(open.dock(0).isFloating(), isApart);
        open.clickSlider(0, 0.3);
        QVERIFY(open.areAllShown());
        open.window->closeStudy();
        QVERIFY(!open.dock(0).isVisible());
        open.press(Qt::Key_K); // there is nothing to keep
        open.window->openFile(QString::fromStdString(path.string()));
        QVERIFY(QTest::qWaitFor([&] { return open.window->model().study() != nullptr; }));
        QTest::qWait(20);
        QVERIFY(open.window->close());
    }
}

GRIDHELM_SCREEN_TEST(CompanionsTest)

#include "tst_companions.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
//
// The field's picture in the solve panel: its colours, what is read in it, and its marker.
#include "core/solvers/field_layers.h"
#include "core/support/colour_map.h"
#include "tests/ui/widget_test.h"
#include "ui/controls/colour_map_box.h"
#include "ui/solve/field_view.h"
#include "ui/solve/solver_worker.h"

#include <QSignalSpy>
#include <QTest>

#include <cmath>
#include <limits>
#include <string>

using namespace gridhelm;
using solvers::layerOf;
using namespace gridhelm::ui;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// 4 x 3 values, 0 .. 11 from the low left corner.
std::shared_ptr<SliceFrame> smallFrame()
{
    auto frame = std::make_shared<SliceFrame>();
    frame->slice.width = 4;
    frame->slice.height = 3;
    frame->slice.origin = {0.125, 0.125};
    frame->slice.spacing = 0.25;
    for (int i = 0; i < 12; ++i)
        frame->slice.values.push_back(i);
    frame->lowest = 0;
    frame->highest = 11;
    frame->wholeHighest = 11;
    frame->points = {4, 3, 1};
    return frame;
}

QRgb rgbOf(ColourMap map, double place)
{
    const auto colour = colourOf(map, place);
    return qRgb(colour[0], colour[1], colour[2]);
}

bool isNear(QRgb a, QRgb b)
{
    return std::abs(qRed(a) - qRed(b)) <= 1 && std::abs(qGreen(a) - qGreen(b)) <= 1
           && std::abs(qBlue(a) - qBlue(b)) <= 1;
}

/// The pixel in the middle of a cell of the shown image.
QPoint middleOf(const FieldView &view, int column, int row)
{
    const auto image = view.imageRect();
    return QPointF(image.left() + (column + 0.5) / 4 * image.width(),
                   image.bottom() - (row + 0.5) / 3 * image.height())
        .toPoint();
}

} // namespace

class TestFieldView : public QObject
{
    Q_OBJECT

private slots:
    void everyValueHasItsColour_data();
    void everyValueHasItsColour();
    void colourMapsAreOfferedInGroups();
    void unreachedValuesAreGrey();
    void bandsAreThoseOfTheLayers();
    void fixedRangeStaysWhenTheFieldChanges();
    void readoutIsTheValueUnderTheMouse();
    void arrowKeysMoveTheCross();
    void markerIsDraggedWithTheMouse();
    void markerMovesByKeys();
    void aVeryLargeFieldIsShownByFewerPixelsAndReadExactly();
    void benchmarkOfALargeField();
};

void TestFieldView::everyValueHasItsColour_data()
{
    QTest::addColumn<QString>("map");
    for (const auto &name : colourMapNames())
        QTest::newRow(name.c_str()) << QString::fromStdString(name);
}

void TestFieldView::everyValueHasItsColour()
{
    QFETCH(QString, map);
    const auto colours = parseColourMap(map.toStdString());
    FieldView view;
    view.resize(500, 400);
    view.setColourMap(colours);
    view.setFrame(smallFrame());
    QCOMPARE(view.image().size(), QSize(4, 3));
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 4; ++column) {
            const double value = 4 * row + column;
            QVERIFY2(isNear(view.image().pixel(column, 2 - row), rgbOf(colours, value / 11)),
                     QByteArray::number(value));
        }
    }
    // ... and on the screen, the first row at the bottom.
    const auto screen = view.grab().toImage();
    QVERIFY(isNear(screen.pixel(middleOf(view, 0, 0)), rgbOf(colours, 0)));
    QVERIFY(isNear(screen.pixel(middleOf(view, 3, 0)), rgbOf(colours, 3.0 / 11)));
    QVERIFY(isNear(screen.pixel(middleOf(view, 0, 2)), rgbOf(colours, 8.0 / 11)));
}

void TestFieldView::colourMapsAreOfferedInGroups()
{
    ColourMapBox box;
    QSignalSpy chosen(&box, &ColourMapBox::chosen);
    int groups = 1;
    for (int i = 0; i < box.count(); ++i)
        groups += box.itemText(i).isEmpty();
    QCOMPARE(groups, 5);
    for (const auto &info : colourMaps()) {
        box.setColourMap(info.map);
        QVERIFY(box.colourMap() == info.map);
        QCOMPARE(box.currentText().toStdString(), std::string(info.name));
        // The stripe begins and ends with the map's colours.
        const auto stripe = box.itemIcon(box.currentIndex()).pixmap(box.iconSize()).toImage();
        QVERIFY(isNear(stripe.pixel(0, 0), rgbOf(info.map, 0)));
        QVERIFY(isNear(stripe.pixel(stripe.width() - 1, 0), rgbOf(info.map, 1)));
    }
    QCOMPARE(chosen.size(), 0); // only the user's choice is told
    box.show();
    QTest::keyClick(&box, Qt::Key_Home);
    QCOMPARE(chosen.size(), 1);
    QVERIFY(box.colourMap() == colourMaps().front().map);
}

void TestFieldView::unreachedValuesAreGrey()
{
    FieldView view;
    auto frame = smallFrame();
    frame->slice.values[5] = infinity;
    frame->slice.values[6] = std::nan("");
    view.setFrame(frame);
    QCOMPARE(view.image().pixel(1, 1), qRgb(128, 128, 128));
    QCOMPARE(view.image().pixel(2, 1), qRgb(128, 128, 128));
    QVERIFY(view.image().pixel(0, 1) != qRgb(128, 128, 128));
}

void TestFieldView::bandsAreThoseOfTheLayers()
{
    FieldView view;
    view.setBands(4);
    view.setFrame(smallFrame());
    FieldView plain;
    plain.setFrame(smallFrame());
    for (int value = 0; value < 12; ++value) {
        const QPoint at(value % 4, 2 - value / 4);
        const bool isDark =
            QColor(view.image().pixel(at)).value() < QColor(plain.image().pixel(at)).value() - 20;
        QCOMPARE(isDark, layerOf(value, 11, 4) % 2 == 1);
    }
}

void TestFieldView::fixedRangeStaysWhenTheFieldChanges()
{
    FieldView view;
    view.setFrame(smallFrame());
    QCOMPARE(view.range().high, 11.0);
    view.setFixedRange(ValueRange{0, 22});
    auto frame = smallFrame();
    frame->highest = 40;
    frame->slice.values[11] = 40;
    view.setFrame(frame);
    QCOMPARE(view.range().high, 22.0);
    QVERIFY(isNear(view.image().pixel(3, 0), rgbOf(ColourMap::viridis, 1))); // beyond: the end
    QVERIFY(isNear(view.image().pixel(2, 0), rgbOf(ColourMap::viridis, 10.0 / 22)));
    view.setFixedRange(std::nullopt);
    QCOMPARE(view.range().high, 40.0);
}

void TestFieldView::readoutIsTheValueUnderTheMouse()
{
    FieldView view;
    view.resize(500, 400);
    view.setQuantity("u");
    view.setFrame(smallFrame());
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QCOMPARE(view.readout(), QString());
    QTest::mouseMove(&view, middleOf(view, 2, 1));
    QTRY_COMPARE(view.readout(), QString("x = 0.625, y = 0.375: u = 6"));
    auto frame = smallFrame();
    frame->slice.values[6] = infinity;
    view.setFrame(frame);
    QCOMPARE(view.readout(), QString("x = 0.625, y = 0.375: u = not reached"));
}

void TestFieldView::arrowKeysMoveTheCross()
{
    FieldView view;
    view.resize(500, 400);
    view.setFrame(smallFrame());
    QTest::keyClick(&view, Qt::Key_Left); // from the middle, column 2 row 1
    QVERIFY2(view.readout().endsWith("u = 5"), qPrintable(view.readout()));
    QTest::keyClick(&view, Qt::Key_Up);
    QVERIFY2(view.readout().endsWith("u = 9"), qPrintable(view.readout()));
    QTest::keyClick(&view, Qt::Key_Right, Qt::ShiftModifier);
    QVERIFY2(view.readout().endsWith("u = 11"), qPrintable(view.readout()));
}

void TestFieldView::markerIsDraggedWithTheMouse()
{
    FieldView view;
    view.resize(500, 400);
    view.setFrame(smallFrame());
    view.setMarker(QPointF(0.5, 0.5));
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QSignalSpy moved(&view, &FieldView::markerMoved);
    const auto image = view.imageRect();
    QTest::mousePress(&view, Qt::LeftButton, {}, middleOf(view, 0, 0)); // not where it is
    QTest::mouseRelease(&view, Qt::LeftButton, {}, middleOf(view, 0, 0));
    QCOMPARE(moved.size(), 0);
    QTest::mousePress(&view, Qt::LeftButton, {}, image.center().toPoint());
    const QPointF to(image.left() + 0.25 * image.width(), image.bottom() - 0.75 * image.height());
    QTest::mouseMove(&view, to.toPoint());
    view.setMarker(QPointF(0.5, 0.5)); // the solver, which is behind: it must not pull it back
    QTest::mouseRelease(&view, Qt::LeftButton, {}, to.toPoint());
    QVERIFY(moved.size() >= 1);
    const auto place = moved.last()[0].toPointF();
    QVERIFY2(std::abs(place.x() - 0.25) < 0.01 && std::abs(place.y() - 0.75) < 0.01,
             qPrintable(QString("%1 %2").arg(place.x()).arg(place.y())));
    QCOMPARE(*view.marker(), place);
    QTest::mouseDClick(&view, Qt::LeftButton, {}, middleOf(view, 3, 0));
    QVERIFY(std::abs(view.marker()->x() - 0.875) < 0.01);
}

void TestFieldView::markerMovesByKeys()
{
    FieldView view;
    view.setFrame(smallFrame());
    view.setMarker(QPointF(0.5, 0.98));
    QTest::keyClick(&view, Qt::Key_Right, Qt::ControlModifier);
    QTest::keyClick(&view, Qt::Key_Up, Qt::ControlModifier);
    QTest::keyClick(&view, Qt::Key_Up, Qt::ControlModifier); // it is at the side already
    QCOMPARE(*view.marker(), QPointF(0.52, 1));
}

void TestFieldView::aVeryLargeFieldIsShownByFewerPixelsAndReadExactly()
{
    constexpr std::size_t width = 4096, height = 3;
    auto frame = std::make_shared<SliceFrame>();
    frame->slice.width = width;
    frame->slice.height = height;
    for (std::size_t i = 0; i < width * height; ++i)
        frame->slice.values.push_back(static_cast<double>(i % width));
    frame->highest = width;
    frame->points = {width, height, 1};
    FieldView view;
    view.resize(500, 400);
    view.setFrame(frame);
    QCOMPARE(view.image().size(), QSize(1024, 3));
    for (const int column : {0, 300, 1023})
        QVERIFY(isNear(view.image().pixel(column, 1), rgbOf(ColourMap::viridis, column / 1024.0)));
    QTest::keyClick(&view, Qt::Key_Right);
    QVERIFY2(view.readout().endsWith("u = 2049"), qPrintable(view.readout()));
}

void TestFieldView::benchmarkOfALargeField()
{
    auto frame = std::make_shared<SliceFrame>();
    frame->slice.width = frame->slice.height = 1024;
    frame->slice.values.resize(1024 * 1024);
    for (std::size_t i = 0; i < frame->slice.values.size(); ++i)
        frame->slice.values[i] = std::sin(static_cast<double>(i) * 1e-4);
    frame->lowest = -1;
    frame->highest = 1;
    frame->points = {1024, 1024, 1};
    FieldView view;
    view.resize(800, 700);
    QImage screen(view.size(), QImage::Format_RGB32);
    view.setFrame(frame);
    view.render(&screen);
    QBENCHMARK
    {
        view.setFrame(frame);
        view.render(&screen);
    }
}

GRIDHELM_WIDGET_TEST(TestFieldView)
#include "tst_field_view.moc"

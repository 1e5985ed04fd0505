// SPDX-License-Identifier: GPL-3.0-or-later
//
// Pictures of fields, pixel by pixel.
#include "core/support/error.h"
#include "tests/support/test_program.h"
#include "tests/ui/scene_case.h"
#include "ui/scene/annotation/axis_names.h"
#include "ui/scene/colour/colour_table.h"
#include "ui/scene/colour/shown_values.h"
#include "ui/scene/drawing/display.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <unistd.h>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

namespace {

/// Servers of virtual displays that this program has started.
int ownServers()
{
    int count = 0;
    for (const auto &id : QDir("/proc").entryList(QDir::Dirs)) {
        QFile file("/proc/" + id + "/stat"); // "17 (Xvfb) S 16 ...": 16 is its parent
        if (!file.open(QIODevice::ReadOnly))
            continue;
        const auto words = file.readAll().split(' ');
        count += words.size() > 3 && words[1] == "(Xvfb)" && words[3].toInt() == getpid();
    }
    return count;
}

} // namespace

class TestScene : public QObject
{
    Q_OBJECT

private slots:
    void linearFieldHasTheColoursOfItsValues_data()
    {
        QTest::addColumn<int>("map");
        for (const auto &name : colourMapNames())
            QTest::newRow(name.c_str()) << static_cast<int>(parseColourMap(name));
    }
    void linearFieldHasTheColoursOfItsValues()
    {
        QFETCH(int, map);
        const auto mesh = unitImage(5, 4);
        ViewSettings settings;
        settings.range = unitRange;
        settings.colours = static_cast<ColourMap>(map);
        Drawn drawn;
        drawn.show(mesh, fieldOf(20),
                   sample(mesh, [](double x, double, double) { return static_cast<float>(x); }),
                   settings);
        for (const double x :
             {0.1, 0.3, 0.45, 0.7, 0.9}) // inside of the eight bands that some have
            COMPARE_COLOURS(drawn.colourAt(x, 0.4), colourOf(settings.colours, x));
        COMPARE_COLOURS(drawn.image.at(0, 0), white);
        // The same mesh and values, with other colours.
        settings.colours.isInverted = true;
        settings.colours.bands = 5;
        drawn.scene.setView(settings);
        drawn.draw();
        for (const double x : {0.1, 0.3, 0.5, 0.7, 0.9})
            COMPARE_COLOURS(drawn.colourAt(x, 0.4),
                            colourOf(static_cast<ColourMap>(map), 1 - (x - 0.1) / 0.8));
    }

    /// Values beyond the ends of the colours are marked at the bar, above and below it.
    void valuesBeyondTheColoursAreMarked()
    {
        const auto mesh = unitImage(5, 4);
        const auto values =
            sample(mesh, [](double x, double, double) { return static_cast<float>(x); });
        // How many pixels beside the field have the colour of an end.
        const auto pixelsOf = [&](ValueRange range, double end) {
            ViewSettings settings;
            settings.range = range;
            Drawn drawn;
            drawn.show(mesh, fieldOf(20), values, settings);
            const auto first =
                static_cast<int>(drawn.scene.fieldRenderer()->GetViewport()[2] * width) + 1;
            int count = 0;
            for (int row = 0; row < height; ++row)
                for (int column = first; column < width; ++column)
                    count +=
                        isNear(drawn.image.at(column, row), colourOf(settings.colours, end), 2);
            return count;
        };
        const int low = pixelsOf({0, 1}, 0), high = pixelsOf({0, 1}, 1);
        QCOMPARE(pixelsOf({-1, 2}, 0), low);         // all are inside
        QCOMPARE(pixelsOf({0.001, 0.999}, 1), high); // which nobody would see
        QVERIFY(pixelsOf({0.2, 1}, 0) > low + 15);
        QCOMPARE(pixelsOf({0.2, 1}, 1), high);
        QVERIFY(pixelsOf({0, 0.8}, 1) > high + 15);
        QCOMPARE(pixelsOf({0, 0.8}, 0), low);
    }

    void logarithmicScaleIsEvenInPowers()
    {
        const auto mesh = unitImage(129, 3);
        ViewSettings settings;
        settings.range = ValueRange{1, 100};
        settings.scale = Scale::logarithmic;
        Drawn drawn;
        drawn.show(mesh, fieldOf(387),
                   sample(mesh, [](double x, double,
                                   double) { return static_cast<float>(std::pow(10.0, 2 * x)); }),
                   settings);
        for (const double x : {0.25, 0.5, 0.75})
            COMPARE_COLOURS(drawn.colourAt(x, 0.5), colourOf(ColourMap::viridis, x));
    }

    void cellsHaveOneColourEach()
    {
        const auto mesh = unitImage(5, 3);
        ViewSettings settings;
        settings.range = unitRange;
        Drawn drawn;
        drawn.show(mesh, fieldOf(8, 1, data::Association::cell),
                   sample(
                       mesh, [](double x, double, double) { return static_cast<float>(x); }, true),
                   settings);
        for (const double x : {0.05, 0.2})
            COMPARE_COLOURS(drawn.colourAt(x, 0.25), colourOf(ColourMap::viridis, 0.125));
        COMPARE_COLOURS(drawn.colourAt(0.95, 0.75), colourOf(ColourMap::viridis, 0.875));
    }

    void valuesThatAreNoNumbersAreGrey()
    {
        const auto mesh = unitImage(3, 2);
        Drawn drawn;
        drawn.show(mesh, fieldOf(2, 1, data::Association::cell), {noNumber, 1.0F});
        COMPARE_COLOURS(drawn.colourAt(0.25, 0.5), (Colour{128, 128, 128}));
        QVERIFY(!isNear(drawn.colourAt(0.75, 0.5), Colour{128, 128, 128}));
    }

    void vectorsAreShownByMagnitudeOrComponent()
    {
        const auto mesh = unitImage(2, 2);
        std::vector<float> values;
        for (int i = 0; i < 4; ++i)
            values.insert(values.end(), {0.6F, 0.8F, 0.0F});
        ViewSettings settings;
        settings.range = ValueRange{0, 2};
        Drawn drawn;
        drawn.show(mesh, fieldOf(4, 3), values, settings);
        COMPARE_COLOURS(drawn.colourAt(0.5, 0.5), colourOf(ColourMap::viridis, 0.5));
        QCOMPARE(drawn.scene.title(), std::string("velocity magnitude (m/s)"));
        settings.component = parseComponent(fieldOf(4, 3), "y");
        drawn.scene.setView(settings);
        drawn.draw();
        COMPARE_COLOURS(drawn.colourAt(0.5, 0.5), colourOf(ColourMap::viridis, 0.4));
        QCOMPARE(drawn.scene.title(), std::string("velocity y (m/s)"));
        settings.component.index = 3;
        QVERIFY_EXCEPTION_THROWN(drawn.scene.setView(settings), Error);
        QCOMPARE(drawn.scene.view().component.index, 1);
    }

    void sliceShowsThePlaneAtItsPosition_data()
    {
        QTest::addColumn<bool>("atCells");
        QTest::addColumn<double>("position");
        QTest::addColumn<double>("value");
        QTest::newRow("points") << false << 0.3 << 0.3;
        QTest::newRow("points, lower border") << false << 0.0 << 0.0;
        QTest::newRow("points, upper border") << false << 1.0 << 1.0;
        QTest::newRow("cells") << true << 0.3 << 0.375;
        QTest::newRow("cells, upper border") << true << 1.0 << 0.875;
    }
    void sliceShowsThePlaneAtItsPosition()
    {
        QFETCH(bool, atCells);
        QFETCH(double, position);
        QFETCH(double, value);
        const auto mesh = unitImage(5, 5, 5);
        const auto values = sample(
            mesh, [](double, double, double z) { return static_cast<float>(z); }, atCells);
        ViewSettings settings;
        settings.range = unitRange;
        settings.position = position;
        for (const auto projection : {Projection::straight, Projection::oblique}) {
            settings.projection = projection;
            Drawn drawn;
            drawn.show(mesh,
                       fieldOf(values.size(), 1,
                               atCells ? data::Association::cell : data::Association::point),
                       values, settings);
            if (projection == Projection::straight)
                for (const double x : {0.1, 0.9})
                    COMPARE_COLOURS(drawn.colourAt(x, 0.4), colourOf(ColourMap::viridis, value));
            else if (position > 0.2 && position < 0.8)
                COMPARE_COLOURS(drawn.middle(), colourOf(ColourMap::viridis, value));
        }
    }

    void sliceOutsideOfTheMeshIsRefused()
    {
        const auto mesh = unitImage(3, 3, 3);
        ViewSettings settings;
        settings.position = 1.5;
        Scene scene;
        scene.setView(settings);
        scene.setMesh(data::encodeImageMesh(mesh));
        QVERIFY_EXCEPTION_THROWN(scene.setValues(fieldOf(27), std::vector<float>(27, 1.0F)), Error);
    }

    void bandsLieBetweenIsolines()
    {
        const auto mesh = unitImage(33, 33);
        ViewSettings settings;
        settings.kind = ViewKind::contour;
        settings.range = unitRange;
        settings.levels = {0.5};
        Drawn drawn;
        drawn.show(mesh, fieldOf(33 * 33),
                   sample(mesh, [](double x, double, double) { return static_cast<float>(x); }),
                   settings);
        for (const double x : {0.05, 0.3, 0.47})
            COMPARE_COLOURS(drawn.colourAt(x, 0.5), colourOf(ColourMap::viridis, 0));
        for (const double x : {0.53, 0.7, 0.95})
            COMPARE_COLOURS(drawn.colourAt(x, 0.5), colourOf(ColourMap::viridis, 1));
        bool lineSeen = false;
        for (double x = 0.49; x < 0.51; x += 0.002)
            lineSeen = lineSeen || isNear(drawn.colourAt(x, 0.5), Colour{31, 33, 38}, 40);
        QVERIFY(lineSeen);
    }

    void isosurfaceEnclosesItsValue_data()
    {
        QTest::addColumn<double>("opacity");
        QTest::newRow("opaque") << 1.0;
        QTest::newRow("translucent") << 0.5;
    }
    void isosurfaceEnclosesItsValue()
    {
        QFETCH(double, opacity);
        const auto mesh = unitImage(17, 17, 17);
        const auto values = sample(mesh, [](double x, double y, double z) {
            return static_cast<float>(std::hypot(x - 0.5, y - 0.5, z - 0.5));
        });
        ViewSettings settings;
        settings.kind = ViewKind::contour;
        settings.outline = false;
        settings.opacity = opacity;
        settings.levels = {0.3};
        Drawn drawn;
        drawn.show(mesh, fieldOf(values.size()), values, settings);
        QVERIFY(!isNear(drawn.middle(), white));
        settings.levels = {2.0}; // nowhere
        drawn.scene.setView(settings);
        drawn.draw();
        COMPARE_COLOURS(drawn.middle(), white);
    }

    void barShowsAllColoursFromLowToHigh()
    {
        const auto mesh = unitImage(2, 2);
        Drawn drawn;
        drawn.show(mesh, fieldOf(4), {0.02F, 0.5F, 0.98F, 0.3F});
        QCOMPARE(drawn.scene.range(), unitRange);
        const int right =
            static_cast<int>(drawn.scene.fieldRenderer()->GetViewport()[2] * width) + 2;
        int column = right;
        const auto has = [&](double value) {
            for (int row = 0; row < height; ++row)
                if (isNear(drawn.image.at(column, row), colourOf(ColourMap::viridis, value), 3))
                    return row;
            return -1;
        };
        while (column < width - 1 && has(0.5) < 0)
            ++column;
        column += 3;
        QVERIFY2(has(0.02) > has(0.5) && has(0.5) > has(0.98) && has(0.98) > 0,
                 "low below, high above");
    }

    void nothingIsCutAtTheBorder_data()
    {
        QTest::addColumn<int>("w");
        QTest::addColumn<int>("h");
        QTest::newRow("usual") << 600 << 450;
        QTest::newRow("small") << 200 << 150;
        QTest::newRow("wide") << 900 << 200;
        QTest::newRow("high") << 240 << 800;
    }
    void nothingIsCutAtTheBorder()
    {
        QFETCH(int, w);
        QFETCH(int, h);
        const auto mesh = unitImage(3, 3);
        Scene scene;
        scene.setMesh(data::encodeImageMesh(mesh));
        auto field = fieldOf(9);
        field.name = "a field with a name that is so long that it hardly fits beside the bar";
        std::vector<float> values(9, -12345.678F);
        values[4] = -12345.9F;
        scene.setValues(field, values);
        scene.setCaption("Reynolds-number = 1234.56, temperature = 293.15 K, time = 12.5 s, "
                         "viscosity = 1.8e-05 Pa s, inclination = 12.5 degrees");
        OffScreenWindow window(scene, w, h);
        const auto image = window.draw();
        for (int column = 0; column < w; ++column)
            QVERIFY(image.at(column, 0) == white && image.at(column, h - 1) == white);
        for (int row = 0; row < h; ++row)
            QVERIFY(image.at(0, row) == white && image.at(w - 1, row) == white);
    }

    void axesHaveTheirNames()
    {
        const auto mesh = unitImage(9, 9, 9);
        ViewSettings settings;
        settings.projection = Projection::straight;
        const std::array<std::array<const char *, 3>, 3> seen{
            {{"y", "z", "x"}, {"x", "z", "y"}, {"x", "y", "z"}}};
        for (const auto normal : {Axis::x, Axis::y, Axis::z}) {
            settings.normal = normal;
            Drawn drawn;
            drawn.show(mesh, fieldOf(729),
                       sample(mesh, [](double x, double, double) { return static_cast<float>(x); }),
                       settings);
            const auto &[across, upwards, away] = seen[static_cast<std::size_t>(normal)];
            const auto texts = textsAtAxes(drawn.scene);
            QVERIFY(texts.count(across) == 1 && texts.count(upwards) == 1);
            QVERIFY(texts.count(away) == 0);  // the section is across it
            QCOMPARE(texts.at(upwards), 0.0); // a letter stands upright
        }
    }

    void axesHaveTheNamesAndUnitsOfTheStudy()
    {
        const auto mesh = unitImage(9, 9);
        Drawn drawn;
        drawn.show(mesh, fieldOf(81), std::vector<float>(81, 1.0F));
        const auto before = drawn.image;
        Parameter across{"width", "mm", 0, 1}, up{"height", "mm", 0, 1}, t{"t", "s", 0, 1};
        across.kind = up.kind = ParameterKind::spatial;
        const auto names = axisNamesOf(ParameterSpace({t, across, up}));
        QCOMPARE(names.unitOfLength(), std::string("mm"));
        QCOMPARE(names.title(2), std::string("z"));
        across.unit.clear();
        for (int i = 0; i < 1000; ++i)
            across.unit += "\u00b5";
        const auto strange = axisNamesOf(ParameterSpace({across, t}));
        QCOMPARE(strange.units[0].size(), std::size_t{35});
        const auto geometry = drawn.scene.layOut(width, height, 72)->geometry;
        drawn.scene.setAxisNames(names);
        QVERIFY(drawn.scene.layOut(width, height, 72)->geometry != geometry); // to be drawn anew
        drawn.draw();
        auto texts = textsAtAxes(drawn.scene);
        QCOMPARE(texts.at("width (mm)"), 0.0);
        QCOMPARE(texts.at("height (mm)"), 90.0);
        QVERIFY(texts.count("x") == 0 && texts.count("y") == 0);
        QVERIFY(drawn.image.pixels != before.pixels);
        // Oblique: at the lines in the corner; and a name that is too long is shortened.
        auto longNames = names;
        longNames.names[0] = std::string(500, 'w');
        drawn.scene.setAxisNames(longNames);
        drawn.draw();
        for (const auto &[text, angle] : textsAtAxes(drawn.scene))
            QVERIFY(text.size() < 200);
        ViewSettings oblique;
        oblique.projection = Projection::oblique;
        drawn.scene.setAxisNames(names);
        drawn.scene.setView(oblique);
        drawn.draw();
        texts = textsAtAxes(drawn.scene);
        QVERIFY(texts.count("z") == 1);
        QVERIFY(texts.size() == 3);
    }

    void darkBackgroundIsDark()
    {
        const auto mesh = unitImage(2, 2);
        ViewSettings settings;
        settings.dark = true;
        Drawn drawn;
        drawn.show(mesh, fieldOf(4), {0, 1, 2, 3}, settings);
        QVERIFY(drawn.image.at(0, 0)[0] < 60);
    }

    void endsAreRound_data()
    {
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        QTest::addColumn<double>("roundLow");
        QTest::addColumn<double>("roundHigh");
        QTest::newRow("unit") << 0.02 << 0.98 << 0.0 << 1.0;
        QTest::newRow("round already") << 0.0 << 1.0 << 0.0 << 1.0;
        QTest::newRow("signed") << -0.97 << 1.02 << -1.0 << 1.2;
        QTest::newRow("offset") << 293.2 << 351.0 << 290.0 << 360.0;
        QTest::newRow("tiny") << 1.1e-7 << 8.9e-7 << 1e-7 << 9e-7;
        QTest::newRow("constant") << 5.0 << 5.0 << 4.5 << 5.5;
        QTest::newRow("zero") << 0.0 << 0.0 << -1.0 << 1.0;
    }
    void endsAreRound()
    {
        QFETCH(double, low);
        QFETCH(double, high);
        QFETCH(double, roundLow);
        QFETCH(double, roundHigh);
        const auto range = roundedOutward({low, high}, Scale::linear);
        QVERIFY2(std::abs(range.low - roundLow) < 1e-9 * std::abs(roundHigh)
                     && std::abs(range.high - roundHigh) < 1e-9 * std::abs(roundHigh),
                 qPrintable(QString("%1 .. %2").arg(range.low).arg(range.high)));
    }

    void ticksAreLabelledByRoundNumbersAndBothEnds()
    {
        QCOMPARE(tickTexts(ticksOf({0, 1}, Scale::linear, 7)),
                 (std::vector<std::string>{"0", "0.2", "0.4", "0.6", "0.8", "1"}));
        QCOMPARE(tickTexts(ticksOf({0.013, 0.987}, Scale::linear, 7)),
                 (std::vector<std::string>{"0.013", "0.2", "0.4", "0.6", "0.8", "0.987"}));
        QCOMPARE(tickTexts(ticksOf({1e-6, 1}, Scale::logarithmic, 5)),
                 (std::vector<std::string>{"1e-06", "0.0001", "0.01", "1"}));
        QCOMPARE(tickTexts(ticksOf({100000, 100001}, Scale::linear, 4)).front(),
                 std::string("100000"));
        for (const int most : {2, 3, 5, 8, 12})
            for (const double high : {0.7, 1.0, 1.3, 17.0, 1e9})
                for (const Scale scale : {Scale::linear, Scale::logarithmic}) {
                    const auto ticks = ticksOf({0.01, high}, scale, most);
                    QVERIFY(static_cast<int>(ticks.size()) <= most);
                    QCOMPARE(ticks.front(), 0.01);
                    QCOMPARE(ticks.back(), high);
                    QVERIFY(std::is_sorted(ticks.begin(), ticks.end()));
                }
    }

    void senselessViewsAreRefusedAndThePictureStays_data()
    {
        QTest::addColumn<int>("fault");
        for (int fault = 0; fault < 8; ++fault)
            QTest::addRow("%d", fault) << fault;
    }
    void senselessViewsAreRefusedAndThePictureStays()
    {
        QFETCH(int, fault);
        const auto mesh = unitImage(3, 3);
        Drawn drawn;
        drawn.show(mesh, fieldOf(9), {-1, 0, 1, -1, 0, 1, -1, 0, -1});
        const auto before = drawn.image;
        ViewSettings settings;
        settings.kind = ViewKind::contour;
        const double nan = std::numeric_limits<double>::quiet_NaN();
        switch (fault) {
        case 0:
            settings.range = ValueRange{1, 0};
            break;
        case 1:
            settings.range = ValueRange{0, nan};
            break;
        case 2:
            settings.range = ValueRange{0, 1};
            settings.scale = Scale::logarithmic;
            break;
        case 3:
            settings.levelCount = 0;
            break;
        case 4:
            settings.levelCount = maxLevels + 1;
            break;
        case 5:
            settings.levels = {17};
            break;
        case 6:
            settings.opacity = nan;
            break;
        case 7:
            settings.relief = nan;
            break;
        }
        QVERIFY_EXCEPTION_THROWN(drawn.scene.setView(settings), Error);
        drawn.draw();
        QVERIFY(drawn.image.pixels == before.pixels);
    }

    void fieldsThatDoNotFitAreRefused()
    {
        const auto mesh = unitImage(3, 3);
        Scene scene;
        QVERIFY_EXCEPTION_THROWN(scene.setValues(fieldOf(9), std::vector<float>(9, 1.0F)), Error);
        scene.setMesh(data::encodeImageMesh(mesh));
        QVERIFY_EXCEPTION_THROWN(scene.setValues(fieldOf(8), std::vector<float>(8, 1.0F)), Error);
        QVERIFY_EXCEPTION_THROWN(scene.setValues(fieldOf(9), std::vector<float>(8, 1.0F)), Error);
        QVERIFY_EXCEPTION_THROWN(scene.setValues(fieldOf(9), std::vector<float>(9, noNumber)),
                                 Error);
        for (const int side : {0, -5, 63, 8193, 1 << 30})
            QVERIFY_EXCEPTION_THROWN(OffScreenWindow(scene, side, 100), Error);
    }

    void virtualDisplayEndsWithItsObject()
    {
        const QByteArray before = qgetenv("DISPLAY");
        const int others = ownServers(); // of the pictures above
        for (const char *display : {"", ":47111", "no.such.machine.invalid:0"}) {
            qputenv("DISPLAY", display);
            {
                const ui::Display own;
                QVERIFY(own.isVirtual());
                const auto number = QString::fromStdString(own.name()).mid(1);
                QVERIFY(QFile::exists("/tmp/.X11-unix/X" + number));
                QCOMPARE(ownServers(), others + 1);
            }
            // Not its socket: another program may have the number by now.
            QCOMPARE(ownServers(), others);
        }
        qputenv("DISPLAY", before);
    }
};

GRIDHELM_TEST(TestScene)
#include "tst_scene.moc"

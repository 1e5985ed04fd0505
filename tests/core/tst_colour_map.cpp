// SPDX-License-Identifier: GPL-3.0-or-later
//
// Colour maps: their names, their published colours, and that they are read as they are meant.
#include "core/support/colour_map.h"
#include "core/support/error.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <string>

using namespace gridhelm;

namespace {

/// CIE lightness, from 0 for black to 100 for white.
double lightness(const Colour &colour)
{
    const auto linear = [](std::uint8_t part) {
        const double x = part / 255.0;
        return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
    };
    const double y =
        0.2126 * linear(colour[0]) + 0.7152 * linear(colour[1]) + 0.0722 * linear(colour[2]);
    return y > 216.0 / 24389.0 ? 116.0 * std::cbrt(y) - 16.0 : y * 24389.0 / 27.0;
}

QString textOf(const Colour &colour)
{
    return QString("%1,%2,%3").arg(colour[0]).arg(colour[1]).arg(colour[2]);
}

} // namespace

class TestColourMap : public QObject
{
    Q_OBJECT

private slots:
    void namesAreReadBack()
    {
        for (const auto &[map, name, help] : colourMaps()) {
            QVERIFY(parseColourMap(name) == map);
            QVERIFY(toString(map) == name);
            QVERIFY(!help.empty());
        }
    }

    void unknownNamesAreRefusedWithThoseThereAre()
    {
        try {
            parseColourMap("jet");
            QFAIL("it is taken");
        } catch (const Error &error) {
            const std::string sentence = error.what();
            for (const auto &name : colourMapNames())
                QVERIFY2(sentence.find(name) != std::string::npos, sentence.c_str());
        }
    }

    void tablesHaveTheirPublishedColours_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("colour");
        const auto row = [](const char *name, double value, const char *colour) {
            QTest::addRow("%s at %g", name, value) << name << value << colour;
        };
        row("batlow", 0, "1,25,89");
        row("batlow", 1, "250,204,250");
        row("batlow", 127 / 255.0, "129,130,50");
        row("vik", 0, "0,18,97");
        row("vik", 1, "89,0,8");
        row("cividis", 0, "0,34,78");
        row("cividis", 1, "254,232,56");
        row("turbo", 0, "48,18,59");
        row("turbo", 1, "122,4,3");
        row("turbo", 128 / 255.0, "164,252,60");
        row("turbo", -0.5, "48,18,59"); // the ends go on
        row("turbo", 1.5, "122,4,3");
    }
    void tablesHaveTheirPublishedColours()
    {
        QFETCH(QString, name);
        QFETCH(double, value);
        QFETCH(QString, colour);
        QCOMPARE(textOf(colourOf(parseColourMap(name.toStdString()), value)), colour);
    }

    /// Large numbers are lighter, wherever one looks: order can be seen, also in grey.
    void sequentialMapsGetLighter()
    {
        using enum ColourMap;
        for (const auto map : {viridis, batlow, cividis, glow, grey}) {
            constexpr int steps = 64;
            for (int i = 0; i < steps; ++i) {
                const double below = lightness(colourOf(map, i / static_cast<double>(steps)));
                const double above = lightness(colourOf(map, (i + 1) / static_cast<double>(steps)));
                QVERIFY2(above > below, std::string(toString(map)).c_str());
            }
        }
    }

    void divergingMapsAreLightInTheMiddle()
    {
        using enum ColourMap;
        for (const auto map : {coolWarm, vik}) {
            const double middle = lightness(colourOf(map, 0.5));
            QVERIFY(middle > 90);
            for (int i = 1; i <= 10; ++i) {
                const double low = lightness(colourOf(map, 0.5 - 0.05 * i));
                const double high = lightness(colourOf(map, 0.5 + 0.05 * i));
                QVERIFY(low < middle && high < middle);
                QVERIFY2(std::abs(low - high) < 25, std::string(toString(map)).c_str());
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestColourMap)
#include "tst_colour_map.moc"

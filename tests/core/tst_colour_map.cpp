// SPDX-License-Identifier: GPL-3.0-or-later
//
// Colour maps: their names, their published colours, and that they are read as they are meant.
#include "core/support/colour_map.h"
#include "core/support/colour_scheme.h"
#include "core/support/error.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

using namespace gridhelm;

namespace {

using Triple = std::array<double, 3>;
using Matrix = std::array<Triple, 3>;

/// What is seen by full sight, and without red or green cones: G. Machado, M. Oliveira and L.
/// Fernandes, "A physiologically-based model for simulation of color vision deficiency", 2009,
/// severity 1.
constexpr Matrix fullSight{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
constexpr Matrix withoutRed{{{0.152286, 1.052583, -0.204868},
                             {0.114503, 0.786281, 0.099216},
                             {-0.003882, -0.048116, 1.051998}}};
constexpr Matrix withoutGreen{{{0.367322, 0.860646, -0.227968},
                               {0.280085, 0.672501, 0.047413},
                               {-0.011820, 0.042940, 0.968881}}};

double dot(const Triple &a, const Triple &b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// CIELAB of sRGB, white D65: lightness from 0 to 100, a, b.
Triple inLab(const Colour &colour, const Matrix &sight = fullSight)
{
    Triple linear, seen;
    for (std::size_t i = 0; i < 3; ++i) {
        const double x = colour[i] / 255.0;
        linear[i] = x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
    }
    for (std::size_t i = 0; i < 3; ++i)
        seen[i] = std::clamp(dot(sight[i], linear), 0.0, 1.0);
    const auto scaled = [](double t) {
        return t > 216.0 / 24389.0 ? std::cbrt(t) : (t * 24389.0 / 27.0 + 16.0) / 116.0;
    };
    const double x = scaled(dot({0.4124, 0.3576, 0.1805}, seen) / 0.9505);
    const double y = scaled(dot({0.2126, 0.7152, 0.0722}, seen));
    const double z = scaled(dot({0.0193, 0.1192, 0.9505}, seen) / 1.0890);
    return {116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)};
}

/// As CIE 1976 has it: 2 can just be seen.
double distance(const Triple &a, const Triple &b)
{
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

Colour at(const ColourMapInfo &info, double value)
{
    return colourOf(info.map, value);
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
        for (const auto &info : colourMaps()) {
            QVERIFY(parseColourMap(info.name) == info.map);
            QVERIFY(toString(info.map) == info.name);
        }
        QVERIFY(colourMaps().size() >= 20);
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
        for (const auto &info : colourMaps()) {
            if (info.group != ColourMapGroup::sequential)
                continue;
            constexpr int steps = 64;
            for (int i = 0; i < steps; ++i) {
                const double below = inLab(at(info, i / static_cast<double>(steps)))[0];
                const double above = inLab(at(info, (i + 1) / static_cast<double>(steps)))[0];
                QVERIFY2(above > below, std::string(info.name).c_str());
            }
        }
    }

    /// Equal values on both sides of the middle look equally far from it.
    void divergingMapsHaveTheirMiddleInTheMiddle()
    {
        for (const auto &info : colourMaps()) {
            if (info.group != ColourMapGroup::diverging)
                continue;
            const double middle = inLab(at(info, 0.5))[0];
            const bool isLight = middle > 50;
            for (int i = 1; i <= 10; ++i) {
                const double low = inLab(at(info, 0.5 - 0.05 * i))[0];
                const double high = inLab(at(info, 0.5 + 0.05 * i))[0];
                QVERIFY2((low < middle) == isLight && (high < middle) == isLight,
                         std::string(info.name).c_str());
            }
        }
    }

    void schemesAreInvertedAndInBands()
    {
        ColourScheme scheme(ColourMap::batlow);
        QVERIFY(colourOf(scheme, 0.3) == colourOf(ColourMap::batlow, 0.3));
        scheme.isInverted = true;
        QVERIFY(colourOf(scheme, 0) == colourOf(ColourMap::batlow, 1));
        QVERIFY(colourOf(scheme, 0.3) == colourOf(ColourMap::batlow, 0.7));
        scheme.bands = 4;
        for (const auto &[value, place] : std::vector<std::pair<double, double>>{
                 {0, 1}, {0.24, 1}, {0.26, 2 / 3.0}, {0.51, 1 / 3.0}, {0.76, 0}, {1, 0}, {7, 0}})
            QVERIFY(colourOf(scheme, value) == colourOf(ColourMap::batlow, place));
    }

    void cyclicMapsCloseWithoutAnEdge()
    {
        for (const auto &info : colourMaps()) {
            if (info.group == ColourMapGroup::cyclic)
                QVERIFY2(distance(inLab(at(info, 0)), inLab(at(info, 1))) < 2,
                         std::string(info.name).c_str());
        }
    }

    /// What is marked so is seen without red or without green cones: order by lightness, sides,
    /// quarters of a turn and categories by colours that stay apart.
    void colourBlindSafeMapsAreThat_data()
    {
        QTest::addColumn<int>("index");
        QTest::addColumn<bool>("isWithoutRed");
        int index = 0;
        for (const auto &info : colourMaps()) {
            for (const bool isWithoutRed : {true, false})
                QTest::addRow("%s without %s", std::string(info.name).c_str(),
                              isWithoutRed ? "red" : "green")
                    << index << isWithoutRed;
            ++index;
        }
    }
    void colourBlindSafeMapsAreThat()
    {
        QFETCH(int, index);
        QFETCH(bool, isWithoutRed);
        const auto &info = colourMaps()[static_cast<std::size_t>(index)];
        const auto seen = [&](double value) {
            return inLab(at(info, value), isWithoutRed ? withoutRed : withoutGreen);
        };
        bool isSafe = true;
        using enum ColourMapGroup;
        switch (info.group) {
        case sequential:
            for (int i = 0; i < 64; ++i)
                isSafe = isSafe && seen((i + 1) / 64.0)[0] > seen(i / 64.0)[0];
            break;
        case diverging:
            for (int i = 4; i <= 10; ++i)
                isSafe = isSafe && distance(seen(0.5 - 0.05 * i), seen(0.5 + 0.05 * i)) > 30;
            break;
        case cyclic:
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < i; ++j)
                    isSafe = isSafe && distance(seen(i / 4.0), seen(j / 4.0)) > 25;
            break;
        case categorical:
            for (int i = 0; i < 8; ++i)
                for (int j = 0; j < i; ++j)
                    isSafe = isSafe && distance(seen((i + 0.5) / 8), seen((j + 0.5) / 8)) > 15;
            break;
        case rainbow:
            isSafe = false; // its order is in the hues
        }
        QVERIFY2(isSafe || !info.isColourBlindSafe, std::string(info.name).c_str());
    }
};

GRIDHELM_TEST(TestColourMap)
#include "tst_colour_map.moc"

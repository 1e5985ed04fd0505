// SPDX-License-Identifier: GPL-3.0-or-later
//
// Colour maps from ParaView's files, and what is wrong with some of them.
#include "core/support/colour_scheme.h"
#include "core/support/error.h"
#include "tests/data/study_cases.h"
#include "tests/support/test_program.h"
#include "ui/scene/colour/custom_colours.h"

#include <QTest>

#include <cstdlib>
#include <fstream>
#include <string>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

namespace {

/// As ParaView 5 has it among its presets.
constexpr auto coolToWarm = R"([{"ColorSpace": "Diverging", "Name": "Cool to Warm",
    "NanColor": [1, 1, 0],
    "RGBPoints": [0, 0.23137254902, 0.298039215686, 0.752941176471,
                  1, 0.705882352941, 0.0156862745098, 0.149019607843]}])";

bool isNear(const Colour &a, const Colour &b, int most = 1)
{
    for (std::size_t part = 0; part < 3; ++part)
        if (std::abs(a[part] - b[part]) > most)
            return false;
    return true;
}

QString problemOf(const QByteArray &json)
{
    try {
        parseColourMaps(json.toStdString());
        return {};
    } catch (const Error &problem) {
        return QString::fromUtf8(problem.what());
    }
}

SharedColourMap greys(ColourSpace space)
{
    return makeColourMap("greys", space, {{-3, {0, 0, 0}}, {5, {255, 255, 255}}});
}

} // namespace

class CustomColoursTest : public QObject
{
    Q_OBJECT

private slots:
    void paraViewsMapsAreRead();
    void coloursWithoutAnOrderAreBands();
    void colourSpacesDiffer();
    void placesAreSpread();
    void schemesUseThem();
    void whatIsWrittenIsReadAgain();
    void badFilesAreRefused_data();
    void badFilesAreRefused();
    void filesAreNamedInErrors();
};

void CustomColoursTest::paraViewsMapsAreRead()
{
    const auto maps = parseColourMaps(coolToWarm);
    QCOMPARE(maps.size(), std::size_t{1});
    const auto &map = *maps[0];
    QCOMPARE(map.name, std::string("Cool to Warm"));
    QVERIFY(map.space == ColourSpace::diverging);
    QVERIFY(isNear(colourOf(map, 0), {59, 76, 192}));
    QVERIFY(isNear(colourOf(map, 1), {180, 4, 38}));
    // K. Moreland, "Diverging color maps for scientific visualization", 2009: 0.865 in the middle.
    QVERIFY(isNear(colourOf(map, 0.5), {221, 221, 221}));
}

void CustomColoursTest::coloursWithoutAnOrderAreBands()
{
    const auto map =
        parseColourMaps(R"({"Name": "flags", "IndexedColors": [1, 0, 0, 0, 1, 0, 0, 0, 1]})")[0];
    for (const auto &[place, colour] :
         std::initializer_list<std::pair<double, Colour>>{{0, {255, 0, 0}},
                                                          {0.32, {255, 0, 0}},
                                                          {0.35, {0, 255, 0}},
                                                          {0.65, {0, 255, 0}},
                                                          {0.68, {0, 0, 255}},
                                                          {1, {0, 0, 255}}})
        QVERIFY2(colourOf(*map, place) == colour, QByteArray::number(place));
}

void CustomColoursTest::colourSpacesDiffer()
{
    const auto middle = [](ColourSpace space) { return colourOf(*greys(space), 0.5); };
    QVERIFY(isNear(middle(ColourSpace::rgb), {128, 128, 128}));
    QVERIFY(isNear(middle(ColourSpace::lab), {119, 119, 119}, 2)); // L* = 50
    const auto steps = middle(ColourSpace::step);
    QVERIFY(steps == (Colour{0, 0, 0}) || steps == (Colour{255, 255, 255}));
}

void CustomColoursTest::placesAreSpread()
{
    const auto map = makeColourMap("three", ColourSpace::rgb,
                                   {{10, {0, 0, 0}}, {12, {200, 0, 0}}, {18, {200, 200, 0}}});
    QCOMPARE(map->nodes[0].place, 0.0);
    QCOMPARE(map->nodes[1].place, 0.25);
    QCOMPARE(map->nodes[2].place, 1.0);
    QVERIFY(isNear(colourOf(*map, 0.25), {200, 0, 0}));
}

void CustomColoursTest::schemesUseThem()
{
    ColourScheme scheme(greys(ColourSpace::rgb));
    QVERIFY(isNear(colourOf(scheme, 0.25), {64, 64, 64}));
    scheme.isInverted = true;
    QVERIFY(isNear(colourOf(scheme, 0.25), {191, 191, 191}));
    scheme.bands = 2;
    QVERIFY(colourOf(scheme, 0.25) == (Colour{255, 255, 255}));
    QVERIFY(scheme != ColourScheme(greys(ColourSpace::rgb)));
    QVERIFY(ColourScheme(greys(ColourSpace::rgb)) == ColourScheme(greys(ColourSpace::rgb)));
    QVERIFY(ColourScheme(greys(ColourSpace::lab)) != ColourScheme(greys(ColourSpace::rgb)));
}

void CustomColoursTest::whatIsWrittenIsReadAgain()
{
    for (int space = 0; space < static_cast<int>(colourSpaceNames().size()); ++space) {
        const auto map = makeColourMap("m \"1\" ü", static_cast<ColourSpace>(space),
                                       nodesLike(ColourMap::batlow));
        const auto again = parseColourMaps(colourMapToJson(*map));
        QCOMPARE(again.size(), std::size_t{1});
        QVERIFY(*again[0] == *map);
    }
    const auto flags = parseColourMaps(R"({"Name": "f", "IndexedColors": [1, 0, 0, 0, 1, 0]})")[0];
    QVERIFY(*parseColourMaps(colourMapToJson(*flags))[0] == *flags);
}

void CustomColoursTest::badFilesAreRefused_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("why");
    const auto row = [](const char *name, const char *json, const char *why) {
        QTest::newRow(name) << QByteArray(json) << QString(why);
    };
    row("nothing", "", "not valid JSON");
    row("half", R"([{"Name": "a", "RGBPoints": [0, 1)", "not valid JSON");
    row("a number", "7", "no JSON object");
    row("an empty list", "[]", "no colour map");
    row("no colours", R"([{"Name": "a"}])", "number 1 of its colour maps: it has neither");
    row("one colour", R"({"RGBPoints": [0, 1, 1, 1]})", "this one has 1");
    row("seven numbers", R"({"RGBPoints": [0, 1, 1, 1, 1, 0, 0]})", "four numbers");
    row("backwards", R"({"RGBPoints": [1, 0, 0, 0, 0, 1, 1, 1]})", "must ascend");
    row("at one place", R"({"RGBPoints": [1, 0, 0, 0, 1, 1, 1, 1]})", "must ascend");
    row("text", R"({"RGBPoints": [0, 0, 0, 0, 1, 1, 1, "1"]})", "no number");
    row("too large", R"({"RGBPoints": [0, 0, 0, 0, 1e999, 1, 1, 1]})", "not valid JSON");
    row("infinitely far", R"({"RGBPoints": [-1e308, 0, 0, 0, 1e308, 1, 1, 1]})", "must ascend");
    row("no list", R"({"RGBPoints": {"a": 1}})", "no list");
    row("space", R"({"ColorSpace": "Luv", "RGBPoints": [0, 0, 0, 0, 1, 1, 1, 1]})",
        "ColorSpace is none of RGB");
    row("space of another kind", R"({"ColorSpace": 3, "RGBPoints": [0, 0, 0, 0, 1, 1, 1, 1]})",
        "ColorSpace is no text");
    row("name of lines", R"({"Name": "a\nb", "RGBPoints": [0, 0, 0, 0, 1, 1, 1, 1]})", "a name");
    row("two numbers a colour", R"({"IndexedColors": [1, 1]})", "three numbers");
}

void CustomColoursTest::badFilesAreRefused()
{
    QFETCH(QByteArray, json);
    QFETCH(QString, why);
    const auto problem = problemOf(json);
    QVERIFY2(problem.contains(why), qPrintable(problem));
}

void CustomColoursTest::filesAreNamedInErrors()
{
    const Folder folder;
    const auto file = folder / "maps.json";
    const auto why = [&](std::string_view name) {
        try {
            readColourMap(file, name);
            return std::string();
        } catch (const Error &problem) {
            return std::string(problem.what());
        }
    };
    QVERIFY(why({}).find("maps.json: No such file") != std::string::npos);
    std::ofstream(file) << "[{";
    QVERIFY(why({}).find("maps.json: it is not valid JSON") != std::string::npos);
    std::ofstream(file) << R"([{"Name": "a", "RGBPoints": [0, 0, 0, 0, 1, 1, 1, 1]},
                               {"Name": "b", "RGBPoints": [0, 1, 0, 0, 1, 1, 1, 1]}])";
    QVERIFY(why({}).find("the colour maps a and b; say which") != std::string::npos);
    QVERIFY(why("c").find("maps.json:a") != std::string::npos);
    QVERIFY(colourOf(*readColourMap(file, "b"), 0) == (Colour{255, 0, 0}));
    std::ofstream(file) << std::string(5'000'000, ' ');
    QVERIFY(why({}).find("more than 4 MB") != std::string::npos);
}

GRIDHELM_TEST(CustomColoursTest)

#include "tst_custom_colours.moc"

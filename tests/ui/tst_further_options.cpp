// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_program.h"
#include "ui/steering/further_options.h"

#include <QJsonDocument>
#include <QTest>

#include <array>

using namespace gridhelm::ui;

namespace {

constexpr std::array choices{OptionChoice{0, "dots", nullptr}, OptionChoice{2, "spheres", nullptr}};
/// As a new kind of picture would have them, in a file of its own.
constexpr PictureOption size{
    .key = "dot-size", .help = "", .placeholder = "X", .least = 0.5, .most = 20, .usual = 3};
constexpr PictureOption count{.key = "dot-count",
                              .help = "",
                              .placeholder = "N",
                              .type = PictureOption::Type::whole,
                              .least = 1,
                              .most = 100,
                              .usual = 10};
constexpr PictureOption shape{.key = "dot-shape",
                              .help = "",
                              .placeholder = "S",
                              .type = PictureOption::Type::choice,
                              .choices = choices};
constexpr PictureOption shade{.key = "dot-shade", .help = "", .type = PictureOption::Type::flag};
constexpr std::array<const PictureOption *, 5> options{&size, &count, &shape, &shade,
                                                       &opacityOption};

QJsonObject writtenAndRead(const QJsonObject &json)
{
    return QJsonDocument::fromJson(QJsonDocument(json).toJson()).object();
}

} // namespace

class FurtherOptionsTest : public QObject
{
    Q_OBJECT

private slots:
    void whatIsSavedComesBack();
    void whatIsNotSavedIsUsual();
    void whatIsImpossibleIsUsual_data();
    void whatIsImpossibleIsUsual();
    void optionsWithAPlaceOfTheirOwnAreLeftAlone();
};

void FurtherOptionsTest::whatIsSavedComesBack()
{
    ViewSettings saved;
    setValue(size, 7.25, saved);
    setValue(count, 42, saved);
    setValue(shape, 2, saved);
    setValue(shade, 1, saved);
    QCOMPARE(saved.further.size(), 4U);
    ViewSettings back;
    readFurther(writtenAndRead(furtherToJson(saved)), options, back);
    QCOMPARE(valueOf(size, back), 7.25);
    QCOMPARE(valueOf(count, back), 42.0);
    QCOMPARE(valueOf(shape, back), 2.0);
    QVERIFY(isOn(shade, back));
    QVERIFY(back == saved);
}

void FurtherOptionsTest::whatIsNotSavedIsUsual()
{
    ViewSettings now;
    setValue(size, 7.25, now);
    readFurther({{"of another program", 4.0}}, options, now);
    QVERIFY(now == ViewSettings());
    QVERIFY(furtherToJson(now).isEmpty());
}

void FurtherOptionsTest::whatIsImpossibleIsUsual_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QJsonValue>("value");
    QTest::newRow("too small") << "dot-size" << QJsonValue(0.25);
    QTest::newRow("too large") << "dot-count" << QJsonValue(101);
    QTest::newRow("not whole") << "dot-count" << QJsonValue(7.5);
    QTest::newRow("no choice") << "dot-shape" << QJsonValue(1);
    QTest::newRow("neither on nor off") << "dot-shade" << QJsonValue(0.5);
    QTest::newRow("a text") << "dot-size" << QJsonValue("7");
}

void FurtherOptionsTest::whatIsImpossibleIsUsual()
{
    QFETCH(const QString, key);
    QFETCH(const QJsonValue, value);
    ViewSettings now;
    readFurther({{key, value}}, options, now);
    QVERIFY(now == ViewSettings());
}

void FurtherOptionsTest::optionsWithAPlaceOfTheirOwnAreLeftAlone()
{
    ViewSettings now;
    now.opacity = 0.75;
    readFurther({{"opacity", 0.25}}, options, now);
    QCOMPARE(now.opacity, 0.75);
}

GRIDHELM_TEST(FurtherOptionsTest)

#include "tst_further_options.moc"

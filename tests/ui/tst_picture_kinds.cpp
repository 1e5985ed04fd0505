// SPDX-License-Identifier: GPL-3.0-or-later
//
// What kinds of pictures say of themselves, on which forms and the command line rely.
#include "core/support/error.h"
#include "tests/support/test_program.h"
#include "tests/ui/scene_case.h"
#include "ui/scene/pictures/picture_kind.h"
#include "ui/scene/pictures/warp_options.h"

#include <QTest>

#include <algorithm>
#include <set>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

namespace {

constexpr PictureOption ownOption{
    .key = "of-its-own",
    .help = "Of no member of ViewSettings",
    .placeholder = "X",
    .least = 1,
    .most = 3,
    .refusal = "from {0} to {1}",
    .usual = 2,
};

QString nameOf(const PictureOption &option)
{
    return QString::fromStdString(std::string(option.key));
}

} // namespace

class TestPictureKinds : public QObject
{
    Q_OBJECT

private slots:
    void everyKindIsKnownByItsName()
    {
        std::set<std::string_view> ids;
        for (const auto kind : allViewKinds) {
            const auto &what = kindOf(kind);
            QVERIFY2(!what.id.empty() && ids.insert(what.id).second, what.id.data());
            QVERIFY2(!what.name.empty() && !what.summary.empty() && what.make, what.id.data());
            QVERIFY(parseViewKind(toString(kind)) == kind);
        }
        QVERIFY_EXCEPTION_THROWN(parseViewKind("nothing"), Error);
    }

    void optionsAreCalledDifferentlyAndWhatIsUsualIsPossible()
    {
        std::set<std::string_view> keys;
        for (const auto *option : allPictureOptions()) {
            const auto name = nameOf(*option).toUtf8();
            QVERIFY2(keys.insert(option->key).second, name);
            const bool hasValue = option->type != PictureOption::Type::flag;
            QVERIFY2(!option->help.empty() && option->placeholder.empty() != hasValue, name);
            requirePossible(*option, {});
            ViewSettings settings;
            parseOption(*option, defaultTextOf(*option), "--" + std::string(option->key), settings);
            requirePossible(*option, settings);
            if (option->defaultText.empty())
                QVERIFY2(settings == ViewSettings(), name);
        }
    }

    void everySliderStaysWithinWhatIsPossible()
    {
        for (const auto *option : allPictureOptions()) {
            if (option->name.empty() || option->type == PictureOption::Type::choice)
                continue;
            const auto name = nameOf(*option).toUtf8();
            QVERIFY2(option->low < option->high && !option->step.empty(), name);
            QVERIFY2(!option->isLogarithmic || option->low > 0, name);
            for (const double value : {option->low, option->high}) {
                ViewSettings settings;
                setValue(*option, value, settings);
                requirePossible(*option, settings);
                QCOMPARE(valueOf(*option, settings), value);
            }
        }
    }

    void everyChoiceIsTaken()
    {
        const MeshShape solid{{0, 1, 0, 1, 0, 1}, false, Axis::z};
        for (const auto *option : allPictureOptions()) {
            if (option->type != PictureOption::Type::choice)
                continue;
            QVERIFY2(!option->choices.empty() && !option->subject.empty(),
                     nameOf(*option).toUtf8());
            for (const auto &choice : option->choices) {
                ViewSettings settings;
                setValue(*option, choice.value, settings);
                requirePossible(*option, settings);
                QCOMPARE(valueOf(*option, settings), choice.value);
                QVERIFY(!choice.isPossible || choice.isPossible(solid));
            }
        }
    }

    void anOptionOfItsOwnIsKeptUntilItIsUsualAgain()
    {
        ViewSettings settings;
        QCOMPARE(valueOf(ownOption, settings), 2.0);
        setValue(ownOption, 3, settings);
        QCOMPARE(valueOf(ownOption, settings), 3.0);
        QVERIFY(settings != ViewSettings());
        setValue(ownOption, 2, settings);
        QVERIFY(settings == ViewSettings());
        for (const double value : {0.9, 3.1, std::nan("")}) {
            setValue(ownOption, value, settings);
            QVERIFY_EXCEPTION_THROWN(requirePossible(ownOption, settings), Error);
        }
        QCOMPARE(defaultTextOf(ownOption), std::string("2"));
        parseOption(ownOption, "1.5", "--of-its-own", settings);
        QCOMPARE(valueOf(ownOption, settings), 1.5);
        QVERIFY_EXCEPTION_THROWN(parseOption(ownOption, "much", "--of-its-own", settings), Error);
    }

    void aFlagIsOnOrOff()
    {
        constexpr PictureOption flag{.key = "flag", .help = "", .type = PictureOption::Type::flag};
        ViewSettings settings;
        QVERIFY(!isOn(flag, settings));
        parseOption(flag, "1", "--flag", settings);
        QVERIFY(isOn(flag, settings));
        requirePossible(flag, settings);
        for (const double value : {0.5, 2.0, -1.0, std::nan("")}) {
            setValue(flag, value, settings);
            QVERIFY_EXCEPTION_THROWN(requirePossible(flag, settings), Error);
        }
        parseOption(flag, "0", "--flag", settings);
        QVERIFY(settings == ViewSettings());
        QVERIFY_EXCEPTION_THROWN(parseOption(flag, "perhaps", "--flag", settings), Error);
    }

    void whatAFieldCannotHaveIsTakenBackWithAReason()
    {
        auto settings = viewOf(ViewKind::surface);
        setValue(warpOption, 1, settings);
        setValue(warpFactorOption, 7, settings);
        std::string reason;
        QVERIFY(withPossibleOptions(settings, false, fieldOf(9, 3), reason) == settings);
        QVERIFY(reason.empty());
        QVERIFY(withPossibleOptions(settings, true, fieldOf(9, 2), reason) == settings);
        const auto scalar = withPossibleOptions(settings, false, fieldOf(9), reason);
        QVERIFY(!isOn(warpOption, scalar) && valueOf(warpFactorOption, scalar) == 7);
        QVERIFY2(reason.find("3 components") != std::string::npos, reason.c_str());
        settings.kind = ViewKind::volume; // which has no such option
        QVERIFY(withPossibleOptions(settings, false, fieldOf(9), reason) == settings);
        QVERIFY(reason.empty());
    }

    void whatIsNotPossibleIsRefusedWhateverIsShown()
    {
        const auto mesh = unitImage(3, 3);
        Drawn drawn;
        drawn.show(mesh, fieldOf(9), {-1, 0, 1, -1, 0, 1, -1, 0, -1});
        for (const auto *option : allPictureOptions()) {
            if (option->type == PictureOption::Type::text
                || option->type == PictureOption::Type::choice)
                continue;
            ViewSettings settings;
            setValue(*option, option->type == PictureOption::Type::whole ? 0 : std::nan(""),
                     settings);
            QVERIFY_EXCEPTION_THROWN(drawn.scene.setView(settings), Error);
        }
    }
};

GRIDHELM_TEST(TestPictureKinds)
#include "tst_picture_kinds.moc"

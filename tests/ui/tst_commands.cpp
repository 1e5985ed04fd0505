// SPDX-License-Identifier: GPL-3.0-or-later
//
// The command palette, typed into as a user does; and the preferences, each with what it changes.
#include "tests/ui/window_case.h"
#include "ui/campaign/path_field.h"
#include "ui/controls/theme.h"
#include "ui/performance/performance_panel.h"
#include "ui/window/files/recent_files.h"
#include "ui/window/palette/fuzzy_match.h"
#include "ui/window/palette/window_commands.h"
#include "ui/window/preferences/preferences_dialog.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSpinBox>
#include <QTreeWidget>

#include <algorithm>
#include <filesystem>

using namespace gridhelm;
using namespace gridhelm::test;
using namespace gridhelm::ui;

namespace {

/// The palette, opened by its key.
class Palette
{
public:
    explicit Palette(OpenWindow &open)
    {
        open.press(QKeySequence("Ctrl+Shift+P"));
        m_frame = qobject_cast<QFrame *>(QApplication::activePopupWidget());
        if (!m_frame)
            qFatal("there is no command palette");
        m_field = m_frame->findChild<QLineEdit *>();
        m_list = m_frame->findChild<QTreeWidget *>();
    }

    void type(const QString &text)
    {
        m_field->selectAll();
        QTest::keyClicks(m_field, text);
    }
    void press(Qt::Key key) { QTest::keyClick(m_field, key); }
    QString row(int index, int column = 0) const
    {
        const auto *item = m_list->topLevelItem(index);
        return item ? item->text(column) : QString();
    }
    QString current() const { return m_list->currentItem()->text(0); }
    QString typed() const { return m_field->text(); }
    bool isOpen() const { return m_frame && m_frame->isVisible(); }

private:
    QPointer<QFrame> m_frame;
    QLineEdit *m_field = nullptr;
    QTreeWidget *m_list = nullptr;
};

QDialog *openPreferences(const MainWindow &window)
{
    action(window, QKeySequence("Ctrl+,"))->trigger();
    return window.findChild<PreferencesDialog *>();
}

void accept(QDialog &dialog)
{
    QTest::mouseClick(dialog.findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Ok),
                      Qt::LeftButton);
}

} // namespace

class CommandsTest : public ScreenTest
{
    Q_OBJECT

private slots:
    void matchesAreSorted();
    void whatIsTypedIsDone();
    void arrowsChooseAndEscapeCloses();
    void parametersAreSet();
    void impossibleOnesSayWhy();
    void allEntriesOfMenusAreThere();
    void filesAreNamedAsTheyAre();

    void preferencesAreKept();
    void nonsenseInSettingsIsLeftOut();
    void theThemeIsKept();
    void newStudiesLookAsPreferred();
    void stepsOfUndoAreLimited();
    void theStartIsAsPreferred();
    void closingAsksIfWanted();
};

void CommandsTest::matchesAreSorted()
{
    QVERIFY(!fuzzyScore("xyz", "Side by side"));
    QVERIFY(fuzzyScore("", "Side by side"));
    const auto is = [](const char *typed, const char *better, const char *worse) {
        const auto a = fuzzyScore(typed, better), b = fuzzyScore(typed, worse);
        return a && (!b || *a > *b);
    };
    QVERIFY(is("sbs", "Compare > Side by side", "Compare > Blink"));
    QVERIFY(is("slice", "View > Slice", "View > Isosurface of lice"));
    QVERIFY(is("dark", "View > Dark theme", "Parameter > undarkened"));
    QVERIFY(is("SIDE comp", "Compare > Side by side", "Compare > Difference"));
    QVERIFY(is("plasma", "Colours > plasma", "View > Panels > Parameter plots and small maps"));
}

void CommandsTest::whatIsTypedIsDone()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder));
    QVERIFY(open.isOpen());
    {
        Palette palette(open);
        palette.type("contour");
        QCOMPARE(palette.row(0), QString("View > Contour"));
        QCOMPARE(palette.row(0, 1), QString("2"));
        palette.press(Qt::Key_Return);
        QTRY_VERIFY(open.model().now().view.kind == ViewKind::contour);
        QVERIFY(!palette.isOpen());
    }
    Palette(open).type("inferno");
    QTest::keyClick(QApplication::activePopupWidget()->findChild<QLineEdit *>(), Qt::Key_Return);
    QTRY_VERIFY(open.model().now().view.colours.map == ColourMap::inferno);
    auto *dock = open.window->findChild<QDockWidget *>("Probe");
    QVERIFY(!dock->isVisible());
    {
        Palette palette(open);
        palette.type("probe");
        palette.press(Qt::Key_Return);
        QTRY_VERIFY(dock->isVisible());
    }
    {
        Palette palette(open);
        palette.type("small.gridhelm");
        QVERIFY2(palette.row(0).startsWith("File > Open recent > "), qPrintable(palette.row(0)));
        palette.press(Qt::Key_Escape);
    }
    QVERIFY2(open.sentences().isEmpty(), qPrintable(open.sentences().join(' ')));
}

void CommandsTest::arrowsChooseAndEscapeCloses()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder));
    QVERIFY(open.isOpen());
    Palette palette(open);
    palette.type("camera from");
    const auto first = palette.current();
    palette.press(Qt::Key_Down);
    QVERIFY(palette.current() != first);
    palette.press(Qt::Key_Up);
    QCOMPARE(palette.current(), first);
    const auto before = open.model().now();
    palette.press(Qt::Key_Escape);
    QVERIFY(!palette.isOpen());
    QVERIFY(open.model().now() == before);
}

void CommandsTest::parametersAreSet()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder));
    QVERIFY(open.isOpen());
    const auto &parameter = open.model().study()->parameters[0];
    const auto name = QString::fromStdString(parameter.name);
    const double value = parameter.low + 0.25 * (parameter.high - parameter.low);
    {
        Palette palette(open);
        palette.type("parameter " + name);
        palette.press(Qt::Key_Return); // what is to be typed behind it is asked for
        QVERIFY(palette.isOpen());
        QCOMPARE(palette.typed(), name + " = ");
        palette.press(Qt::Key_Return); // nothing yet
        QVERIFY(palette.isOpen());
        palette.type(name.toLower() + "=" + QString::number(value));
        palette.press(Qt::Key_Return);
        QTRY_COMPARE(open.model().now().parameters[0], value);
    }
    open.model().undoStack().undo();
    QVERIFY(open.model().now().parameters[0] != value);
    QCOMPARE(parameterCommands(open.model(), name + " 1e300").front().reason.left(13),
             QString("type a number"));
    for (const auto *nonsense : {"", "=", " = 3", "nothing = 3", "a b c = x", "= = ="})
        parameterCommands(open.model(), nonsense);
    QVERIFY(parameterCommands(open.model(), "nothing = 3").empty());
    QVERIFY(open.waitForFrame());
}

void CommandsTest::impossibleOnesSayWhy()
{
    MainWindow window(onCpu());
    const auto reasonOf = [&](const QString &text) {
        const auto commands = commandsOf(window);
        const auto found = std::ranges::find(commands, text, &Command::text);
        return found == commands.end() ? QString("not there") : found->reason;
    };
    QCOMPARE(reasonOf("View > Slice"), QString("open a study first"));
    QCOMPARE(reasonOf("Colours > viridis"), QString("open a study first"));
    QCOMPARE(reasonOf("Help > Keys"), QString());
    const Folder folder;
    OpenWindow open(makeStudy(folder));
    QVERIFY(open.isOpen());
    Palette palette(open);
    palette.type("difference");
    QVERIFY2(palette.row(0, 1).contains("pin a state"), qPrintable(palette.row(0, 1)));
    palette.press(Qt::Key_Return);
    QVERIFY(palette.isOpen());
    QVERIFY(open.model().now().comparing == Comparing::off);
    palette.press(Qt::Key_Escape);
}

void CommandsTest::allEntriesOfMenusAreThere()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder));
    QVERIFY(open.isOpen());
    QStringList keys;
    for (const auto &command : commandsOf(*open.window)) {
        keys << command.key;
        if (command.text == "Parameter > lid")
            QVERIFY2(command.key.endsWith(" m/s"), qPrintable(command.key)); // as it is now
    }
    for (const auto *action : open.window->findChildren<QAction *>()) {
        if (action->shortcutContext() == Qt::WidgetShortcut)
            continue; // of one table
        const auto key = action->shortcut().toString(QKeySequence::NativeText);
        QVERIFY2(key.isEmpty() || keys.contains(key), qPrintable(action->text()));
    }
}

void CommandsTest::filesAreNamedAsTheyAre()
{
    const Folder folder;
    const auto path = folder / "a & b <i>.gridhelm";
    std::filesystem::copy_file(makeStudy(folder), path);
    addRecentFile(QString::fromStdString(path.string()));
    MainWindow window(onCpu());
    const auto commands = commandsOf(window);
    QVERIFY(std::ranges::any_of(commands, [](const Command &command) {
        return command.text.startsWith("File > Open recent > ")
               && command.text.endsWith("a & b <i>.gridhelm");
    }));
}

void CommandsTest::preferencesAreKept()
{
    Preferences wanted;
    wanted.theme = ThemeChoice::system;
    wanted.backend = "avx2";
    wanted.threads = 3;
    wanted.colours = ColourMap::batlow;
    wanted.rangeMode = RangeMode::frame;
    wanted.asksBeforeClosing = true;
    wanted.reopensStudy = false;
    wanted.sampleFolder = "/somewhere/else";
    wanted.undoSteps = 7;
    QVERIFY(readPreferences() == Preferences{});
    keepPreferences(wanted);
    QVERIFY(readPreferences() == wanted);
    PreferencesDialog dialog(wanted, {"omp", "avx2"});
    wanted.threads =
        std::min(wanted.threads, named<QSpinBox>(dialog, "Threads at the start")->maximum());
    QVERIFY(dialog.preferences() == wanted);
    QTest::mouseClick(
        dialog.findChild<QDialogButtonBox *>()->button(QDialogButtonBox::RestoreDefaults),
        Qt::LeftButton);
    QVERIFY(dialog.preferences() == Preferences{});
}

void CommandsTest::nonsenseInSettingsIsLeftOut()
{
    QSettings settings;
    settings.setValue("theme", "purple");
    settings.setValue("preferences/threads", -5);
    settings.setValue("preferences/colours", "no such");
    settings.setValue("preferences/steps of undo", "1e99");
    settings.sync();
    QVERIFY(readPreferences() == Preferences{});
}

void CommandsTest::theThemeIsKept()
{
    {
        MainWindow window(onCpu());
        window.show();
        QTRY_VERIFY(themeOf(window.palette()) == Theme::light);
        auto *dialog = openPreferences(window);
        choose(*box(*dialog, "Theme"), "dark");
        QVERIFY(themeOf(window.palette()) == Theme::light); // not before it is accepted
        accept(*dialog);
        QTRY_VERIFY(themeOf(window.palette()) == Theme::dark);
        QVERIFY(window.findChild<QAction *>("dark theme")->isChecked());
    }
    {
        MainWindow window(onCpu());
        QTRY_VERIFY(themeOf(window.palette()) == Theme::dark);
        window.show();
        auto *dialog = openPreferences(window);
        choose(*box(*dialog, "Theme"), "as the desktop");
        accept(*dialog);
        QTRY_VERIFY(themeOf(window.palette()) == themeOf(ThemeChoice::system));
        window.close();
    }
    QVERIFY(readPreferences().theme == ThemeChoice::system);
}

void CommandsTest::newStudiesLookAsPreferred()
{
    const Folder folder;
    const auto path = makeStudy(folder);
    Preferences wanted;
    wanted.colours = ColourMap::plasma;
    wanted.rangeMode = RangeMode::frame;
    keepPreferences(wanted);
    OpenWindow open(path);
    QVERIFY(open.isOpen());
    QVERIFY(open.model().now().view.colours.map == ColourMap::plasma);
    QVERIFY(open.model().now().rangeMode == RangeMode::frame);
    QVERIFY(!open.model().undoStack().canUndo());
    // What the user has made of it stays.
    auto steering = open.model().now();
    steering.view.colours = ColourMap::grey;
    open.model().change("colours", steering);
    QVERIFY(open.window->close());
    MainWindow again(onCpu());
    again.show();
    QVERIFY(again.openLast());
    QTRY_VERIFY_WITH_TIMEOUT(again.model().now().view.colours.map == ColourMap::grey,
                             waitMilliseconds);
}

void CommandsTest::stepsOfUndoAreLimited()
{
    const Folder folder;
    const auto path = makeStudy(folder);
    Preferences wanted;
    wanted.undoSteps = 2;
    keepPreferences(wanted);
    OpenWindow open(path);
    QVERIFY(open.isOpen());
    for (const double value : {100.0, 200.0, 300.0, 400.0})
        open.model().setParameter(0, value, false);
    QCOMPARE(open.model().undoStack().count(), 2);
}

void CommandsTest::theStartIsAsPreferred()
{
    const Folder folder;
    const auto path = makeStudy(folder);
    {
        OpenWindow open(path);
        QVERIFY(open.isOpen());
        QVERIFY(open.window->close());
    }
    Preferences wanted;
    wanted.reopensStudy = false;
    wanted.threads = 2;
    const auto names = MainWindow(onCpu()).performancePanel().backends().names();
    QVERIFY(names.size() > 1);
    wanted.backend = names.last();
    keepPreferences(wanted);
    MainWindow window(onCpu(), {}, Threads::asChosenLast);
    QVERIFY(!window.openLast());
    const auto &backends = window.performancePanel().backends();
    QCOMPARE(backends.backend(), wanted.backend);
    QVERIFY2(backends.text().endsWith(" x2") || backends.context().cpu().threads == 1,
             qPrintable(backends.text()));
}

void CommandsTest::closingAsksIfWanted()
{
    const Folder folder;
    OpenWindow open(makeStudy(folder));
    QVERIFY(open.isOpen());
    auto wanted = open.window->preferences();
    wanted.asksBeforeClosing = true;
    open.window->use(wanted);
    const auto answer = [&](QMessageBox::StandardButton with) {
        auto *question = open.window->findChild<QMessageBox *>("closeQuestion");
        QVERIFY(question && question->isVisible());
        QTest::mouseClick(question->button(with), Qt::LeftButton);
    };
    QVERIFY(!open.window->close());
    answer(QMessageBox::Cancel);
    QTest::qWait(20);
    QVERIFY(open.window->isVisible());
    QVERIFY(!open.window->close());
    answer(QMessageBox::Close);
    QTRY_VERIFY(!open.window->isVisible());
}

GRIDHELM_SCREEN_TEST(CommandsTest)

#include "tst_commands.moc"

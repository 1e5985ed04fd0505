// SPDX-License-Identifier: GPL-3.0-or-later
//
// A study whose title, fields and units look like HTML, or hold control characters: the window
// shows letters.
#include "tests/core/harmless.h"
#include "tests/core/on_cpu.h"
#include "tests/ui/window_case.h"
#include "ui/controls/plain_text.h"

#include <QAbstractItemView>
#include <QDockWidget>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>

using namespace gridhelm;
using namespace gridhelm::test;
using namespace gridhelm::ui;

namespace {

const std::string markup = "<b>bold</b><img src=\"/etc/hostname\">";
const std::string controls = "\x1b[31m\xC2\x9b\xE2\x80\xAE\xff\n";

std::filesystem::path makeForeignStudy(const Folder &folder)
{
    const auto path = folder / "foreign & <i>co.gridhelm";
    data::StudyDescription description{markup + controls + "title", data::StudyKind::vector,
                                       ParameterSpace({{"Re", markup + controls, 100, 1000}}), 3,
                                       ""};
    auto writer = data::StudyWriter::create(path, description);
    data::ImageMesh image{{columns, rows, 1}, {0, 0, 0}, {1.0 / 32, 1.0 / 32, 1.0 / 32}};
    writer.setMesh(data::encodeImageMesh(image));
    writer.addField(
        {markup + controls, markup + controls, 2, data::Association::point, columns * rows});
    runAllJobs(writer);
    compress(writer, {});
    writer.close();
    return path;
}

/// What a label or a tool tip would take for markup.
bool isMarkup(const QString &text)
{
    return text.contains("<b>bold") || text.contains("<i>co");
}

/// Of a model: what the tool tips and headers of its cells would show as markup.
QStringList markupOf(const QAbstractItemModel &model)
{
    QStringList found;
    for (int column = 0; column < model.columnCount(); ++column) {
        found << model.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString();
        for (int row = 0; row < std::min(model.rowCount(), 20); ++row)
            found << model.index(row, column).data(Qt::ToolTipRole).toString();
    }
    found.removeIf([](const QString &text) { return !isMarkup(text); });
    return found;
}

} // namespace

class ForeignTextTest : public ScreenTest
{
    Q_OBJECT

private slots:
    void tipsAndNamesStayLetters()
    {
        QCOMPARE(plainTip("a < b, and > c"), QString("a < b, and > c"));
        const auto tip = plainTip("<b>x</b>\ny");
        QVERIFY2(tip.contains("&lt;b&gt;x"), qPrintable(tip));
        QCOMPARE(plainName("a & b"), QString("a && b"));
        MessageBar bar;
        bar.say(MessageBar::Kind::error, "\x1b[2J <b>x</b>");
        QCOMPARE(bar.sentences(), QStringList("<U+001B>[2J <b>x</b>"));
        const PlainLabel label("<b>x</b>");
        QCOMPARE(label.textFormat(), Qt::PlainText);
    }

    void windowShowsLetters()
    {
        const Folder folder;
        OpenWindow open(makeForeignStudy(folder));
        QVERIFY(open.isOpen());
        for (auto *dock : open.window->findChildren<QDockWidget *>())
            dock->show();
        QTest::qWait(500);
        bool isSeen = false;
        for (auto *widget : open.window->findChildren<QWidget *>()) {
            const auto name =
                QString(widget->metaObject()->className()) + " " + widget->objectName() + ": ";
            QVERIFY2(!isMarkup(widget->toolTip()), qPrintable(name + widget->toolTip()));
            if (const auto *label = qobject_cast<QLabel *>(widget)) {
                isSeen = isSeen || isMarkup(label->text());
                QVERIFY2(!isMarkup(label->text()) || label->textFormat() == Qt::PlainText,
                         qPrintable(name + label->text()));
                QVERIFY2(isHarmless(label->text().toUtf8()), qPrintable(name + label->text()));
            }
            if (const auto *view = qobject_cast<QAbstractItemView *>(widget); view && view->model())
                QVERIFY2(markupOf(*view->model()).isEmpty(),
                         qPrintable(name + markupOf(*view->model()).value(0)));
        }
        QVERIFY(isSeen);
        QVERIFY(isHarmless(open.window->windowTitle().toUtf8(), {}));
        for (auto *choice : open.window->findChildren<QComboBox *>())
            for (int i = 0; i < choice->count(); ++i)
                QVERIFY(isHarmless(choice->itemText(i).toUtf8(), {}));
        QVERIFY(isHarmless(QByteArray::fromStdString(open.window->view().scene().title()), {}));
    }

    void longNamesLeaveTheSteerPanelAsItIs_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("one word") << QString(64, 'W');
        QTest::newRow("words") << QString("heat-transfer-coefficient-").repeated(3).left(64);
    }
    void longNamesLeaveTheSteerPanelAsItIs()
    {
        QFETCH(QString, name);
        const ValueSlider alone(name.repeated(4), name, {0, 1});
        QVERIFY2(alone.minimumSizeHint().width() < 230,
                 qPrintable(QString::number(alone.minimumSizeHint().width())));
        const QString unit = "kg m^2 s^-3 mol^-1 K^-1 of the mixture";
        const Folder folder;
        const auto path = folder / "long.gridhelm";
        {
            auto writer = data::StudyWriter::create(
                path, {name.toStdString(), data::StudyKind::vector,
                       ParameterSpace({{name.toStdString(), unit.toStdString(), 0.25, 1000},
                                       {"b", "m", 0, 1}}),
                       2, ""});
            writer.setMesh(data::encodeImageMesh(
                {{columns, rows, 1}, {0, 0, 0}, {1.0 / 32, 1.0 / 32, 1.0 / 32}}));
            writer.addField(smallField("u", columns * rows));
            runAllJobs(writer);
            compress(writer, {});
        }
        MainWindow window(test::onCpu());
        window.show();
        auto &panel = window.steerPanel();
        const int before = panel.width();
        window.openFile(QString::fromStdString(path.string()));
        QVERIFY(QTest::qWaitFor([&] { return !panel.sliders().empty(); }, waitMilliseconds));
        QTest::qWait(200);
        QVERIFY2(panel.width() <= before + 2, qPrintable(QString::number(panel.width())));
        for (auto *slider : panel.sliders()) {
            for (const QWidget *part : slider->findChildren<QWidget *>()) {
                const auto right = part->mapTo(&panel, QPoint(part->width(), 0)).x();
                QVERIFY2(right <= panel.width(),
                         qPrintable(QString("%1 ends at %2 of %3")
                                        .arg(part->metaObject()->className())
                                        .arg(right)
                                        .arg(panel.width())));
            }
            QVERIFY(slider->field()->width() > 60 && slider->track()->width() > 150);
        }
        QStringList tips;
        for (const auto *label : panel.sliders()[0]->findChildren<QLabel *>()) {
            QVERIFY(label->width() > 20);
            tips << label->toolTip();
        }
        QVERIFY2(tips.join(' ').contains(name), qPrintable(tips.join(' ')));
        QVERIFY2(tips.join(' ').contains(unit), qPrintable(tips.join(' ')));
    }

    void recentFilesAreNamedAsTheyAre()
    {
        const Folder folder;
        const auto path = makeForeignStudy(folder);
        {
            OpenWindow open(path);
            QVERIFY(open.isOpen());
            open.window->close();
        }
        MainWindow window(test::onCpu());
        window.show();
        bool isThere = false;
        for (auto *button : window.findChildren<QPushButton *>()) {
            QVERIFY2(!isMarkup(button->toolTip()), qPrintable(button->toolTip()));
            isThere = isThere || button->text().startsWith("foreign && <i>co");
        }
        QVERIFY(isThere);
    }
};

GRIDHELM_SCREEN_TEST(ForeignTextTest)

#include "tst_foreign_text.moc"

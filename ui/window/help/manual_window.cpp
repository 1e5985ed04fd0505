// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/help/manual_window.h"

#include "ui/controls/plain_text.h"

#include <QApplication>
#include <QDialog>
#include <QDir>
#include <QDockWidget>
#include <QFileInfo>
#include <QImage>
#include <QSplitter>
#include <QTextBrowser>
#include <QTextStream>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace gridhelm::ui {
namespace {

constexpr auto nameOfManual = "manual";

/// Folders with pages for who uses the window, in the order of the contents.
constexpr std::array<std::pair<const char *, const char *>, 4> chapters{{
    {"start", "Start"},
    {"window", "Window"},
    {"guide", "Guide"},
    {"solvers", "Solvers"},
}};

/// A page's first heading.
QString titleOf(const QString &page)
{
    QFile file(page);
    if (file.open(QIODevice::ReadOnly))
        for (QTextStream lines(&file); !lines.atEnd();)
            if (const auto line = lines.readLine(); line.startsWith("# "))
                return cleanLine(line.mid(2));
    return QFileInfo(page).baseName();
}

/// Pages whose pictures are as wide as there is room for.
class Pages : public QTextBrowser
{
public:
    using QTextBrowser::QTextBrowser;

    void open(const QString &path)
    {
        setSource(QUrl::fromLocalFile(path), QTextDocument::MarkdownResource);
    }

protected:
    QVariant loadResource(int type, const QUrl &name) override
    {
        if (type == QTextDocument::ImageResource) {
            QImage picture(source().resolved(name).toLocalFile());
            const int room =
                viewport()->width() - 2 * static_cast<int>(document()->documentMargin());
            return picture.width() > room ? picture.scaledToWidth(room, Qt::SmoothTransformation)
                                          : picture;
        }
        const auto path = source().resolved(name).toLocalFile();
        if (!QFileInfo(path).isFile())
            return QString(
                       "# Not here\n\n`%1` is made when the manual becomes a site. What a command "
                       "does is also said by `gridhelm-cli COMMAND --help`.")
                .arg(name.fileName());
        return QTextBrowser::loadResource(type, name);
    }
};

class ManualWindow : public QDialog
{
public:
    ManualWindow(const QString &folder, QWidget *parent)
        : QDialog(parent)
        , m_folder(folder)
        , m_contents(new QTreeWidget(this))
        , m_pages(new Pages(this))
    {
        setObjectName(nameOfManual);
        setWindowTitle("Manual of Gridhelm");
        setAttribute(Qt::WA_DeleteOnClose);
        m_contents->setHeaderHidden(true);
        m_contents->setAccessibleName("Contents");
        m_pages->setAccessibleName("Page of the manual");
        m_pages->setOpenExternalLinks(true);
        m_pages->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn); // pictures fit beside it
        fill();
        auto *back = new QToolButton(this), *forward = new QToolButton(this);
        back->setText("Back");
        back->setToolTip("The page before (Alt+Left)");
        forward->setText("Forward");
        forward->setToolTip("The page from which Back came (Alt+Right)");
        for (auto *button : {back, forward})
            button->setEnabled(false);
        auto *buttons = new QHBoxLayout;
        buttons->addWidget(back);
        buttons->addWidget(forward);
        buttons->addStretch(1);
        auto *halves = new QSplitter(this);
        halves->addWidget(m_contents);
        halves->addWidget(m_pages);
        halves->setStretchFactor(1, 1);
        halves->setSizes({220, 720});
        auto *layout = new QVBoxLayout(this);
        layout->addLayout(buttons);
        layout->addWidget(halves, 1);
        connect(back, &QToolButton::clicked, m_pages, &QTextBrowser::backward);
        connect(forward, &QToolButton::clicked, m_pages, &QTextBrowser::forward);
        connect(m_pages, &QTextBrowser::backwardAvailable, back, &QWidget::setEnabled);
        connect(m_pages, &QTextBrowser::forwardAvailable, forward, &QWidget::setEnabled);
        connect(m_contents, &QTreeWidget::itemActivated, this, &ManualWindow::openItem);
        connect(m_contents, &QTreeWidget::itemClicked, this, &ManualWindow::openItem);
        resize(980, 720);
    }

    void open(const QString &page) { m_pages->open(m_folder + "/" + page); }

private:
    void fill()
    {
        add(nullptr, "index.md");
        for (const auto &[folder, name] : chapters) {
            auto *chapter = new QTreeWidgetItem(m_contents, {name});
            chapter->setExpanded(true);
            for (const auto &page : QDir(m_folder + "/" + folder).entryList({"*.md"}, QDir::Files))
                add(chapter, QString(folder) + "/" + page);
        }
        add(nullptr, "glossary.md");
    }
    void add(QTreeWidgetItem *chapter, const QString &page)
    {
        auto *item = new QTreeWidgetItem({titleOf(m_folder + "/" + page)});
        item->setData(0, Qt::UserRole, page);
        if (chapter)
            chapter->addChild(item);
        else
            m_contents->addTopLevelItem(item);
    }
    void openItem(QTreeWidgetItem *item)
    {
        if (const auto page = item->data(0, Qt::UserRole).toString(); !page.isEmpty())
            open(page);
    }

    QString m_folder;
    QTreeWidget *m_contents;
    Pages *m_pages;
};

} // namespace

QString manualFolder()
{
    const QDir program(QApplication::applicationDirPath());
    for (const auto *folder : {"../share/doc/gridhelm/manual", "../../../docs", "../../docs"})
        if (const QFileInfo index(program.filePath(QString(folder) + "/index.md")); index.isFile())
            return index.canonicalPath();
    return {};
}

QString manualPageFor(const QWidget *focus)
{
    static constexpr std::array<std::pair<const char *, const char *>, 8> pages{{
        {"Steer", "window/steer.md"},
        {"View", "window/views.md"},
        {"Probe", "window/probe.md"},
        {"Trust", "window/trust.md"},
        {"Answers", "window/analysis.md"},
        {"Solve", "window/solve.md"},
        {"Campaign", "window/campaign.md"},
        {"Performance", "benchmarks/index.md"},
    }};
    for (; focus; focus = focus->parentWidget())
        if (const auto *dock = qobject_cast<const QDockWidget *>(focus))
            for (const auto &[name, page] : pages)
                if (dock->objectName() == name)
                    return page;
    return "index.md";
}

void showManual(QWidget &window, const QString &page)
{
    auto *manual = window.findChild<QDialog *>(nameOfManual, Qt::FindDirectChildrenOnly);
    if (!manual)
        manual = new ManualWindow(manualFolder(), &window);
    static_cast<ManualWindow *>(manual)->open(page);
    manual->show();
    manual->raise();
    manual->activateWindow();
}

} // namespace gridhelm::ui

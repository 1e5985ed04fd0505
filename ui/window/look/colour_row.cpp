// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/look/colour_row.h"

#include "core/support/error.h"
#include "ui/controls/action_tip.h"
#include "ui/controls/colour_map_box.h"
#include "ui/controls/plain_text.h"
#include "ui/scene/colour/custom_colours.h"
#include "ui/window/look/colour_editor.h"
#include "ui/window/look/kept_colour_maps.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QMenu>
#include <QSaveFile>
#include <QToolButton>

#include <algorithm>
#include <string>
#include <vector>

namespace gridhelm::ui {
namespace {

constexpr auto filter = "ParaView's colour maps (*.json);;All files (*)";

/// The map, with another name if one of those has it: nothing of the user's is replaced.
SharedColourMap unlike(const std::vector<SharedColourMap> &those, const SharedColourMap &map)
{
    auto name = map->name;
    const auto isTaken = [&](const SharedColourMap &other) {
        return other->name == name && other->table != map->table;
    };
    for (int number = 2; std::ranges::any_of(those, isTaken); ++number)
        name = map->name.substr(0, 90) + " " + std::to_string(number);
    return makeColourMap(name, map->space, map->nodes);
}

} // namespace

ColourRow::ColourRow(QWidget *parent)
    : QWidget(parent)
    , m_box(new ColourMapBox(this))
    , m_menu(new QMenu(this))
{
    m_box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_box->setMinimumContentsLength(12);
    auto *more = new QToolButton(this);
    more->setText("...");
    more->setAccessibleName("Colours of your own");
    more->setToolTip("Edit the colours, read and write ParaView's files");
    more->setMenu(m_menu);
    more->setPopupMode(QToolButton::InstantPopup);
    m_menu->setToolTipsVisible(true);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_box, 1);
    layout->addWidget(more);
    connect(m_box, &ColourMapBox::chosen, this, [this] { emit chosen(m_box->chosenColours()); });
    connect(m_menu, &QMenu::aboutToShow, this, &ColourRow::fillMenu);
    readKept();
    fillMenu();
}

void ColourRow::show(const ColourScheme &colours)
{
    m_box->setColours(colours);
}

/// Files that cannot be read are said when the menu is used, not at every start.
void ColourRow::readKept()
{
    m_box->setCustomMaps(readKeptColourMaps().maps);
}

void ColourRow::fillMenu()
{
    m_menu->clear();
    const auto add = [this](const QString &text, const QString &tip, void (ColourRow::*what)()) {
        auto *action = m_menu->addAction(text, this, what);
        explain(*action, tip);
        return action;
    };
    add("&Edit these colours ...", "Makes a map of your own out of this one", &ColourRow::edit);
    add("&Read a file ...", "Colour maps that ParaView has written", &ColourRow::readFile);
    add("&Write a file ...", "This map as ParaView reads it", &ColourRow::writeFile);
    const auto now = m_box->chosenColours().custom;
    const bool isKept =
        now && std::ranges::find(m_box->customMaps(), now) != m_box->customMaps().end();
    add("&Delete " + (isKept ? plainName(QString::fromStdString(now->name)) : "this map"),
        "Only those that you have made or read can be deleted", &ColourRow::remove)
        ->setEnabled(isKept);
    for (const auto &problem : readKeptColourMaps().problems)
        m_menu->addAction(plainName(problem))->setEnabled(false);
}

void ColourRow::edit()
{
    const auto from = m_box->chosenColours();
    const auto name =
        from.custom ? QString::fromStdString(from.custom->name) : "my " + m_box->currentText();
    auto *editor = new ColourEditor(from, name, this);
    connect(editor, &ColourEditor::saveWanted, this, [this, editor] {
        try {
            keepColourMap(*editor->map());
        } catch (const Error &problem) {
            editor->say(QString::fromStdString(problem.what()));
            return;
        }
        readKept();
        emit chosen(editor->map());
        editor->accept();
    });
    editor->open();
}

void ColourRow::readFile()
{
    const auto path = QFileDialog::getOpenFileName(this, "Read colour maps", {}, filter);
    if (path.isEmpty())
        return;
    try {
        const auto maps = readColourMaps(path.toStdString());
        SharedColourMap first;
        for (const auto &map : maps) {
            const auto kept = unlike(m_box->customMaps(), map);
            keepColourMap(*kept);
            readKept();
            first = first ? first : kept;
        }
        emit chosen(first);
    } catch (const Error &problem) {
        emit refused(QString::fromStdString(problem.what()));
    }
}

void ColourRow::writeFile()
{
    const auto colours = m_box->chosenColours();
    const auto path = QFileDialog::getSaveFileName(
        this, "Write the colour map", m_box->currentText().replace('/', '-') + ".json", filter);
    if (path.isEmpty())
        return;
    const auto map = colours.custom ? colours.custom
                                    : makeColourMap(std::string(toString(colours.map)),
                                                    ColourSpace::rgb, nodesLike(colours.map));
    const auto text = colourMapToJson(*map);
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)
        || file.write(text.data(), static_cast<qint64>(text.size())) < 0 || !file.commit())
        emit refused("The colour map cannot be written to " + path + ": " + file.errorString());
}

void ColourRow::remove()
{
    const auto now = m_box->chosenColours().custom;
    if (!now)
        return;
    try {
        removeColourMap(now->name);
    } catch (const Error &problem) {
        emit refused(QString::fromStdString(problem.what()));
    }
    readKept();
    emit chosen(ColourMap::viridis);
}

} // namespace gridhelm::ui

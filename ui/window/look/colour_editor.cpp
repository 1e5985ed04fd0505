// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/look/colour_editor.h"

#include "core/support/error.h"
#include "ui/controls/plain_text.h"
#include "ui/scene/colour/custom_colours.h"
#include "ui/window/look/colour_stripe.h"

#include <QColorDialog>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPixmap>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace gridhelm::ui {
namespace {

using Node = CustomColourMap::Node;

/// More handles than these nobody can take hold of.
constexpr std::size_t mostHandles = 33;

QColor shown(const Colour &colour)
{
    return {colour[0], colour[1], colour[2]};
}

std::vector<Node> handlesOf(const ColourScheme &from)
{
    if (!from.custom)
        return nodesLike(from.map);
    if (from.custom->nodes.size() <= mostHandles)
        return from.custom->nodes;
    std::vector<Node> nodes;
    for (std::size_t i = 0; i < mostHandles; ++i) {
        const double place = static_cast<double>(i) / (mostHandles - 1);
        nodes.push_back({place, colourOf(*from.custom, place)});
    }
    return nodes;
}

} // namespace

ColourEditor::ColourEditor(const ColourScheme &from, const QString &begins, QWidget *parent)
    : QDialog(parent)
    , m_nodes(handlesOf(from))
    , m_name(new QLineEdit(begins, this))
    , m_stripe(new ColourStripe(this))
    , m_space(new QComboBox(this))
    , m_says(new PlainLabel(this))
{
    setWindowTitle("Edit colours");
    setAttribute(Qt::WA_DeleteOnClose);
    m_name->setMaxLength(100);
    m_name->setAccessibleName("Name of the colours");
    m_name->setToolTip("A name of yours replaces the colours that have it");
    for (const auto &name : colourSpaceNames())
        m_space->addItem(QString::fromStdString(name));
    m_space->setAccessibleName("Interpolated in");
    m_space->setToolTip("What is between two colours: a line in this colour space; Step: nothing");
    if (from.custom && from.custom->nodes.size() <= mostHandles)
        m_space->setCurrentIndex(static_cast<int>(from.custom->space));
    m_says->setWordWrap(true);

    auto *form = new QFormLayout;
    form->addRow("&Name", m_name);
    form->addRow(m_stripe);
    form->addRow("Handle", makeNodeRow());
    form->addRow("&Between", m_space);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel, this);
    buttons->button(QDialogButtonBox::Save)
        ->setToolTip("Keeps them among your colours, and shows the field in them");
    buttons->button(QDialogButtonBox::Cancel)->setToolTip("Everything stays as it is (Esc)");
    auto *layout = new QVBoxLayout(this);
    layout->addLayout(form);
    layout->addWidget(m_says);
    layout->addWidget(buttons);

    connect(m_stripe, &ColourStripe::nodeChosen, this, &ColourEditor::choose);
    connect(m_stripe, &ColourStripe::nodeMoved, this, &ColourEditor::move);
    connect(m_stripe, &ColourStripe::nodeWanted, this, &ColourEditor::add);
    connect(m_stripe, &ColourStripe::removalWanted, this, &ColourEditor::remove);
    connect(m_space, &QComboBox::currentIndexChanged, this, &ColourEditor::remake);
    connect(buttons, &QDialogButtonBox::accepted, this, &ColourEditor::save);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    remake();
}

QLayout *ColourEditor::makeNodeRow()
{
    m_place = new QDoubleSpinBox(this);
    m_place->setRange(0, 100);
    m_place->setDecimals(1);
    m_place->setSuffix(" %");
    m_place->setAccessibleName("Position of the handle");
    m_place->setToolTip("Between the neighbours; the first and the last stay at the ends");
    m_colour = new QPushButton("&Colour ...", this);
    m_colour->setToolTip("Another colour for this handle");
    m_add = new QPushButton("&Add", this);
    m_add->setToolTip("Another handle, half-way to the next one");
    m_remove = new QPushButton("&Remove", this);
    m_remove->setToolTip("Without this handle");
    for (auto *button : {m_colour, m_add, m_remove})
        button->setAutoDefault(false);
    auto *row = new QHBoxLayout;
    row->addWidget(m_place, 1);
    for (auto *button : {m_colour, m_add, m_remove})
        row->addWidget(button);
    connect(m_place, &QDoubleSpinBox::valueChanged, this, [this](double percent) {
        const auto &before = m_nodes[m_chosen - 1], &after = m_nodes[m_chosen + 1];
        move(m_chosen, std::clamp(percent / 100, before.place, after.place));
    });
    connect(m_colour, &QPushButton::clicked, this, &ColourEditor::pickColour);
    connect(m_add, &QPushButton::clicked, this, &ColourEditor::addBesideChosen);
    connect(m_remove, &QPushButton::clicked, this, &ColourEditor::remove);
    return row;
}

void ColourEditor::say(const QString &sentence)
{
    m_says->setText(sentence);
}

void ColourEditor::choose(std::size_t node)
{
    m_chosen = node;
    showNode();
}

/// Between its neighbours, and neither the first nor the last.
void ColourEditor::move(std::size_t node, double place)
{
    m_nodes[node].place = place;
    remake();
}

void ColourEditor::add(double place)
{
    if (m_nodes.size() >= mostHandles) {
        say(QString("There is no room for more than %1 handles").arg(mostHandles));
        return;
    }
    const auto next = std::ranges::upper_bound(m_nodes, place, {}, &Node::place);
    const auto at = std::clamp<std::ptrdiff_t>(next - m_nodes.begin(), 1, std::ssize(m_nodes) - 1);
    m_nodes.insert(m_nodes.begin() + at, {place, colourOf(*m_map, place)});
    m_chosen = static_cast<std::size_t>(at);
    remake();
}

void ColourEditor::addBesideChosen()
{
    const auto from = std::min(m_chosen, m_nodes.size() - 2);
    add((m_nodes[from].place + m_nodes[from + 1].place) / 2);
}

void ColourEditor::remove()
{
    if (m_chosen == 0 || m_chosen + 1 >= m_nodes.size())
        return;
    m_nodes.erase(m_nodes.begin() + static_cast<std::ptrdiff_t>(m_chosen));
    remake();
}

void ColourEditor::pickColour()
{
    auto *dialog = new QColorDialog(shown(m_nodes[m_chosen].colour), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setOption(QColorDialog::DontUseNativeDialog);
    connect(dialog, &QColorDialog::colorSelected, this, [this, of = m_chosen](const QColor &now) {
        const auto part = [](int value) { return static_cast<std::uint8_t>(value); };
        if (of < m_nodes.size())
            m_nodes[of].colour = {part(now.red()), part(now.green()), part(now.blue())};
        remake();
    });
    dialog->open();
}

void ColourEditor::showNode()
{
    const auto &node = m_nodes[m_chosen];
    const bool isInside = m_chosen > 0 && m_chosen + 1 < m_nodes.size();
    const QSignalBlocker quiet(m_place);
    m_place->setValue(100 * node.place);
    m_place->setEnabled(isInside);
    m_remove->setEnabled(isInside);
    QPixmap swatch(m_colour->iconSize());
    swatch.fill(shown(node.colour));
    m_colour->setIcon(swatch);
    m_stripe->setChosen(m_chosen);
}

void ColourEditor::remake()
{
    m_map = makeColourMap("unnamed", static_cast<ColourSpace>(m_space->currentIndex()), m_nodes);
    m_stripe->setColours(m_map);
    say({});
    showNode();
}

void ColourEditor::save()
{
    try {
        m_map = makeColourMap(m_name->text().trimmed().toStdString(), m_map->space, m_nodes);
        emit saveWanted();
    } catch (const Error &problem) {
        say(QString::fromStdString(problem.what()));
        m_name->setFocus();
    }
}

} // namespace gridhelm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/probe/map_page.h"

#include "ui/controls/plain_text.h"
#include "ui/plot/save_menu.h"
#include "ui/probe/probe_csv.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>

namespace gridhelm::ui {

MapPage::MapPage(SteeringModel &model, QWidget *parent)
    : QWidget(parent)
    , m_model(model)
    , m_of(new QComboBox(this))
    , m_hint(new PlainLabel(this))
    , m_save(new QToolButton(this))
    , m_plot(new MapPlot(this))
{
    m_of->setAccessibleName("What the map shows");
    m_of->setToolTip("The value at the probe point, or a norm of the whole field: the root mean "
                     "square of what is shown, in the field's unit");
    m_of->addItem("value at the probe point", static_cast<int>(MapOf::place));
    m_of->addItem("norm of the field", static_cast<int>(MapOf::norm));
    connect(m_of, &QComboBox::activated, this, [this] {
        show(m_answer); // until the other map comes: none
        emit parametersChosen();
    });
    auto *top = new QHBoxLayout;
    top->addWidget(m_of, 1);
    top->addWidget(m_save);
    auto *row = new QHBoxLayout;
    for (int which = 0; which < 2; ++which) {
        auto *box = new QComboBox(this);
        box->setAccessibleName(which == 0 ? "Parameter across" : "Parameter upwards");
        box->setToolTip(which == 0 ? "The parameter along the map's horizontal axis"
                                   : "The parameter along the map's vertical axis");
        connect(box, &QComboBox::activated, this, [this, which] { choose(which); });
        m_boxes[static_cast<std::size_t>(which)] = box;
        if (which == 1)
            row->addWidget(new QLabel("×", this));
        row->addWidget(box, 1);
    }
    m_save->setText("Save");
    m_save->setAccessibleName("Save the map");
    m_save->setToolTip("The map as a picture, or its values as a table");
    m_save->setPopupMode(QToolButton::InstantPopup);
    auto *menu = new SaveMenu(
        "map", {m_plot}, [this] { return mapCsv(*m_answer); }, m_save);
    connect(menu, &SaveMenu::news, this, &MapPage::news);
    connect(menu, &SaveMenu::failed, this, &MapPage::failed);
    m_save->setMenu(menu);
    menu->openOn(*m_plot, [this] { return m_answer != nullptr; });
    connect(m_plot, &MapPlot::moved, this, [this](std::array<double, 2> values, bool isMoving) {
        emit moved();
        const auto chosen = m_plot->map()->parameters;
        auto steering = m_model.now();
        QStringList names;
        for (std::size_t i = 0; i < 2; ++i) {
            steering.parameters.at(chosen[i]) = values[i];
            names << QString::fromStdString(m_model.study()->parameters[chosen[i]].name);
        }
        m_model.change(names.join(", "), steering, isMoving);
    });
    connect(&model, &SteeringModel::changed, this, [this] {
        if (!m_answer)
            return;
        const auto &now = m_model.now().parameters;
        const auto &[across, up] = m_answer->map->parameters;
        m_plot->setPresent({now.at(across), now.at(up)});
    });
    m_hint->setWordWrap(true);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 4, 4, 4);
    layout->addLayout(top);
    layout->addLayout(row);
    layout->addWidget(m_hint);
    layout->addWidget(m_plot, 1);
    show(nullptr);
}

void MapPage::setStudy()
{
    for (std::size_t which = 0; which < 2; ++which) {
        const QSignalBlocker quiet(m_boxes[which]);
        m_boxes[which]->clear();
        for (const auto &parameter : m_model.study()->parameters.parameters())
            m_boxes[which]->addItem(QString::fromStdString(parameter.name));
        m_boxes[which]->setCurrentIndex(
            std::min(static_cast<int>(which), m_boxes[which]->count() - 1));
    }
    show(nullptr);
}

std::optional<std::array<std::size_t, 2>> MapPage::parameters() const
{
    const int across = m_boxes[0]->currentIndex(), up = m_boxes[1]->currentIndex();
    if (across < 0 || up < 0 || across == up)
        return std::nullopt;
    return std::array{static_cast<std::size_t>(across), static_cast<std::size_t>(up)};
}

/// Two different ones: choosing the other one's exchanges them.
void MapPage::choose(int which)
{
    auto *chosen = m_boxes[static_cast<std::size_t>(which)];
    auto *other = m_boxes[static_cast<std::size_t>(1 - which)];
    if (chosen->currentIndex() == other->currentIndex()) {
        const QSignalBlocker quiet(other);
        const auto before =
            m_answer ? m_answer->map->parameters[static_cast<std::size_t>(which)] : std::size_t{0};
        const int free = chosen->currentIndex() == 0 ? 1 : 0;
        const bool canExchange = static_cast<int>(before) != chosen->currentIndex();
        other->setCurrentIndex(canExchange ? static_cast<int>(before) : free);
    }
    emit parametersChosen();
}

MapOf MapPage::mapOf() const
{
    return static_cast<MapOf>(m_of->currentData().toInt());
}

QString MapPage::hint() const
{
    if (m_model.study() && m_model.study()->parameters.parameters().size() < 2)
        return "A map needs two parameters, and this study has one";
    if (!m_answer)
        return mapOf() == MapOf::norm ? "Waits until all of the field's coefficients are in memory"
                                      : "Click a point of the view";
    if (mapOf() == MapOf::place)
        return {};
    const auto &question = m_answer->question;
    const auto &field = question.study->fields.at(question.field);
    const QString what = field.association == data::Association::point ? "points" : "cells";
    const auto used = m_answer->map->entities;
    return used == field.entities ? QString("Root mean square over all %1 %2").arg(used).arg(what)
                                  : QString("Root mean square over %1 of %2 %3, spread evenly")
                                        .arg(used)
                                        .arg(field.entities)
                                        .arg(what);
}

void MapPage::show(std::shared_ptr<const ProbeAnswer> answer)
{
    m_answer = answer && answer->map && answer->map->of == mapOf() ? std::move(answer) : nullptr;
    m_save->setEnabled(m_answer != nullptr);
    m_hint->setText(hint());
    m_hint->setVisible(!m_hint->text().isEmpty());
    m_plot->show(m_answer, m_model.now().view.colours);
}

} // namespace gridhelm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/support/colour_scheme.h"

#include <QDialog>

#include <vector>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace gridhelm::ui {

class ColourStripe;

/// Makes a colour map out of another one: its name, its colours, their places, and what is between
/// them.
class ColourEditor : public QDialog
{
    Q_OBJECT

public:
    /// Of the map alone, neither inverted nor in bands. `begins`: the name.
    ColourEditor(const ColourScheme &from, const QString &begins, QWidget *parent = nullptr);

    const SharedColourMap &map() const { return m_map; }

signals:
    /// By the user, with the dialog still open: whoever keeps it may refuse it.
    void saveWanted();

public slots:
    void say(const QString &sentence);

private:
    QLayout *makeNodeRow();
    void choose(std::size_t node);
    void move(std::size_t node, double place);
    void add(double place);
    void addBesideChosen();
    void remove();
    void pickColour();
    void showNode();
    void remake();
    void save();

    std::vector<CustomColourMap::Node> m_nodes;
    std::size_t m_chosen = 0;
    SharedColourMap m_map;
    QLineEdit *m_name;
    ColourStripe *m_stripe;
    QDoubleSpinBox *m_place;
    QPushButton *m_colour, *m_add, *m_remove;
    QComboBox *m_space;
    QLabel *m_says;
};

} // namespace gridhelm::ui

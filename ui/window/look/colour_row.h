// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/support/colour_scheme.h"

#include <QWidget>

class QMenu;

namespace gridhelm::ui {

class ColourMapBox;

/// The colour map: those there are, and a menu that makes, reads, writes and deletes the user's
/// own.
class ColourRow : public QWidget
{
    Q_OBJECT

public:
    explicit ColourRow(QWidget *parent = nullptr);

    /// What the model says.
    void show(const ColourScheme &colours);

signals:
    /// By the user: the map alone counts, neither bands nor whether it is inverted.
    void chosen(const gridhelm::ColourScheme &map);
    void refused(const QString &sentence);

private:
    void fillMenu();
    void readKept();
    void edit();
    void readFile();
    void writeFile();
    void remove();

    ColourMapBox *m_box;
    QMenu *m_menu;
};

} // namespace gridhelm::ui

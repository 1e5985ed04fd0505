// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/support/colour_map.h"

#include <QComboBox>

namespace gridhelm::ui {

/// All colour maps, each with a stripe of its colours.
class ColourMapBox : public QComboBox
{
    Q_OBJECT

public:
    explicit ColourMapBox(QWidget *parent = nullptr);

    void setColourMap(ColourMap map);
    ColourMap colourMap() const;

signals:
    /// By the user.
    void chosen(gridhelm::ColourMap map);
};

} // namespace gridhelm::ui

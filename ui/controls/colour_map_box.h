// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/support/colour_scheme.h"

#include <QComboBox>

#include <vector>

namespace gridhelm::ui {

/// All colour maps, each with a stripe of its colours; below them those of the user.
class ColourMapBox : public QComboBox
{
    Q_OBJECT

public:
    explicit ColourMapBox(QWidget *parent = nullptr);

    void setColourMap(ColourMap map);
    /// Of those that are built in. None of the user's may be chosen.
    ColourMap colourMap() const;

    void setCustomMaps(const std::vector<SharedColourMap> &maps);
    const std::vector<SharedColourMap> &customMaps() const { return m_customs; }
    /// Also one that is not among them: it is added at the end.
    void setColours(const ColourScheme &scheme);
    /// The map alone.
    ColourScheme chosenColours() const;

signals:
    /// By the user.
    void chosen();

private:
    void addMap(const ColourScheme &colours, const QString &name, const QString &tip, int key);
    void showCustomMaps();

    int m_builtIn = 0; ///< entries, with what is between them
    std::vector<SharedColourMap> m_customs;
    SharedColourMap m_other; ///< shown, and none of them
};

} // namespace gridhelm::ui

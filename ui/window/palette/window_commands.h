// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/palette/command.h"

#include <vector>

namespace gridhelm::ui {

class MainWindow;
class SteeringModel;

/// All entries of the window's menus with their paths, the parameters, the colour maps.
std::vector<Command> commandsOf(MainWindow &window);

/// What "Re = 100" and "Re 100" mean; none for what names no parameter of the open study.
std::vector<Command> parameterCommands(SteeringModel &model, const QString &typed);

/// Opens the command palette over the window.
void showCommandPalette(MainWindow &window);

} // namespace gridhelm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/palette/window_commands.h"

#include "ui/controls/number_text.h"
#include "ui/controls/plain_text.h"
#include "ui/window/look/kept_colour_maps.h"
#include "ui/window/main_window.h"
#include "ui/window/palette/command_palette.h"
#include "ui/window/steering_actions.h"

#include <QAction>
#include <QMenu>
#include <QMenuBar>
#include <QPointer>
#include <QRegularExpression>

#include <cmath>
#include <optional>
#include <string>

namespace gridhelm::ui {
namespace {

QString textOf(const QAction &action)
{
    auto parts = action.text().remove(" ...").split("&&"); // which is one that is to be seen
    for (auto &part : parts)
        part.remove('&');
    return parts.join('&');
}

QString reasonOf(const QAction &action, const MainWindow &window)
{
    if (action.isEnabled())
        return {};
    if (!window.hasStudy())
        return "open a study first";
    const auto needs = action.property(needsProperty).toString();
    return needs.isEmpty() ? "not possible at present" : needs;
}

void addEntries(std::vector<Command> &commands, QMenu &menu, const QString &path,
                const MainWindow &window)
{
    emit menu.aboutToShow(); // some are filled then
    for (auto *action : menu.actions()) {
        if (action->isSeparator() || !action->isVisible())
            continue;
        const auto text = path + textOf(*action);
        if (action->menu()) {
            addEntries(commands, *action->menu(), text + " > ", window);
            continue;
        }
        commands.push_back({text, action->shortcut().toString(QKeySequence::NativeText),
                            reasonOf(*action, window), action->icon(), [of = QPointer(action)] {
                                if (of)
                                    of->trigger();
                            }});
    }
}

void addColourMaps(std::vector<Command> &commands, MainWindow &window)
{
    const auto add = [&](const std::string &name, const ColourScheme &map) {
        commands.push_back({"Colours > " + cleanLine(QString::fromStdString(name)),
                            {},
                            window.hasStudy() ? "" : "open a study first",
                            {},
                            [&model = window.model(), map] {
                                auto steering = model.now();
                                steering.view.colours.map = map.map;
                                steering.view.colours.custom = map.custom;
                                model.change("colours", steering);
                            }});
    };
    for (const auto &info : colourMaps())
        add(std::string(info.name), info.map);
    for (const auto &map : readKeptColourMaps().maps)
        add(map->name, map);
}

void addParameters(std::vector<Command> &commands, MainWindow &window)
{
    if (!window.hasStudy())
        return;
    const auto &study = *window.model().study();
    for (std::size_t t = 0; t < study.parameters.parameters().size(); ++t) {
        const auto name = QString::fromStdString(study.parameters[t].name);
        const auto unit = QString::fromStdString(study.parameters[t].unit);
        commands.push_back({"Parameter > " + name,
                            shortNumberText(window.model().now().parameters[t])
                                + (unit.isEmpty() ? "" : " " + unit),
                            {},
                            {},
                            {},
                            name + " = "});
    }
}

/// Of a parameter, to what was typed behind its name.
Command setting(SteeringModel &model, std::size_t t, QString number)
{
    const auto &parameter = model.study()->parameters[t];
    const auto name = QString::fromStdString(parameter.name);
    const auto unit = QString::fromStdString(parameter.unit);
    bool isNumber = false;
    const double value = number.replace(',', '.').toDouble(&isNumber);
    Command command{"Set " + name + " = " + number + (unit.isEmpty() ? "" : " " + unit)};
    if (!isNumber || !std::isfinite(value) || value < parameter.low || value > parameter.high)
        command.reason = "type a number from " + shortNumberText(parameter.low) + " to "
                         + shortNumberText(parameter.high);
    command.run = [&model, t, value, of = model.study()] {
        if (model.study() && model.study()->path == of->path && t < model.now().parameters.size())
            model.setParameter(t, value, false);
    };
    return command;
}

} // namespace

std::vector<Command> commandsOf(MainWindow &window)
{
    std::vector<Command> commands;
    for (auto *action : window.menuBar()->actions()) {
        if (action->menu())
            addEntries(commands, *action->menu(), textOf(*action) + " > ", window);
    }
    addParameters(commands, window);
    addColourMaps(commands, window);
    return commands;
}

std::vector<Command> parameterCommands(SteeringModel &model, const QString &typed)
{
    static const QRegularExpression assignment(R"(^\s*(.+?)\s*=\s*(.*?)\s*$)");
    static const QRegularExpression besides(R"(^\s*(.+?)\s+([-+.,0-9][-+.,0-9eE]*)\s*$)");
    auto match = assignment.match(typed);
    if (!match.hasMatch())
        match = besides.match(typed);
    if (!match.hasMatch() || !model.study())
        return {};
    const auto wanted = match.captured(1);
    std::vector<Command> exact, others;
    const auto &parameters = model.study()->parameters.parameters();
    for (std::size_t t = 0; t < parameters.size(); ++t) {
        const auto name = QString::fromStdString(parameters[t].name);
        if (name == wanted)
            exact.push_back(setting(model, t, match.captured(2)));
        else if (name.contains(wanted, Qt::CaseInsensitive))
            others.push_back(setting(model, t, match.captured(2)));
    }
    exact.insert(exact.end(), others.begin(), others.end());
    return exact;
}

void showCommandPalette(MainWindow &window)
{
    auto *palette = new CommandPalette(
        commandsOf(window),
        [&window](const QString &typed) {
            return window.hasStudy() ? parameterCommands(window.model(), typed)
                                     : std::vector<Command>();
        },
        &window);
    palette->show();
}

} // namespace gridhelm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/views/compare_actions.h"

#include "ui/controls/icon.h"
#include "ui/window/steering_actions.h"

#include <utility>

namespace gridhelm::ui {
namespace {

constexpr auto needsPinned = "pin a state as A first (A)";

/// Chosen again, it is off.
QAction *addWay(SteeringActions &actions, const QString &text, const QString &key,
                const QString &tip, Comparing way)
{
    auto *action = actions.add(text, key, tip, [way](Steering &steering) {
        steering.comparing = steering.comparing == way ? Comparing::off : way;
    });
    action->setCheckable(true);
    action->setProperty(needsProperty, needsPinned);
    actions.follow([action, way](const Steering &now) {
        action->setEnabled(now.pinned.has_value());
        action->setChecked(comparingOf(now) == way);
    });
    return action;
}

} // namespace

CompareActions addCompareActions(QMenu &menu, SteeringModel &model)
{
    SteeringActions actions(menu, model);
    auto *pin = actions.add("Pin as &A", "A",
                            "Keeps the present state as A, to compare it with what "
                            "the sliders say from now on, B",
                            [](Steering &steering) {
                                steering.pinned = steering.parameters;
                                if (steering.comparing == Comparing::off)
                                    steering.comparing = Comparing::sideBySide;
                            });
    menu.addSeparator();
    auto *both = addWay(actions, "&Side by side", "S",
                        "A on the left, B on the right, in the same "
                        "colours",
                        Comparing::sideBySide);
    auto *blink = addWay(actions, "&Blink", "B", "A and B in turns, in the same view and colours",
                         Comparing::blink);
    auto *difference = addWay(actions, "&Difference", "D",
                              "B - A, in colours that are symmetric "
                              "around 0",
                              Comparing::difference);
    menu.addSeparator();
    auto *moves =
        actions.add("&Move A with the sliders", "M",
                    "A moves by as much as the sliders do, as far as it can: how what two "
                    "states differ in depends on the other parameters",
                    [](Steering &steering) { steering.pinnedMoves = !steering.pinnedMoves; });
    moves->setCheckable(true);
    auto *exchange =
        actions.add("&Exchange A and B", "E", "The sliders go to A, and B is pinned instead",
                    [](Steering &steering) { std::swap(*steering.pinned, steering.parameters); });
    auto *forget =
        actions.add("&Clear A", "Shift+A", "Nothing is pinned any more", [](Steering &steering) {
            steering.pinned.reset();
            steering.comparing = Comparing::off;
        });
    for (auto *action : {moves, exchange, forget})
        action->setProperty(needsProperty, needsPinned);
    actions.follow([moves, exchange, forget](const Steering &now) {
        for (auto *action : {moves, exchange, forget})
            action->setEnabled(now.pinned.has_value());
        moves->setChecked(now.pinnedMoves);
    });
    pin->setIcon(icon("pin"));
    pin->setIconText("Pin A");
    both->setIcon(icon("side-by-side"));
    blink->setIcon(icon("blink"));
    difference->setIcon(icon("difference"));
    exchange->setIcon(icon("exchange"));
    return {&actions.group(), {pin, both, blink, difference}};
}

} // namespace gridhelm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/compare_actions.h"

#include <functional>
#include <utility>

namespace gridhelm::ui {
namespace {

class Maker
{
public:
    Maker(QMenu &menu, SteeringModel &model)
        : m_menu(menu)
        , m_model(model)
        , m_group(new QActionGroup(&menu))
    {
        m_group->setExclusionPolicy(QActionGroup::ExclusionPolicy::None);
    }

    QActionGroup &group() { return *m_group; }

    QAction *add(const QString &text, const QString &key, const QString &tip,
                 const std::function<void(Steering &)> &how)
    {
        auto *action = m_group->addAction(m_menu.addAction(text));
        action->setShortcut(QKeySequence(key));
        action->setToolTip(tip + " (" + key + ")");
        QObject::connect(action, &QAction::triggered, &m_model,
                         [&model = m_model, how, what = QString(text).remove('&')] {
                             auto steering = model.now();
                             how(steering);
                             model.change(what, steering);
                         });
        return action;
    }

    /// Chosen again, it is off.
    QAction *addWay(const QString &text, const QString &key, const QString &tip, Comparing way)
    {
        auto *action = add(text, key, tip, [way](Steering &steering) {
            steering.comparing = steering.comparing == way ? Comparing::off : way;
        });
        action->setCheckable(true);
        follow([action, way](const Steering &now) {
            action->setEnabled(now.pinned.has_value());
            action->setChecked(comparingOf(now) == way);
        });
        return action;
    }

    void follow(const std::function<void(const Steering &)> &show)
    {
        const auto again = [&model = m_model, show] { show(model.now()); };
        QObject::connect(&m_model, &SteeringModel::changed, &m_menu, again);
        QObject::connect(&m_model, &SteeringModel::studyChanged, &m_menu, again);
        again();
    }

private:
    QMenu &m_menu;
    SteeringModel &m_model;
    QActionGroup *m_group;
};

} // namespace

CompareActions addCompareActions(QMenu &menu, SteeringModel &model)
{
    Maker maker(menu, model);
    auto *pin = maker.add("Pin as &A", "A",
                          "Keeps the present state as A, to compare it with what "
                          "the sliders say from now on, B",
                          [](Steering &steering) {
                              steering.pinned = steering.parameters;
                              if (steering.comparing == Comparing::off)
                                  steering.comparing = Comparing::sideBySide;
                          });
    menu.addSeparator();
    auto *both = maker.addWay("&Side by side", "S",
                              "A on the left, B on the right, in the same "
                              "colours",
                              Comparing::sideBySide);
    auto *blink = maker.addWay("&Blink", "B", "A and B in turns, in the same place and colours",
                               Comparing::blink);
    auto *difference = maker.addWay("&Difference", "D",
                                    "B - A, in colours that are symmetric "
                                    "around 0",
                                    Comparing::difference);
    menu.addSeparator();
    auto *exchange =
        maker.add("&Exchange A and B", "E", "The sliders go to A, and B is pinned instead",
                  [](Steering &steering) { std::swap(*steering.pinned, steering.parameters); });
    auto *forget =
        maker.add("&Forget A", "Shift+A", "Nothing is pinned any more", [](Steering &steering) {
            steering.pinned.reset();
            steering.comparing = Comparing::off;
        });
    maker.follow([exchange, forget](const Steering &now) {
        for (auto *action : {exchange, forget})
            action->setEnabled(now.pinned.has_value());
    });
    return {&maker.group(), {pin, both, blink, difference}};
}

} // namespace gridhelm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/campaign/plan_draft.h"

#include "data/campaign/edit_plan.h"
#include "ui/controls/file_device.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>

namespace gridhelm::ui {
namespace {

constexpr const char *source = "the plan";
constexpr qint64 largestPlan = 1 << 20;

QString sentenceOf(const std::exception &error)
{
    return QString::fromUtf8(error.what());
}

data::Plan parse(const std::string &text, const QString &folder)
{
    return data::parsePlan(text, source, folder.toStdString());
}

} // namespace

PlanDraft::PlanDraft(QObject *parent)
    : QObject(parent)
    , m_folder(QDir::currentPath())
    , m_problem("there is no plan yet; start from one, or open one")
{
}

std::optional<data::PlanCost> PlanDraft::cost(int level) const
{
    if (!m_plan || level < 1 || level > m_plan->description.space.highestLevel())
        return std::nullopt;
    try {
        return data::costOf(*m_plan, m_plan->description.space, level);
    } catch (const Error &) {
        return std::nullopt; // more than can be counted
    }
}

void PlanDraft::setText(const QString &text)
{
    take(text, m_folder);
}

void PlanDraft::begin(const QString &text, const QString &folder, bool isFromFile)
{
    m_isFromFile = isFromFile;
    take(text, folder);
}

void PlanDraft::take(const QString &text, const QString &folder)
{
    if (text == m_text && folder == m_folder)
        return;
    m_text = text;
    m_folder = folder;
    m_problem.clear();
    m_problemLine = 0;
    try {
        m_plan = parse(text.toStdString(), folder);
    } catch (const data::PlanError &error) {
        m_problem = sentenceOf(error);
        m_problemLine = error.line();
    } catch (const std::exception &error) {
        m_problem = sentenceOf(error);
    }
    emit changed();
}

QString PlanDraft::load(const QString &path)
{
    QFile file(path);
    if (const auto problem = problemOfOpening(file); !problem.isEmpty())
        return QString("%1 cannot be read (%2); name a plan, a TOML file").arg(path, problem);
    if (file.size() > largestPlan)
        return QString("%1 is larger than a plan can be (1 MiB); name a TOML file").arg(path);
    begin(QString::fromUtf8(file.readAll()), QFileInfo(path).absolutePath(), true);
    return {};
}

QString PlanDraft::edit(const std::function<std::string(const std::string &)> &change)
{
    if (!isGood())
        return QString("The plan's text has to be corrected first: %1").arg(m_problem);
    try {
        const auto text = change(m_text.toStdString());
        parse(text, m_folder); // what is refused leaves everything as it is
        setText(QString::fromStdString(text));
        return {};
    } catch (const std::exception &error) {
        return sentenceOf(error);
    }
}

QString PlanDraft::setLevel(int level)
{
    return edit([&](const std::string &text) {
        return data::withTableKey(text, "grid", "level", std::to_string(level));
    });
}

QString PlanDraft::setTitle(const QString &title)
{
    return edit([&](const std::string &text) {
        return data::withTableKey(text, "study", "title", data::tomlText(title.toStdString()));
    });
}

QString PlanDraft::setCommand(const data::CommandKeys &keys)
{
    try {
        setText(QString::fromStdString(data::withCommandKeys(m_text.toStdString(), keys)));
        return {};
    } catch (const std::exception &error) {
        return sentenceOf(error);
    }
}

QString PlanDraft::useCommand()
{
    if (!isGood())
        return QString("The plan's text has to be corrected first: %1").arg(m_problem);
    try {
        auto text = data::withoutTable(m_text.toStdString(), "simulation");
        const auto &parameters = m_plan->description.space.parameters();
        for (std::size_t t = 0; t < parameters.size(); ++t) {
            text = data::withParameterKey(text, t, "low", data::tomlNumber(parameters[t].low));
            text = data::withParameterKey(text, t, "high", data::tomlNumber(parameters[t].high));
            if (parameters[t].kind == ParameterKind::timeLike)
                text = data::withParameterKey(text, t, "kind", "\"time-like\"");
        }
        setText(QString::fromStdString(data::withTableKey(text, "simulation", "command", "[]")));
        return {};
    } catch (const std::exception &error) {
        return sentenceOf(error);
    }
}

QString PlanDraft::setParameterKey(std::size_t parameter, const std::string &key,
                                   const std::optional<std::string> &value)
{
    return edit([&](const std::string &text) {
        return data::withParameterKey(text, parameter, key, value);
    });
}

QString PlanDraft::setTimes(std::size_t parameter, const std::optional<std::string> &times)
{
    return edit([&](const std::string &text) {
        return data::withParameterKey(data::withParameterKey(text, parameter, "cap", {}), parameter,
                                      "times", times);
    });
}

QString PlanDraft::renameParameter(std::size_t parameter, const QString &name)
{
    return edit([&](const std::string &text) {
        const auto after = name.toStdString();
        const auto changed = data::withParameterKey(text, parameter, "name", data::tomlText(after));
        const auto command = data::commandKeysOf(text);
        if (!command)
            return changed;
        const auto before = m_plan->description.space[parameter].name;
        return data::withCommandKeys(changed,
                                     data::withRenamedPlaceholder(*command, before, after));
    });
}

QString PlanDraft::addParameter()
{
    return edit([&](const std::string &text) {
        const auto &varied = m_plan->description.space.parameters();
        const auto isThere = [&](const std::string &name) {
            return std::ranges::find(varied, name, &Parameter::name) != varied.end();
        };
        if (const auto *builtIn = std::get_if<data::BuiltInPlan>(&m_plan->simulation)) {
            for (const auto &parameter : simulations::findSimulation(builtIn->name).parameters()) {
                const bool isFixed = std::ranges::any_of(builtIn->fixed, [&](const auto &fixed) {
                    return fixed.first == parameter.name;
                });
                if (!isThere(parameter.name) && !isFixed)
                    return data::withParameter(text, parameter.name, {}, {});
            }
            throw Error("all parameters of the simulation " + builtIn->name
                        + " are varied or fixed already; take one out first");
        }
        int number = static_cast<int>(varied.size()) + 1;
        while (isThere("p" + std::to_string(number)))
            ++number;
        return data::withParameter(text, "p" + std::to_string(number), 0, 1);
    });
}

QString PlanDraft::removeParameter(std::size_t parameter)
{
    return edit([&](const std::string &text) { return data::withoutParameter(text, parameter); });
}

} // namespace gridhelm::ui

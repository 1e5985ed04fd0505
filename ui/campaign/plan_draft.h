// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/campaign/command_keys.h"
#include "data/campaign/plan_cost.h"
#include "data/campaign/plan_file.h"

#include <QObject>
#include <QString>

#include <functional>
#include <optional>
#include <string>

namespace gridhelm::ui {

/// A plan that is being written. Its text is the truth; tables change the text key by key, so that
/// comments stay. What would make a good plan a bad one is refused; a text that is typed may be bad
/// for a while, and says why.
class PlanDraft : public QObject
{
    Q_OBJECT

public:
    explicit PlanDraft(QObject *parent = nullptr);

    const QString &text() const { return m_text; }
    /// Where relative paths of the plan begin.
    const QString &folder() const { return m_folder; }
    /// Nothing yet if no text was ever good; else that of the last good text.
    const std::optional<data::Plan> &plan() const { return m_plan; }
    bool isGood() const { return m_problem.isEmpty(); }
    /// What is wrong with the text, as a sentence.
    const QString &problem() const { return m_problem; }
    /// From 1; 0 if it is not in one line.
    int problemLine() const { return m_problemLine; }
    /// Of the last good text at some level; nothing if it cannot be counted.
    std::optional<data::PlanCost> cost(int level) const;

    /// Whether the text began as a file, which somebody else may have written.
    bool isFromFile() const { return m_isFromFile; }

    void setText(const QString &text);
    /// Another plan, that was not read from a file just now.
    void begin(const QString &text, const QString &folder, bool isFromFile = false);
    /// A sentence if the file cannot be read; what is wrong in it becomes problem().
    QString load(const QString &path);

    // Each returns the sentence why it was refused; empty: it is done.
    QString setLevel(int level);
    QString setTitle(const QString &title);
    /// May make the plan a bad one for a while, as typing the text may.
    QString setCommand(const data::CommandKeys &keys);
    /// Of a program to be named, instead of the simulation that is there; ranges that this one knew
    /// are written down.
    QString useCommand();
    /// `value` as TOML; nothing takes the key out.
    QString setParameterKey(std::size_t parameter, const std::string &key,
                            const std::optional<std::string> &value);
    /// How many values of the time-like parameter there are; nothing: as many as by default.
    QString setTimes(std::size_t parameter, const std::optional<std::string> &times);
    /// Also in the placeholders of a command.
    QString renameParameter(std::size_t parameter, const QString &name);
    QString addParameter();
    QString removeParameter(std::size_t parameter);

signals:
    void changed();

private:
    QString edit(const std::function<std::string(const std::string &)> &change);
    void take(const QString &text, const QString &folder);

    QString m_text;
    QString m_folder;
    bool m_isFromFile = false;
    std::optional<data::Plan> m_plan;
    QString m_problem;
    int m_problemLine = 0;
};

} // namespace gridhelm::ui

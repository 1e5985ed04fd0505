// SPDX-License-Identifier: GPL-3.0-or-later
//
// The examples of data/examples, as their comments say: planned, run, compressed and measured by
// the built gridhelm-cli, on a coarser grid. The test is compiled with GRIDHELM_EXAMPLES, their
// folder.
#pragma once

#include "tests/app/cli_process.h"
#include "tests/support/paths.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonValue>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtMath>

#include <vector>

namespace gridhelm::test {

inline bool isInstalled(const QString &program)
{
    return !QStandardPaths::findExecutable(program).isEmpty();
}

class ExampleStudy
{
public:
    /// In a copy of the example's folder.
    explicit ExampleStudy(const QString &example)
    {
        const QDir from(QString(paths::source) + "/data/examples/" + example);
        for (const auto &name : from.entryList(QDir::Files))
            QFile::copy(from.filePath(name), at(name));
    }

    QString at(const QString &name) const { return m_folder.filePath(name); }

    Outcome run(const QString &line) const { return runCli(line, {}, m_folder.path()); }

    /// All the way to a compressed study with `holdOuts` places off the grid. Returns why that was
    /// not possible; nothing if it was.
    QByteArray make(const QString &plan, int level, int holdOuts)
    {
        if (!setLevel(at(plan), level))
            return "the plan has no level";
        const auto commands = {
            "plan " + plan + " --out study.gridhelm", QString("run study.gridhelm --jobs 2"),
            "compress study.gridhelm --json --holdout " + QString::number(holdOuts)};
        for (const auto &command : commands) {
            const auto outcome = run(command);
            if (outcome.exitCode != 0)
                return outcome.err;
            m_study = jsonOf(outcome)["study"].toObject();
        }
        return {};
    }

    /// As compress describes it.
    const QJsonObject &study() const { return m_study; }

    /// Relative L2 error, root mean square of the places off the grid; NaN if none was measured.
    double heldOutError(const QString &field) const
    {
        for (const auto &value : m_study["errors"].toArray()) {
            const auto error = value.toObject();
            if (error["kind"].toString() == "held-out" && error["field"].toString() == field)
                return error["relative_l2"].toDouble(qQNaN());
        }
        return qQNaN();
    }

    /// A field's components at a place in space: NaN where this body is not, none outside of a mesh
    /// that is the same for all parameters.
    std::vector<double> values(const QString &field, const QString &parameters,
                               const QString &place) const
    {
        const auto outcome =
            run("eval study.gridhelm --json --at " + parameters + " --probe=" + place);
        const auto value =
            jsonOf(outcome)["probes"].toArray().at(0)["values"].toObject().value(field);
        std::vector<double> components;
        if (!value.isArray() && !value.isUndefined())
            components.push_back(value.toDouble(qQNaN()));
        for (const auto &component : value.toArray())
            components.push_back(component.toDouble(qQNaN()));
        return components;
    }

private:
    static bool setLevel(const QString &plan, int level)
    {
        QFile file(plan);
        if (!file.open(QIODevice::ReadOnly))
            return false;
        const auto text = QString::fromUtf8(file.readAll());
        file.close();
        static const QRegularExpression line("\nlevel = [0-9]+\n");
        auto changed = text;
        changed.replace(line, "\nlevel = " + QString::number(level) + "\n");
        if (!line.match(text).hasMatch() || !file.open(QIODevice::WriteOnly))
            return false;
        return file.write(changed.toUtf8()) > 0;
    }

    QTemporaryDir m_folder;
    QJsonObject m_study;
};

} // namespace gridhelm::test

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/campaign/scattered_table.h"
#include "ui/machine/latest_request_worker.h"

#include <QObject>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace gridhelm::ui {

/// A table of runs as it was read, and what is guessed of it.
struct ScatteredFile
{
    QString path;
    TextTable cells;
    std::vector<data::ColumnRole> roles;
    std::vector<std::string> notes; ///< about these roles (data::ScatteredRoles)
    std::vector<std::optional<data::ScatteredRange>> ranges; ///< of each column, if it has numbers
    std::vector<ParameterScale> scales;                      ///< of each column, as recognised
};

/// Reads tables of runs, and looks at what is wrong with them, in a thread of its own: tables may
/// be long, and their files on a disk that is far away. Signals come in the thread of the object;
/// of several tables or checks that were asked for, the last one is answered.
class ScatteredInspector : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    void read(const QString &table);
    /// What scatteredProblems() says.
    void check(const std::shared_ptr<const ScatteredFile> &file,
               const data::ScatteredReading &reading);

signals:
    void fileRead(const std::shared_ptr<const gridhelm::ui::ScatteredFile> &file);
    void unreadable(const QString &table, const QString &sentence);
    void checked(const std::vector<gridhelm::data::ColumnProblem> &problems);

private:
    LatestRequestWorker m_worker;
};

} // namespace gridhelm::ui

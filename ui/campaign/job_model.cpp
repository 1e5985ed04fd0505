// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/campaign/job_model.h"

#include "data/campaign/campaign_text.h"
#include "data/campaign/fill_template.h"
#include "ui/controls/number_text.h"
#include "ui/controls/plain_text.h"
#include "ui/controls/theme.h"

#include <QColor>
#include <QDateTime>
#include <QGuiApplication>
#include <QPalette>

#include <algorithm>

namespace gridhelm::ui {
namespace {

constexpr int clockMilliseconds = 500;

double now()
{
    return static_cast<double>(QDateTime::currentMSecsSinceEpoch()) / 1000;
}

QString secondsText(double seconds)
{
    return seconds < 10 ? QString::number(seconds, 'f', 2) + " s"
                        : QString::fromStdString(data::durationText(seconds));
}

QColor colourOf(const JobRow &job)
{
    const auto palette = QGuiApplication::palette();
    switch (job.state) {
    case data::JobState::running:
        return job.isQueued ? quietTextColour(palette) : accentColour(palette);
    case data::JobState::failed:
        return errorColour(palette);
    case data::JobState::done:
        return curveColours(palette)[2];
    case data::JobState::waiting:
        break;
    }
    return quietTextColour(palette);
}

} // namespace

QString jobStateText(data::JobState state)
{
    return QString::fromUtf8(data::toString(state));
}

QString jobStateText(const JobRow &job)
{
    if (job.state == data::JobState::running && !job.on.isEmpty())
        return job.isQueued ? QStringLiteral("queued") : QStringLiteral("running there");
    return jobStateText(job.state);
}

JobModel::JobModel(QObject *parent)
    : QAbstractTableModel(parent)
{
    m_clock.setInterval(clockMilliseconds);
    connect(&m_clock, &QTimer::timeout, this, &JobModel::tick);
}

void JobModel::setState(const StudyStatePtr &read)
{
    std::vector<Parameter> parameters;
    if (read) {
        for (const auto t : read->jobParameters)
            parameters.push_back(read->description.space[t]);
    }
    static const std::vector<JobRow> none;
    const auto &jobs =
        read ? read->jobs : none; // of many thousands only what has changed is copied
    const auto study = read ? read->path : QString();
    const bool isSame =
        study == m_study && parameters == m_parameters && jobs.size() >= m_jobs.size()
        && std::equal(m_jobs.begin(), m_jobs.end(), jobs.begin(),
                      [](const JobRow &a, const JobRow &b) { return a.id == b.id; });
    if (!isSame) {
        beginResetModel();
        m_study = study;
        m_parameters = std::move(parameters);
        m_jobs = jobs;
        endResetModel();
    } else {
        for (std::size_t row = 0; row < m_jobs.size(); ++row) {
            const auto first = row;
            while (row < m_jobs.size() && m_jobs[row] != jobs[row]) {
                m_jobs[row] = jobs[row];
                ++row;
            }
            if (row > first)
                emit dataChanged(index(static_cast<int>(first), 0),
                                 index(static_cast<int>(row) - 1, columnCount() - 1));
        }
        if (jobs.size() > m_jobs.size()) {
            beginInsertRows({}, static_cast<int>(m_jobs.size()), static_cast<int>(jobs.size()) - 1);
            m_jobs.insert(m_jobs.end(), jobs.begin() + rowCount(), jobs.end());
            endInsertRows();
        }
    }
    if (std::ranges::count(m_jobs, data::JobState::running, &JobRow::state) > 0)
        m_clock.start();
    else
        m_clock.stop();
}

const JobRow *JobModel::job(int row) const
{
    return row >= 0 && row < rowCount() ? &m_jobs[static_cast<std::size_t>(row)] : nullptr;
}

int JobModel::rowOf(data::JobId job) const
{
    const auto found = std::ranges::find(m_jobs, job, &JobRow::id);
    return found == m_jobs.end() ? -1 : static_cast<int>(found - m_jobs.begin());
}

int JobModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_jobs.size());
}

int JobModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : durationColumn() + 1;
}

std::optional<double> JobModel::duration(const JobRow &job) const
{
    if (job.state == data::JobState::running)
        return std::max(0.0, now() - job.started);
    if (job.finished > 0 && job.started > 0 && job.state != data::JobState::waiting)
        return std::max(0.0, job.finished - job.started);
    return std::nullopt;
}

QVariant JobModel::value(const JobRow &job, int column) const
{
    if (column == id) { // sorted as they are listed
        constexpr qlonglong afterAllJobs = qlonglong{1} << 40;
        return job.id < 0 ? afterAllJobs - job.id : static_cast<qlonglong>(job.id);
    }
    if (column == state)
        return static_cast<int>(job.state);
    if (column < pointsColumn()) {
        const auto at = static_cast<std::size_t>(column - firstParameter);
        return at < job.parameters.size() ? QVariant(job.parameters[at]) : QVariant();
    }
    if (column == pointsColumn())
        return static_cast<qulonglong>(job.points);
    if (column == attemptsColumn())
        return job.attempts;
    return duration(job).value_or(-1);
}

QString JobModel::cellText(const JobRow &job, int column) const
{
    if (column == id)
        return job.id < 0 ? QString("off %1").arg(-job.id) : QString::number(job.id);
    if (column == state)
        return jobStateText(job);
    if (column == durationColumn()) {
        const auto seconds = duration(job);
        return seconds ? secondsText(*seconds) : QStringLiteral("–");
    }
    if (column >= firstParameter && column < pointsColumn())
        return QString::fromStdString(data::numberText(value(job, column).toDouble()));
    return value(job, column).toString();
}

QVariant JobModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const auto &job = m_jobs[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return cellText(job, index.column());
    case Qt::ToolTipRole:
        return index.column() == state && !job.on.isEmpty() ? QVariant(plainTip("on " + job.on))
                                                            : QVariant();
    case sortRole:
        return value(job, index.column());
    case Qt::ForegroundRole:
        return index.column() == state ? QVariant(colourOf(job)) : QVariant();
    case Qt::TextAlignmentRole:
        return QVariant(index.column() == state ? Qt::AlignLeft | Qt::AlignVCenter
                                                : Qt::AlignRight | Qt::AlignVCenter);
    case Qt::AccessibleTextRole:
        return QString("%1 of job %2: %3")
            .arg(headerData(index.column(), Qt::Horizontal, Qt::DisplayRole).toString())
            .arg(cellText(job, id), cellText(job, index.column()));
    default:
        return {};
    }
}

QVariant JobModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    const bool isTip = role == Qt::ToolTipRole;
    if (section == id)
        return isTip ? "Number of the job in the study" : "Job";
    if (section == state)
        return isTip ? "waiting, running, done or failed; of those on a cluster: queued, running "
                       "there"
                     : "State";
    if (section < pointsColumn()) {
        const auto &parameter = m_parameters[static_cast<std::size_t>(section - firstParameter)];
        const auto name = QString::fromStdString(parameter.name);
        const auto unit = QString::fromStdString(parameter.unit);
        if (isTip)
            return plainTip("Parameter " + name + (unit.isEmpty() ? QString() : " in " + unit));
        return unit.isEmpty() ? name : name + " (" + unit + ")";
    }
    if (section == pointsColumn())
        return isTip ? "Grid points that the run delivers" : "Points";
    if (section == attemptsColumn())
        return isTip ? "How often it was started" : "Tries";
    return isTip ? "From its start to its end, or until now" : "Duration";
}

void JobModel::tick()
{
    for (std::size_t row = 0; row < m_jobs.size(); ++row) {
        if (m_jobs[row].state != data::JobState::running)
            continue;
        const auto cell = index(static_cast<int>(row), durationColumn());
        emit dataChanged(cell, cell, {Qt::DisplayRole, sortRole});
    }
}

} // namespace gridhelm::ui

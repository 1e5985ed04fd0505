// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/solve/run_inputs.h"

#include "core/execution/tuning_table.h"
#include "core/support/system_info.h"
#include "core/tuning/saved_tuning.h"
#include "ui/solve/option_rows.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QSpinBox>
#include <QStringList>

#include <memory>

namespace gridhelm::ui {
namespace {

constexpr const char *noTarget = "no target";

} // namespace

RunInputs::RunInputs(OptionRows &rows, const std::vector<solvers::Quantity> &figures,
                     const QString &tolerance, const QString &unit, SolverBackends backends,
                     const QStringList &precisions)
    : m_backends(std::move(backends))
{
    using Rank = OptionRows::Rank;
    QStringList targets, meanings;
    for (const auto figure : figures) {
        targets << QString::fromUtf8(nameOf(figure));
        meanings << targets.back() + ": " + QString::fromUtf8(meaningOf(figure));
    }
    m_until = rows.addChoice("until", "Until", targets + QStringList{noTarget},
                             "The run has converged when this figure is small enough\n"
                                 + meanings.join('\n'));
    m_tolerance = rows.addText("tolerance", "is at most", tolerance,
                               "How small that figure is to be (no unit)");
    m_most = rows.addText(unit, "At most", "",
                          "Stop after so many " + unit
                              + " (empty: no limit, or a usual one if "
                                "there is no target)");
    m_most->setPlaceholderText("no limit, in " + unit);
    m_staysLive = rows.addSwitch("stays-live", "Stay live at the target", true,
                                 "When the target is reached, wait for a parameter to change, and "
                                 "go on from there; otherwise the run is finished then");
    m_precision =
        rows.addChoice("precision", "Precision", precisions,
                       "Of the values: double takes twice the memory and time", Rank::usual);
    QStringList names;
    for (const auto *backend : m_backends.all)
        names << QString::fromUtf8(backend->name());
    m_backend = rows.addChoice("backend", "Computed by", names,
                               "What computes: omp is the CPU, cuda a GPU of NVIDIA, auto "
                               "the faster of them for this size, as measured on this machine");
    QStringList devices;
    for (const auto &offer : m_backends.devices.offers)
        devices << offer.text;
    m_devices = rows.addChoice(
        "devices", "Devices", devices,
        "What computes: one device, or several that share the grid. Besides those of the list: "
        "gpu:0,1 for GPUs by their numbers, cpu/4 or gpu:0/2 for logical parts of one device",
        Rank::usual, true);
    rows.setMeaningful(m_devices, m_backends.devices.find != nullptr);
    const int threads = querySystemInfo().threadCount;
    m_threads = rows.addNumber(
        "threads", "Threads", 1, threads, threads, "",
        "How many CPUs work on it; this machine has " + QString::number(threads), Rank::rare);
    m_pin = rows.addSwitch("pin", "Pin threads to CPUs", false,
                           "Each thread keeps a CPU of its own: steadier figures", Rank::rare);
    m_every = rows.addText(
        "every", "Every", "",
        "Compute the figures every so many " + unit + " (empty: ever more rarely)", Rank::rare);
    m_every->setPlaceholderText("ever more rarely");
    const QString example =
        unit == "sweeps" ? "3:psi=0.2; 6:a x=0.5" : "500:source x=0.25; 800:boundary y low=0.1";
    m_changes = rows.addText("at", "At", "",
                             "Change parameters on the way, after so many " + unit + ": " + example,
                             Rank::rare);
    m_changes->setPlaceholderText(example);
    rows.setMeaningful(m_backend, m_backends.all.size() > 1);
    QObject::connect(m_backend, &QComboBox::currentIndexChanged, &rows, [this, &rows] {
        rows.setMeaningful(m_threads, backend().usesThreads());
        rows.setMeaningful(m_pin, backend().usesThreads());
    });
    QObject::connect(m_until, &QComboBox::currentTextChanged, &rows,
                     [&rows, tolerance = m_tolerance](const QString &figure) {
                         rows.setMeaningful(tolerance, figure != noTarget);
                     });
}

solvers::RunSetup RunInputs::setup() const
{
    solvers::RunSetup setup;
    setup.prefix.clear();
    setup.iterations = typed(m_most);
    if (m_until->currentText() != noTarget)
        setup.until = solvers::TargetSetup{chosen(m_until), typed(m_tolerance).value_or("")};
    setup.every = typed(m_every);
    setup.changes = splitList(m_changes->text().toStdString());
    return setup;
}

std::string RunInputs::devices() const
{
    const auto text = m_devices->currentText().trimmed();
    for (const auto &offer : m_backends.devices.offers) {
        if (text == offer.text)
            return offer.name.toStdString();
    }
    return text.toStdString();
}

std::function<ExecutionContext()> RunInputs::context() const
{
    const CpuDevice cpu{m_threads->value()};
    const bool isUsual = cpu.threads == m_backends.context.cpu().threads;
    return [context = m_backends.context.on(cpu), find = m_backends.devices.find,
            devices = devices(), cpu, isUsual] {
        const bool isOpen = devices == "auto";
        if (isUsual && (isOpen || !find))
            return context;
        // What was tuned belongs to a number of threads, and to a model of GPU.
        if (!find)
            return tuning::withSavedTuning(context.withTuning(std::make_shared<TuningTable>()));
        const auto chosen = find(cpu, devices);
        const auto tuned = context.withTuning(std::make_shared<TuningTable>(chosen.tuning()));
        return isOpen ? tuned : tuned.withGpus(chosen.gpus()).withTeam(chosen.team());
    };
}

int RunInputs::threadsUsed() const
{
    return backend().usesThreads() ? m_threads->value() : 0;
}

const solvers::SolverBackend &RunInputs::backend() const
{
    return *m_backends.all.at(static_cast<std::size_t>(std::max(m_backend->currentIndex(), 0)));
}

std::string RunInputs::precision() const
{
    return chosen(m_precision);
}

WantedRun RunInputs::wanted(const QString &method, const QString &size) const
{
    WantedRun run;
    run.method = method + ", " + QString::fromStdString(precision());
    run.size = size;
    run.pin = m_pin->isChecked() && backend().usesThreads();
    run.staysLive = m_staysLive->isChecked();
    return run;
}

std::vector<std::string> splitList(const std::string &text)
{
    std::vector<std::string> parts;
    for (const auto &part : QString::fromStdString(text).split(';', Qt::SkipEmptyParts)) {
        if (!part.trimmed().isEmpty())
            parts.push_back(part.trimmed().toStdString());
    }
    return parts;
}

} // namespace gridhelm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/performance/backend_row.h"

#include "core/support/error.h"
#include "core/support/system_info.h"
#include "core/tuning/saved_tuning.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSettings>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStandardItemModel>

#include <algorithm>

namespace gridhelm::ui {
namespace {

constexpr const char *group = "performance";

} // namespace

BackendRow::BackendRow(const ExecutionContext &context, QWidget *parent)
    : QWidget(parent)
    , m_offers(cpuBackends())
    , m_names(new QComboBox(this))
    , m_deviceNames(new QComboBox(this))
    , m_threadCount(new QSpinBox(this))
    , m_context(context)
    , m_threads(context.cpu().threads)
    , m_used{m_index, m_threads, m_device}
{
    const int ofMachine = querySystemInfo().threadCount;
    m_names->setAccessibleName("Back end");
    m_names->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_names->setMinimumContentsLength(9);
    m_threadCount->setAccessibleName("Threads that evaluate");
    m_threadCount->setRange(1, std::max(m_threads, 2 * ofMachine));
    m_threadCount->setKeyboardTracking(false); // a number is used when it is complete
    m_threadCount->setToolTip(QString("Threads that evaluate; this machine has %1").arg(ofMachine));
    m_deviceNames->setAccessibleName("Devices");
    m_deviceNames->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_deviceNames->setMinimumContentsLength(9);
    auto *ofDevices = new QLabel("&Devices", this);
    ofDevices->setBuddy(m_deviceNames);
    auto *name = new QLabel("&Back end", this);
    name->setBuddy(m_names);
    auto *ofThreads = new QLabel("&Threads", this);
    ofThreads->setBuddy(m_threadCount);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    for (auto *widget : std::initializer_list<QWidget *>{name, m_names, ofDevices, m_deviceNames,
                                                         ofThreads, m_threadCount})
        layout->addWidget(widget);
    connect(m_names, &QComboBox::activated, this, qOverload<int>(&BackendRow::choose));
    connect(m_deviceNames, &QComboBox::activated, this, &BackendRow::chooseDevice);
    connect(m_threadCount, &QSpinBox::valueChanged, this, [this](int count) {
        m_threads = count;
        use();
    });
    setDevices({{}, "this program has nothing but the CPU to choose from"});
}

void BackendRow::setDevices(const Devices &devices)
{
    m_devices = devices;
    m_device = 0;
    m_contexts.clear();
    const QSignalBlocker quiet(m_deviceNames);
    m_deviceNames->clear();
    for (const auto &offer : m_devices.offers)
        m_deviceNames->addItem(offer.text);
    if (m_devices.offers.empty())
        m_deviceNames->addItem("CPU");
    m_deviceNames->setEnabled(!m_devices.offers.empty());
    m_deviceNames->setToolTip(m_devices.offers.empty()
                                  ? "Only the CPU evaluates: " + m_devices.unavailableReason
                                  : "What the back ends may evaluate on, beside the CPU");
    refresh();
}

const BackendOffer &BackendRow::offer() const
{
    return m_offers.at(static_cast<std::size_t>(m_index));
}

QString BackendRow::unavailableReason(const BackendOffer &offer) const
{
    if (offer.needsGpu && context().gpus().empty())
        return "it needs a GPU, and CPU is chosen as the device";
    return offer.unavailableReason(m_study.get());
}

void BackendRow::add(const BackendOffer &offer)
{
    m_offers.push_back(offer);
    if (offer.isUsual && offer.make)
        m_index = static_cast<int>(m_offers.size()) - 1;
    refresh();
}

QString BackendRow::backend() const
{
    return offer().name;
}

ExecutionContext BackendRow::context() const
{
    const int threads = offer().isSerial ? 1 : m_threads;
    const auto known = m_contexts.find({threads, m_device});
    if (known != m_contexts.end())
        return known->second;
    auto untuned =
        m_context.on(CpuDevice{threads}).withTuning(std::make_shared<const TuningTable>());
    if (!m_devices.offers.empty())
        untuned = untuned.withGpus(m_devices.offers[static_cast<std::size_t>(m_device)].gpus);
    const auto tuned =
        m_devices.tuned ? m_devices.tuned(untuned) : tuning::withSavedTuning(untuned);
    m_contexts.emplace(std::pair(threads, m_device), tuned);
    return tuned;
}

QString BackendRow::device() const
{
    return m_devices.offers.empty() ? QString()
                                    : m_devices.offers[static_cast<std::size_t>(m_device)].name;
}

QString BackendRow::text() const
{
    if (backend() == "cuda") // "cuda x2" would be two devices
        return "cuda";
    return QString("%1 x%2").arg(backend()).arg(context().cpu().threads);
}

void BackendRow::setStudy(std::shared_ptr<const StudyFacts> study)
{
    m_study = std::move(study);
    if (const auto reason = unavailableReason(offer()); !reason.isEmpty())
        giveUp(reason);
    refresh();
}

void BackendRow::chooseDevice(int index)
{
    if (index == m_device || m_devices.offers.empty())
        return;
    m_device = index;
    if (const auto reason = unavailableReason(offer()); !reason.isEmpty())
        giveUp(reason);
    else
        use();
    refresh();
}

void BackendRow::giveUp(const QString &reason)
{
    if (m_index == 0)
        return;
    emit news(QString("Back end omp evaluates now, not %1: %2").arg(backend(), reason));
    m_index = 0;
    use();
    refresh();
}

void BackendRow::beginAnew(const ExecutionContext &context)
{
    m_context = context;
    m_contexts.clear(); // this machine may have been tuned meanwhile
    use();
}

/// The boxes as the offers and the choice are.
void BackendRow::refresh()
{
    const QSignalBlocker quietNames(m_names), quietThreads(m_threadCount);
    m_names->clear();
    auto &items = *qobject_cast<QStandardItemModel *>(m_names->model());
    for (const auto &offer : m_offers) {
        const auto reason = unavailableReason(offer);
        auto *item = new QStandardItem(reason.isEmpty() ? offer.name : offer.name + ": " + reason);
        item->setToolTip(reason.isEmpty() ? offer.tip : reason);
        item->setEnabled(reason.isEmpty());
        items.appendRow(item);
    }
    m_names->setCurrentIndex(m_index);
    m_deviceNames->setCurrentIndex(m_device);
    m_names->setToolTip("What evaluates fields. " + offer().tip);
    m_names->view()->setMinimumWidth(m_names->view()->sizeHintForColumn(0) + 12);
    m_threadCount->setValue(context().cpu().threads);
    m_threadCount->setEnabled(!offer().isSerial);
}

void BackendRow::choose(int index)
{
    const auto &wanted = m_offers.at(static_cast<std::size_t>(index));
    if (index != m_index && unavailableReason(wanted).isEmpty() && wanted.make) {
        m_index = index;
        m_isUsersChoice = true;
        use();
    }
    refresh();
}

void BackendRow::choose(const QString &name)
{
    QStringList names;
    for (std::size_t i = 0; i < m_offers.size(); ++i) {
        const auto &each = m_offers[i];
        const auto reason = each.make ? unavailableReason(each) : each.unavailableReason(nullptr);
        if (each.name == name && !reason.isEmpty())
            throw Error(
                QString("the back end %1 cannot be chosen: %2").arg(name, reason).toStdString());
        if (each.name == name) {
            choose(static_cast<int>(i));
            return;
        }
        names << each.name;
    }
    throw Error(QString("there is no back end %1; choose one of %2")
                    .arg(name, names.join(", "))
                    .toStdString());
}

void BackendRow::use()
{
    m_used = {m_index, m_threads, m_device};
    try {
        emit chosen(offer().make(context()));
    } catch (const std::exception &problem) {
        giveUp(problem.what()); // omp itself needs nothing that could be missing
    }
}

void BackendRow::saveState(QSettings &settings) const
{
    settings.beginGroup(group);
    settings.setValue("back end", m_isUsersChoice ? backend() : QString());
    settings.setValue("threads", m_threads);
    settings.setValue("devices", m_device == 0 ? QString() : device());
    settings.endGroup();
}

void BackendRow::restoreState(QSettings &settings, bool withThreads)
{
    settings.beginGroup(group);
    const auto name = settings.value("back end").toString();
    const int threads = settings.value("threads").toInt();
    const auto device = settings.value("devices").toString();
    settings.endGroup();
    const auto kept = std::ranges::find(m_devices.offers, device, &DeviceOffer::name);
    if (kept != m_devices.offers.end())
        m_device = static_cast<int>(kept - m_devices.offers.begin());
    take(name, withThreads ? threads : 0);
    useIfNew();
}

void BackendRow::prefer(const QString &backend, int threads)
{
    take(backend, threads);
    useIfNew();
}

void BackendRow::take(const QString &backend, int threads)
{
    if (threads >= 1)
        m_threads = std::min(threads, m_threadCount->maximum());
    const auto found = std::ranges::find(m_offers, backend, &BackendOffer::name);
    if (found != m_offers.end() && found->make && unavailableReason(*found).isEmpty()) {
        m_index = static_cast<int>(found - m_offers.begin());
        m_isUsersChoice = true;
    }
}

void BackendRow::useIfNew()
{
    if (const auto reason = unavailableReason(offer()); !reason.isEmpty())
        giveUp(reason); // of the usual one, on other devices than usual
    else if (m_used != std::array{m_index, m_threads, m_device})
        use();
    refresh();
}

QStringList BackendRow::names() const
{
    QStringList all;
    for (const auto &offer : m_offers) {
        if (offer.make)
            all << offer.name;
    }
    return all;
}

QStringList BackendRow::deviceTexts() const
{
    QStringList all;
    for (const auto &offer : m_devices.offers)
        all << offer.text;
    if (all.isEmpty())
        all << (m_devices.unavailableReason.isEmpty() ? QString("none")
                                                      : "none: " + m_devices.unavailableReason);
    return all;
}

} // namespace gridhelm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/backend.h"
#include "ui/steering/study_facts.h"

#include <QString>

#include <functional>
#include <memory>
#include <vector>

namespace gridhelm::tuning {
struct TuningDevice;
}

namespace gridhelm::ui {

/// A back end that the user may choose, or would like to.
struct BackendOffer
{
    QString name;
    QString tip;
    bool isSerial = false; ///< threads are nothing to it
    /// Null if there is none here.
    std::function<std::shared_ptr<const sparse::Backend>(const ExecutionContext &)> make;
    /// Why it cannot evaluate this study (null: none is open), without a full stop; empty: it can.
    std::function<QString(const StudyFacts *study)> unavailableReason;
    bool isUsual = false;  ///< what evaluates unless the user chooses another
    bool needsGpu = false; ///< among the devices that may be used
};

/// GPUs that may be used at once, as `--devices` of the command line says it.
struct DeviceOffer
{
    QString name; ///< "auto", "cpu", "gpu:1"
    QString text; ///< "GPU 1: NVIDIA H200"
    std::vector<GpuDevice> gpus = {};
};

/// Those of this machine, the first one is taken unless the user chooses another; or why there is
/// nothing to choose, as a sentence.
struct Devices
{
    std::vector<DeviceOffer> offers = {};
    QString unavailableReason = {};
    /// Those of a context whose kernels have constants to tune; null: none.
    std::function<std::vector<tuning::TuningDevice>(const ExecutionContext &)> tuning = {};
    /// The context with what was tuned for its devices; null: with what was for its CPU.
    std::function<ExecutionContext(const ExecutionContext &)> tuned = {};
};

/// An offer that is there for its reason alone.
BackendOffer unavailable(const QString &name, const QString &why);

/// Those of the CPU. `omp`, the first one, evaluates everything.
std::vector<BackendOffer> cpuBackends();

} // namespace gridhelm::ui

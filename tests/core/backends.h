// SPDX-License-Identifier: GPL-3.0-or-later
//
// Test rows over back ends, numbers of threads and types.
#pragma once

#include "core/sparse/backend.h"
#include "core/sparse/team/team_backend.h"
#include "gpu/device_info.h"
#include "gpu/sparse/cuda_backend.h"
#include "tests/core/on_cpu.h"

#include <QString>
#include <QTest>

#include <memory>
#include <vector>

namespace gridhelm::test {

/// All; all but the reference.
enum class Backends { all, fast };

/// Why this machine does not have the back end; empty if it does.
inline QString reasonToSkip(const QString &backend)
{
    return backend == "cuda" ? QString::fromStdString(gpu::listDevices().reason) : QString();
}

/// CPUs of so many threads.
inline std::vector<sparse::TeamMember> ompMembers(const std::vector<int> &threads)
{
    std::vector<sparse::TeamMember> members;
    for (const int each : threads)
        members.push_back({sparse::makeOmpBackend(onCpu(each)), static_cast<double>(each)});
    return members;
}

inline std::unique_ptr<sparse::Backend> makeBackend(const QString &name)
{
    if (name == "reference")
        return sparse::makeReferenceBackend();
    if (name == "omp, 1 thread")
        return sparse::makeOmpBackend(onCpu(1));
    if (name == "omp, 2 threads")
        return sparse::makeOmpBackend(onCpu(2));
    if (name == "omp, 3 devices")
        return sparse::makeTeamBackend(ompMembers({1, 2, 1}), onCpu());
    if (name == "cuda")
        return gpu::makeCudaBackend(onCpu().withGpus(gpu::gpuDevices()));
    qFatal("no back end %s", qPrintable(name));
}

/// The columns `backend` and `type`, with a row for every pair.
inline void addBackendAndTypeRows(Backends which)
{
    QTest::addColumn<QString>("backend");
    QTest::addColumn<QString>("type");
    for (const char *backend :
         {"reference", "omp, 1 thread", "omp, 2 threads", "omp, 3 devices", "cuda"}) {
        const QString name(backend);
        if (which == Backends::fast && name == "reference")
            continue;
        for (const char *type : {"float", "double"})
            QTest::addRow("%s, %s", backend, type) << QString(backend) << QString(type);
    }
}

/// Calls check.operator()<float>(backend) or <double> as the current row says.
template <typename Check>
void checkBackendAndType(Check check)
{
    QFETCH(QString, backend);
    QFETCH(QString, type);
    if (const auto reason = reasonToSkip(backend); !reason.isEmpty())
        QSKIP(qPrintable(reason));
    const auto made = makeBackend(backend);
    if (type == "float")
        check.template operator()<float>(*made);
    else
        check.template operator()<double>(*made);
}

} // namespace gridhelm::test

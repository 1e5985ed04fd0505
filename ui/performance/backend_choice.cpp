// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/performance/backend_choice.h"

namespace gridhelm::ui {

BackendOffer unavailable(const QString &name, const QString &why)
{
    return {name, why, false, nullptr, [why](const StudyFacts *) { return why; }};
}

std::vector<BackendOffer> cpuBackends()
{
    return {{"omp", "All threads, with the widest vectors of the CPU", false,
             [](const ExecutionContext &context) { return sparse::makeOmpBackend(context); },
             [](const StudyFacts *) { return QString(); }},
            {"reference", "The definitions word by word, in one thread: slow, to compare with",
             true, [](const ExecutionContext &) { return sparse::makeReferenceBackend(); },
             [](const StudyFacts *study) {
                 // It cannot be stopped meanwhile.
                 return study && study->kind == data::StudyKind::scalar
                            ? QString("it would take minutes for a picture of a scalar study")
                            : QString();
             }}};
}

} // namespace gridhelm::ui

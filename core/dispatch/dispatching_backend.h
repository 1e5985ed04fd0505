// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dispatch/dispatcher.h"
#include "core/sparse/backend.h"

#include <memory>

namespace gridhelm::dispatch {

/// `auto`: every operation by the back end that is the fastest for it at its size. Where that one
/// fails, the CPU does it if the context allows a fallback. What is loaded is loaded to a back end
/// when that is to evaluate it for the first time; beside a device, a scalar grid's coefficients
/// are kept for that. A matrix of vectors is taken to a device from its third evaluation on, as
/// that costs more than one or two by the CPU.
std::unique_ptr<sparse::Backend> makeDispatchingBackend(std::shared_ptr<Dispatcher> dispatcher,
                                                        const ExecutionContext &context);

/// `first`, under its name; where it fails, the CPU goes on. Just `first` if the context forbids a
/// fallback.
std::shared_ptr<const sparse::Backend>
makeFailoverBackend(std::shared_ptr<const sparse::Backend> first, const ExecutionContext &context);

} // namespace gridhelm::dispatch

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dispatch/work_input.h"
#include "core/dispatch/workload.h"
#include "core/sparse/backend.h"

#include <memory>

namespace gridhelm::dispatch {

// What prepare() does for operations on sparse grids, with input that was made for the work; throws
// as it does.

std::unique_ptr<PreparedWork> prepareOnGrid(const TransformWork &work,
                                            std::shared_ptr<const WorkInput> input,
                                            std::shared_ptr<const sparse::Backend> backend);
std::unique_ptr<PreparedWork> prepareOnGrid(const InterpolationWork &work,
                                            std::shared_ptr<const WorkInput> input,
                                            std::shared_ptr<const sparse::Backend> backend);
std::unique_ptr<PreparedWork> prepareOnGrid(const SharedWork &work,
                                            std::shared_ptr<const WorkInput> input,
                                            std::shared_ptr<const sparse::Backend> backend);
std::unique_ptr<PreparedWork> prepareOnGrid(const CartesianWork &work,
                                            std::shared_ptr<const WorkInput> input,
                                            std::shared_ptr<const sparse::Backend> backend);
std::unique_ptr<PreparedWork> prepareOnGrid(const CombinationWork &work,
                                            std::shared_ptr<const WorkInput> input,
                                            std::shared_ptr<const sparse::Backend> backend);

} // namespace gridhelm::dispatch

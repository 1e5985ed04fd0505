// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/gpu_array.h"

#include "app/python/arrays.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <utility>

namespace gridhelm::python {
namespace {

namespace nb = nanobind;

/// Keeps the array. A new one for each that asks: a capsule is taken once.
nb::object capsuleOf(const nb::handle &self)
{
    const auto &array = nb::cast<const GpuArray &>(self);
    return nb::ndarray<float, nb::device::cuda>(
               array.values->data(), array.shape.size(), array.shape.data(), self, nullptr,
               nb::dtype<float>(), nb::device::cuda::value, array.values->gpu())
        .cast();
}

nb::object copyOf(const GpuArray &array)
{
    OwnedValues<float> copy(array.values->size());
    {
        const nb::gil_scoped_release unlocked;
        array.values->copyTo(copy.all());
    }
    return copy.release(array.shape).cast();
}

} // namespace

GpuArray::~GpuArray()
{
    if (!values)
        return;
    const nb::gil_scoped_release unlocked;
    values.reset();
}

void bindGpuArray(nb::module_ &module)
{
    nb::class_<GpuArray>(module, "GpuArray")
        .def("shape", [](const GpuArray &array) { return array.shape; })
        .def("device",
             [](const GpuArray &array) {
                 return std::pair(static_cast<int>(nb::device::cuda::value), array.values->gpu());
             })
        .def("capsule", &capsuleOf)
        .def("copy", &copyOf);
}

} // namespace gridhelm::python

// SPDX-License-Identifier: GPL-3.0-or-later
//
// gridhelm._native: what the package's own Python code is made with. Nobody else calls it.
#include "app/python/answers.h"
#include "app/python/campaign.h"
#include "app/python/errors.h"
#include "app/python/gpu_array.h"
#include "app/python/kriging.h"
#include "app/python/maps.h"
#include "app/python/page.h"
#include "app/python/study_binding.h"
#include "app/python/watched_work.h"
#include "core/support/clean_text.h"
#include "core/support/nearest_name.h"
#include "core/support/version.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <csignal>
#include <thread>

#include <unistd.h>

namespace nb = nanobind;

namespace {

/// Ends this process, and its group if it leads one, once the process that has begun it is gone:
/// even if Python's own code, or a library, never comes back to look. A signal of the system for
/// that (PR_SET_PDEATHSIG) would already come when the thread ends that has begun us.
void endWithParent(int parent)
{
    std::thread([parent] {
        while (getppid() == parent)
            std::this_thread::sleep_for(std::chrono::milliseconds(200));
        kill(getpgrp() == getpid() ? 0 : getpid(), SIGKILL);
    }).detach();
}

/// What a damaged file says of itself need not be UTF-8, which Python's own sentences are.
void raise(PyObject *kind, const std::exception &error)
{
    PyErr_SetString(kind, gridhelm::cleanLines(error.what()).c_str());
}

} // namespace

NB_MODULE(_native, module)
{
    using namespace gridhelm;
    module.doc() = "The compiled part of gridhelm.";
    nb::exception<Error>(module, "GridhelmError", PyExc_RuntimeError);
    // Later translators are asked first: the more special one is registered last.
    const nb::object base = module.attr("GridhelmError");
    const nb::tuple bases = nb::make_tuple(base, nb::handle(PyExc_ValueError));
    static PyObject *gridhelmError = base.ptr();
    static PyObject *argumentError =
        PyErr_NewException("gridhelm._native.ArgumentError", bases.ptr(), nullptr);
    module.attr("ArgumentError") = nb::handle(argumentError);
    base.attr("__doc__") = "What cannot be done: one sentence that says what, why, and what to do.";
    nb::handle(argumentError).attr("__doc__") = "An argument that cannot be; a ValueError as well.";
    for (const auto *name : {"GridhelmError", "ArgumentError"}) // where people find them
        module.attr(name).attr("__module__") = "gridhelm";
    nb::register_exception_translator(
        [](const std::exception_ptr &thrown, void *) {
            try {
                std::rethrow_exception(thrown);
            } catch (const python::ArgumentError &error) {
                raise(argumentError, error);
            } catch (const Error &error) {
                raise(gridhelmError, error);
            }
        },
        nullptr);
    module.def("version", [] { return std::string(versionString()); });
    module.def("nearest_name", [](const std::string &name, const std::vector<std::string> &names) {
        return nearestName(name, names);
    });
    module.def("end_with_parent", &endWithParent);
    module.def("wait_for_left_work", &python::waitForLeftWork);
    python::bindGpuArray(module);
    python::bindStudy(module);
    python::bindAnswers(module);
    python::bindMaps(module);
    python::bindPage(module);
    python::bindKriging(module);
    python::bindCampaign(module);
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/support/nvrtc.h"

#include "core/support/compiler_log.h"
#include "core/support/error.h"
#include "gpu/support/shared_library.h"

#include <fmt/format.h>

#include <dlfcn.h>
#include <sys/stat.h>

#include <cstddef>

namespace gridhelm::gpu {
namespace {

constexpr int success = 0;

const std::vector<const char *> usualLibraries{
    "libnvrtc.so.13",   "/usr/local/cuda/lib64/libnvrtc.so.13",
    "libnvrtc.so.12",   "/usr/local/cuda/lib64/libnvrtc.so.12",
    "libnvrtc.so.11.2", "/usr/local/cuda/lib64/libnvrtc.so.11.2",
};

} // namespace

struct Nvrtc::Library
{
    explicit Library(const char *name)
        : library(name)
    {
        int (*getVersion)(int *major, int *minor) = nullptr;
        isReady = library.find(getVersion, "nvrtcVersion")
                  && library.find(errorString, "nvrtcGetErrorString")
                  && library.find(createProgram, "nvrtcCreateProgram")
                  && library.find(destroyProgram, "nvrtcDestroyProgram")
                  && library.find(addInstance, "nvrtcAddNameExpression")
                  && library.find(compileProgram, "nvrtcCompileProgram")
                  && library.find(getLogSize, "nvrtcGetProgramLogSize")
                  && library.find(getLog, "nvrtcGetProgramLog")
                  && library.find(getCubinSize, "nvrtcGetCUBINSize")
                  && library.find(getCubin, "nvrtcGetCUBIN")
                  && getVersion(&major, &minor) == success;
    }

    SharedLibrary library;
    bool isReady = false;
    int major = 0, minor = 0;
    const char *(*errorString)(int) = nullptr;
    int (*createProgram)(void **program, const char *text, const char *name, int headerCount,
                         const char *const *headers, const char *const *headerNames) = nullptr;
    int (*destroyProgram)(void **program) = nullptr;
    int (*addInstance)(void *program, const char *expression) = nullptr;
    int (*compileProgram)(void *program, int optionCount, const char *const *options) = nullptr;
    int (*getLogSize)(void *program, std::size_t *) = nullptr;
    int (*getLog)(void *program, char *) = nullptr;
    int (*getCubinSize)(void *program, std::size_t *) = nullptr;
    int (*getCubin)(void *program, char *) = nullptr;
};

Nvrtc::Nvrtc(const std::vector<const char *> &libraries)
{
    for (const auto *name : libraries.empty() ? usualLibraries : libraries) {
        auto library = std::make_unique<const Library>(name);
        if (!library->isReady)
            continue;
        m_library = std::move(library);
        m_version = fmt::format("{}.{}", m_library->major, m_library->minor);
        return;
    }
    throw BackendError("there is no NVRTC (libnvrtc.so of CUDA 11.2 or newer), which compiles for "
                       "GPUs; install that part of NVIDIA's CUDA toolkit");
}

Nvrtc::~Nvrtc() = default;
Nvrtc::Nvrtc(Nvrtc &&) noexcept = default;

int Nvrtc::major() const
{
    return m_library->major;
}

std::string Nvrtc::identity() const
{
    Dl_info place{};
    struct stat status
    {};
    const auto *function = reinterpret_cast<const void *>(m_library->compileProgram);
    if (::dladdr(function, &place) == 0 || ::stat(place.dli_fname, &status) != 0)
        return "NVRTC " + m_version;
    return fmt::format("NVRTC {} {} {} {}", m_version, place.dli_fname, status.st_size,
                       status.st_mtime);
}

std::vector<std::string> Nvrtc::options(const NvrtcProgram &program, int major, int minor)
{
    std::vector<std::string> all{fmt::format("--gpu-architecture=sm_{}{}", major, minor)};
    all.insert(all.end(), program.options.begin(), program.options.end());
    return all;
}

std::string Nvrtc::cubin(const NvrtcProgram &source, int major, int minor) const
{
    struct Program
    {
        const Library &library;
        void *handle = nullptr;
        ~Program()
        {
            if (handle != nullptr)
                library.destroyProgram(&handle);
        }
    };
    Program program{*m_library};
    const auto require = [&](int status, const std::string &why = {}) {
        if (status != success)
            throw BackendError(fmt::format(
                "NVRTC {} cannot compile the generated code ({}); another version of CUDA's "
                "toolkit may",
                m_version, why.empty() ? m_library->errorString(status) : why));
    };
    std::vector<const char *> headers, headerNames;
    for (const auto &[name, text] : source.headers) {
        headerNames.push_back(name);
        headers.push_back(text);
    }
    require(m_library->createProgram(&program.handle, source.text.c_str(), source.name.c_str(),
                                     static_cast<int>(headers.size()), headers.data(),
                                     headerNames.data()));
    for (const auto &instance : source.instances)
        require(m_library->addInstance(program.handle, instance.c_str()));
    const auto texts = options(source, major, minor);
    std::vector<const char *> pointers;
    for (const auto &option : texts)
        pointers.push_back(option.c_str());
    const int status = m_library->compileProgram(program.handle, static_cast<int>(pointers.size()),
                                                 pointers.data());
    std::string log;
    std::size_t size = 0;
    if (status != success && m_library->getLogSize(program.handle, &size) == success) {
        log.resize(size);
        m_library->getLog(program.handle, log.data());
    }
    // What is wrong with an option is in no log.
    require(status, log.find("error") == std::string::npos ? std::string() : complaintOf(log));
    require(m_library->getCubinSize(program.handle, &size));
    std::string code(size, '\0');
    require(m_library->getCubin(program.handle, code.data()));
    return code;
}

} // namespace gridhelm::gpu

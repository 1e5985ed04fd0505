// SPDX-License-Identifier: GPL-3.0-or-later
//
// NVIDIA's compiler at run time, NVRTC, which is looked for when it is needed and not linked. It
// needs no GPU.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace gridhelm::gpu {

/// What is compiled: a text, with the headers that it includes, by their names there.
struct NvrtcProgram
{
    std::string text;
    std::string name = "stencil.cu"; ///< in messages
    std::vector<std::pair<const char *, const char *>> headers{};
    /// Template instances to make, as C++ writes them.
    std::vector<std::string> instances{};
    std::vector<std::string> options{"--std=c++17"};
};

class Nvrtc
{
public:
    /// `libraries`: names or paths, the first one that is there and has what is needed. Without
    /// them those of CUDA 11.2 to 13, as the dynamic linker finds them or in /usr/local/cuda.
    /// Throws BackendError if there is none.
    explicit Nvrtc(const std::vector<const char *> &libraries = {});
    ~Nvrtc();
    Nvrtc(Nvrtc &&) noexcept;

    /// "13.0"
    const std::string &version() const { return m_version; }
    int major() const;

    /// By which library it is, too: two of one version may make different code.
    std::string identity() const;

    /// The machine's code for compute capability `major`.`minor` of a text that includes nothing.
    /// Throws BackendError with the first mistake. Several threads may call it.
    std::string cubin(const std::string &text, int major, int minor) const
    {
        return cubin(NvrtcProgram{.text = text}, major, minor);
    }
    std::string cubin(const NvrtcProgram &program, int major, int minor) const;

    /// What it is called with, for such a GPU.
    static std::vector<std::string> options(const NvrtcProgram &program, int major, int minor);
    static std::vector<std::string> options(int major, int minor)
    {
        return options({}, major, minor);
    }

private:
    struct Library;

    std::unique_ptr<const Library> m_library;
    std::string m_version;
};

} // namespace gridhelm::gpu

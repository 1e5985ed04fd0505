// SPDX-License-Identifier: GPL-3.0-or-later
//
// NVIDIA's compiler at run time, NVRTC, which is looked for when it is needed and not linked. It
// needs no GPU.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace gridhelm::gpu {

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

    /// By which library it is, too: two of one version may make different code.
    std::string identity() const;

    /// The machine's code for compute capability `major`.`minor` of a text that includes nothing.
    /// Throws BackendError with the first mistake. Several threads may call it.
    std::string cubin(const std::string &text, int major, int minor) const;

    /// What it is called with, for such a GPU.
    static std::vector<std::string> options(int major, int minor);

private:
    struct Library;

    std::unique_ptr<const Library> m_library;
    std::string m_version;
};

} // namespace gridhelm::gpu

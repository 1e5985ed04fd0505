// SPDX-License-Identifier: GPL-3.0-or-later
//
// A library that may be there when the program runs, and is not linked.
#pragma once

#include <type_traits>

#include <dlfcn.h>

namespace gridhelm::gpu {

class SharedLibrary
{
public:
    /// Looked for as the dynamic linker does.
    explicit SharedLibrary(const char *name)
        : m_handle(dlopen(name, RTLD_NOW | RTLD_LOCAL))
    {
    }
    ~SharedLibrary()
    {
        if (m_handle)
            dlclose(m_handle);
    }
    SharedLibrary(const SharedLibrary &) = delete;
    SharedLibrary &operator=(const SharedLibrary &) = delete;

    /// Whether it has the function, whose type the pointer has.
    template <typename Function>
    bool find(Function *&function, const char *symbol) const
    {
        static_assert(std::is_function_v<Function>);
        function = m_handle ? reinterpret_cast<Function *>(dlsym(m_handle, symbol)) : nullptr;
        return function != nullptr;
    }

private:
    void *m_handle; ///< null: it is not there
};

} // namespace gridhelm::gpu

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vtkOutputWindow.h>
#include <vtkSmartPointer.h>

#include <string>

namespace gridhelm::data {

/// While it lives, VTK prints nothing, and the first error or warning is kept here. VTK has one
/// such window a process: use it on one thread at a time.
class VtkMessages
{
public:
    VtkMessages();
    ~VtkMessages();
    VtkMessages(const VtkMessages &) = delete;
    VtkMessages &operator=(const VtkMessages &) = delete;

    /// The first error on one line, without VTK's file and line number; empty if there was none.
    std::string firstError() const;

private:
    vtkSmartPointer<vtkOutputWindow> m_before;
    vtkSmartPointer<vtkOutputWindow> m_window;
};

} // namespace gridhelm::data

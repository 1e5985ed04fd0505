// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/mesh/vtk_messages.h"

#include <vtkLogger.h>
#include <vtkObjectFactory.h>

#include <string_view>

namespace gridhelm::data {
namespace {

class CollectingWindow : public vtkOutputWindow
{
public:
    static CollectingWindow *New();
    // clang-format off
    vtkTypeMacro(CollectingWindow, vtkOutputWindow)
        // clang-format on

        void DisplayText(const char *) override
    {
    }
    void DisplayErrorText(const char *text) override
    {
        any = true;
        // That some part of a pipeline failed says nothing; why is another message, or none.
        if (first.empty() && text
            && std::string_view(text).find("returned failure for request") == std::string::npos)
            first = text;
    }
    void DisplayWarningText(const char *) override {}
    void DisplayGenericWarningText(const char *) override {}
    void DisplayDebugText(const char *) override {}

    bool any = false;
    std::string first;
};
vtkStandardNewMacro(CollectingWindow)

} // namespace

VtkMessages::VtkMessages()
    : m_before(vtkOutputWindow::GetInstance())
    , m_window(vtkSmartPointer<CollectingWindow>::New())
{
    vtkOutputWindow::SetInstance(m_window);
    // VTK 9.1 logs every error besides; nobody reads that, so it stays off.
    vtkLogger::SetStderrVerbosity(vtkLogger::VERBOSITY_OFF);
}

VtkMessages::~VtkMessages()
{
    vtkOutputWindow::SetInstance(m_before);
}

std::string VtkMessages::firstError() const
{
    // "ERROR: In file.cxx, line 12\nvtkReader (0x55...): what happened"
    const auto *window = static_cast<CollectingWindow *>(m_window.Get());
    std::string text = window->first;
    if (text.empty() && window->any)
        return "VTK gives no reason";
    if (const auto name = text.find("): "); name != std::string::npos)
        text.erase(0, name + 3);
    for (char &c : text)
        if (static_cast<unsigned char>(c) < ' ')
            c = ' ';
    while (!text.empty() && (text.back() == ' ' || text.back() == '.'))
        text.pop_back();
    return text.substr(0, 300);
}

} // namespace gridhelm::data

// SPDX-License-Identifier: GPL-3.0-or-later
//
// A service that has opened a study, without a window.
#pragma once

#include "tests/core/on_cpu.h"
#include "tests/ui/window_case.h"
#include "ui/steering/field_service.h"

#include <QSignalSpy>

#include <filesystem>
#include <memory>
#include <utility>

namespace gridhelm::test {

class OpenService
{
public:
    explicit OpenService(const std::filesystem::path &path)
    {
        QObject::connect(
            &service, &ui::FieldService::opened, &service,
            [this](std::shared_ptr<const ui::StudyFacts> facts) { study = std::move(facts); });
        QSignalSpy opened(&service, &ui::FieldService::opened);
        service.open(path);
        m_isOpen = opened.wait(waitMilliseconds);
    }

    bool isOpen() const { return m_isOpen; }

    std::shared_ptr<const ui::StudyFacts> study;
    ui::FieldService service{sparse::makeOmpBackend(onCpu(1))};

private:
    bool m_isOpen = false;
};

} // namespace gridhelm::test

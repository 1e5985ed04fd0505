// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/steering/field_service.h"

#include "ui/steering/evaluation/field_answering.h"

#include <optional>
#include <utility>

namespace gridhelm::ui {
namespace {

enum Command { evaluateByAnother, openAnother };

} // namespace

FieldService::FieldService(std::shared_ptr<const sparse::Backend> backend, QObject *parent)
    : QObject(parent)
    , m_worker({}, [this] { m_answering->useTime(); })
    , m_answering(std::make_unique<FieldAnswering>(
          m_worker, std::move(backend),
          FieldAnswering::Listener{
              [this](auto facts) { emit opened(std::move(facts)); },
              [this](const QString &sentence) { emit openFailed(sentence); },
              [this](const std::filesystem::path &study) { emit nothingToShow(study); },
              [this](auto frame) { emit frameReady(std::move(frame)); },
              [this](auto part) { emit partReady(std::move(part)); },
              [this](const QString &sentence) { emit failed(sentence); },
              [this](const QString &sentence) { emit backendFailed(sentence); },
          }))
{
}

/// First its thread, then what it uses, which wakes it until it goes.
FieldService::~FieldService()
{
    m_worker.end();
}

void FieldService::setBudget(std::chrono::duration<double> budget)
{
    m_answering->setBudget(budget.count());
}

void FieldService::setBackend(std::shared_ptr<const sparse::Backend> backend)
{
    m_worker.command(evaluateByAnother,
                     [this, backend = std::move(backend)] { m_answering->evaluateBy(backend); });
}

void FieldService::open(const std::filesystem::path &path)
{
    m_worker.startOver();
    m_worker.command(openAnother, [this, path] { m_answering->open(path); });
}

void FieldService::close()
{
    m_worker.startOver();
    m_worker.command(openAnother, [this] { m_answering->open(std::nullopt); });
}

std::uint64_t FieldService::request(FieldRequest request)
{
    request.number = ++m_lastNumber;
    const auto requester = FieldAnswering::requesterOf(request);
    m_worker.request(requester,
                     [this, request = std::move(request)] { m_answering->answer(request); });
    return m_lastNumber;
}

} // namespace gridhelm::ui

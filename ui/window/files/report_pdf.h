// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <stop_token>
#include <string>

namespace gridhelm::ui {

/// Throws gridhelm::Error if nothing can be written there, or something else than a report as PDF
/// is there already, which is not replaced. To be called before long work.
void requireReportPdf(const QString &path);

/// What data::reportPage() has written, on pages of A4 that have numbers; plots and pictures go no
/// wider than a page. In any thread of a program with windows, which has to be there until this
/// returns. Throws gridhelm::Error, also soon after a stop was requested, and leaves no
/// half-written file.
void writeReportPdf(const std::string &page, const QString &path, const std::stop_token &stop = {});

} // namespace gridhelm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/app/cli_process.h"

#include <QDir>
#include <QTemporaryDir>

#include <filesystem>

namespace gridhelm::test {

/// A folder that gridhelm-cli is run in.
class CliFolder
{
protected:
    QTemporaryDir m_folder;

    Outcome runHere(const QString &line, const QByteArray &input = {}) const
    {
        return runCli(line, input, m_folder.path());
    }
    std::filesystem::path path(const QString &name) const
    {
        return m_folder.filePath(name).toStdString();
    }
    QStringList filesHere() const { return QDir(m_folder.path()).entryList(QDir::Files); }
};

} // namespace gridhelm::test

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QtGlobal>

namespace gridhelm::desktop {

/// Why the platform that Qt would choose has no screen to show windows on, as a sentence; empty if
/// nothing speaks against it. To be asked before the QApplication is made, which would abort.
QString problemOfScreen(int argc, char **argv);

/// While it lives, Qt prints no warnings, and where it would abort, as without a platform plugin,
/// the program ends with one sentence and exit code 1.
class EndsWithSentence
{
public:
    EndsWithSentence();
    ~EndsWithSentence();
    EndsWithSentence(const EndsWithSentence &) = delete;
    EndsWithSentence &operator=(const EndsWithSentence &) = delete;

private:
    QtMessageHandler m_before;
};

/// Prints it; returns the exit code for it.
int complain(const QString &sentence);

} // namespace gridhelm::desktop

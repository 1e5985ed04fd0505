# SPDX-License-Identifier: GPL-3.0-or-later
#
# Run at every build: writes OUTPUT from TEMPLATE with VERSION and the commit of SOURCE_DIR.
# configure_file() leaves an unchanged file alone, so nothing is compiled again in vain.
# The commit is "unknown" where there is no git, no repository of our own, or no commit yet.

set(COMMIT unknown)
if(GIT_EXECUTABLE)
    execute_process(
        COMMAND "${GIT_EXECUTABLE}" -C "${SOURCE_DIR}" rev-parse --show-prefix --short=12 HEAD
        OUTPUT_VARIABLE answer RESULT_VARIABLE failed ERROR_QUIET)
    # The first line is empty exactly if SOURCE_DIR is the root of the repository: an unpacked
    # archive inside another project's repository must not report that project's commit.
    if(NOT failed AND answer MATCHES "^\n([0-9a-f]+)\n$")
        set(COMMIT "${CMAKE_MATCH_1}")
        execute_process(
            COMMAND "${GIT_EXECUTABLE}" -C "${SOURCE_DIR}" status --porcelain --untracked-files=no
            OUTPUT_VARIABLE changes RESULT_VARIABLE failed ERROR_QUIET)
        if(NOT failed AND NOT changes STREQUAL "")
            string(APPEND COMMIT "-dirty")
        endif()
    endif()
endif()
configure_file("${TEMPLATE}" "${OUTPUT}" @ONLY)

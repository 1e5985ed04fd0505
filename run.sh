#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Shows Gridhelm at work: installs what is missing, builds the release, makes a study of a flow if
# there is none yet (real simulations, half a minute), and opens it in the window. Without a screen
# the window gives a tour of itself on a virtual one, and pictures of it stay. Run it again as often
# as you like: what is there stays.
set -euo pipefail
cd "$(dirname "$0")"

.ci/install-packages core data vtk desktop

log=build/run.log
mkdir -p build
build() {
    # The window needs no tests; a build tree that has them keeps them.
    local tests=()
    [ -f build/release/build.ninja ] || tests=(-DGRIDHELM_WITH_TESTS=OFF)
    cmake --preset release "${tests[@]}"
    cmake --build --preset release --target gridhelm gridhelm-cli -j"$(nproc)"
}
[ -x build/release/bin/gridhelm ] || echo "building (a few minutes the first time) ..."
if ! build >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi

cli=build/release/bin/gridhelm-cli
study=build/cavity.gridhelm
[ -f $study ] || $cli sample cavity --out $study
echo
$cli info $study
echo
if [ -n "${DISPLAY:-}" ]; then
    echo "The window opens; the command line is $cli --help"
    exec build/release/bin/gridhelm $study
fi
echo "There is no screen, so the window shows itself on a virtual one:"
LIBGL_ALWAYS_SOFTWARE=1 xvfb-run -a -s "-screen 0 1280x800x24 +extension GLX -nolisten tcp" \
    build/release/bin/gridhelm $study --tour build/tour
echo "These are pictures of it. The command line is $cli --help"

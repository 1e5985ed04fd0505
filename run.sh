#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Shows Gridhelm at work: installs what is missing, builds the release, makes a study of a flow if
# there is none yet (real simulations, half a minute), and opens it in the window. Without a screen
# the window gives a tour of itself on a virtual one, and pictures of it stay. Run it again as often
# as you like: what is there stays. CUDA's kernels are compiled where a GPU is found; --cuda compiles them
# for all GPUs (much longer).
set -euo pipefail
cd "$(dirname "$0")"

options=()
case "$*" in
    '') ;;
    --cuda) options=(-DGRIDHELM_WITH_CUDA=ON) ;;
    *) echo "usage: $0 [--cuda]" >&2; exit 2 ;;
esac

.ci/install-packages core data vtk desktop

folder=build/release
mkdir -p $folder
if [ ! -f $folder/build.ninja ]; then # a build tree that is there keeps its options
    options+=(-DGRIDHELM_WITH_TESTS=OFF)
    if command -v ccache >/dev/null; then
        options+=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache
            -DCMAKE_CUDA_COMPILER_LAUNCHER=ccache)
    fi
fi
if ! cmake --preset release "${options[@]}" >$folder/configure.log 2>&1; then
    cat $folder/configure.log >&2
    exit 1
fi
.ci/build $folder gridhelm gridhelm-cli

cli=$folder/bin/gridhelm-cli
study=build/cavity.gridhelm
[ -f $study ] || $cli sample cavity --out $study
echo
$cli info $study
echo
if [ -n "${DISPLAY:-}" ]; then
    echo "The window opens; the command line is $cli --help"
    exec $folder/bin/gridhelm $study
fi
echo "There is no screen, so the window shows itself on a virtual one:"
LIBGL_ALWAYS_SOFTWARE=1 xvfb-run -a -s "-screen 0 1280x800x24 +extension GLX -nolisten tcp" \
    $folder/bin/gridhelm $study --tour build/tour
echo "These are pictures of it. The command line is $cli --help"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/cluster/slurm_scripts.h"

#include "data/campaign/desk_mark.h"
#include "data/support/shell_word.h"

#include <fmt/format.h>

namespace gridhelm::data {

namespace {

/// Where modules and Slurm itself come into the PATH on many clusters.
constexpr const char *profile =
    "[ -r /etc/profile ] && . /etc/profile </dev/null >/dev/null 2>&1\n";

std::string enter(const std::string &folder)
{
    return "cd -- " + shellWord(folder) + " || exit 90\n";
}

/// As one argument, if there is a value.
std::string option(const char *name, const std::string &value)
{
    return value.empty() ? std::string() : fmt::format(" {}={}", name, shellWord(value));
}

/// Reads the batch and Slurm's number of a token $t into $id and $i.
constexpr const char *readBatch = "b=; i=; id=\n"
                                  "[ -e \"$t/batch\" ] && read -r b i <\"$t/batch\"\n"
                                  "[ -n \"$b\" ] && [ -e \"batches/$b/id\" ] && "
                                  "read -r id <\"batches/$b/id\"\n";

/// Defines tidy: a batch goes if none of its runs is there any more, or can be run.
constexpr const char *tidyBatch =
    "gone() {\nwhile read -r t; do [ -d \"$t\" ] && [ ! -L \"$t/started\" ] && return 1; done"
    " <\"batches/$1/runs\"\nreturn 0\n}\n"
    "tidy() {\ncase $1 in batch-*[!0-9a-f-]*) return ;; batch-*) ;; *) return ;; esac\n"
    "[ -e \"batches/$1/runs\" ] && gone \"$1\" && rm -rf -- \"batches/$1\"\n}\n";

/// The names of an owner's files.
std::string filesOf(const RunOwner &owner)
{
    const auto parts = partsOf(owner.mark);
    return fmt::format("owners/p-{}-{} owners/f-{}-{}", parts.path, parts.study, parts.file,
                       parts.study);
}

} // namespace

std::string contactScript(const SlurmSettings &settings)
{
    return std::string(profile) + "cd || exit 90\nmkdir -p -m 700 -- " + shellWord(settings.folder)
           + " || exit 90\n" + enter(settings.folder)
           + "mkdir -p -m 700 batches || exit 90\n"
             "printf 'folder %s\\n' \"$(pwd -P)\"\n"
             "for p in sbatch squeue scancel tar sed bash; do\n"
             "command -v \"$p\" >/dev/null || printf 'lacks %s\\n' \"$p\"\n"
             "done\n"
             "command -v sbatch >/dev/null || exit 0\n"
             "printf 'version %s\\n' \"$(sbatch --version)\"\n"
             "scontrol show config 2>/dev/null | "
             "grep -E '^(ClusterName|MaxArraySize|AccountingStorageType) '\n"
             "exit 0\n";
}

std::string elementScript(const SlurmSettings &settings, const std::string &folder,
                          const std::string &batch)
{
    std::string setup;
    if (!settings.modules.empty())
        setup += "module load " + settings.modules + " || exit 1\n";
    if (!settings.setup.empty())
        setup += settings.setup + "\n";
    // A login shell: that is where "module" is defined.
    return "#!/bin/bash -l\n" + enter(folder)
           + fmt::format("run=$(sed -n \"$((SLURM_ARRAY_TASK_ID + 1))p\" batches/{}/runs)\n", batch)
           + "[ -n \"$run\" ] && cd -- \"$run\" || exit 90\n"
             "mkdir started 2>/dev/null || exit 0\n"
             "(\ncd run || exit 90\n"
           + setup
           + "exec /bin/sh ../command\n) >log 2>&1\n"
             "code=$?\n"
             "printf '%s\\n' \"$code\" >ended.part && mv ended.part ended\n"
             "exit \"$code\"\n";
}

std::string commandScript(std::span<const std::string> arguments,
                          std::span<const std::pair<std::string, std::string>> environment)
{
    std::string script = "#!/bin/sh\nexec env";
    for (const auto &[name, value] : environment)
        script += " " + shellWord(name + "=" + value);
    for (const auto &argument : arguments)
        script += " " + shellWord(argument);
    return script + "\n";
}

std::string submitScript(const SlurmSettings &settings, const std::string &folder,
                         const std::string &batch, std::size_t runs, const RunOwner &owner)
{
    const auto incoming = ".incoming-" + batch;
    const auto options =
        fmt::format(" --parsable --no-requeue --output=batches/{0}/slurm-%a"
                    " --error=batches/{0}/slurm-%a --open-mode=append --job-name={0}"
                    " --array=0-{1}%{2} --nodes=1 --ntasks=1 --cpus-per-task={3}",
                    batch, runs - 1, settings.atOnce, settings.cores)
        + option("--partition", settings.partition) + option("--account", settings.account)
        + option("--qos", settings.qos) + option("--time", settings.time)
        + option("--mem", settings.memory);
    std::string requireOwner;
    if (!owner.mark.empty())
        requireOwner = fmt::format(
            "for f in {}; do o=; [ -e \"$f\" ] && read -r o <\"$f\"\n"
            "[ \"$o\" = {} ] || {{ echo 'another gridhelm has asked after the runs of this study "
            "since; let one of them go on' >&2; refuse 94; }}; done\n",
            filesOf(owner), owner.session);
    // A cut archive is no error for tar: what is written last shows that it is whole.
    return profile + enter(folder)
           + fmt::format(
               "trap 'rm -rf {0}' EXIT\n"
               "mkdir -m 700 {0} && LC_ALL=C tar xf - -C {0} && [ -e {0}/whole ] || exit 91\n"
               "mv {0}/batch batches/{1} || exit 91\n"
               "while read -r t; do mv -T \"{0}/$t\" \"$t\" || exit 92; done"
               " <batches/{1}/runs\n"
               "refuse() {{\nwhile read -r t; do ln -sT claimed \"$t/started\" && "
               "rm -rf \"$t/run\"; done <batches/{1}/runs\nexit \"$1\"\n}}\n"
               "{3}id=$(sbatch{2} batches/{1}/script </dev/null) || refuse 93\n"
               "printf '%s\\n' \"${{id%%;*}}\" >batches/{1}/id || exit 91\n"
               "printf 'id %s\\n' \"${{id%%;*}}\"\n",
               incoming, batch, options, requireOwner);
}

std::string pollScript(const std::string &folder, std::span<const std::string> released, bool keep)
{
    std::string script = profile + enter(folder);
    if (!released.empty()) {
        script += tidyBatch;
        script += "for t in";
        for (const auto &token : released)
            script += " " + token;
        // What is kept is nobody's leftover, and no run to take up again.
        script += keep ? "; do [ ! -d \"$t\" ] || : >\"$t/kept\"; done\n"
                       : "; do\n[ -e \"$t/batch\" ] && read -r b i <\"$t/batch\" && echo \"$b\"\n"
                         "rm -rf -- \"$t\"\ndone | sort -u | "
                         "while read -r b; do tidy \"$b\"; done\n";
    }
    return script
           + "squeue </dev/null -h -r -u \"$(id -un)\" -o 'queue %T %K %j %r'\n"
             "printf 'queued %s\\n' \"$?\"\n"
             "while read -r t; do\n"
           + readBatch
           + "if [ -L \"$t/started\" ]; then echo \"C $t ${id:--} ${i:--} ${b:--}\"\n"
             "elif [ -e \"$t/ended\" ]; then c=; read -r c <\"$t/ended\"; "
             "echo \"E $t ${id:--} ${i:--} ${b:--} ${c:--}\"\n"
             "elif [ -d \"$t/started\" ]; then echo \"S $t ${id:--} ${i:--} ${b:--}\"\n"
             "elif [ -d \"$t\" ]; then echo \"W $t ${id:--} ${i:--} ${b:--}\"\n"
             "else echo \"N $t - - -\"; fi\n"
             "done\n";
}

/// In one step, that cannot be cut in two: where there is a link, no folder can be made, and where
/// there is a folder no link.
std::string claimScript(const std::string &folder)
{
    return enter(folder)
           + "while read -r t; do\n"
             "mkdir -p \"$t\" && { ln -sT claimed \"$t/started\" 2>/dev/null || "
             "[ -L \"$t/started\" ]; } && echo \"claimed $t\" || echo \"taken $t\"\n"
             "done\n";
}

/// The controller knows at once, but forgets after some minutes; the accounting lags.
std::string endsScript(std::span<const std::string> jobs)
{
    std::string words;
    for (const auto &job : jobs)
        words += " " + job;
    return profile
           + fmt::format("for j in{}; do\n"
                         "s=$(scontrol -o show job \"$j\" 2>/dev/null </dev/null | "
                         "sed -n 's/.*JobState=\\([A-Z_]*\\).*/\\1/p')\n"
                         "if [ -n \"$s\" ]; then echo \"$j|$s\"; else\n"
                         "sacct -n -P -X -o JobID,State -j \"$j\" 2>/dev/null </dev/null; fi\n"
                         "done\nexit 0\n",
                         words);
}

std::string tokensScript(const std::string &folder, std::string_view mark)
{
    const auto parts = partsOf(mark);
    const std::string any(8, '?');
    return enter(folder)
           + fmt::format(
               "for t in *-{0}{3}{2}-* *-{3}{1}{2}-*; do\n"
               "if [ -e \"$t/kept\" ]; then :\n"
               "elif [ -e \"$t/ended\" ]; then echo \"ended $t\"\n"
               "elif [ -d \"$t\" ] && [ ! -L \"$t/started\" ]; then echo \"there $t\"; fi\n"
               "done\nexit 0\n",
               parts.path, parts.file, parts.study, any);
}

std::string takeOverScript(const std::string &folder, const RunOwner &owner)
{
    return enter(folder)
           + fmt::format("mkdir -p -m 700 owners || exit 91\n"
                         "for f in {0}; do printf '%s\\n' {1} >owners/.{1} && "
                         "mv -f -T owners/.{1} \"$f\" || exit 91; done\n",
                         filesOf(owner), owner.session)
           + tokensScript(folder, owner.mark);
}

std::string leftoversScript(const std::string &folder, std::string_view mark)
{
    return enter(folder) + tidyBatch
           + "find . -mindepth 1 -maxdepth 1 -type d -name '.incoming-batch-*' -mtime +1 "
             "-exec rm -rf -- {} + 2>/dev/null\n"
             "find batches -mindepth 1 -maxdepth 1 -type d -name 'batch-*' -mtime +1 2>/dev/null | "
             "while read -r b; do tidy \"${b#batches/}\"; done\n"
             "find . -mindepth 2 -maxdepth 2 -type l -name started -lname claimed -mtime +1 "
             "2>/dev/null | while read -r l; do rm -rf -- \"${l%/started}\"; done\n"
           + tokensScript(folder, mark);
}

std::string fetchScript(const std::string &folder, const std::string &token)
{
    return enter(folder) + "cd -- " + token + " && tar cf - run log\n";
}

std::string logScript(const std::string &folder, const std::string &token, std::size_t bytes)
{
    return enter(folder)
           + fmt::format("t={0}\n{1}[ -e \"$t/log\" ] && tail -c {2} \"$t/log\"\n"
                         "[ -s \"batches/$b/slurm-$i\" ] && tail -c {2} \"batches/$b/slurm-$i\"\n"
                         "exit 0\n",
                         token, readBatch, bytes);
}

std::string cancelScript(const std::string &folder)
{
    return profile + enter(folder) + "while read -r t; do\n" + readBatch
           + "[ -n \"$id\" ] && echo \"${id}_$i\"\n"
             "done | xargs -r -n 50 scancel\n";
}

} // namespace gridhelm::data

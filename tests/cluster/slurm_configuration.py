# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of slurm-on-loopback: what is between braces differs from start to start."""

SLURM = """\
ClusterName=loopback
SlurmctldHost={hostname}(127.0.0.1)
SlurmctldPort={slurmctld_port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket={folder}/run/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool/%n
SlurmctldPidFile={folder}/run/slurmctld.pid
SlurmdPidFile={folder}/run/%n.pid
SlurmctldLogFile={folder}/log/slurmctld.log
SlurmdLogFile={folder}/log/%n.log
SlurmdParameters=config_overrides
MpiDefault=none
MailProg=/bin/true
SwitchType=switch/none
ProctrackType=proctrack/linuxproc
ReturnToService=2
PropagateResourceLimits=NONE
# Jobs start and end at once, not within Slurm's usual seconds.
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,batch_sched_delay=0,sched_min_interval=0,bf_interval=1
CompleteWait=0
KillWait=2
SlurmdTimeout=30
SlurmctldTimeout=30
MinJobAge={min_job_age}
MaxArraySize={max_array}
MaxJobCount=10000
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
DefMemPerCPU=50
{memory_limit}
{accounting}
NodeName=DEFAULT CPUs={cpus} RealMemory={node_memory} State=UNKNOWN
{nodes}
PartitionName=test Nodes=ALL Default=YES MaxTime=INFINITE DefaultTime=10 State=UP
PartitionName=short Nodes=ALL MaxTime=1 DefaultTime=1 State=UP
"""

# A job's memory is looked at once in a second; one above its limit ends as FAILED, exit code 0:9.
MEMORY_LOOKED_AT = """\
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
JobAcctGatherParams=OverMemoryKill
"""

# The kernel limits it; one above its limit ends as OUT_OF_MEMORY. Slurm has nothing else for that.
MEMORY_IN_CGROUPS = """\
TaskPlugin=task/cgroup
JobAcctGatherType=jobacct_gather/none
"""

CGROUP = """\
CgroupPlugin=cgroup/v1
CgroupMountpoint={cgroups}
ConstrainRAMSpace=yes
"""

ACCOUNTING = """\
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort={slurmdbd_port}
AccountingStoragePass={folder}/run/munge.socket
AccountingStoreFlags=job_comment
"""

SLURMDBD = """\
AuthType=auth/munge
AuthInfo=socket={folder}/run/munge.socket
DbdHost={hostname}
DbdAddr=127.0.0.1
DbdPort={slurmdbd_port}
SlurmUser={user}
LogFile={folder}/log/slurmdbd.log
PidFile={folder}/run/slurmdbd.pid
StorageType=accounting_storage/mysql
StorageHost=127.0.0.1
StoragePort={mariadbd_port}
StorageUser=slurm
StoragePass={password}
StorageLoc=slurm
"""

# Slurm's commands in a session find this Slurm; no limit on connections that start at once.
SSHD = """\
ListenAddress 127.0.0.1
Port {sshd_port}
HostKey {folder}/keys/host
AuthorizedKeysFile {folder}/keys/user.pub
PidFile {folder}/run/sshd.pid
StrictModes no
UsePAM no
PermitRootLogin prohibit-password
PasswordAuthentication no
KbdInteractiveAuthentication no
MaxStartups 1000
MaxSessions 100
Subsystem sftp internal-sftp
SetEnv SLURM_CONF={folder}/etc/slurm.conf HOME={folder}/home {mark}={folder}
"""

SSH = """\
Host gridhelm-test
    HostName 127.0.0.1
    Port {sshd_port}
    User {user}
    IdentityFile {folder}/keys/user
    IdentitiesOnly yes
    UserKnownHostsFile {folder}/keys/known_hosts
    StrictHostKeyChecking yes
"""

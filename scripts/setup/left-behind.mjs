/** Finds processes and temporary folders that a test run leaves. The run has its own temporary folder as `TMPDIR`. */
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Caches of programs, which all runs of a user share in a common temporary folder. */
const isCache = (name) => /^(tsx-\d+|playwright-transform-cache.*|node-compile-cache|node-jiti|jest_\w+)$/.test(name);

const openOf = (pid) => [
  readlinkSync(`/proc/${pid}/cwd`),
  ...readdirSync(`/proc/${pid}/fd`).map((name) => readlinkSync(`/proc/${pid}/fd/${name}`)),
];

/**
 * The processes that a run has started. They have its temporary folder in their environment or, if that is empty (workerd) or
 * overwritten by the process title (nginx), in their open files. Processes of others do not. Empty without /proc.
 */
function processesOf(folder) {
  if (!existsSync('/proc/self/environ')) return [];
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return [];
    try {
      const open = openOf(pid);
      const isOurs =
        readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`TMPDIR=${folder}`) ||
        open.some((file) => file.startsWith(folder + path.sep));
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      return isOurs && command ? [{ pid: Number(pid), command }] : [];
    } catch {
      // The process has ended, or belongs to another user.
      return [];
    }
  });
}

/** Ends the processes that a run has left, and returns lines about them and about the files in its folder; empty if nothing is left. */
export async function leftBehind(folder, { patienceMs = 120_000 } = {}) {
  // Processes that are shutting down, or remove the files of databases, need a moment.
  for (const end = Date.now() + patienceMs; processesOf(folder).length > 0 && Date.now() < end; ) await sleep(100);
  const processes = processesOf(folder);
  for (const { pid } of processes) process.kill(pid, 'SIGKILL');
  const counts = new Map();
  for (const name of readdirSync(folder).filter((name) => !isCache(name))) {
    const kind = name.replace(/[-.]?\w{6}$/, '');
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [
    ...processes.map(({ pid, command }) => `process ${pid}: ${command.slice(0, 120)}`),
    ...[...counts].map(([kind, count]) => `temporary files: ${count} × ${kind}…`),
  ];
}

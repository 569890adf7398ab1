/** What a run of tests leaves: processes and temporary folders. It runs with a temporary folder of its own as `TMPDIR`. */
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Caches of programs, which all runs of a user share where the temporary folder is everybody's. */
const isCache = (name) => /^(tsx-\d+|playwright-transform-cache.*|node-compile-cache|node-jiti|jest_\w+)$/.test(name);

/** Of a process: the files and sockets that it has open, and its working folder. */
const openOf = (pid) => [
  readlinkSync(`/proc/${pid}/cwd`),
  ...readdirSync(`/proc/${pid}/fd`).map((name) => readlinkSync(`/proc/${pid}/fd/${name}`)),
];

/**
 * The processes that a run has started: they have its temporary folder in their environment or, where that is empty (workerd) or
 * overwritten by their title (nginx), work in that folder. Nobody else's are among them. None where there is no /proc.
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
      // It has ended meanwhile, or is somebody else's.
      return [];
    }
  });
}

/** Ends the processes that a run has left, and says in lines what they were and what is in its folder: nothing, if all is well. */
export async function leftBehind(folder, { patienceMs = 30_000 } = {}) {
  // Those that were told to end take a moment.
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

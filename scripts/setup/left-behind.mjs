/** What a run of tests leaves: processes and temporary folders. It runs with a temporary folder of its own as `TMPDIR`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Ids and commands of the processes with that temporary folder; none where there is no /proc. */
function processesIn(folder) {
  if (!existsSync('/proc/self/environ')) return [];
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return [];
    try {
      if (!readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`TMPDIR=${folder}`)) return [];
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      return command ? [{ pid: Number(pid), command }] : [];
    } catch {
      // It has ended meanwhile, or is somebody else's.
      return [];
    }
  });
}

/** Ends the processes that a run has left, and says in lines what they were and what is in its folder. */
export async function leftBehind(folder, { patienceMs = 10_000 } = {}) {
  // Those that were told to end take a moment.
  for (const end = Date.now() + patienceMs; processesIn(folder).length > 0 && Date.now() < end; ) await sleep(100);
  const processes = processesIn(folder);
  for (const { pid } of processes) process.kill(pid, 'SIGKILL');
  const counts = new Map();
  for (const name of readdirSync(folder)) {
    const kind = name.replace(/[-.]?\w{6}$/, '');
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return {
    processes: processes.map(({ pid, command }) => `process ${pid}: ${command.slice(0, 120)}`),
    folders: [...counts].map(([kind, count]) => `${count} × ${kind}…`),
  };
}

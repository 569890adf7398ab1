import { readFileSync } from 'node:fs';

/** Of Linux's list of processes. */
const TICK_MS = 10;

export interface ProcessTime {
  /** Processor time so far, of all threads. */
  usedMs: number;
  /** Its main thread waits for something, so that it would use no processor either. */
  isWaiting: boolean;
}

export type TimeOf = (id: number) => ProcessTime | undefined;

/** Of the innermost process below this one, since what sets limits around it stays outside. Undefined where it is not known. */
export function processTime(id: number): ProcessTime | undefined {
  try {
    const [, rest = ''] = /^.*\) (.*)$/s.exec(readFileSync(`/proc/${innermost(id)}/stat`, 'utf8')) ?? [];
    const fields = rest.split(' ');
    return { usedMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS, isWaiting: fields[0] === 'S' };
  } catch {
    return undefined;
  }
}

function innermost(id: number): number {
  const [child] = readFileSync(`/proc/${id}/task/${id}/children`, 'utf8').split(' ');
  return child ? innermost(Number(child)) : id;
}

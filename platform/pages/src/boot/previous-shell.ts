import type { FallbackRelease } from '@platform/releases/contract';

type FileWithHash = readonly [url: string, integrity: string];

export interface PreviousShell {
  version: string;
  js: readonly FileWithHash[];
  css: readonly FileWithHash[];
}

export function previousShellAttribute({ version, base, initial, integrity }: FallbackRelease): string {
  const withHash = (files: string[]) => files.map((file): FileWithHash => [base + file, integrity[file] ?? '']);
  const shell: PreviousShell = { version, js: withHash(initial.js), css: withHash(initial.css) };
  return JSON.stringify(shell);
}

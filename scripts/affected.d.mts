export function affectedBy(
  files: string[],
  dependents: string[],
): { parts: string[]; workspaces: string[]; nightly: Array<{ tests: string; folders: string[]; reason: string }> };

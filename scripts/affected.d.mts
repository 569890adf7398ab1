interface NightlyTests {
  tests: string;
  folders: string[];
  reason: string;
}
export const nightly: NightlyTests[];
export function affectedBy(
  files: string[],
  dependents: string[],
): { parts: string[]; workspaces: string[]; nightly: NightlyTests[] };

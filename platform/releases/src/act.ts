interface ReleaseNamed {
  name: string;
  version?: string;
}

/** What each act is about. */
export interface ActBodies {
  promote: ReleaseNamed & {
    /** Per cent of the visitors. */
    traffic?: number;
    canary?: readonly number[] | 'auto';
    skip?: string[];
    replace?: boolean;
  };
  'promote-together': { releases: ReleaseNamed[]; replace?: boolean };
  gate: ReleaseNamed & { skip?: string[] };
  rollback: {
    name: string;
    to?: string;
    /** The release that is to be replaced. */
    from?: string;
    /** Although more checks fail than with what is live. */
    anyway?: boolean;
  };
  restore: { rev: number; anyway?: boolean };
  freeze: ReleaseNamed;
  unfreeze: ReleaseNamed;
  'render-off': { name: string };
  'render-on': { name: string };
}
export type ActName = keyof ActBodies;

/** What somebody does to releases, as the command line and the API both take it; all acts, or those named. */
export type ActRequest<Name extends ActName = ActName> = { [One in Name]: { act: One } & ActBodies[One] }[Name];

export const ACTS = [
  'promote',
  'promote-together',
  'gate',
  'rollback',
  'restore',
  'freeze',
  'unfreeze',
  'render-off',
  'render-on',
] as const satisfies readonly ActName[];

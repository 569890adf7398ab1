export interface ReleaseNamed {
  name: string;
  version?: string;
}

export interface ActionBodies {
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
    from?: string;
    /** Continues although more checks fail than with the live release. */
    anyway?: boolean;
  };
  restore: { rev: number; anyway?: boolean };
  freeze: ReleaseNamed;
  unfreeze: ReleaseNamed;
  'render-off': { name: string };
  'render-on': { name: string };
}
export type ActionName = keyof ActionBodies;

/** An action on releases, as the command line and the API both accept it: all actions, or the named ones. */
export type ActionRequest<Name extends ActionName = ActionName> = {
  [One in Name]: { action: One } & ActionBodies[One];
}[Name];

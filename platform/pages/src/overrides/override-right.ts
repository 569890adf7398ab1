/** Who may have releases that are not live in a tab of their own. */
export interface OverrideRight {
  /** As the panel names them. */
  by: string;
  /** The releases that it is for; 'all' for whoever looks after all of them. */
  names: readonly string[] | 'all';
  /** Whether their browser has asked for the panel. */
  panel: boolean;
}

/** By the cookies of a request; null for everybody else, whatever they send. */
export type FindOverrideRight = (cookies: string | undefined) => Promise<OverrideRight | null>;

export const covers = ({ names }: OverrideRight, name: string): boolean => names === 'all' || names.includes(name);

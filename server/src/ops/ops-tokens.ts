/** Who may sign in at /ops: with the shared token under a name that they type, or with a token of their own. */
export interface OpsTokens {
  shared?: string;
  /** Names and their tokens. */
  named: ReadonlyMap<string, string>;
}

/** Without characters that cannot be seen, by which one name could pass for another. */
export const isName = (text: string): boolean => /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,39}$/u.test(text);

/** "name:token,name:token"; undefined when it is malformed or names somebody twice. */
export function parseOpsTokens(text: string): OpsTokens['named'] | undefined {
  const named = new Map<string, string>();
  for (const part of text.split(',').filter((one) => one.trim())) {
    const [, name = '', token = ''] = /^([^:]*):(.*)$/.exec(part.trim()) ?? [];
    if (!isName(name) || !token || isNamed(named, name)) return undefined;
    named.set(name, token);
  }
  return named;
}

/** Nobody may take the name of somebody with a token of their own, however it is written. */
export const isNamed = (named: OpsTokens['named'], name: string): boolean =>
  [...named.keys()].some((one) => one.normalize('NFKC').toLowerCase() === name.normalize('NFKC').toLowerCase());

export const cleanName = (name: string) => name.replace(/\s+/g, ' ').trim();

/** Names that look alike have the same key. */
export const nameKey = (name: string) => cleanName(name.normalize('NFKC')).toLowerCase();

/** The actor's name in the audit log. */
export const staffName = (name: string) => `${name} (staff)`;

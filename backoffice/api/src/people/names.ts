export const cleanName = (name: string) => name.replace(/\s+/g, ' ').trim();

/** One name for what looks alike. */
export const nameKey = (name: string) => cleanName(name.normalize('NFKC')).toLowerCase();

/** Of somebody in the audit log. */
export const staffName = (name: string) => `${name} (staff)`;

/** What somebody at /staff may do; a manager may do everything. */
export const staffRoles = ['seller', 'stock', 'money', 'manager'] as const;
export type StaffRole = (typeof staffRoles)[number];

/** Whom a call of /staff serves: nobody signed in, everybody signed in, or these roles and managers. */
export type StaffAccess = 'guest' | 'everybody' | readonly StaffRole[];

export const isServed = (access: StaffAccess, role: StaffRole): boolean =>
  typeof access === 'string' || role === 'manager' || access.includes(role);

/** Roles of staff. A manager may do everything. */
export const staffRoles = ['seller', 'stock', 'money', 'manager', 'ops'] as const;
export type StaffRole = (typeof staffRoles)[number];

/** Whom a call of the console serves: guests, all who are signed in, or these roles and managers. */
export type StaffAccess = 'guest' | 'everybody' | readonly StaffRole[];

export const isServed = (access: StaffAccess, role: StaffRole): boolean =>
  typeof access === 'string' || role === 'manager' || access.some((one) => one === role);

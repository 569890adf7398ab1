/** Roles of staff. A manager may do everything. */
export const staffRoles = ['seller', 'stock', 'money', 'manager', 'ops'] as const;
export type StaffRole = (typeof staffRoles)[number];

/** Who works in which area besides managers: the pages of the console and the calls of the API follow this table. */
const areas = {
  queue: ['seller'],
  find: ['seller', 'money'],
  accounts: ['money'],
  refunds: ['money'],
  enquiries: ['seller'],
  holds: [],
  goods: ['stock'],
  stock: ['stock'],
  coupons: ['stock'],
  levels: ['stock'],
  givenLevels: ['stock', 'money'],
  home: ['stock'],
  articles: ['stock'],
  releases: ['ops'],
  reports: ['money'],
  people: [],
  audit: [],
  erasure: [],
  settings: [],
} as const satisfies Record<string, readonly StaffRole[]>;
export type Area = keyof typeof areas;

/** Whom a call of the console serves: guests, all who are signed in, or who works in an area. */
export type StaffAccess = 'guest' | 'everybody' | Area;

export function isServed(access: StaffAccess, role: StaffRole): boolean {
  if (access === 'guest' || access === 'everybody' || role === 'manager') return true;
  const roles: readonly StaffRole[] = areas[access];
  return roles.includes(role);
}

export const staffRoles = ['seller', 'stock', 'money', 'manager', 'ops'] as const;
export type StaffRole = (typeof staffRoles)[number];

/** The roles that work in each area, besides managers. The pages of the console and the calls of the API follow this table. */
const areas = {
  queue: ['seller'],
  find: ['seller', 'money'],
  orders: ['seller', 'money'],
  contacts: [],
  accounts: ['money'],
  refunds: ['money'],
  enquiries: ['seller'],
  holds: [],
  goods: ['stock'],
  stock: ['stock'],
  coupons: ['stock'],
  levels: ['stock'],
  suppliers: ['stock'],
  givenLevels: ['stock', 'money'],
  home: ['stock'],
  articles: ['stock'],
  releases: ['ops'],
  notices: ['ops'],
  reports: ['money'],
  people: [],
  audit: [],
  erasure: [],
  settings: [],
} as const satisfies Record<string, readonly StaffRole[]>;
export type Area = keyof typeof areas;

export type StaffAccess = 'guest' | 'signed-in' | Area;

export function isServed(access: StaffAccess, role: StaffRole): boolean {
  if (access === 'guest' || access === 'signed-in' || role === 'manager') return true;
  const roles: readonly StaffRole[] = areas[access];
  return roles.includes(role);
}

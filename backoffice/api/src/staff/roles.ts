/** As the release API knows them; named here too, because this file is of the wire, which squads outside get. */
type Role = 'ops' | 'platform' | 'squad' | 'viewer';

/** Who works in the back office. A manager may do everything. */
export const staffRoles = ['seller', 'stock', 'money', 'manager', 'ops'] as const;
export type StaffRole = (typeof staffRoles)[number];
/** The others see releases only, and sign in at the provider: people of a squad, for example. */
export type BackOfficeRole = StaffRole | Role;

/** The table of roles: what each is in the releases. Null: it does not see them. */
const rolesInReleases: Record<BackOfficeRole, Role | null> = {
  seller: null,
  stock: null,
  money: null,
  manager: 'ops',
  ops: 'ops',
  platform: 'platform',
  squad: 'squad',
  viewer: 'viewer',
};
export const roleInReleases = (role: BackOfficeRole): Role | null => rolesInReleases[role];
export const isStaffRole = (role: unknown): role is StaffRole => staffRoles.some((one) => one === role);

/**
 * Whom a call of /staff serves: nobody signed in, everybody whose session is good, also while the database is away, everybody signed
 * in, or these roles and managers.
 */
export type StaffAccess = 'guest' | 'session' | 'everybody' | readonly StaffRole[];

export const isServed = (access: StaffAccess, role: BackOfficeRole): boolean =>
  typeof access === 'string' || role === 'manager' || access.some((one) => one === role);

import type { Database } from './database';

/** Made by schema/audit.sql: may add to what has happened, and take nothing of it back. */
export const APP_ROLE = 'shop_app';

/** From now on the database is used as the application's role, where that exists and the login may take it. */
export async function actAsApp(db: Database): Promise<void> {
  const { may } = await db.one<{ may: boolean | null }>(
    `select pg_has_role(to_regrole('${APP_ROLE}')::oid,
            case when current_setting('server_version_num')::integer >= 160000 then 'set' else 'member' end) as may`,
  );
  if (may) await db.actAs(APP_ROLE);
}

/** One line for whoever starts the server; undefined where nobody whom it could be may empty the ledger or the audit log. */
export async function roleWarning(db: Database): Promise<string | undefined> {
  const { role, login, roleMay, loginMay } = await db.one<{
    role: string;
    login: string;
    roleMay: boolean;
    loginMay: boolean;
  }>(
    `select current_user::text as role, session_user::text as login, has_table_privilege('ledger_entries', 'truncate') as "roleMay",
            has_table_privilege(session_user, 'ledger_entries', 'truncate') as "loginMay"`,
  );
  const see = 'docs/operating.md, "Two database roles"';
  if (roleMay) return `The server acts on the database as "${role}", which may change and empty the ledger (${see}).`;
  // The embedded database has no logins.
  if (!loginMay || db.kind === 'embedded') return undefined;
  return `The server acts on the database as "${role}", but its login "${login}" may change and empty the ledger (${see}).`;
}

/** Address of the tables' owner on PostgreSQL; the server's own where only one is named. */
export const ownersUrl = (databaseUrl: string | undefined, env: NodeJS.ProcessEnv): string | undefined =>
  databaseUrl && (env.MIGRATIONS_DATABASE_URL || databaseUrl);

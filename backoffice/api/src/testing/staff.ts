import type { AppContext } from '@shop/server/context';
import type { ApiAnswer, TestApp } from '@shop/server/test/support/test-app';
import { acceptInvitation, authenticatorAddress } from '../people/invitations.service';
import { addStaff } from '../people/people.service';
import type { StaffRole } from '../people/roles';
import { totpCode, totpStep } from '../people/totp';

type Method = 'GET' | 'POST' | 'DELETE' | 'PUT';
const password = 'kelp-orbit-94-wagon';
let people = 0;

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
export function codeNow(address: string, now = Date.now()): string {
  const characters = [...(new URL(address).searchParams.get('secret') ?? '')];
  const bits = characters.map((character) => alphabet.indexOf(character).toString(2).padStart(5, '0')).join('');
  const secret = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  return totpCode(secret.toString('base64'), totpStep(now));
}

/** A browser sends these headers with a call of the console's own page. */
export const fromConsole = {
  'x-staff': 'act',
  'sec-fetch-site': 'same-origin',
  origin: 'http://localhost:80',
};

export interface StaffCredentials {
  name: string;
  password: string;
  address: string;
}

/** Creates a staff member who has accepted the invitation and can sign in. */
export async function staffUser(
  context: Pick<AppContext, 'db' | 'keyring'>,
  name: string,
  role: StaffRole,
): Promise<StaffCredentials> {
  const { token } = await addStaff(context, name, role);
  const choice = { token, password, address: `10.21.${people >> 8}.${people & 255}` };
  const address = await authenticatorAddress(context, choice);
  await acceptInvitation(context, { ...choice, code: codeNow(address) });
  // A code signs in once, so the current one is left for the sign-in.
  await context.db.run('update staff_people set totp_step = 0 where name = $1', [name]);
  return { name, password, address };
}

export class StaffMember {
  /** Each user has a separate network, because limits count by network. */
  readonly address = `10.20.${people >> 8}.${people++ & 255}`;
  cookie = '';
  credentials: StaffCredentials = { name: '', password, address: '' };

  constructor(private readonly testApp: () => TestApp) {}

  get name(): string {
    return this.credentials.name;
  }

  /** Identifies the member in the audit log. */
  get actor(): string {
    return `${this.name} (staff)`;
  }

  async signIn(wrong: Partial<Record<'name' | 'password' | 'code', string>> = {}): Promise<ApiAnswer> {
    const { name, password, address } = this.credentials;
    const answer = await this.post('session', { name, password, code: codeNow(address), ...wrong });
    const cookie = /^staff=[^;]+/.exec(String(answer.headers['set-cookie'] ?? ''));
    if (cookie) this.cookie = cookie[0];
    return answer;
  }

  call = (method: Method, url: string, body?: unknown, headers: Record<string, string> = {}): Promise<ApiAnswer> =>
    this.testApp().call(method, `/staff/api/${url}`, body, {
      address: this.address,
      locale: 'en',
      headers: { ...fromConsole, ...(this.cookie && { cookie: this.cookie }), ...headers },
    });
  /** Sends a request whose body or answer is a file. */
  inject = (method: 'GET' | 'POST', url: string, payload?: object | Buffer, headers: Record<string, string> = {}) =>
    this.testApp().console.inject({
      method,
      url: `/staff/api/${url}`,
      payload,
      headers: { ...fromConsole, cookie: this.cookie, locale: 'en', ...headers },
      remoteAddress: this.address,
    });
  get = (url: string, headers?: Record<string, string>) => this.call('GET', url, undefined, headers);
  proveCode = () => this.post('session/code', { code: codeNow(this.credentials.address, Date.now() + 30_000) });
  post = (url: string, body: unknown, headers?: Record<string, string>) => this.call('POST', url, body, headers);
  save = (path: string, key: string, value: unknown, revision: string | null = null) =>
    this.post(`${path}/save`, { key, value, revision });
}

export async function newStaff(
  testApp: TestApp,
  role: StaffRole,
  member = new StaffMember(() => testApp),
): Promise<StaffMember> {
  member.credentials = await staffUser(testApp.context, `${role} ${process.pid} ${member.address}`, role);
  return member;
}

export async function signedInStaff(testApp: TestApp, role: StaffRole, member?: StaffMember): Promise<StaffMember> {
  const user = await newStaff(testApp, role, member);
  const answer = await user.signIn();
  if (answer.code !== 200) throw new Error(answer.text);
  return user;
}

/** The newest entry of the audit log that meets a condition in SQL. */
export const lastEntry = (testApp: TestApp, condition: string, ...values: unknown[]) =>
  testApp.db.row<{ actor: string; action: string; subject: string; detail: object }>(
    `select actor, action, network, session, subject, detail from audit_log where ${condition} order by id desc limit 1`,
    values,
  );

/** The entries of the audit log that meet a condition in SQL, oldest first. */
export const auditEntries = (testApp: TestApp, condition: string, ...values: unknown[]) =>
  testApp.db.rows<{ actor: string; action: string; detail: object }>(
    `select actor, action, detail from audit_log where ${condition} order by id`,
    values,
  );

/** Everything of products that staff and price lists change. */
export const storedCatalogue = (testApp: TestApp) =>
  testApp.db.one<object>(
    `select (select jsonb_agg(to_jsonb(g) - 'updated_at' order by id) from goods g) as goods,
            (select jsonb_agg(s order by id) from goods_specs s) as specs,
            (select jsonb_agg(to_jsonb(p) - 'id' order by goods_id, spec_id, currency) from prices p) as prices,
            (select jsonb_agg(s order by spec_id, currency, from_qty) from price_steps s) as steps,
            (select jsonb_agg(l order by level_id, spec_id, currency) from level_prices l) as levels,
            (select jsonb_agg(h order by goods_id, currency) from shelf h) as shelf`,
  );

/** Returns the text of all codes and audit entries in the database, so that tests can look for secrets in it. */
export const codesAndAuditLog = (testApp: TestApp) =>
  testApp.db.value<string>(
    "select (select string_agg(c::text, '') from card_codes c) || (select string_agg(l::text, '') from audit_log l)",
  );

/** The buyer views the codes of the order. */
export const viewCodes = ({ db }: TestApp, order: string) =>
  db.run("insert into audit_log (actor, action, subject) values ('user', 'cards.reveal', $1)", [order]);

/** The supplier has the request of the order, and may still deliver. */
export const sendToSupplier = ({ db }: TestApp, order: string) =>
  db.run(
    `update supplier_requests set state = 1, tries = 3, sent_at = now(), next_at = now() + interval '1 hour', detail = 'pending'
      where order_id = (select id from orders where order_no = $1)`,
    [order],
  );

/** A staff member who signs in before the tests of the block. */
export function withStaff(testApp: () => TestApp, role: StaffRole): StaffMember {
  const member = new StaffMember(testApp);
  beforeAll(() => signedInStaff(testApp(), role, member));
  return member;
}

import { toString as qrText } from 'qrcode';
import type { AppContext } from '../../context';
import { addStaff, changeStaff, listStaff, resetStaff, type StaffCredentials } from '../../staff/people.service';
import { type StaffRole, staffRoles } from '../../staff/roles';
import { StaffError } from './common';

const actions = ['list', 'add', 'role', 'disable', 'enable', 'reset'] as const;

/** People who sign in at /staff. */
export async function staffCommand(
  context: AppContext,
  wish: { action: string; name: () => string; role: string | undefined },
): Promise<unknown> {
  const action = actions.find((one) => one === wish.action);
  if (!action) throw new StaffError(`"${wish.action}" is none of ${actions.join(', ')}.`);
  if (action === 'list')
    return (await listStaff(context.db)).map(({ name, role, created_at, disabled_at }) => ({
      name,
      role,
      created_at,
      disabled_at,
    }));
  const name = wish.name();
  if (action === 'add') {
    if (!/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,39}$/u.test(name))
      throw new StaffError('A name has up to 40 letters, digits, spaces, ".", "_" and "-".');
    return credentialsText(await addStaff(context, name, roleOf(wish.role)));
  }
  if (action === 'reset') return credentialsText(known(name, await resetStaff(context, name)));
  const change = action === 'role' ? { role: roleOf(wish.role) } : { disabled: action === 'disable' };
  known(name, await changeStaff(context, name, change));
}

function roleOf(text: string | undefined): StaffRole {
  const role = staffRoles.find((one) => one === text);
  if (!role) throw new StaffError(`Say --role ${staffRoles.join(', --role ')}.`);
  return role;
}

function known<T>(name: string, found: T | undefined): T {
  if (found === undefined) throw new StaffError(`Nobody at /staff is called "${name}".`);
  return found;
}

async function credentialsText({ name, password, address }: StaffCredentials): Promise<string> {
  return `${await qrText(address, { type: 'utf8' })}
Scan this with an authenticator app, or type its secret: ${new URL(address).searchParams.get('secret')}
Name: ${name}
Password: ${password}
This is shown once. Sign in at /staff, then change the password there.`;
}

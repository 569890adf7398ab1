import os from 'node:os';
import { StaffError } from '@shop/server/cli/common';

export function staffName(option: string | undefined, env: NodeJS.ProcessEnv): string {
  const name = (option ?? env.SUDO_USER ?? loginName()).trim();
  if (!/^[\p{L}\p{N}][\p{L}\p{N} @._-]{0,39}$/u.test(name))
    throw new StaffError('Give your name: --by <name>, up to 40 letters and digits.');
  return name;
}

/** Empty for a user without a name, as in some containers. */
function loginName(): string {
  try {
    return os.userInfo().username;
  } catch {
    return '';
  }
}

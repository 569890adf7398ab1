import { setImmediate as nextTurn } from 'node:timers/promises';
import { ShopError } from '@shop/server/platform/http/errors';
import { StaffErrorCode } from '@shop/shared/domain/staff-errors';

/** zxcvbn's scale of 0 to 4: from 3 on, a guess takes more than 10^8 tries. */
const SAFE_SCORE = 3;

/**
 * Loaded when a user sets the first password. The parts load in separate turns of the event loop, because each blocks the thread
 * for some 25 ms.
 */
async function load() {
  const { ZxcvbnFactory } = await import('@zxcvbn-ts/core');
  await nextTurn();
  const { adjacencyGraphs, dictionary } = await import('@zxcvbn-ts/language-common');
  await nextTurn();
  const { SITE } = await import('@shop/shared/site');
  await nextTurn();
  // The default of 100 substitutions blocks the thread for 50 ms at a password of 64 characters.
  const guesser = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, l33tMaxSubstitutions: 10 });
  return { guesser, shopNames: Object.values(SITE.name) };
}
let loaded: ReturnType<typeof load> | undefined;

const plain = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s._-]/g, '');

/** Throws StaffWeakPassword. */
export async function checkStaffPassword(password: string, name: string): Promise<void> {
  const length = [...password].length;
  if (length < 12 || length > 64) throw new ShopError(StaffErrorCode.StaffWeakPassword);
  loaded ??= load();
  const { guesser, shopNames } = await loaded;
  const names = [name, ...shopNames];
  if (
    names.some((name) => plain(password).includes(plain(name))) ||
    guesser.check(password, names.map(plain)).score < SAFE_SCORE
  )
    throw new ShopError(StaffErrorCode.StaffWeakPassword);
}

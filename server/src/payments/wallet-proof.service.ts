import { ErrorCode, type WalletProofRequest } from '@shop/shared/domain';
import { confirmUser } from '../accounts/auth/auth.service';
import { isOnNewDevice, recordProof } from '../accounts/sessions/sessions.service';
import type { AppContext } from '../context';
import type { Sql } from '../platform/db/sql';
import { ShopError, shopErrorOf } from '../platform/http/errors';
import type { Viewer } from '../platform/http/request';
import type { WalletProof, WalletProofBody } from './payments.schemas';

/** Must equal the value in the database function wallet_spend. */
const PROOF_SECONDS = 300;

/** Adds to wallet_spend's refusal which proofs the client may ask for; undefined for any other error. */
export async function walletProofRequired(sql: Sql, userId: number, error: unknown): Promise<ShopError | undefined> {
  if (shopErrorOf(error)?.code !== ErrorCode.WalletProofRequired) return undefined;
  return refusal(
    await requestOf(sql, userId, (error as { detail?: string }).detail === 'device' ? 'device' : 'amount'),
  );
}

const refusal = (request: WalletProofRequest) => new ShopError(ErrorCode.WalletProofRequired, request);

/** On a new device the password was already the first proof, so only a code counts as a second one. */
async function requestOf(sql: Sql, userId: number, reason: WalletProofRequest['reason']): Promise<WalletProofRequest> {
  const account = await sql.one<{ has_password: boolean; gets_codes: boolean }>(
    'select password_hash is not null as has_password, num_nonnulls(phone, sign_in_email) > 0 as gets_codes from users where id = $1',
    [userId],
  );
  return {
    reason,
    proofs: [
      ...(account.has_password && reason === 'amount' ? (['password'] as const) : []),
      ...(account.gets_codes ? (['verify'] as const) : []),
    ],
  };
}

/** Accepts a password or a code, after which this session may spend any amount for some minutes. */
export async function proveForWallet(
  context: AppContext,
  viewer: Viewer,
  { password, verify }: WalletProofBody,
  address: string,
): Promise<WalletProof> {
  const reason = (await isOnNewDevice(context.db, viewer)) ? 'device' : 'amount';
  const request = await requestOf(context.db, viewer.id, reason);
  const { proofs } = request;
  const proof =
    proofs.includes('verify') && verify ? { verify } : proofs.includes('password') && password ? { password } : null;
  if (!proof) throw refusal(request);
  await confirmUser(context, viewer, 'wallet', proof, address);
  await recordProof(context.db, viewer, 'verify' in proof);
  return { expires_in: PROOF_SECONDS };
}

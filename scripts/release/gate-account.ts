export interface ShopperAccount {
  phone: string;
  password: string;
}

/** Of a shop that is seeded for trying (server/src/seed/demo.ts). */
const DEMO_ACCOUNT = '13800000000:demo1234';

/**
 * RELEASE_GATE_ACCOUNT is `phone:password`. Without it a shop of this machine is tried with the account of the demonstration; any
 * other is not sent one, and is visited as a guest only.
 */
export function gateAccount(shop: string, { RELEASE_GATE_ACCOUNT }: NodeJS.ProcessEnv): ShopperAccount | undefined {
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(new URL(shop).hostname);
  const given = RELEASE_GATE_ACCOUNT || (isHere ? DEMO_ACCOUNT : '');
  const [, phone = '', password = ''] = /^([^:]*):(.*)$/.exec(given) ?? [];
  return phone ? { phone, password } : undefined;
}

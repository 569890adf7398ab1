export interface ShopperAccount {
  phone: string;
  password: string;
}

/** The account of a shop with demo data (server/src/seed/demo.ts). */
const DEMO_ACCOUNT = '13800000000:demo1234';

/**
 * RELEASE_GATE_ACCOUNT is `phone:password`. Without it, a shop on this machine gets the demo account; any other shop gets no
 * credentials and is visited as a guest only.
 */
export function gateAccount(shop: string, { RELEASE_GATE_ACCOUNT }: NodeJS.ProcessEnv): ShopperAccount | undefined {
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(new URL(shop).hostname);
  const credentials = RELEASE_GATE_ACCOUNT || (isHere ? DEMO_ACCOUNT : '');
  const [, phone = '', password = ''] = /^([^:]*):(.*)$/.exec(credentials) ?? [];
  return phone ? { phone, password } : undefined;
}

/** What moves money, rights and releases, and the tests that are to notice a fault in it. Paths from the repository's root. */
export interface Target {
  name: string;
  /** Globs of programs for Stryker; for `sql`, folders of server/src/platform/db/functions. */
  mutate: string[];
  tests: string[];
  kind: 'program' | 'server program' | 'sql';
}

const orders = [
  'notices',
  'order-detail',
  'order-limits',
  'order-price',
  'order-states',
  'place-order',
  'purchase',
  'shared-codes',
].map((name) => `server/src/orders/${name}.test.ts`);
const coupons = 'backoffice/api/src/staff/coupons/coupons.test.ts';
const liveShop = 'server/src/seed/live-shop.test.ts';
const holds = 'server/src/holds/holds.test.ts';
const staffHolds = 'backoffice/api/src/staff/holds/holds.test.ts';
const queue = 'backoffice/api/src/staff/queue.test.ts';
const refunds = ['server/src/payments/refund-order.test.ts', 'backoffice/api/src/staff/refunds.test.ts'];
const notices = 'server/src/payments/provider-notices.test.ts';
const payments = [notices, 'server/src/payments/reconcile.test.ts'];
const providers = 'server/src/providers/payments.test.ts';
const invariants = 'server/test/invariants/invariants.test.ts';
const walletProof = 'server/test/security/wallet-proof.test.ts';
const wallet = 'server/src/wallet/wallet.test.ts';
const staffWallet = 'backoffice/api/src/staff/wallet.test.ts';
const suppliers = 'server/src/suppliers/suppliers.test.ts';
const store = 'platform/releases/src/store/store.test.ts';
const releases = 'platform/releases/src';

export const targets: Target[] = [
  {
    name: 'map',
    kind: 'program',
    mutate: [`${releases}/map/*.ts`],
    tests: [`${releases}/map/map.test.ts`, `${releases}/map/settings.test.ts`, store],
  },
  {
    name: 'keys',
    kind: 'program',
    mutate: [`${releases}/{identity,attestation,record}/*.ts`, `${releases}/{ed25519,official-build}.ts`],
    tests: [
      `${releases}/identity/permission.test.ts`,
      `${releases}/attestation/judge.test.ts`,
      `${releases}/official-build.test.ts`,
      store,
    ],
  },
  {
    name: 'gate',
    kind: 'program',
    mutate: [`${releases}/gate/*.ts`, `${releases}/operations/gated.ts`, `${releases}/contract-faults.ts`],
    tests: [
      `${releases}/gate/manifest-claims.test.ts`,
      `${releases}/gate/check-uses.test.ts`,
      `${releases}/gate/queue.test.ts`,
      `${releases}/operations/fresh-verdict.test.ts`,
      store,
    ],
  },
  {
    name: 'orders',
    kind: 'server program',
    mutate: ['server/src/orders/*.ts'],
    tests: [...orders, 'server/test/security/ownership.test.ts', invariants, queue],
  },
  {
    name: 'payments',
    kind: 'server program',
    mutate: ['server/src/payments/*.ts', '!server/src/payments/refund-*.ts'],
    tests: [
      'server/src/payments/payments.test.ts',
      ...payments,
      'server/src/payments/refund-order.test.ts',
      walletProof,
      providers,
      'server/src/holds/holds.test.ts',
      'server/src/invitations/invitations.test.ts',
    ],
  },
  {
    name: 'wallet',
    kind: 'server program',
    mutate: ['server/src/wallet/**/*.ts'],
    tests: [wallet, 'server/src/wallet/recharge/recharge.test.ts', 'server/src/orders/purchase.test.ts', staffWallet],
  },
  {
    name: 'suppliers',
    kind: 'server program',
    mutate: ['server/src/suppliers/*.ts'],
    tests: [suppliers, queue, notices],
  },
  {
    name: 'refunds',
    kind: 'server program',
    mutate: ['server/src/payments/refund-*.ts', 'backoffice/api/src/staff/refunds.service.ts'],
    tests: [...refunds, staffWallet, notices],
  },
  {
    name: 'second-person',
    kind: 'server program',
    mutate: ['backoffice/api/src/staff/second-person.ts', 'backoffice/api/src/ops/proposals.ts'],
    tests: [
      'backoffice/api/src/staff/refunds.test.ts',
      'backoffice/api/src/staff/goods/price-changes.test.ts',
      staffWallet,
      'backoffice/api/src/ops/proposals.test.ts',
      'backoffice/api/src/ops/release-settings.test.ts',
    ],
  },
  {
    name: 'sql-orders',
    kind: 'sql',
    mutate: ['orders', 'stock', 'coupons'],
    tests: [
      ...orders,
      'server/src/payments/refund-order.test.ts',
      notices,
      suppliers,
      coupons,
      holds,
      staffHolds,
      liveShop,
    ],
  },
  {
    name: 'sql-payments',
    kind: 'sql',
    mutate: ['payments'],
    tests: [...payments, ...refunds, providers, invariants],
  },
  {
    name: 'sql-wallet',
    kind: 'sql',
    mutate: ['wallet'],
    tests: [
      walletProof,
      'server/src/payments/refund-order.test.ts',
      staffWallet,
      wallet,
      notices,
      'server/src/invitations/invitations.test.ts',
      invariants,
    ],
  },
  {
    name: 'sql-suppliers',
    kind: 'sql',
    mutate: ['suppliers'],
    tests: [suppliers, notices, 'backoffice/api/src/staff/refunds.test.ts'],
  },
];

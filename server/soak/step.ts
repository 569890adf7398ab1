import fc from 'fast-check';

/** One act of one person; `pick` chooses among what the person has. */
export const step = fc.record({
  act: fc.oneof(
    { weight: 8, arbitrary: fc.constant('buyCard' as const) },
    { weight: 3, arbitrary: fc.constant('buyTopUp' as const) },
    { weight: 8, arbitrary: fc.constant('pay' as const) },
    { weight: 2, arbitrary: fc.constant('payTwice' as const) },
    { weight: 3, arbitrary: fc.constant('payOnline' as const) },
    { weight: 3, arbitrary: fc.constant('cancel' as const) },
    { weight: 3, arbitrary: fc.constant('recharge' as const) },
    { weight: 1, arbitrary: fc.constant('receive' as const) },
    { weight: 1, arbitrary: fc.constant('refund' as const) },
    { weight: 2, arbitrary: fc.constant('refundPart' as const) },
    { weight: 2, arbitrary: fc.constant('refundAtProvider' as const) },
    { weight: 2, arbitrary: fc.constant('dispute' as const) },
    { weight: 1, arbitrary: fc.constant('reveal' as const) },
  ),
  who: fc.nat(),
  pick: fc.nat(1000),
});
export type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

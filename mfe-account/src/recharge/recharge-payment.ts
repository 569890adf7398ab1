/** Where the payment of a recharge is remembered in this tab (sessionStorage) until its result is known. */
export const rechargePaymentKey = 'account.recharge-payment';

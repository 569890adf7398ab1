export const options = {
  currency: 'CNY',
  amounts: ['50.00', '100.00'],
  min: '1.00',
  max: '5000.00',
  day_left: '800.00',
};
const sandbox = {
  code: 'sandbox',
  name: '模拟收银台',
  fee: '0.00',
  min: '1.00',
  max: '500.00',
  enabled: true,
  reason: '',
};
const wechat = { ...sandbox, code: 'wechat', name: '微信支付', enabled: false, reason: '未配置' };
export const created = { recharge_no: 'RC123456' };
export const opened = { payment_no: 'PAY12345', mode: 'redirect', pay_url: '/cashier/PAY12345', expire_at: '' };

/** The answers of a recharge that succeeds. */
export const api = {
  'GET /api/front/recharge/options': options,
  'GET /api/front/payment/methods': [wechat, sandbox],
  'POST /api/front/recharge/create': created,
  'POST /api/front/payment/online': opened,
};

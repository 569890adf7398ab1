import { createTexts, pairs } from '@shop/shared/i18n';

export const { useTexts: useBuyTexts } = createTexts(
  'catalog-buy',
  pairs({
    account: {
      title: ['充值账号', 'Account to top up'],
      saved: ['常用账号', 'Saved accounts'],
      remember: ['记住此账号，下次免填（不保存密码）', 'Remember this account (never the password)'],
      check: ['查询账号', 'Check account'],
      checkHint: ['核对角色昵称，避免充错', 'Check the nickname so the right account is topped up'],
      found: ['昵称：{{nickname}}', 'Nickname: {{nickname}}'],
      failed: ['暂时无法查询，请稍后再试', 'We can’t check the account right now. Try again later.'],
      unknown: ['没有找到这个账号', 'We can’t find this account'],
      confirm: ['充值给“{{nickname}}”？', 'Top up “{{nickname}}”?'],
      confirmText: [
        '请核对昵称。充错账号无法退回。',
        'Check the nickname: a top-up to the wrong account cannot be undone.',
      ],
      confirmYes: ['是我的账号', 'Yes, it’s mine'],
      confirmNo: ['返回修改', 'Go back'],
      forget: ['删除常用账号“{{label}}”？', 'Delete the saved account “{{label}}”?'],
      forgetLabel: ['删除 {{label}}', 'Delete {{label}}'],
    },
    price: {
      unit: ['单价', 'Unit price'],
      goods: ['商品金额', 'Subtotal'],
      balance: ['钱包余额', 'Wallet balance'],
      short: ['余额不足，下单后可充值或在线支付', 'Balance too low. You can top up or pay online after ordering.'],
      failed: ['价格暂时无法计算', 'We can’t calculate the price right now'],
      changed: ['价格有变动', 'The price has changed'],
      changedText: [
        '合计由 {{before}} 变为 {{now}}，是否继续购买？',
        'The total went from {{before}} to {{now}}. Buy it anyway?',
      ],
      accept: ['按 {{now}} 购买', 'Buy for {{now}}'],
    },
  }),
);

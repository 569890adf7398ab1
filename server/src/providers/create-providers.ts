import path from 'node:path';
import { currencies } from '@shop/shared/domain/lists';
import type { Config } from '../config';
import { Alipay } from './alipay';
import { GatewaySupplier } from './gateway-supplier';
import type { PaymentCode } from './payment-settings';
import { LocalPictures, S3Pictures } from './pictures';
import {
  type PaymentProvider,
  ProviderRefusal,
  type Providers,
  type SmsProvider,
  type SupplierProvider,
} from './providers';
import { mailOutbox, outbox, SandboxPayments, SandboxSupplier, SandboxWechat } from './sandbox';
import { SmtpMail } from './smtp-mail';
import { StripeCheckout } from './stripe';
import { TencentSms } from './tencent-sms';
import { WebPush } from './web-push';
import { WechatPay } from './wechat-pay';
import { WechatSignIn } from './wechat-sign-in';

const noSms: SmsProvider = {
  sendCode: () => Promise.reject(new ProviderRefusal('no SMS provider is configured')),
};

/** Creates the configured providers. Each loads its SDK with its first call, so that an unused one costs neither start time nor memory. */
export function createProviders(config: Config): Providers {
  const { providers: chosen, secret } = config;
  const { wechatPay, alipay, stripe, publicUrl } = chosen;
  const currenciesOf = (code: PaymentCode) => currencies.filter((currency) => chosen.payments[currency].includes(code));
  const payments: Record<PaymentCode, PaymentProvider | undefined> = {
    wechat: wechatPay && new WechatPay(wechatPay, publicUrl, currenciesOf('wechat')),
    alipay: alipay && new Alipay(alipay, publicUrl, currenciesOf('alipay')),
    stripe: stripe && new StripeCheckout(stripe, publicUrl, currenciesOf('stripe')),
    sandbox: new SandboxPayments(config.sandboxPayKey, currenciesOf('sandbox')),
  };
  // In the order of the configuration, CNY first: shoppers see the methods in this order.
  const codes = new Set(currencies.flatMap((currency) => chosen.payments[currency]));
  const sandbox = new SandboxSupplier(path.join(config.dataDir, 'sandbox-supplier'));
  const suppliers = new Map<string, SupplierProvider>();
  const byName = new Map<string, SupplierProvider>();
  for (const [stockType, choice] of Object.entries(chosen.suppliers)) {
    const supplier = choice === 'sandbox' ? sandbox : (byName.get(choice.name) ?? new GatewaySupplier(choice));
    byName.set(supplier.name, supplier);
    suppliers.set(stockType, supplier);
  }
  return {
    sms: chosen.sms === 'outbox' ? outbox : chosen.sms === 'none' ? noSms : new TencentSms(chosen.sms),
    mail: chosen.mail === 'outbox' ? mailOutbox : chosen.mail === 'none' ? undefined : new SmtpMail(chosen.mail),
    push: chosen.webPush && new WebPush(chosen.webPush),
    payments: [...codes].flatMap((code) => payments[code] ?? []),
    supplierFor: (stockType) => suppliers.get(stockType),
    wechat:
      chosen.wechatSignIn === 'off'
        ? undefined
        : chosen.wechatSignIn === 'sandbox'
          ? new SandboxWechat(secret)
          : new WechatSignIn(chosen.wechatSignIn),
    pictures: chosen.storage === 'local' ? new LocalPictures(config.dataDir) : new S3Pictures(chosen.storage),
  };
}

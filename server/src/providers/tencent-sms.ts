import type { CommonClient } from 'tencentcloud-sdk-nodejs-common';
import type { Sql } from '../platform/db/sql';
import { lazy } from './lazy';
import { ProviderRefusal, type SmsProvider } from './providers';
import type { TencentSmsSettings } from './settings';

const TIMEOUT_SECONDS = 10;
const CODE_MINUTES = '5';

/** Sends verification codes by Tencent Cloud's SMS, API version 2021-01-11. */
export class TencentSms implements SmsProvider {
  private readonly client = lazy((): CommonClient => {
    // Only the common package is needed: the SMS package just adds the types of one call.
    const sdk = require('tencentcloud-sdk-nodejs-common') as typeof import('tencentcloud-sdk-nodejs-common');
    const { secretId, secretKey, region, endpoint } = this.settings;
    const { protocol, host } = new URL(endpoint);
    return new sdk.CommonClient(host, '2021-01-11', {
      credential: { secretId, secretKey },
      region,
      profile: { httpProfile: { endpoint: host, protocol: `${protocol}//`, reqTimeout: TIMEOUT_SECONDS } },
    });
  });

  constructor(private readonly settings: TencentSmsSettings) {}

  async sendCode(_sql: Sql, phone: string, code: string): Promise<void> {
    const { appId, sign, template, templateAbroad, withMinutes } = this.settings;
    const isAbroad = phone.startsWith('+');
    let answer: { SendStatusSet?: Array<{ Code?: string; Message?: string }> };
    try {
      answer = await this.client().request('SendSms', {
        PhoneNumberSet: [isAbroad ? phone : `+86${phone}`],
        SmsSdkAppId: appId,
        // Other countries need separate templates, and no signature.
        ...(isAbroad ? { TemplateId: templateAbroad } : { SignName: sign, TemplateId: template }),
        TemplateParamSet: withMinutes ? [code, CODE_MINUTES] : [code],
      });
    } catch (error) {
      const { code: fault } = error as { code?: unknown };
      // After an error without a code it is unknown whether the message was sent.
      if (typeof fault === 'string' && fault && !fault.startsWith('InternalError')) throw new ProviderRefusal(fault);
      throw new Error(`Tencent SMS did not answer: ${(error as Error).message}`);
    }
    const [status] = answer.SendStatusSet ?? [];
    if (status?.Code !== 'Ok') throw new ProviderRefusal(status?.Code ?? 'no status');
  }
}

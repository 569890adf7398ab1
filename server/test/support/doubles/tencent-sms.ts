import { createHash, createHmac } from 'node:crypto';
import { Double, type DoubleRequest, type DoubleResponse, json, secondsNow } from './double';

const sha = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** Tencent Cloud's SMS API: signature TC3-HMAC-SHA256 over headers and body, a status for each number. */
export class TencentSmsDouble extends Double {
  readonly secretId = 'AKIDz8krbsJ5yKBZQpn74WFkmLPx3EXAMPLE';
  readonly secretKey = 'Gu5t9xGARNpq86cd98joQYCN3EXAMPLE';
  readonly appId = '1400006666';
  readonly template = '449739';
  readonly sign = '星点';
  readonly templateAbroad = '449740';
  readonly sent: Array<{ phone: string; code: string }> = [];
  status = 'Ok';
  fault = '';

  env(): NodeJS.ProcessEnv {
    return {
      SMS: 'tencent',
      TENCENT_SECRET_ID: this.secretId,
      TENCENT_SECRET_KEY: this.secretKey,
      TENCENT_SMS_APP_ID: this.appId,
      TENCENT_SMS_SIGN: this.sign,
      TENCENT_SMS_TEMPLATE: this.template,
      TENCENT_SMS_TEMPLATE_ABROAD: this.templateAbroad,
      TENCENT_SMS_TEMPLATE_MINUTES: 'yes',
      TENCENT_SMS_ENDPOINT: this.endpoint,
    };
  }

  protected answer(request: DoubleRequest): DoubleResponse {
    const fault = this.faultOf(request) ?? this.fault;
    if (fault) {
      this.refusals.push(fault);
      return json(200, { Response: { Error: { Code: fault, Message: fault }, RequestId: '1' } });
    }
    const { PhoneNumberSet, SmsSdkAppId, SignName, TemplateId, TemplateParamSet } = JSON.parse(request.body);
    const wrong = (code: string) => json(200, { Response: { Error: { Code: code, Message: code }, RequestId: '1' } });
    if (SmsSdkAppId !== this.appId) return wrong('UnauthorizedOperation.SmsSdkAppIdVerifyFail');
    const isAbroad = !PhoneNumberSet[0].startsWith('+86');
    if (!isAbroad && SignName !== this.sign) return wrong('FailedOperation.SignatureIncorrectOrUnapproved');
    if (TemplateId !== (isAbroad ? this.templateAbroad : this.template))
      return wrong('UnsupportedOperation.ContainDomesticAndInternationalPhoneNumber');
    if (TemplateParamSet?.length !== 2) return wrong('FailedOperation.TemplateParamSetNotMatchApprovedTemplate');
    const statuses = (PhoneNumberSet as string[]).map((number) => {
      if (!/^\+(86\d{11}|(?!86)\d{7,15})$/.test(number))
        return { PhoneNumber: number, Code: 'InvalidParameterValue.IncorrectPhoneNumber' };
      if (this.status === 'Ok') this.sent.push({ phone: number.replace(/^\+86/, ''), code: TemplateParamSet[0] });
      return { PhoneNumber: number, Code: this.status, Message: this.status };
    });
    return json(200, { Response: { SendStatusSet: statuses, RequestId: '1' } });
  }

  private faultOf({ method, headers, body }: DoubleRequest): string | undefined {
    if (headers['x-tc-action'] !== 'SendSms' || headers['x-tc-version'] !== '2021-01-11') return 'InvalidAction';
    const timestamp = Number(headers['x-tc-timestamp']);
    if (!(Math.abs(secondsNow() - timestamp) <= 300)) return 'AuthFailure.SignatureExpire';
    const match = /^TC3-HMAC-SHA256 Credential=([^/]+)\/([^,]+), SignedHeaders=([^,]+), Signature=(\w+)$/.exec(
      headers.authorization ?? '',
    );
    if (!match) return 'AuthFailure.InvalidAuthorization';
    const [, id, scope = '', names = '', signature] = match;
    if (id !== this.secretId) return 'AuthFailure.SecretIdNotFound';
    const [day = '', service = '', end = ''] = scope.split('/');
    if (day !== new Date(timestamp * 1000).toISOString().slice(0, 10) || end !== 'tc3_request')
      return 'AuthFailure.SignatureFailure';
    const signed = names
      .split(';')
      // The SDK signs the host name without the port, which the real service never has.
      .map((name) => `${name}:${name === 'host' ? headers.host?.split(':')[0] : headers[name]}\n`)
      .join('');
    if (!/content-type/.test(names) || !/host/.test(names)) return 'AuthFailure.SignatureFailure';
    const canonical = [method, '/', '', signed, names, sha(body)].join('\n');
    const text = ['TC3-HMAC-SHA256', String(timestamp), scope, sha(canonical)].join('\n');
    const key = hmac(hmac(hmac(`TC3${this.secretKey}`, day), service), end);
    return createHmac('sha256', key).update(text).digest('hex') === signature
      ? undefined
      : 'AuthFailure.SignatureFailure';
  }
}

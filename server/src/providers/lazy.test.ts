import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { AlipayDouble } from '../../test/support/doubles/alipay';
import { S3Double } from '../../test/support/doubles/s3';
import { StripeDouble } from '../../test/support/doubles/stripe';
import { TencentSmsDouble } from '../../test/support/doubles/tencent-sms';
import { WechatPayDouble } from '../../test/support/doubles/wechat-pay';

const sdks = [
  'wechatpay-axios-plugin',
  'alipay-sdk',
  'stripe',
  'tencentcloud-sdk-nodejs-common',
  '@aws-sdk',
  'sharp',
  'nodemailer',
  // @opentelemetry/api is not in the list, because prom-client loads it.
  '@opentelemetry/sdk-trace',
];

it('providers load no SDK before their first use, even if all are configured', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shop-lazy-'));
  const doubles = [
    new WechatPayDouble(),
    new AlipayDouble(),
    new StripeDouble(),
    new TencentSmsDouble(),
    new S3Double(),
  ];
  await Promise.all(doubles.map((double) => double.start()));
  const env: NodeJS.ProcessEnv = Object.assign({}, ...doubles.map((double) => double.env()), {
    PAYMENTS_CNY: 'wechat,alipay',
    MAIL: 'smtp',
    MAIL_SMTP_URL: 'smtps://smtp.example',
    MAIL_FROM: 'notices@shop.example',
  });
  await Promise.all(doubles.map((double) => double.close()));
  const script = `
    const { createProviders } = require('./src/providers/create-providers');
    const { readConfig } = require('./src/config');
    require('./src/app');
    require('./src/platform/monitoring/tracing/tracing.plugin').startTracing(readConfig({ dataDir: process.argv[1] }).tracing);
    const providers = createProviders(readConfig({ dataDir: process.argv[1] }));
    const loaded = () => ${JSON.stringify(sdks)}.filter((name) => Object.keys(require.cache).some((file) => file.includes('/node_modules/' + name + '/')));
    const before = loaded();
    providers.payments.find((one) => one.code === 'stripe').readNotice('', {});
    console.log(JSON.stringify({ before, after: loaded(), codes: providers.payments.map((one) => one.code) }));`;
  const output = execFileSync(process.execPath, ['--import', 'tsx', '-e', script, folder], {
    cwd: path.join(__dirname, '../..'),
    env: { PATH: process.env.PATH, HOME: os.homedir(), ...env },
  });
  expect(JSON.parse(output.toString())).toEqual({
    before: [],
    after: ['stripe'],
    codes: ['wechat', 'alipay', 'stripe'],
  });
});

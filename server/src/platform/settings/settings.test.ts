import { backOffice } from '@shop/backoffice';
import { readConfig } from '../../config';

it('settings report every problem of every part once, all together, without the value of a secret', () => {
  const sound = {
    NODE_ENV: 'production',
    STORAGE: 's3',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
  };
  const faulty = {
    APP_SECRET: 'short-and-secret',
    CARD_KEYS: 'k1:none',
    DRAIN_SECONDS: '301',
    SESSION_IDLE_DAYS: '1.5',
    SHOP_RENDER: 'maybe',
    PUBLIC_URL: 'http://shop.example',
    PAYMENTS_USD: 'paypal',
    UPLOADS_S3_BUCKET: 'B',
    STAFF_URL: 'https://staff.example/console',
    RELEASE_OIDC: '{',
    RELEASE_WEBHOOK_URL: 'ops.example',
    OTEL_TRACES_SAMPLER_ARG: '2',
  };
  let message = '';
  try {
    readConfig({ dataDir: '/nowhere', env: { ...sound, ...faulty }, backOffice: backOffice() });
  } catch (error) {
    message = (error as Error).message;
  }
  const lines = message.split('\n');
  expect(new Set(lines).size).toBe(lines.length);
  for (const name of [...Object.keys(faulty), 'UPLOADS_S3_REGION', 'RELEASE_WEBHOOK_SECRET'])
    expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^${name}\\b`)));
  expect(message).not.toContain(faulty.APP_SECRET);
});

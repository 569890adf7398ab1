import { Settings } from '../../settings/settings';
import { readTracing } from './tracing-settings';

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' };
const on = { url: 'http://collector:4318/v1/traces', headers: {}, service: 'shop', share: 0.1, delayMs: 5_000 };

it.each([
  [{}, null],
  [{ ...endpoint, OTEL_SDK_DISABLED: 'true' }, null],
  [endpoint, on],
  [
    { ...endpoint, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example/otlp' },
    { ...on, url: 'https://traces.example/otlp' },
  ],
  [
    {
      ...endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20x, x-team=shop',
      OTEL_SERVICE_NAME: 'eu',
      OTEL_TRACES_SAMPLER_ARG: '1',
    },
    { ...on, headers: { authorization: 'Bearer x', 'x-team': 'shop' }, service: 'eu', share: 1 },
  ],
])('tracing settings %j are parsed', (env, expected) => {
  const settings = new Settings({ ...env, NODE_ENV: 'production' });
  expect(readTracing(settings)).toEqual(expected);
  expect(settings.problems).toEqual([]);
});

it.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector' }, 'OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https address.'],
  [
    { ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: 'a secret' },
    'OTEL_EXPORTER_OTLP_HEADERS must be "name=value", separated by commas.',
  ],
  [
    { ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: 'key=%zz' },
    'OTEL_EXPORTER_OTLP_HEADERS must be "name=value", separated by commas.',
  ],
  [{ ...endpoint, OTEL_TRACES_SAMPLER_ARG: '2' }, 'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1.'],
  [{ ...endpoint, OTEL_BSP_SCHEDULE_DELAY: '0' }, 'OTEL_BSP_SCHEDULE_DELAY must be a number from 1 to 60000.'],
])('tracing settings %j stop the start', (env, problem) => {
  const settings = new Settings({ ...env, NODE_ENV: 'production' });
  readTracing(settings);
  expect(settings.problems).toEqual([problem]);
});

import { measuredTime } from './measured-time';

it.each([
  [0, '10 seconds', '10 秒钟'],
  [41, '50 seconds', '50 秒钟'],
  [60, '1 minute', '1 分钟'],
  [200, '3 minutes', '3 分钟'],
  [7_300, '2 hours', '2 小时'],
  [200_000, '2 days', '2 天'],
])('formats %d seconds in a readable unit', (seconds, en, zh) => {
  expect(measuredTime(seconds, 'en')).toBe(en);
  expect(measuredTime(seconds, 'zh-CN')).toBe(zh);
});

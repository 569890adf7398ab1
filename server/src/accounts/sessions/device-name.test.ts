import { deviceName } from './sessions.service';

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';
it.each([
  [`Mozilla/5.0 (Linux; Android 14; Pixel 8) ${webkit} Chrome/126.0.0.0 Mobile Safari/537.36`, 'Chrome', 'Android'],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0`,
    'Edge',
    'Windows',
  ],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:127.0) Gecko/20100101 Firefox/127.0', 'Firefox', 'macOS'],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${webkit} Version/17.5 Mobile/15E148 Safari/604.1`,
    'Safari',
    'iPhone',
  ],
  [`Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) ${webkit} CriOS/126.0 Mobile/15E148 Safari/604.1`, 'Chrome', 'iPad'],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${webkit} Mobile/15E148 MicroMessenger/8.0.49`,
    'WeChat',
    'iPhone',
  ],
  [
    `Mozilla/5.0 (Linux; Android 12; HarmonyOS; ALN-AL00) ${webkit} Chrome/114.0 HuaweiBrowser/15.0 Mobile Safari/537.36`,
    'Huawei Browser',
    'HarmonyOS',
  ],
  [
    `Mozilla/5.0 (Linux; Android 14; SM-S918B) ${webkit} SamsungBrowser/25.0 Chrome/121.0 Mobile Safari/537.36`,
    'Samsung Internet',
    'Android',
  ],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webkit} Chrome/126.0.0.0 Safari/537.36`, 'Chrome', 'ChromeOS'],
  [`Mozilla/5.0 (X11; Linux x86_64) ${webkit} Chrome/126.0.0.0 Safari/537.36 OPR/111.0.0.0`, 'Opera', 'Linux'],
  ['curl/8.5.0', '', ''],
  ['', '', ''],
  ['<script>alert(1)</script>', '', ''],
])('deviceName reads %s as %s on %s', (userAgent, browser, system) => {
  expect(deviceName(userAgent)).toEqual({ browser, system });
});

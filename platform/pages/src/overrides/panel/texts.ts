import type { ReleaseOrigin } from './tab-releases';

const chinese = {
  title: '此标签页的版本',
  launch: '版本面板',
  close: '关闭',
  by: '{by}，{channel} 频道',
  shown: '{release} 仅在此标签页显示。',
  reset: '恢复线上版本',
  failed: '版本列表加载失败。',
  again: '重试',
  loading: '加载中……',
  origin: {
    live: '线上',
    canary: '灰度',
    preview: '仅此标签页',
    fallback: '回退版本',
    'own-machine': '本机',
    earlier: '旧版本，切换页面后更新',
  } satisfies Record<ReleaseOrigin, string>,
  waiting: '尚未加载',
  size: '{size} kB（未压缩）',
  choose: '{name} 的其他版本',
  show: '在此标签页显示',
  none: '没有其他已发布的版本。',
  refusal: { frozen: '已冻结', withdrawn: '已撤回', channel: '仅其他频道' },
  machine: '本机开发服务器',
  machineText: '先运行 npm run dev -- --against {origin}，再在它的地址打开本页。本站不会加载你电脑上的代码。',
  machineAddress: '地址',
  machineOpen: '在那里打开本页',
  machineWrong: '请填写本机或局域网地址，例如 http://localhost:8090。',
  trace: '加载过程',
  traceSave: '保存为 JSON',
  traceHead: ['毫秒', '步骤', '内容', '耗时'],
  step: { map: '版本表', entry: '入口', chunk: '文件', failed: '失败', fallback: '回退', shown: '显示' },
  retry: '第 {count} 次重试',
  cached: '缓存',
  off: '关闭面板',
};

const english: typeof chinese = {
  title: 'Releases in this tab',
  launch: 'Releases',
  close: 'Close',
  by: '{by}, channel {channel}',
  shown: '{release} is shown in this tab only.',
  reset: 'Back to the live release',
  failed: 'The releases could not be loaded.',
  again: 'Try again',
  loading: 'Loading …',
  origin: {
    live: 'live',
    canary: 'canary',
    preview: 'this tab only',
    fallback: 'fallback',
    'own-machine': 'own machine',
    earlier: 'earlier, until you change the page',
  },
  waiting: 'not loaded yet',
  size: '{size} kB uncompressed',
  choose: 'Other releases of {name}',
  show: 'Show in this tab',
  none: 'No other release is published.',
  refusal: { frozen: 'frozen', withdrawn: 'withdrawn', channel: 'other channels' },
  machine: 'Dev server of your machine',
  machineText:
    'Run npm run dev -- --against {origin}, and open this page at its address. This site loads no code from your machine.',
  machineAddress: 'Address',
  machineOpen: 'Open this page there',
  machineWrong: 'Enter an address of your machine or local network, such as http://localhost:8090.',
  trace: 'Loading trace',
  traceSave: 'Save as JSON',
  traceHead: ['ms', 'Step', 'What', 'Took'],
  step: { map: 'map', entry: 'entry', chunk: 'file', failed: 'failed', fallback: 'fallback', shown: 'shown' },
  retry: 'retry {count}',
  cached: 'cached',
  off: 'Turn the panel off',
};

export const textsOf = (language: string): typeof chinese => (language === 'en' ? english : chinese);

/** Puts values in the place of their names in braces. */
export const filled = (text: string, values: Record<string, string | number>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));

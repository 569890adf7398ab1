export const SITE_NAME = { 'zh-CN': '星点', en: 'Stardot' } as const;

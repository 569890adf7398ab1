import type { Language } from './';

/** A text in both languages. */
export const both = (chinese: string, english: string): Record<Language, string> => ({ 'zh-CN': chinese, en: english });

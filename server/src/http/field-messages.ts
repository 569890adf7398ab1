import type { FastifySchemaValidationError } from 'fastify/types/schema';
import type { Locale } from './schemas';

const texts: Record<string, readonly [zh: string, en: string]> = {
  required: ['请填写此项', 'This is required'],
  pattern: ['格式不正确', 'The format is not right'],
  patternSyntax: [
    '不是可用的正则表达式（不支持前后断言和反向引用）',
    'This is not a regular expression that can be used here: look-around and backreferences are not supported',
  ],
  patternSize: ['正则表达式过长或重复次数过多', 'This regular expression is too long, or repeats too much'],
  minLength: ['内容过短', 'This is too short'],
  maxLength: ['内容过长', 'This is too long'],
  minimum: ['数值过小', 'This is too small'],
  maximum: ['数值过大', 'This is too large'],
  additionalProperties: ['不支持的字段', 'This field is not accepted'],
  other: ['填写有误', 'This is not right'],
};

export const fieldText = (rule: string, locale: Locale) =>
  (texts[rule] ?? texts.other)?.[locale === 'en' ? 1 : 0] ?? '';

/** The first message for each field. */
export function fieldMessages(faults: FastifySchemaValidationError[], locale: Locale): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const { keyword, instancePath, params } of faults) {
    const own = (params.missingProperty ?? params.additionalProperty) as string | undefined;
    const path = [...instancePath.split('/').slice(1), ...(own ? [own] : [])].join('.') || 'body';
    errors[path] ??= fieldText(keyword, locale);
  }
  return errors;
}

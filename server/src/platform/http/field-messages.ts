import type { FastifySchemaValidationError } from 'fastify/types/schema';
import type { Locale } from './schemas';

const texts: Record<string, readonly [zh: string, en: string]> = {
  required: ['请填写此项', 'This is required'],
  phone: ['请填写正确的手机号', 'Enter a valid phone number'],
  country: ['暂不支持该国家或地区的手机号', 'We don’t send codes to numbers in this country or region yet'],
  email: ['请填写正确的邮箱', 'Enter a valid email address'],
  oneIdentifier: ['手机号和邮箱只能填写一个', 'Send a phone number or an email address, not both'],
  noMail: ['暂不支持用邮箱登录', 'We don’t send codes by email yet'],
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
  picture: [
    '图片来自未经允许的网站，请先上传图片，或让运维把该网站加入 MEDIA_ORIGINS',
    'A picture of another site, which the shop does not show: upload it, or let ops add the site to MEDIA_ORIGINS',
  ],
  control: ['含有不可见的控制字符，请重新输入', 'This holds control characters, which cannot be seen: type it again'],
  link: [
    '链接只能指向商店内的页面，或以 https:// 开头的网址',
    'A link leads to a page of the shop, or to an https address',
  ],
  webLink: ['其他网站的链接只能由命令设置', 'Only a command sets a link to another site'],
  additionalProperties: ['不支持的字段', 'This field is not accepted'],
  other: ['填写有误', 'This is not right'],
};

export const fieldText = (rule: string, locale: Locale) =>
  (texts[rule] ?? texts.other)?.[locale === 'en' ? 1 : 0] ?? '';

export function fieldMessages(faults: FastifySchemaValidationError[], locale: Locale): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const { keyword, instancePath, params } of faults) {
    const field = (params.missingProperty ?? params.additionalProperty) as string | undefined;
    const path = [...instancePath.split('/').slice(1), ...(field ? [field] : [])].join('.') || 'body';
    errors[path] ??= fieldText(keyword, locale);
  }
  return errors;
}

import type { Language } from '../domain';

/** Shown when the server sends no message (docs/product.md#errors). */
const texts: Record<number, Record<Language, string>> = {
  200: { 'zh-CN': '请求成功', en: 'Success' },
  201: { 'zh-CN': '新建或修改数据成功', en: 'Created or modified' },
  202: { 'zh-CN': '请求已进入后台排队', en: 'Queued in the background' },
  204: { 'zh-CN': '删除数据成功', en: 'Deleted' },
  400: { 'zh-CN': '发出的信息有误', en: 'The information sent is wrong' },
  401: { 'zh-CN': '没有权限（令牌无效、账号信息错误或登录已过期）', en: 'No permission: please sign in again' },
  402: { 'zh-CN': '登录令牌已过期', en: 'Your sign-in has expired' },
  403: { 'zh-CN': '已授权，但访问被禁止', en: 'Access is forbidden' },
  404: { 'zh-CN': '请求的资源不存在', en: 'The resource does not exist' },
  406: { 'zh-CN': '请求的格式不可用', en: 'The format is not available' },
  410: { 'zh-CN': '请求的资源已被永久删除', en: 'The resource was permanently deleted' },
  500: { 'zh-CN': '服务器发生错误', en: 'Server error' },
  502: { 'zh-CN': '网关错误', en: 'Gateway error' },
  503: { 'zh-CN': '服务不可用', en: 'The service is unavailable' },
  504: { 'zh-CN': '网关超时', en: 'Gateway timeout' },
};

export function statusText(status: number, language: Language): string | undefined {
  return texts[status]?.[language];
}

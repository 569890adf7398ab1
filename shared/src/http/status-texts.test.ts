/** @jest-environment node */
import { statusText } from './status-texts';

it.each([
  [200, '成功', 'success'],
  [201, '新建或修改', 'created or modified'],
  [202, '排队', 'queued'],
  [204, '删除', 'deleted'],
  [400, '有误', 'wrong'],
  [401, '没有权限', 'no permission'],
  [402, '过期', 'expired'],
  [403, '禁止', 'forbidden'],
  [404, '不存在', 'does not exist'],
  [406, '格式不可用', 'format'],
  [410, '永久删除', 'permanently deleted'],
  [500, '服务器', 'server error'],
  [502, '网关错误', 'gateway error'],
  [503, '服务不可用', 'unavailable'],
  [504, '网关超时', 'gateway timeout'],
])('has a text for status %i in both languages', (status, zh, en) => {
  expect(statusText(status, 'zh-CN')).toContain(zh);
  expect(statusText(status, 'en')?.toLowerCase()).toContain(en);
});

it('has no text for an unknown status', () => {
  expect(statusText(418, 'en')).toBeUndefined();
});

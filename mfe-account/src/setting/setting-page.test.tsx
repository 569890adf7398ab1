import { failWith, hostileTexts, pendingAnswer, recordNotices, renderPage, testUser } from '@shop/shared/testing';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import * as page from './setting-page';

const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0]);
const relay = { host: '/uploads/', dir: 'avatar/1/', security_token: 'sts' };
const token = { host: 'https://bucket.example/', dir: 'incoming/', relay, max_size: 2_097_152, types: [] };
const save = 'POST /api/front/user/info';
const sts = 'GET /api/front/oss/getStsToken';
const open = (api: Record<string, unknown> = {}, session: Record<string, unknown> = {}) =>
  renderPage(page, { path: '/user/setting', session: { user: testUser, ...session }, api });
const choose = (file: File) =>
  userEvent.upload(screen.getByLabelText('头像', { selector: 'input' }), file, { applyAccept: false });

beforeEach(() => {
  jest.spyOn(crypto, 'getRandomValues').mockImplementation((array) => array);
});
afterEach(() => jest.restoreAllMocks());

it('uploads a picture with the temporary credentials and saves its address', async () => {
  const name = `/uploads/avatar/1/${'00'.repeat(16)}.png`;
  const { requests } = await open({ [sts]: token, [`PUT ${name}`]: { url: '/u/a.png' }, [save]: {} });
  await choose(new File([png], 'me.svg', { type: '' }));
  await waitFor(() => expect(requests.map((request) => request.method)).toEqual(['GET', 'PUT', 'POST']));
  expect(requests[1]?.headers['x-security-token']).toBe('sts');
  expect(requests[1]?.headers['Content-Type']).toBe('image/png');
  expect(requests[2]?.body).toEqual({ avatar: '/u/a.png' });
});

it.each([
  ['an SVG that says it is a PNG', new File(['<svg onload="x()"/>'], 'x.png', { type: 'image/png' }), /只能上传/],
  ['an empty file', new File([], 'x.png', { type: 'image/png' }), /文件是空的/],
  ['a file above 2 MB', new File([png, new Uint8Array(2_097_152)], 'x.png', { type: 'image/png' }), /不能超过 2 MB/],
])('refuses %s and sends no call', async (_, file, text) => {
  const { requests } = await open();
  await choose(file);
  expect(await screen.findByRole('alert')).toHaveTextContent(text);
  expect(requests).toHaveLength(0);
});

it('shrinks a photo on the device to a square of 512 px before the upload', async () => {
  const close = jest.fn();
  const drawImage = jest.fn();
  const webp = new Blob([new Uint8Array([0x52, 0x49, 0x46, 0x46, 9, 0, 0, 0, 0x57, 0x45, 0x42, 0x50])], {
    type: 'image/webp',
  });
  Object.assign(globalThis, { createImageBitmap: async () => ({ width: 4000, height: 3000, close }) });
  jest.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({ drawImage } as never);
  jest.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) => done(webp));
  const name = `/uploads/avatar/1/${'00'.repeat(16)}.webp`;
  const { requests } = await open({ [sts]: token, [`PUT ${name}`]: { url: '/u/a.webp' }, [save]: {} });
  await choose(new File([png, new Uint8Array(8_000_000)], 'photo.png', { type: 'image/png' }));
  await waitFor(() => expect(requests.at(-1)?.body).toEqual({ avatar: '/u/a.webp' }));
  expect(drawImage).toHaveBeenCalledWith(expect.anything(), 500, 0, 3000, 3000, 0, 0, 512, 512);
  expect(close).toHaveBeenCalledTimes(1);
  Reflect.deleteProperty(globalThis, 'createImageBitmap');
});

it('ignores another picture during an upload, and reports that the upload failed', async () => {
  const call = pendingAnswer();
  const { requests } = await open({ [sts]: call.stub });
  await choose(new File([png], 'me.png', { type: 'image/png' }));
  await waitFor(() => expect(requests).toHaveLength(1));
  await choose(new File([png], 'me.png', { type: 'image/png' }));
  await act(async () => call.answer(failWith(50000, '')));
  expect(await screen.findByRole('alert')).toHaveTextContent('上传失败');
  expect(requests).toHaveLength(1);
});

it('saves a trimmed nickname, keeps script tags as text, and closes the sheet', async () => {
  const { requests } = await open({ [save]: {} });
  await userEvent.click(screen.getByRole('button', { name: /昵称/ }));
  const field = await screen.findByLabelText('昵称', { selector: 'input' });
  await userEvent.clear(field);
  await userEvent.type(field, ' <b>玩家</b>😀 ');
  await userEvent.dblClick(screen.getByRole('button', { name: '保存' }));
  await waitFor(() => expect(requests.map((request) => request.body)).toEqual([{ nickname: '<b>玩家</b>😀' }]));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('shows the server’s refusal of a nickname at the field only', async () => {
  const notices = recordNotices();
  await open({ [save]: failWith(40001, '输入有误', { errors: { nickname: '昵称含有不允许的内容' } }) });
  await userEvent.click(screen.getByRole('button', { name: /昵称/ }));
  const field = await screen.findByLabelText('昵称', { selector: 'input' });
  await userEvent.type(field, '玩家');
  await userEvent.click(screen.getByRole('button', { name: '保存' }));
  await waitFor(() => expect(field).toHaveAccessibleDescription(/昵称含有不允许的内容/));
  expect(notices).toEqual([]);
});

it.each([
  [/昵称/, '昵称', hostileTexts.spaces],
  [/昵称/, '昵称', hostileTexts.tooLong],
  [/邮箱/, '邮箱', hostileTexts.script],
  [/实名认证/, '姓名', hostileTexts.script],
  [/实名认证/, '身份证号', hostileTexts.emoji],
])('refuses in %s as %s the text %j with a message, and sends no call', async (cell, label, text) => {
  const { requests } = await open();
  await userEvent.click(screen.getByRole('button', { name: cell }));
  const field = await screen.findByLabelText(label, { selector: 'input' });
  fireEvent.change(field, { target: { value: text } });
  fireEvent.click(screen.getByRole('button', { name: '保存' }));
  await waitFor(() => expect(field).toHaveAccessibleDescription(/\p{L}/u));
  expect(field).toBeInvalid();
  expect(requests).toHaveLength(0);
});

it('sends the real name once after a confirmation, and not when it is cancelled', async () => {
  const { requests } = await open({ [save]: {} });
  await userEvent.click(screen.getByRole('button', { name: /实名认证/ }));
  await userEvent.type(await screen.findByLabelText('姓名', { selector: 'input' }), '王小明');
  await userEvent.click(screen.getByLabelText('身份证号', { selector: 'input' }));
  await userEvent.paste('11010119900307123x');
  await userEvent.click(screen.getByRole('button', { name: '保存' }));
  const question = await screen.findByRole('alertdialog');
  await userEvent.click(within(question).getByRole('button', { name: '取消' }));
  await waitFor(() => expect(question).not.toBeInTheDocument());
  expect(requests).toHaveLength(0);
  expect(screen.getByLabelText('姓名', { selector: 'input' })).toHaveValue('王小明');
  await userEvent.click(screen.getByRole('button', { name: '保存' }));
  await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: '确定' }));
  await waitFor(() =>
    expect(requests.map(({ body }) => body)).toEqual([{ name: '王小明', id_card_code: '11010119900307123X' }]),
  );
});

it('does not offer to change the real name once it is set', async () => {
  await open({}, { user: { ...testUser, isReal: 1, name: '王**', idCardCode: '1101**********1234' } });
  expect(screen.queryByRole('button', { name: /实名/ })).toBeNull();
  expect(screen.getByText(/1101\*/)).toBeVisible();
});

it('changes language and theme through the session', async () => {
  const setLanguage = jest.fn();
  const setTheme = jest.fn();
  await open({}, { setLanguage, setTheme });
  await userEvent.click(screen.getByRole('radio', { name: 'English' }));
  await userEvent.click(screen.getByRole('radio', { name: '深色' }));
  expect(setLanguage).toHaveBeenCalledWith('en');
  expect(setTheme).toHaveBeenCalledWith('dark');
});

import { canReload, reloadIfOutdated } from './clean-load';
import { typeInto } from './kept-input';
import { restoreInput } from './restore-input';
import { watchInput } from './unsaved-input';

const html = `<form>
  <input name="account"><textarea aria-label="Note"></textarea><input aria-label="Note"><input aria-label="Note">
  <label>Server <select><option>a</option><option>b</option></select></label>
  <input type="checkbox" name="agreed"><input type="password" name="password">
  <input name="code" autocomplete="one-time-code"><input name="untouched" value="default">
</form>`;
const field = (selector: string) => document.querySelector(selector) as HTMLInputElement;
const values = () =>
  [...document.querySelectorAll<HTMLInputElement>('input, textarea, select')].map(({ value }) => value);
const releases = { check: async () => {}, isOutdated: true };
const calls = { pending: 0, lastEnd: 0, lastSuccess: 0 };

beforeAll(() => watchInput(calls));
beforeEach(() => {
  jest.useFakeTimers();
  sessionStorage.clear();
  document.body.innerHTML = html;
});
afterEach(() => jest.useRealTimers());

describe('a document that is older than the files that are kept', () => {
  it('reloads with the typed text, without passwords and codes', async () => {
    const typed = {
      '[name=account]': 'mihoyo',
      textarea: 'a\nb',
      '[name=password]': 'secret',
      '[name=code]': '123456',
    };
    for (const [selector, text] of Object.entries(typed)) typeInto(field(selector), text);
    typeInto(document.querySelectorAll<HTMLInputElement>('[aria-label=Note]')[2] as HTMLInputElement, 'third');
    typeInto(field('select'), 'b');
    field('select').dispatchEvent(new Event('input', { bubbles: true }));
    typeInto(field('[name=agreed]'), 'true');
    const reload = jest.fn();
    expect(await reloadIfOutdated(releases, reload)).toBe(true);
    expect(reload).toHaveBeenCalledTimes(1);
    expect(JSON.stringify(sessionStorage)).not.toMatch(/secret|123456/);

    document.body.innerHTML = '';
    restoreInput(() => true);
    jest.advanceTimersByTime(3_000);
    document.body.innerHTML = html;
    jest.advanceTimersByTime(1_000);
    expect(values()).toEqual(['mihoyo', 'a\nb', '', 'third', 'b', 'on', '', '', 'default']);
    expect(field('[name=agreed]').checked).toBe(true);
  });

  it('does not overwrite what the user types after the reload, nor fields of another page', async () => {
    typeInto(field('[name=account]'), 'before');
    await reloadIfOutdated(releases, jest.fn());
    document.body.innerHTML = html;
    restoreInput(() => true);
    typeInto(field('[name=account]'), 'after');
    jest.advanceTimersByTime(1_000);
    expect(field('[name=account]').value).toBe('after');

    jest.setSystemTime(Date.now() + 10 * 3_600_000);
    await reloadIfOutdated(releases, jest.fn());
    document.body.innerHTML = html;
    window.history.replaceState(null, '', '/elsewhere');
    restoreInput(() => true);
    jest.advanceTimersByTime(60_000);
    expect(field('[name=account]').value).toBe('');
  });

  it.each([
    ['no other release is live', false, 0],
    ['a call changes something', true, 1],
  ])('does not reload while %s', async (_, isOutdated, pending) => {
    calls.pending = pending;
    const reload = jest.fn();
    expect(await reloadIfOutdated({ ...releases, isOutdated }, reload)).toBe(false);
    expect(reload).not.toHaveBeenCalled();
    calls.pending = 0;
  });

  it('does not reload again at once when a cache still serves the old document', async () => {
    const reload = jest.fn();
    await reloadIfOutdated(releases, reload);
    expect(canReload()).toBe(false);
    expect(await reloadIfOutdated(releases, reload)).toBe(false);
    expect(reload).toHaveBeenCalledTimes(1);
  });
});

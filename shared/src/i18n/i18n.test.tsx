import { act, render, screen } from '@testing-library/react';
import { changeLanguage, createTexts, formatDate, registerTexts } from './';

const { useTexts, t, messageKey } = createTexts('i18n-test', {
  title: ['标题', 'Title'],
  cart: {
    count: ['{{count}} 件', '{{count}} items', 'one item'],
    tooLong: ['最多 {{max}} 个字', 'At most {{max}} characters'],
  },
});

function Heading() {
  const { t, language } = useTexts();
  return <h1>{`${language}: ${t('title')}, ${t('cart.count', { count: 2 })}`}</h1>;
}

afterEach(() => changeLanguage('zh-CN'));

it('renders texts again when the language changes', async () => {
  render(<Heading />);
  expect(screen.getByRole('heading')).toHaveTextContent('zh-CN: 标题, 2 件');
  await act(() => changeLanguage('en'));
  expect(screen.getByRole('heading')).toHaveTextContent('en: Title, 2 items');
});

it('renders nothing again when the current language is chosen again', async () => {
  const renders = jest.fn();
  const Counted = () => {
    renders(useTexts().language);
    return null;
  };
  render(<Counted />);
  await act(() => changeLanguage('zh-CN'));
  expect(renders.mock.calls).toEqual([['zh-CN']]);
});

it('renders texts again when another release registers its own', () => {
  render(<Heading />);
  act(() => registerTexts('i18n-test', { 'zh-CN': { title: '新标题' }, en: { title: 'New title' } }));
  expect(screen.getByRole('heading')).toHaveTextContent('新标题');
});

it('gives code outside components the current language, or the requested one with an English singular', () => {
  expect(t('cart.count', { count: 1 })).toBe('1 件');
  expect(t('cart.count', { count: 2, lng: 'en' })).toBe('2 items');
  expect(t('cart.count', { count: 1, lng: 'en' })).toBe('one item');
  expect(t('cart.count', { count: 0, lng: 'en' })).toBe('0 items');
});

it('formats a time by the language, with a no-break space before pm, in the given time zone, and in the fixed patterns', async () => {
  const at = (iso: string, pattern?: string) => formatDate(iso, pattern, -480);
  expect(at('2026-11-23T08:52:00Z')).toBe('2026年11月23日 16:52');
  expect(at('2026-11-23T17:00:00Z', 'day')).toBe('2026年11月24日');
  expect(at('2026-11-23T08:52:00Z', 'yyyy/MM/dd HH:mm')).toBe('2026/11/23 16:52');
  await act(() => changeLanguage('en'));
  expect(at('2026-11-23T08:52:00Z')).toBe('23 Nov 2026, 4:52\u00a0pm');
  expect(at('2026-11-22T16:05:00Z')).toBe('23 Nov 2026, 12:05\u00a0am');
  expect(at('2026-11-23T08:52:00Z', 'day')).toBe('23 Nov 2026');
  expect(at('no time')).toBe('');
});

it('compiles only existing keys, and only texts in both languages', () => {
  expect(messageKey('cart.tooLong?max=3')).toBe('cart.tooLong?max=3');
  // @ts-expect-error: misspelt
  expect(t('titel')).toBe('titel');
  // @ts-expect-error: a group of texts is no text
  t('cart');
  // @ts-expect-error: misspelt
  messageKey('cart.toLong?max=3');
  // @ts-expect-error: one language only
  createTexts('i18n-test-missing', { a: ['甲'] });
});

/** @jest-environment jsdom */
import { holdForms } from './hold-forms';

const send = (html: string): boolean => {
  document.body.innerHTML = html;
  return (document.forms[0] as HTMLFormElement).dispatchEvent(
    new SubmitEvent('submit', { bubbles: true, cancelable: true }),
  );
};

it('keeps a form that React checks, and lets the browser send the others', () => {
  document.documentElement.dataset.rendered = 'a page';
  holdForms();
  expect(send('<form novalidate><input name="password"></form>')).toBe(false);
  expect(document.forms[0]?.dataset.held).toBe('');
  expect(send('<form><button name="theme" value="dark">dark</button></form>')).toBe(true);
  expect(document.forms[0]?.dataset.held).toBeUndefined();
});

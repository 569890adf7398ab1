/** @jest-environment jsdom */
import { keepPreview } from './preview';

const release = 'catalog@1.2.0-3f9c2ab1';
const open = (address: string) => {
  window.history.replaceState(null, '', address);
  keepPreview();
  return sessionStorage.getItem('release');
};
afterEach(() => {
  sessionStorage.clear();
  delete document.documentElement.dataset.preview;
});

it('a tab keeps its previewed release until the preview is left', () => {
  expect(open('/home')).toBeNull();
  expect(open(`/home?release=${release}`)).toBe(release);
  document.documentElement.dataset.preview = release;
  expect(open('/goods')).toBe(release);
  expect(open('/home?release=live')).toBeNull();
});

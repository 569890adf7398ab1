/** How pages are composed at widths between those of their pictures, and with longer texts. */
import { contentShown } from './audit';
import { expect, test } from './test';

test('on a tablet the picture of /youxi stands beside its title', async ({ openTab }) => {
  const { page } = await openTab({ viewport: { width: 768, height: 1024 } });
  await page.goto('/youxi');
  const title = await page.getByRole('heading', { level: 1 }).boundingBox();
  const picture = await page.locator('.content-youxi__art').boundingBox();
  expect(picture?.x).toBeGreaterThanOrEqual((title?.x ?? 0) + (title?.width ?? 0));
  expect(picture?.y).toBeLessThanOrEqual((title?.y ?? 0) + (title?.height ?? 0));
});

test('on a phone the name of a best seller has two lines at most, also in English', async ({ openTab }) => {
  const { page } = await openTab({ viewport: { width: 390, height: 844 }, language: 'en' });
  await page.goto('/search');
  await contentShown(page);
  const lines = await page.locator('.catalog-ranking__title').evaluateAll((titles) =>
    titles.map((title) => {
      const name = document.createRange();
      name.selectNodeContents(title.firstChild ?? title);
      return new Set(Array.from(name.getClientRects(), ({ top }) => Math.round(top))).size;
    }),
  );
  expect(lines.length).toBeGreaterThan(0);
  expect(Math.max(...lines)).toBeLessThanOrEqual(2);
});

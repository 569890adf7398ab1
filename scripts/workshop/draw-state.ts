import { currencyOf } from '@shop/shared/domain';
import { configureHttp } from '@shop/shared/http';
import { changeLanguage } from '@shop/shared/i18n';
import { queryClient } from '@shop/shared/query';
import { collectTests } from './collect-tests';
import { current, type Report, Shown, type View } from './shown';
import type { TestFile } from './test-files';

/** Runs a test up to what it draws first, and tells the workshop around when that has its data. */
export async function drawState(file: TestFile, test: number, view: View): Promise<void> {
  const { documentElement, body } = document;
  documentElement.lang = view.language;
  documentElement.dataset.theme = view.theme;
  current.view = view;
  keepStorageApart();
  await changeLanguage(view.language);
  configureHttp({
    token: () => '',
    language: () => view.language,
    currency: () => currencyOf(view.language),
    ...{ onUnauthorized() {}, onForbidden() {}, onNotice() {} },
  });
  try {
    const tests = await collectTests(file.load);
    await tests[test]?.run();
    throw new Error('this test draws nothing');
  } catch (error) {
    if (!(error instanceof Shown)) body.textContent = `Not shown: ${error instanceof Error ? error.message : error}`;
  }
  if (view.answers !== 'none') await dataIsThere();
  const { isPage, calls } = current;
  parent.postMessage({ of: location.search, isPage, calls } satisfies Report, location.origin);
}

/** Frames of one origin would share what their pages keep. */
function keepStorageApart(): void {
  for (const name of ['localStorage', 'sessionStorage']) {
    const values = new Map<string, string>();
    const storage = {
      getItem: (key: string) => values.get(key) ?? null,
      setItem: (key: string, value: unknown) => void values.set(key, String(value)),
      removeItem: (key: string) => void values.delete(key),
      clear: () => values.clear(),
      key: (index: number) => [...values.keys()][index] ?? null,
      get length() {
        return values.size;
      },
    };
    Object.defineProperty(window, name, { value: storage });
  }
}

/** A page asks for more when it has the first answer; one whose test holds an answer back is as it is then. */
async function dataIsThere(): Promise<void> {
  const end = performance.now() + HELD_MS;
  for (let quiet = 0; quiet < 3 && performance.now() < end; quiet = queryClient.isFetching() === 0 ? quiet + 1 : 0)
    await new Promise(requestAnimationFrame);
}

const HELD_MS = 5_000;

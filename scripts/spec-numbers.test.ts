/** Numbers of the specification, section 9, that stand in style sheets or need no page to be seen. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { newIdempotencyKey } from '@shop/shared/http';

const read = (file: string) => readFileSync(path.resolve(__dirname, '..', file), 'utf8');
/** The declarations of the first rule with this selector. */
const ruleOf = (sheet: string, selector: string) =>
  new RegExp(`(?:^|\\n)${selector.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')} \\{([^}]*)\\}`).exec(sheet)?.[1] ?? '';

it('draws the progress bar in 500 ms with a trickle every 200 ms and no spinner', () => {
  const rule = ruleOf(read('shell/src/layout/progress-bar.css'), '.shell-progress--on');
  expect(rule).toMatch(/shell-progress 500ms/);
  const [, seconds, steps] = /shell-trickle (\d+)s 500ms steps\((\d+)\)/.exec(rule) ?? [];
  expect((Number(seconds) * 1000) / Number(steps)).toBe(200);
  expect(read('shell/src/layout/progress-bar.tsx')).not.toMatch(/Spinner/);
});

it('keeps the defaults of swipe, tabs and popups', () => {
  expect(read('shared/src/ui/carousel.tsx')).toMatch(/autoplay = 0\b/);
  expect(ruleOf(read('shared/src/ui/choices.css'), '.ui-tabs__tab::after')).toMatch(/transform 0\.3s/);
  expect(read('shared/src/ui/tokens.css')).toMatch(/--z-overlay: 2000;/);
});

it('makes ids that are random and never the same', () => {
  const ids = Array.from({ length: 1000 }, newIdempotencyKey);
  expect(new Set(ids).size).toBe(1000);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/);
});

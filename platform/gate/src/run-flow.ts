import { type FlowStep, type GateFlow, type LocalText, localText } from '@platform/releases';
import type { Page } from 'playwright-core';

const STEP_MS = 5_000;

type Language = 'zh-CN' | 'en';

const inWords = (step: FlowStep, language: Language): string => {
  const words = (text: LocalText) => `"${localText(text, language)}"`;
  if ('press' in step) return `press ${step.press} ${words(step.name)}`;
  if ('fill' in step) return `fill ${step.fill} ${words(step.name)}`;
  if ('see' in step) return `see ${step.see} ${words(step.name)}`;
  if ('read' in step) return `read ${words(step.read)}`;
  if ('arrive' in step) return `arrive at ${step.arrive}`;
  return `agree with ${step.value} of ${step.agrees}`;
};

export type Answers = ReadonlyMap<string, unknown>;

/** Rejects with the failed step. `examine` checks the page after each step but the last. */
export async function runFlow(
  page: Page,
  { steps }: GateFlow,
  { language, answers, examine }: { language: Language; answers: Answers; examine: () => Promise<void> },
): Promise<void> {
  for (const [index, step] of steps.entries()) {
    await runStep(page, step, language, answers).catch((error: unknown) => {
      const [reason] = String(error instanceof Error ? error.message : error).split('\n');
      throw new Error(`step ${index + 1}, ${inWords(step, language)}: ${reason}`);
    });
    if (index < steps.length - 1) await examine();
  }
}

async function runStep(page: Page, step: FlowStep, language: Language, answers: Answers): Promise<void> {
  const timeout = STEP_MS;
  const find = (role: Parameters<Page['getByRole']>[0], name: LocalText) =>
    page.getByRole(role, { name: localText(name, language) }).first();
  if ('press' in step) return find(step.press, step.name).click({ timeout });
  if ('fill' in step) return find(step.fill, step.name).fill(localText(step.value, language), { timeout });
  if ('see' in step) return find(step.see, step.name).waitFor({ timeout });
  if ('read' in step) return page.getByText(localText(step.read, language)).first().waitFor({ timeout });
  if ('agrees' in step) return agree(page, step, answers);
  const path = new RegExp(`^${step.arrive.replace(/:[^/]+/g, '[^/]+')}/?$`);
  return page.waitForURL((url) => path.test(url.pathname), { timeout });
}

async function agree(page: Page, step: Extract<FlowStep, { agrees: string }>, answers: Answers): Promise<void> {
  const shown = page.locator('[data-remote]:not([hidden])').first();
  const end = performance.now() + STEP_MS;
  for (;;) {
    const values = answers.has(step.agrees) ? valuesAt(answers.get(step.agrees), step.value.split('.')) : null;
    const text = await shown.innerText({ timeout: STEP_MS });
    const missing = values?.find((value) => !(step.as === 'money' ? showsMoney(text, value) : text.includes(value)));
    // A list may be empty.
    if (values && (values.length > 0 || step.value.includes('*')) && missing === undefined) return;
    if (performance.now() > end) {
      if (!values) throw new Error(`the page has not called ${step.agrees}`);
      throw new Error(missing === undefined ? 'the answer has no such value' : `the page does not show ${missing}`);
    }
    await page.waitForFunction((before) => document.body.innerText !== before, text, { timeout: 500 }).catch(() => {});
  }
}

/** At '*' it follows all branches. */
function valuesAt(value: unknown, [key, ...rest]: readonly string[]): string[] {
  if (value === undefined || value === null) return [];
  if (key === undefined) return [String(value)];
  if (key === '*') return Object.values(value).flatMap((item) => valuesAt(item, rest));
  return valuesAt((value as Record<string, unknown>)[key], rest);
}

/** Accepts an amount after a currency sign, with or without `.00` and thousands separators. */
export function showsMoney(text: string, amount: string): boolean {
  const [whole = '', cents = ''] = Number(amount).toFixed(2).replace('-', '').split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',?');
  return new RegExp(`\\p{Sc}\\s*${grouped}${cents === '00' ? '(?:\\.00)?' : `\\.${cents}`}(?![\\d.,]*\\d)`, 'u').test(
    text,
  );
}

import type { Page } from 'playwright-core';
import { type FlowStep, type GateFlow, type LocalText, localText } from '../..';

const STEP_MS = 5_000;

type Language = 'zh-CN' | 'en';

const inWords = (step: FlowStep, language: Language): string => {
  const words = (text: LocalText) => `"${localText(text, language)}"`;
  if ('press' in step) return `press ${step.press} ${words(step.name)}`;
  if ('fill' in step) return `fill ${step.fill} ${words(step.name)}`;
  if ('see' in step) return `see ${step.see} ${words(step.name)}`;
  if ('read' in step) return `read ${words(step.read)}`;
  return `arrive at ${step.arrive}`;
};

/** Throws with the step that could not be done. */
export async function runFlow(page: Page, { steps }: GateFlow, language: Language): Promise<void> {
  for (const [index, step] of steps.entries()) {
    await runStep(page, step, language).catch((error: unknown) => {
      const [reason] = String(error instanceof Error ? error.message : error).split('\n');
      throw new Error(`step ${index + 1}, ${inWords(step, language)}: ${reason}`);
    });
  }
}

async function runStep(page: Page, step: FlowStep, language: Language): Promise<void> {
  const timeout = STEP_MS;
  const find = (role: Parameters<Page['getByRole']>[0], name: LocalText) =>
    page.getByRole(role, { name: localText(name, language) }).first();
  if ('press' in step) return find(step.press, step.name).click({ timeout });
  if ('fill' in step) return find(step.fill, step.name).fill(localText(step.value, language), { timeout });
  if ('see' in step) return find(step.see, step.name).waitFor({ timeout });
  if ('read' in step) return page.getByText(localText(step.read, language)).first().waitFor({ timeout });
  const path = new RegExp(`^${step.arrive.replace(/:[^/]+/g, '[^/]+')}/?$`);
  return page.waitForURL((url) => path.test(url.pathname), { timeout });
}

/**
 * Programs of others that are asked before a canary gets more visitors, such as a load test. Whatever is no approval in time holds
 * it: silence, an error, an answer that makes no sense. A rollback asks nobody, and no look waits for an answer.
 */
import { type OutsideJudge, terminalText } from '@platform/releases';
import { LRUCache } from 'lru-cache';
import { failureOf, sendSigned, type Webhooks } from './release-events';

/** Whoever holds a canary is asked again after so long. */
const AGAIN_MS = 30_000;
/** An approval that no look has used by then is asked for again. */
const GOOD_FOR_MS = 60_000;
const LONGEST_ANSWER = 8_192;
const LONGEST_REASON = 200;

export interface Question {
  channel: string;
  name: string;
  version: string;
  /** The release that the other visitors have; null for the first of a name. */
  against: string | null;
  /** Per cent of the visitors now, and with an approval. */
  from: number;
  to: number;
  /** For how long it has had `from`. */
  seconds: number;
}

export interface JudgeAnswer {
  judge: string;
  approves: boolean;
  why: string;
}

/** Those that are asked before this canary gets `to` per cent. */
export const judgesOf = (judges: readonly OutsideJudge[], name: string, to: number): OutsideJudge[] =>
  judges.filter(
    ({ before, remotes }) => before.includes(to < 100 ? 'raise' : 'everybody') && (remotes?.includes(name) ?? true),
  );

export class OutsideJudges {
  /** By question and judges; without answers while they are asked. */
  private readonly asked = new LRUCache<string, { answers?: JudgeAnswer[]; at: number }>({ max: 100 });
  private readonly closing = new AbortController();

  constructor(
    private readonly sender: Pick<Webhooks, 'secret' | 'headerPrefix'>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** What all of them have answered; null while they are being asked, so that the next look finds it. An approval is for one raise. */
  answersOf(judges: readonly OutsideJudge[], question: Question): JudgeAnswer[] | null {
    const { seconds: _, ...same } = question;
    const key = JSON.stringify([same, judges]);
    const known = this.asked.get(key);
    if (known && !known.answers) return null;
    const age = this.now() - (known?.at ?? Number.NEGATIVE_INFINITY);
    if (known?.answers?.every(({ approves }) => approves)) this.asked.delete(key);
    const isGood = known?.answers?.every(({ approves }) => approves) ? age < GOOD_FOR_MS : age < AGAIN_MS;
    if (known?.answers && isGood) return known.answers;
    this.asked.set(key, { at: this.now() });
    void Promise.all(judges.map((judge) => this.ask(judge, question))).then((answers) =>
      this.asked.set(key, { answers, at: this.now() }),
    );
    return null;
  }

  /** Ends what is being asked. */
  close(): void {
    this.closing.abort();
  }

  private async ask(judge: OutsideJudge, question: Question): Promise<JudgeAnswer> {
    const { name, url, seconds } = judge;
    const holds = (why: string) => ({ judge: name, approves: false, why });
    if (!this.sender.secret) return holds('this server has no secret to sign a question with');
    try {
      const signal = AbortSignal.any([this.closing.signal, AbortSignal.timeout(seconds * 1000)]);
      const asked = { question: question.to < 100 ? 'raise' : 'everybody', ...question };
      const response = await sendSigned(url, this.sender, asked, signal);
      if (response.status !== 200) {
        await response.body?.cancel();
        return holds(`has answered with HTTP ${response.status}`);
      }
      const { decision, reason } = JSON.parse(await textOf(response)) as Record<string, unknown>;
      const said = typeof reason === 'string' ? terminalText(reason.slice(0, LONGEST_REASON)) : '';
      if (decision === 'approve') return { judge: name, approves: true, why: said };
      return holds(decision === 'hold' ? said || 'gives no reason' : 'has answered neither approve nor hold');
    } catch (error) {
      if (error instanceof SyntaxError) return holds('has not answered with JSON');
      const reason = failureOf(error);
      return holds(reason === 'TimeoutError' ? `has not answered within ${seconds} s` : `cannot be asked: ${reason}`);
    }
  }
}

/** Throws SyntaxError for more than an answer can be. */
async function textOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (text.length > LONGEST_ANSWER) throw new SyntaxError('too long');
  }
  return text;
}

/** "the outside judge load-test: has not answered within 10 s" */
export const holdText = (answers: readonly JudgeAnswer[]): string =>
  answers
    .filter(({ approves }) => !approves)
    .map(({ judge, why }) => `the outside judge ${judge}: ${why}`)
    .join('; ');

/** Every page and part that a test draws, in its states, in the languages, themes and widths that are chosen. */
import { type Language, languages } from '@shop/shared/domain';
import { useEffect, useState } from 'react';
import { type CollectedTest, collectTests } from './collect-tests';
import { queryOf } from './frames';
import type { Answers, Report, View } from './shown';
import type { TestFile } from './test-files';

const themes = ['light', 'dark'] as const;
const widths = ['390', '1280'] as const;
const choices = { language: [...languages, 'all'], theme: [...themes, 'all'], width: [...widths, 'all'] } as const;
const names = Object.keys(choices) as Array<keyof typeof choices>;

/** In the address, so that a choice can be passed on. `sheet`: the states of one file on one sheet, each in two ways. */
type Choice = Record<keyof typeof choices | 'file', string> & { sheet?: string };

interface State {
  name: string;
  /** Its place in the file. */
  test: number;
  answers: Answers;
}

interface Look {
  width: string;
  language: Language;
  theme: View['theme'];
}

export function Workshop({ files }: { files: TestFile[] }) {
  const [choice, setChoice] = useState<Choice>(() => ({
    ...{ file: files[0]?.id ?? '', language: 'zh-CN', theme: 'light', width: '390' },
    ...Object.fromEntries(new URLSearchParams(location.search)),
  }));
  const [faults, setFaults] = useState<string[]>([]);
  useEffect(() => history.replaceState(null, '', `?${new URLSearchParams(choice)}`), [choice]);
  useEffect(() => {
    const events = new EventSource('/events');
    let built = '';
    events.onmessage = ({ data }) => {
      const { hash = built, faults: found = [] } = JSON.parse(data) as { hash?: string; faults?: string[] };
      if (built && hash !== built) location.reload();
      built = hash;
      setFaults(found);
    };
    return () => events.close();
  }, []);
  const file = files.find(({ id }) => id === choice.file);
  const choose = (part: Partial<Choice>) => setChoice({ ...choice, ...part });
  const shown = file ? <States key={file.id} file={file} choice={choice} /> : <p>No test draws a page yet.</p>;
  if (choice.sheet) return shown;
  return (
    <div className="workshop">
      <header>
        <h1>Workshop</h1>
        {names.map((name) => (
          <label key={name}>
            {name}
            <select value={choice[name]} onChange={({ target }) => choose({ [name]: target.value })}>
              {choices[name].map((value) => (
                <option key={value}>{value}</option>
              ))}
            </select>
          </label>
        ))}
      </header>
      {faults.length > 0 && <pre role="alert">{faults.join('\n\n')}</pre>}
      <nav aria-label="Pages and parts">
        {files.map(({ id }) => (
          <button key={id} type="button" aria-current={id === file?.id} onClick={() => choose({ file: id })}>
            {id}
          </button>
        ))}
      </nav>
      {shown}
    </div>
  );
}

function States({ file, choice }: { file: TestFile; choice: Choice }) {
  const [tests, setTests] = useState<CollectedTest[]>([]);
  const [reports, setReports] = useState<Record<string, Report>>({});
  useEffect(() => void collectTests(file.load).then(setTests), [file]);
  useEffect(() => {
    const listen = ({ data, source }: MessageEvent<Report>) =>
      source !== window && setReports((known) => ({ ...known, [data.of]: data }));
    addEventListener('message', listen);
    return () => removeEventListener('message', listen);
  }, []);
  const isSheet = choice.sheet !== undefined;
  const known = Object.values(reports);
  const isPart = known.length > 0 && !known.some(({ isPage }) => isPage);
  const { named, others } = statesOf(
    tests,
    known.some(({ calls }) => calls > 0),
  );
  const states = isSheet && !isPart ? named : [...named, ...others];
  const rows = states.map((state, index) => ({
    state,
    frames: (isSheet ? looksOnSheet(index, isPart) : looksOf(choice)).map(({ width, language, theme }) => ({
      label: [width, language, theme].join(' '),
      width,
      query: queryOf({ file: file.id, test: state.test, view: { language, theme, answers: state.answers } }),
    })),
  }));
  const isBusy = rows.length === 0 || rows.some(({ frames }) => frames.some(({ query }) => !reports[query]));
  const className = `${isSheet ? 'workshop-sheet' : 'workshop-states'} ${isPart ? 'workshop-part' : ''}`;
  return (
    <main className={className} aria-label={file.id} aria-busy={isBusy}>
      {rows.map(({ state, frames }) => (
        <section key={`${state.answers} ${state.test}`}>
          <h2>{state.name}</h2>
          <div className="workshop-frames">
            {frames.map(({ label, width, query }) => (
              <figure key={label} className={`frame-${width}`}>
                <iframe src={`/${query}`} title={`${state.name}, ${label}`} loading={isSheet ? 'eager' : 'lazy'} />
                <figcaption>{label}</figcaption>
              </figure>
            ))}
          </div>
        </section>
      ))}
    </main>
  );
}

/**
 * The first test of a file is its content, unless another one is called "content: …"; the one that is called "empty: …" shows the page
 * without anything to show. Loading and error are the content's page with no answer and with failures, for pages that ask for something.
 * A part has no such states: each of its tests shows it in another.
 */
function statesOf(tests: CollectedTest[], asks: boolean): { named: State[]; others: State[] } {
  if (tests.length === 0) return { named: [], others: [] };
  const called = (start: string) => tests.findIndex(({ name }) => name.split(' · ').at(-1)?.startsWith(`${start}: `));
  const empty = called('empty');
  const first = empty === 0 ? 1 : 0;
  const content = called('content') < 0 ? first : called('content');
  const named: State[] = [
    { name: 'content', test: content, answers: 'given' },
    ...(empty < 0 ? [] : ([{ name: 'empty', test: empty, answers: 'given' }] as const)),
    ...(asks ? ([{ name: 'loading', test: content, answers: 'none' }] as const) : []),
    ...(asks ? ([{ name: 'error', test: content, answers: 'failures' }] as const) : []),
  ];
  const others = tests
    .map(({ name }, test): State => ({ name, test, answers: 'given' }))
    .filter(({ test }) => test !== content && test !== empty);
  return { named, others };
}

/** Both languages, themes and widths, by turns; a part is as wide as what it stands in. */
function looksOnSheet(index: number, isPart: boolean): Look[] {
  const [first, second] = index % 2 ? (['dark', 'light'] as const) : (['light', 'dark'] as const);
  const [spoken, other] = index % 2 ? (['en', 'zh-CN'] as const) : (['zh-CN', 'en'] as const);
  const narrow: Look = { width: '390', language: spoken, theme: first };
  return isPart ? [narrow] : [narrow, { width: '1280', language: other, theme: second }];
}

function looksOf({ language, theme, width }: Choice): Look[] {
  const chosen = <Value extends string>(value: string, all: readonly Value[]) =>
    value === 'all' ? all : all.filter((one) => one === value);
  return chosen(width, widths).flatMap((one) =>
    chosen(language, languages).flatMap((spoken) =>
      chosen(theme, themes).map((light) => ({ width: one, language: spoken, theme: light })),
    ),
  );
}

import { act, type ReactNode, StrictMode, useState } from 'react';
import { createRoot, hydrateRoot, type Root } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { repairForeignChanges } from './foreign-changes';

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
let root: Root;
let foreign: ReturnType<typeof repairForeignChanges>;
let set: (next: Partial<Props>) => void;
const container = () => document.getElementById('root') as HTMLElement;
const line = () => container().querySelector('p') as HTMLElement;

interface Props {
  count: number;
  badge: boolean;
  note: boolean;
  order: string[];
}
const start: Props = { count: 1, badge: false, note: true, order: ['a', 'b', 'c'] };

/** Each text depends on `count`, stands beside other nodes or alone, and comes, goes or moves. */
function Offer(): ReactNode {
  const [props, setProps] = useState(start);
  set = (next) => setProps({ ...start, ...next });
  const { count, badge, note, order } = props;
  return (
    <main>
      <p>
        Total {count} of <b>{count * 10}</b>
        {note && ` plus ${count}`}
        {badge && <i>new {count}</i>}
        {order.map((key) => (
          <u key={key}>{key + count}</u>
        ))}
        {`end ${count}`}
      </p>
      {badge && <aside>{count} aside</aside>}
      last {count}
    </main>
  );
}

const shown = () => container().textContent;
const expected = (props: Partial<Props>) => {
  const { count, badge, note, order } = { ...start, ...props };
  const keys = order.map((key) => key + count).join('');
  const middle = `${note ? ` plus ${count}` : ''}${badge ? `new ${count}` : ''}${keys}`;
  return `Total ${count} of ${count * 10}${middle}end ${count}${badge ? `${count} aside` : ''}last ${count}`;
};

const textsIn = (element: Element) => {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  return texts;
};
const font = (text: string | Text) => {
  const [outer, inner] = [document.createElement('font'), document.createElement('font')];
  inner.append(text);
  outer.append(inner);
  return outer;
};

const eachText = (change: (text: Text) => void) => (element: Element) => textsIn(element).forEach(change);

const rewritings: Record<string, (element: Element) => void> = {
  'replaces each text by its translation': eachText((text) => text.replaceWith(font(`«${text.data}»`))),
  'inserts the translation and removes the text': eachText((text) => {
    text.parentNode?.insertBefore(font(`«${text.data}»`), text);
    text.parentNode?.removeChild(text);
  }),
  'moves each text into an element': eachText((text) => {
    const wrapper = font('');
    text.parentNode?.replaceChild(wrapper, text);
    wrapper.firstChild?.appendChild(text);
  }),
  'joins adjacent texts in one translation': eachText((text) => {
    if (text.previousSibling?.nodeName === 'FONT') {
      text.previousSibling.textContent += text.data;
      text.remove();
    } else text.replaceWith(font(text.data));
  }),
  'translates texts in place': eachText((text) => {
    text.data = `«${text.data}»`;
  }),
  'splits texts': eachText((text) => text.length > 1 && text.splitText(1)),
  'marks a part of each text': eachText((text) => {
    const mark = document.createElement('mark');
    mark.append(text.splitText(text.length >> 1));
    text.after(mark);
  }),
  'merges adjacent texts': (element) => element.normalize(),
  'removes the texts': eachText((text) => text.remove()),
  'wraps the elements': (element) => {
    for (const child of element.querySelectorAll('b, i, u, p, aside')) {
      const wrapper = document.createElement('div');
      child.replaceWith(wrapper);
      wrapper.append(child);
    }
  },
  'removes elements': (element) => {
    for (const child of element.querySelectorAll('b, u')) child.remove();
  },
  'writes the HTML again': (element) => {
    const main = element.querySelector('main') as Element;
    // biome-ignore lint/correctness/noSelfAssign: it replaces the nodes
    main.innerHTML = main.innerHTML;
  },
};

const steps: Array<Partial<Props>> = [
  { count: 2 },
  { badge: true },
  { badge: true, order: ['c', 'a', 'b'] },
  { count: 3, badge: true, note: false },
  { note: true, order: ['b'] },
  { count: 4, note: false, badge: true, order: [] },
];

const change = (props: Partial<Props>) => act(async () => set(props));

beforeEach(async () => {
  document.body.innerHTML = '<div id="root"></div>';
  foreign = repairForeignChanges(container());
  root = createRoot(container());
  await act(async () =>
    root.render(
      <StrictMode>
        <Offer />
      </StrictMode>,
    ),
  );
});
afterEach(async () => {
  await act(async () => root.unmount());
  foreign.stop();
  document.body.replaceChildren();
});

describe.each(Object.entries(rewritings))('a browser extension that %s', (_name, rewrite) => {
  it.each(steps)('React shows %j after the rewriting', async (props) => {
    rewrite(container());
    await change(props);
    // A text that does not change may stay rewritten.
    await change({ ...props, count: 7 });
    expect(shown()).toBe(expected({ ...props, count: 7 }));
  });
});

it('React shows each update while texts are translated between the updates', async () => {
  for (const [index, props] of [...steps, ...steps].entries()) {
    Object.values(rewritings)[index]?.(container());
    await Promise.resolve();
    await change({ ...props, count: 20 + index });
    expect(shown()).toBe(expected({ ...props, count: 20 + index }));
  }
});

it('a translation stays on texts that React does not change', async () => {
  const replaced = font('Gesamt');
  line().firstChild?.replaceWith(replaced);
  await change({ badge: true });
  expect(line().contains(replaced)).toBe(true);
  expect(line().textContent).toBe('Gesamt1 of 10 plus 1new 1a1b1c1end 1');
});

it('the icon that an extension adds beside a text stays', async () => {
  const icon = document.createElement('img');
  line().append(icon);
  await change({ count: 5 });
  expect(icon.parentNode).toBe(line());
  expect(shown()).toBe(expected({ count: 5 }));
});

it('a node that an extension adds to the body stays when a portal beside it closes', async () => {
  const bar = document.createElement('div');
  document.body.prepend(bar);
  container().remove();
  await change({ count: 6 });
  expect([...document.body.children]).toEqual([bar, container()]);
  expect(shown()).toBe(expected({ count: 6 }));
});

it('code of a page still fails when it removes a node that is not a child', () => {
  expect(() => document.body.removeChild(line())).toThrow('not a child');
});

async function arriveRendered(): Promise<void> {
  await act(async () => root.unmount());
  foreign.stop();
  container().innerHTML = renderToString(<Offer />);
  foreign = repairForeignChanges(container());
}

it.each(Object.entries(rewritings))(
  'a rewritten document is rendered again and counts as changed: %s',
  async (_name, rewrite) => {
    await arriveRendered();
    rewrite(container());
    await Promise.resolve();
    const mismatch = jest.fn(() => foreign.isChanged());
    await act(async () => {
      root = hydrateRoot(container(), <Offer />, { onRecoverableError: mismatch });
    });
    expect(mismatch.mock.results.every(({ value }) => value)).toBe(true);
    rewrite(container());
    await change({ count: 8 });
    expect(shown()).toBe(expected({ count: 8 }));
  },
);

it('an untouched document hydrates and does not count as changed', async () => {
  await arriveRendered();
  await act(async () => {
    root = hydrateRoot(container(), <Offer />);
  });
  await change({ count: 9, badge: true });
  expect(foreign.isChanged()).toBe(false);
});

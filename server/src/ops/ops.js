/* The page behind /ops. Everything is drawn from /ops/state.json with DOM calls; no text becomes markup. */
(() => {
  const everyMs = 2000;
  const undoMs = 30_000;
  const shares = [1, 5, 10, 25, 50, 100];
  /** Good up to the first, poor from the second (Core Web Vitals); the last is where the scale ends. */
  const scales = { LCP: [2500, 4000, 6000], INP: [200, 500, 800], CLS: [0.1, 0.25, 0.4] };
  const byId = (id) => document.getElementById(id);
  const drawn = new Map();
  let lastText = '';
  let noticeTimer;

  if (location.search === '?wrong') byId('wrong').hidden = false;
  if (document.body.dataset.state !== 'in') return;

  function fill(node, given, children) {
    for (const [key, value] of Object.entries(given)) {
      if (key === 'press') node.addEventListener('click', value);
      else if (key === 'data') Object.assign(node.dataset, value);
      else if (value !== undefined && value !== null && value !== false)
        node.setAttribute(key, value === true ? '' : value);
    }
    node.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
    return node;
  }
  const element = (tag, given = {}, ...children) => fill(document.createElement(tag), given, children);
  const drawing = (tag, given = {}, ...children) =>
    fill(document.createElementNS('http://www.w3.org/2000/svg', tag), given, children);
  /** A button that keeps the focus when its card is drawn again: `key` names it within the card. */
  const button = (key, text, press, kind = 'quiet', more = {}) =>
    element('button', { type: 'button', class: kind, data: { key }, press, ...more }, text);

  const percent = (share) => `${(share * 100).toFixed(1)} %`;
  const moment = (at) =>
    at ? new Date(at).toLocaleString([], { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' }) : '';
  const version = (text) => element('code', { class: 'version' }, text);

  /** A bar a minute; the dashed line is the watcher's bound. */
  function shareChart(series, bound, label) {
    const top = Math.max(2 * bound, ...series.map((share) => share ?? 0));
    const height = (share) => Math.max(1, (share / top) * 34);
    const svg = drawing('svg', { viewBox: '0 0 180 40', class: 'chart', role: 'img', 'aria-label': label });
    const line = 38 - (bound / top) * 34;
    series.forEach((share, index) => {
      const x = index * 6 + 1;
      if (share === null) svg.append(drawing('rect', { class: 'none', x, y: 37, width: 4, height: 1 }));
      else {
        const high = height(share);
        const kind = share > bound ? 'over' : 'under';
        svg.append(drawing('rect', { class: kind, x, y: 38 - high, width: 4, height: high, rx: 1 }));
      }
    });
    svg.append(drawing('line', { class: 'bound', x1: 0, x2: 180, y1: line, y2: line }));
    return svg;
  }

  /** One vital on its scale: good, fair and poor as zones, the 75th percentile as the mark. */
  function vital(metric, value) {
    const [good, poor, end] = scales[metric];
    const word = value <= good ? 'good' : value < poor ? 'fair' : 'poor';
    const shown =
      metric === 'CLS'
        ? value.toFixed(2)
        : value >= 1000
          ? `${(value / 1000).toFixed(1)} s`
          : `${Math.round(value)} ms`;
    const at = (one) => (Math.min(one, end) / end) * 96;
    return element(
      'div',
      { class: 'vital' },
      element('span', {}, `${metric} `, element('b', { class: word }, `${shown} ${word}`)),
      drawing(
        'svg',
        { viewBox: '0 0 100 8', class: 'scale', role: 'img', 'aria-label': `${metric} ${shown}, ${word}` },
        drawing('rect', { class: 'zone good', x: 0, y: 2, width: at(good) + 2, height: 4 }),
        drawing('rect', { class: 'zone fair', x: at(good) + 2, y: 2, width: at(poor) - at(good), height: 4 }),
        drawing('rect', { class: 'zone poor', x: at(poor) + 2, y: 2, width: 98 - at(poor), height: 4 }),
        drawing('rect', { class: 'mark', x: at(value) + 1, y: 0, width: 2, height: 8 }),
      ),
    );
  }

  function health(label, name, of, counted, bound) {
    if (!of || !counted) return null;
    const nobody = counted.visits + counted.failures === 0;
    const bad = counted.share >= bound;
    const text = nobody ? 'no visit yet' : `${percent(counted.share)} of ${counted.visits} visits failed`;
    const vitals = Object.entries(counted.vitals).filter(([metric]) => scales[metric]);
    return element(
      'section',
      { class: 'health', 'aria-label': `${label}: ${name}@${of}` },
      element('div', { class: 'health__head' }, element('span', { class: 'tag' }, label), version(of)),
      element('p', { class: bad ? 'bad' : nobody ? 'muted' : 'good' }, text),
      !nobody &&
        shareChart(counted.series, bound, `${label}, share of failures a minute over the last 30 minutes: ${text}`),
      !nobody &&
        element(
          'div',
          { class: 'axis', 'aria-hidden': true },
          element('span', {}, '30 minutes ago'),
          element('span', {}, `dashed: ${percent(bound)}`),
          element('span', {}, 'now'),
        ),
      vitals.length > 0 &&
        element('div', { class: 'vitals' }, ...vitals.map(([metric, value]) => vital(metric, value))),
    );
  }

  function state(one, bound) {
    if (!one.version) return ['nothing live', 'idle'];
    const watched = one.canary ? one.healthCanary : one.health;
    if (one.canary)
      return [
        watched?.share >= bound ? 'canary fails' : `canary ${one.canary.traffic} %`,
        watched?.share >= bound ? 'alarm' : 'busy',
      ];
    if (one.frozen.length > 0) return ['frozen', 'busy'];
    if (!watched || watched.visits === 0) return ['no visit yet', 'idle'];
    return watched.share >= bound ? ['failing', 'alarm'] : ['healthy', 'fine'];
  }

  function canaryControl(one) {
    const { name, canary } = one;
    const give = (traffic) => () =>
      act(
        { action: 'promote', name, version: canary.version, traffic },
        { action: 'promote', name, version: canary.version, traffic: canary.traffic },
      );
    return element(
      'div',
      { class: 'canary', role: 'group', 'aria-label': `Canary of ${name}` },
      element(
        'div',
        { class: 'steps' },
        ...shares.slice(0, -1).map((share) =>
          button(`share-${share}`, `${share} %`, give(share), 'step', {
            'aria-pressed': String(share === canary.traffic),
            'aria-label': `Give the canary of ${name} ${share} % of the visitors`,
          }),
        ),
      ),
      element(
        'div',
        { class: 'row' },
        button('finish', 'Finish for everybody', () =>
          act({ action: 'promote', name, version: canary.version }, { action: 'rollback', name, version: one.version }),
        ),
        button('abandon', 'Abandon it', () => goBack(one), 'danger', {
          data: { key: 'rollback', act: 'rollback' },
        }),
      ),
    );
  }

  function otherRelease(one) {
    const { name } = one;
    const pick = element('select', { 'aria-label': `Published releases of ${name}`, data: { key: 'pick' } });
    for (const { version: each, at } of one.published) {
      pick.append(
        element('option', { value: each }, `${each} · ${moment(at)}${each === one.version ? ' · live' : ''}`),
      );
    }
    if (one.waiting) pick.value = one.waiting;
    const share = element('select', { 'aria-label': `Share of the visitors for ${name}`, data: { key: 'share' } });
    for (const value of shares)
      share.append(
        element('option', { value: String(value) }, value === 100 ? 'everybody' : `${value} % of the visitors`),
      );
    share.value = '10';
    const undo = one.canary
      ? { action: 'promote', name, version: one.canary.version, traffic: one.canary.traffic }
      : one.version && { action: 'rollback', name, version: one.version };
    return element(
      'details',
      { data: { key: 'other' } },
      element('summary', {}, 'Another release, or a canary'),
      element('div', { class: 'row' }, pick, share),
      element(
        'div',
        { class: 'row' },
        button('give', 'Give it to them', () =>
          act({ action: 'promote', name, version: pick.value, traffic: Number(share.value) }, undo),
        ),
        button('freeze', 'Freeze promotes', () =>
          act({ action: 'freeze', name, why: 'frozen at /ops' }, { action: 'unfreeze', name }),
        ),
      ),
    );
  }

  function card(one, bound) {
    const [word, kind] = state(one, bound);
    return element(
      'article',
      { class: 'card', 'aria-label': one.name, data: { name: one.name } },
      element(
        'div',
        { class: 'card__head' },
        element('h3', {}, one.name),
        element('span', { class: `pill pill--${kind}` }, word),
      ),
      element(
        'p',
        { class: 'muted' },
        one.version ? `since ${moment(one.since)}, by ${one.by}` : 'published, not promoted yet',
      ),
      ...one.frozen.map(({ version: each, why, by }) =>
        element(
          'div',
          { class: 'frozen' },
          element('span', {}, `Frozen ${each ?? 'altogether'} by ${by}: ${why}`),
          button(`unfreeze-${each}`, 'Unfreeze', () =>
            act({ action: 'unfreeze', name: one.name, version: each ?? undefined }),
          ),
        ),
      ),
      health('live', one.name, one.version, one.health, bound),
      one.canary && health(`canary ${one.canary.traffic} %`, one.name, one.canary.version, one.healthCanary, bound),
      one.canary && canaryControl(one),
      !one.canary && health('before', one.name, one.previous, one.healthBefore, bound),
      !one.canary &&
        button(
          'rollback',
          one.target ? `Roll back to ${one.target}` : 'Nothing to roll back to',
          () => goBack(one),
          'danger',
          {
            disabled: !one.target,
            data: { key: 'rollback', act: 'rollback' },
          },
        ),
      otherRelease(one),
    );
  }

  const verbs = {
    promote: 'promoted',
    canary: 'canary',
    rollback: 'rolled back',
    abandon: 'canary ended',
    restore: 'restored',
    freeze: 'frozen',
    unfreeze: 'unfrozen',
  };
  function history(rows, rev) {
    const cells = (row) => [
      ['Revision', String(row.rev)],
      ['When', moment(row.at)],
      ['Who', row.by],
      ['What', element('span', { class: `what what--${row.action}` }, verbs[row.action] ?? row.action)],
      ['Name', row.name === '*' ? 'everything' : row.name],
      ['From', row.from ? version(row.from) : '–'],
      ['To', row.to ? version(row.to) : '–'],
      ['Why', row.why || '–'],
    ];
    return element(
      'table',
      {},
      element(
        'thead',
        {},
        element(
          'tr',
          {},
          ...['Revision', 'When', 'Who', 'What', 'Name', 'From', 'To', 'Why', 'Whole map'].map((title) =>
            element('th', { scope: 'col' }, title),
          ),
        ),
      ),
      element(
        'tbody',
        {},
        ...rows.map((row) =>
          element(
            'tr',
            {},
            ...cells(row).map(([title, content]) =>
              element('td', { data: content === '–' ? { title, empty: '' } : { title } }, content),
            ),
            element(
              'td',
              { data: { title: 'Whole map' } },
              row.rev === rev
                ? 'as it is now'
                : button(
                    `restore-${row.rev}`,
                    'Back to this',
                    () => act({ action: 'restore', rev: row.rev }, { action: 'restore', rev }),
                    'quiet small',
                    { 'aria-label': `Put the whole map back to revision ${row.rev}` },
                  ),
            ),
          ),
        ),
      ),
    );
  }

  /** Puts `next` in the place of what was drawn under `key`, and keeps focus, open parts and what was chosen in lists. */
  function place(holder, key, data, make) {
    const text = JSON.stringify(data);
    const known = drawn.get(key);
    if (known?.text === text) return known.node;
    const node = make();
    if (known) {
      for (const old of known.node.querySelectorAll('select, details')) {
        const now = node.querySelector(`[data-key="${old.dataset.key}"]`);
        if (old.tagName === 'DETAILS') now.open = old.open;
        else if (old.dataset.chosen && [...now.options].some((option) => option.value === old.value)) {
          now.value = old.value;
          now.dataset.chosen = '1';
        }
      }
      const focused = known.node.contains(document.activeElement) ? document.activeElement : null;
      known.node.replaceWith(node);
      if (focused) (node.querySelector(`[data-key="${focused.dataset.key}"]`) ?? node.querySelector('button'))?.focus();
    } else holder.append(node);
    drawn.set(key, { text, node });
    return node;
  }

  function draw(now) {
    byId('revision').textContent = `${now.channel}, revision ${now.rev}`;
    const names = new Set(now.releases.map(({ name }) => name));
    for (const [key, { node }] of drawn) {
      if (key === 'history' || names.has(key)) continue;
      node.remove();
      drawn.delete(key);
    }
    for (const one of now.releases) {
      // A card whose list is open is left alone, or the list would close under the finger.
      const choosing =
        document.activeElement?.tagName === 'SELECT' && drawn.get(one.name)?.node.contains(document.activeElement);
      if (!choosing) place(byId('releases'), one.name, one, () => card(one, now.bound));
    }
    place(byId('history'), 'history', [now.rev, now.history], () => history(now.history, now.rev));
  }
  document.addEventListener('change', ({ target }) => {
    if (target.tagName === 'SELECT') target.dataset.chosen = '1';
  });

  function notice(text, undo, failed) {
    clearTimeout(noticeTimer);
    byId('notice').className = failed ? 'failed' : '';
    byId('notice').replaceChildren(
      element('span', {}, text),
      ...(undo ? [element('button', { type: 'button', press: undo }, 'Undo')] : []),
    );
    noticeTimer = setTimeout(() => byId('notice').replaceChildren(), undo ? undoMs : 8_000);
  }

  function alive(on) {
    byId('lost').hidden = on;
    byId('pulse').dataset.on = String(on);
    byId('pulse').textContent = on ? 'up to date' : 'no answer';
  }

  async function refresh() {
    try {
      const answer = await fetch('/ops/state.json', { cache: 'no-store' });
      if (answer.status === 401) return location.reload();
      if (!answer.ok) throw new Error(String(answer.status));
      const text = await answer.text();
      alive(true);
      if (text === lastText) return;
      draw(JSON.parse(text));
      lastText = text;
    } catch {
      alive(false);
    }
  }

  /** Does it, says what was done, and offers `undo`, another action, for a while. */
  async function act(wanted, undo) {
    document.body.dataset.busy = 'true';
    try {
      const answer = await fetch('/ops/act', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-ops': '1' },
        body: JSON.stringify({ why: 'pressed at /ops', ...wanted }),
      });
      const { message } = await answer.json();
      const back = answer.ok && undo ? () => act({ ...undo, why: 'undo at /ops' }) : undefined;
      notice(message, back, !answer.ok);
    } catch {
      notice('The server does not answer. Nothing is known to have changed.', undefined, true);
    }
    delete document.body.dataset.busy;
    await refresh();
  }

  function goBack(one) {
    const { name, canary } = one;
    if (canary) {
      const undo = { action: 'promote', name, version: canary.version, traffic: canary.traffic };
      return act({ action: 'rollback', name }, undo);
    }
    // The version that the button names, even if somebody changes the way back in this second.
    return act({ action: 'rollback', name, version: one.target }, { action: 'promote', name, version: one.version });
  }

  refresh();
  setInterval(() => document.visibilityState === 'visible' && refresh(), everyMs);
  document.addEventListener('visibilitychange', refresh);
})();

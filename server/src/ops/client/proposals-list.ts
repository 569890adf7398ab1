import type { OpsDecision, OpsProposal } from '../ops-state';
import { button, element } from './dom';
import { moment } from './format';

/** Acts that wait for a second person. */
export function proposalsList(proposals: OpsProposal[], decide: (wanted: OpsDecision) => void): HTMLElement {
  return element('ul', { class: 'events' }, ...proposals.map((one) => proposalRow(one, decide)));
}

function proposalRow(proposal: OpsProposal, decide: (wanted: OpsDecision) => void): HTMLElement {
  const { id, what, why, by, at, agreed, mayDecide, mayConfirm } = proposal;
  const others = agreed.filter((one) => one !== by);
  const press = (action: OpsDecision['action'], text: string, kind?: string) =>
    button(`${action}-${id}`, text, () => decide({ action, proposal: id }), kind, { 'aria-label': `${text}: ${what}` });
  return element(
    'li',
    { class: 'event event--alert' },
    element('p', {}, element('strong', {}, what)),
    element('p', { class: 'muted' }, `${moment(at)}, by ${by}${why ? `: ${why}` : ''}`),
    others.length > 0 && element('p', { class: 'muted' }, `confirmed by ${others.join(', ')}`),
    mayDecide && !mayConfirm && element('p', { class: 'muted' }, 'Somebody else confirms it.'),
    mayDecide &&
      element(
        'div',
        { class: 'row' },
        mayConfirm && press('confirm', 'Confirm', 'primary'),
        press('decline', 'Decline'),
      ),
  );
}

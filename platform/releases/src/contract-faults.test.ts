import type { GateFlow } from './contract';
import { flowFaults } from './contract-faults';
import { manifestFaults } from './manifest';
import { manifestOf } from './testing/fixture';

const flow: GateFlow = {
  name: 'buys',
  route: '/home',
  visitor: 'guest',
  steps: [{ read: 'x' }, { agrees: '/api/goods', value: 'data.price', as: 'money' }],
};

it('flowFaults accepts a sound flow, and a flow of the shell on any route', () => {
  expect(manifestFaults(manifestOf({ flows: [flow] }))).toEqual([]);
  expect(manifestFaults(manifestOf({ name: 'shell', flows: [{ ...flow, route: '/elsewhere' }] }))).toEqual([]);
});

it.each<[string, unknown, RegExp]>([
  ['no list', {}, /must be a list/],
  ['no name', [{ ...flow, name: '' }], /needs a name/],
  ['a duplicate name', [flow, flow], /"buys" is defined twice/],
  ['another visitor', [{ ...flow, visitor: 'admin' }], /needs a visitor/],
  ['a route of another remote', [{ ...flow, route: '/order' }], /"\/order", which is not a route/],
  ['an address of another site', [{ ...flow, address: '//evil.example' }], /does not start with \//],
  ['no steps', [{ ...flow, steps: [] }], /needs steps/],
  ['an unknown step', [{ ...flow, steps: [{ run: 'x' }] }], /needs steps/],
  ['a step with two actions', [{ ...flow, steps: [{ read: 'x', press: 'button' }] }], /needs steps/],
])('flowFaults refuses %s', (_, flows, fault) => {
  expect(flowFaults(flows, ['/home']).join()).toMatch(fault);
});

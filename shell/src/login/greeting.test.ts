/** @jest-environment node */
import { greetingOf } from './greeting';

it.each([
  [0, 'earlyMorning'],
  [7, 'earlyMorning'],
  [8, 'morning'],
  [11, 'morning'],
  [12, 'noon'],
  [13, 'noon'],
  [14, 'afternoon'],
  [17, 'afternoon'],
  [18, 'evening'],
  [23, 'evening'],
])('greets at hour %i with %s', (hour, greeting) => {
  expect(greetingOf(hour)).toBe(greeting);
});

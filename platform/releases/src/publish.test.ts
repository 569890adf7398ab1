import * as compress from './compress';
import { openStore } from './store/store';
import { publishSample, scratch } from './testing/fixture';

jest.mock('./compress', () => ({ __esModule: true, ...jest.requireActual('./compress') }));

it('publish compresses one file at a time, so that threads stay free for visitors', async () => {
  let running = 0;
  let most = 0;
  jest.spyOn(compress, 'compressedSiblings').mockImplementation(async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise(setImmediate);
    running -= 1;
    return [];
  });
  await publishSample(openStore({ place: await scratch() }));
  expect(most).toBe(1);
});

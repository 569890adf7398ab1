import { openStore } from './store/store';
import { publishSample, scratch } from './testing/fixture';

let mockRunning = 0;
let mockMost = 0;
jest.mock('node:zlib', () => ({
  ...jest.requireActual('node:zlib'),
  brotliCompress(content: Buffer, _options: object, done: (error: null, compressed: Buffer) => void) {
    mockRunning += 1;
    mockMost = Math.max(mockMost, mockRunning);
    setImmediate(() => {
      mockRunning -= 1;
      done(null, content);
    });
  },
}));

it('publish compresses one file at a time, so that threads stay free for visitors', async () => {
  await publishSample(openStore({ place: await scratch() }));
  expect(mockMost).toBe(1);
});

import { changeSettings, makeSigningKey, openStore, promote, SigningKeys } from '@platform/releases';
import { publishSample, sample, scratch, writeBuild } from '@platform/releases/testing';
import { outcomeOf } from './publish-builds';

it('leaves what is live where a channel asks for signed provenance and the start has no key, and signs with one', async () => {
  const store = openStore({ place: await scratch() });
  await publishSample(store, { text: 'live' });
  await promote(store, { by: 'ann', name: 'catalog' });
  const { privateKey, publicKey } = makeSigningKey();
  await new SigningKeys(store.blobs).add({ publicKey, name: 'platform', remotes: ['catalog'], by: 'ann' });
  await changeSettings(store, { by: 'ann', provenance: 'signed', why: 'squads outside' });
  const dist = await writeBuild(sample({ text: 'next' }), JSON.stringify({ bomFormat: 'CycloneDX', components: [] }));
  const lines: string[] = [];
  const start = () => outcomeOf(store, dist, (line) => lines.push(line));
  expect(await start()).toBe('left as it is');
  expect(lines).toEqual([expect.stringMatching(/^ {2}catalog 1\.0\.0-\w{8} stays published only: .* is not signed/)]);
  // Of the commit that CI has checked out; the folder is in no repository.
  Object.assign(process.env, { RELEASE_SIGNING_KEY: privateKey, GITHUB_SHA: 'c'.repeat(40) });
  try {
    expect(await start()).toBe('promoted');
  } finally {
    delete process.env.RELEASE_SIGNING_KEY;
    delete process.env.GITHUB_SHA;
  }
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { sbomOf } from './sbom';

const root = path.resolve(__dirname, '../../..');
const folderOf = (name: string) => path.join(root, 'node_modules', name);
const read = (folder: string) => JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
const locked = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')).packages;

it('is a sound CycloneDX document with name, version, licence and the lockfile’s hash of each package', async () => {
  const odd = mkdtempSync(path.join(tmpdir(), 'sbom-'));
  writeFileSync(
    path.join(odd, 'package.json'),
    JSON.stringify({ name: 'odd', version: '1.0.0', license: 'SEE LICENSE IN X' }),
  );
  const folders = [...['react', '@tanstack/query-core', 'dompurify'].map(folderOf), path.join(root, 'shared'), odd];
  const text = sbomOf('catalog', '1.0.0-3f9c2ab1', folders, root);
  rmSync(odd, { recursive: true, force: true });
  expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text)).toBeNull();
  const { metadata, components } = JSON.parse(text);
  expect(metadata.component).toMatchObject({ name: 'catalog', version: '1.0.0-3f9c2ab1' });
  const { version } = read(folderOf('react'));
  const integrity = locked['node_modules/react'].integrity as string;
  const content = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');
  expect(components.find(({ name }: { name: string }) => name === 'react')).toMatchObject({
    version,
    purl: `pkg:npm/react@${version}`,
    hashes: [{ alg: 'SHA-512', content }],
    licenses: [{ license: { id: 'MIT' } }],
  });
  expect(components).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        group: '@tanstack',
        name: 'query-core',
        purl: expect.stringMatching(/^pkg:npm\/%40tan/),
      }),
      expect.objectContaining({ name: 'dompurify', licenses: [{ expression: '(MPL-2.0 OR Apache-2.0)' }] }),
      expect.objectContaining({ group: '@shop', name: 'shared', version: read(path.join(root, 'shared')).version }),
      expect.objectContaining({ name: 'odd', licenses: [{ license: { name: 'SEE LICENSE IN X' } }] }),
    ]),
  );
});

it('is the same for the same packages, in whatever order and however often the bundler names them', () => {
  const [react, yup] = [folderOf('react'), folderOf('yup')];
  expect(sbomOf('catalog', '1.0.0', [yup, react, yup], root)).toBe(sbomOf('catalog', '1.0.0', [react, yup], root));
});

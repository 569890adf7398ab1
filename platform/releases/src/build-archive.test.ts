import { Header } from 'tar';
import { packBuild, UPLOAD_LIMITS, unpackBuild } from './build-archive';
import { integrityOf } from './manifest';
import { sample } from './testing/fixture';

const { manifest, files } = sample();
const raw = Buffer.from(JSON.stringify(manifest));
const contents = new Map([...files].map(([file, content]) => [file, Buffer.from(content)] as const));
const archive = packBuild({ raw, files: contents });
const [[first, content] = ['', Buffer.alloc(0)]] = contents;

const entry = (path: string, body: Buffer, type: 'File' | 'SymbolicLink' | 'ExtendedHeader' = 'File') => {
  const header = new Header({ path, size: body.length, type, linkpath: type === 'SymbolicLink' ? '/etc/passwd' : '' });
  header.encode();
  return Buffer.concat([header.block as Buffer, body, Buffer.alloc(-body.length & 511)]);
};
const described = (change: object) => Buffer.from(JSON.stringify({ ...manifest, ...change }));
const big = { size: 1e12, integrity: 'sha384-AAAA' };

it('unpackBuild returns the packed build, also with names that need the second field of a header', () => {
  const long = `${'deep/'.repeat(30)}page.js`;
  const body = Buffer.from('x'.repeat(1024));
  const more = {
    ...manifest,
    files: { ...manifest.files, [long]: { size: body.length, integrity: integrityOf(body) } },
  };
  const packed = { raw: Buffer.from(JSON.stringify(more)), files: new Map([...contents, [long, body]]) };
  expect(unpackBuild(packBuild(packed))).toEqual({ ...packed, manifest: more });
  expect(unpackBuild(archive)).toEqual({ raw, manifest, files: contents });
  expect(() => packBuild({ raw, files: new Map([['x'.repeat(300), body]]) })).toThrow(/is too long for an upload/);
});

const notPlain = /not a complete tar archive of plain files/;

it('unpackBuild refuses an archive that a broken connection cut off', () => {
  for (let length = 0; length < archive.length - 1024; length += 256)
    expect(() => unpackBuild(archive.subarray(0, length))).toThrow(notPlain);
});

it.each<[string, Buffer, RegExp]>([
  ['no archive', Buffer.alloc(5_000, 'x'), /not a complete tar archive/],
  ['an archive without a manifest', Buffer.alloc(1024), /has no release\.json/],
  ['a manifest that is not JSON', packBuild({ raw: Buffer.from('{'), files: new Map() }), /not JSON/],
  [
    'a manifest that is too large',
    packBuild({ raw: described({ more: 'x'.repeat(UPLOAD_LIMITS.manifestBytes) }), files: contents }),
    /more than 450000 bytes/,
  ],
  [
    'too much',
    packBuild({ raw: described({ files: { ...manifest.files, 'big.js': big } }), files: contents }),
    /at most/,
  ],
  ['a missing file', packBuild({ raw, files: new Map() }), /is in release\.json but not in the upload/],
  [
    'another content',
    packBuild({ raw, files: new Map([...contents, [first, Buffer.alloc(content.length, 'y')]]) }),
    /does not match its hash/,
  ],
  ['an extra file', packBuild({ raw, files: new Map([...contents, ['x.js', content]]) }), /x\.js is in the upload but/],
  ['a duplicate file', Buffer.concat([entry(first, content), archive]), /in the upload twice/],
  ['a link', Buffer.concat([entry('link.js', Buffer.alloc(0), 'SymbolicLink'), archive]), notPlain],
  ['an extended header', Buffer.concat([entry('pax', content, 'ExtendedHeader'), archive]), notPlain],
  ['a file outside', Buffer.concat([entry('../shell/main.js', content), archive]), /is in the upload but not in/],
])('unpackBuild refuses %s', (_, given, fault) => {
  expect(() => unpackBuild(given)).toThrow(fault);
});

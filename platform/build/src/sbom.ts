/** The SBOM of a build (CycloneDX, JSON): the packages whose code it holds, with versions and licences as installed and the lockfile's hashes. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ComponentType, type HashAlgorithm } from '@cyclonedx/cyclonedx-library/Enums';
import {
  Bom,
  Component,
  ComponentRepository,
  type Hash,
  HashDictionary,
  type License,
  LicenseExpression,
  LicenseRepository,
  Metadata,
  NamedLicense,
  SpdxLicense,
} from '@cyclonedx/cyclonedx-library/Models';
import { JSON as Json, JsonSerializer } from '@cyclonedx/cyclonedx-library/Serialize';
import { isSupportedSpdxId } from '@cyclonedx/cyclonedx-library/SPDX';
import { Spec1dot6 } from '@cyclonedx/cyclonedx-library/Spec';

interface Installed {
  name: string;
  version: string;
  license?: string;
}

type Locked = Record<string, { integrity?: string }>;

const readJson = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T;

/** Of the packages in `folders`. The same packages give the same bytes: no time, no random number, no path. */
export function sbomOf(name: string, version: string, folders: readonly string[], root: string): string {
  const lockfile = path.join(root, 'package-lock.json');
  const locked = existsSync(lockfile) ? (readJson<{ packages?: Locked }>(lockfile).packages ?? {}) : {};
  const components = new Map<string, Component>();
  for (const folder of folders) {
    const found = readJson<Installed>(path.join(folder, 'package.json'));
    const [unscoped = '', scope] = found.name.split('/').reverse();
    const purl = `pkg:npm/${scope ? `${encodeURIComponent(scope)}/` : ''}${unscoped}@${found.version}`;
    const { integrity } = locked[path.relative(root, folder).replaceAll(path.sep, '/')] ?? {};
    const component = new Component(ComponentType.Library, unscoped, {
      bomRef: purl,
      purl,
      group: scope,
      version: found.version,
      hashes: new HashDictionary(integrity ? [hashOf(integrity)] : []),
      licenses: new LicenseRepository(found.license ? [licenceOf(found.license)] : []),
    });
    components.set(purl, component);
  }
  const release = new Component(ComponentType.Application, name, { bomRef: name, version });
  const bom = new Bom({
    metadata: new Metadata({ component: release }),
    components: new ComponentRepository(components.values()),
  });
  const serializer = new JsonSerializer(new Json.Normalize.Factory(Spec1dot6));
  return `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`;
}

/** 'sha512-…' as CycloneDX writes it. */
function hashOf(integrity: string): Hash {
  const [, bits, base64 = ''] = /^sha(\d+)-(.+)$/.exec(integrity) ?? [];
  return [`SHA-${bits}` as HashAlgorithm, Buffer.from(base64, 'base64').toString('hex')];
}

function licenceOf(text: string): License {
  if (isSupportedSpdxId(text)) return new SpdxLicense(text);
  return / (AND|OR|WITH) /.test(text) ? new LicenseExpression(text) : new NamedLicense(text);
}

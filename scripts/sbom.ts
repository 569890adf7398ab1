/** The SBOM of a build (CycloneDX, JSON): the packages whose code it holds, with versions and licences as installed and the lockfile's hashes. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Enums, Models } from '@cyclonedx/cyclonedx-library';

interface Installed {
  name: string;
  version: string;
  license?: string;
}

type Locked = Record<string, { integrity?: string }>;

const readJson = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T;

/** Of the packages in `folders`. The same packages give the same bytes: no time, no random number, no path. */
export function sbomOf(name: string, version: string, folders: readonly string[], root: string): string {
  // Loaded only for a build: it takes 60 ms.
  const { ComponentType } = require('@cyclonedx/cyclonedx-library/Enums') as typeof Enums;
  const models = require('@cyclonedx/cyclonedx-library/Models') as typeof Models;
  const { JSON: json, JsonSerializer } =
    require('@cyclonedx/cyclonedx-library/Serialize') as typeof import('@cyclonedx/cyclonedx-library/Serialize');
  const { Spec1dot6 } =
    require('@cyclonedx/cyclonedx-library/Spec') as typeof import('@cyclonedx/cyclonedx-library/Spec');

  const lockfile = path.join(root, 'package-lock.json');
  const locked = existsSync(lockfile) ? (readJson<{ packages?: Locked }>(lockfile).packages ?? {}) : {};
  const components = new Map<string, Models.Component>();
  for (const folder of folders) {
    const found = readJson<Installed>(path.join(folder, 'package.json'));
    const [unscoped = '', scope] = found.name.split('/').reverse();
    const purl = `pkg:npm/${scope ? `${encodeURIComponent(scope)}/` : ''}${unscoped}@${found.version}`;
    const { integrity } = locked[path.relative(root, folder).replaceAll(path.sep, '/')] ?? {};
    const component = new models.Component(ComponentType.Library, unscoped, {
      bomRef: purl,
      purl,
      group: scope,
      version: found.version,
      hashes: new models.HashDictionary(integrity ? [hashOf(integrity)] : []),
      licenses: new models.LicenseRepository(found.license ? [licenceOf(models, found.license)] : []),
    });
    components.set(purl, component);
  }
  const bom = new models.Bom({
    metadata: new models.Metadata({
      component: new models.Component(ComponentType.Application, name, { bomRef: name, version }),
    }),
    components: new models.ComponentRepository(components.values()),
  });
  const serializer = new JsonSerializer(new json.Normalize.Factory(Spec1dot6));
  return `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`;
}

/** 'sha512-…' as CycloneDX writes it. */
function hashOf(integrity: string): Models.Hash {
  const [, bits, base64 = ''] = /^sha(\d+)-(.+)$/.exec(integrity) ?? [];
  return [`SHA-${bits}` as Enums.HashAlgorithm, Buffer.from(base64, 'base64').toString('hex')];
}

function licenceOf({ LicenseExpression, NamedLicense, SpdxLicense }: typeof Models, text: string): Models.License {
  const { isSupportedSpdxId } =
    require('@cyclonedx/cyclonedx-library/SPDX') as typeof import('@cyclonedx/cyclonedx-library/SPDX');
  if (isSupportedSpdxId(text)) return new SpdxLicense(text);
  return / (AND|OR|WITH) /.test(text) ? new LicenseExpression(text) : new NamedLicense(text);
}

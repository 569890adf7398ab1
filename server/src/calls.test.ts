import fs from 'node:fs';
import path from 'node:path';
import { HEAD_SCRIPT } from '../../release/src/page/head-script';
import { callsFile, callsText, formatted } from './testing/calls-file';
import { type Api, readApi } from './testing/routes';

let api: Api;
beforeAll(async () => {
  api = await readApi();
});

describe('the calls that screens are typed by', () => {
  it('are those of the routes: run "npm run calls -w server" after a change of a schema', () => {
    expect(fs.readFileSync(callsFile, 'utf8')).toBe(formatted(callsText(api.routes)));
  });

  it('stand in the OpenAPI document, with the same method, path, fields and required fields', () => {
    for (const { method, url, body, query, data } of api.routes.filter((route) => route.data)) {
      const call = api.document.paths[url.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
      const shape = (schema: object | undefined) => {
        const { properties = {}, required = [] } = (schema ?? {}) as { properties?: object; required?: string[] };
        return { fields: Object.keys(properties).sort(), required: [...required].sort() };
      };
      const inQuery = (call?.parameters ?? []).filter((one) => one.in === 'query');
      expect({
        url,
        body: shape(call?.requestBody?.content['application/json']?.schema),
        query: {
          fields: inQuery.map((one) => one.name).sort(),
          required: inQuery
            .filter((one) => one.required)
            .map((one) => one.name)
            .sort(),
        },
        answered: Object.keys(call?.responses[200]?.content ?? {}),
      }).toEqual({ url, body: shape(body), query: shape(query), answered: data ? ['application/json'] : [] });
    }
  });

  it('are the only way in which the front ends reach the API', () => {
    const root = path.join(__dirname, '../..');
    const known = new Set(api.routes.map((route) => route.url));
    const strangers: string[] = [];
    for (const folder of ['shell', 'shared', 'mfe-catalog', 'mfe-account', 'mfe-orders', 'mfe-content']) {
      for (const file of fs.readdirSync(path.join(root, folder, 'src'), { recursive: true, encoding: 'utf8' })) {
        if (!/\.tsx?$/.test(file) || /\.test\.tsx?$/.test(file)) continue;
        const text = fs.readFileSync(path.join(root, folder, 'src', file), 'utf8');
        // The client itself; the beacon, which must outlive its page; releases, which are files and no calls.
        const raw = /\bfetch\(|XMLHttpRequest|\bhttp\.(get|post|put|delete|request)\(|sendBeacon/.test(text);
        if (raw && file !== 'http/http-client.ts' && !(folder === 'shell' && file.startsWith('releases/')))
          strangers.push(`${folder}/${file}`);
        for (const [, url = ''] of text.matchAll(/['"`](\/api\/[\w/]+)['"`]/g)) {
          if (!known.has(url) && !['/api/front', '/api/health/report'].includes(url)) strangers.push(`${file}: ${url}`);
        }
      }
    }
    expect(strangers).toEqual([]);
    for (const [, url = ''] of HEAD_SCRIPT.matchAll(/'(\/api\/[^']+)'/g)) expect(known).toContain(url);
  });
});

/** Checks JSON-LD against schema.org's vocabulary: types, properties, whose they are, and what they may hold. */
import vocabulary from './schema-org.json';

const types: Record<string, string> = vocabulary.types;
const values: Record<string, string> = vocabulary.values;
const properties: Record<string, string[]> = vocabulary.properties;
const ADDRESS = 'https://schema.org/';

type Node = Record<string, unknown>;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);
const words = (text: string | undefined) => (text ?? '').split(' ').filter(Boolean);

/** The type and all above it. */
const withAncestors = (type: string): string[] => [type, ...words(types[type]).flatMap(withAncestors)];

/** What is wrong, a line each. */
export function schemaOrgFaults(data: unknown): string[] {
  if (!isNode(data) || data['@context'] !== ADDRESS.slice(0, -1)) return ['@context is not schema.org'];
  const nodes = Array.isArray(data['@graph']) ? data['@graph'] : [data];
  if (nodes.length === 0) return ['nothing is described'];
  const typeOfId = new Map(nodes.filter(isNode).map((node) => [node['@id'], node['@type']]));
  return nodes.flatMap((node) => nodeFaults(node, typeOfId));
}

function nodeFaults(node: unknown, typeOfId: Map<unknown, unknown>): string[] {
  if (!isNode(node)) return [`${JSON.stringify(node)} is no thing`];
  const type = typeOf(node, typeOfId);
  if (type === undefined) return [`${JSON.stringify(node)} has no known type`];
  return Object.entries(node).flatMap(([name, value]) =>
    name.startsWith('@') ? [] : propertyFaults(type, name, value, typeOfId),
  );
}

function typeOf(node: Node, typeOfId: Map<unknown, unknown>): string | undefined {
  const type = node['@type'] ?? typeOfId.get(node['@id']);
  return typeof type === 'string' && Object.hasOwn(types, type) ? type : undefined;
}

function propertyFaults(type: string, name: string, value: unknown, typeOfId: Map<unknown, unknown>): string[] {
  // The annotation of a property that whoever acts fills in (https://schema.org/docs/actions.html).
  const [, filledIn] = /^(.+)-input$/.exec(name) ?? [];
  const [domain, range] = properties[filledIn ?? name] ?? [];
  if (domain === undefined) return [`${type}.${name} is no property`];
  if (!words(domain).some((one) => withAncestors(type).includes(one))) return [`${type} has no property ${name}`];
  const allowed = filledIn ? ['Text'] : words(range);
  return [value].flat().flatMap((one) => {
    if (isNode(one)) {
      const given = typeOf(one, typeOfId);
      const fits = given !== undefined && withAncestors(given).some((ancestor) => allowed.includes(ancestor));
      return [...(fits ? [] : [`${type}.${name} may not be ${given}`]), ...nodeFaults(one, typeOfId)];
    }
    return allowed.some((expected) => isLiteral(one, expected))
      ? []
      : [`${type}.${name} may not be ${JSON.stringify(one)}`];
  });
}

function isLiteral(value: unknown, expected: string): boolean {
  if (typeof value === 'number') return expected === 'Number' || (expected === 'Integer' && Number.isInteger(value));
  if (typeof value === 'boolean') return expected === 'Boolean';
  if (typeof value !== 'string' || value === '') return false;
  switch (expected) {
    case 'Text':
      return true;
    case 'URL':
      return URL.canParse(value);
    case 'Number':
      return /^\d+(\.\d+)?$/.test(value);
    case 'Date':
    case 'DateTime':
      return /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2}))?$/.test(value);
    default:
      return value.startsWith(ADDRESS) && values[value.slice(ADDRESS.length)] === expected;
  }
}

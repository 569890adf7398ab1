export { bootCode } from './boot/boot-code';
export { type ComposedDocument, type ComposeOptions, composeDocument } from './compose/compose-document';
export { type DocumentLanguage, LANGUAGES } from './metadata/languages';
export {
  type DescribePage,
  kindOf,
  NOTHING_KNOWN,
  type PageDescription,
  type PageReference,
  type ProductMetadata,
} from './metadata/page-metadata';
export type { Site } from './site/site';

import type { CustomModule } from '@shop/server/wire';

export type TemplateProps = { module: CustomModule };

/** Types of the wire format, declared beside the schemas that validate them. */

export type * from './accounts/auth/auth.schemas';
export type * from './accounts/invitations/invitations.schemas';
export type * from './accounts/privacy/privacy.schemas';
export type * from './accounts/sessions/sessions.schemas';
export type * from './accounts/uploads/uploads.schemas';
export type * from './accounts/users/users.schemas';
export type * from './catalogue/catalogue.schemas';
export type * from './content/content.schemas';
export type * from './coupons/coupons.schemas';
export type { Calls } from './generated/calls';
export type * from './levels/levels.schemas';
export type * from './notices/notices.schemas';
export type * from './orders/orders.schemas';
export type * from './payments/payments.schemas';
export type * from './platform/http/schemas';
export type * from './wallet/wallet.schemas';

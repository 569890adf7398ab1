import type { StaffCalls } from './staff.routes';

type Answer<Name extends keyof StaffCalls> = StaffCalls[Name]['answer'];

export type HistoryEntry = Answer<'GET goods/:key/history'>[number];
export type Reports = Answer<'GET reports'>;
export type ReportDay = Reports['days'][number];
export type ReportTotal = Reports['totals'][number];
export type ListedBatch = Answer<'GET batches'>[number];
export type StaffAuthenticator = Answer<'POST setup/authenticator'>;
export type StaffCategories = Answer<'GET categories'>;
export type StaffCodesPreview = Answer<'POST codes/preview'>;
export type StaffInvitationShown = Answer<'POST people'>;
export type StaffInvited = Answer<'POST setup/read'>;
export type StaffListed = Answer<'GET people'>[number];
export type StaffListedArticle = Answer<'GET articles'>[number];
export type StaffListedBanner = Answer<'GET banners'>[number];
export type StaffListedCoupon = Answer<'GET coupons'>[number];
export type StaffListedGoods = Answer<'GET goods'>['list'][number];
export type StaffListedLevel = Answer<'GET levels'>[number];
export type StaffListedModule = Answer<'GET modules'>[number];
export type StaffPriceEdit = Answer<'GET prices/edits'>[number];
export type StaffPricesPreview = Answer<'POST prices/preview'>;
export type StaffReconciliation = Answer<'POST reconcile'>[number];
export type StaffRefundAnswer = Answer<'POST refunds'>;
export type StaffSharedCode = Answer<'GET codes/shared'>;
export type StaffStock = Answer<'GET stock'>[number];
export type WaitingRefund = Answer<'GET refunds'>[number];
export type WaitingWalletAction = Answer<'GET wallet'>[number];

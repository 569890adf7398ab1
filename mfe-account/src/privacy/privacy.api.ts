import type { CloseAccountBody, ExportBody } from '@shop/server/wire';
import { identifierBody } from '@shop/shared/domain/mask-phone';
import { get, post } from '@shop/shared/http';
import { queryOptions } from '@shop/shared/query';

const front = '/api/front';

export const closureQuery = queryOptions({
  queryKey: ['account', 'closure'],
  queryFn: () => get(`${front}/user/closure`, undefined, { quiet: true }),
});
export const closeAccount = (proof: CloseAccountBody) => post(`${front}/user/closure`, proof, { quiet: true });
export const requestExport = (body: ExportBody) => post(`${front}/user/export`, body, { quiet: true });
export const sendProofCode = (to: string) =>
  post(`${front}/app/send_code`, { ...identifierBody(to), scene: 'account' }, { quiet: true });

import type { UserInfo } from '@shop/server/wire';
import type { User } from '@shop/shared/session';

/** Missing texts become '' and missing flags 0. */
export function toUser(wire: UserInfo): User {
  return {
    id: String(wire.id),
    avatar: wire.avatar ?? '',
    balance: wire.balance,
    balances: wire.balances,
    frozen: wire.frozen,
    birthday: wire.birthday ?? '',
    email: wire.email ?? '',
    idCardCode: wire.id_card_code ?? '',
    isReal: wire.is_real ?? 0,
    isUsable: wire.is_usable ?? 0,
    name: wire.name ?? '',
    nickname: wire.nickname ?? '',
    openid: wire.openid ?? '',
    phone: wire.phone ?? '',
    signInEmail: wire.sign_in_email ?? '',
    sex: wire.sex ?? 0,
    hasPassword: wire.has_password,
    inviteCode: wire.invite_code ?? '',
    unreadNotices: wire.unread_notices ?? 0,
  };
}

import { type Static, Type } from 'typebox';

export const WxCodeQuerySchema = Type.Object({ callback: Type.String({ minLength: 1, maxLength: 500 }) });
export const WxCodeSchema = Type.Object({ url: Type.String() });
export type WxCode = Static<typeof WxCodeSchema>;
export const WechatAuthorizeQuerySchema = Type.Object({
  code: Type.String({ minLength: 1, maxLength: 200 }),
  state: Type.Optional(Type.String({ maxLength: 200 })),
});

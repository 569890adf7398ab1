import { type Currency, type Language, languages } from '@shop/shared/domain';
import { emailPattern } from '@shop/shared/domain/email';
import { currencies } from '@shop/shared/domain/lists';
import { type Static, type TSchema, Type } from 'typebox';

// By index, so that the types match the list: a new language or currency does not compile until it is added here.
export const CurrencySchema = Type.Union([Type.Literal(currencies[0]), Type.Literal(currencies[1])]);
export const LocaleSchema = Type.Union([Type.Literal(languages[0]), Type.Literal(languages[1])]);
export type { Currency, Language as Locale };

/** Money on the wire: a string with two decimals, "12.34"; a debit in a log is "-12.34". */
export const MoneySchema = Type.String({ pattern: '^-?\\d+\\.\\d{2}$' });
/** ISO 8601 in UTC. */
export const TimeSchema = Type.String();
export const IdSchema = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
/** Empty, or an email address. */
export const EmailSchema = Type.String({ maxLength: 120, pattern: `^$|${emailPattern.source}` });
/** Order, recharge and payment numbers: random, never serial. */
export const NumberSchema = Type.String({ minLength: 8, maxLength: 40, pattern: '^[0-9A-Za-z]+$' });

export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** In any spelling; `phoneOf` normalizes it. */
export const PhoneSchema = Type.String({ minLength: 1, maxLength: 40 });
/** In any spelling; `emailOf` normalizes it. */
export const SignInEmailSchema = Type.String({ minLength: 1, maxLength: 300 });
export const CodeSchema = Type.String({ pattern: '^\\d{6}$' });

export const PageQuerySchema = Type.Object({
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
});

/** For lists that are also read by cursor; `pattern` is the form of their cursors, which clients do not interpret. */
export const CursorQuery = (pattern: string) =>
  Type.Object({ ...PageQuerySchema.properties, cursor: Type.Optional(Type.String({ maxLength: 60, pattern })) });
/** The place of a row by its time in microseconds and a number. */
export const TIME_CURSOR = '^\\d{1,17}\\.\\d{1,15}$';
export const NUMBER_CURSOR = '^[0-9A-Za-z]{8,40}$';

const PlaceSchema = Type.Object({
  total: Type.Integer(),
  page: Type.Integer(),
  limit: Type.Integer(),
  has_more: Type.Boolean(),
  /** `cursor` of the next page. */
  next: Type.Optional(Type.String()),
});
export const Paged = <T extends TSchema>(item: T) => Type.Object({ list: Type.Array(item), ...PlaceSchema.properties });
export interface Page<T> extends Static<typeof PlaceSchema> {
  list: T[];
}

/** A value before it is sent: times may be Dates, which the answer has as ISO 8601. */
export type Sent<T> = T extends string
  ? string extends T
    ? T | Date
    : T
  : T extends object
    ? { [Name in keyof T]: Sent<T[Name]> }
    : T;

export const EnvelopeOf = <T extends TSchema>(data: T) =>
  Type.Object({
    code: Type.Integer({ minimum: 200, maximum: 200 }),
    message: Type.String(),
    data,
    request_id: Type.String(),
  });
export interface Envelope<T> {
  code: number;
  message: string;
  data: T;
  request_id: string;
}

/** The response map of a route: one envelope at HTTP 200. The error handler serialises errors. */
export const answer = <T extends TSchema>(data: T) => ({ 200: EnvelopeOf(data) });

/** Every response except success; `data` is null, or with InvalidInput the messages of the fields. */
export const ErrorSchema = Type.Object(
  {
    code: Type.Integer({ minimum: 201 }),
    message: Type.String({ minLength: 1 }),
    data: Type.Unknown(),
    request_id: Type.String({ minLength: 1 }),
  },
  { additionalProperties: false },
);

export type FieldErrors = { errors: Record<string, string> };

import type { GoodsInfo, GoodsSpec, OrderPreviewBody } from '@shop/server/wire';
import { StockState } from '@shop/shared/domain';
import { fromMinor, multiplyMoney, toMinor } from '@shop/shared/money';

export type CouponChoice = 'best' | 'none' | number;

export interface Selection {
  specId: number | null;
  /** Null while the typed value cannot be bought. */
  customValue: number | null;
  quantity: number;
  coupon: CouponChoice;
}

/** Reads a query like "?spec_id=3&quantity=2"; otherwise selects the first spec in stock. */
export function firstSelection(goods: GoodsInfo, search: URLSearchParams): Selection {
  const requested = goods.specs.find((spec) => String(spec.id) === search.get('spec_id') && canBuy(spec));
  const spec = requested ?? goods.specs.find(canBuy);
  const custom = Number(search.get('custom_value'));
  const selection: Selection = {
    specId: goods.custom ? null : (spec?.id ?? null),
    customValue: goods.custom ? (isCustomValue(goods.custom, custom) ? custom : goods.custom.min) : null,
    quantity: goods.limits.min,
    coupon: 'best',
  };
  return { ...selection, quantity: clampQuantity(goods, selection, Number(search.get('quantity')) || 1) };
}

export function canBuy(spec: GoodsSpec): boolean {
  return spec.stock_state !== StockState.Out;
}

export function isSoldOut(goods: GoodsInfo): boolean {
  return !goods.custom && !goods.specs.some(canBuy);
}

export function isCustomValue({ min, max, step }: NonNullable<GoodsInfo['custom']>, value: number): boolean {
  return Number.isSafeInteger(value) && value >= min && value <= max && (value - min) % step === 0;
}

export function nearestCustomValue({ min, max, step }: NonNullable<GoodsInfo['custom']>, value: number): number {
  const highest = min + Math.floor((max - min) / step) * step;
  const onGrid = min + Math.round((value - min) / step) * step;
  return Math.min(highest, Math.max(min, onGrid));
}

function chosenSpec(goods: GoodsInfo, selection: Selection): GoodsSpec | undefined {
  return goods.specs.find((spec) => spec.id === selection.specId);
}

/**
 * The tightest of the limits of the goods, the face value and this user. `max` is 0 if none may be bought; `leftToday` and `leftEver`
 * remain of this user's limits, null without one.
 */
export function quantityLimits(goods: GoodsInfo, selection: Selection) {
  const { limits } = goods;
  // `used` counts today's purchases if there is a daily limit, else all purchases of this user.
  const leftToday = limits.per_day > 0 ? Math.max(0, limits.per_day - limits.used) : null;
  const leftEver = limits.per_user > 0 ? Math.max(0, limits.per_user - (limits.per_day > 0 ? 0 : limits.used)) : null;
  const max = Math.min(
    limits.max,
    chosenSpec(goods, selection)?.max_qty ?? limits.max,
    leftEver ?? limits.max,
    leftToday ?? limits.max,
  );
  return { min: limits.min, max: max < limits.min ? 0 : max, leftToday, leftEver };
}

export function clampQuantity(goods: GoodsInfo, selection: Selection, quantity: number): number {
  const { min, max } = quantityLimits(goods, selection);
  return Math.max(min, Math.min(max, Math.trunc(quantity)));
}

/** The body of preview and create; null while the selection is incomplete. */
export function previewBody(goods: GoodsInfo, selection: Selection): OrderPreviewBody | null {
  const { quantity, coupon, customValue } = selection;
  const spec = chosenSpec(goods, selection);
  const what = goods.custom
    ? customValue !== null && { custom_value: customValue }
    : spec && canBuy(spec) && { spec_id: spec.id };
  if (!what || quantityLimits(goods, selection).max === 0) return null;
  return {
    goods_id: goods.id,
    ...what,
    quantity,
    ...(typeof coupon === 'number' ? { user_coupon_id: coupon } : { coupon }),
  };
}

export function chosenStep(spec: GoodsSpec, quantity: number): NonNullable<GoodsSpec['steps']>[number] | undefined {
  return spec.steps?.findLast(({ from }) => from <= quantity);
}

interface Estimate {
  /** List price of a piece, or of one unit of a custom value. */
  unit: string;
  /** Pieces, or units of the custom value and pieces. */
  factors: number[];
  listAmount: string;
  /** The discount by quantity, as a negative amount. */
  step?: { from: number; amount: string };
  total: string;
}

/** The total without level and coupon, from the list prices and their steps. Shown until the server has answered. */
export function estimate(goods: GoodsInfo, selection: Selection): Estimate | null {
  const { quantity, customValue } = selection;
  if (goods.custom) {
    if (customValue === null) return null;
    const unit = goods.custom.unit_price;
    const total = multiplyMoney(unit, customValue * quantity);
    return { unit, factors: [customValue, quantity], listAmount: total, total };
  }
  const spec = chosenSpec(goods, selection);
  if (!spec) return null;
  const { price: unit } = spec;
  const listAmount = multiplyMoney(unit, quantity);
  const step = chosenStep(spec, quantity);
  if (!step) return { unit, factors: [quantity], listAmount, total: listAmount };
  const total = multiplyMoney(step.price, quantity);
  const amount = fromMinor(toMinor(total) - toMinor(listAmount));
  return { unit, factors: [quantity], listAmount, step: { from: step.from, amount }, total };
}

/**
 * `goods` are paid for. A `coupon` is free and has a code for each unit. A `red-packet` sale gives away money: each unit is
 * a packet that one shopper claims.
 */
export const saleKinds = ['goods', 'coupon', 'red-packet'] as const
export type SaleKind = (typeof saleKinds)[number]

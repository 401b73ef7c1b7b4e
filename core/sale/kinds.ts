/**
 * `goods` are paid for. A `coupon` costs nothing and comes with a code for each unit. A
 * `red-packet` sale hands out money: each unit is a packet that one shopper claims.
 */
export const saleKinds = ['goods', 'coupon', 'red-packet'] as const
export type SaleKind = (typeof saleKinds)[number]

/** A shopper's actions on an order, each the last part of a path. */
export const orderActions = ['pay', 'cancel'] as const
export type OrderAction = (typeof orderActions)[number]

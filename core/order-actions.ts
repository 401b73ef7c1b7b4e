/** What a shopper may ask of an order of theirs, each the last part of a path. */
export const orderActions = ['pay', 'cancel'] as const
export type OrderAction = (typeof orderActions)[number]

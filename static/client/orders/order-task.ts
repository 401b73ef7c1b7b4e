/** What the shopper can press on the page of an order. */

/** What the shop is being asked to do with the order, and no second thing meanwhile. */
export type OrderTask = 'pay' | 'give-back' | 'change-address' | 'erase-address' | 'withdraw'

/** What the shopper pressed. */
export type TaskHandlers = Readonly<Record<OrderTask, () => void>>

/** Answers of `GET /api/control/sales/{saleId}/live`. */
import type { Live } from '../../../core/api/control-answers.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { aSale, saleIdOf } from '../../redis/support.ts'

/** A sale of goods with one window. */
export const sale = aSale({
  ...{ saleId: saleIdOf('mug'), currency: 'EUR', stock: 100, limitPerShopper: 1, maxPerOrder: 1 },
  ...{ startsAt: 1, endsAt: 2 },
  ...{ minLevel: 3, challenge: 'pow', windows: [{ startsAt: 1, endsAt: 2, stock: 100 }], version: 3, startToken: null },
})
/** A sale of red packets with these numbers. */
export const rain: Sale = {
  ...sale,
  ...{ kind: 'red-packet', price: 0, packets: { count: 100, totalAmount: 5000 } },
  windows: [{ startsAt: 1, endsAt: 2, stock: 100, totalAmount: 5000 }],
}
/** The live numbers of `sale`, while it is open. */
export const aLive: Live = {
  sale,
  phase: 'open',
  split: null,
  stock: { total: 100, booked: 40, heldBack: 0, available: 60 },
  frozen: false,
  orders: { sold: 38, orders: 30 },
  drift: 0,
  outbox: 2,
  queue: { visible: 3, inFlight: 1, delayed: 0 },
  deadLetters: 0,
  admissions: { remaining: 70, out: 10, rate: 500 },
  demand: { asked: 900, decided: 90, won: 40, refused: [{ reason: 'sold-out', count: 860 }] },
  soldOut: [null],
  redeemed: null,
  paid: { orders: 12, amount: 480, returned: 0, disputed: 0, disputedAmount: 0, refunded: 0 },
  money: null,
  unavailable: [],
  inStep: true,
  now: 1500,
}

/** Answers of `GET /api/control/sales/{saleId}/live`. */
import type { Live } from '../../../core/api/control.ts'
import { defaultThrottle, type Sale } from '../../../core/sale.ts'
import { saleIdOf } from '../../redis/support.ts'

/** A sale of goods with one window. */
export const sale: Sale = {
  ...{ saleId: saleIdOf('mug'), kind: 'goods', title: 'A mug', description: 'Blue.', image: '/mug.svg' },
  ...{ price: 10, currency: 'EUR', stock: 100, limitPerShopper: 1, maxPerOrder: 1, startsAt: 1, endsAt: 2 },
  ...{ paymentWindowSeconds: 900, paymentGraceSeconds: 120 },
  ...{ admissionRatio: 1.2, minLevel: 3, challenge: 'pow', throttle: defaultThrottle },
  ...{ windows: [{ startsAt: 1, endsAt: 2, stock: 100 }], windowIndex: 0 },
  ...{ flag: 'on', epoch: 1, version: 3, warmed: true, createdAt: 0, updatedAt: 1 },
  startToken: null,
}
/** The same sale, of red packets. */
export const rain: Sale = {
  ...sale,
  ...{ kind: 'red-packet', price: 0, packets: { count: 100, totalAmount: 5000 } },
  windows: [{ startsAt: 1, endsAt: 2, stock: 100, totalAmount: 5000 }],
}
/** The live numbers of `sale`, while it is open. */
export const aLive: Live = {
  sale,
  phase: 'open',
  stock: { total: 100, booked: 40, heldBack: 0, available: 60 },
  frozen: false,
  orders: { sold: 38, orders: 30 },
  drift: 0,
  outbox: 2,
  queue: { visible: 3, inFlight: 1, delayed: 0 },
  deadLetters: 0,
  admissions: { remaining: 70, out: 10 },
  paid: { orders: 12, amount: 480 },
  money: null,
  unavailable: [],
  inStep: true,
  now: 1500,
}

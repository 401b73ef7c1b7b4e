/** Gives an example of each body and answer: one sale of mugs and the life of an order. */
import type { OperationName } from '../../core/api/operations.ts'
import { mergedOf } from '../../core/lib/fold.ts'
import { orderNumberOf } from '../../core/orders/order-number.ts'
import { type Problem, type ProblemCode, type ProblemFacts, problem } from '../../core/outcome.ts'
import { defaultThrottle } from '../../core/sale/sale.ts'
import { site } from '../../options/registry/site.ts'
import type { OptionText } from './operation-text.ts'

const opensAt = Date.UTC(2027, 0, 15, 12)
const at = (seconds: number) => opensAt + 1000 * seconds

const saleId = 'stoneware-mug'
const orderId = `${saleId}-k7m2qx4c5dn6r3tj5vbhwzyeaf`
const paymentId = `${orderId}-1`
const money = { amount: 4900, currency: 'EUR' }
const startToken = 'Zr1pV5m0Q8yJtX3cKf7wDA'

const definition = {
  saleId,
  kind: 'goods',
  title: 'Stoneware mug',
  description: 'Thrown by hand. There are two hundred.',
  pictures: [{ src: '/assets/pictures/mug.svg', alt: 'A brown mug' }],
  price: 4900,
  currency: 'EUR',
  stock: 200,
  limitPerShopper: 1,
  maxPerOrder: 1,
  startsAt: opensAt,
  endsAt: at(3600),
}

const defaults = {
  ...{
    paymentWindowSeconds: 900,
    paymentGraceSeconds: 120,
    shards: 1,
    supportRefundLimit: 0,
  },
  ...{ admissionRatio: 1.2, minLevel: 0, challenge: 'off', requirePass: 'on', spreadSeconds: 0 },
  ...{ throttle: defaultThrottle, windows: [] },
}

const sale = {
  ...{ ...definition, ...defaults, windowIndex: 0, flag: 'on', epoch: 1, startToken, version: 4, warmed: true },
  ...{ databases: ['main'], createdAt: at(-86_400), updatedAt: at(-60) },
}

const order = {
  ...{
    orderId,
    orderNumber: orderNumberOf(0),
    saleId,
    quantity: 1,
    ...money,
    status: 'awaiting-payment',
    reservedAt: at(1),
    payBy: at(901),
  },
  history: [
    { at: at(1), what: 'reserved', status: 'reserved' },
    { at: at(2), what: 'written', status: 'awaiting-payment' },
  ],
}

const delivery = {
  ...{ name: 'Ann Example', addressLines: ['Musterstraße 1'], locality: 'Berlin', postalCode: '10115' },
  ...{ postalCountry: 'DE', phone: '+4930123456' },
}
const deliveryView = {
  delivery,
  lines: ['Ann Example', 'Musterstraße 1', '10115 Berlin'],
  forms: [
    {
      country: 'DE',
      parts: ['name', 'addressLines', 'postalCode', 'locality'],
      required: ['name', 'addressLines', 'postalCode', 'locality'],
    },
  ],
  email: 'ann@example.com',
}
const contactView = { contact: { email: 'ann@example.com', language: 'en' } }
const credit = { saleId: 'new-year-rain', packetId: 'new-year-rain-17', amount: 88, currency: 'CNY' }
const redemption = { code: 'ABCDEFGHJKMNPQRSTVWX', orderId, redeemedAt: at(600), reference: 'receipt 4711' }
const uploadId = '0123456789abcdef0123456789abcdef'
const picture = `/pictures/${uploadId}`
const brand = { revision: 3, brand: { name: 'Kiln and Clay', colours: { light: '#8a3b12', dark: '#f0a878' } } }
const customerIssuer = {
  name: 'shop',
  issuer: 'https://shop.example',
  signInUrl: 'https://shop.example/login',
  jwksUrl: 'https://shop.example/jwks.json',
  keys: [{ id: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k', kid: '2027-01', alg: 'EdDSA', until: null }],
  savedAt: at(-60),
  checkedAt: at(-2),
  failure: null,
  failedSince: null,
  refused: [{ reason: 'future', count: 12, lastAt: at(-60) }],
}
const series = {
  ...{ at: [at(0) / 1000, at(1) / 1000], taken: [0, 140], left: [200, 60], asked: [0, 812] },
  ...{ admitted: [0, 151], won: [0, 140], soldOut: [0, 0], full: [0, 661], closed: [0, 0] },
  ...{ limited: [0, 11], checked: [0, 0], other: [0, 0] },
}
const block = { kind: 'ip', value: '203.0.113.0/24' }
const foundOrders = {
  orders: [
    {
      ...{ orderId, orderNumber: orderNumberOf(0), saleId, shopperId: 'ann', quantity: 1, ...money, status: 'paid' },
      ...{ reservedAt: at(1), writtenAt: at(2), payBy: null, refunds: [] },
      payment: { paymentId, attempt: 1, startedAt: at(30), state: 'succeeded' },
      history: [...order.history, { at: at(60), what: 'payment-succeeded', status: 'paid' }],
    },
  ],
  next: null,
}

const refunded = { orderId, saleId, status: 'refund-due', reason: 'by-marketer', refund: { paymentId, ...money } }
const row = (columns: string, values: string) => `${columns}\r\n${values}\r\n`

const ofOptions = (part: 'body' | 'answer') =>
  Object.fromEntries(
    Object.entries<OptionText>(mergedOf(site, 'texts')).flatMap(([name, { examples }]) =>
      examples[part] === undefined ? [] : [[name, examples[part]]],
    ),
  )

/** Examples of bodies. An operation without one takes an empty object. */
export const bodyExamples: Partial<Record<OperationName, unknown>> = {
  ...ofOptions('body'),
  buy: { quantity: 1, startToken },
  claim: { startToken },
  putDelivery: { ...delivery, email: 'ann@example.com', language: 'en' },
  webhook: { type: 'payment.succeeded', timestamp: '2027-01-15T12:01:00Z', data: { paymentId, orderId, ...money } },
  redeem: { reference: 'receipt 4711' },
  confirm: { reference: '#1042' },
  createSale: definition,
  editSale: { title: 'Stoneware mug, brown' },
  start: { now: true },
  changeStock: { delta: 50 },
  reserveOrder: { shopperId: 'ann', quantity: 1, key: 'by-phone-1' },
  ship: { lines: [{ orderId, carrier: 'DHL', tracking: '00340434161094000000', status: 'shipped' }] },
  importBlocks: { entries: [{ ...block, reason: 'Bots of the spring sale', until: at(1440) }], dryRun: true },
  block: { reason: 'Bots of the spring sale', until: at(1440) },
  beginPicture: { type: 'image/jpeg' },
  findOrders: { find: 'ann@example.com', shopper: true },
  exportPerson: { shopperId: 'ann' },
  erasePerson: { shopperId: 'ann' },
  changeBrand: brand,
  saveCustomerIssuer: {
    issuer: 'https://shop.example',
    signInUrl: 'https://shop.example/login',
    jwksUrl: 'https://shop.example/jwks.json',
  },
}

const wallet = {
  balances: [{ amount: 88, currency: 'CNY' }],
  credits: [{ ...credit, claimedAt: at(1), creditedAt: at(3), balance: 88 }],
}

const keptOrder = { part: 'orders', reason: 'booking', count: 1, until: Date.UTC(2036, 0, 1) }
const person = {
  ...{ shopperId: 'ann', at: at(2880) },
  parts: [{ part: 'contact', items: [{ kind: 'contact', email: 'ann@example.com', language: 'en' }] }],
  ...{ kept: [keptOrder], open: [] },
}
const erasedPerson = { erased: [{ part: 'contact', count: 1 }], kept: [keptOrder] }

/** Examples of answers, except of HTML pages. */
export const answerExamples: Partial<Record<OperationName, unknown>> = {
  ...ofOptions('answer'),
  getTime: { now: opensAt },
  openCustomerSession: { shopperId: 'customer:shop|4711', name: 'Ann', expiresInSeconds: 3540 },
  getPass: { pass: 'v1.5f1d7a84db00d2fce00b31a7fc73224f.1800036000.c2lnbmF0dXJl' },
  requestChallenge: { ticket: 'dGlja2V0', expiresAt: at(600) },
  buy: { orderId, status: 'reserved', quantity: 1, remaining: 199 },
  claim: { packetId: credit.packetId, amount: 88, currency: 'CNY', remaining: 411 },
  listOrders: { orders: [order], next: null },
  getOrder: order,
  awaitOrder: order,
  findPacket: { packet: { packetId: credit.packetId, amount: 88, currency: 'CNY', claimedAt: at(1) } },
  pay: { url: 'https://pay.example.com/checkout/7f3a', paymentId },
  cancel: {
    ...{ ...order, status: 'cancelled', reason: 'by-shopper', payBy: null },
    history: [...order.history, { at: at(90), what: 'cancelled', status: 'cancelled' }],
  },
  getWallet: wallet,
  awaitCredit: wallet,
  getDelivery: deliveryView,
  putDelivery: deliveryView,
  eraseDelivery: { ...deliveryView, delivery: null, lines: [] },
  getContact: contactView,
  eraseContact: { contact: null },
  getOwnData: person,
  eraseOwnData: erasedPerson,
  refreshSession: { expiresInSeconds: 28_800 },
  endSession: { endSessionUrl: 'https://login.example.com/logout' },
  webhook: { result: 'done' },
  redeem: redemption,
  undoRedemption: { ...redemption, undoneAt: at(660) },
  confirm: { orderId, status: 'paid', reference: '#1042' },
  release: { orderId, status: 'cancelled' },
  whoAmI: { who: 'mia', roles: ['marketer'] },
  listSales: { sales: [sale], next: null },
  createSale: { ...sale, flag: 'off', epoch: 0, startToken: null, version: 1, warmed: false, databases: [] },
  getSale: sale,
  editSale: { ...sale, title: 'Stoneware mug, brown', version: 5 },
  deleteSale: { ...sale, flag: 'off', epoch: 0, startToken: null, version: 2, warmed: false, databases: [] },
  warm: { ...sale, flag: 'off', epoch: 0, startToken: null, version: 2 },
  start: sale,
  pause: { ...sale, flag: 'paused', version: 5 },
  resume: { ...sale, version: 6 },
  close: { ...sale, flag: 'closed', version: 7 },
  changeStock: { total: 250, booked: 140 },
  reserveOrder: { code: 'reserved', orderId, quantity: 1 },
  ship: { lines: [{ orderId, code: 'shipped' }] },
  beginPicture: {
    ...{ uploadId, url: 'https://uploads.example.com/', expiresAt: at(300) },
    fields: { key: `uploads/${uploadId}` },
  },
  finishPicture: { src: picture, width: 1600, height: 1200, widths: [400, 800, 1600] },
  pauseAll: { paused: [saleId], failed: [] },
  resumeAll: { resumed: [saleId], failed: [] },
  recover: { sale, orders: 140, units: 140, heldBack: 2, movedShards: [] },
  reconcile: {
    ...{ state: 'in-step', resent: 0, waiting: 0, oldestAgeMs: 0, givenUp: 0, drift: 0, released: 0 },
    holds: { restored: 0, released: 0, lost: 0, overdue: 0 },
  },
  getLive: {
    ...{ sale, phase: 'open', inStep: true, frozen: false, split: null, drift: 0, outbox: 0, deadLetters: 0 },
    ...{ stock: { total: 200, booked: 140, heldBack: 0, available: 60 }, orders: { sold: 140, orders: 140 } },
    ...{ queue: { visible: 0, inFlight: 0, delayed: 0 }, admissions: { remaining: 72, out: 0, rate: 12 } },
    demand: { asked: 812, decided: 151, won: 140, refused: [{ reason: 'limit-reached', count: 11 }] },
    soldOut: [null],
    paid: { orders: 122, amount: 597_800, disputed: 0, returned: 0, disputedAmount: 0, refunded: 4900 },
    ...{ redeemed: null, money: null, unavailable: [], now: at(30) },
  },
  getSeries: { seconds: series, minutes: series, next: null },
  getOrders: row('orderId,saleId,shopperId,quantity', `${orderId},${saleId},ann,1`),
  getCoupons: row('code,orderId,shopperId,state', `${redemption.code},${orderId},ann,valid`),
  getPackets: row('packetId,shopperId,amount,currency', `${credit.packetId},ann,0.88,CNY`),
  listAllOrders: foundOrders,
  findOrders: {
    ...foundOrders,
    shopper: {
      ...{ shopperId: 'ann', contact: { email: 'ann@example.com', language: 'en' } },
      ...{ deliveries: [], balances: [], credits: [] },
      mails: [{ about: orderId, kind: 'confirmed', state: 'sent', at: at(61) }],
    },
  },
  exportPerson: person,
  erasePerson: erasedPerson,
  refund: refunded,
  settleRefund: { ...refunded, status: 'refunded', refund: null },
  redrive: { moved: 3, left: 0 },
  rotatePassKeys: { rotatedAt: at(10) },
  getHealth: {
    parts: [
      { part: 'stock', state: 'ok', at: at(30), finding: 'answers', count: 0, names: [] },
      { part: 'canary', state: 'failing', at: at(29), finding: 'failed', count: 1, names: ['webhook'] },
    ],
    sales: [{ saleId, trouble: 'unpaid', count: 60, at: at(29) }],
    now: at(30),
  },
  listDatabases: {
    databases: [{ name: 'main', commandsPerSecond: 10_000, share: 0.04, sales: [{ sale, isBig: false }] }],
  },
  listBlocks: { entries: [{ ...block, who: 'mia', when: at(5) }] },
  importBlocks: { changed: 1, same: 0 },
  block: { ...block, reason: 'Bots of the spring sale', until: at(1440), who: 'mia', when: at(5) },
  unblock: block,
  getBrand: brand,
  changeBrand: { ...brand, revision: 4 },
  listCustomerIssuers: { issuers: [customerIssuer] },
  saveCustomerIssuer: customerIssuer,
  deleteCustomerIssuer: { name: 'shop' },
  getAudit: {
    day: '2027-01-15',
    entries: [
      {
        ...{ who: 'mia', role: 'marketer', what: 'start', saleId, when: opensAt, requestId: 'r-81d2' },
        ...{ before: { flag: 'off' }, after: { flag: 'on' } },
      },
    ],
  },
}

const details: Partial<Record<ProblemCode, [detail: string, facts?: ProblemFacts]>> = {
  'invalid-request': ['quantity must be a whole number from 1 to 1000', { field: 'quantity' }],
  'not-started': ['The sale has not started.', { retryAfterSeconds: 12, now: at(-12) }],
  'not-your-turn': ['Your turn comes in a moment.', { retryAfterSeconds: 2 }],
  'sold-out': ['Sold out.', { remaining: 0, lookup: `/api/orders?sale=${saleId}` }],
  ended: ['The sale is over.', { lookup: `/api/orders?sale=${saleId}` }],
  'stale-page': ['The page is out of date.', { lookup: `/api/orders?sale=${saleId}` }],
  'at-capacity': ['As many requests as can succeed are under way.', { retryAfterSeconds: 1 }],
  'too-many-requests': ['Too many requests. Wait, then try again.', { retryAfterSeconds: 30 }],
  unavailable: ['Try again in a moment.', { retryAfterSeconds: 1 }],
  'role-required': ['You need another role for this.', { roles: ['marketer'] }],
  conflict: ['The state does not allow this now.', {}],
}

export function problemExample(code: ProblemCode): Problem {
  const [detail, facts] = details[code] ?? []
  return problem(code, detail ?? `${problem(code, '').title}.`, facts)
}

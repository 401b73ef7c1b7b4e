/** The texts of each operation in the API description. */
import type { OperationName } from '../../core/api/operations.ts'
import { mergedOf } from '../../core/lib/fold.ts'
import { site } from '../../options/registry/site.ts'
import type { OperationText } from './operation-text.ts'

const ofTag =
  (tag: OperationText['tag'], usual: Partial<OperationText> = {}) =>
  (summary: string, more: Partial<OperationText> = {}): OperationText => ({ tag, summary, ...usual, ...more })
const [shopper, personal, staff] = [ofTag('shopper'), ofTag('personal'), ofTag('staff')]
const signIn = ofTag('sign-in', { access: 'public' })

const click = {
  headers: ['x-sluice-pass', 'x-sluice-seen'],
  answers: ['x-sluice-pass'],
} as const
const table = { answers: ['x-sluice-next'] } as const

export const texts: Readonly<Record<OperationName, OperationText>> = {
  getTime: { tag: 'public', summary: 'Tell the time', access: 'public' },
  getPass: shopper('Get a pass', { answers: ['x-sluice-pass'] }),
  openCustomerSession: {
    ...{ tag: 'sign-in', summary: 'Open a session for a customer of the shop' },
    description:
      'The bearer token is a JWT that the shop has signed (ES256, RS256 or EdDSA): `iss` as registered, `aud` the address of this shop, `sub` the customer, `iat`, and `exp` at most an hour later; at will `name` and `level`. The answer sets the cookies of the session. `conflict`: the cookies of the request are the session of another person; ask that person, end it with `endSession`, and send the token again. A caller that sends the same token as bearer with each request needs no session.',
  },
  requestChallenge: shopper('Get a challenge to solve, or a ticket for a solved one', { answers: ['x-sluice-pass'] }),

  buy: shopper('Buy units of a sale', {
    ...click,
    headers: ['Idempotency-Key', ...click.headers],
    description:
      '202 is a new reservation, 200 the repeat of an earlier one. Without an `Idempotency-Key` it is the one purchase of its shopper in this opening of the sale. After a lost answer send the same key again. `sold-out`, `ended` and `stale-page` may refuse such a repeat: their `lookup` is where the order is found.',
  }),
  claim: shopper('Claim a red packet', {
    ...click,
    description: 'A shopper has one packet of a sale, so a repeat gets the same one, with `repeat`, and needs no key.',
  }),
  listOrders: shopper('List one’s orders', {
    description: 'Newest first. A page may be short and still have a `next`.',
  }),
  getOrder: shopper('Read one’s order'),
  awaitOrder: shopper('Wait for the next step of one’s order', {
    description:
      '`after` is the number of steps in the `history` that the caller has. The answer comes as soon as there are more, or unchanged after about three seconds; at once in a shop that holds no requests. Ask once in five seconds, and after any failure read the order instead: 429 means that too many requests are held.',
  }),
  findPacket: shopper('Look for the red packet that one has claimed in a sale', {
    description:
      'For a claim whose answer was lost. `packet` may still be on its way to the wallet; it is null when there is none, and `unavailable` while that is not certain.',
  }),
  pay: shopper('Begin to pay an order', {
    description:
      'While that payment is under way, a repeat gets the same page. `language` is that of the page on which the shopper pays: what is paid for is named in it.',
  }),
  cancel: shopper('Cancel an order before it is paid'),
  getWallet: shopper('Read one’s wallet'),
  awaitCredit: shopper('Wait for the credit of one’s red packet', {
    description:
      'Answers the wallet as soon as the packet of the sale is in it, or as it is after about three seconds; at once to a shopper who has claimed none. Ask as for an order.',
  }),

  getDelivery: personal('Read where an order is sent'),
  putDelivery: personal('Say where an order is sent'),
  eraseDelivery: personal('Erase where an order is sent'),
  getContact: personal('Read one’s contact'),
  getOwnData: personal('Read all that the shop holds of oneself', {
    description:
      '`parts` has items as they are stored, decrypted; `kept` what an erasure leaves, by part and reason, and until when; `open` the orders that it waits for.',
  }),
  eraseOwnData: personal('Erase all that the shop holds of oneself', {
    description:
      'What a law or a running sale needs stays, and is named. `conflict` names the orders that are under way. Safe to repeat.',
  }),
  eraseContact: personal('Erase one’s contact, and take back all emails that one has asked for'),
  askToUnsubscribe: personal('Show the page behind the link of an email', { access: 'public' }),
  unsubscribe: personal('Want no more emails', { access: 'public' }),

  beginSignIn: signIn('Go to the issuer to sign in', { answers: ['Location'] }),
  finishSignIn: signIn('Come back from the issuer', { answers: ['Location'] }),
  refreshSession: signIn('Renew the session', { headers: ['Origin'] }),
  endSession: signIn('End the session', { headers: ['Origin'] }),

  webhook: {
    ...{ tag: 'provider', summary: 'Report what became of a payment', access: 'signature' },
    description: 'An event id counts once. After any status but 2xx send the event again.',
  },
  redeem: { tag: 'till', summary: 'Redeem a coupon', access: 'shopKey', headers: ['Idempotency-Key'] },
  undoRedemption: {
    ...{ tag: 'till', summary: 'Undo a redemption', access: 'shopKey', headers: ['Idempotency-Key'] },
    description: 'The key is that of the redemption.',
  },

  confirm: {
    ...{ tag: 'till', summary: 'Confirm that an order was paid in the shop', access: 'shopKey' },
    description:
      'Repeat it until there is an answer: the same reference again finds the same order. An order whose time is over gets its units again while any are left, under the number in the answer.',
  },
  release: {
    ...{ tag: 'till', summary: 'Give the units of an order back', access: 'shopKey' },
    description: 'Before it is paid, or once the shop has given the money back.',
  },

  whoAmI: staff('Read who asks, and their roles'),
  listSales: staff('List sales'),
  createSale: staff('Create a sale', {
    description: 'The same definition again finds the same sale, while that is unchanged.',
  }),
  getSale: staff('Read a sale'),
  editSale: staff('Change a sale'),
  deleteSale: staff('Delete a sale that was never started'),
  warm: staff('Load the stock of a sale'),
  start: staff('Start a sale'),
  pause: staff('Pause a sale'),
  resume: staff('Resume a sale'),
  close: staff('End a sale'),
  changeStock: staff('Add or remove units', { headers: ['Idempotency-Key'] }),
  reserveOrder: staff('Place an order for a shopper'),
  ship: staff('Mark orders as shipped or delivered'),
  beginPicture: staff('Begin to upload a picture'),
  finishPicture: staff('Make the picture of an upload'),
  pauseAll: staff('Pause all sales'),
  resumeAll: staff('Resume the sales that were paused together'),
  recover: staff('Build the stock of a sale again from its orders'),
  reconcile: staff('Compare the stock of a sale with its orders'),
  getLive: staff('Read the live numbers of a sale'),
  getSeries: staff('Read the course of a sale: by the second, and by the minute'),
  getOrders: staff('Read the table of the orders of a sale', table),
  getCoupons: staff('Read the table of the coupons of a sale', table),
  getPackets: staff('Read the table of the red packets of a sale', table),
  listAllOrders: staff('Orders of a sale, or of all sales, newest first'),
  findOrders: staff(
    'Find a shopper’s orders, and if asked for wallet and emails, by order, email address or shopper; or orders by `name`',
  ),
  exportPerson: staff('Read all that the shop holds of a shopper'),
  erasePerson: staff('Erase all that the shop holds of a shopper'),
  refund: staff('Cancel or refund an order'),
  settleRefund: staff('Settle a refund that the bank returned'),
  redrive: staff('Send dead letters to their queues again'),
  rotatePassKeys: staff('Replace the keys of passes'),
  getHealth: staff('Read the health of the system'),
  listDatabases: staff('List the databases of the stock'),
  listBlocks: staff('List what is blocked'),
  block: staff('Block a shopper, a range of addresses or a key', {
    description:
      '`kind` is `shopper`, `ip`, `session-key` or `shop-key`. A range is an address, a slash and the length of its prefix.',
  }),
  importBlocks: staff('Block many, or change their reasons and ends'),
  unblock: staff('Unblock'),
  getBrand: staff('Read the brand of the shop'),
  changeBrand: staff('Change the brand of the shop'),
  listCustomerIssuers: staff('List who signs tokens for customers of the shop'),
  saveCustomerIssuer: staff('Save who signs tokens for customers of the shop', {
    description:
      'The public keys are pasted as a set of JSON Web Keys (`jwks`), or read at an address (`jwksUrl`) now and then every ten minutes. A key that is no longer there verifies tokens for an hour more.',
  }),
  deleteCustomerIssuer: staff('Take back who signs tokens for customers'),
  getAudit: staff('Read who changed what on a day'),
  ...mergedOf(site, 'texts'),
}

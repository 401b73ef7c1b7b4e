/** The console's list of sales, and the page of a sale before it opens, while it sells and afterwards. */
import type { Page } from '@playwright/test'
import { controlApi, type FoundOrder, type Live } from '../../../core/api/control-answers.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { control, createSale, openSale, writtenOrder } from '../../journey/support.ts'
import { unfold } from '../console.ts'
import { openRain } from '../rain.ts'
import { consoleIn, showLive } from './console-visits.ts'
import { type Place, redrawnPlace, state } from './tour.ts'
import { answer, change, goTo, refuse, type Steps, shows, type Tour, take, type View } from './visits.ts'

const hourMs = 3_600_000
const listOfSales = /\/api\/control\/sales(\?.*)?$/
const title = 'Handmade stoneware mug with a lid, second firing'
const translations = { 'zh-CN': { title: '手作青瓷带盖马克杯（二次烧制，限量典藏款）' } }

async function openSales({ stack }: Tour) {
  const now = Date.now()
  const texts = { title, translations }
  const made = (change: Record<string, unknown>, ...steps: string[]) =>
    createSale(stack, { ...texts, ...change }, ...steps)
  const open = await openSale(stack, {
    ...texts,
    ...{ stock: 20, price: 490, currency: 'EUR', supportRefundLimit: 600 },
    earlyAccess: { minutes: 30, minLevel: 3 },
  })
  const order = { shopperId: 'tour-buyer', quantity: 1, key: 'tour-buyer-1' }
  const { orderId } = await control<{ orderId: string }>(stack, `/sales/${open.saleId}/orders`, order)
  await writtenOrder(stack, orderId, await stack.token(order.shopperId))
  const later = { startsAt: now + 2 * hourMs, endsAt: now + 3 * hourMs }
  const waves = [
    { startsAt: now + hourMs, endsAt: now + 2 * hourMs, stock: 4, totalAmount: 2000 },
    { startsAt: now + 3 * hourMs, endsAt: now + 4 * hourMs, stock: 12, totalAmount: 11_050 },
  ]
  return {
    orderId,
    open: open.saleId,
    draft: await made(later),
    late: await made({ startsAt: now - 60_000 }, 'warm'),
    soon: await made({ startsAt: now + 20 * 60_000 }, 'warm'),
    armed: await made({ startsAt: now + 26 * hourMs, endsAt: now + 27 * hourMs }, 'start'),
    sizes: (
      await openSale(stack, {
        ...{ ...texts, stock: 3, limitPerShopper: 2, maxPerOrder: 2 },
        variants: [
          { id: 's', name: 'Small', stock: 1 },
          { id: 'm', name: 'Medium', stock: 2 },
        ],
      })
    ).saleId,
    coupon: (
      await openSale(stack, {
        ...{ ...texts, kind: 'coupon', price: 0, stock: 20, coupons: { validUntil: now + 30 * 24 * hourMs } },
      })
    ).saleId,
    waves: await made({
      ...{ kind: 'red-packet', windows: waves, pictures: [{ src: '/assets/pictures/packet.svg', alt: 'A packet' }] },
      ...{ price: undefined, stock: undefined, limitPerShopper: undefined, maxPerOrder: undefined },
      ...{ startsAt: undefined, endsAt: undefined },
    }),
    rain: await openRain(stack, 20, texts),
  }
}

/** The numbers of a sale are read every second; the tour moves the clock of the page on instead of waiting. */
async function withClock(opening: Promise<Page>): Promise<Page> {
  const page = await opening
  await page.clock.install()
  return page
}

export async function consoleSalePlaces(tour: Tour): Promise<Place[]> {
  const { stack } = tour
  const { orderId, ...sales } = await openSales(tour)
  const page = (saleId: string) => `#/sale/${saleId}`

  /** The sales of other tests would only take time. */
  const listed = await Promise.all(Object.values(sales).map((saleId) => control<Sale>(stack, `/sales/${saleId}`)))
  const found = (view: Page, some: readonly Sale[]) => answer(view, listOfSales, { sales: some, next: null })

  const search = async (view: Page, find: string) => {
    await view.fill('#search-find', find)
    await view.press('#search-find', 'Enter')
  }

  const openList = async (view: View) => {
    const opened = await consoleIn(tour, view, '#/blocks')
    await found(opened, listed)
    return opened
  }
  const list = redrawnPlace('the list of sales', openList, [
    state('with one that is late', { at: '#/', shown: '#start-alarms a' }),
    state('with the question whether to pause all', { press: '#pause-all' }),
    state('while it is searched', async (view) => {
      await view.route(listOfSales, async (route) => {
        const asked = new URL(route.request().url()).searchParams
        // Read again before the search begins: an empty list has no field to search in.
        if (!asked.has('find')) return route.fallback()
        // The second page never comes.
        if (asked.has('after')) return
        await route.fulfill({ json: { sales: [], next: `${Date.UTC(2025, 2, 12, 12)}.tour` } })
      })
      await search(view, 'rare')
      await shows(view, '#search-stop')
    }),
    state('with what was found', async (view) => {
      await found(view, listed)
      await search(view, 'mug')
      await shows(view, '#search-found:not(:empty)')
      await shows(view, '#sales > li')
    }),
    state('where nothing was found', async (view) => {
      await found(view, [])
      await search(view, 'teapot')
      await shows(view, '.empty')
    }),
    state('of archived ones', {
      answer: [listOfSales, { sales: listed.map((sale) => ({ ...sale, archivedAt: Date.now() })), next: null }],
      ...{ at: '#/archived', shown: '#sales > li' },
    }),
  ])

  const shown = (saleId: string, selector: string): Steps => ({ at: page(saleId), shown: selector })
  const live = (name: string, selector: string, changed: (live: Live) => Partial<Live>) =>
    state(name, (view) => showLive(view, changed, selector))
  const before = redrawnPlace('a sale before it opens', (view) => consoleIn(tour, view, '#/blocks'), [
    state('as a draft', shown(sales.draft, '#phase[data-phase=draft]')),
    state('that is late', shown(sales.late, '#start-alarm p')),
    state('that needs its start soon', shown(sales.soon, '#start-alarm p')),
    state('with the question how to start it', { press: '[data-action=start]' }),
    state('that opens automatically on another day', shown(sales.armed, '#overview-opens')),
    state('of red packets in two rounds', shown(sales.waves, '#windows tr, #windows li')),
  ])

  const open = redrawnPlace('an open sale', (view) => withClock(consoleIn(tour, view, page(sales.open))), [
    live('with many who wait', '#demand', ({ sale }) => ({
      sale: { ...sale, admitPerSecond: 4 },
      admissions: { remaining: 0, out: 7, rate: 4 },
      demand: {
        ...{ asked: 12_345, decided: 40, won: 1 },
        refused: [
          { reason: 'at-capacity', count: 12_000 },
          { reason: 'sign-in-required', count: 305 },
        ],
      },
    })),
    state('with all its panels', async (view) => {
      for (const panel of ['health', 'reserve-panel', 'shipments', 'refund-panel', 'embed', 'settings'])
        await unfold(view, panel)
      await view.fill('#delta', '30')
      await view.locator('#stock-effect:not(:empty)').waitFor()
      await view.click('#reserve')
      await view.click('#refund')
      await view.locator('#field-refund-order[aria-invalid=true]').waitFor()
    }),
    state('with the question whether to remove units', { press: '#stock-remove' }),
    state('with the question whether to make an order', {
      fill: { 'reserve-shopperId': 'bob', 'reserve-quantity': '1' },
      press: '#reserve',
    }),
    state('with the question whether to refund an order', { fill: { 'refund-order': orderId }, press: '#refund' }),
    state('with the question whether to rebuild it', { press: '#recover' }),
    state('with the question whether to pause it', { press: '[data-action=pause]' }),
    state('with the question whether to end it', { press: '[data-action=close]' }),
    state('with a file of tracking numbers', async (view) => {
      const unknown = `${sales.open}-${'a'.repeat(26)}`
      const lines = [
        { orderId, code: 'shipped' },
        { orderId: unknown, code: 'not-found' },
      ]
      await answer(view, '**/shipments', { lines })
      const rows = [
        'orderId,carrier,tracking,status,note',
        `${orderId},SF Express,SF 1234-5678,shipped,fragile`,
        `${unknown},DHL,1,shipped,`,
        `${sales.open}-${'b'.repeat(26)},<b>DHL</b>,1,shipped,`,
      ]
      const buffer = Buffer.from(rows.join('\r\n'))
      await view.setInputFiles('#field-shipments', { name: 'file.csv', mimeType: 'text/csv', buffer })
      await take(view, { press: '#ship-check', shown: '#ship-do' })
    }),
    live('with parts that do not answer', '#health[data-state=bad] #health-more li', () => ({
      ...{ stock: null, admissions: null, demand: null, queue: null },
      ...{ drift: null, unavailable: ['redis', 'sqs', 'gate'], deadLetters: null, outbox: null },
    })),
    state('of which no answer comes any more', {
      ...{ answer: ['**/live', 'not what it says otherwise'], shown: '#health[data-state=unknown]' },
    }),
    live('that must be rebuilt', '#recover-now', () => ({ frozen: true, drift: 3, deadLetters: 2 })),
    live('with messages to send again', '#redrive:visible', () => ({ inStep: false, drift: -3, deadLetters: 2 })),
    state('with the question whether to send them', { press: '#redrive' }),
    live('over three databases, of which one is down', '#shards tbody tr', () => ({
      split: {
        pool: 40,
        shards: [
          { database: 'main', state: 'selling', granted: 100, booked: 3, left: 97 },
          { database: 'db-2', state: 'unreachable', granted: 100, booked: null, left: null },
          { database: 'db-3', state: 'frozen', granted: 60, booked: 0, left: 60 },
        ],
      },
    })),
    live('that sold out', '#phase[data-phase=sold-out]', ({ orders }) => ({
      phase: 'sold-out',
      stock: { total: 20, booked: 20, heldBack: 1, available: 0 },
      orders: { ...orders, sold: 20 },
      soldOut: [7800],
      paid: { orders: 20, amount: 9800, returned: 0, disputed: 0, disputedAmount: 0, refunded: 0 },
    })),
    live('that was ended', '#overview-end:visible', ({ sale }) => ({
      ...{ phase: 'ended', sale: { ...sale, flag: 'closed', version: sale.version + 1 } },
    })),
    live('that is archived', '#notices p', ({ sale }) => ({
      ...{ phase: 'ended', stock: null, sale: { ...sale, archivedAt: Date.now() } },
    })),
  ])

  const others = redrawnPlace('an open sale of another kind', (view) => withClock(consoleIn(tour, view, '#/blocks')), [
    state('with sizes', shown(sales.sizes, '#variants [data-variant=m]')),
    state('of coupons', shown(sales.coupon, '#codes-download')),
    state('of red packets', async (view) => {
      await goTo(view, page(sales.rain))
      const money = { budget: 5000, claimed: 1221, left: 3779, returned: null }
      await showLive(view, () => ({ money }), '#live-claimed')
    }),
  ])

  const byRole = (role: 'viewer' | 'support', states: Place['states']) =>
    redrawnPlace(`the console of ${role}`, (view) => consoleIn(tour, view, page(sales.open), role), states)
  const foundOrder = `#found [data-order="${orderId}"]`
  const changeOrders = (view: Page, changed: (order: FoundOrder) => Partial<FoundOrder>) =>
    change(view, '**/orders/find', controlApi.findOrders, ({ orders }) => ({
      orders: orders.map((order) => ({ ...order, ...changed(order) })),
    }))
  const findOrder = async (view: Page, selector: string) => {
    await goTo(view, '#/')
    await take(view, { at: `#/orders/${orderId}`, shown: selector })
  }

  return [
    list,
    before,
    open,
    others,
    byRole('viewer', [state('at a sale', shown(sales.open, '#phase[data-phase=open]'))]),
    byRole('support', [
      state('after a refund above the limit', async (view) => {
        const values = { limit: '€4.00', amount: '€4.90' }
        await refuse(view, '**/refund', 'conflict', { reason: 'over-refund-limit', values })
        await take(view, { unfold: 'refund-panel', fill: { 'refund-order': orderId }, press: '#refund' })
        await take(view, { press: '[data-choice=refund]', shown: '#status:not(:empty)' })
      }),
      state('with an order that was found', { at: `#/orders/${orderId}`, shown: foundOrder }),
      state('with an order whose refund the bank returned and whose payment is disputed', async (view) => {
        await changeOrders(view, ({ orderId: id, amount, currency, reservedAt }) => {
          const paymentId = `${id}.1`
          const refund = { paymentId, amount, currency, returned: 0, failedAt: reservedAt }
          return { refunds: [refund], dispute: { paymentId, state: 'open', at: reservedAt } }
        })
        await findOrder(view, `#settle-${orderId}`)
      }),
      state('asked whether a refund is settled', { press: `#settle-${orderId}`, shown: '[data-choice=settle]' }),
      state('with an order whose dispute is lost', async (view) => {
        await changeOrders(view, ({ orderId: id, reservedAt }) => ({
          dispute: { paymentId: `${id}.1`, state: 'lost', at: reservedAt },
        }))
        await findOrder(view, foundOrder)
      }),
      state('at a view for others', { at: '#/audit', shown: '#view .empty' }),
    ]),
    redrawnPlace('the console without a role', (view) => consoleIn(tour, view, '', 'none'), [
      state('of a shopper', { shown: '#view .empty a' }),
    ]),
  ]
}

/** The console's list of sales, and the page of a sale before it opens, while it sells and afterwards. */
import type { Page } from '@playwright/test'
import { controlApi, type Live } from '../../../core/api/control-answers.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { control, createSale, openSale, writtenOrder } from '../../journey/support.ts'
import { unfold } from '../console.ts'
import { openRain } from '../rain.ts'
import { consoleIn, goTo, showLive } from './console-visits.ts'
import type { Place, State, View } from './tour.ts'
import { answer, change, pressing, refuse, type Tour } from './visits.ts'

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

  const list: Place = {
    name: 'the list of sales',
    isRedrawn: true,
    open: async (view) => {
      const opened = await consoleIn(tour, view, '#/blocks')
      await found(opened, listed)
      return opened
    },
    states: [
      {
        name: 'with one that is late',
        async reach(view) {
          await goTo(view, '#/')
          await view.locator('#start-alarms a').first().waitFor()
        },
      },
      { name: 'with the question whether to pause all', reach: pressing('#pause-all') },
      {
        name: 'while it is searched',
        async reach(view) {
          await view.keyboard.press('Escape')
          await view.route(listOfSales, async (route) => {
            const asked = new URL(route.request().url()).searchParams
            // Read again before the search begins: an empty list has no field to search in.
            if (!asked.has('find')) return route.fallback()
            // The second page never comes.
            if (asked.has('after')) return
            await route.fulfill({ json: { sales: [], next: `${Date.UTC(2025, 2, 12, 12)}.tour` } })
          })
          await view.fill('#search-find', 'rare')
          await view.press('#search-find', 'Enter')
          await view.locator('#search-stop').waitFor()
        },
      },
      {
        name: 'with what was found',
        async reach(view) {
          await found(view, listed)
          await view.fill('#search-find', 'mug')
          await view.press('#search-find', 'Enter')
          await view.locator('#search-found:not(:empty)').waitFor()
          await view.locator('#sales > li').first().waitFor()
        },
      },
      {
        name: 'where nothing was found',
        async reach(view) {
          await found(view, [])
          await view.fill('#search-find', 'teapot')
          await view.press('#search-find', 'Enter')
          await view.locator('.empty').waitFor()
        },
      },
      {
        name: 'of archived ones',
        async reach(view) {
          await found(
            view,
            listed.map((sale) => ({ ...sale, archivedAt: Date.now() })),
          )
          await goTo(view, '#/archived')
          await view.locator('#sales > li').first().waitFor()
        },
      },
    ],
  }

  const shown = (saleId: string, selector: string) => async (view: Page) => {
    await goTo(view, page(saleId))
    await view.locator(selector).first().waitFor()
  }
  const live = (changed: (live: Live) => Partial<Live>, selector: string) => (view: Page) =>
    showLive(view, changed, selector)
  const file = (view: Page, input: string, lines: readonly string[]) =>
    view.setInputFiles(input, {
      ...{ name: 'file.csv', mimeType: 'text/csv' },
      buffer: Buffer.from(lines.map((line) => `${line}\r\n`).join('')),
    })
  /** Back to the page as it is, without a question. */
  const closed = (state: State): State => ({
    ...state,
    async reach(view, as) {
      await view.keyboard.press('Escape')
      return state.reach(view, as)
    },
  })

  const before: Place = {
    name: 'a sale before it opens',
    isRedrawn: true,
    open: (view) => consoleIn(tour, view, '#/blocks'),
    states: [
      { name: 'as a draft', reach: shown(sales.draft, '#phase[data-phase=draft]') },
      { name: 'that is late', reach: shown(sales.late, '#start-alarm p') },
      { name: 'that needs its start soon', reach: shown(sales.soon, '#start-alarm p') },
      { name: 'with the question how to start it', reach: pressing('[data-action=start]') },
      closed({ name: 'that opens by itself on another day', reach: shown(sales.armed, '#overview-opens') }),
      { name: 'of red packets in two rounds', reach: shown(sales.waves, '#windows tr, #windows li') },
    ],
  }

  const open: Place = {
    name: 'an open sale',
    isRedrawn: true,
    open: (view) => withClock(consoleIn(tour, view, page(sales.open))),
    states: [
      {
        name: 'with many who wait',
        reach: live(
          ({ sale }) => ({
            sale: { ...sale, admitPerSecond: 4 },
            admissions: { remaining: 0, out: 7, rate: 4 },
            demand: {
              ...{ asked: 12_345, decided: 40, won: 1 },
              refused: [
                { reason: 'at-capacity', count: 12_000 },
                { reason: 'sign-in-required', count: 305 },
              ],
            },
          }),
          '#demand',
        ),
      },
      {
        name: 'with all its panels',
        async reach(view) {
          for (const panel of ['health', 'reserve-panel', 'shipments', 'refund-panel', 'embed', 'settings'])
            await unfold(view, panel)
          await view.fill('#delta', '30')
          await view.locator('#stock-effect:not(:empty)').waitFor()
          await view.click('#reserve')
          await view.click('#refund')
          await view.locator('#field-refund-order[aria-invalid=true]').waitFor()
        },
      },
      { name: 'with the question whether to remove units', reach: pressing('#stock-remove') },
      closed({
        name: 'with the question whether to make an order',
        async reach(view) {
          await view.fill('#field-reserve-shopperId', 'bob')
          await view.fill('#field-reserve-quantity', '1')
          await pressing('#reserve')(view)
        },
      }),
      closed({
        name: 'with the question whether to refund an order',
        async reach(view) {
          await view.fill('#field-refund-order', orderId)
          await pressing('#refund')(view)
        },
      }),
      closed({ name: 'with the question whether to rebuild it', reach: pressing('#recover') }),
      closed({ name: 'with the question whether to pause it', reach: pressing('[data-action=pause]') }),
      closed({ name: 'with the question whether to end it', reach: pressing('[data-action=close]') }),
      closed({
        name: 'with a file of tracking numbers',
        async reach(view) {
          const unknown = `${sales.open}-${'a'.repeat(26)}`
          const lines = [
            { orderId, code: 'shipped' },
            { orderId: unknown, code: 'not-found' },
          ]
          await answer(view, '**/shipments', { lines })
          await file(view, '#field-shipments', [
            'orderId,carrier,tracking,status,note',
            `${orderId},SF Express,SF 1234-5678,shipped,fragile`,
            `${unknown},DHL,1,shipped,`,
            `${sales.open}-${'b'.repeat(26)},<b>DHL</b>,1,shipped,`,
          ])
          await view.click('#ship-check')
          await view.locator('#ship-do').waitFor()
        },
      }),
      {
        name: 'with parts that do not answer',
        reach: live(
          () => ({
            ...{ stock: null, admissions: null, demand: null, queue: null },
            ...{ drift: null, unavailable: ['redis', 'sqs', 'gate'], deadLetters: null, outbox: null },
          }),
          '#health[data-state=bad] #health-more li',
        ),
      },
      {
        name: 'of which no answer comes any more',
        async reach(view) {
          await answer(view, '**/live', 'not what it says otherwise')
          await view.locator('#health[data-state=unknown]').waitFor()
        },
      },
      { name: 'that must be rebuilt', reach: live(() => ({ frozen: true, drift: 3, deadLetters: 2 }), '#recover-now') },
      {
        name: 'with messages to send again',
        reach: live(() => ({ inStep: false, drift: -3, deadLetters: 2 }), '#redrive:visible'),
      },
      { name: 'with the question whether to send them', reach: pressing('#redrive') },
      closed({
        name: 'over three databases, of which one is down',
        reach: live(
          () => ({
            split: {
              pool: 40,
              shards: [
                { database: 'main', state: 'selling', granted: 100, booked: 3, left: 97 },
                { database: 'db-2', state: 'unreachable', granted: 100, booked: null, left: null },
                { database: 'db-3', state: 'frozen', granted: 60, booked: 0, left: 60 },
              ],
            },
          }),
          '#shards tbody tr',
        ),
      }),
      {
        name: 'that sold out',
        reach: live(
          ({ orders }) => ({
            phase: 'sold-out',
            stock: { total: 20, booked: 20, heldBack: 1, available: 0 },
            orders: { ...orders, sold: 20 },
            soldOut: [7800],
            paid: { orders: 20, amount: 9800, disputed: 0, disputedAmount: 0, refunded: 0 },
          }),
          '#phase[data-phase=sold-out]',
        ),
      },
      {
        name: 'that was ended',
        reach: live(
          ({ sale }) => ({ phase: 'ended', sale: { ...sale, flag: 'closed', version: sale.version + 1 } }),
          '#overview-end:visible',
        ),
      },
      {
        name: 'that is archived',
        reach: live(
          ({ sale }) => ({ phase: 'ended', stock: null, sale: { ...sale, archivedAt: Date.now() } }),
          '#notices p',
        ),
      },
    ],
  }

  const others: Place = {
    name: 'an open sale of another kind',
    isRedrawn: true,
    open: (view) => withClock(consoleIn(tour, view, '#/blocks')),
    states: [
      { name: 'with sizes', reach: shown(sales.sizes, '#variants [data-variant=m]') },
      { name: 'of coupons', reach: shown(sales.coupon, '#codes-download') },
      {
        name: 'of red packets',
        async reach(view) {
          await goTo(view, page(sales.rain))
          const money = { budget: 5000, claimed: 1221, left: 3779, returned: null }
          await showLive(view, () => ({ money }), '#live-claimed')
        },
      },
    ],
  }

  const byRole = (role: 'viewer' | 'support', states: readonly State[]): Place => ({
    ...{ name: `the console of ${role}`, isRedrawn: true, states },
    open: (view: View) => consoleIn(tour, view, page(sales.open), role),
  })

  return [
    list,
    before,
    open,
    others,
    byRole('viewer', [{ name: 'at a sale', reach: shown(sales.open, '#phase[data-phase=open]') }]),
    byRole('support', [
      {
        name: 'after a refund above the limit',
        async reach(view) {
          await unfold(view, 'refund-panel')
          await view.fill('#field-refund-order', orderId)
          await refuse(view, '**/refund', 'conflict', {
            ...{ reason: 'over-refund-limit', values: { limit: '€4.00', amount: '€4.90' } },
          })
          await pressing('#refund')(view)
          await view.click('[data-choice=refund]')
          await view.locator('#status:not(:empty)').waitFor()
        },
      },
      {
        name: 'with an order that was found',
        async reach(view) {
          await goTo(view, `#/orders/${orderId}`)
          await view.locator(`#found [data-order="${orderId}"]`).waitFor()
        },
      },
      {
        name: 'with an order whose refund the bank returned and whose payment is disputed',
        async reach(view) {
          await change(view, '**/orders/find', controlApi.findOrders, ({ orders }) => ({
            orders: orders.map((order) => {
              const paymentId = `${order.orderId}.1`
              const { amount, currency } = order
              const refund = { paymentId, amount, currency, returned: 0, failedAt: order.reservedAt }
              return {
                ...order,
                refunds: [refund],
                dispute: { paymentId, state: 'open' as const, at: order.reservedAt },
              }
            }),
          }))
          await goTo(view, '#/')
          await goTo(view, `#/orders/${orderId}`)
          await view.locator(`#settle-${orderId}`).waitFor()
        },
      },
      { name: 'asked whether a refund is settled', reach: pressing(`#settle-${orderId}`, '[data-choice=settle]') },
      {
        name: 'with an order whose dispute is lost',
        async reach(view) {
          await view.click('[data-choice=back]')
          await change(view, '**/orders/find', controlApi.findOrders, ({ orders }) => ({
            orders: orders.map((order) => ({
              ...order,
              dispute: { paymentId: `${order.orderId}.1`, state: 'lost' as const, at: order.reservedAt },
            })),
          }))
          await goTo(view, '#/')
          await goTo(view, `#/orders/${orderId}`)
          await view.locator(`#found [data-order="${orderId}"]`).waitFor()
        },
      },
      {
        name: 'at a view for others',
        async reach(view) {
          await goTo(view, '#/audit')
          await view.locator('#view .empty').waitFor()
        },
      },
    ]),
    {
      name: 'the console without a role',
      isRedrawn: true,
      open: (view) => consoleIn(tour, view, '', 'none'),
      states: [{ name: 'of a shopper', reach: (view) => view.locator('#view .empty a').waitFor() }],
    },
  ]
}

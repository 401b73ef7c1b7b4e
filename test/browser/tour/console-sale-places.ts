/** The console's list of sales, and the page of a sale before it opens, while it sells and afterwards. */
import type { Page } from '@playwright/test'
import { controlApi, type Live } from '../../../core/api/control-answers.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { control, createSale, openSale, writtenOrder } from '../../journey/support.ts'
import { unfold } from '../console.ts'
import { openRain } from '../rain.ts'
import { consoleIn, goTo, showLive } from './console-visits.ts'
import { type Place, redrawnPlace, state } from './tour.ts'
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
      state('with one that is late', async (view) => {
        await goTo(view, '#/')
        await view.locator('#start-alarms a').first().waitFor()
      }),
      state('with the question whether to pause all', pressing('#pause-all')),
      state('while it is searched', async (view) => {
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
      }),
      state('with what was found', async (view) => {
        await found(view, listed)
        await view.fill('#search-find', 'mug')
        await view.press('#search-find', 'Enter')
        await view.locator('#search-found:not(:empty)').waitFor()
        await view.locator('#sales > li').first().waitFor()
      }),
      state('where nothing was found', async (view) => {
        await found(view, [])
        await view.fill('#search-find', 'teapot')
        await view.press('#search-find', 'Enter')
        await view.locator('.empty').waitFor()
      }),
      state('of archived ones', async (view) => {
        await found(
          view,
          listed.map((sale) => ({ ...sale, archivedAt: Date.now() })),
        )
        await goTo(view, '#/archived')
        await view.locator('#sales > li').first().waitFor()
      }),
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
  const closed = (name: string, reach: (view: Page) => Promise<unknown>) =>
    state(name, async (view) => {
      await view.keyboard.press('Escape')
      return reach(view)
    })

  const before = redrawnPlace('a sale before it opens', (view) => consoleIn(tour, view, '#/blocks'), [
    state('as a draft', shown(sales.draft, '#phase[data-phase=draft]')),
    state('that is late', shown(sales.late, '#start-alarm p')),
    state('that needs its start soon', shown(sales.soon, '#start-alarm p')),
    state('with the question how to start it', pressing('[data-action=start]')),
    closed('that opens automatically on another day', shown(sales.armed, '#overview-opens')),
    state('of red packets in two rounds', shown(sales.waves, '#windows tr, #windows li')),
  ])

  const open = redrawnPlace('an open sale', (view) => withClock(consoleIn(tour, view, page(sales.open))), [
    state(
      'with many who wait',
      live(
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
    ),
    state('with all its panels', async (view) => {
      for (const panel of ['health', 'reserve-panel', 'shipments', 'refund-panel', 'embed', 'settings'])
        await unfold(view, panel)
      await view.fill('#delta', '30')
      await view.locator('#stock-effect:not(:empty)').waitFor()
      await view.click('#reserve')
      await view.click('#refund')
      await view.locator('#field-refund-order[aria-invalid=true]').waitFor()
    }),
    state('with the question whether to remove units', pressing('#stock-remove')),
    closed('with the question whether to make an order', async (view) => {
      await view.fill('#field-reserve-shopperId', 'bob')
      await view.fill('#field-reserve-quantity', '1')
      await pressing('#reserve')(view)
    }),
    closed('with the question whether to refund an order', async (view) => {
      await view.fill('#field-refund-order', orderId)
      await pressing('#refund')(view)
    }),
    closed('with the question whether to rebuild it', pressing('#recover')),
    closed('with the question whether to pause it', pressing('[data-action=pause]')),
    closed('with the question whether to end it', pressing('[data-action=close]')),
    closed('with a file of tracking numbers', async (view) => {
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
    }),
    state(
      'with parts that do not answer',
      live(
        () => ({
          ...{ stock: null, admissions: null, demand: null, queue: null },
          ...{ drift: null, unavailable: ['redis', 'sqs', 'gate'], deadLetters: null, outbox: null },
        }),
        '#health[data-state=bad] #health-more li',
      ),
    ),
    state('of which no answer comes any more', async (view) => {
      await answer(view, '**/live', 'not what it says otherwise')
      await view.locator('#health[data-state=unknown]').waitFor()
    }),
    state(
      'that must be rebuilt',
      live(() => ({ frozen: true, drift: 3, deadLetters: 2 }), '#recover-now'),
    ),
    state(
      'with messages to send again',
      live(() => ({ inStep: false, drift: -3, deadLetters: 2 }), '#redrive:visible'),
    ),
    state('with the question whether to send them', pressing('#redrive')),
    closed(
      'over three databases, of which one is down',
      live(
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
    ),
    state(
      'that sold out',
      live(
        ({ orders }) => ({
          phase: 'sold-out',
          stock: { total: 20, booked: 20, heldBack: 1, available: 0 },
          orders: { ...orders, sold: 20 },
          soldOut: [7800],
          paid: { orders: 20, amount: 9800, returned: 0, disputed: 0, disputedAmount: 0, refunded: 0 },
        }),
        '#phase[data-phase=sold-out]',
      ),
    ),
    state(
      'that was ended',
      live(
        ({ sale }) => ({ phase: 'ended', sale: { ...sale, flag: 'closed', version: sale.version + 1 } }),
        '#overview-end:visible',
      ),
    ),
    state(
      'that is archived',
      live(({ sale }) => ({ phase: 'ended', stock: null, sale: { ...sale, archivedAt: Date.now() } }), '#notices p'),
    ),
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

  return [
    list,
    before,
    open,
    others,
    byRole('viewer', [state('at a sale', shown(sales.open, '#phase[data-phase=open]'))]),
    byRole('support', [
      state('after a refund above the limit', async (view) => {
        await unfold(view, 'refund-panel')
        await view.fill('#field-refund-order', orderId)
        await refuse(view, '**/refund', 'conflict', {
          ...{ reason: 'over-refund-limit', values: { limit: '€4.00', amount: '€4.90' } },
        })
        await pressing('#refund')(view)
        await view.click('[data-choice=refund]')
        await view.locator('#status:not(:empty)').waitFor()
      }),
      state('with an order that was found', async (view) => {
        await goTo(view, `#/orders/${orderId}`)
        await view.locator(`#found [data-order="${orderId}"]`).waitFor()
      }),
      state('with an order whose refund the bank returned and whose payment is disputed', async (view) => {
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
      }),
      state('asked whether a refund is settled', pressing(`#settle-${orderId}`, '[data-choice=settle]')),
      state('with an order whose dispute is lost', async (view) => {
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
      }),
      state('at a view for others', async (view) => {
        await goTo(view, '#/audit')
        await view.locator('#view .empty').waitFor()
      }),
    ]),
    redrawnPlace('the console without a role', (view) => consoleIn(tour, view, '', 'none'), [
      state('of a shopper', (view) => view.locator('#view .empty a').waitFor()),
    ]),
  ]
}

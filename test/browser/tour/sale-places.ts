/** The pages of sales, in what a shopper may see of them from before the start to the end. */
import type { Page } from '@playwright/test'
import type { ClaimedPacket } from '../../../core/api/purchase.ts'
import type { Wallet } from '../../../core/api/wallet.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { turnMs } from '../../../edge/turn.ts'
import { renderIndexPage } from '../../../templates/pages/shop.ts'
import { control, createSale, openSale, startTokenOf } from '../../journey/support.ts'
import { openRain, raining } from '../rain.ts'
import { passRest, waitUntilLit } from '../visitor.ts'
import { anOrder } from './answers.ts'
import { noisyState, type Place, place, state } from './tour.ts'
import {
  answer,
  lookUntil,
  passUntil,
  publish,
  refuse,
  type Steps,
  shows,
  type Tour,
  take,
  type View,
  visit,
} from './visits.ts'

const hourMs = 3_600_000
const spreadSeconds = 300
const texts = {
  title: 'Handmade stoneware mug with a lid, second firing, in celadon blue',
  description: 'Thrown by hand.\n\nEach is a little different.',
  translations: {
    'zh-CN': {
      title: '手作青瓷带盖马克杯（二次烧制，限量典藏款）',
      description: '手工拉坯。\n\n每只略有不同。',
    },
  },
}
const pictures = [
  { src: '/assets/pictures/mug.svg', alt: 'A mug seen from the side' },
  { src: '/assets/pictures/lamp.svg', alt: 'A lamp beside it' },
]

/** The sales whose pages are visited, by what is special about them. */
async function openSales({ stack }: Tour) {
  const now = Date.now()
  const windows = [
    { startsAt: now - 2 * hourMs, endsAt: now - hourMs, stock: 3 },
    { startsAt: now + hourMs, endsAt: now + 2 * hourMs, stock: 2 },
  ]
  const present = [
    { startsAt: now - 1000, endsAt: now + hourMs, stock: 3 },
    { startsAt: now + 2 * hourMs, endsAt: now + 3 * hourMs, stock: 2 },
  ]
  const scheduled = (change: Record<string, unknown>, step: 'warm' | 'start') =>
    createSale(stack, { ...texts, ...change }, step)
  const open = async (change: Record<string, unknown> = {}) => (await openSale(stack, { ...texts, ...change })).saleId
  const many = Array.from({ length: 24 }, (_, i) => ({ id: `v${i}`, name: `Option ${i}`, stock: i }))
  return {
    goods: await open({ pictures, price: 1_290_000, listPrice: 1_690_000, limitPerShopper: 3, maxPerOrder: 3 }),
    soon: await scheduled({ startsAt: now + hourMs, endsAt: now + 2 * hourMs }, 'start'),
    late: await scheduled({ startsAt: now - 60_000 }, 'warm'),
    rounds: await scheduled({ ...windows[0], windows }, 'start'),
    round: await open({ ...present[0], windows: present }),
    early: await open({ earlyAccess: { minutes: 30, minLevel: 3 } }),
    spread: await open({ spreadSeconds }),
    work: await open({ challenge: 'pow' }),
    widget: await open({ challenge: 'turnstile' }),
    sizes: await open({
      stock: 3,
      variants: [
        { id: 's', name: 'S', stock: 1 },
        { id: 'm', name: 'M', stock: 2 },
      ],
    }),
    options: await open({ stock: 276, variants: many, limitPerShopper: 4, maxPerOrder: 4 }),
    coupon: await open({
      ...{ kind: 'coupon', price: 0, stock: 100, limitPerShopper: 4, maxPerOrder: 2 },
      coupons: { validUntil: Date.UTC(2031, 5, 15, 12) },
    }),
    rain: await openRain(stack, 20, texts),
  }
}

/** The index lists these sales alone: those of other tests may be more than it shows. */
async function listOnly(page: Page, url: string, sales: readonly Sale[]): Promise<void> {
  const cards = /<ul class="cards".*<\/ul>/s
  const assets: Record<string, string> = new Proxy({}, { get: (_, name) => String(name) })
  const [own = ''] = cards.exec(renderIndexPage(sales, assets, {})) ?? []
  await page.route(url, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()).replace(cards, () => own) })
  })
}

const lit = '#buy[aria-disabled=false]'

/** A press of the button after the rest that follows another one. */
async function press(page: Page, shown = '#buy'): Promise<void> {
  await passRest(page)
  await waitUntilLit(page)
  await take(page, { press: '#buy', shown })
}

/** A pass of a shopper whose turn comes in the second half of the spread. A page does not verify it. */
async function passWithLateTurn({ stack }: Tour, saleId: string): Promise<string> {
  const startToken = await startTokenOf(stack, saleId)
  for (let i = 0; ; i += 1) {
    const hash = String(i).padStart(16, 'a')
    const expiry = Math.round(Date.now() / 1000) + 20_000
    if (turnMs(startToken, hash, spreadSeconds) > spreadSeconds * 500) return `v1.${hash}.${expiry}.${'a'.repeat(43)}`
  }
}

export async function salePlaces(tour: Tour): Promise<Place[]> {
  const { stack } = tour
  const sales = await openSales(tour)
  const listed = await Promise.all(Object.values(sales).map((saleId) => control<Sale>(stack, `/sales/${saleId}`)))
  const at = (saleId: string, shown?: string): Steps => ({ at: `/sales/${saleId}/`, ...(shown && { shown }) })
  const guest = (view: View) => visit(tour, view)
  const shopper = (name: string) => async (view: View) => {
    const page = await visit(tour, view, `${name}-${view.name}`)
    await page.clock.install()
    await answer(page, '**/api/pass', {})
    return page
  }

  return [
    place('the shop', guest, [
      state('with sales in all phases', async (page) => {
        await listOnly(page, `${stack.url}/`, listed)
        await take(page, { at: '/', shown: `[data-sale-id=${sales.goods}][data-phase=open]` })
      }),
    ]),
    place('a sale, for a guest', guest, [
      state('who is asked to sign in before the start', async (page) => {
        await take(page, at(sales.soon, '#main[data-phase=scheduled]'))
        await shows(page, '#status a')
      }),
      state('delayed', at(sales.late, '#main[data-phase=scheduled]')),
      state('between two rounds', at(sales.rounds, '#next-round:not(:empty)')),
      state('in a round that sold out', async (page) => {
        await take(page, at(sales.round))
        await publish(page, { remaining: 0 }, '#main[data-phase=sold-out]')
        await page.route('**/current.json', (route) => route.continue())
      }),
      state('asked to sign in by the button', at(sales.goods, '#buy[data-state=sign-in]')),
      state('with early access', at(sales.early, '#early-sign-in')),
    ]),
    place('a sale of goods', shopper('tour-ann'), [
      state('open, with three chosen', async (page) => {
        await take(page, at(sales.goods, lit))
        await page.fill('#quantity', '3')
        await page.keyboard.press('Tab')
      }),
      state('with fewer left than chosen', async (page) => {
        await refuse(page, '**/orders', 'sold-out', { remaining: 2 })
        await press(page, '#buy[data-state=cooldown]')
      }),
      // A look at the sale may fall due while the state is inspected.
      noisyState('offline', /ERR_INTERNET_DISCONNECTED/, async (page) => {
        await page.context().setOffline(true)
        await page.locator('#status', { hasText: 'connect' }).waitFor()
      }),
      noisyState('with a lost answer', /ERR_|Failed to load/, async (page) => {
        await page.context().setOffline(false)
        await lookUntil(page, '#status:not(:has-text("connect"))')
        await page.unroute('**/orders')
        await page.route('**/orders*', (route) => route.abort())
        await press(page)
        // The page looks for the order up to 10 s after the press, so its rest may be over by then.
        await passUntil(page, '#buy[data-state=again]')
      }),
      state('paused', (page) => publish(page, { phase: 'paused' }, '#main[data-phase=paused]')),
      state('sold out', (page) => publish(page, { remaining: 0 }, '#main[data-phase=sold-out]')),
      state('back in stock', (page) => publish(page, { remaining: 1, phase: 'open' }, '#main[data-phase=open]')),
      state('ended', (page) => publish(page, { phase: 'ended' }, '#main[data-phase=ended]')),
      noisyState('at the limit', /ERR_|Failed to load/, async (page) => {
        const own = anOrder({ saleId: sales.goods, quantity: 3 })
        await page.route('**/current.json', (route) => route.continue())
        await page.unroute('**/orders*')
        await page.evaluate('localStorage.clear(), sessionStorage.clear()')
        await answer(page, '**/api/orders*', { orders: [own], next: null })
        await refuse(page, '**/orders', 'limit-reached')
        await take(page, at(sales.goods))
        await press(page, '#buy[data-state=owned]')
      }),
    ]),
    place('a sale with rules of its own', shopper('tour-bob'), [
      state('in the early access of others', async (page) => {
        await refuse(page, '**/orders', 'not-your-turn', { retryAfterSeconds: 1700 })
        await take(page, at(sales.early))
        await press(page, '#buy[data-state=cooldown]')
      }),
      state('before the shopper’s turn', async (page) => {
        const value = await passWithLateTurn(tour, sales.spread)
        await page.context().addCookies([{ name: 'sluice_pass', value, url: stack.url }])
        await take(page, at(sales.spread))
        await publish(page, { startsAt: Date.now() - 1000 }, '#buy[data-state=turn]')
      }),
      noisyState('whose security check failed', /ERR_|Failed to load/, async (page) => {
        await page.route('**/challenge', (route) => route.abort())
        await take(page, at(sales.work, '#check[data-state=failed]'))
      }),
      state('whose security check is passed', async (page) => {
        await page.unroute('**/challenge')
        await take(page, { press: '#check-again', shown: '#check[data-state=passed]' })
      }),
      state('whose widget failed', {
        answer: ['**/turnstile/v0/token', { kind: 'fail' }],
        ...at(sales.widget, '#check[data-state=failed]'),
      }),
      state('whose widget asks the shopper', {
        answer: ['**/turnstile/v0/token', { kind: 'ask' }],
        ...{ press: '#check-again', shown: '#check[data-state=asking]' },
      }),
      state('whose widget passed', async (page) => {
        await page.unroute('**/turnstile/v0/token')
        await page.frameLocator('#check iframe').frameLocator('iframe').locator('button').click()
        await shows(page, '#check[data-state=passed]')
      }),
    ]),
    place('a sale with variants', shopper('tour-cem'), [
      state('one of which sold out at the press', async (page) => {
        await refuse(page, '**/orders', 'sold-out', { remaining: 2, variant: 's' })
        await take(page, at(sales.sizes))
        await page.click('.variant[data-id=s]')
        await press(page, '#buy[data-state=cooldown]')
        await shows(page, '#status:not(:empty)')
      }),
      state('of which nothing is chosen', async (page) => {
        await page.evaluate('sessionStorage.clear()')
        await take(page, at(sales.options, '#buy[data-state=choose]'))
        await take(page, { press: '#buy', shown: '#status:not(:empty)' })
      }),
      state('of which one is chosen', async (page) => {
        await page.check('.variant[data-id=v9] input')
        await waitUntilLit(page)
      }),
    ]),
    place('a sale of coupons', shopper('tour-dan'), [
      state('open, with two chosen', async (page) => {
        await take(page, at(sales.coupon, lit))
        await page.click('#more')
      }),
    ]),
    place('a rain of red packets', shopper('tour-eve'), [
      state('falling', async (page) => {
        await take(page, { answer: ['**/api/wallet', emptyWallet], ...at(sales.rain, lit) })
        await raining(page)
      }),
      state('with a packet on its way', async (page) => {
        await take(page, { answer: ['**/packets', packet], press: '#buy', shown: '#caught' })
        await shows(page, '#purse[data-state=on-its-way]')
      }),
      state('with the packet in the wallet', async (page) => {
        await answer(page, '**/api/wallet', walletWith(sales.rain))
        await page.clock.fastForward(60_000)
        await shows(page, '#purse[data-state=still]')
      }),
    ]),
    place('a rain that is over', guest, [
      state('with no packet left', async (page) => {
        await take(page, at(sales.rain))
        await publish(page, { remaining: 0 }, '#stage[data-sky=clear]')
      }),
    ]),
  ]
}

const packet: ClaimedPacket = { packetId: 'p-1', amount: 888, currency: 'CNY', remaining: 19 }
const emptyWallet: Wallet = { balances: [], credits: [] }

const walletWith = (saleId: string): object => {
  const { packetId, amount, currency } = packet
  const at = Date.now()
  const credit = { saleId, packetId, amount, currency, claimedAt: at, creditedAt: at, balance: amount }
  return { balances: [{ amount, currency }], credits: [credit] }
}

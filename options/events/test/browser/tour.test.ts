/** How the endpoints of events in the console look, and the receiver of this machine, in every state. */
import { choose } from '../../../../test/browser/console.ts'
import { openShop } from '../../../../test/browser/shop.ts'
import { consoleIn } from '../../../../test/browser/tour/console-visits.ts'
import { place, redrawnPlace, state, tour, tourInChinese } from '../../../../test/browser/tour/tour.ts'
import { answer, visit } from '../../../../test/browser/tour/visits.ts'
import type { EndpointView, EventDelivery } from '../../core/endpoint.ts'
import type { ReceivedTry } from '../../local/workbench.ts'

const shop = await openShop({ keepsPages: true })
const minuteMs = 60_000

/** An event that was refused at first, one that was not signed with the secret, and one of the bus. */
const tries: readonly ReceivedTry[] = [
  [false, 401, 'address'],
  [true, 500, 'address'],
  [true, null, 'address'],
  [null, 200, 'bus'],
].map(([isVerified, status, via], index) => ({
  ...{ number: index + 1, at: Date.UTC(2026, 10, 24, 8), type: 'order.reserved' },
  ...{ id: 'stoneware-mug-abcdefghijklmnopqrstuvwxyz_2', about: 'stoneware-mug-abcdefghijklmnopqrstuvwxyz' },
  ...({ isVerified, status, via } as Pick<ReceivedTry, 'isVerified' | 'status' | 'via'>),
  body: JSON.stringify({ type: 'order.reserved', data: { quantity: 2, amount: 4800 } }, null, 2),
}))

/** The bus, an address whose secret was replaced, and one that has answered 410. */
function endpointsOf(now: number): readonly EndpointView[] {
  const bus = { name: 'bus', url: 'eventbridge:sluice-prod', types: null, sales: null } as const
  const common = { state: 'enabled', savedAt: now, formerSecretUntil: null } as const
  return [
    { ...bus, ...common },
    {
      ...{ ...common, name: 'erp', types: ['order.paid', 'order.cancelled'], sales: ['mug'] },
      url: 'https://order-management.systems-of-the-shop.example/webhooks/sluice-events',
      formerSecretUntil: now + 60 * minuteMs,
    },
    { ...common, ...bus, name: 'web', url: 'https://shop.example/events', state: 'gone' },
  ]
}

/** One that is tried again, one that waits for it, one that was delivered, and one that was given up. */
function deliveriesOf(now: number): readonly EventDelivery[] {
  const none = { status: null, failure: null, nextAt: null, finishedAt: null }
  const of = (number: number, type: string) => ({
    ...{ eventId: `stoneware-mug-abcdefghijklmnopqrstuvwxyz_${number}`, type, at: now - 60 * minuteMs },
  })
  return [
    {
      ...{ ...of(3, 'order.paid'), ...none, state: 'waiting', tries: 3 },
      ...{ failure: 'it does not answer within 10 s', nextAt: now + minuteMs },
    },
    { ...of(4, 'order.cancelled'), ...none, state: 'waiting', tries: 0 },
    { ...of(2, 'order.reserved'), ...none, state: 'delivered', tries: 1, status: 204, finishedAt: now },
    { ...of(9, 'order.shipped'), ...none, state: 'dead', tries: 10, status: 500, finishedAt: now },
  ]
}

const places = [
  redrawnPlace('the endpoints of events', (view) => consoleIn(shop, view, '#/events'), [
    state('with a bus and addresses that receive events, and what was sent to one', async (page) => {
      await answer(page, '**/api/control/event-endpoints', { endpoints: endpointsOf(Date.now()) })
      await answer(page, '**/api/control/event-endpoints/erp/deliveries', { deliveries: deliveriesOf(Date.now()) })
      await page.locator('#log-erp').waitFor()
      await page.fill('#field-event-name', 'ERP')
      await page.click('#endpoint-save')
      await page.locator('#field-event-name[aria-invalid=true]').waitFor()
      await page.click('#log-erp')
      await page.locator('#deliveries td').last().scrollIntoViewIfNeeded()
    }),
    state('with the secret of an address', async (page) => {
      const [, endpoint] = endpointsOf(Date.now())
      const secret = `whsec_${'K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN'.repeat(2).slice(0, 43)}=`
      await answer(page, '**/api/control/event-endpoints/erp/secret', { endpoint, secret })
      await page.click('#rotate-erp')
      await choose(page, 'rotate')
      await page.locator('#event-secret').waitFor()
    }),
    state('with the question whether to remove an address', { press: '[data-remove=erp]' }),
  ]),
  place('the receiver of this machine', (view) => visit(shop, view), [
    state('with tries of events', async (page) => {
      await page.route('**/local/receiver/tries*', (route) =>
        route.fulfill({ json: { behaves: 'fail', tries: route.request().url().endsWith('=0') ? tries : [] } }),
      )
      await page.goto(`${shop.stack.url}/local/receiver`)
      await page.locator('summary').first().click()
      await page.locator('details[open]').waitFor()
    }),
  ]),
]

tour(places)
tourInChinese(places)

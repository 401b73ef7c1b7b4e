/** The client in front of a whole system: what it says is what the shop has, also where a third of all answers is lost. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { type ClickOptions, type ClientOptions, createClient, type Purchase } from '../../client/client.ts'
import { openRandom } from '../../proof/simulation/engine/random.ts'
import { sharedShop } from './shared-shop.ts'
import { control, openSale } from './support.ts'

const run = promisify(execFile)

const stack = sharedShop('client')

/** Waits a twentieth of what is asked for. */
const soon = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds / 20))

const clientOf = (token: string, options: Partial<ClientOptions> = {}) =>
  createClient({ url: stack.url, token: () => token, ...options })

describe('the client', () => {
  it('buys once the sale is open, follows the order, and cancels it (O1, R5)', async () => {
    const { saleId } = await openSale(stack)
    const client = clientOf(await stack.token('carl'))
    await client.whenOpen(saleId)
    const bought = await client.buy(saleId)
    if (bought.kind !== 'won') throw new Error(`the purchase is ${bought.kind}`)
    expect(bought).toMatchObject({ quantity: 1, repeat: false })
    expect(await client.buy(saleId, { key: bought.key })).toEqual({ ...bought, repeat: true })
    const statuses: string[] = []
    for await (const order of client.changes(bought.orderId)) {
      statuses.push(order.status)
      if (order.status === 'awaiting-payment') await client.cancel(order.orderId)
    }
    expect(statuses.slice(-2)).toEqual(['awaiting-payment', 'cancelled'])
    const own = []
    for await (const order of client.orders(saleId)) own.push(order)
    expect(own).toMatchObject([{ orderId: bought.orderId }])
    expect(await client.buy(saleId, { quantity: 5 })).toMatchObject({ kind: 'refused' })
  })

  /** Half of the requests get no answer, some of them only after they took effect. */
  function lossyClients(seed: number) {
    const random = openRandom(seed).fraction
    const lossy: ClientOptions['fetch'] = async (input, init) => {
      const lost = random()
      if (lost < 0.15) throw new TypeError('the request was lost')
      const answer = await fetch(input, init)
      if (lost < 0.5) throw new TypeError('the answer was lost')
      return answer
    }
    return (token: string) => clientOf(token, { fetch: lossy, sleep: soon, random })
  }

  /** Clicks until the outcome is known, as a program that keeps key and time does. */
  async function known(tryOnce: (before: ClickOptions) => Promise<Purchase>) {
    let before: ClickOptions = {}
    for (;;) {
      const outcome = await tryOnce(before)
      if (outcome.kind !== 'unsure') return outcome
      before = { key: outcome.key, since: outcome.since }
    }
  }

  it.each([
    [12, 'fewer than there are shoppers'],
    [90, 'more than they could buy by mistake'],
  ])('buys once or not at all of %i units, %s, while requests and answers are lost (I1, I3, I5)', async (stock) => {
    // No limit stands between a shopper and a second order.
    const { saleId } = await openSale(stack, { stock, limitPerShopper: 3 })
    const lossy = lossyClients(20261125)
    const names = Array.from({ length: 30 }, (_, at) => `lossy-${at}`)
    const outcomes = await Promise.all(
      names.map(async (name) => {
        const token = await stack.token(name)
        const client = lossy(token)
        return { token, outcome: await known((before) => client.buy(saleId, before)) }
      }),
    )
    for (const { token, outcome } of outcomes) {
      const own = []
      for await (const { orderId } of clientOf(token).orders(saleId)) own.push(orderId)
      expect(own).toEqual(outcome.kind === 'won' ? [outcome.orderId] : [])
    }
    const won = outcomes.filter(({ outcome }) => outcome.kind === 'won')
    expect(won).toHaveLength(Math.min(stock, names.length))
    expect(won.filter(({ outcome }) => outcome.kind === 'won' && outcome.repeat).length).toBeGreaterThan(0)
    const live = await control<{ stock: { booked: number } }>(stack, `/sales/${saleId}/live`)
    expect(live.stock.booked).toBe(won.length)
  })
})

it.each([
  ['docs/how-to/client.md', /^(?:reserved\n)?awaiting-payment\n\S+\n$/],
  ['client/README.md', /^\S+\n$/],
])('the program of %s buys and gets the page to pay at, as printed', async (file, printed) => {
  const { saleId } = await openSale(stack)
  const page = await readFile(file, 'utf8')
  const [, program = ''] = /^```js\n(.*?)^```$/ms.exec(page) ?? []
  const packed = program.replace("'sluice-client'", JSON.stringify(path.resolve('client/client.ts')))
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', packed], {
    env: { ...process.env, SLUICE_URL: stack.url, SALE: saleId, TOKEN: await stack.token(path.basename(file, '.md')) },
  })
  expect(stdout).toMatch(printed)
})

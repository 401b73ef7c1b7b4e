/** The client in front of a whole system: what it says is what the shop has, also where a third of all answers is lost. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { type ClientOptions, createClient, type Purchase } from '../../client/client.ts'
import { openRandom } from '../../proof/simulation/engine/random.ts'
import { call, control, openSale } from './support.ts'
import { visit } from './visit.ts'

const run = promisify(execFile)

const stack = visit('client')

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

  it('buys once or not at all, and says which, while requests and answers are lost (I1, I3, I5)', async () => {
    const stock = 12
    const { saleId } = await openSale(stack, { stock })
    const random = openRandom(20261125).fraction
    const lossy: ClientOptions['fetch'] = async (input, init) => {
      const lost = random()
      if (lost < 0.2) throw new TypeError('the request was lost')
      const answer = await fetch(input, init)
      if (lost < 0.5) throw new TypeError('the answer was lost')
      return answer
    }
    const names = Array.from({ length: 30 }, (_, at) => `lossy-${at}`)
    const bought = await Promise.all(
      names.map(async (name): Promise<{ token: string; purchase: Purchase }> => {
        const token = await stack.token(name)
        const client = clientOf(token, { fetch: lossy, sleep: soon, random })
        let purchase = await client.buy(saleId)
        while (purchase.kind === 'unsure') {
          const { key, since } = purchase
          purchase = await client.buy(saleId, { key, since })
        }
        return { token, purchase }
      }),
    )
    for (const { token, purchase } of bought) {
      const { body } = await call<{ orders: { orderId: string }[] }>(stack, `/api/orders?sale=${saleId}`, {
        token,
      })
      const won = purchase.kind === 'won' ? [purchase.orderId] : []
      expect(body.orders.map(({ orderId }) => orderId)).toEqual(won)
    }
    expect(bought.filter(({ purchase }) => purchase.kind === 'won')).toHaveLength(stock)
    const live = await control<{ stock: { booked: number } }>(stack, `/sales/${saleId}/live`)
    expect(live.stock.booked).toBe(stock)
  })
})

describe('the program of docs/how-to/client.md', () => {
  it('buys and gets the page to pay at, as printed', async () => {
    const { saleId } = await openSale(stack)
    const page = await readFile('docs/how-to/client.md', 'utf8')
    const [, program = ''] = /^```js\n(.*?)^```$/ms.exec(page) ?? []
    const packed = program.replace("'sluice-client'", JSON.stringify(path.resolve('client/client.ts')))
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', packed], {
      env: { ...process.env, SLUICE_URL: stack.url, SALE: saleId, TOKEN: await stack.token('reader') },
    })
    expect(stdout).toMatch(/^(?:reserved\n)?awaiting-payment\n\S+\n$/)
  })
})

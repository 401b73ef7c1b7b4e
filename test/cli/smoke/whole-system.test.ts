/** The smoke test against the whole system on this machine. */

import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { controlClient } from '../../../cli/control-client.ts'
import type { OrderView } from '../../../core/api/shop.ts'
import { type ProblemCode, problem } from '../../../core/outcome.ts'
import { salesQuery } from '../../../core/sale/sale-search.ts'
import { listen } from '../../../local/listen.ts'
import { call, shopAt } from '../../journey/support.ts'
import { smoke, startingWith } from './run.ts'

describe('against the whole system', () => {
  const stack = shopAt(inject('shopUrl'))
  let token: string
  beforeAll(async () => {
    // A name of its own: the gate gives everybody few passes a minute.
    token = await stack.token('marketer-of-smoke', { roles: ['marketer'] })
  })

  /** The sales of smoke tests: others use the same system, and fill pages of its list. */
  const sales = async () =>
    (await controlClient({ url: stack.url, token }).listSales({ query: salesQuery({ find: 'smoke-' }) })).sales

  it('passes without a session, and stores nothing', async () => {
    const run = await smoke(stack.url)
    expect(startingWith('✗', run)).toEqual([])
    expect(run.lines.at(-1)).toBe('9 passed, 0 failed, 3 skipped')
    expect(run.lines).toContainEqual('- plain http: skipped, a local shop uses plain http')
    expect(run.code).toBe(0)
    expect(await sales()).toEqual([])
  })

  it('runs a sale of one coupon and one of goods with a marketer’s session, pays, refunds, and closes both', async () => {
    const run = await smoke(stack.url, token)
    expect(startingWith('✗', run)).toEqual([])
    expect(run.lines).toContainEqual('✓ the order: fulfilled, with a code')
    expect(run.lines).toContainEqual('✓ its numbers: one order in Redis, the table and on the page')
    expect(run.lines).toContainEqual('✓ pay the order: paid at the simulated provider')
    expect(run.lines).toContainEqual('✓ the session: marketer, as marketer-of-smoke')
    expect(run.lines.at(-1)).toBe('24 passed, 0 failed, 1 skipped')
    expect(run.code).toBe(0)
    const played = (await sales()).toSorted((a, b) => a.kind.localeCompare(b.kind))
    expect(played).toMatchObject([
      { kind: 'coupon', stock: 1, flag: 'closed' },
      { kind: 'goods', stock: 1, flag: 'closed' },
    ])
    const bought = run.lines.flatMap((line) => /^✓ buy one unit: 202 reserved, (\S+)$/.exec(line)?.[1] ?? [])
    const orders = await Promise.all(
      bought.map(async (orderId) => (await controlClient({ url: stack.url, token }).refund({ orderId })).status),
    )
    expect(orders[1]).toMatch(/^refund-due$|^refunded$/)
  })

  it.each([
    ['of a shopper, or of a person without a second factor', [], '403 role-required (', 'with a second factor'],
    ['of a colleague', ['support' as const], 'support, as joe', 'the group `marketer`: `npm run setup'],
    ['of another key', undefined, '401 sign-in-required (', 'the secret `edge`'],
  ])('says what a session is %s, and plays no sale with it', async (_, roles, came, hint) => {
    const before = await sales()
    const run = await smoke(
      stack.url,
      roles === undefined ? `${token.slice(0, -8)}AAAAAAAA` : await stack.token('joe', { roles }),
    )
    const [fault = '', ...others] = startingWith('✗', run)
    expect(fault).toContain(`✗ the session: expected a marketer’s, got ${came}`)
    expect(fault).toContain(hint)
    expect([others, run.code]).toEqual([[], 1])
    expect(run.lines).toContainEqual('- a sale of one unit: goods: skipped, the session is not a marketer’s')
    expect(await sales()).toEqual(before)
  })

  /** Answers a call itself when it returns true; otherwise `change` may replace the system's answer. */
  type Proxy = {
    answers?: (method: string, path: string, response: ServerResponse) => boolean
    change?: (method: string, path: string, answer: IncomingMessage, response: ServerResponse) => boolean
  }

  /** The address of a proxy in front of the system, for one test. */
  async function behindProxy({ answers, change }: Proxy): Promise<string> {
    const server = createServer((request, response) => {
      const { method = '', url = '', headers } = request
      if (answers?.(method, url, response)) return
      const onward = httpRequest(stack.url + url, { method, headers }, (answer) => {
        if (change?.(method, url, answer, response)) return
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      })
      request.pipe(onward)
    })
    const proxy = await listen(server, 0)
    onTestFinished(() => proxy.stop())
    return proxy.url
  }

  /** Answers such calls as CloudFront does when it reaches no function. */
  const badGateway =
    (isBroken: (method: string, path: string) => boolean) =>
    (method: string, path: string, response: ServerResponse): boolean => {
      if (!isBroken(method, path)) return false
      response.writeHead(502).end('The request could not be satisfied.')
      return true
    }

  function refuse(response: ServerResponse, code: ProblemCode): void {
    const rejection = problem(code, 'Try again in a moment.')
    response.writeHead(rejection.status, { 'content-type': 'application/problem+json' }).end(JSON.stringify(rejection))
  }

  const isPurchase = (method: string, path: string) => method === 'POST' && /\/smoke-(?!test)\w+\/orders$/.test(path)

  it('buys with one pass, though the gate has none at first, and learns of the sale only after more tries than it gives passes', async () => {
    let [tries, passes] = [0, 0]
    const answers = (method: string, path: string, response: ServerResponse): boolean => {
      if (path === '/api/pass') {
        passes += 1
        if (passes > 2) return false
        refuse(response, passes === 1 ? 'unavailable' : 'too-many-requests')
        return true
      }
      if (!isPurchase(method, path)) return false
      tries += 1
      if (tries > 12) return false
      refuse(response, 'not-started')
      return true
    }
    const run = await smoke(await behindProxy({ answers }), await stack.token('pia', { roles: ['marketer'] }))
    expect(tries).toBeGreaterThan(12)
    expect(startingWith('✗', run)).toEqual([])
  })

  it('closes its sale also when the purchase failed', async () => {
    const before = await sales()
    const run = await smoke(await behindProxy({ answers: badGateway(isPurchase) }), token)
    expect(startingWith('✗', run)).toEqual([
      expect.stringMatching(/^✗ buy one unit: expected 202 reserved, got 502 The request .*\n .*broke/s),
    ])
    expect(run.lines).toContainEqual('- the order: skipped, an earlier step failed')
    const known = new Set(before.map(({ saleId }) => saleId))
    const added = (await sales()).filter(({ saleId }) => !known.has(saleId))
    expect(added.map(({ flag }) => flag)).toEqual(['closed'])
  })

  it('deletes its sale when the answer of its creation was lost', async () => {
    const before = await sales()
    const url = await behindProxy({
      change(method, path, _, response) {
        const isCreation = method === 'POST' && path === '/api/control/sales'
        if (isCreation) response.destroy()
        return isCreation
      },
    })
    const run = await smoke(url, token)
    expect(startingWith('✗', run)).toEqual([
      expect.stringMatching(/^✗ create smoke-\w+: expected 201, got no answer \(UND_ERR_SOCKET\)/),
    ])
    expect(run.lines).toContainEqual('✓ clean up: deleted')
    expect(await sales()).toEqual(before)
  })

  it('deletes its sale when it could not be started', async () => {
    const before = await sales()
    const run = await smoke(await behindProxy({ answers: badGateway((_, path) => path.endsWith('/start')) }), token)
    expect(startingWith('✗', run)).toEqual([expect.stringMatching(/^✗ start it: expected 200, got 502/)])
    expect(run.lines).toContainEqual('✓ clean up: deleted')
    expect(await sales()).toEqual(before)
  })

  it('spends no money at a provider that takes real money, and cancels the order', async () => {
    const page = 'https://checkout.stripe.com/c/pay/cs_live_1'
    const url = await behindProxy({
      change(_, path, answer, response) {
        const isPage = path.endsWith('/pay') && answer.statusCode === 200
        if (isPage) {
          response.setHeader('content-type', 'application/json')
          response.end(JSON.stringify({ url: page, paymentId: 'cs_live_1' }))
        }
        return isPage
      },
    })
    const run = await smoke(url, token)
    expect(startingWith('✗', run)).toEqual([])
    expect(run.lines).toContainEqual(
      expect.stringMatching(/^- pay the order: skipped, not paid: checkout\.stripe\.com takes real money, and a/),
    )
    expect(run.code).toBe(0)
    const orderId = run.lines.flatMap((line) => /^✓ buy one unit: 202 reserved, (\S+)$/.exec(line)?.[1] ?? [])[1]
    const order = await call<OrderView>(stack, `/api/orders/${orderId}`, { token })
    expect(order.body).toMatchObject({ status: 'cancelled' })
  })
})

import { describe, expect, it } from 'vitest'
import { parseShopperId } from '../../../core/ids.ts'
import { historyEntry } from '../../../core/orders/order-life.ts'
import { walletApp } from '../../../functions/packets/wallet.ts'
import { newOrderPut } from '../../../functions/table/orders/order-item.ts'
import { transact } from '../../../functions/table/transaction.ts'
import { forwardedRequest } from '../../../proof/simulation/parts/requests.ts'
import { orderOf } from '../../contract/table-rig.ts'
import { aSale } from '../../redis/support.ts'
import { behindUrl } from '../../world/function-url.ts'
import { worldTable } from '../../world/table.ts'
import { testTelemetry } from '../../world/telemetry.ts'

function walletRig(balanceUrl?: string) {
  const table = worldTable()
  const ports = { table: table.table, balanceUrl }
  const ask = behindUrl(testTelemetry(), walletApp(ports))
  /** A separate sale in which `who` had packet 2. */
  async function credit(who: string, amount: number, creditedAt: number, currency = 'CNY') {
    const shopperId = parseShopperId(who)
    if (shopperId === undefined) throw new Error(`${who} is no shopper id`)
    const { saleId } = aSale()
    const times = { reservedAt: creditedAt - 500, writtenAt: creditedAt }
    const order = orderOf({ saleId }, 1, 1, { shopperId, ...times, packet: { number: 2, amount, currency } })
    const history = [
      historyEntry(times.reservedAt, 'reserved', 'reserved'),
      historyEntry(creditedAt, 'written', 'fulfilled'),
    ]
    await transact(table, [newOrderPut(table.name, { ...order, status: 'fulfilled', history })])
    return { saleId, packetId: `${saleId}-p2`, amount, currency, claimedAt: creditedAt - 500, creditedAt }
  }
  return { table, ask, credit, look: (who: string) => ask(forwardedRequest(who, 'GET', '/api/wallet')) }
}

describe('GET /api/wallet', () => {
  it('shows what the caller has in each currency, and the credits, newest first (P2)', async () => {
    const { credit, look } = walletRig()
    const old = await credit('ann', 1221, 6_000)
    const newest = await credit('ann', 300, 8_000, 'JPY')
    const middle = await credit('ann', 5, 7_000)
    const answer = await look('ann')
    expect(answer).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
    expect(answer.body).toMatchObject({
      balances: [
        { currency: 'CNY', amount: 1226 },
        { currency: 'JPY', amount: 300 },
      ],
      credits: [
        { ...newest, balance: 300 },
        { ...middle, balance: 1226 },
        { ...old, balance: 1221 },
      ],
    })
  })

  it('says where the shop shows the balances that it holds itself (N5)', async () => {
    const { look } = walletRig('https://shop.example/credit')
    expect((await look('ann')).body).toMatchObject({ balanceUrl: 'https://shop.example/credit' })
  })

  it('shows only the caller’s own wallet, and an empty one without credits', async () => {
    const { credit, look } = walletRig()
    await credit('ann', 1221, 6_000)
    expect(await look('bob')).toMatchObject({ status: 200, body: { balances: [], credits: [] } })
  })

  it('lists the hundred newest credits, or all where all are asked for, and balances of all', async () => {
    const { ask, credit, look } = walletRig()
    for (let at = 1; at <= 103; at += 1) await credit('ann', 10, 6_000 + at)
    const { body } = await look('ann')
    expect(body.balances).toEqual([{ currency: 'CNY', amount: 1030 }])
    expect(body.credits).toHaveLength(100)
    expect(body.credits[0].creditedAt).toBe(6_103)
    expect(body.credits[99]).toMatchObject({ creditedAt: 6_004, balance: 40 })
    const { body: all } = await ask(forwardedRequest('ann', 'GET', '/api/wallet?credits=all'))
    expect(all.credits).toHaveLength(103)
    expect(all.credits.slice(0, 100)).toEqual(body.credits)
  })

  it('asks a caller without the gate’s headers to sign in (I6)', async () => {
    const { ask } = walletRig()
    const anonymous = forwardedRequest(undefined, 'GET', '/api/wallet', undefined, { authorization: 'Bearer x' })
    expect(await ask(anonymous)).toMatchObject({ status: 401, body: { code: 'sign-in-required' } })
  })

  it('is unavailable while the table is unavailable (I6)', async () => {
    const { table, look } = walletRig()
    table.goDown()
    expect(await look('ann')).toMatchObject({ status: 503, body: { code: 'unavailable' } })
  })
})

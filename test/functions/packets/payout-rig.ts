/** Wallets in the table of a test, and a payment provider on this machine that pays them out. */

import { createServer } from 'node:http'
import { setImmediate as turn } from 'node:timers/promises'
import { parseShopperId, type ShopperId } from '../../../core/ids.ts'
import { budgetOf } from '../../../core/packets/packets.ts'
import { choosePayouts, type ProviderName, priceStep } from '../../../functions/orders/payments/choose.ts'
import type { WithdrawPorts } from '../../../functions/packets/payouts.ts'
import { payoutsApp } from '../../../functions/packets/payouts-http.ts'
import { walletApp } from '../../../functions/packets/wallet-http.ts'
import { payAgain } from '../../../functions/repair/orders/retry-due.ts'
import { writeCredits } from '../../../functions/table/packets/claim-ledger.ts'
import { findWallet } from '../../../functions/table/packets/wallets.ts'
import { listen } from '../../../local/listen.ts'
import { startPaymentProvider } from '../../../local/payment/provider.ts'
import { answerTo, requestOf } from '../../../proof/simulation/parts/requests.ts'
import { loseAnswer } from '../../contract/lost-answer.ts'
import { aRain } from '../../redis/packets/rain.ts'
import { worldTable } from '../../world/table.ts'
import { testTelemetry } from '../../world/telemetry.ts'
import { retryAtOnce } from '../orders/payments/stripe-delays.ts'

export const startOfPayouts = Date.UTC(2026, 10, 20, 12)

/** What a call of the provider comes to: it may do nothing, or do its work and lose the answer. */
export type Fate = 'answered' | 'unreachable' | 'lost'

export function shopperNamed(name: string): ShopperId {
  const shopperId = parseShopperId(name)
  if (shopperId === undefined) throw new Error(`${name} is no shopper id`)
  return shopperId
}

export async function payoutRig(name: ProviderName, fateOf: (path: string) => Fate = () => 'answered') {
  const clock = { now: startOfPayouts }
  const table = worldTable()
  const telemetry = testTelemetry()
  const apiKey = 'key-of-the-shop'
  const stops: (() => unknown)[] = [retryAtOnce()]
  const stop = async () => {
    for (const one of stops.splice(0).reverse()) await one()
  }
  const shopUrl = 'https://shop.example'
  const provider = startPaymentProvider({
    ...{ provider: name, shopUrl, apiKey, clock: () => clock.now },
    webhookUrl: `${shopUrl}/webhook`,
    webhookSecret: `whsec_${Buffer.alloc(24, 1).toString('base64')}`,
  })
  stops.push(provider.stop)
  const server = await listen(
    createServer(async (request, response) => {
      const path = request.url ?? ''
      // The faults are those of the API.
      const fate = path.startsWith('/local/pay/') ? 'answered' : fateOf(path)
      if (fate === 'unreachable') return void request.socket.destroy()
      if (fate === 'lost') loseAnswer(response)
      if (!(await provider.routes(request, response))) response.writeHead(418).end()
    }),
    0,
  )
  stops.push(server.stop)
  const env = {
    PAYMENT_PROVIDER: name,
    PAYMENT_URL: name === 'stripe' ? server.url : `${server.url}/local/payment`,
    PAYMENT_API_KEY: apiKey,
  }
  let made = 0
  const ports: WithdrawPorts = {
    table: table.table,
    payoutProvider: choosePayouts(env, shopUrl),
    payoutStep: (currency) => priceStep(name, currency),
    payoutTerms: { minimums: { EUR: 100, KWD: 100 } },
    newId: () => {
      made += 1
      return `payout-${made}`
    },
    clock: () => clock.now,
    sleep: async () => void (await turn()),
    ...telemetry,
  }

  async function credit(shopperId: ShopperId, amount: number, currency = 'EUR'): Promise<void> {
    const sale = aRain([1, 1, amount], { currency })
    await table.openCap(sale.saleId, 3, budgetOf(sale))
    const { saleId } = sale
    const claim = { saleId, shopperId, packet: 2, amount, currency, claimedAt: clock.now }
    for (;;) {
      const credited = await writeCredits(table.table, [{ ...claim, budget: budgetOf(sale) }], clock.now)
      if (credited.kind === 'written') return
      if (credited.kind !== 'busy') throw new Error(`the packet is ${credited.kind}`)
    }
  }

  async function ask(who: string | undefined, body: unknown, over: Partial<WithdrawPorts> = {}) {
    const request = requestOf(who, 'POST', '/api/wallet/payouts', body)
    const answer = await answerTo(payoutsApp({ ...ports, ...over }), request)
    return { status: answer.statusCode, headers: answer.headers, body: JSON.parse(answer.body) }
  }

  async function look(who: string, query = '') {
    const wallets = { table: table.table, payoutTerms: ports.payoutTerms }
    const request = { ...requestOf(who, 'GET', '/api/wallet'), query: new URLSearchParams(query) }
    const answer = await answerTo(walletApp(wallets), request)
    return { status: answer.statusCode, body: JSON.parse(answer.body) }
  }

  /** The shopper does all that the page of the account asks for. */
  async function openAccount(url: string): Promise<void> {
    await fetch(`${server.url}${new URL(url).pathname}`, { redirect: 'manual' })
  }

  const balanceOf = async (shopperId: ShopperId, currency = 'EUR') =>
    (await findWallet(table.table, shopperId)).balances.find((one) => one.currency === currency)?.amount ?? 0

  const reconcile = (over: Partial<WithdrawPorts> = {}) => payAgain({ ...ports, ...over, deadline: Infinity }, 0)

  return {
    clock,
    table,
    telemetry,
    provider,
    apiUrl: server.url,
    ports,
    credit,
    ask,
    look,
    openAccount,
    balanceOf,
    reconcile,
    stop,
  }
}

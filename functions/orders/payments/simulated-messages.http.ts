/** Sends messages of the simulated provider to the shop's webhook, signed in the moment of the try. */
import { errorFacts, type Log } from '../../lib/telemetry.ts'
import type { Message } from '../../table/orders/simulated-payments.ts'
import type { PaymentSimulatorPorts } from './payment-simulator.ts'
import { signSimulated } from './simulated-api.ts'

/** `secret` is one of the shop's webhook secrets, `shopUrl` its public address. */
export function webhookSender(
  { shopUrl, secret }: { shopUrl: string; secret: string },
  log: Log,
): PaymentSimulatorPorts['deliver'] {
  const sign = signSimulated(secret)
  const url = new URL('/api/payments/webhook', shopUrl)
  return async (message: Message, patienceMs) => {
    const { id, body } = message
    const headers = { 'content-type': 'application/json', ...sign(message, new Date()) }
    try {
      const signal = AbortSignal.timeout(patienceMs)
      const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'error' })
      await response.body?.cancel()
      if (!response.ok) log.warn('message refused by the shop', { messageId: id, status: response.status })
      return response.ok
    } catch (error) {
      // It stays due, and the next reload of the page sends it again.
      log.warn('message not delivered', { messageId: id, ...errorFacts(error) })
      return false
    }
  }
}

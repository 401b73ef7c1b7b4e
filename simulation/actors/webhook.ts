/** The provider's messages on their way to the shop. */
import { answerWebhook } from '../../functions/orders/payments-http.ts'
import { ask } from '../client.ts'
import type { Simulation } from '../engine/simulation.ts'
import type { Functions } from '../functions.ts'
import { requestOf } from '../memory/support.ts'

/** True when the shop says it has the message. */
export async function deliverWebhook(
  simulation: Simulation,
  { payments }: Functions,
  eventId: string,
  body: string,
): Promise<boolean> {
  const timestamp = String(Math.floor(simulation.now() / 1000))
  const headers = { 'webhook-id': eventId, 'webhook-timestamp': timestamp, 'webhook-signature': 'v1,genuine' }
  const request = requestOf(undefined, 'POST', '/api/payments/webhook', body, headers)
  const answer = await ask(simulation, payments, (ports) => answerWebhook(ports, request))
  return answer?.statusCode === 200
}

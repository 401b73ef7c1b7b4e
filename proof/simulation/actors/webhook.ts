/** Delivers the provider's webhook messages to the shop. */
import { webhookApp } from '../../../functions/orders/payment-events.ts'
import type { Simulation } from '../engine/simulation.ts'
import type { Functions } from '../functions.ts'
import { answerTo, requestOf, sendRequest } from '../parts/requests.ts'

/** True when the shop acknowledged the message. */
export async function deliverWebhook(
  simulation: Simulation,
  { payments }: Functions,
  eventId: string,
  body: string,
): Promise<boolean> {
  const timestamp = String(Math.floor(simulation.now() / 1000))
  const headers = { 'webhook-id': eventId, 'webhook-timestamp': timestamp, 'webhook-signature': 'v1,genuine' }
  const request = requestOf(undefined, 'POST', '/api/payments/webhook', body, headers)
  const answer = await sendRequest(simulation, payments, (ports) => answerTo(webhookApp(ports), request))
  return answer?.statusCode === 200
}

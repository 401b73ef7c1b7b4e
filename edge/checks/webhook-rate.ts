/**
 * Do more webhooks come than a payment provider sends? Only the function can tell a good signature from a bad one, and each run
 * of it costs. A provider passes that reports 100 payments a second from one address, or 300 in all, to one instance of the gate.
 */
import type { ThrottleRule } from '../../core/sale.ts'
import { addressKey } from '../addresses.ts'
import { prebuiltProblem } from '../problem-response.ts'
import type { MemoryCheck } from '../visit.ts'

const windowSeconds = 10
const perAddress: ThrottleRule = { limit: 1000, windowSeconds }
const overall: ThrottleRule = { limit: 3000, windowSeconds }

const everyAddress = 'webhooks'

/** Retry after so many seconds: the window that is full is over then. */
const tooMany = prebuiltProblem('too-many-requests', `Try again in ${windowSeconds} s.`, {
  retryAfterSeconds: windowSeconds,
})

export const checkWebhookRate: MemoryCheck = ({ request, memory: { rates }, now }) => {
  const address = `${everyAddress} ${addressKey(request.clientIp)}`
  if (rates.waitSeconds(address, perAddress, now) > 0) return tooMany
  if (rates.waitSeconds(everyAddress, overall, now) > 0) return tooMany
  rates.add(address, 1, perAddress, now)
  rates.add(everyAddress, 1, overall, now)
  return undefined
}

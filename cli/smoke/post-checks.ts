/**
 * POSTs that store nothing. Two end at the gate. The third reaches a function: CloudFront signs it,
 * which needs the hash of its body, and no GET would show that the hash is missing.
 */
import { randomUUID } from 'node:crypto'
import { type Ask, gistOf, isFromGate, problemCodeOf } from './ask.ts'
import { hintFor } from './diagnosis.ts'
import { type Check, failed, ok } from './finding.ts'

export function postChecks(ask: Ask): Check[] {
  return [unknownPath(ask), unsignedIn(ask), wrongSignature(ask)]
}

const unknownPath = (ask: Ask): Check => ({
  name: 'POST to an unknown address',
  expected: '404 not-found',
  async run() {
    const reply = await ask('/api/nothing-here', { method: 'POST', body: {} })
    const isRight = reply.status === 404 && problemCodeOf(reply) === 'not-found'
    return isRight ? ok(gistOf(reply)) : failed(gistOf(reply), hintFor(reply))
  },
})

const unsignedIn = (ask: Ask): Check => ({
  name: 'POST of an order without a session',
  expected: '401 sign-in-required',
  async run() {
    const reply = await ask('/api/sales/smoke-test/orders', { method: 'POST', body: { quantity: 1 } })
    const isRight = reply.status === 401 && problemCodeOf(reply) === 'sign-in-required'
    return isRight ? ok(gistOf(reply)) : failed(gistOf(reply), hintFor(reply))
  },
})

/** Well-formed, so that the gate forwards it, and signed without a secret. */
const wrongSignature = (ask: Ask): Check => ({
  name: 'POST that reaches a function (webhook with a wrong signature)',
  expected: '401 signature-invalid, from the function payments',
  async run() {
    const reply = await ask('/api/payments/webhook', {
      method: 'POST',
      body: { type: 'smoke.test', timestamp: new Date().toISOString(), data: { text: 'naïve ✓' } },
      headers: {
        'webhook-id': `smoke_${randomUUID()}`,
        'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
        'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
      },
    })
    if (reply.status !== 401 || problemCodeOf(reply) !== 'signature-invalid') {
      return failed(gistOf(reply), hintFor(reply))
    }
    if (!isFromGate(reply)) return ok(`${gistOf(reply)}, from the function`)
    return failed(`${gistOf(reply)}, from the gate`, 'Gate and smoke test have different versions.')
  },
})

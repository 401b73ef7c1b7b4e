/** Is it a purchase we could carry out at all (S2, S5)? The reserving function parses it again. */
import { readBuyRequest } from '../../core/buy-request.ts'
import { parseIdempotencyKey } from '../../core/ids.ts'
import { type AppCheck, refuse } from '../app-env.ts'
import { bodyBytes, headerOf } from '../cloudfront.ts'

export const checkBuyRequest: AppCheck = async (c, next) => {
  const { headers, body } = c.env.visit.request
  const header = headerOf(headers, 'idempotency-key')
  const key = header.kind === 'one' ? parseIdempotencyKey(header.value) : undefined
  if (key === undefined && header.kind !== 'absent') {
    const detail = 'Idempotency-Key must be given once, as 1 to 64 letters, digits or _ . : -'
    return refuse(c, 'invalid-request', detail, { field: 'Idempotency-Key' })
  }
  const buy = readBuyRequest(bodyBytes(body))
  if (!buy.ok) return refuse(c, 'invalid-request', buy.detail, { field: buy.field })
  c.set('entry', buy.value)
  c.set('key', key)
  return next()
}

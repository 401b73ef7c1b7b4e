/** Is it a claim we could carry out at all? The claiming function parses it again. */
import { readClaimRequest } from '../../core/claim-request.ts'
import { type AppCheck, refuse } from '../app-env.ts'
import { bodyBytes } from '../cloudfront.ts'

export const checkClaimRequest: AppCheck = async (c, next) => {
  const claim = readClaimRequest(bodyBytes(c.env.visit.request.body))
  if (!claim.ok) return refuse(c, 'invalid-request', claim.detail, { field: claim.field })
  c.set('entry', claim.value)
  return next()
}

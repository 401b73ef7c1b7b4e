/** What the dead letters of claims say. */

import { readJson } from '../../../core/lib/parse.ts'
import { type ClaimMessage, claimMessage } from '../../../core/packets/claim.ts'

/** The claims in `bodies`, messages as JSON. A body that is not a claim is left out. */
export function claimsIn(bodies: readonly string[]): readonly ClaimMessage[] {
  return bodies.flatMap((body) => {
    const message = readJson(claimMessage, body)
    return message.ok ? [message.value] : []
  })
}

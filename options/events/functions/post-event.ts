/** Signs an event by the Standard Webhooks specification and posts it to an endpoint. AWS signs the calls to a bus. */
import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { NotReadable, type PostPublic } from '../../../functions/lib/http/public-http.ts'
import type { Purpose, Sealer } from '../../../functions/lib/sealer.ts'
import type { ShopContext } from '../../../functions/lib/shop/shop.ts'
import { busScheme } from '../core/endpoint.ts'
import { eventPayload, type ShopEvent } from '../core/event.ts'
import type { PostAnswer } from '../core/pending-events.ts'
import type { StoredEndpoint } from './table.ts'

export type PostEventPorts = Pick<ShopContext, 'sealer' | 'clock'> & {
  /** Posts to a public address. Throws `NotReadable` when there is no answer. */
  postPublic: PostPublic
}

/** The specification asks for 24 to 64 random bytes. */
const secretBytes = 32

/** Creates a secret: `whsec_` and random bytes in base64. */
export const newEventSecret = (): string => `whsec_${randomBytes(secretBytes).toString('base64')}`

const purposeOf = (endpointId: string): Purpose => ({ purpose: 'event-secret', owner: endpointId })

export const sealEventSecret = (sealer: Sealer, endpointId: string, secret: string): Promise<string> =>
  sealer.seal(purposeOf(endpointId), { secret })

/** Posts an event, and resolves with the status or why there was none. All secrets of a rotation sign. @throws when one cannot be opened */
export async function postEvent(
  { postPublic, sealer, clock }: PostEventPorts,
  endpoint: Pick<StoredEndpoint, 'id' | 'name' | 'url' | 'secret' | 'formerSecrets'>,
  event: Pick<ShopEvent, 'id' | 'type' | 'at' | 'data'>,
): Promise<PostAnswer> {
  const { id, name, url, secret, formerSecrets } = endpoint
  const now = clock()
  const body = JSON.stringify(eventPayload(event))
  const former = formerSecrets.filter(({ until }) => now < until).map((one) => one.secret)
  const signatures = await Promise.all(
    (url.startsWith(busScheme) ? [] : [secret, ...former]).map(async (sealed) => {
      const opened = await sealer.open(purposeOf(id), sealed)
      if (typeof opened?.secret !== 'string') throw new Error(`the secret of the endpoint ${name} does not open`)
      return new Webhook(opened.secret).sign(event.id, new Date(now), body)
    }),
  )
  const headers = {
    'content-type': 'application/json',
    'webhook-id': event.id,
    'webhook-timestamp': String(Math.floor(now / 1000)),
    'webhook-signature': signatures.join(' '),
  }
  try {
    return { status: await postPublic(url, headers, body) }
  } catch (error) {
    if (error instanceof NotReadable) return { failure: error.message }
    throw error
  }
}

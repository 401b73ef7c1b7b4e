/** How the token in the link "Unsubscribe" is sealed; its content is `{shopperId}`. It never expires. */
import type { Sealer } from './sealer.ts'

/** The token alone is in the link, so its owner is the same for every shopper. */
export const unsubscribeSeal: Parameters<Sealer['seal']>[0] = { purpose: 'unsubscribe', owner: 'e-mail' }

/** How claims are grouped into transactions. */
import { maxItems } from '../../lib/group-commit.ts'

/**
 * A claim costs three items (the credit, the shopper's balance, the packet), the sale one (its
 * cap).
 */
export const itemsPerClaim = 3
const itemsPerSale = 1

/** Claims of one sale that fill one transaction: 33. The batch size of the queue's event source. */
export const fullGroup = Math.floor((maxItems - itemsPerSale) / itemsPerClaim)

/** The rig of control with a real Redis in the place of the one in memory. */

import { createPublisher } from '../../../functions/sales/publishing/publisher.ts'
import { redisBlockNotices } from '../../../functions/stores/block-list.redis.ts'
import { redisCatalogue } from '../../../functions/stores/catalogue.redis.ts'
import { redisHeldClaims } from '../../../functions/stores/held-claims.redis.ts'
import { redisHoldings } from '../../../functions/stores/holdings.redis.ts'
import { redisHolds } from '../../../functions/stores/holds.redis.ts'
import { redisLocks } from '../../../functions/stores/locks.redis.ts'
import { redisOutbox } from '../../../functions/stores/outbox.redis.ts'
import { redisPacketStock } from '../../../functions/stores/packets.redis.ts'
import {
  redisAdmissionsReader,
  redisGate,
  redisGateBatchReader,
  redisGateReader,
  redisStock,
} from '../../../functions/stores/sales.redis.ts'
import { redisAvailability, redisStockReader } from '../../../functions/stores/stock-readers.redis.ts'
import type { RedisClient } from '../../../redis/client.ts'
import { type ControlRig, controlRig } from '../control/rig.ts'

export function rigOn(redis: RedisClient): ControlRig {
  const rig = controlRig()
  const publisher = createPublisher({
    site: rig.site,
    sales: rig.sales,
    stock: redisAvailability(redis),
    templates: { salePage: () => '', indexPage: () => '' },
    clock: () => rig.clock.now,
  })
  Object.assign(rig.ports, {
    outbox: redisOutbox(redis),
    holds: redisHolds(redis),
    holdings: redisHoldings(redis),
    claims: redisHeldClaims(redis),
    packetStock: redisPacketStock(redis),
    stock: redisStock(redis),
    stockReader: redisStockReader(redis),
    gate: redisGate(redis),
    gateReader: redisGateReader(redis),
    gateBatchReader: redisGateBatchReader(redis),
    admissionsReader: redisAdmissionsReader(redis),
    catalogue: redisCatalogue(redis),
    blockNotices: redisBlockNotices(redis),
    locks: redisLocks(redis),
    publisher,
    shopfront: { refresh: publisher.pointer },
  })
  return rig
}

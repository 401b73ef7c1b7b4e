/** The rig of control with a real Redis in the place of the one in memory. */
import { redisAvailability, redisStockReader } from '../../../functions/adapters/availability.redis.ts'
import { redisBlockNotices } from '../../../functions/adapters/block-notices.redis.ts'
import { redisCatalogue } from '../../../functions/adapters/catalogue.redis.ts'
import {
  redisAdmissionsReader,
  redisGate,
  redisGateBatchReader,
  redisGateReader,
  redisStockShelf,
} from '../../../functions/adapters/effects.redis.ts'
import { redisHeldClaims } from '../../../functions/adapters/held-claims.redis.ts'
import { redisHoldings } from '../../../functions/adapters/holdings.redis.ts'
import { redisHolds } from '../../../functions/adapters/holds.redis.ts'
import { redisLocks } from '../../../functions/adapters/locks.redis.ts'
import { redisOutbox } from '../../../functions/adapters/outbox.redis.ts'
import { redisPacketShelf } from '../../../functions/adapters/packet-shelf.redis.ts'
import { createPublisher } from '../../../functions/publishing/publisher.ts'
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
    packetShelf: redisPacketShelf(redis),
    stock: redisStockShelf(redis),
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

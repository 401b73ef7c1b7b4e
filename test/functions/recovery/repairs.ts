/** The repairs of the sale of a world, as a marketer or the schedule asks for them. */
import type { ReconcileOptions } from '../../../functions/recovery/ports.ts'
import { reconcileSale } from '../../../functions/recovery/reconcile-sale.ts'
import { deliveryMs } from '../../../functions/recovery/stock/held-back.ts'
import { recover, recoveryTimeLimitMs } from '../../../functions/recovery/stock/recover.ts'
import { phone } from '../../world/stock-record.ts'
import type { World } from '../../world/world.ts'

/** `rig` is the world of the test that runs. */
export const repairsOf = (rig: () => World) => ({
  recover: (ports = rig().ports) =>
    recover(ports, { who: 'mia', requestId: 'request-1' }, phone, rig().clock.now + recoveryTimeLimitMs),

  reconcileSale: async (options: Partial<ReconcileOptions> = {}, ports = rig().ports) => {
    const asked = { minAgeMs: 0, holdAgeMs: deliveryMs, full: false, ...options }
    return reconcileSale({ ...ports, ...asked, deadline: rig().clock.now + 10_000 }, await rig().sale())
  },
})

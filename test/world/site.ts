/** Public objects in memory, which can be made unavailable. */
import { memorySite } from '../../proof/simulation/parts/site.ts'
import { outage } from './outage.ts'

export function switchableSite() {
  const switchable = outage('S3')
  return { ...switchable, ...memorySite(switchable.pass) }
}

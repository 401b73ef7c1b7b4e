/** Public objects in memory, which can be made unavailable. */
import { memorySite } from '../../proof/simulation/parts/site.ts'
import { outage } from './outage.ts'

export function switchableSite() {
  const light = outage('S3')
  return { ...light, ...memorySite(light.pass) }
}

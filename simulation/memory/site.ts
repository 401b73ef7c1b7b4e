/** Public objects in memory, and the order in which they were put. */
import type { Site, SiteObject } from '../../functions/sales/publishing/site.ts'
import { outage, type Switchable } from './outage.ts'

export type MemorySite = Site & Switchable & { objects: Map<string, SiteObject>; puts: string[] }

export function memorySite(): MemorySite {
  const light = outage('S3')
  const objects = new Map<string, SiteObject>()
  const puts: string[] = []
  const put = (object: SiteObject) => {
    objects.set(object.path, object)
    puts.push(object.path)
  }
  return {
    ...light,
    objects,
    puts,
    async read(path) {
      light.pass()
      return objects.get(path)?.body
    },
    async put(object) {
      light.pass()
      put(object)
    },
    async create(object) {
      light.pass()
      if (!objects.has(object.path)) put(object)
    },
    async remove(path) {
      light.pass()
      objects.delete(path)
    },
  }
}

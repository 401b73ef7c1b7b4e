/** Public objects in memory, and the order in which they were put. */
import type { Site, SiteObject } from '../../../functions/lib/shop/site.ts'

export type MemorySite = Site & { objects: Map<string, SiteObject>; puts: string[] }

/** `pass` is called before each access, and throws while the site is unavailable. */
export function memorySite(pass: () => void = () => undefined): MemorySite {
  const objects = new Map<string, SiteObject>()
  const puts: string[] = []
  const put = (object: SiteObject) => {
    objects.set(object.path, object)
    puts.push(object.path)
  }
  return {
    objects,
    puts,
    async read(path) {
      pass()
      return objects.get(path)?.body
    },
    async put(object) {
      pass()
      put(object)
    },
    async create(object) {
      pass()
      if (!objects.has(object.path)) put(object)
    },
    async remove(path) {
      pass()
      objects.delete(path)
    },
  }
}

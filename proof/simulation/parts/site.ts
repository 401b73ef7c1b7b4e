/** In-memory fakes of the public site, with its objects in the order of their puts, and of the edge's key-value store. */
import type { EdgeStore, Site, SiteObject } from '../../../functions/lib/shop/shop.ts'

export type MemorySite = Site & { objects: Map<string, SiteObject>; puts: string[] }

/** `beforeAccess` is called before each access, and throws while the site is unavailable. */
export function memorySite(beforeAccess: () => void = () => undefined): MemorySite {
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
      beforeAccess()
      return objects.get(path)?.body
    },
    async put(object) {
      beforeAccess()
      put(object)
    },
    async create(object) {
      beforeAccess()
      if (!objects.has(object.path)) put(object)
    },
    async remove(path) {
      beforeAccess()
      objects.delete(path)
    },
  }
}

/** Returns an in-memory store of the CloudFront Functions. */
export function memoryEdgeStore(): EdgeStore & { values: ReadonlyMap<string, string> } {
  const values = new Map<string, string>()
  let changes = 0
  const etag = () => `etag-${changes}`
  return {
    values,
    etag: async () => etag(),
    read: async (key) => values.get(key),
    async update(seen, changed) {
      if (seen !== etag()) return 'conflict'
      changes += 1
      for (const [key, value] of changed) {
        if (value === undefined) values.delete(key)
        else values.set(key, value)
      }
      return 'updated'
    },
  }
}

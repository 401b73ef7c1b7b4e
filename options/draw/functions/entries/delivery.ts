/** What `delivery` answers of entries in draws. */
import { connectS3 } from '../../../../functions/entries/adapters/site.s3.ts'
import { nonEmpty, readEnvironment } from '../../../../functions/lib/env.ts'
import { withPorts } from '../../../../functions/lib/http/app.ts'
import type { ShopperRoutes } from '../../../../functions/people/delivery.ts'
import { s3DrawFiles } from '../draw-files.s3.ts'
import { entryRoutes } from '../entry-routes.ts'

export const variables = { SITE_BUCKET: nonEmpty } as const

const entries: ShopperRoutes = (ports, env) => {
  const { SITE_BUCKET } = readEnvironment(variables, env)
  return withPorts(entryRoutes, { ...ports, filesOf: s3DrawFiles(connectS3(), SITE_BUCKET) })
}

export const shopperRoutes = [entries] as const

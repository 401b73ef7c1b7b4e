/** What `delivery` answers of entries in draws, and `control` of a draw. */
import { unknownSale } from '../../../../functions/control/answers.ts'
import { onControl } from '../../../../functions/control/entrance.ts'
import { connectS3 } from '../../../../functions/entries/adapters/site.s3.ts'
import { nonEmpty, readEnvironment } from '../../../../functions/lib/env.ts'
import { withPorts } from '../../../../functions/lib/http/app.ts'
import type { Shop } from '../../../../functions/lib/shop/shop.ts'
import type { ShopperRoutes } from '../../../../functions/people/delivery.ts'
import { controlOperations } from '../../core/operations.ts'
import { s3DrawFiles } from '../draw-files.s3.ts'
import { entryRoutes } from '../entry-routes.ts'
import { readSaleDraw } from '../table.ts'

export const variables = { SITE_BUCKET: nonEmpty } as const

const entries: ShopperRoutes = (ports, env) => {
  const { SITE_BUCKET } = readEnvironment(variables, env)
  return withPorts(entryRoutes, { ...ports, filesOf: s3DrawFiles(connectS3(), SITE_BUCKET) })
}

export const shopperRoutes = [entries] as const

export const controlHandlers = [
  /* @__PURE__ */ onControl(
    controlOperations.getDraw,
    async (ports: Pick<Shop, 'table'>, { params }) => (await readSaleDraw(ports, params.saleId)) ?? unknownSale(),
  ),
] as const

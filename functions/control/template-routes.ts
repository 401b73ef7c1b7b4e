/** `/api/control/templates`: the list, and a template by its name. */
import { controlOperations } from '../../core/api/control-requests.ts'
import { maxTemplates } from '../../core/sale/template.ts'
import type { Shop } from '../lib/shop/shop.ts'
import { allTemplates } from '../table/sale/templates.ts'
import { refusal, unknownSale } from './answers.ts'
import { onControl } from './entrance.ts'
import { keepTemplate, removeTemplate } from './templates.ts'

export const templateRoutes = [
  onControl(controlOperations.listTemplates, async ({ table }: Pick<Shop, 'table'>) => ({
    templates: await allTemplates(table),
  })),
  onControl(
    controlOperations.keepTemplate,
    async (ports: Pick<Shop, 'table' | 'clock'>, { actor, body: { name, saleId } }) => {
      const template = await keepTemplate(ports, actor, name, saleId)
      if (template === 'no-sale') return unknownSale()
      if (template === 'full') return refusal({ reason: 'templates-full', values: { limit: maxTemplates } })
      return template
    },
  ),
  onControl(controlOperations.deleteTemplate, async (ports: Pick<Shop, 'table' | 'clock'>, { actor, body }) => {
    await removeTemplate(ports, actor, body.name)
    return body
  }),
]

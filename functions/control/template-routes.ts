/** `/api/control/templates`: the list, and a template by its name. */
import { controlOperations } from '../../core/api/control-operations.ts'
import { maxTemplates } from '../../core/sale/template.ts'
import { allTemplates } from '../table/sale/templates.ts'
import { refusal, unknownSale } from './answers.ts'
import { onControl } from './entrance.ts'
import { keepTemplate, removeTemplate, type TemplatePorts } from './templates.ts'

export const templateRoutes = [
  onControl(controlOperations.listTemplates, async ({ table }: TemplatePorts) => ({
    templates: await allTemplates(table),
  })),
  onControl(
    controlOperations.keepTemplate,
    async (ports: TemplatePorts, { actor, body: { name, saleId } }) => {
      const template = await keepTemplate(ports, actor, name, saleId)
      if (template === 'no-sale') return unknownSale()
      if (template === 'full') return refusal({ reason: 'templates-full', values: { limit: maxTemplates } })
      return template
    },
  ),
  onControl(controlOperations.deleteTemplate, async (ports: TemplatePorts, { actor, body }) => {
    await removeTemplate(ports, actor, body.name)
    return body
  }),
]

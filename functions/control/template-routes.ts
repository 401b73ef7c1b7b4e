/** `/api/control/templates`: the list, and a template by its name. */

import * as z from 'zod/mini'
import { controlApi } from '../../core/api/control.ts'
import { parseSaleId } from '../../core/ids.ts'
import { readBy, readJson } from '../../core/lib/parse.ts'
import type { Role } from '../../core/roles.ts'
import { maxTemplates, templateName } from '../../core/sale/template.ts'
import { answerOf, type HttpAnswer, invalid } from '../lib/http/answer.ts'
import type { HttpRequest } from '../lib/http/request.ts'
import type { PathRoute } from '../lib/http/routes.ts'
import type { Actor } from '../sales/audit.ts'
import { allTemplates } from '../table/sale/templates.ts'
import { refusal, unknownSale } from './answers.ts'
import { keepTemplate, removeTemplate, type TemplatePorts } from './templates.ts'

type Context = { ports: TemplatePorts; request: HttpRequest; actor: Actor }

const kept = z.strictObject(
  { name: templateName, saleId: readBy(parseSaleId, 'must be a sale id') },
  'must be a JSON object with name and saleId',
)

const deleted = z.strictObject({ name: templateName }, 'must be a JSON object with name')

export const templateRoutes: readonly (PathRoute<Context> & { roles: readonly Role[] })[] = [
  {
    ...controlApi.listTemplates,
    run: async ({ ports }) =>
      answerOf(controlApi.listTemplates, { templates: await allTemplates(ports.table) }),
  },
  { ...controlApi.keepTemplate, run: keep },
  {
    ...controlApi.deleteTemplate,
    run: async ({ ports, actor, request }) => {
      const body = readJson(deleted, request.body)
      if (!body.ok) return invalid(body.field, body.detail)
      await removeTemplate(ports, actor, body.value.name)
      return answerOf(controlApi.deleteTemplate, body.value)
    },
  },
]

async function keep({ ports, actor, request }: Context): Promise<HttpAnswer> {
  const body = readJson(kept, request.body)
  if (!body.ok) return invalid(body.field, body.detail)
  const { name, saleId } = body.value
  const template = await keepTemplate(ports, actor, name, saleId)
  if (template === 'no-sale') return unknownSale()
  if (template === 'full') return refusal({ reason: 'templates-full', values: { limit: maxTemplates } })
  return answerOf(controlApi.keepTemplate, template)
}

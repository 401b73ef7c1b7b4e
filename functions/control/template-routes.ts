/** `/api/control/templates`: the list, and one template by its name. */
import * as z from 'zod/mini'
import { controlApi } from '../../core/api/control.ts'
import { parseSaleId } from '../../core/ids.ts'
import { readBy, readJson } from '../../core/parse.ts'
import type { Role } from '../../core/roles.ts'
import { maxTemplates, parseTemplateName, templateNameRule } from '../../core/template.ts'
import { answerOf, type HttpAnswer, invalid } from '../lib/http/answer.ts'
import { decodedPart } from '../lib/http/path-part.ts'
import type { HttpRequest } from '../lib/http/request.ts'
import type { PathParts, Route } from '../lib/http/routes.ts'
import type { Actor } from '../sales/audit.ts'
import { refusal, unknownSale } from './answers.ts'
import { keepTemplate, removeTemplate, type TemplatePorts } from './templates.ts'

type Context = { ports: TemplatePorts; request: HttpRequest; actor: Actor }

const ofSale = z.strictObject(
  { saleId: readBy(parseSaleId, 'must be a sale id') },
  'must be a JSON object with saleId',
)

export const templateRoutes: readonly (Route<Context> & { roles: readonly Role[] })[] = [
  {
    ...controlApi.listTemplates,
    run: async ({ ports }) => answerOf(controlApi.listTemplates, { templates: await ports.templates.all() }),
  },
  {
    ...controlApi.keepTemplate,
    run: (context, parts) => named(parts, (name) => keep(context, name)),
  },
  {
    ...controlApi.deleteTemplate,
    run: ({ ports, actor }, parts) =>
      named(parts, async (name) => {
        await removeTemplate(ports, actor, name)
        return answerOf(controlApi.deleteTemplate, { name })
      }),
  },
]

async function keep({ ports, actor, request }: Context, name: string): Promise<HttpAnswer> {
  const body = readJson(ofSale, request.body)
  if (!body.ok) return invalid(body.field, body.detail)
  const kept = await keepTemplate(ports, actor, name, body.value.saleId)
  if (kept === 'no-sale') return unknownSale()
  if (kept === 'full') return refusal({ reason: 'templates-full', values: { limit: maxTemplates } })
  return answerOf(controlApi.keepTemplate, kept)
}

async function named(
  { name: part }: PathParts,
  run: (name: string) => Promise<HttpAnswer>,
): Promise<HttpAnswer> {
  const name = parseTemplateName(decodedPart(part))
  return name === undefined ? invalid('name', `name ${templateNameRule}`) : run(name)
}

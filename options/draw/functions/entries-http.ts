/** `GET`, `PUT` and `DELETE /api/entries/{saleId}`: a shopper's entry in the draw of a sale. */
import { createHmac, hash } from 'node:crypto'
import { invitedCookieText, shopperHashLength } from '../../../core/gate/pass.ts'
import type { SaleId, ShopperId } from '../../../core/ids.ts'
import { problem } from '../../../core/outcome.ts'
import { refusalText } from '../../../core/refusals.ts'
import {
  answerOf,
  type HttpAnswer,
  invalid,
  notFound,
  problemAnswer,
  unavailable,
} from '../../../functions/lib/http/answer.ts'
import { createApp, forShoppers, on } from '../../../functions/lib/http/app.ts'
import { findListKey } from '../../../functions/table/sale/invited.ts'
import { type EntryView, entriesApi } from '../core/api.ts'
import { changeEntry, type Entering, type EntryPorts, viewEntry } from './entries.ts'

const routes = [
  on(entriesApi.getEntry, async (ports: EntryPorts, { caller: { shopperId }, params: { saleId } }) => {
    const view = await viewEntry(ports, saleId, shopperId)
    if (view === undefined) return notFound()
    const key = view.offer && (await findListKey(ports.table, saleId))
    if (key === undefined) return view
    return { ...answerOf(entriesApi.getEntry, view), cookies: [invitation(key, saleId, shopperId)] }
  }),
  on(entriesApi.putEntry, async (ports: EntryPorts, { caller, params, body }) =>
    answerOfEntering(await changeEntry(ports, params.saleId, caller.shopperId, body)),
  ),
  on(entriesApi.eraseEntry, async (ports: EntryPorts, { caller, params }) =>
    answerOfEntering(await changeEntry(ports, params.saleId, caller.shopperId, undefined)),
  ),
]

/** Answers requests of shoppers about their entries. */
export const entriesApp = (ports: EntryPorts) => createApp(ports, routes, forShoppers)

/** The cookie of an invited shopper. */
function invitation(key: string, saleId: SaleId, shopperId: ShopperId): string {
  // As in the shopper's pass, by which CloudFront's functions know the shopper.
  const shopperHash = hash('sha256', shopperId, 'base64url').slice(0, shopperHashLength)
  return invitedCookieText(saleId, createHmac('sha256', key).update(shopperHash).digest('base64url'))
}

function answerOfEntering(entering: Entering): EntryView | HttpAnswer {
  switch (entering.kind) {
    case 'done':
      return entering.view
    case 'no-draw':
      return notFound()
    case 'busy':
      return unavailable(Math.random)
    case 'invalid':
      return invalid(entering.field, entering.detail)
    case 'refused': {
      const { reason, values, field } = entering
      const at = values?.at
      const said = { reason, values: { ...values, ...(at !== undefined && { at: new Date(at).toISOString() }) } }
      const facts = { reason, ...(values && { values }), ...(field && { field }) }
      return problemAnswer(problem('conflict', refusalText(said), facts))
    }
  }
}

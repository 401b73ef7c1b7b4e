/** `GET`, `PUT` and `DELETE /api/entries/{saleId}`: a shopper's entry in the draw of a sale. */
import { type EntryView, entriesApi } from '../../../core/api/entries.ts'
import { problem } from '../../../core/outcome.ts'
import { refusalText } from '../../../core/refusals.ts'
import { type HttpAnswer, invalid, notFound, problemAnswer, unavailable } from '../../lib/http/answer.ts'
import { createApp, forShoppers, on } from '../../lib/http/app.ts'
import { changeEntry, type Entering, type EntryPorts, viewEntry } from './entries.ts'

const routes = [
  on(
    entriesApi.getEntry,
    async (ports: EntryPorts, { caller, params }) =>
      (await viewEntry(ports, params.saleId, caller.shopperId)) ?? notFound(),
  ),
  on(entriesApi.putEntry, async (ports: EntryPorts, { caller, params, body }) =>
    answerOfEntering(await changeEntry(ports, params.saleId, caller.shopperId, body)),
  ),
  on(entriesApi.eraseEntry, async (ports: EntryPorts, { caller, params }) =>
    answerOfEntering(await changeEntry(ports, params.saleId, caller.shopperId, undefined)),
  ),
]

/** Answers requests of shoppers about their entries. */
export const entriesApp = (ports: EntryPorts) => createApp(ports, routes, forShoppers)

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
      const said = {
        reason,
        values: { ...values, ...(at !== undefined && { at: new Date(at).toISOString() }) },
      }
      const facts = { reason, ...(values && { values }), ...(field && { field }) }
      return problemAnswer(problem('conflict', refusalText(said), facts))
    }
  }
}

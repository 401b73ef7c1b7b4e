/** Publishes the list of sales to the gate, which rejects every id that is not in it, and to the index page. */
import { tryLogged } from '../../lib/telemetry.ts'
import { finishDeletion } from '../../sales/effects.ts'
import { publishCatalogue } from '../../sales/publishing/catalogue.ts'
import { maxOnIndex } from '../../sales/publishing/pages.ts'
import type { Job } from '../job.ts'

/** Also finishes deletions that a crash interrupted: the gate knows ids that are not listed. */
export const publishCatalogueJob: Job = {
  name: 'publishCatalogue',
  everyMinutes: 1,
  budgetMs: Infinity,
  async run(run) {
    for (const saleId of await publishCatalogue(run)) {
      const about = { part: publishCatalogueJob.name, saleId }
      if ((await tryLogged(run, about, () => finishDeletion(run, saleId))) !== true) continue
      run.found.repaired += 1
      run.log.warn('deletion of a sale finished', { saleId })
    }
  },
}

/** Publishes the index page of a shop with more sales than it shows, because it depends on the time. */
export const publishIndexJob: Job = {
  name: 'publishIndex',
  everyMinutes: 10,
  budgetMs: Infinity,
  async run({ saleIds, publisher }) {
    if ((await saleIds()).warmed.length > maxOnIndex) await publisher.index()
  },
}

/** Publishes the catalogue without the sales that this run has removed. */
export const publishRemovalsJob: Job = {
  name: 'publishRemovals',
  everyMinutes: 1,
  budgetMs: Infinity,
  async run(run) {
    if (run.removed.size > 0) await publishCatalogue(run)
  },
}

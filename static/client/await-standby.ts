/**
 * Waits on the page of a sale for its standby list. The page has the place of the list from the start, hidden; once the sale has
 * sold out, this looks for the published rules, whose times it gives to the script of entries, and loads that.
 */
import { parseSaleId } from '../../core/ids.ts'
import { drawRulesFile } from '../../core/sale/pointer.ts'
import { publicText } from './draw/public-files.ts'
import { byId } from './lib/dom.ts'
import { loadModule } from './lib/load-module.ts'
import { fieldsInText } from './lib/wire.ts'

/** The rules are published within a minute; each page looks at moments of its own. */
const everyMs = 15_000

const main = byId('main')
const place = byId('enter')
const saleId = parseSaleId(main.dataset.saleId)
const fetch = window.fetch.bind(window)
let isLooking = false

async function look(): Promise<void> {
  if (saleId === undefined || isLooking || document.hidden || main.dataset.phase !== 'sold-out') return
  isLooking = true
  const rules = fieldsInText((await publicText(fetch, saleId, drawRulesFile)) ?? '')
  isLooking = false
  if (rules === undefined) return
  clearInterval(timer)
  const { opensAt, closesAt, commitSeconds, mostInGroup } = rules
  const drawnAt = Number(closesAt) + 1000 * Number(commitSeconds)
  Object.assign(place.dataset, { opensAt, closesAt, drawnAt, mostInGroup, units: 0 })
  place.hidden = false
  await loadModule(place.dataset.standby ?? '')
}

const timer = setInterval(look, everyMs * (0.75 + Math.random() / 2))

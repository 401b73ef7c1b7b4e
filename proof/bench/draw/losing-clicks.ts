/** Clicks of entrants whom no unit is offered, through the shipped function before the gate. */
import { dist } from '../../../build.ts'
import { entryKey, entryText, passKeysKey } from '../../../core/gate/edge-entry.ts'
import { passDays, passHeader, passKeysText } from '../../../core/gate/pass.ts'
import { parseSaleId, parseShopperId } from '../../../core/ids.ts'
import { issuePass } from '../../../edge/memory/passes.ts'
import { entryOf } from '../../../functions/sales/publishing/edge-entries.ts'
import { preGateAnswer } from '../../../local/cdn/pre-gate.ts'
import { loadViewerFunction, viewerEvent } from '../../../local/cdn/viewer-function.ts'
import { openSaleFacts } from '../gate/open-sale-facts.ts'

/** Events that are made before the time of their answers is taken. */
const atOnce = 50_000

/**
 * Sends `clicks`, each of another entrant with a good session and pass and a made-up offer, and returns how many a second of
 * the processor answers.
 * @throws when a click is not refused for its offer
 */
export async function measureLosingClicks(clicks: number, to: (done: number) => void): Promise<number> {
  const [now, saleId] = [Date.now(), parseSaleId('drawn-sale')]
  if (saleId === undefined) throw new Error('the sale has no id')
  const keys = new Map(passDays(now).map((day) => [day, `key-of-day-${day}`]))
  const facts = openSaleFacts(now)
  const drawn = { ...facts, rules: { ...facts.rules, requirePass: 'on' as const } }
  const values = new Map([
    [entryKey(saleId), entryText(entryOf(drawn, null, 'a key of offers, as long as one of thirty-two b'))],
    [passKeysKey, passKeysText(keys)],
  ])
  const meta = () => ({ itemCount: values.size, createdAt: 0, changedAt: 0 })
  const run = await loadViewerFunction(`${dist}/edge/pre-gate.js`, { get: (key) => values.get(key), meta })
  const eventOf = (entrant: number) => {
    const shopperId = parseShopperId(`entrant-${entrant}`)
    const pass = (shopperId && issuePass(shopperId, keys, now)) ?? ''
    const headers = {
      ...{ authorization: 'Bearer a.b.c', [passHeader]: pass },
      ...{ 'content-type': 'application/json', 'content-length': '2' },
      cookie: `sluice_offer=${pass.slice(-43)}`,
    }
    const rawHeaders = Object.entries(headers).flat()
    return viewerEvent({ ip: '203.0.113.7', method: 'POST', url: `/api/sales/${saleId}/orders`, rawHeaders })
  }
  let processorMs = 0
  for (let done = 0; done < clicks; done += atOnce) {
    const events = Array.from({ length: Math.min(atOnce, clicks - done) }, (_, n) => eventOf(done + n))
    const answers: unknown[] = []
    const from = process.cpuUsage()
    for (const event of events) answers.push(await run(event))
    const { user, system } = process.cpuUsage(from)
    processorMs += (user + system) / 1000
    for (const answer of answers) {
      if (!preGateAnswer.parse(answer).body?.data.includes('"level-too-low"'))
        throw new Error(`a click was not refused for its offer: ${JSON.stringify(answer)}`)
    }
    to(done + events.length)
  }
  return clicks / (processorMs / 1000)
}

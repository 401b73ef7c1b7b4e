/**
 * The memory of the bridge: a file of JSON lines that is only appended to. A line counts once it is on the disk.
 * At the start the file is read and written anew, without what is no longer needed.
 */
import { open, readFile, rename } from 'node:fs/promises'
import path from 'node:path'

/** Longer than Sluice keeps an event that can be sent again (30 days). */
const keptForMs = 45 * 86_400_000

/**
 * An event that is not done. `note` is what its work has to remember of an earlier try. `deadLetter` says why
 * the shop refused it.
 * @typedef {{ id: string, event: import('./order.js').Event, note?: Record<string, unknown>, deadLetter?: string }} Entry
 */
/**
 * What is known of an order or a sale. `until` (epoch ms) is when it can be forgotten.
 * @typedef {{ shop?: string, ended?: boolean, endedAt?: number, saleId?: string, units?: { quantity: number, variant?: string }, restocked?: boolean, returnedAt?: number, until?: number }} Facts
 */
/**
 * @typedef {{ event: import('./order.js').Event, id: string } | { note: Record<string, unknown>, id: string }
 *   | { deadLetter: string, id: string } | { done: number, id: string } | { facts: Facts, subject: string }} Line
 */

/**
 * @param {string} file
 * @param {() => number} now epoch ms
 * @throws when a line of the file cannot be read
 */
export async function openJournal(file, now) {
  /** @type {Map<string, Entry>} */
  const entries = new Map()
  /** @type {Map<string, number>} */
  const done = new Map()
  /** @type {Map<string, Facts>} */
  const facts = new Map()

  /** @param {Line} line */
  const apply = (line) => {
    if ('facts' in line) return void facts.set(line.subject, { ...facts.get(line.subject), ...line.facts })
    const entry = entries.get(line.id)
    if ('event' in line) {
      if (!entry && !done.has(line.id)) entries.set(line.id, { id: line.id, event: line.event })
    } else if ('done' in line) {
      entries.delete(line.id)
      done.set(line.id, line.done)
    } else if (entry) Object.assign(entry, 'note' in line ? { note: line.note } : { deadLetter: line.deadLetter })
  }

  const bytes = await readFile(file).catch((failure) => {
    if (failure.code === 'ENOENT') return Buffer.alloc(0)
    throw failure
  })
  // What follows the last line break was cut off by a crash, and was never confirmed.
  let start = 0
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
    apply(JSON.parse(bytes.toString('utf8', start, end)))
    start = end + 1
  }
  // The config of this start may have removed the cause of a dead letter, so it is tried again.
  for (const entry of entries.values()) entry.deadLetter = undefined

  await writeAnew(file, function* () {
    const since = now() - keptForMs
    for (const [id, at] of done) {
      if (at < since) done.delete(id)
      else yield { id, done: at }
    }
    for (const [subject, known] of facts) {
      if (known.until !== undefined && known.until < now()) facts.delete(subject)
      else yield { subject, facts: known }
    }
    for (const { id, event, note } of entries.values()) {
      yield { id, event }
      if (note) yield { id, note }
    }
  })

  const handle = await open(file, 'a')
  /** @type {{ lines: Line[], resolve: () => void, reject: (failure: unknown) => void }[]} */
  let waiting = []
  let isWriting = false
  /** @type {unknown} */
  let failed

  /** Writes what waits with one flush, so that many events share it. */
  const write = async () => {
    if (isWriting) return
    isWriting = true
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      try {
        // After a failure the end of the file is unknown: a further line could be joined to half a line.
        if (failed) throw failed
        const lines = batch.flatMap((one) => one.lines)
        await handle.appendFile(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
        await handle.datasync()
        lines.forEach(apply)
        for (const { resolve } of batch) resolve()
      } catch (failure) {
        failed = failure
        for (const { reject } of batch) reject(failure)
      }
    }
    isWriting = false
  }

  return {
    entries,
    facts,
    /** @param {string} id */
    has: (id) => entries.has(id) || done.has(id),
    /**
     * Resolves when the lines are on the disk, and then they are true.
     * @param {...Line} lines
     * @returns {Promise<void>}
     */
    append: (...lines) =>
      new Promise((resolve, reject) => {
        waiting.push({ lines, resolve, reject })
        void write()
      }),
    close: () => handle.close(),
  }
}

/** @typedef {Awaited<ReturnType<typeof openJournal>>} Journal */

/**
 * Replaces the file as a whole: a crash leaves the former one.
 * @param {string} file
 * @param {() => Iterable<Line>} lines
 */
async function writeAnew(file, lines) {
  const next = await open(`${file}.next`, 'w', 0o600)
  let text = ''
  for (const line of lines()) {
    text += `${JSON.stringify(line)}\n`
    if (text.length > 1_000_000) {
      await next.appendFile(text)
      text = ''
    }
  }
  await next.appendFile(text)
  await next.sync()
  await next.close()
  await rename(`${file}.next`, file)
  const folder = await open(path.dirname(file), 'r')
  await folder.sync()
  await folder.close()
}

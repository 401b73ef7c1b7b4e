/**
 * `node main.js config.json` runs the bridge; `node main.js config.json --done <webhook-id>` closes a
 * dead-lettered event that a person has handled. Stop the bridge first.
 */
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { startBridge } from './bridge.js'
import { readConfig } from './config.js'
import { openJournal } from './journal.js'

/** @param {string} line */
const log = (line) => console.log(`${new Date().toISOString()} ${line}`)

/** @param {unknown} failure */
const fail = (failure) => {
  console.error(failure instanceof Error ? failure.message : failure)
  process.exit(1)
}

try {
  const [file = 'config.json', flag, id] = process.argv.slice(2)
  const { config, secrets } = readConfig(JSON.parse(await readFile(file, 'utf8')), process.env)
  if (flag === '--done' && id) {
    const journal = await openJournal(config.journal, Date.now)
    if (!journal.entries.has(id)) throw new Error(`No event ${id} is waiting.`)
    await journal.append({ id, done: Date.now() })
    await journal.close()
  } else {
    await startBridge(config, secrets, { clock: { now: Date.now, sleep }, log, fail })
  }
} catch (failure) {
  fail(failure)
}

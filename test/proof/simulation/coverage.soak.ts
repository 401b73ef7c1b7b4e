/** The simulation proves what it runs: nearly every line of the stores that it connects. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { newFolder } from '../../folders.ts'
import { executedLines } from './executed-lines.ts'

const sales = 160

/** The simulation has no stream, so it collects and sends no events: options/events/test/functions/many-events.soak.ts plays their stores. */
const ofTheStream = /^events\//
/** No decision reads the course of a sale: the sales of test/functions/settings/settings.test.ts keep it and compare it. */
const ofTheCourse = /^sale\/series\.ts$/
/** It sends no emails. */
const ofMails = /^people\/mail-log\.ts$/
/** Handlers write heartbeats, and it connects none. */
const ofHandlers = /^heartbeats?\.ts$/
/** The table in memory has no wire format: test/contract/memory-table.test.ts and personal-data.test.ts use the emulator's. */
const ofTheWire = /^(?:put|wire)-items?\.ts$/
/** Names of keys, also of those stores. */
const ofAll = /^keys\.ts$/
const elsewhere = [ofTheStream, ofTheCourse, ofMails, ofHandlers, ofTheWire, ofAll]

const reports = newFolder('coverage')

it(`${sales} simulated sales execute 95 % of the lines of the stores in DynamoDB that it connects`, async () => {
  const args = ['--import', './lua-hooks.ts', 'proof/simulation/main.ts', '--seed', '1', '--sales', String(sales)]
  await promisify(execFile)(process.execPath, args, { env: { ...process.env, NODE_V8_COVERAGE: reports } })
  const files = executedLines(reports, 'functions/table').filter(
    ({ file }) => !elsewhere.some((kind) => kind.test(file)),
  )
  const [code, missed] = [files.flatMap((file) => file.code), files.flatMap((file) => file.missed)]
  const names = files.flatMap(({ file, missed }) => (missed.length === 0 ? [] : [`${file}: ${missed.join(' ')}`]))
  const share = 1 - missed.length / code.length
  console.log(`${(100 * share).toFixed(1)} % of ${code.length} lines; never run:\n${names.join('\n')}`)
  expect(files.length).toBeGreaterThan(30)
  expect(share).toBeGreaterThanOrEqual(0.95)
}, 2_700_000)

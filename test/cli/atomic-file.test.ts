/** Files that cannot be written to the end, as on a full disk. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { newFolder } from '../folders.ts'

/** Returns the output of a program whose files may have only so many blocks of 512 bytes. */
function onFullDisk(blocks: number, program: string, file: string): string {
  const node = [process.execPath, '--input-type=module-typescript', '-e', program]
  const command = ['-c', `ulimit -f ${blocks}; exec "$@"`, 'sh', ...node, file]
  return execFileSync('/bin/sh', command, { encoding: 'utf8' }).trim()
}

it.each([
  {
    what: 'the key-value store',
    blocks: 0,
    before: { 'file.json': '[["a","1"]]' },
    program: `import { createKeyValueStore } from './local/cdn/key-value-store.ts'
const store = createKeyValueStore({ now: Date.now, maxDelayMs: 0, file: process.argv.at(-1) })
const change = { puts: [{ key: 'a', value: '2' }], deletes: [] }
try { store.update(store.facts().etag, change) } catch ({ code }) { console.log(code, store.get('a')) }`,
    prints: 'EFBIG 1',
  },
  {
    what: 'a new key pair',
    blocks: 0,
    before: {},
    program: `import { createIdentity } from './cli/identity.ts'
await createIdentity(process.argv.at(-1)).catch(({ code }) => console.log(code))`,
    prints: 'EFBIG',
  },
  {
    what: 'an exported table, of which it takes a part',
    blocks: 1,
    before: { 'file.json': 'of yesterday' },
    program: `import { Command } from 'commander'
import { addTableCommands } from './cli/sale/table-commands.ts'
const sale = new Command()
const tablePart = async () => ({ text: 'x'.repeat(600), next: null })
addTableCommands(sale, { ports: { print: console.log }, reader: async () => ({ tablePart }) })
const run = sale.parseAsync(['orders', 'mug', '--out', process.argv.at(-1)], { from: 'user' })
await run.catch(({ code }) => console.log(code))`,
    prints: 'EFBIG',
  },
])('a full disk leaves $what as it was (P10)', ({ blocks, before, program, prints }) => {
  const folder = newFolder('disk')
  for (const [name, text] of Object.entries(before)) writeFileSync(join(folder, name), text)
  expect(onFullDisk(blocks, program, join(folder, 'file.json'))).toBe(prints)
  const after = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')])
  expect(Object.fromEntries(after)).toEqual(before)
})

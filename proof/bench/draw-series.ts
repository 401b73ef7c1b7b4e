/**
 * Program: who has more tries after earlier draws of a series, from their published files. `folder` has those of one draw,
 * which stands for `draws` of them. Prints `{"seconds", "megabytes"}`, the most memory of this process.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hexOf } from '../../core/draw/bytes.ts'
import { rulesHash } from '../../core/draw/rules.ts'
import { lineHash, lineTextsOf } from '../../core/draw/signed-line.ts'
import { parseSaleId } from '../../core/ids.ts'
import { writeTries } from '../../functions/sales/draw/draw-series.ts'
import { signerOf, someRules, verifyTestRound } from '../draw/publish-draw.ts'

const [folder = '', draws = ''] = process.argv.slice(2)
const read = async (path: string) => new Uint8Array(await readFile(join(folder, path.replace(/^\.\.\/[^/]+\//, ''))))
const lastLine = async (path: string) => lineHash(lineTextsOf(await read(path)).at(-1) ?? '')

const facts = {
  rules: hexOf(rulesHash(await read('draw.json'))),
  head: await lastLine('heads.txt'),
  step: await lastLine('allocation.txt'),
}
const earlier = Array.from({ length: Number(draws) }, (_, n) => {
  const sale = parseSaleId(`earlier-${n}`)
  if (sale === undefined) throw new Error('a draw needs the id of its sale')
  return { sale, ...facts }
})
const startedAt = performance.now()
let files = 0
const write = async () => {
  files += 1
}
await writeTries({ read, write }, someRules(signerOf('bench'), { mostTries: 6, earlier }), verifyTestRound)
if (files === 0) throw new Error('no entrant has lost')
const seconds = (performance.now() - startedAt) / 1000
console.log(JSON.stringify({ seconds, megabytes: process.resourceUsage().maxRSS / 1024 }))

/**
 * `npm run bench -- draw`: the time and memory to commit to the list of a draw of a million entrants, to rank them, and to
 * check it all from its files, as every reader can: in Node, and on the page in Chromium; and how many clicks of those who lost
 * end before the gate.
 */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { dist } from '../../build.ts'
import { hexOf, numbersByKey } from '../../core/draw/bytes.ts'
import { entryRecord, idsOf, recordBytes } from '../../core/draw/record.ts'
import { rulesHash } from '../../core/draw/rules.ts'
import { headLine } from '../../core/draw/signed-line.ts'
import { rootOfHashes, tilesFrom } from '../../core/draw/tree.ts'
import { lastDraws } from '../../core/sale/sale-draw.ts'
import { drawnFiles, fileOfLines, signerOf, signLine, someRules } from '../draw/publish-draw.ts'
import { measureLosingClicks } from './draw/losing-clicks.ts'
import { checkOnPage } from './draw/on-page.ts'
import { atLeast, atMost, type Measurement, withStep } from './harness.ts'
import { median, seededRandom, spelled } from './statistics.ts'

const entrants = 1_000_000
const units = 10_000
const mostCommitSeconds = 60
const mostCommitMegabytes = 512
const mostCheckSeconds = 8
const mostPageSeconds = 15
const leastLosing = 30_000

/** Records by ascending id, as the table gives them. */
function someRecords(): Uint8Array {
  const random = seededRandom(1)
  const id = new DataView(new ArrayBuffer(32))
  const bytes = new Uint8Array(entrants * recordBytes)
  for (let n = 0; n < entrants; n += 1) {
    for (let word = 0; word < 32; word += 4) id.setUint32(word, random() * 2 ** 32)
    bytes.set(entryRecord({ id: new Uint8Array(id.buffer), tries: 1, choices: [1] }), n * recordBytes)
  }
  const sorted = new Uint8Array(bytes.length)
  numbersByKey(idsOf({ bytes, count: entrants }), entrants).forEach((record, place) => {
    sorted.set(bytes.subarray(record * recordBytes, (record + 1) * recordBytes), place * recordBytes)
  })
  return sorted
}

/** Who has more tries in a draw after `draws` such ones, in a process of its own. */
async function measureSeries(folder: string, draws: number): Promise<{ seconds: number; megabytes: number }> {
  const program = ['--import', './lua-hooks.ts', join(import.meta.dirname, 'draw-series.ts'), folder, `${draws}`]
  const { stdout } = await promisify(execFile)(process.execPath, program)
  return JSON.parse(stdout) as { seconds: number; megabytes: number }
}

export async function measureDraw(): Promise<Measurement> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-draw-'))
  const put = async (path: string, content: Uint8Array) => {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
  try {
    const signer = signerOf('bench')
    const rules = someRules(signer, { variants: [{ units }] })
    const rulesFile = new TextEncoder().encode(JSON.stringify(rules))
    await put('draw.json', rulesFile)
    const records = someRecords()

    const commit = await withStep('commit', entrants, async (to) => {
      const startedAt = performance.now()
      let bytes = 0
      const roots: Uint8Array[] = []
      for await (const tile of tilesFrom(0, new Uint8Array(), [records])) {
        await put(`tiles/${tile.number}.bin`, tile.records)
        roots.push(tile.root)
        bytes = Math.max(bytes, process.memoryUsage.rss())
        to(roots.length * 4096)
      }
      const [rootsFile, hash] = [new Uint8Array(Buffer.concat(roots)), hexOf(rulesHash(rulesFile))]
      await put('tiles/roots.bin', rootsFile)
      const payload = { sale: rules.sale, number: 0, previous: hash, rules: hash, round: rules.round }
      const root = rootOfHashes(rootsFile)
      const head = { ...payload, at: rules.closesAt + 5000, count: entrants, root: hexOf(root) }
      const line = signLine(signer, headLine, head)
      await put('heads.txt', fileOfLines([line]))
      const seconds = (performance.now() - startedAt) / 1000
      return { seconds, megabytes: bytes / 2 ** 20, root, line }
    })

    const rankedAt = performance.now()
    const drawn = drawnFiles(
      { signer, rules },
      { bytes: records, hash: rulesHash(rulesFile), root: commit.root, closing: commit.line },
    )
    const rankSeconds = (performance.now() - rankedAt) / 1000
    for (const [path, content] of drawn.files) await put(path, content)

    const checkSeconds = await withStep('check', 1, async () => {
      const startedAt = performance.now()
      const program = [join(dist, 'verify-draw.mjs'), folder]
      const ended = await promisify(execFile)(process.execPath, program).catch((failed) => failed)
      if (/^✗/m.test(ended.stdout) || !/^offers +[1-9]/m.test(ended.stdout)) {
        throw new Error(`a fault: ${ended.stdout}`)
      }
      return (performance.now() - startedAt) / 1000
    })
    const series = await withStep('series', 2, async (to) => {
      const tries: Awaited<ReturnType<typeof measureSeries>>[] = []
      for (const draws of [1, lastDraws]) {
        tries.push(await measureSeries(folder, draws))
        to(tries.length)
      }
      return tries
    })
    const pageSeconds = await checkOnPage(rules.sale, folder)
    const losing = await withStep('losing clicks', entrants, (to) => measureLosingClicks(entrants, to))
    return {
      name: `draw of ${spelled(entrants)} entrants`,
      lines: [
        atMost('commit: tiles, roots and head written, s', commit.seconds, mostCommitSeconds, { digits: 1 }),
        atMost('most memory of the process, 61 MiB of records included, MiB', commit.megabytes, mostCommitMegabytes, {
          digits: 0,
        }),
        atMost('check of all files by dist/verify-draw.mjs, s', checkSeconds, mostCheckSeconds, {
          digits: 1,
        }),
        atMost(
          'check on the page in Chromium, from the click to the verdict, s',
          median(pageSeconds),
          mostPageSeconds,
          {
            value: pageSeconds.map((seconds) => seconds.toFixed(1)).join(' / '),
          },
        ),
        atLeast('losing clicks before the gate, a second of a processor', losing, leastLosing, { digits: 0 }),
        { what: 'ranks and first offers, s', value: rankSeconds.toFixed(1) },
        {
          what: `tries from 1 and ${lastDraws} earlier draws of as many, s`,
          value: series.map(({ seconds }) => seconds.toFixed(1)).join(' / '),
        },
        {
          what: 'most memory meanwhile, MiB',
          value: series.map(({ megabytes }) => megabytes.toFixed(0)).join(' / '),
        },
      ],
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * What a shop keeps of its draws and shows to no one, in one folder for all draws of a series: two keys, the entrants with
 * the receipts to hand out, and the offers. Ids of shoppers stand in these files as they are, so that programs find them again.
 */
import { randomBytes } from 'node:crypto'
import { appendFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import type { DrawRules } from '../../core/draw/rules.ts'
import { parseShopperId, type SaleId, type ShopperId } from '../../core/ids.ts'
import { readJson } from '../../core/lib/parse.ts'
import { signingKey } from '../../functions/lib/session-token.ts'
import { lineSigner } from '../../functions/sales/draw/draw-of-sale.ts'
import type { SignLine } from '../../functions/sales/draw/keep-draw.ts'
import { newKey } from '../identity.ts'
import { readIfThere } from './folder.ts'

/** How long secrets are, in bytes. */
const idKeyBytes = 32
const beaconSeedBytes = 48

const secret = (bytes: number) =>
  z.string().check(z.regex(new RegExp(`^[0-9a-f]{${2 * bytes}}$`), `must be ${bytes} bytes in hexadecimal`))
/** `ids`: from which the ids of entrants follow. `beacon`: from which the key of a beacon on this machine follows. */
const bookKeys = z.strictObject({
  ids: secret(idKeyBytes),
  beacon: secret(beaconSeedBytes),
  signing: signingKey,
})

/** A line of the file of entrants: who got which receipt, of the record with that leaf hash. */
export type HandedOut = { shopperId: ShopperId; leaf: string; receipt: string }

export type DrawBook = {
  idKey: Uint8Array
  beaconSeed: Uint8Array
  publicKey: DrawRules['keys'][number]
  sign: SignLine
  entrants: (sale: SaleId) => Promise<readonly HandedOut[]>
  addEntrants: (sale: SaleId, some: readonly HandedOut[]) => Promise<void>
  /** Replaces the file of offers, and resolves with its path. `lines` are cells. */
  writeOffers: (sale: SaleId, lines: readonly (readonly (string | number)[])[]) => Promise<string>
}

/**
 * Opens the book in `folder`; `make` writes new keys where it has none.
 * @throws RangeError when it has no keys, or cannot be read
 */
export async function openBook(folder: string, { make = false } = {}): Promise<DrawBook> {
  const file = join(folder, 'keys.json')
  const bytes = (await readIfThere(file)) ?? (make ? await makeKeys(folder, file) : undefined)
  if (bytes === undefined) throw new RangeError(`${file} is missing: name the folder that the draw was opened with`)
  const read = readJson(bookKeys, bytes)
  if (!read.ok) throw new RangeError(`${file} cannot be used: ${read.detail}`)
  const { ids, beacon, signing } = read.value
  const entrantsFile = (sale: SaleId) => join(folder, `${sale}.entrants.csv`)
  return {
    idKey: Buffer.from(ids, 'hex'),
    beaconSeed: Buffer.from(beacon, 'hex'),
    ...(await lineSigner(signing)),
    async entrants(sale) {
      const [, ...lines] = textOf(await readIfThere(entrantsFile(sale))).split('\n')
      return lines.flatMap((line) => handedOut(line))
    },
    async addEntrants(sale, some) {
      const path = entrantsFile(sale)
      const head = (await readIfThere(path)) === undefined ? 'shopperId,leaf,receipt\n' : ''
      const lines = some.map(({ shopperId, leaf, receipt }) => `${shopperId},${leaf},${receipt}\n`)
      await appendFile(path, head + lines.join(''), { mode: 0o600 })
    },
    async writeOffers(sale, lines) {
      const path = join(folder, `${sale}.offers.csv`)
      await writeFile(path, lines.map((cells) => `${cells.join(',')}\n`).join(''), { mode: 0o600 })
      return path
    },
  }
}

async function makeKeys(folder: string, file: string): Promise<Uint8Array> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const random = (bytes: number) => randomBytes(bytes).toString('hex')
  const text = JSON.stringify({
    ids: random(idKeyBytes),
    beacon: random(beaconSeedBytes),
    signing: await newKey(undefined),
  })
  await writeFile(file, text, { mode: 0o600, flag: 'wx' })
  return Buffer.from(text)
}

const textOf = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)

/** A line that a cut-off left incomplete is no line: its receipt is signed again. */
function handedOut(line: string): HandedOut[] {
  const [id, leaf, receipt] = line.split(',')
  const shopperId = parseShopperId(id)
  const isWhole = shopperId !== undefined && leaf?.length === 64 && receipt?.split('.').length === 3
  return isWhole ? [{ shopperId, leaf, receipt }] : []
}

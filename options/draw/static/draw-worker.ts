/** The worker of the page that checks a draw. It keeps the page responsive: the whole list is hashed twice. */
import type { SaleId } from '../../../core/ids.ts'
import { addedFilePath } from '../../../core/sale/pointer.ts'
import { verifyRound } from '../core/beacon.ts'
import { type DrawSource, firstBytes, type KnownOfDraw } from '../core/check-draw.ts'
import { type DrawReport, reportDraw } from './lib/draw-report.ts'

export type DrawTask = { saleId: SaleId; known: KnownOfDraw }

export type DrawProgress = { kind: 'progress'; done: number; total: number }
/** `missing`: no draw is published. `network` and `memory` are why it could not be checked. */
export type DrawResult = { kind: 'checked'; report: DrawReport } | { kind: 'missing' | 'network' | 'memory' }

/** A replaced file reaches every cache within this time. */
const cacheSettleMs = 60_000
const retryMs = 8000

/** The request for a file failed, so it is unknown whether the file exists. */
class Unreachable extends Error {}

/** Returns a reader of public files; undefined for a missing one. The reader throws `Unreachable`. */
function publicSource(saleId: SaleId): DrawSource {
  return async (path, maxBytes) => {
    const address = `/${addedFilePath(saleId, 'draw', path)}`
    const failed = (error: unknown) => {
      throw error instanceof RangeError ? error : new Unreachable(address, { cause: error })
    }
    const response = await fetch(address, { cache: 'no-cache', credentials: 'omit' }).catch(failed)
    if (response.status === 404 || response.status === 403) return undefined
    if (!response.ok) throw new Unreachable(address)
    return response.body === null ? new Uint8Array() : firstBytes(response.body, maxBytes).catch(failed)
  }
}

const send = (message: DrawProgress | DrawResult) => postMessage(message)

addEventListener('message', ({ data }: MessageEvent<DrawTask>) => void check(data))

async function check({ saleId, known }: DrawTask): Promise<void> {
  try {
    let report = await checkOnce(saleId, known)
    for (let tries = 0; tries < 3 && report !== undefined && isMoving(report); tries += 1) {
      await new Promise((done) => setTimeout(done, retryMs))
      report = await checkOnce(saleId, known)
    }
    send(report === undefined ? { kind: 'missing' } : { kind: 'checked', report })
  } catch (error) {
    const isMemory = error instanceof RangeError
    // A rejected promise alone raises no error event in the page.
    if (!isMemory && !(error instanceof Unreachable)) reportError(error)
    else send({ kind: isMemory ? 'memory' : 'network' })
  }
}

function checkOnce(saleId: SaleId, known: KnownOfDraw): Promise<DrawReport | undefined> {
  let reportedAt = 0
  return reportDraw(publicSource(saleId), {
    known,
    verifyRound,
    now: Date.now(),
    onProgress(done, total) {
      if (done < total && Date.now() - reportedAt < 50) return
      reportedAt = Date.now()
      send({ kind: 'progress', done, total })
    },
  })
}

/** True when the faults may come from files that were being replaced one after the other. */
function isMoving({ faults, signed }: DrawReport): boolean {
  return faults.length > 0 && signed !== undefined && Math.abs(Date.now() - signed.at) < cacheSettleMs
}

/** The CloudFront Function of the pages passes the files of a draw on. */
import { expect, it } from 'vitest'
import { dist } from '../../../../build.ts'
import { entryKey } from '../../../../core/gate/edge-entry.ts'
import { addedFilePath } from '../../../../core/sale/pointer.ts'
import { loadViewerFunction, viewerEvent } from '../../../../local/cdn/viewer-function.ts'
import { locationWith } from '../../../../test/local/key-values.ts'
import { saleIdOf } from '../../../../test/redis/support.ts'
import { listFile, roundFile, signedListFile, stepsFile } from '../../core/check-draw.ts'
import { rulesFile } from '../../core/rules.ts'

const phone = saleIdOf('phone-42')

it.each([rulesFile, signedListFile, listFile, roundFile, stepsFile])(
  'the page paths have the file %s of a draw, which a check reads (N3)',
  async (file) => {
    const run = await loadViewerFunction(`${dist}/edge/site-paths.js`, locationWith({ [entryKey(phone)]: '' }))
    const uri = `/${addedFilePath(phone, 'draw', file)}`
    const event = viewerEvent({ ip: '203.0.113.7', method: 'GET', url: uri, rawHeaders: [] })
    expect(await run(event)).toMatchObject({ uri })
  },
)

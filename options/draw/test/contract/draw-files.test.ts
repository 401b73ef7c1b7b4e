/** One suite for every store of the public files of draws. */
import { expect, it } from 'vitest'
import { startQueues } from '../../../../test/contract/cloud.ts'
import { describeEach } from '../../../../test/contract/each.ts'
import { saleIdOf } from '../../../../test/redis/support.ts'
import { s3DrawFiles } from '../../functions/draw-files.s3.ts'
import type { DrawFiles } from '../../functions/draw-of-sale.ts'
import { drawFilesIn } from '../functions/draw-files.ts'

/** `openFiles`: the files of one draw, as each of several runs has them. */
type Rig = { openFiles: () => DrawFiles; stop: () => Promise<void> }

async function inMemory(): Promise<Rig> {
  const published = new Map<string, Uint8Array>()
  return { openFiles: () => drawFilesIn(published), stop: async () => {} }
}

async function inS3(): Promise<Rig> {
  const { s3, bucket, stop } = await startQueues()
  return { openFiles: () => s3DrawFiles(s3, bucket)(saleIdOf('draw-1')), stop }
}

describeEach('the files of a draw', { memory: inMemory, S3: inS3 }, (the) => {
  it('are written only if unchanged since the run read them, and an unread one only if it is missing or the same (I7)', async () => {
    const [one, other] = [the().openFiles(), the().openFiles()]
    const bytes = (text: string) => new TextEncoder().encode(text)
    await one.write('draw/steps.txt', bytes('a\n'))
    await other.write('draw/steps.txt', bytes('a\n'))
    await other.write('draw/steps.txt', bytes('a\nb\n'))
    await expect(one.write('draw/steps.txt', bytes('a\nc\n'))).rejects.toThrow()
    await expect(the().openFiles().write('draw/steps.txt', bytes('c\n'))).rejects.toThrow()
    expect(await one.read('draw/steps.txt')).toEqual(bytes('a\nb\n'))
    await one.write('draw/steps.txt', bytes('a\nb\nc\n'))
  })
})

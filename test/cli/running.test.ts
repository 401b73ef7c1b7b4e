import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { clearRunning, readRunning, recordRunning } from '../../cli/running.ts'
import { newFolder } from '../folders.ts'

let file: string
beforeEach(() => {
  file = join(newFolder('running'), '.cache', 'running.json')
})

describe('the record of the running local system', () => {
  it('names its address until it ends', async () => {
    expect(await readRunning(file)).toBeUndefined()
    await recordRunning('http://127.0.0.1:9000', file)
    expect(await readRunning(file)).toBe('http://127.0.0.1:9000')
    await clearRunning(file)
    expect(await readRunning(file)).toBeUndefined()
  })

  it('is ignored once its process is gone, and is not removed by another', async () => {
    await recordRunning('http://127.0.0.1:9000', file)
    // No process has this id: Linux ends at 2^22.
    writeFileSync(file, JSON.stringify({ url: 'http://127.0.0.1:9000', pid: 2 ** 23 }))
    expect(await readRunning(file)).toBeUndefined()
    writeFileSync(file, JSON.stringify({ url: 'http://127.0.0.1:9000', pid: 1 }))
    await clearRunning(file)
    expect(await readRunning(file)).toBe('http://127.0.0.1:9000')
  })

  it('is ignored when it is incomplete', async () => {
    await recordRunning('http://127.0.0.1:9000', file)
    writeFileSync(file, '{"url":')
    expect(await readRunning(file)).toBeUndefined()
  })
})

import { execFileSync } from 'node:child_process'
import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { freePort, loopback } from '../../local/ports.ts'

const choose = `import { freePort } from './local/ports.ts'; console.log(await freePort())`

describe('a free port', () => {
  it('is chosen once, though nothing listens there yet', async () => {
    const ports = await Promise.all(Array.from({ length: 20 }, freePort))
    expect(new Set(ports).size).toBe(20)
  })

  it('is another one in another process, so that no two wait for the same program', () => {
    const ofAnother = () => execFileSync(process.execPath, ['--input-type=module', '-e', choose], { encoding: 'utf8' })
    expect(ofAnother()).not.toBe(ofAnother())
  })

  it('is none where another program listens', async () => {
    const next = (await freePort()) + 1
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(next, loopback, resolve))
    expect(await freePort()).toBeGreaterThan(next)
    server.close()
  })
})

/** The program `aws` as a child, with a small one in its place. */
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import * as z from 'zod/mini'
import { awsCli, findInAws } from '../../cli/aws-cli.ts'
import { newFolder } from '../folders.ts'

afterEach(() => void vi.unstubAllEnvs())

function install(script: string): void {
  const folder = newFolder('aws')
  writeFileSync(join(folder, 'aws'), `#!/bin/sh\n${script}\n`)
  chmodSync(join(folder, 'aws'), 0o755)
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`)
}

describe('the AWS CLI', () => {
  it('reads a secret from standard input as a file, and has no secret as an argument', async () => {
    install('printf \'{"read":"%s","arguments":"%s"}\' "$(cat /dev/stdin)" "$*"')
    const answer = await awsCli.withInput('the secret', 'secretsmanager', 'create-secret')
    expect(answer).toEqual({ read: 'the secret', arguments: 'secretsmanager create-secret --output json' })
    expect(await awsCli('sts', 'get-caller-identity')).toMatchObject({ read: '' })
  })

  it('says why it failed, also if it did not read its input', async () => {
    install('echo "An error occurred (ResourceNotFoundException)" >&2; exit 254')
    await expect(awsCli.withInput('x'.repeat(200_000), 'x')).rejects.toThrow('ResourceNotFoundException')
    expect(await findInAws(awsCli, 'ResourceNotFoundException', z.unknown(), 'x')).toBeUndefined()
    await expect(findInAws(awsCli, 'AccessDenied', z.unknown(), 'x')).rejects.toThrow('ResourceNotFoundException')
  })

  it('is not installed', async () => {
    vi.stubEnv('PATH', newFolder('empty'))
    await expect(awsCli('x')).rejects.toThrow('the AWS CLI is not installed')
  })
})
